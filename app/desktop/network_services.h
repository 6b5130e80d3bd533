// SPDX-License-Identifier: Apache-2.0
// Services of the user's own networks for the window: what a file describes, and the list it is kept in. Called from
// one thread, never from the GUI thread.
#pragma once

#include <filesystem>

#include "ui/controllers/network_controller.h"

namespace steelyard::desktop {

// `networks`: as of OwnNetworks. What was removed before is gone for good now.
[[nodiscard]] ui::NetworkServices networkServices(const std::filesystem::path& resources,
                                                  const std::filesystem::path& networks);

// What a file describes, with the answers given so far.
[[nodiscard]] ui::NetworkSummary inspectNetwork(const ui::NetworkRequest& request);

}  // namespace steelyard::desktop

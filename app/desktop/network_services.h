// SPDX-License-Identifier: Apache-2.0
// Services for the user's networks: what a file describes, and the list of added networks. Call from one thread, never
// the GUI thread.
#pragma once

#include <filesystem>

#include "ui/controllers/network_controller.h"

namespace steelyard::desktop {

// `networks`: as for UserNetworks. Networks removed earlier are deleted for good now.
[[nodiscard]] ui::NetworkServices networkServices(const std::filesystem::path& resources,
                                                  const std::filesystem::path& networks);

// Describes a file, with the answers given so far.
[[nodiscard]] ui::NetworkSummary inspectNetwork(const ui::NetworkRequest& request);

}  // namespace steelyard::desktop

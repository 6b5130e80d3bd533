// SPDX-License-Identifier: Apache-2.0
// Engine services for the window: detection, runnable workloads, estimated durations, the diagnostic report. They
// share one registry of backends, created on the first call. Call from one thread only (the window's machine thread),
// never the GUI thread.
#pragma once

#include <filesystem>

#include "ui/controllers/machine_controller.h"

namespace steelyard::desktop {

// `programFolder`: folder of the executables; GPU backends are searched there and in ../lib/steelyard/backends.
// `networks`: folder of the user's networks (user_networks.h).
[[nodiscard]] ui::MachineServices engineServices(const std::filesystem::path& programFolder,
                                                 const std::filesystem::path& networks);

}  // namespace steelyard::desktop

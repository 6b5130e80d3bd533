// SPDX-License-Identifier: Apache-2.0
// Services of the engine for the window: detection, runnable workloads, estimated durations, the diagnostic
// report. The functions share one registry of backends, made on the first call; they are called from one thread (the
// window's machine thread), never from the GUI thread.
#pragma once

#include <filesystem>

#include "ui/controllers/machine_controller.h"

namespace steelyard::desktop {

// `programFolder`: where the executables lie; GPU backends are looked for there and in ../lib/steelyard/backends.
// `networks`: folder of the user's own networks (own_networks.h).
[[nodiscard]] ui::MachineServices engineServices(const std::filesystem::path& programFolder,
                                                 const std::filesystem::path& networks);

}  // namespace steelyard::desktop

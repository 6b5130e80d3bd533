// SPDX-License-Identifier: Apache-2.0
// Opens a backend that is a shared library of its own. The library exports two C functions and nothing else:
//   int steelyardBackendInterfaceVersion(void);
//   steelyard::compute::Backend* steelyardMakeBackend(steelyard::Message* reason);   // null: reason says
//   why
// The version is compared before the second is called. The library stays loaded for the life of the process.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// BackendUnavailable: not found in any folder, writable by everybody, libraries missing (the loader's text), no
// factory, another interface version, or the backend's own reason (no driver, no device).
[[nodiscard]] Result<std::unique_ptr<Backend>> loadBackendPlugin(std::string_view name,
                                                                 const std::vector<std::filesystem::path>& folders);

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// Opens a module in a shared library. A backend module exports two C functions and nothing else:
//   int steelyardBackendInterfaceVersion(void);
//   steelyard::compute::Backend* steelyardMakeBackend(steelyard::Message* reason);   // null: sets reason
// The version is checked before the second is called. The library is never unloaded.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// The handle of lib<name>.so from the first folder that has it. BackendUnavailable: not found, world-writable, or
// missing libraries (the loader's message).
[[nodiscard]] Result<void*> openModule(std::string_view name, const std::vector<std::filesystem::path>& folders);

// BackendUnavailable: not found, world-writable, missing libraries (the loader's message), no factory, another
// interface version, or the backend's reason (no driver, no device).
[[nodiscard]] Result<std::unique_ptr<Backend>> loadBackendPlugin(std::string_view name,
                                                                 const std::vector<std::filesystem::path>& folders);

}  // namespace steelyard::compute

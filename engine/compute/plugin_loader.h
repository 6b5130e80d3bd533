// SPDX-License-Identifier: Apache-2.0
// Opens a module that is a shared library of its own. That of a backend exports two C functions and nothing else:
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

// The handle of lib<name>.so in the first of the folders that has it. BackendUnavailable: in none of them, writable by
// everybody, or libraries missing (the loader's text).
[[nodiscard]] Result<void*> openModule(std::string_view name, const std::vector<std::filesystem::path>& folders);

// BackendUnavailable: not found in any folder, writable by everybody, libraries missing (the loader's text), no
// factory, another interface version, or the backend's own reason (no driver, no device).
[[nodiscard]] Result<std::unique_ptr<Backend>> loadBackendPlugin(std::string_view name,
                                                                 const std::vector<std::filesystem::path>& folders);

}  // namespace steelyard::compute

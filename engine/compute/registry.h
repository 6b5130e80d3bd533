// SPDX-License-Identifier: Apache-2.0
// The backends of this process, listed in one place. Reference and CPU are built in; the CUDA backend is a plugin
// searched beside the executable and in the installed backend folder, never in the current directory, and never
// unloaded. Each missing backend has a reason. Owned by the caller; one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct BackendState {
    std::string name;  // "cuda"
    bool loaded = false;
    Message reason;  // why it is not loaded; otherwise empty
};

class Registry {
public:
    // pluginFolders: search path of steelyard_cuda. cacheFolder: kernel caches of the backends; empty: none.
    explicit Registry(const std::vector<std::filesystem::path>& pluginFolders,
                      const std::filesystem::path& cacheFolder = {});

    // Errors: NotFound with the known devices; BackendUnavailable with the reason why the device's backend is missing.
    [[nodiscard]] Result<Backend*> backendOf(std::string_view device);
    [[nodiscard]] Backend& reference() { return *m_backends.front(); }
    [[nodiscard]] const std::vector<BackendState>& states() const { return m_states; }
    // All devices that cases can use; without the reference backend.
    [[nodiscard]] std::vector<Device> devices() const;

private:
    std::vector<std::unique_ptr<Backend>> m_backends;  // the reference is first
    std::vector<BackendState> m_states;
};

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// The backends of this process, written out in one place. Reference and CPU are part of the program; the CUDA backend
// is a plugin that is looked for beside the executable and in the installed backend folder, never in the current
// directory, and is not unloaded. Each backend that is missing says why. Owned by the caller; one thread.
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
    Message reason;  // why not; empty when loaded
};

class Registry {
public:
    // pluginFolders: where steelyard_cuda is looked for, in this order. cacheFolder: where backends remember which
    // kernels are fastest; empty: nowhere.
    explicit Registry(const std::vector<std::filesystem::path>& pluginFolders,
                      const std::filesystem::path& cacheFolder = {});

    // NotFound names the known devices; BackendUnavailable says why the backend of that device is not there.
    [[nodiscard]] Result<Backend*> backendOf(std::string_view device);
    [[nodiscard]] Backend& reference() { return *m_backends.front(); }
    [[nodiscard]] const std::vector<BackendState>& states() const { return m_states; }
    // All devices a case can name; the reference backend is not among them.
    [[nodiscard]] std::vector<Device> devices() const;

private:
    std::vector<std::unique_ptr<Backend>> m_backends;  // the reference first
    std::vector<BackendState> m_states;
};

}  // namespace steelyard::compute

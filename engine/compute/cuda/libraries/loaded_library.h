// SPDX-License-Identifier: Apache-2.0
// A CUDA library loaded at run time: by name, then from $CUDA_HOME/lib64 and /usr/local/cuda/lib64. Never unloaded.
// Internal to the plugin.
#pragma once

#include <string>

#include "engine/core/message.h"

namespace steelyard::compute::cuda {

class LoadedLibrary {
public:
    explicit LoadedLibrary(const std::string& name);
    [[nodiscard]] bool isOpen() const { return m_handle != nullptr && m_missing.empty(); }
    // The loader's message, or the missing entry point.
    [[nodiscard]] Message why() const;

    // Sets `function` to the symbol, or records that it is missing.
    template <class Function>
    void find(const char* symbol, Function*& function) {
        function = reinterpret_cast<Function*>(address(symbol));
    }

private:
    [[nodiscard]] void* address(const char* symbol);

    void* m_handle = nullptr;
    std::string m_name, m_missing;
    Message m_error;
};

}  // namespace steelyard::compute::cuda

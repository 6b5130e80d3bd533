// SPDX-License-Identifier: Apache-2.0
// A CUDA library opened at run time: by name, then in $CUDA_HOME/lib64 and /usr/local/cuda/lib64. Never closed.
// Internal to the plugin.
#pragma once

#include <string>

#include "engine/core/message.h"

namespace steelyard::compute::cuda {

class LoadedLibrary {
public:
    explicit LoadedLibrary(const std::string& name);
    [[nodiscard]] bool isOpen() const { return m_handle != nullptr && m_missing.empty(); }
    // Why not, in the loader's words, or which entry point is missing.
    [[nodiscard]] Message why() const;

    // Points `function` at the symbol, or remembers that it is missing.
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

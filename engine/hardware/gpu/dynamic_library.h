// SPDX-License-Identifier: Apache-2.0
// A shared library opened at run time and never closed (driver threads may outlive its use). Internal.
#pragma once

#include <string>

#include "engine/core/error.h"

namespace steelyard::hardware {

class DynamicLibrary {
public:
    // BackendUnavailable with the loader's message.
    [[nodiscard]] static Result<DynamicLibrary> open(const std::string& name);

    // Sets `function` to the symbol; false if the library does not export it.
    template <typename Function>
    bool find(const char* symbol, Function*& function) const {
        function = reinterpret_cast<Function*>(address(symbol));
        return function != nullptr;
    }

private:
    explicit DynamicLibrary(void* handle) : m_handle(handle) {}
    [[nodiscard]] void* address(const char* symbol) const;

    void* m_handle = nullptr;
};

}  // namespace steelyard::hardware

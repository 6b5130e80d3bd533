// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/gpu/dynamic_library.h"

#include <dlfcn.h>

#include "engine/core/messages/hardware.h"

namespace steelyard::hardware {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& name) {
    void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* words = ::dlerror();
        return fail(ErrorKind::BackendUnavailable, name,
                    words != nullptr ? Message(words) : messages::cannotBeOpened());
    }
    return DynamicLibrary(handle);
}

void* DynamicLibrary::address(const char* symbol) const {
    return ::dlsym(m_handle, symbol);
}

}  // namespace steelyard::hardware

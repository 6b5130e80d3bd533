// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/libraries/loaded_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {

LoadedLibrary::LoadedLibrary(const std::string& name) : m_name(name) {
    std::vector<std::string> places{name};
    if (const char* home = std::getenv("CUDA_HOME"); home != nullptr)
        places.push_back(std::string(home) + "/lib64/" + name);
    places.push_back("/usr/local/cuda/lib64/" + name);
    for (const auto& place : places) {
        m_handle = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (m_handle != nullptr) return;
        const char* words = ::dlerror();
        if (m_error.empty()) m_error = words != nullptr ? Message(words) : messages::cannotBeOpened();
    }
}

void* LoadedLibrary::address(const char* symbol) {
    if (m_handle == nullptr) return nullptr;
    void* found = ::dlsym(m_handle, symbol);
    if (found == nullptr && m_missing.empty()) m_missing = symbol;
    return found;
}

Message LoadedLibrary::why() const {
    if (m_handle == nullptr) return m_error;
    return m_missing.empty() ? Message() : messages::hasNoSymbol(m_name, m_missing);
}

}  // namespace steelyard::compute::cuda

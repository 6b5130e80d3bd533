// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/plugin_loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

namespace steelyard::compute {
namespace {

using VersionFunction = int (*)();
using MakeFunction = Backend* (*)(char*, unsigned long);

template <typename Function>
Function symbol(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
}

Failure refused(std::string_view name, std::string why) {
    return fail(ErrorKind::BackendUnavailable, std::string(name), std::move(why));
}

}  // namespace

Result<std::unique_ptr<Backend>> loadBackendPlugin(std::string_view name,
                                                   const std::vector<std::filesystem::path>& folders) {
    std::filesystem::path file;
    for (const auto& folder : folders) {
        const auto candidate = std::filesystem::absolute(folder) / fmt::format("lib{}.so", name);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(candidate, ignored)) {
            file = candidate;
            break;
        }
    }
    if (file.empty()) return refused(name, "the backend is not installed");
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return refused(name, fmt::format("its libraries are missing: {}", ::dlerror()));
    const auto version = symbol<VersionFunction>(library, "steelyardBackendInterfaceVersion");
    const auto make = symbol<MakeFunction>(library, "steelyardMakeBackend");
    if (version == nullptr || make == nullptr) return refused(name, "the file is not a backend of this program");
    if (version() != kBackendInterfaceVersion)
        return refused(name, fmt::format("made for interface version {}, this program has {}", version(),
                                         kBackendInterfaceVersion));
    std::array<char, 512> reason{};
    std::unique_ptr<Backend> backend(make(reason.data(), reason.size()));
    if (!backend) return refused(name, reason.data());
    return backend;
}

}  // namespace steelyard::compute

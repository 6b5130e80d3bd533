// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/plugin_loader.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

using VersionFunction = int (*)();
using MakeFunction = Backend* (*)(Message*);

template <typename Function>
Function symbol(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
}

Failure refused(std::string_view name, Message why) {
    return fail(ErrorKind::BackendUnavailable, std::string(name), std::move(why));
}

}  // namespace

Result<void*> openModule(std::string_view name, const std::vector<std::filesystem::path>& folders) {
    std::filesystem::path file;
    for (const auto& folder : folders) {
        const auto candidate = std::filesystem::absolute(folder) / fmt::format("lib{}.so", name);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(candidate, ignored)) {
            file = candidate;
            break;
        }
    }
    if (file.empty()) return refused(name, messages::notInstalled());
    struct stat facts {};
    if (::stat(file.c_str(), &facts) == 0 && (facts.st_mode & S_IWOTH) != 0)
        return refused(name, messages::worldWritable(file.string()));
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return refused(name, messages::librariesMissing(::dlerror()));
    return library;
}

Result<std::unique_ptr<Backend>> loadBackendPlugin(std::string_view name,
                                                   const std::vector<std::filesystem::path>& folders) {
    ASSIGN(auto* const library, openModule(name, folders));
    const auto version = symbol<VersionFunction>(library, "steelyardBackendInterfaceVersion");
    const auto make = symbol<MakeFunction>(library, "steelyardMakeBackend");
    if (version == nullptr || make == nullptr) return refused(name, messages::notABackend());
    if (version() != kBackendInterfaceVersion)
        return refused(name, messages::otherInterface(version(), kBackendInterfaceVersion));
    Message reason;
    std::unique_ptr<Backend> backend(make(&reason));
    if (!backend) return refused(name, std::move(reason));
    return backend;
}

}  // namespace steelyard::compute

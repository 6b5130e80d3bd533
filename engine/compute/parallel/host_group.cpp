// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/host_group.h"

#include <dlfcn.h>

#include "engine/compute/plugin_loader.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

constexpr const char* kMpiModule = "steelyard_mpi";

using MpiVersionFunction = int (*)();
using JoinFunction = HostGroup* (*)(Message*);

}  // namespace

Result<std::unique_ptr<HostGroup>> joinMpi(const std::vector<std::filesystem::path>& folders) {
    auto library = openModule(kMpiModule, folders);
    if (!library) {
        auto error = library.error();
        if (error.detail == messages::notInstalled()) error.detail = messages::noMpiModule();
        return Failure(std::move(error));
    }
    const auto version = reinterpret_cast<MpiVersionFunction>(::dlsym(*library, "steelyardMpiInterfaceVersion"));
    const auto join = reinterpret_cast<JoinFunction>(::dlsym(*library, "steelyardJoinMpi"));
    if (version == nullptr || join == nullptr || version() != kMpiInterfaceVersion)
        return fail(ErrorKind::BackendUnavailable, kMpiModule,
                    messages::otherInterface(version == nullptr ? 0 : version(), kMpiInterfaceVersion));
    Message reason;
    std::unique_ptr<HostGroup> group(join(&reason));
    if (!group) return fail(ErrorKind::BackendUnavailable, kMpiModule, std::move(reason));
    return group;
}

}  // namespace steelyard::compute

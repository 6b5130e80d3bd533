// SPDX-License-Identifier: Apache-2.0
// Processes on one or several machines that work on values in ordinary memory together: what a library of message
// passing offers, as a module that is opened at run time implements it (engine/compute/mpi), or a test with threads.
// Calls block and are made in the same order by every process; all of them on the thread that made the group.
// Errors: Internal with the library's words. A process that is gone makes the others' calls fail or never return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::compute {

class HostGroup {
public:
    HostGroup() = default;
    HostGroup(const HostGroup&) = delete;
    HostGroup& operator=(const HostGroup&) = delete;
    virtual ~HostGroup() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    // How many of the processes are on this machine, with this one.
    [[nodiscard]] virtual int processesHere() const = 0;
    // "Open MPI v4.1.4".
    [[nodiscard]] virtual std::string library() const = 0;

    // Float32 in place: the sum over all, the same bits everywhere.
    [[nodiscard]] virtual Result<void> sum(float* values, std::int64_t count) = 0;
    // Bytes of `root` to all others.
    [[nodiscard]] virtual Result<void> broadcast(void* bytes, std::int64_t count, int root) = 0;
    // `count` bytes of each, by rank, to all.
    [[nodiscard]] virtual Result<void> gather(const void* mine, std::int64_t count, void* all) = 0;
    [[nodiscard]] virtual Result<void> barrier() = 0;
    // Between two processes only.
    [[nodiscard]] virtual Result<void> send(const void* bytes, std::int64_t count, int to) = 0;
    [[nodiscard]] virtual Result<void> receive(void* bytes, std::int64_t count, int from) = 0;
    // The first `count` of them as a group of their own; null in those that are not among them. All processes call it.
    [[nodiscard]] virtual Result<std::unique_ptr<HostGroup>> first(int count) = 0;
};

inline constexpr int kMpiInterfaceVersion = 1;

// Joins the processes that mpirun or srun started with this one, by the module steelyard_mpi in one of these folders.
// It exports two C functions: int steelyardMpiInterfaceVersion(void) and
// steelyard::compute::HostGroup* steelyardJoinMpi(steelyard::Message* reason), null: reason says why.
// BackendUnavailable: no such module, or its libraries are missing. Once in a process.
[[nodiscard]] Result<std::unique_ptr<HostGroup>> joinMpi(const std::vector<std::filesystem::path>& folders);

}  // namespace steelyard::compute

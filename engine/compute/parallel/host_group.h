// SPDX-License-Identifier: Apache-2.0
// A group of processes, on one or several machines, communicating in host memory: the interface of a message-passing
// library, implemented by a dynamically loaded module (engine/compute/mpi) or by threads in tests. Collective calls
// block and are made in the same order by all processes, on the thread that created the group. Errors: Internal with
// the library's message. If a process is gone, calls of the others fail or never return.
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
    // Number of processes on this machine, including this one.
    [[nodiscard]] virtual int processesHere() const = 0;
    // "Open MPI v4.1.4".
    [[nodiscard]] virtual std::string library() const = 0;

    // In place, Float32: the sum over all processes, bitwise identical on all of them.
    [[nodiscard]] virtual Result<void> sum(float* values, std::int64_t count) = 0;
    // Copies bytes from `root` to all others.
    [[nodiscard]] virtual Result<void> broadcast(void* bytes, std::int64_t count, int root) = 0;
    // Gathers `count` bytes from each process, in rank order, on all of them.
    [[nodiscard]] virtual Result<void> gather(const void* mine, std::int64_t count, void* all) = 0;
    [[nodiscard]] virtual Result<void> barrier() = 0;
    // Point to point.
    [[nodiscard]] virtual Result<void> send(const void* bytes, std::int64_t count, int to) = 0;
    [[nodiscard]] virtual Result<void> receive(void* bytes, std::int64_t count, int from) = 0;
    // A group of the first `count` processes; null in the others. Collective.
    [[nodiscard]] virtual Result<std::unique_ptr<HostGroup>> first(int count) = 0;
};

inline constexpr int kMpiInterfaceVersion = 1;

// Joins the processes started by mpirun or srun, through the module steelyard_mpi in one of these folders. It exports
// two C functions: int steelyardMpiInterfaceVersion(void) and steelyard::compute::HostGroup*
// steelyardJoinMpi(steelyard::Message* reason), which sets reason if it returns null. BackendUnavailable: no such
// module, or missing libraries. Once per process.
[[nodiscard]] Result<std::unique_ptr<HostGroup>> joinMpi(const std::vector<std::filesystem::path>& folders);

}  // namespace steelyard::compute

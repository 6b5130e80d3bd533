// SPDX-License-Identifier: Apache-2.0
// NCCL as a table of function pointers, loaded at run time with declarations of this project (NCCL User Guide, C API):
// tests can simulate it, and machines without NCCL only lack multi-GPU runs. A status is an int, 0 is success.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "engine/compute/parallel/communicator.h"

namespace steelyard::compute {

inline constexpr int kNcclInt8 = 0, kNcclFloat32 = 7;  // ncclDataType_t
inline constexpr int kNcclAverage = 4;                 // ncclRedOp_t: ncclAvg

struct NcclId {
    std::array<char, 128> bytes{};  // ncclUniqueId
};
using NcclHandle = void*;

struct NcclTable {
    int (*getVersion)(int* version) = nullptr;
    int (*getUniqueId)(NcclId* id) = nullptr;
    int (*commInitRank)(NcclHandle* handle, int size, NcclId id, int rank) = nullptr;
    int (*commDestroy)(NcclHandle handle) = nullptr;
    int (*commAbort)(NcclHandle handle) = nullptr;
    int (*allReduce)(const void* from, void* to, std::size_t count, int type, int operation, NcclHandle handle,
                     void* stream) = nullptr;
    int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, NcclHandle handle,
                     void* stream) = nullptr;
    const char* (*errorString)(int status) = nullptr;
};

// BackendUnavailable with the loader's message or the missing entry point. The library is never unloaded.
[[nodiscard]] Result<NcclTable> openNccl(const char* name = "libnccl.so.2");

// "2.28.3" of 22803.
[[nodiscard]] Result<std::string> ncclVersion(const NcclTable& table);

// Created by rank 0 for all ranks.
[[nodiscard]] Result<NcclId> makeNcclId(const NcclTable& table);

// Collective with the same id; the calling thread's current device is the rank's. After an error the communicator's
// destructor aborts it.
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinNccl(const NcclTable& table, const NcclId& id, int rank,
                                                             int size);

}  // namespace steelyard::compute

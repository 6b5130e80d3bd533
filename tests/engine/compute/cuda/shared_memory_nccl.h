// SPDX-License-Identifier: Apache-2.0
// NCCL emulated between processes of this machine, through a memory-mapped file: the functions of the table work, but
// slowly. For whole runs with several simulated devices, one process each.
#pragma once

#include "engine/compute/parallel/nccl_library.h"

namespace steelyard::compute::cuda::test {

[[nodiscard]] NcclTable sharedMemoryNccl();

}  // namespace steelyard::compute::cuda::test

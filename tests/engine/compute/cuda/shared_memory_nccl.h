// SPDX-License-Identifier: Apache-2.0
// NCCL among processes of this machine, through a file that they map: what the functions of the table do is real, the
// way is slow. For whole runs with several simulated devices, a process each.
#pragma once

#include "engine/compute/parallel/nccl_library.h"

namespace steelyard::compute::cuda::test {

[[nodiscard]] NcclTable sharedMemoryNccl();

}  // namespace steelyard::compute::cuda::test

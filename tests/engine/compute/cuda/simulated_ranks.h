// SPDX-License-Identifier: Apache-2.0
// NCCL between simulated devices: its functions enqueue their work in the simulated stream, and failures are returned
// by the next synchronisation.
#pragma once

#include "engine/compute/parallel/nccl_library.h"
#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda::test {

// For Script::connect: ranks connect through their folder, with this table.
[[nodiscard]] std::function<Result<std::shared_ptr<Communicator>>(const RankGroup&)> meetBy(const NcclTable& table);

}  // namespace steelyard::compute::cuda::test

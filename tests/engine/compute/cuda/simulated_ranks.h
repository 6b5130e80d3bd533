// SPDX-License-Identifier: Apache-2.0
// NCCL among simulated devices: what a table of its functions does is put into the simulated stream like any other
// work, and a failure is told by the next synchronisation.
#pragma once

#include "engine/compute/parallel/nccl_library.h"
#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda::test {

// For Script::connect: ranks meet in their folder, by this table.
[[nodiscard]] std::function<Result<std::shared_ptr<Communicator>>(const RankGroup&)> meetBy(const NcclTable& table);

}  // namespace steelyard::compute::cuda::test

// SPDX-License-Identifier: Apache-2.0
// Seeded inputs, labels and initial weights for an executable: the same numbers on every backend for one seed. Features are
// standard normal, token ids and labels uniform. One thread; errors are those of Executable::write.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::bench {

// Inputs and labels of batch number `batch`.
[[nodiscard]] Result<void> writeSyntheticBatch(compute::Executable& executable, std::uint64_t seed, std::uint64_t batch = 0);
// Initial weights and running statistics; optimiser states and carried states are zeroed.
[[nodiscard]] Result<void> writeInitialWeights(compute::Executable& executable, std::uint64_t seed);
// Both, with batch 0.
[[nodiscard]] Result<void> writeSyntheticState(compute::Executable& executable, std::uint64_t seed);

}  // namespace steelyard::bench

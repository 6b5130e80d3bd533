// SPDX-License-Identifier: Apache-2.0
// Seeded values for everything a step reads, the same on every backend: what a backend is timed and checked with when
// there are no real data. Errors are those of Executable::write.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Every parameter and running statistic gets its initial value (model::initialize); carried and optimiser states zero.
[[nodiscard]] Result<void> writeInitialValues(Executable& executable, std::uint64_t seed);

// The states of these alone: zero.
[[nodiscard]] Result<void> writeInitialStates(Executable& executable);

// Inputs: standard normal, or uniform token ids. Labels: uniform. Keys and values that attention finds in its cache:
// standard normal. Same plan and seed, same numbers.
[[nodiscard]] Result<void> writeSyntheticBatch(Executable& executable, std::uint64_t seed);

// Both.
[[nodiscard]] Result<void> writeSyntheticState(Executable& executable, std::uint64_t seed);

// Values of an integer tensor are below this: the vocabulary of the embeddings that read it, the classes of its head.
// INT32_MAX where nobody looks anything up by them.
[[nodiscard]] std::int64_t integerLimit(const plan::Plan& plan, plan::TensorId tensor);
// Below the limit and, where there is one, not negative.
[[nodiscard]] bool isWithin(std::int32_t value, std::int64_t limit);

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// Seeded values for all inputs of a step, identical on every backend: for timing and verification without real data.
// Errors: those of Executable::write.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Parameters and running statistics get their initial values (model::initialize); recurrent and optimizer states zero.
[[nodiscard]] Result<void> writeInitialValues(Executable& executable, std::uint64_t seed);

// Zeroes the states only.
[[nodiscard]] Result<void> writeInitialStates(Executable& executable);

// Inputs: standard normal, or uniform token ids. Labels: uniform. Cached keys and values of attention: standard normal.
// The same plan and seed give the same values.
[[nodiscard]] Result<void> writeSyntheticBatch(Executable& executable, std::uint64_t seed);

// The values that these functions write into a step of the plan `source`, by name: for two steps that compute the same
// network with other operations, so that tensor ids differ. Parameters that only this step has get their own values.
[[nodiscard]] Result<void> writeInitialValuesOf(const plan::Plan& source, Executable& executable, std::uint64_t seed);
[[nodiscard]] Result<void> writeSyntheticBatchOf(const plan::Plan& source, Executable& executable, std::uint64_t seed);

// Both.
[[nodiscard]] Result<void> writeSyntheticState(Executable& executable, std::uint64_t seed);

// Upper limit of an integer tensor: the vocabulary of the embeddings that read it, or the classes of its head;
// INT32_MAX if it is not used as an index.
[[nodiscard]] std::int64_t integerLimit(const plan::Plan& plan, plan::TensorId tensor);
// Below the limit and, if there is one, not negative.
[[nodiscard]] bool isWithin(std::int32_t value, std::int64_t limit);

}  // namespace steelyard::compute

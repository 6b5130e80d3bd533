// SPDX-License-Identifier: Apache-2.0
// Float32 values rounded to a narrower type: to nearest, ties to even, or stochastically. Internal to
// engine/compute/reference.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/core/random.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::reference {

[[nodiscard]] float roundedTo(model::DataType type, float value);
[[nodiscard]] float roundedToBits(int significantBits, float value);  // 1 .. 24, exponent range unchanged

// Stochastic rounding by `random`'s bits, with the value as expectation: M. Croci, M. Fasi, N. J. Higham, T. Mary, M.
// Mikaitis, Stochastic rounding, 2022.
[[nodiscard]] float roundedToBits(int significantBits, float value, std::uint32_t random);

// Significant bits of a step's values when emulating a precision whose type has more; 0: the type's own.
[[nodiscard]] int coarserBits(plan::Precision precision);

// Rounds a tensor written by an operation or the caller, or weights that layers read, as the emulation requires
// (reference_backend.h). With a stream, value i is rounded stochastically by the stream's i-th bits.
void roundStored(plan::Precision precision, const plan::Tensor& tensor, std::span<float> values,
                 const std::optional<RandomStream>& atRandom = {});
void roundWeights(plan::Precision precision, std::span<float> values);

}  // namespace steelyard::compute::reference

// SPDX-License-Identifier: Apache-2.0
// Float32 values as they come out of a narrower type: to the nearest, ties to even, or at random. Internal to
// engine/compute/reference.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/core/random.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::reference {

[[nodiscard]] float roundedTo(model::DataType type, float value);
[[nodiscard]] float roundedToBits(int significantBits, float value);  // 1 .. 24, the exponent's range unchanged

// Up or down, by `random`'s bits, so that the mean over all of them is the value: M. Croci, M. Fasi, N. J. Higham,
// T. Mary, M. Mikaitis, Stochastic rounding, 2022.
[[nodiscard]] float roundedToBits(int significantBits, float value, std::uint32_t random);

// Significant bits that emulating a precision keeps of a step's values where the type itself has more; 0: it has no
// more.
[[nodiscard]] int coarserBits(plan::Precision precision);

// What emulating a precision does to a tensor that an operation or the caller wrote, and to weights as layers read them
// (reference_backend.h). With a stream, value i is rounded at random by the stream's i-th bits.
void roundStored(plan::Precision precision, const plan::Tensor& tensor, std::span<float> values,
                 const std::optional<RandomStream>& atRandom = {});
void roundWeights(plan::Precision precision, std::span<float> values);

}  // namespace steelyard::compute::reference

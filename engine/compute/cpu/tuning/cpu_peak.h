// SPDX-License-Identifier: Apache-2.0
// The processor's side of ArithmeticPeak (engine/compute/arithmetic_peak.h).
#pragma once

#include "engine/core/error.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// fp32: fused multiply-adds of the widest vectors in use (a product and a sum where there are none); bf16: AVX-512
// BF16's dot products of pairs. Unsupported otherwise, and in bf16 on a processor with AMX, whose tiles are faster.
[[nodiscard]] Result<double> multiplyAddPeak(plan::Precision precision, int threads);

}  // namespace steelyard::compute::cpu

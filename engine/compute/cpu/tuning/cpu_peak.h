// SPDX-License-Identifier: Apache-2.0
// ArithmeticPeak for the CPU (engine/compute/arithmetic_peak.h).
#pragma once

#include "engine/core/error.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// fp32: fused multiply-adds (or product and sum) in the widest vectors; bf16: AVX-512 BF16 dot products of pairs.
// Otherwise Unsupported, also for bf16 on a processor with AMX, whose tiles are faster.
[[nodiscard]] Result<double> multiplyAddPeak(plan::Precision precision, int threads);

}  // namespace steelyard::compute::cpu

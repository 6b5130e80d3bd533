// SPDX-License-Identifier: Apache-2.0
// ArithmeticPeak for the CPU (engine/compute/arithmetic_peak.h), and reading at memory speed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/error.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// fp32: fused multiply-adds (or product and sum) in the widest vectors; bf16: AVX-512 BF16 dot products of pairs.
// Otherwise Unsupported, also for bf16 on a processor with AMX, whose tiles are faster.
[[nodiscard]] Result<double> multiplyAddPeak(plan::Precision precision, int threads);

// Sum of `count` words, at memory speed.
[[nodiscard]] std::uint64_t sumOf(const std::uint64_t* values, std::size_t count);

}  // namespace steelyard::compute::cpu

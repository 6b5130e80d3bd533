// SPDX-License-Identifier: Apache-2.0
// The processor's side of ArithmeticPeak and ReadPeak (engine/compute/arithmetic_peak.h, read_peak.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/error.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// fp32: fused multiply-adds of the widest vectors in use (a product and a sum where there are none); bf16: AVX-512
// BF16's dot products of pairs. Unsupported otherwise, and in bf16 on a processor with AMX, whose tiles are faster.
[[nodiscard]] Result<double> multiplyAddPeak(plan::Precision precision, int threads);

// See ReadPeak::readPeak(). `bytes` is at least 4 KiB a thread.
[[nodiscard]] Result<double> readPeak(std::int64_t bytes, int threads);

// The sum of `count` words, a multiple of four, in one pass: as fast as memory is read.
[[nodiscard]] std::uint64_t sumOf(const std::uint64_t* values, std::size_t count);

}  // namespace steelyard::compute::cpu

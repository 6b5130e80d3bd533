// SPDX-License-Identifier: Apache-2.0
// ArithmeticPeak and ReadBandwidth for the CPU (engine/compute/arithmetic_peak.h, read_bandwidth.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/error.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// fp32: fused multiply-adds (or product and sum) in the widest vectors; bf16: AVX-512 BF16 dot products of pairs.
// Otherwise Unsupported, also for bf16 on a processor with AMX, whose tiles are faster.
[[nodiscard]] Result<double> multiplyAddPeak(plan::Precision precision, int threads);

// See ReadBandwidth::readBandwidth(). `bytes` is at least 4 KiB per thread.
[[nodiscard]] Result<double> readBandwidth(std::int64_t bytes, int threads);

// Sum of `count` words, a multiple of four, at memory speed.
[[nodiscard]] std::uint64_t sumOf(const std::uint64_t* values, std::size_t count);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Results of products of bfloat16 windows (FloatWindowProduct) from their float32 sums: added to bias and shortcut,
// limited or activated, rounded and stored. Needs AVX-512 BF16.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

#ifdef __AVX512BF16__

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Sums of a row and of all columns of the panel, aligned to 64 bytes.
using Bf16RowSums = float[kPanelColumns];
constexpr std::int64_t kResultBytes = sizeof(BFloat16);
constexpr std::int64_t kPair = 2 * kLanes;  // results of one vector

STEELYARD_INLINE __mmask32 pairsBelow(std::int64_t count) {
    return count >= kPair ? ~__mmask32{0} : (__mmask32{1} << count) - 1;
}
STEELYARD_INLINE Vector widen(__m256i values) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(values), 16));
}

// NaN passes the limits: maximum() and minimum() return their second operand then.
template <bool Adds, bool Activates>
void finish(const FloatWindowProduct& p, Bf16RowSums* sums, std::int64_t row, std::int64_t rows) {
    const auto low = broadcastFloat(p.low), high = broadcastFloat(p.high);
    for (std::int64_t column = 0; column < p.columns; column += kPair) {
        const auto left = p.columns - column;
        const auto stored = pairsBelow(left);
        Vector bias[2] = {zeroFloats(), zeroFloats()};
        if (p.bias != nullptr) {
            bias[0] = loadFloats(lanesBelow(left), p.bias + column);
            if (left > kLanes) bias[1] = loadFloats(lanesBelow(left - kLanes), p.bias + column + kLanes);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto at = ((row + r) * p.targetStride + column) * kResultBytes;
            auto* line = sums[r] + column;
            Vector values[2];
            for (int v = 0; v < 2; ++v) values[v] = _mm512_add_ps(_mm512_load_ps(line + v * kLanes), bias[v]);
            if constexpr (Adds) {
                const auto shortcut = _mm512_maskz_loadu_epi16(stored, p.shortcut + at);
                values[0] = _mm512_add_ps(values[0], widen(_mm512_castsi512_si256(shortcut)));
                values[1] = _mm512_add_ps(values[1], widen(_mm512_extracti64x4_epi64(shortcut, 1)));
            }
            if constexpr (Activates) {
                for (int v = 0; v < 2; ++v) _mm512_store_ps(line + v * kLanes, values[v]);
                p.activate(p.activation, line, left < kPair ? left : kPair);
                for (int v = 0; v < 2; ++v) values[v] = _mm512_load_ps(line + v * kLanes);
            } else {
                for (auto& value : values) value = _mm512_min_ps(high, _mm512_max_ps(low, value));
            }
            _mm512_mask_storeu_epi16(p.y + at, stored,
                                     __builtin_bit_cast(__m512i, _mm512_cvtne2ps_pbh(values[1], values[0])));
        }
    }
}

// Of the rows from `row` on; may overwrite the sums.
using Bf16Finish = void (*)(const FloatWindowProduct& p, Bf16RowSums* sums, std::int64_t row, std::int64_t rows);

Bf16Finish finishOf(const FloatWindowProduct& p) {
    const bool adds = p.shortcut != nullptr, activates = p.activate != nullptr;
    if (adds) return activates ? finish<true, true> : finish<true, false>;
    return activates ? finish<false, true> : finish<false, false>;
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

#endif

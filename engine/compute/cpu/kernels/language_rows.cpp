// SPDX-License-Identifier: Apache-2.0
// Row operations of language models: quantising activations, RMSNorm, the gates of feed-forward parts, and what
// attention does with rows of scores.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/language_lanes.h"
#include "engine/compute/cpu/kernels/vector_math.h"
#if defined(__F16C__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

#if defined(__AVX2__)

// Of 32 elements, in eight lanes.
STEELYARD_INLINE __m256i magnitudes(const float* x) {
    const auto at = [&](int i) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), _mm256_loadu_ps(x + i)); };
    return _mm256_castps_si256(_mm256_max_ps(_mm256_max_ps(at(0), at(8)), _mm256_max_ps(at(16), at(24))));
}

// x factor, rounded to nearest, ties to even, for magnitudes up to 127.
STEELYARD_INLINE __m256i roundedToBytes(const float* x, float factor) {
    const auto at = [&](int i) {
        return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i), _mm256_set1_ps(factor)));
    };
    // Packing takes turns between the halves of its operands.
    const auto packed = _mm256_packs_epi16(_mm256_packs_epi32(at(0), at(8)), _mm256_packs_epi32(at(16), at(24)));
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

// Of each 128 bits of four vectors, the four elements combined: [128 bits][vector].
template <class Function>
STEELYARD_INLINE __m256i combined(const __m256i (&v)[4], Function function) {
    const auto pairs = [&](__m256i a, __m256i b) {
        return function(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    };
    const auto first = pairs(v[0], v[1]), second = pairs(v[2], v[3]);
    return function(_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second));
}

// Four blocks, whose maxima and sums are computed together.
STEELYARD_INLINE void quantiseBlocks(const QuantisedRows& target, const float* x, std::int64_t b) {
    x += 32 * b;
    const __m256i largest[4] = {magnitudes(x), magnitudes(x + 32), magnitudes(x + 64), magnitudes(x + 96)};
    // As integers, magnitudes have the same order.
    const auto halves = combined(largest, [](__m256i u, __m256i v) { return _mm256_max_epi32(u, v); });
    const auto maxima =
        _mm_castsi128_ps(_mm_max_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
    const auto step = _mm_div_ps(maxima, _mm_set1_ps(127.0F));
    const auto isPositive = _mm_cmpgt_ps(maxima, _mm_setzero_ps());
    alignas(16) float factors[4];
    _mm_store_ps(factors, _mm_and_ps(isPositive, _mm_div_ps(_mm_set1_ps(127.0F), maxima)));
    _mm_storeu_ps(target.steps + b, step);
    __m256i pairs[4];  // sums of two, in 16 bits
    for (int i = 0; i < 4; ++i) {
        const auto q = roundedToBytes(x + 32 * i, factors[i]);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(target.q + 32 * (b + i)), q);
        pairs[i] = _mm256_maddubs_epi16(_mm256_set1_epi8(1), q);
    }
    // [16 columns of a block][block], then in the order of the columns.
    const auto inOrder = [](__m256i v) {
        return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    };
    const auto pairSums = combined(pairs, [](__m256i u, __m256i v) { return _mm256_add_epi16(u, v); });
    const auto sums = _mm256_madd_epi16(pairSums, _mm256_set1_epi16(1));
    const auto both = _mm_cvtepi32_ps(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
    _mm_storeu_ps(target.sums + b, _mm_mul_ps(step, both));
    const auto halfSums = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_set_m128(step, step));
    _mm256_storeu_ps(target.halfSums + 2 * b, _mm256_castsi256_ps(inOrder(_mm256_castps_si256(halfSums))));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(target.compensations + 2 * b),
                        inOrder(_mm256_mullo_epi16(pairSums, _mm256_set1_epi16(-32))));
}

void quantiseRow(const QuantisedRows& target, const float* x, std::int64_t n) {
    std::int64_t b = 0;
    for (; b + 4 <= n / 32; b += 4) quantiseBlocks(target, x, b);
    const auto left = n / 32 - b;
    if (left == 0) return;
    float padded[4 * 32] = {}, steps[4], sums[4], halfSums[8];
    std::int8_t q[4 * 32];
    std::int32_t compensations[8];
    __builtin_memcpy(padded, x + 32 * b, static_cast<std::size_t>(left) * 32 * sizeof(float));
    quantiseBlocks({q, steps, sums, halfSums, compensations}, padded, 0);
    __builtin_memcpy(target.q + 32 * b, q, static_cast<std::size_t>(left) * 32);
    for (std::int64_t i = 0; i < left; ++i) {
        target.steps[b + i] = steps[i];
        target.sums[b + i] = sums[i];
        for (int half = 0; half < 2; ++half) {
            target.halfSums[2 * (b + i) + half] = halfSums[2 * i + half];
            target.compensations[2 * (b + i) + half] = compensations[2 * i + half];
        }
    }
}

#else

void quantiseRow(const QuantisedRows& target, const float* x, std::int64_t n) {
    for (std::int64_t b = 0; b < n / 32; ++b) {
        const float* from = x + 32 * b;
        float largest = 0;
#pragma omp simd reduction(max : largest)
        for (int i = 0; i < 32; ++i) largest = largest < fabsf(from[i]) ? fabsf(from[i]) : largest;
        const float step = largest / 127.0F, factor = largest > 0 ? 127.0F / largest : 0.0F;
        // Unsigned, since NaN gives any integer.
        std::uint32_t values[32];
#pragma omp simd
        for (int i = 0; i < 32; ++i) {
            // Adding 1.5 x 2^23 rounds to an integer in the low bits.
            const float shifted = from[i] * factor + 12582912.0F;
            values[i] = asBits(shifted) - 0x4B400000U;
        }
        std::int32_t sums[2] = {0, 0};
        for (int half = 0; half < 2; ++half) {
            std::uint32_t pairs[2] = {0, 0};
            for (int i = 0; i < 16; ++i) pairs[i / 2 % 2] += values[16 * half + i];
            sums[half] = static_cast<std::int32_t>(pairs[0] + pairs[1]);
            const std::uint32_t compensation = (pairs[0] * -32U & 0xFFFFU) | pairs[1] * -32U << 16;
            target.compensations[2 * b + half] = static_cast<std::int32_t>(compensation);
        }
        auto* q = target.q + 32 * b;
#pragma omp simd
        for (int i = 0; i < 32; ++i) q[i] = static_cast<std::int8_t>(values[i]);
        target.steps[b] = step;
        target.halfSums[2 * b] = step * static_cast<float>(sums[0]);
        target.halfSums[2 * b + 1] = step * static_cast<float>(sums[1]);
        target.sums[b] = step * (static_cast<float>(sums[0]) + static_cast<float>(sums[1]));  // exact below 2^24
    }
}

#endif

void rmsNorm(float* y, const float* x, const float* scale, float epsilon, std::int64_t n) {
    // Several chains of sums hide the latency of additions.
    constexpr int kChains = 4;
    Floats chains[kChains];
    for (auto& sum : chains) sum = splat(0);
    std::int64_t done = 0;
    const auto add = [&](Floats& sum, std::int64_t i) {
        const auto values = floats(reinterpret_cast<const std::byte*>(x + i));
        sum = timesPlus(values, values, sum);
    };
    for (; done + kChains * kPanelRows <= n; done += kChains * kPanelRows)
        for (int c = 0; c < kChains; ++c) add(chains[c], done + c * kPanelRows);
    for (; done + kPanelRows <= n; done += kPanelRows) add(chains[0], done);
    float squares = sumOf(plus(plus(chains[0], chains[1]), plus(chains[2], chains[3])));
    for (; done < n; ++done) squares += x[done] * x[done];
    const float factor = 1.0F / sqrtf(squares / static_cast<float>(n) + epsilon);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] * factor * scale[i];
}

void gateSilu(float* gate, const float* up, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) gate[i] = gate[i] * logistic(gate[i]) * up[i];
}

void gateGelu(float* gate, const float* up, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float x = gate[i];
        const float inner = 0.79788456F * (x + 0.044715F * x * x * x);
        gate[i] = 0.5F * x * (1.0F + hyperbolicTangent(inner)) * up[i];
    }
}

void gateClamped(float* gate, const float* up, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float g = gate[i] > 7.0F ? 7.0F : gate[i];
        const float capped = up[i] > 7.0F ? 7.0F : up[i];
        const float u = capped < -7.0F ? -7.0F : capped;
        gate[i] = g * logistic(1.702F * g) * (u + 1.0F);
    }
}

void softCap(float* x, float cap, std::int64_t n) {
    const float inverse = 1.0F / cap;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) x[i] = cap * hyperbolicTangent(x[i] * inverse);
}

float exponentials(float* x, float* maximum, std::int64_t n) {
    float highest = x[0];
#pragma omp simd reduction(max : highest)
    for (std::int64_t i = 0; i < n; ++i) highest = highest < x[i] ? x[i] : highest;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) {
        const float e = exponential(x[i] - highest);
        x[i] = e;
        sum += e;
    }
    *maximum = highest;
    return sum;
}

void rotate(float* x, const float* cosines, const float* sines, std::int64_t pairs, bool neighbours) {
    if (neighbours) {
#pragma omp simd
        for (std::int64_t i = 0; i < pairs; ++i) {
            const float a = x[2 * i], b = x[2 * i + 1];
            x[2 * i] = a * cosines[i] - b * sines[i];
            x[2 * i + 1] = a * sines[i] + b * cosines[i];
        }
        return;
    }
    float* y = x + pairs;
#pragma omp simd
    for (std::int64_t i = 0; i < pairs; ++i) {
        const float a = x[i], b = y[i];
        x[i] = a * cosines[i] - b * sines[i];
        y[i] = a * sines[i] + b * cosines[i];
    }
}

void scaleRow(float* y, const float* x, float factor, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] = factor * x[i];
}

void addScaledRow(float* y, const float* x, float factor, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

void toHalfRow(std::uint16_t* y, const float* x, std::int64_t n) {
#if defined(__F16C__)
    std::int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    for (; i < n; ++i)
        y[i] = static_cast<std::uint16_t>(_cvtss_sh(x[i], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
    for (std::int64_t i = 0; i < n; ++i) {
        const auto bits = asBits(x[i]);
        const auto sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
        std::uint32_t half = 0;
        if (magnitude > 0x7F800000U) {
            half = 0x7E00U;
        } else if (magnitude >= 0x477FF000U) {
            half = 0x7C00U;  // rounds to 65520 or more
        } else if (magnitude < 0x38800000U) {
            half = asBits(asFloat(magnitude) + 0.5F) - 0x3F000000U;  // multiples of 2^-24
        } else {
            half = (magnitude + 0xFFFU + (magnitude >> 13 & 1U) - 0x38000000U) >> 13;
        }
        y[i] = static_cast<std::uint16_t>(sign | half);
    }
#endif
}

}  // namespace

void fillLanguageRows(Kernels& table) {
    auto& language = table.language;
    language.quantise = quantiseRow;
    language.rmsNorm = rmsNorm;
    language.gateSilu = gateSilu;
    language.gateGelu = gateGelu;
    language.gateClamped = gateClamped;
    language.softCap = softCap;
    language.exponentials = exponentials;
    language.rotate = rotate;
    language.scale = scaleRow;
    language.addScaled = addScaledRow;
    language.toHalf = toHalfRow;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

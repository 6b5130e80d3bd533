// SPDX-License-Identifier: Apache-2.0
// Row operations of language models: quantising activations, RMSNorm, the gates of feed-forward parts, and what
// attention does with rows of scores.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"
#if defined(__F16C__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

#if defined(__AVX2__)

STEELYARD_INLINE float largestMagnitude(const float* x) {
#if defined(__AVX512F__)
    const auto low = _mm512_abs_ps(_mm512_loadu_ps(x)), high = _mm512_abs_ps(_mm512_loadu_ps(x + 16));
    return _mm512_reduce_max_ps(_mm512_max_ps(low, high));
#else
    const auto at = [&](int i) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), _mm256_loadu_ps(x + i)); };
    const auto eight = _mm256_max_ps(_mm256_max_ps(at(0), at(8)), _mm256_max_ps(at(16), at(24)));
    const auto four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const auto two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
#endif
}

// x factor, rounded to nearest, ties to even, for magnitudes up to 127.
STEELYARD_INLINE __m256i roundedToBytes(const float* x, float factor) {
#if defined(__AVX512F__)
    const auto at = [&](int i) {
        return _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x + i), _mm512_set1_ps(factor))));
    };
    return _mm256_set_m128i(at(16), at(0));
#else
    const auto at = [&](int i) {
        return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i), _mm256_set1_ps(factor)));
    };
    // Packing takes turns between the halves of its operands.
    const auto packed = _mm256_packs_epi16(_mm256_packs_epi32(at(0), at(8)), _mm256_packs_epi32(at(16), at(24)));
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#endif
}

void quantiseRow(const QuantisedRows& target, const float* x, std::int64_t n) {
    for (std::int64_t b = 0; b < n / 32; ++b) {
        const float largest = largestMagnitude(x + 32 * b);
        const float step = largest / 127.0F, factor = largest > 0 ? 127.0F / largest : 0.0F;
        const auto q = roundedToBytes(x + 32 * b, factor);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(target.q + 32 * b), q);
        // Sums of two, four, eight and sixteen.
        auto sums = _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), q), _mm256_set1_epi16(1));
        sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4E));
        sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0xB1));
        const auto first = static_cast<float>(_mm256_extract_epi32(sums, 0));
        const auto second = static_cast<float>(_mm256_extract_epi32(sums, 4));
        target.steps[b] = step;
        target.halfSums[2 * b] = step * first;
        target.halfSums[2 * b + 1] = step * second;
        target.sums[b] = step * (first + second);  // exact below 2^24
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
            std::uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int i = 0; i < 16; ++i) sum += values[16 * half + i];
            sums[half] = static_cast<std::int32_t>(sum);
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
    // Four chains of sums hide the latency of additions.
    const auto quarter = n / 4;
    float a = 0, b = 0, c = 0, d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
    for (std::int64_t i = 0; i < quarter; ++i) {
        a += x[i] * x[i];
        b += x[quarter + i] * x[quarter + i];
        c += x[2 * quarter + i] * x[2 * quarter + i];
        d += x[3 * quarter + i] * x[3 * quarter + i];
    }
    float squares = (a + b) + (c + d);
    for (auto i = 4 * quarter; i < n; ++i) squares += x[i] * x[i];
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

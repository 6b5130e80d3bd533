// SPDX-License-Identifier: Apache-2.0
// Row operations of language models: quantising activations, RMSNorm, the gates of feed-forward parts, and what
// attention does with rows of scores.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

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

void rmsNorm(float* y, const float* x, const float* scale, float epsilon, std::int64_t n) {
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < n; ++i) squares += x[i] * x[i];
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
    language.addScaled = addScaledRow;
    language.toHalf = toHalfRow;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

// SPDX-License-Identifier: Apache-2.0
// Auto-vectorized; the instruction sets differ only in vector width and give identical results.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Rounds to nearest, ties to even: a float of that magnitude has no fractional bits.
STEELYARD_INLINE std::int32_t nearest(float x, float low, float high) {
    constexpr float kShift = 0x1.8p23F;
    const float limited = x < low ? low : x > high ? high : x;
    return static_cast<std::int32_t>(asBits(limited + kShift)) - static_cast<std::int32_t>(0x4B400000);
}

template <class T>
STEELYARD_INLINE void storeAs(T* y, const float* x, float factor, float low, float high, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<T>(nearest(x[i] * factor, low, high));
}

void store(void* y, StoredAs type, const float* x, float factor, bool rectify, std::int64_t n) {
    if (type == StoredAs::Unsigned) return storeAs(static_cast<std::uint8_t*>(y), x, factor, 0.0F, 255.0F, n);
    if (type == StoredAs::Signed)
        return storeAs(static_cast<std::int8_t*>(y), x, factor, rectify ? 0.0F : -127.0F, 127.0F, n);
    auto* target = static_cast<float*>(y);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float value = x[i] * factor;
        target[i] = rectify && value < 0 ? 0.0F : value;
    }
}

template <class T>
STEELYARD_INLINE void addTo(float* sum, const T* x, float factor, bool first, std::int64_t n) {
    if (first) {
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) sum[i] = static_cast<float>(x[i]) * factor;
        return;
    }
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) sum[i] += static_cast<float>(x[i]) * factor;
}

void addScaled(float* sum, const void* x, StoredAs type, float factor, bool first, std::int64_t n) {
    if (type == StoredAs::Unsigned) return addTo(sum, static_cast<const std::uint8_t*>(x), factor, first, n);
    if (type == StoredAs::Signed) return addTo(sum, static_cast<const std::int8_t*>(x), factor, first, n);
    addTo(sum, static_cast<const float*>(x), factor, first, n);
}

template <class T>
STEELYARD_INLINE void meanAs(float* y, const T* x, std::int64_t pixels, std::int64_t channels, std::int64_t count,
                             float factor) {
    std::int32_t sums[kMeanChannels];
    for (std::int64_t c = 0; c < count; ++c) sums[c] = 0;
    for (std::int64_t p = 0; p < pixels; ++p) {
        const T* row = x + p * channels;
#pragma omp simd
        for (std::int64_t c = 0; c < count; ++c) sums[c] += row[c];
    }
#pragma omp simd
    for (std::int64_t c = 0; c < count; ++c) y[c] = static_cast<float>(sums[c]) * factor;
}

void meanOfPixels(float* y, const void* x, StoredAs type, std::int64_t pixels, std::int64_t channels, float factor) {
    for (std::int64_t c = 0; c < channels; c += kMeanChannels) {
        const auto count = channels - c < kMeanChannels ? channels - c : kMeanChannels;
        if (type == StoredAs::Unsigned)
            meanAs(y + c, static_cast<const std::uint8_t*>(x) + c, pixels, channels, count, factor);
        else
            meanAs(y + c, static_cast<const std::int8_t*>(x) + c, pixels, channels, count, factor);
    }
}

STEELYARD_INLINE void interleaveAt(std::uint32_t* words, std::int64_t stride, const std::uint8_t* a,
                                   const std::uint8_t* b, const std::uint8_t* c, const std::uint8_t* d,
                                   std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
        words[i * stride] = a[i] | static_cast<std::uint32_t>(b[i]) << 8 | static_cast<std::uint32_t>(c[i]) << 16 |
                            static_cast<std::uint32_t>(d[i]) << 24;
}

void interleave(std::uint32_t* words, std::int64_t stride, const std::uint8_t* a, const std::uint8_t* b,
                const std::uint8_t* c, const std::uint8_t* d, std::int64_t n) {
    if (stride == 1) return interleaveAt(words, 1, a, b, c, d, n);
    interleaveAt(words, stride, a, b, c, d, n);
}

}  // namespace

void fillEightBit(Kernels& table) {
    table.eightBit.store = store;
    table.eightBit.addScaled = addScaled;
    table.eightBit.meanOfPixels = meanOfPixels;
    table.eightBit.interleave = interleave;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

// SPDX-License-Identifier: Apache-2.0
// What surrounds the products of bytes: depthwise convolutions, factors, quantisation, sums. Compiled twice: as C++ for
// the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/eight_bit/byte_values.h"

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kWord = 4;

// N neighbouring units of an output pixel; with N > 1 as many units as channels.
template <typename T, int N>
struct Depthwise {
    ByteWindows w;
    const T* x;
    const std::int8_t* weights;
    std::int64_t units;
    ByteResults results;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, pack] = split(i, units / N);
        const auto [line, column] = split(row, w.outWidth);
        const auto [image, outRow] = split(line, w.outHeight);
        const std::int64_t unit = pack * N, channel = N == 1 ? divided(unit * w.groups, units) : unit;
        const std::int64_t top = outRow * w.strideHeight - w.top, left = column * w.strideWidth - w.left;
        std::int32_t sums[N] = {};
        for (std::int64_t r = 0; r < w.kernelHeight; ++r) {
            if (top + r < 0 || top + r >= w.height) continue;
            for (std::int64_t s = 0; s < w.kernelWidth; ++s) {
                if (left + s < 0 || left + s >= w.width) continue;
                const auto values =
                    load<N>(x + ((image * w.height + top + r) * w.width + left + s) * w.pitch + channel);
                const auto by = load<N>(weights + (r * w.kernelWidth + s) * units + unit);
                for (int k = 0; k < N; ++k) sums[k] += static_cast<std::int32_t>(values.at[k]) * by.at[k];
            }
        }
        storeResults<N>(results, sums, unit, row * units + unit);
    }
};

struct Factors {
    const float* steps;
    float inputStep;
    const float* bias;
    BatchNormParameters norm;
    const float* mean;
    const float* variance;
    float* factors;
    float* offsets;

    STEELYARD_HD_MEMBER void operator()(std::int64_t u) const {
        const float added = bias != nullptr ? bias[u] : 0.0F;
        float scale = 1.0F, offset = added;
        if (norm.scale != nullptr) {
            scale = norm.scale[u] / std::sqrt(variance[u] + norm.epsilon);
            offset = norm.offset[u] + (added - mean[u]) * scale;
        }
        factors[u] = (steps != nullptr ? steps[u] : 1.0F) * inputStep * scale;
        offsets[u] = offset;
    }
};

template <typename T>
struct ToBytes {
    const float* x;
    std::int64_t length, words;
    T* y;
    float inverse;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, word] = split(i, words);
        Pack<T, kWord> out;
        for (int k = 0; k < kWord; ++k) {
            const std::int64_t at = word * kWord + k;
            out.at[k] = fromFloat<T>(at < length ? x[row * length + at] * inverse : 0.0F);
        }
        store<kWord>(y + i * kWord, out);
    }
};

struct AddTerms {
    ByteTerms terms;
    void* y;
    StoredAs type;
    float inverse;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        float values[N] = {};
        addStored<N>(values, terms.x[0], terms.types[0], first, terms.factors[0]);
        if (terms.scales != nullptr)
            for (int i = 0; i < N; ++i) {
                const std::int64_t channel = split(divided(first + i, terms.inner), terms.channels).rest;
                values[i] = values[i] * terms.scales[channel] + terms.offsets[channel];
            }
        for (int k = 1; k < terms.count; ++k) addStored<N>(values, terms.x[k], terms.types[k], first, terms.factors[k]);
        for (int i = 0; i < N; ++i) values[i] = activated(terms.activation, values[i]);
        storeAs<N>(values, y, type, first, inverse);
    }
};

template <typename T, int N>
struct SumPixels {
    const T* x;
    float* y;
    std::int64_t pixels, channels;
    float factor;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [image, pack] = split(i, channels / N);
        const T* from = x + image * pixels * channels + pack * N;
        std::int32_t sums[N] = {};
        for (std::int64_t p = 0; p < pixels; ++p) {
            const auto in = load<N>(from + p * channels);
            for (int k = 0; k < N; ++k) sums[k] += in.at[k];
        }
        Pack<float, N> out;
        for (int k = 0; k < N; ++k) out.at[k] = static_cast<float>(sums[k]) * factor;
        store<N>(y + i * N, out);
    }
};

}  // namespace

Status byteDepthwise(Stream stream, const ByteWindows& w, StoredAs source, const void* x, const std::int8_t* weights,
                     std::int64_t units, const ByteResults& results) {
    if (!areValid(w) || w.channels != 1 || units % w.groups != 0) return kInvalidValue;
    return withBytes(source, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(x);
        if (units == w.groups && w.pitch % kWord == 0 && areAligned(x, weights) && resultsFit<kWord>(results, units))
            return elements(stream, w.rows() * (units / kWord), Depthwise<T, kWord>{w, from, weights, units, results});
        return elements(stream, w.rows() * units, Depthwise<T, 1>{w, from, weights, units, results});
    });
}

Status byteFactors(Stream stream, const float* steps, float inputStep, const float* bias,
                   const BatchNormParameters& norm, const float* mean, const float* variance, float* factors,
                   float* offsets, std::int64_t units) {
    return elements(stream, units, Factors{steps, inputStep, bias, norm, mean, variance, factors, offsets});
}

Status toBytes(Stream stream, const float* x, std::int64_t rows, std::int64_t length, void* y, std::int64_t yPitch,
               StoredAs type, float inverse) {
    if (length < 0 || yPitch < length || yPitch % kWord != 0 || !areAligned(y)) return kInvalidValue;
    return withBytes(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, rows * (yPitch / kWord),
                        ToBytes<T>{x, length, yPitch / kWord, static_cast<T*>(y), inverse});
    });
}

Status addBytes(Stream stream, const ByteTerms& terms, void* y, StoredAs type, float inverse, std::int64_t n) {
    if (terms.count < 1 || terms.count > kMostAddends) return kInvalidValue;
    bool aligned = areAligned(y);
    for (int k = 0; k < terms.count; ++k) aligned = aligned && areAligned(terms.x[k]);
    return packs<kWord>(stream, n, aligned, AddTerms{terms, y, type, inverse});
}

Status sumOfPixels(Stream stream, StoredAs type, const void* x, float* y, std::int64_t batch, std::int64_t pixels,
                   std::int64_t channels, float factor) {
    if (channels < 1 || pixels < 0) return kInvalidValue;
    return withBytes(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(x);
        if (channels % kWord == 0 && areAligned(x, y))
            return elements(stream, batch * (channels / kWord), SumPixels<T, kWord>{from, y, pixels, channels, factor});
        return elements(stream, batch * channels, SumPixels<T, 1>{from, y, pixels, channels, factor});
    });
}

}  // namespace steelyard::compute::cuda::kernels

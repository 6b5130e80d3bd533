// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

template <class T>
void layerNorm(const NormRows<T>& rows) {
    const auto features = rows.features;
    const auto count = static_cast<float>(features);
    const float* scale = rows.scale;
    const float* offset = rows.offset;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * features;
        T* y = rows.y + r * features;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t f = 0; f < features; ++f) sum += load(x[f]);
        const float mean = sum / count;
        float squares = 0;
#pragma omp simd reduction(+ : squares)
        for (std::int64_t f = 0; f < features; ++f) {
            const float deviation = load(x[f]) - mean;
            squares += deviation * deviation;
        }
        const float inverse = 1.0F / sqrtf(squares / count + rows.epsilon);
#pragma omp simd
        for (std::int64_t f = 0; f < features; ++f) store(y[f], (load(x[f]) - mean) * inverse * scale[f] + offset[f]);
        if (rows.mean == nullptr) continue;
        rows.mean[r] = mean;
        rows.inverse[r] = inverse;
    }
}

template <class T>
void layerNormGradient(const NormGradientRows<T>& rows) {
    const auto features = rows.features;
    const auto count = static_cast<float>(features);
    const float* scale = rows.scale;
    float* scaleSums = rows.scaleSums;
    float* offsetSums = rows.offsetSums;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * features;
        const T* dy = rows.dy + r * features;
        T* dx = rows.dx + r * features;
        const float mean = rows.mean[r], inverse = rows.inverse[r];
        float sum = 0, weighted = 0;
#pragma omp simd reduction(+ : sum, weighted)
        for (std::int64_t f = 0; f < features; ++f) {
            const float g = load(dy[f]);
            const float normal = (load(x[f]) - mean) * inverse;
            scaleSums[f] += g * normal;
            offsetSums[f] += g;
            sum += scale[f] * g;
            weighted += scale[f] * g * normal;
        }
        const float meanSum = sum / count, meanWeighted = weighted / count;
#pragma omp simd
        for (std::int64_t f = 0; f < features; ++f) {
            const float normal = (load(x[f]) - mean) * inverse;
            store(dx[f], inverse * (scale[f] * load(dy[f]) - meanSum - normal * meanWeighted));
        }
    }
}

template <class T>
void rmsNorm(const RmsRows<T>& rows) {
    const auto features = rows.features;
    const float* scale = rows.scale;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * features;
        T* y = rows.y + r * features;
        float squares = 0;
#pragma omp simd reduction(+ : squares)
        for (std::int64_t f = 0; f < features; ++f) squares += load(x[f]) * load(x[f]);
        const float inverse = 1.0F / sqrtf(squares / static_cast<float>(features) + rows.epsilon);
#pragma omp simd
        for (std::int64_t f = 0; f < features; ++f) store(y[f], load(x[f]) * inverse * scale[f]);
        if (rows.inverse != nullptr) rows.inverse[r] = inverse;
    }
}

template <class T>
void rmsNormGradient(const RmsRows<T>& rows) {
    const auto features = rows.features;
    const float* scale = rows.scale;
    float* scaleSums = rows.scaleSums;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * features;
        const T* dy = rows.dy + r * features;
        T* dx = rows.y + r * features;
        const float inverse = rows.inverse[r];
        if (scaleSums != nullptr) {
#pragma omp simd
            for (std::int64_t f = 0; f < features; ++f) scaleSums[f] += load(dy[f]) * load(x[f]) * inverse;
        }
        float weighted = 0;
#pragma omp simd reduction(+ : weighted)
        for (std::int64_t f = 0; f < features; ++f) weighted += scale[f] * load(dy[f]) * load(x[f]) * inverse;
        const float mean = weighted / static_cast<float>(features);
#pragma omp simd
        for (std::int64_t f = 0; f < features; ++f)
            store(dx[f], inverse * (scale[f] * load(dy[f]) - load(x[f]) * inverse * mean));
    }
}

template <class T>
void rotate(T* y, const T* x, const float* cosine, const float* sine, std::int64_t pairs, std::int64_t distance,
            std::int64_t stride) {
#pragma omp simd
    for (std::int64_t i = 0; i < pairs; ++i) {
        const float a = load(x[i * stride]), b = load(x[i * stride + distance]);
        store(y[i * stride], a * cosine[i] - b * sine[i]);
        store(y[i * stride + distance], a * sine[i] + b * cosine[i]);
    }
}

template <class T>
void channelMoments(const ChannelRows<T>& rows, float* sums, float* products) {
    const float* mean = rows.mean;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * rows.channels;
#pragma omp simd
        for (std::int64_t c = 0; c < rows.channels; ++c) {
            const float centred = load(x[c]) - mean[c];
            sums[c] += centred;
            products[c] += centred * centred;
        }
    }
}

// ReLU's mask is recomputed as in the forward pass.
template <bool Relu, class T>
STEELYARD_INLINE float passed(const ChannelRows<T>& rows, float gradient, float centred, std::int64_t c) {
    if constexpr (!Relu) return gradient;
    return rows.factor[c] * centred + rows.offset[c] > 0 ? gradient : 0.0F;
}

template <bool Relu, class T>
void normalise(const ChannelRows<T>& rows) {
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * rows.channels;
        T* y = rows.y + r * rows.channels;
#pragma omp simd
        for (std::int64_t c = 0; c < rows.channels; ++c) {
            const float value = rows.factor[c] * (load(x[c]) - rows.mean[c]) + rows.offset[c];
            store(y[c], Relu && !(value > 0) ? 0.0F : value);
        }
    }
}

template <bool Relu, class T>
void gradientSums(const ChannelRows<T>& rows, float* sums, float* products) {
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * rows.channels;
        const T* dy = rows.dy + r * rows.channels;
#pragma omp simd
        for (std::int64_t c = 0; c < rows.channels; ++c) {
            const float centred = load(x[c]) - rows.mean[c];
            const float g = passed<Relu>(rows, load(dy[c]), centred, c);
            sums[c] += g;
            products[c] += g * centred;
        }
    }
}

template <bool Relu, class T>
void gradient(const ChannelRows<T>& rows) {
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        const T* x = rows.x + r * rows.channels;
        const T* dy = rows.dy + r * rows.channels;
        T* dx = rows.y + r * rows.channels;
#pragma omp simd
        for (std::int64_t c = 0; c < rows.channels; ++c) {
            const float centred = load(x[c]) - rows.mean[c];
            const float g = passed<Relu>(rows, load(dy[c]), centred, c);
            store(dx[c], rows.factor[c] * g + rows.slope[c] * centred + rows.constant[c]);
        }
    }
}

template <class T>
void normaliseChannels(const ChannelRows<T>& rows) {
    rows.relu ? normalise<true>(rows) : normalise<false>(rows);
}

template <class T>
void channelGradientSums(const ChannelRows<T>& rows, float* sums, float* products) {
    rows.relu ? gradientSums<true>(rows, sums, products) : gradientSums<false>(rows, sums, products);
}

template <class T>
void channelGradient(const ChannelRows<T>& rows) {
    rows.relu ? gradient<true>(rows) : gradient<false>(rows);
}

template <class T>
void sumPixels(T* y, const T* x, float factor, std::int64_t pixels, std::int64_t width) {
    if (width == 1) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t p = 0; p < pixels; ++p) sum += load(x[p]);
        return store(y[0], sum * factor);
    }
    constexpr std::int64_t kStrip = 64;
    float sums[kStrip];
    for (std::int64_t first = 0; first < width; first += kStrip) {
        const std::int64_t count = width - first < kStrip ? width - first : kStrip;
        for (std::int64_t c = 0; c < count; ++c) sums[c] = 0;
        for (std::int64_t p = 0; p < pixels; ++p) {
            const T* row = x + p * width + first;
#pragma omp simd
            for (std::int64_t c = 0; c < count; ++c) sums[c] += load(row[c]);
        }
        for (std::int64_t c = 0; c < count; ++c) store(y[first + c], sums[c] * factor);
    }
}

template <class T>
void spreadPixels(T* dx, const T* dy, float factor, std::int64_t pixels, std::int64_t width) {
    for (std::int64_t p = 0; p < pixels; ++p) {
        T* row = dx + p * width;
#pragma omp simd
        for (std::int64_t c = 0; c < width; ++c) store(row[c], load(dy[c]) * factor);
    }
}

template <class T>
void addTo(float* sum, const T* x, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) sum[i] += load(x[i]);
}

template <class T>
void addParameter(T* y, const T* x, const float* parameter, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], load(x[i]) + parameter[i]);
}

template <class T>
void toF32(float* y, const T* x, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] = load(x[i]);
}

template <class T>
void fromF32(T* y, const float* x, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], x[i]);
}

template <class T>
void fillTable(RowKernels<T>& table) {
    table.layerNorm = layerNorm<T>;
    table.layerNormGradient = layerNormGradient<T>;
    table.rmsNorm = rmsNorm<T>;
    table.rmsNormGradient = rmsNormGradient<T>;
    table.rotate = rotate<T>;
    table.channelMoments = channelMoments<T>;
    table.normaliseChannels = normaliseChannels<T>;
    table.channelGradientSums = channelGradientSums<T>;
    table.channelGradient = channelGradient<T>;
    table.sumPixels = sumPixels<T>;
    table.spreadPixels = spreadPixels<T>;
    table.addTo = addTo<T>;
    table.addParameter = addParameter<T>;
    table.toF32 = toF32<T>;
    table.fromF32 = fromF32<T>;
}

}  // namespace

void fillRows(Kernels& table) {
    fillTable(table.rowsF32);
    fillTable(table.rowsBf16);
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

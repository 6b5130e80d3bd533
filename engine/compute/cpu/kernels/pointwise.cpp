// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

template <class T>
void relu(T* y, const T* x, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = load(x[i]);
        store(y[i], v > 0 ? v : 0.0F);
    }
}

template <class T>
void add(T* y, const T* a, const T* b, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], load(a[i]) + load(b[i]));
}

template <class T>
void addRelu(T* y, const T* a, const T* b, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = load(a[i]) + load(b[i]);
        store(y[i], v > 0 ? v : 0.0F);
    }
}

// y may alias a term, and a term may occur twice.
template <class T>
void addMany(T* y, const T* const* terms, std::int64_t count, std::int64_t first, std::int64_t n) {
    constexpr std::int64_t kStrip = 512;
    float sums[kStrip];
    for (std::int64_t start = first; start < first + n; start += kStrip) {
        const std::int64_t width = first + n - start < kStrip ? first + n - start : kStrip;
        for (std::int64_t i = 0; i < width; ++i) sums[i] = 0;
        for (std::int64_t t = 0; t < count; ++t) {
            const T* term = terms[t] + start;
#pragma omp simd
            for (std::int64_t i = 0; i < width; ++i) sums[i] += load(term[i]);
        }
#pragma omp simd
        for (std::int64_t i = 0; i < width; ++i) store(y[start + i], sums[i]);
    }
}

template <class T, class Derivative>
STEELYARD_INLINE void applyDerivative(T* dx, const T* dy, const T* y, std::int64_t n, Derivative derivative) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(dx[i], derivative(load(dy[i]), load(y[i])));
}

template <class T>
void outputGradient(OutputGradient kind, T* dx, const T* dy, const T* y, std::int64_t n) {
    switch (kind) {
        case OutputGradient::Relu:
            return applyDerivative(dx, dy, y, n, [](float g, float v) { return v > 0 ? g : 0.0F; });
        case OutputGradient::Relu6:
            return applyDerivative(dx, dy, y, n, [](float g, float v) { return v > 0 && v < 6 ? g : 0.0F; });
        case OutputGradient::Sigmoid:
            return applyDerivative(dx, dy, y, n, [](float g, float v) { return g * v * (1 - v); });
        case OutputGradient::Tanh:
            return applyDerivative(dx, dy, y, n, [](float g, float v) { return g * (1 - v * v); });
    }
}

template <class T>
void maskedGradient(T* dx, const T* dy, const T* y, float scale, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(dx[i], load(y[i]) != 0 ? load(dy[i]) * scale : 0.0F);
}

template <class T>
void dropout(T* y, const T* x, const DropoutRun& run) {
    const auto key = run.key;
    const auto threshold = run.threshold;
    const auto scale = run.scale;
    const auto stride = run.columnStride;
    const auto columns = run.columns;
    for (std::uint32_t r = 0; r < run.rows; ++r) {
        const auto start = run.start + r * run.rowStride;
        T* target = y + static_cast<std::int64_t>(r) * columns;
        const T* source = x + static_cast<std::int64_t>(r) * columns;
#pragma omp simd
        for (std::uint32_t i = 0; i < columns; ++i) {
            const bool kept = (hashBits(start + i * stride, key) >> 8) >= threshold;
            store(target[i], kept ? load(source[i]) * scale : 0.0F);
        }
    }
}

template <class T>
STEELYARD_INLINE float rowMaximum(const T* x, std::int64_t n) {
    float maximum = load(x[0]);
#pragma omp simd reduction(max : maximum)
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = load(x[i]);
        maximum = v > maximum ? v : maximum;
    }
    return maximum;
}

template <class T>
STEELYARD_INLINE float exponentialSum(const T* x, float maximum, std::int64_t begin, std::int64_t end) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) sum += exponential(load(x[i]) - maximum);
    return sum;
}

template <class T>
void softmax(T* y, const T* x, std::int64_t n) {
    const float maximum = rowMaximum(x, n);
    const float factor = 1.0F / exponentialSum(x, maximum, 0, n);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], exponential(load(x[i]) - maximum) * factor);
}

template <class T>
void sigmoid(T* y, const T* x, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], logistic(load(x[i])));
}

template <class Function>
STEELYARD_INLINE void applyFunction(float* x, std::int64_t n, Function function) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) x[i] = function(x[i]);
}

constexpr float kGeluScale = 1.59576912F, kGeluCubic = 0.044715F;  // 2 sqrt(2 / pi)

// Formulas: compute/reference/pointwise.cpp. GeluTanh by (1 + tanh z) / 2 = logistic(2 z).
void activate(ActivationKind kind, float* x, std::int64_t n) {
    switch (kind) {
        case ActivationKind::Relu:
            return relu(x, x, n);
        case ActivationKind::Relu6:
            return applyFunction(x, n, [](float v) {
                const float low = v < 0 ? 0.0F : v;
                return low > 6 ? 6.0F : low;
            });
        case ActivationKind::Sigmoid:
            return sigmoid(x, x, n);
        case ActivationKind::Tanh:
            return applyFunction(x, n, [](float v) { return hyperbolicTangent(v); });
        case ActivationKind::Gelu:
            return applyFunction(x, n, [](float v) { return v * normalIntegral(v); });
        case ActivationKind::GeluTanh:
            return applyFunction(x, n, [](float v) { return v * logistic(kGeluScale * (v + kGeluCubic * v * v * v)); });
        case ActivationKind::Swish:
            return applyFunction(x, n, [](float v) { return v * logistic(v); });
    }
}

template <class T>
float softmaxCrossEntropy(T* gradient, const T* x, std::int32_t label, float scale, std::int64_t n) {
    const float maximum = rowMaximum(x, n);
    const float picked = load(x[label]) - maximum;
    // The others are summed separately: if the prediction is nearly certain, they are all of the loss.
    const float others = exponentialSum(x, maximum, 0, label) + exponentialSum(x, maximum, label + 1, n);
    const float answer = exponential(picked);
    const float factor = scale / (others + answer);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(gradient[i], exponential(load(x[i]) - maximum) * factor);
    store(gradient[label], -others * factor);
    return picked == 0 ? log1pf(others) : logf(others + answer) - picked;
}

template <class T>
float sigmoidCrossEntropy(T* gradient, const T* x, const std::int32_t* labels, float scale, std::int64_t n) {
    float sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = load(x[i]);
        const float target = labels[i] != 0 ? 1.0F : 0.0F;
        const float magnitude = v < 0 ? -v : v;
        // log(1 + e^-|x|) + max(x, 0) - target x
        sum += log1pf(expf(-magnitude)) + (v > 0 ? v : 0.0F) - target * v;
        store(gradient[i], scale * (logistic(v) - target));
    }
    return sum;
}

template <class T>
void addBias(T* y, const float* bias, bool rectify, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t r = 0; r < rows; ++r) {
        T* row = y + r * columns;
        if (rectify) {
#pragma omp simd
            for (std::int64_t c = 0; c < columns; ++c) {
                const float v = load(row[c]) + bias[c];
                store(row[c], v > 0 ? v : 0.0F);
            }
        } else {
#pragma omp simd
            for (std::int64_t c = 0; c < columns; ++c) store(row[c], load(row[c]) + bias[c]);
        }
    }
}

template <class T>
void columnSums(float* sums, const T* x, std::int64_t rows, std::int64_t leading, std::int64_t columns,
                bool accumulate) {
    if (!accumulate)
        for (std::int64_t c = 0; c < columns; ++c) sums[c] = 0;
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const T* row = x + r * leading;
#pragma omp simd
        for (std::int64_t c = 0; c < columns; ++c)
            sums[c] +=
                (load(row[c]) + load(row[c + leading])) + (load(row[c + 2 * leading]) + load(row[c + 3 * leading]));
    }
    for (; r < rows; ++r) {
        const T* row = x + r * leading;
#pragma omp simd
        for (std::int64_t c = 0; c < columns; ++c) sums[c] += load(row[c]);
    }
}

// y and z may alias operands, element by element.
template <class T, class Function>
STEELYARD_INLINE void applyGate(T* y, const T* gate, const T* up, std::int64_t n, Function function) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], function(load(gate[i])) * load(up[i]));
}

// `function` sets the gate's value and slope.
template <class T, class Function>
STEELYARD_INLINE void applyGateGradient(T* dGate, T* dUp, const T* dy, const T* gate, const T* up, std::int64_t n,
                                        Function function) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        float value, slope;
        function(load(gate[i]), value, slope);
        const float g = load(dy[i]), u = load(up[i]);
        store(dGate[i], g * u * slope);
        store(dUp[i], g * value);
    }
}

template <class T>
void gate(ActivationKind kind, T* y, const T* gates, const T* up, std::int64_t n) {
    switch (kind) {
        case ActivationKind::Sigmoid:
            return applyGate(y, gates, up, n, [](float v) { return logistic(v); });
        case ActivationKind::Gelu:
            return applyGate(y, gates, up, n, [](float v) { return v * normalIntegral(v); });
        case ActivationKind::GeluTanh:
            return applyGate(y, gates, up, n,
                             [](float v) { return v * logistic(kGeluScale * (v + kGeluCubic * v * v * v)); });
        case ActivationKind::Swish:
            return applyGate(y, gates, up, n, [](float v) { return v * logistic(v); });
        case ActivationKind::Relu:  // no gates (model::outputShape)
        case ActivationKind::Relu6:
        case ActivationKind::Tanh:
            return;
    }
}

template <class T>
void gateGradient(ActivationKind kind, T* dGate, T* dUp, const T* dy, const T* gates, const T* up, std::int64_t n) {
    switch (kind) {
        case ActivationKind::Sigmoid:
            return applyGateGradient(dGate, dUp, dy, gates, up, n, [](float v, float& value, float& slope) {
                value = logistic(v);
                slope = value * (1 - value);
            });
        case ActivationKind::Gelu:
            return applyGateGradient(dGate, dUp, dy, gates, up, n, [](float v, float& value, float& slope) {
                const float integral = normalIntegral(v);
                value = v * integral;
                slope = integral + v * 0.39894228F * exponential(-0.5F * v * v);
            });
        case ActivationKind::GeluTanh:
            return applyGateGradient(dGate, dUp, dy, gates, up, n, [](float v, float& value, float& slope) {
                const float part = logistic(kGeluScale * (v + kGeluCubic * v * v * v));
                value = v * part;
                slope = part + v * part * (1 - part) * kGeluScale * (1 + 3 * kGeluCubic * v * v);
            });
        case ActivationKind::Swish:
            return applyGateGradient(dGate, dUp, dy, gates, up, n, [](float v, float& value, float& slope) {
                const float part = logistic(v);
                value = v * part;
                slope = part + v * part * (1 - part);
            });
        case ActivationKind::Relu:
        case ActivationKind::Relu6:
        case ActivationKind::Tanh:
            return;
    }
}

template <class T>
void scale(T* y, const T* x, float factor, float cap, std::int64_t n) {
    if (cap > 0) {
        const float inner = factor / cap;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) store(y[i], cap * hyperbolicTangent(load(x[i]) * inner));
        return;
    }
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(y[i], load(x[i]) * factor);
}

template <class T>
void scaleGradient(T* dx, const T* dy, const T* y, float factor, float cap, std::int64_t n) {
    if (cap > 0) {
        const float inverse = 1.0F / cap;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) {
            const float part = load(y[i]) * inverse;
            store(dx[i], load(dy[i]) * factor * (1.0F - part * part));
        }
        return;
    }
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) store(dx[i], load(dy[i]) * factor);
}

template <class T>
void fillTable(PointwiseKernels<T>& table) {
    table.relu = relu<T>;
    table.addRelu = addRelu<T>;
    table.add = add<T>;
    table.addMany = addMany<T>;
    table.outputGradient = outputGradient<T>;
    table.maskedGradient = maskedGradient<T>;
    table.dropout = dropout<T>;
    table.softmax = softmax<T>;
    table.sigmoid = sigmoid<T>;
    table.softmaxCrossEntropy = softmaxCrossEntropy<T>;
    table.sigmoidCrossEntropy = sigmoidCrossEntropy<T>;
    table.addBias = addBias<T>;
    table.columnSums = columnSums<T>;
    table.gate = gate<T>;
    table.gateGradient = gateGradient<T>;
    table.scale = scale<T>;
    table.scaleGradient = scaleGradient<T>;
}

}  // namespace

void fillPointwise(Kernels& table) {
    fillTable(table.f32);
    fillTable(table.bf16);
    table.activate = activate;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

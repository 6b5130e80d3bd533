// SPDX-License-Identifier: Apache-2.0
// The update rules of engine/model/optimizer.h.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

void sgd(float* p, const float* g, const UpdateFactors& f, std::int64_t n) {
    const float rate = f.rate, decay = f.weightDecay;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) p[i] -= rate * (g[i] + decay * p[i]);
}

void momentum(float* p, const float* g, float* v, const UpdateFactors& f, std::int64_t n) {
    const float rate = f.rate, decay = f.weightDecay, factor = f.momentum;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float velocity = factor * v[i] + (g[i] + decay * p[i]);
        v[i] = velocity;
        p[i] -= rate * velocity;
    }
}

void rmsProp(float* p, const float* g, float* a, const UpdateFactors& f, std::int64_t n) {
    const float rate = f.rate, decay = f.weightDecay, rho = f.rho, epsilon = f.epsilon;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float gradient = g[i] + decay * p[i];
        const float average = rho * a[i] + (1 - rho) * gradient * gradient;
        a[i] = average;
        p[i] -= rate * gradient / (sqrtf(average) + epsilon);
    }
}

void adadelta(float* p, const float* g, float* a, float* d, const UpdateFactors& f, std::int64_t n) {
    const float rate = f.rate, decay = f.weightDecay, rho = f.rho, epsilon = f.epsilon;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float gradient = g[i] + decay * p[i];
        const float average = rho * a[i] + (1 - rho) * gradient * gradient;
        const float change = gradient * sqrtf(d[i] + epsilon) / sqrtf(average + epsilon);
        a[i] = average;
        d[i] = rho * d[i] + (1 - rho) * change * change;
        p[i] -= rate * change;
    }
}

void adam(float* p, const float* g, float* m, float* v, const UpdateFactors& f, std::int64_t n) {
    const float rate = f.rate, decay = f.weightDecay, beta1 = f.beta1, beta2 = f.beta2, epsilon = f.epsilon;
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float gradient = g[i] + decay * p[i];
        const float first = beta1 * m[i] + (1 - beta1) * gradient;
        const float second = beta2 * v[i] + (1 - beta2) * gradient * gradient;
        m[i] = first;
        v[i] = second;
        p[i] -= rate * first / (sqrtf(second) + epsilon);
    }
}

double sumOfSquares(const float* x, std::int64_t n) {
    double total = 0;
    constexpr std::int64_t kChunk = 4096;  // float within a chunk, double across chunks
    for (std::int64_t start = 0; start < n; start += kChunk) {
        const std::int64_t end = start + kChunk < n ? start + kChunk : n;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t i = start; i < end; ++i) sum += x[i] * x[i];
        total += static_cast<double>(sum);
    }
    return total;
}

void scale(float* x, float factor, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) x[i] *= factor;
}

}  // namespace

void fillUpdate(Kernels& table) {
    table.update = {sgd, momentum, rmsProp, adadelta, adam, sumOfSquares, scale};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

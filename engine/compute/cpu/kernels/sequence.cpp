// SPDX-License-Identifier: Apache-2.0
// Rows of attention scores, and gates of recurrent layers. Formulas and sources: compute/reference/attention.cpp and
// recurrent.cpp.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

float scoreSoftmax(float* row, float scale, std::int64_t visible, std::int64_t n) {
    float maximum = row[0];
#pragma omp simd reduction(max : maximum)
    for (std::int64_t k = 0; k < visible; ++k) maximum = row[k] > maximum ? row[k] : maximum;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t k = 0; k < visible; ++k) {
        const float e = exponential((row[k] - maximum) * scale);
        row[k] = e;
        sum += e;
    }
    const float factor = 1.0F / sum;
#pragma omp simd
    for (std::int64_t k = 0; k < visible; ++k) row[k] *= factor;
    for (std::int64_t k = visible; k < n; ++k) row[k] = 0;
    return maximum * scale + logf(sum);
}

void scoreProbabilities(float* row, float scale, float logSum, std::int64_t visible, std::int64_t n) {
#pragma omp simd
    for (std::int64_t k = 0; k < visible; ++k) row[k] = exponential(row[k] * scale - logSum);
    for (std::int64_t k = visible; k < n; ++k) row[k] = 0;
}

void scoreGradient(float* gradient, const float* probabilities, float shared, float scale, std::int64_t n) {
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) gradient[k] = probabilities[k] * (gradient[k] - shared) * scale;
}

void capScores(float* row, float scale, float cap, std::int64_t n) {
    const float factor = scale / cap;
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) row[k] = cap * hyperbolicTangent(row[k] * factor);
}

void cappedGradient(float* gradient, const float* capped, float cap, std::int64_t n) {
    const float inverse = 1.0F / cap;
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) {
        const float part = capped[k] * inverse;
        gradient[k] *= 1.0F - part * part;
    }
}

float dot(const float* a, const float* b, std::int64_t n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

void lstmForward(const RecurrentRows& rows) {
    const auto units = rows.units, stride = rows.stride;
    const float* bias = rows.bias;
    for (std::int64_t b = 0; b < rows.samples; ++b) {
        float* i = rows.gates + b * 4 * stride;
        float* f = i + stride;
        float* c = f + stride;
        float* o = c + stride;
        const float* before = rows.cellBefore + b * stride;
        float* cell = rows.cell + b * stride;
        float* hidden = rows.hidden + b * stride;
#pragma omp simd
        for (std::int64_t u = 0; u < units; ++u) {
            const float input = logistic(i[u] + bias[u]);
            const float forget = logistic(f[u] + bias[stride + u]);
            const float candidate = hyperbolicTangent(c[u] + bias[2 * stride + u]);
            const float output = logistic(o[u] + bias[3 * stride + u]);
            const float state = forget * before[u] + input * candidate;
            i[u] = input;
            f[u] = forget;
            c[u] = candidate;
            o[u] = output;
            cell[u] = state;
            hidden[u] = output * hyperbolicTangent(state);
        }
    }
}

void gruForward(const RecurrentRows& rows) {
    const auto units = rows.units, stride = rows.stride;
    const float* bias = rows.bias;
    for (std::int64_t b = 0; b < rows.samples; ++b) {
        float* update = rows.gates + b * 3 * stride;
        float* reset = update + stride;
        float* candidate = reset + stride;
        const float* recurrent = rows.recurrent + b * 3 * stride;
        const float* before = rows.hiddenBefore + b * stride;
        float* hidden = rows.hidden + b * stride;
        float* kept = rows.kept + b * stride;
#pragma omp simd
        for (std::int64_t u = 0; u < units; ++u) {
            const float z = logistic(update[u] + bias[u] + recurrent[u]);
            const float r = logistic(reset[u] + bias[stride + u] + recurrent[stride + u]);
            const float o = hyperbolicTangent(candidate[u] + bias[2 * stride + u] + r * recurrent[2 * stride + u]);
            update[u] = z;
            reset[u] = r;
            candidate[u] = o;
            kept[u] = recurrent[2 * stride + u];
            hidden[u] = (1.0F - z) * o + z * before[u];
        }
    }
}

void rnnForward(const RecurrentRows& rows) {
    const auto units = rows.units, stride = rows.stride;
    const float* bias = rows.bias;
    for (std::int64_t b = 0; b < rows.samples; ++b) {
        const float* sum = rows.gates + b * stride;
        float* hidden = rows.hidden + b * stride;
#pragma omp simd
        for (std::int64_t u = 0; u < units; ++u) hidden[u] = hyperbolicTangent(sum[u] + bias[u]);
    }
}

void recurrentForward(const RecurrentRows& rows) {
    switch (rows.kind) {
        case GateKind::Lstm:
            return lstmForward(rows);
        case GateKind::Gru:
            return gruForward(rows);
        case GateKind::Rnn:
            return rnnForward(rows);
    }
}

void lstmBackward(const RecurrentGradientRows& rows) {
    const auto units = rows.units;
    for (std::int64_t b = 0; b < rows.samples; ++b) {
        const float* i = rows.gates + b * 4 * units;
        const float* f = i + units;
        const float* c = f + units;
        const float* o = c + units;
        const float* cell = rows.cell + b * units;
        const float* before = rows.cellBefore + b * units;
        float* dHidden = rows.dHidden + b * units;
        float* dCell = rows.dCell + b * units;
        float* di = rows.dInput + b * 4 * units;
        float* df = di + units;
        float* dc = df + units;
        float* dOut = dc + units;
#pragma omp simd
        for (std::int64_t u = 0; u < units; ++u) {
            const float input = i[u], forget = f[u], candidate = c[u], output = o[u];
            const float t = hyperbolicTangent(cell[u]);
            const float g = dHidden[u];
            const float state = dCell[u] + g * output * (1.0F - t * t);
            di[u] = state * candidate * input * (1.0F - input);
            df[u] = state * before[u] * forget * (1.0F - forget);
            dc[u] = state * input * (1.0F - candidate * candidate);
            dOut[u] = g * t * output * (1.0F - output);
            dCell[u] = state * forget;
            dHidden[u] = 0;
        }
    }
}

void gruBackward(const RecurrentGradientRows& rows) {
    const auto units = rows.units;
    for (std::int64_t b = 0; b < rows.samples; ++b) {
        const float* z = rows.gates + b * 3 * units;
        const float* r = z + units;
        const float* o = r + units;
        const float* product = rows.kept + b * units;
        const float* before = rows.hiddenBefore + b * units;
        float* dHidden = rows.dHidden + b * units;
        float* dInput = rows.dInput + b * 3 * units;
        float* dRecurrent = rows.dRecurrent + b * 3 * units;
#pragma omp simd
        for (std::int64_t u = 0; u < units; ++u) {
            const float update = z[u], reset = r[u], candidate = o[u];
            const float g = dHidden[u];
            const float dz = g * (before[u] - candidate) * update * (1.0F - update);
            const float dOut = g * (1.0F - update) * (1.0F - candidate * candidate);
            const float dr = dOut * product[u] * reset * (1.0F - reset);
            dInput[u] = dz;
            dInput[units + u] = dr;
            dInput[2 * units + u] = dOut;
            dRecurrent[u] = dz;
            dRecurrent[units + u] = dr;
            dRecurrent[2 * units + u] = dOut * reset;
            dHidden[u] = g * update;
        }
    }
}

void rnnBackward(const RecurrentGradientRows& rows) {
    const auto units = rows.units;
    for (std::int64_t b = 0; b < rows.samples; ++b) {
        const float* hidden = rows.hidden + b * units;
        float* dHidden = rows.dHidden + b * units;
        float* dInput = rows.dInput + b * units;
#pragma omp simd
        for (std::int64_t u = 0; u < units; ++u) {
            dInput[u] = dHidden[u] * (1.0F - hidden[u] * hidden[u]);
            dHidden[u] = 0;
        }
    }
}

void recurrentBackward(const RecurrentGradientRows& rows) {
    switch (rows.kind) {
        case GateKind::Lstm:
            return lstmBackward(rows);
        case GateKind::Gru:
            return gruBackward(rows);
        case GateKind::Rnn:
            return rnnBackward(rows);
    }
}

}  // namespace

void fillSequence(Kernels& table) {
    table.sequence = {scoreSoftmax, scoreProbabilities, scoreGradient,    capScores, cappedGradient,
                      dot,          recurrentForward,   recurrentBackward};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

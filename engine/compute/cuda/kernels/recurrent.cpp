// SPDX-License-Identifier: Apache-2.0
// Recurrent cells. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/recurrent.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/pointwise/activation_math.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename T>
STEELYARD_HD float at(const void* values, std::int64_t index) {
    return toFloat(static_cast<const T*>(values)[index]);
}
template <typename T>
STEELYARD_HD void put(void* values, std::int64_t index, float value) {
    if (values != nullptr) static_cast<T*>(values)[index] = fromFloat<T>(value);
}

template <typename T>
struct Forward {
    RecurrentForward s;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [b, u] = split(i, s.units);
        const std::int64_t gates = gatesOf(s.cell);
        float in[4] = {}, rec[4] = {};
        for (std::int64_t g = 0; g < gates; ++g) {
            in[g] = at<T>(s.input, b * s.inputPitch + g * s.units + u) + (s.bias ? s.bias[g * s.units + u] : 0.0F);
            if (s.recurrent != nullptr) rec[g] = at<T>(s.recurrent, (b * gates + g) * s.units + u);
        }
        float hidden = 0.0F;
        const std::int64_t trace = b * s.tracePitch + u;
        switch (s.cell) {
            case Cell::Lstm:
                hidden = lstm(in, rec, b * s.cellPitch + u, trace);
                break;
            case Cell::Gru:
                hidden = gru(in, rec, b, u, trace);
                break;
            case Cell::Rnn:
                hidden = std::tanh(in[0] + rec[0]);
                break;
        }
        if (s.trace != nullptr) put<T>(s.trace, trace + (slotsOf(s.cell) - 1) * s.units, hidden);
        put<T>(s.hidden, b * s.hiddenPitch + u, hidden);
        put<T>(s.output, b * s.outputPitch + u, hidden);
        if (s.carried != nullptr) s.carried[b * s.carriedPitch + u] = hidden;
    }

private:
    STEELYARD_HD_MEMBER void keep(std::int64_t trace, std::int64_t slot, float value) const {
        put<T>(s.trace, trace + slot * s.units, value);
    }
    STEELYARD_HD_MEMBER float lstm(const float* in, const float* rec, std::int64_t cell, std::int64_t trace) const {
        const float i = logistic(in[0] + rec[0]), f = logistic(in[1] + rec[1]);
        const float k = std::tanh(in[2] + rec[2]), o = logistic(in[3] + rec[3]);
        const float before = s.firstFromZero ? 0.0F : s.cellState[cell];
        const float after = f * before + i * k;
        s.cellState[cell] = after;
        keep(trace, 0, i), keep(trace, 1, f), keep(trace, 2, k), keep(trace, 3, o), keep(trace, 4, after);
        return o * std::tanh(after);
    }
    STEELYARD_HD_MEMBER float gru(const float* in, const float* rec, std::int64_t b, std::int64_t u,
                                  std::int64_t trace) const {
        const float update = logistic(in[0] + rec[0]), reset = logistic(in[1] + rec[1]);
        const float candidate = std::tanh(in[2] + reset * rec[2]);
        const float before = s.hiddenBefore != nullptr ? at<T>(s.hiddenBefore, b * s.hiddenBeforePitch + u) : 0.0F;
        keep(trace, 0, update), keep(trace, 1, reset), keep(trace, 2, candidate), keep(trace, 3, rec[2]);
        return (1.0F - update) * candidate + update * before;
    }
};

template <typename T>
struct Backward {
    RecurrentBackward s;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [b, u] = split(i, s.units);
        const std::int64_t slots = slotsOf(s.cell), trace = b * s.tracePitch + u;
        const float hiddenBefore = before(b, u, slots - 1, s.initialHidden);
        float flow = s.dHidden[i];
        if (s.dOutput != nullptr) flow += at<T>(s.dOutput, b * s.dOutputPitch + u);
        put<T>(s.hiddenBefore, b * s.hiddenBeforePitch + u, hiddenBefore);
        switch (s.cell) {
            case Cell::Lstm:
                return lstm(i, b, u, trace, flow);
            case Cell::Gru:
                return gru(i, b, u, trace, flow, hiddenBefore);
            case Cell::Rnn: {
                const float hidden = at<T>(s.trace, trace);
                give(b, u, 0, flow * (1.0F - hidden * hidden));
                s.dHidden[i] = 0.0F;
                return;
            }
        }
    }

private:
    STEELYARD_HD_MEMBER float kept(std::int64_t trace, std::int64_t slot) const {
        return at<T>(s.trace, trace + slot * s.units);
    }
    STEELYARD_HD_MEMBER float before(std::int64_t b, std::int64_t u, std::int64_t slot, const float* initial) const {
        if (s.traceBefore != nullptr) return at<T>(s.traceBefore, b * s.tracePitch + slot * s.units + u);
        return initial != nullptr ? initial[b * s.initialPitch + u] : 0.0F;
    }
    STEELYARD_HD_MEMBER void give(std::int64_t b, std::int64_t u, std::int64_t gate, float in) const {
        give(b, u, gate, in, in);
    }
    STEELYARD_HD_MEMBER void give(std::int64_t b, std::int64_t u, std::int64_t gate, float in, float rec) const {
        put<T>(s.dInput, b * s.dInputPitch + gate * s.units + u, in);
        put<T>(s.dRecurrent, b * s.dRecurrentPitch + gate * s.units + u, rec);
    }
    STEELYARD_HD_MEMBER void lstm(std::int64_t i, std::int64_t b, std::int64_t u, std::int64_t trace,
                                  float flow) const {
        const float in = kept(trace, 0), forget = kept(trace, 1), k = kept(trace, 2), out = kept(trace, 3);
        const float t = std::tanh(kept(trace, 4)), cellBefore = before(b, u, 4, s.initialCell);
        const float dCell = s.dCell[i] + flow * out * (1.0F - t * t);
        give(b, u, 0, dCell * k * in * (1.0F - in));
        give(b, u, 1, dCell * cellBefore * forget * (1.0F - forget));
        give(b, u, 2, dCell * in * (1.0F - k * k));
        give(b, u, 3, flow * t * out * (1.0F - out));
        s.dCell[i] = dCell * forget;
        s.dHidden[i] = 0.0F;
    }
    STEELYARD_HD_MEMBER void gru(std::int64_t i, std::int64_t b, std::int64_t u, std::int64_t trace, float flow,
                                 float hiddenBefore) const {
        const float update = kept(trace, 0), reset = kept(trace, 1), k = kept(trace, 2), product = kept(trace, 3);
        const float toCandidate = flow * (1.0F - update) * (1.0F - k * k);
        give(b, u, 0, flow * (hiddenBefore - k) * update * (1.0F - update));
        give(b, u, 1, toCandidate * product * reset * (1.0F - reset));
        give(b, u, 2, toCandidate, toCandidate * reset);
        s.dHidden[i] = flow * update;
    }
};

}  // namespace

Status recurrentForward(Stream stream, ElementType type, const RecurrentForward& step) {
    if (step.cell == Cell::Lstm && step.cellState == nullptr && step.batch * step.units > 0) return kInvalidValue;
    return withType(type,
                    [&](auto tag) { return elements(stream, step.batch * step.units, Forward<decltype(tag)>{step}); });
}

Status recurrentBackward(Stream stream, ElementType type, const RecurrentBackward& step) {
    if (step.cell == Cell::Lstm && step.dCell == nullptr && step.batch * step.units > 0) return kInvalidValue;
    return withType(type,
                    [&](auto tag) { return elements(stream, step.batch * step.units, Backward<decltype(tag)>{step}); });
}

}  // namespace steelyard::compute::cuda::kernels

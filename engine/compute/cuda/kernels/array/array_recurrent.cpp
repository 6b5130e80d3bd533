// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with ONNX's gates and options, a step at a time. Compiled twice: as C++ for the twin, as CUDA for
// the device (execution.h).
#include "engine/compute/cuda/kernels/array/array_elements.h"
#include "engine/model/array/map_math.h"

namespace steelyard::compute::cuda::kernels {
namespace {

struct BeginState {
    ArrayTensor initial;
    float* state;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        state[i] = initial.data == nullptr ? 0.0F : readArray(initial, i);
    }
};

struct GateSums {
    float at[4] = {0, 0, 0, 0};
};
struct AddGateSums {
    STEELYARD_HD_MEMBER GateSums operator()(const GateSums& a, const GateSums& b) const {
        GateSums sum;
        for (int g = 0; g < 4; ++g) sum.at[g] = a.at[g] + b.at[g];
        return sum;
    }
};

// A team computes one unit of one sample in one direction. Gru needs two rounds: the second uses all reset gates.
struct PassUnit {
    ArrayPassStep s;
    int round;

    [[nodiscard]] STEELYARD_HD_MEMBER int gates() const {
        return s.cell == ArrayCell::Lstm ? 4 : s.cell == ArrayCell::Gru ? 3 : 1;
    }
    [[nodiscard]] STEELYARD_HD_MEMBER float activated(std::int64_t direction, int which, float x) const {
        if (s.clip > 0) x = model::mapClamped(x, -s.clip, s.clip);
        const auto kind = s.activation[direction * 3 + which];
        float alpha = 0, beta = 0;
        if (kind == model::MapKind::HardSigmoid) alpha = 0.2F, beta = 0.5F;
        if (kind == model::MapKind::LeakyRelu) alpha = 0.01F;
        if (kind == model::MapKind::Elu) alpha = 1;
        return model::unaryValue(kind, x, alpha, beta);
    }

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const auto rowOfUnit = split(row, s.units);
        const auto sampleRow = rowOfUnit.quotient, unit = rowOfUnit.rest;  // lambdas cannot capture bindings everywhere
        const auto ofDirection = split(sampleRow, s.batch);
        const auto direction = ofDirection.quotient, sample = ofDirection.rest;
        const auto length =
            s.lengths.data == nullptr ? s.steps : static_cast<std::int64_t>(readArray<double>(s.lengths, sample));
        const bool active = s.step < length && s.step < s.steps;
        const auto state = sampleRow * s.units;
        if (!active) {
            if (round + 1 == (s.cell == ArrayCell::Gru ? 2 : 1))
                team.once([&] { s.nextHidden[state + unit] = s.hidden[state + unit]; });
            return;
        }
        const bool reverse = direction == 1 || s.firstIsReverse;
        const auto clipped = length < s.steps ? length : s.steps;
        const auto t = reverse ? clipped - 1 - s.step : s.step;
        const auto* h = s.hidden + state;
        const int count = gates();
        const auto inputRow = [&](int g) { return (direction * count + g) * s.units + unit; };
        const auto x = (t * s.batch + sample) * s.features;
        const auto biasOf = [&](int g, bool inner) {
            if (s.bias.data == nullptr) return 0.0F;
            return readArray(s.bias,
                             direction * 2 * count * s.units + (inner ? count : 0) * s.units + g * s.units + unit);
        };
        const bool second = s.cell == ArrayCell::Gru && round == 1;
        const int firstGate = second ? 2 : 0, pastGate = s.cell == ArrayCell::Gru && !second ? 2 : count;
        const auto inputs = team.template reduce<GateSums>(
            s.features,
            [&](GateSums& part, std::int64_t f) {
                const float value = readArray(s.x, x + f);
                for (int g = firstGate; g < pastGate; ++g)
                    part.at[g] += readArray(s.w, inputRow(g) * s.features + f) * value;
            },
            AddGateSums{});
        const bool gated = second && !s.linearBeforeReset;
        const auto states = team.template reduce<GateSums>(
            s.units,
            [&](GateSums& part, std::int64_t u) {
                const float value = gated ? s.reset[state + u] * h[u] : h[u];
                for (int g = firstGate; g < pastGate; ++g)
                    part.at[g] += readArray(s.r, inputRow(g) * s.units + u) * value;
            },
            AddGateSums{});
        team.once([&] {
            const auto whole = [&](int g) { return inputs.at[g] + states.at[g] + biasOf(g, false) + biasOf(g, true); };
            float next = 0;
            if (s.cell == ArrayCell::Rnn) {
                next = activated(direction, 0, whole(0));
            } else if (s.cell == ArrayCell::Gru) {
                if (!second) {
                    s.update[state + unit] = activated(direction, 0, whole(0));
                    s.reset[state + unit] = activated(direction, 0, whole(1));
                    return;
                }
                const float inner = states.at[2] + biasOf(2, true);
                const float term = s.linearBeforeReset ? s.reset[state + unit] * inner : inner;
                const float candidate = activated(direction, 1, inputs.at[2] + biasOf(2, false) + term);
                const float update = s.update[state + unit];
                next = (1.0F - update) * candidate + update * h[unit];
            } else {
                const auto peephole = [&](int gate, float c) {
                    return s.peepholes.data == nullptr
                               ? 0.0F
                               : readArray(s.peepholes, (direction * 3 + gate) * s.units + unit) * c;
                };
                float c = s.cellState[state + unit];
                const float i = activated(direction, 0, whole(0) + peephole(0, c));
                const float f = s.inputForget ? 1.0F - i : activated(direction, 0, whole(2) + peephole(2, c));
                c = f * c + i * activated(direction, 1, whole(3));
                s.cellState[state + unit] = c;
                next = activated(direction, 0, whole(1) + peephole(1, c)) * activated(direction, 2, c);
            }
            s.nextHidden[state + unit] = next;
            writeArray(s.y, ((t * s.directions + direction) * s.batch + sample) * s.units + unit, next);
        });
    }
};

// The last states, and zeros in the steps beyond the end of a sequence.
struct EndPass {
    ArrayPassStep s;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto sampleRow = divided(i, s.units);
        const auto [direction, sample] = split(sampleRow, s.batch);
        const auto states = s.directions * s.batch * s.units;
        writeArray(s.y, s.steps * states + i, s.nextHidden[i]);
        if (s.cell == ArrayCell::Lstm) writeArray(s.y, (s.steps + 1) * states + i, s.cellState[i]);
        if (s.lengths.data == nullptr) return;
        auto length = static_cast<std::int64_t>(readArray<double>(s.lengths, sample));
        if (length < 0) length = 0;
        for (auto t = length; t < s.steps; ++t) writeArray(s.y, t * states + i, 0.0F);
    }
};

}  // namespace

Status arrayPassBegin(Stream stream, const ArrayTensor& initial, float* state, std::int64_t count) {
    return elements(stream, count, BeginState{initial, state});
}

Status arrayPassStep(Stream stream, const ArrayPassStep& step) {
    const auto rows = step.directions * step.batch * step.units;
    for (int round = 0; round < (step.cell == ArrayCell::Gru ? 2 : 1); ++round)
        if (const auto status = teams<32>(stream, rows, PassUnit{step, round}); status != kOk) return status;
    return kOk;
}

Status arrayPassEnd(Stream stream, const ArrayPassStep& step) {
    return elements(stream, step.directions * step.batch * step.units, EndPass{step});
}

}  // namespace steelyard::compute::cuda::kernels

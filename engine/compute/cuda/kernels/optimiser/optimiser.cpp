// SPDX-License-Identifier: Apache-2.0
// Clipping and updates. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/optimiser/optimiser.h"

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kTeam = 256;
constexpr int kQuad = 4;  // Float32 values per 16 bytes

// The part of a parameter in a chunk.
struct Part {
    ParameterBlock block;
    std::int64_t first, count;
};
STEELYARD_HD Part partOf(const ParameterList& list, std::int64_t chunk) {
    const Chunk c = list.chunks[chunk];
    const ParameterBlock& block = list.parameters[c.parameter];
    const std::int64_t rest = block.count - c.first;
    return {block, c.first, rest < kChunkElements ? rest : kChunkElements};
}

STEELYARD_HD bool inQuads(std::int64_t count, const float* values) {
    return count % kQuad == 0 && reinterpret_cast<std::uintptr_t>(values) % 16 == 0;
}

struct PlusFloat {
    STEELYARD_HD_MEMBER float operator()(float a, float b) const { return a + b; }
};

struct Squares {
    ParameterList list;
    float* squares;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t chunk) const {
        const Part part = partOf(list, chunk);
        const float* gradient = part.block.gradient + part.first;
        const float sum = inQuads(part.count, gradient) ? squaresOf<kQuad>(team, gradient, part.count)
                                                        : squaresOf<1>(team, gradient, part.count);
        team.once([&] { squares[chunk] = sum; });
    }

private:
    template <int N, typename Team>
    STEELYARD_HD_MEMBER static float squaresOf(const Team& team, const float* gradient, std::int64_t count) {
        return team.template reduce<float>(
            count / N,
            [&](float& s, std::int64_t v) {
                const auto values = load<N>(gradient + v * N);
                for (int i = 0; i < N; ++i) s += values.at[i] * values.at[i];
            },
            PlusFloat{});
    }
};

struct PlusDouble {
    STEELYARD_HD_MEMBER double operator()(double a, double b) const { return a + b; }
};

struct Factor {
    const float* squares;
    std::int64_t count;
    float clipNorm;
    LossScale* lossScale;
    std::int32_t growthSteps;
    GradientFactor* factor;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t /*row*/) const {
        const double sum = team.template reduce<double>(
            count, [&](double& s, std::int64_t i) { s += static_cast<double>(squares[i]); }, PlusDouble{});
        team.once([&] { finish(sum); });
    }

private:
    STEELYARD_HD_MEMBER void finish(double sum) const {
        const double scale = lossScale != nullptr ? static_cast<double>(lossScale->scale) : 1.0;
        const double norm = std::sqrt(sum) / scale;
        const bool isFinite = norm <= 1.7976931348623157e308;  // false for NaN too
        const double clip =
            clipNorm > 0.0F && norm > static_cast<double>(clipNorm) ? static_cast<double>(clipNorm) / norm : 1.0;
        factor->factor = static_cast<float>(clip / scale);
        factor->norm = static_cast<float>(norm);
        factor->skip = lossScale != nullptr && !isFinite ? 1 : 0;
        if (lossScale != nullptr) adapt(isFinite);
    }
    STEELYARD_HD_MEMBER void adapt(bool isFinite) const {
        constexpr float kSmallest = 1.0F, kLargest = 16777216.0F;
        if (!isFinite) {
            ++lossScale->skipped;
            lossScale->goodSteps = 0;
            if (lossScale->scale > kSmallest) lossScale->scale *= 0.5F;
            return;
        }
        if (++lossScale->goodSteps < growthSteps) return;
        lossScale->goodSteps = 0;
        if (lossScale->scale < kLargest) lossScale->scale *= 2.0F;
    }
};

struct ScaleAll {
    ParameterList list;
    const GradientFactor* factor;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t chunk) const {
        const Part part = partOf(list, chunk);
        const float by = factor->factor;
        if (by == 1.0F) return;
        float* gradient = part.block.gradient + part.first;
        if (inQuads(part.count, gradient))
            team.each(part.count / kQuad, [&](std::int64_t v) { scale<kQuad>(gradient + v * kQuad, by); });
        else
            team.each(part.count, [&](std::int64_t i) { scale<1>(gradient + i, by); });
    }

private:
    template <int N>
    STEELYARD_HD_MEMBER static void scale(float* gradient, float by) {
        auto values = load<N>(static_cast<const float*>(gradient));
        for (int i = 0; i < N; ++i) values.at[i] *= by;
        store<N>(gradient, values);
    }
};

// The rules' constants in Float32.
struct Rule {
    model::OptimizerKind kind;
    float momentum, rho, restRho, beta1, restBeta1, beta2, restBeta2, epsilon, weightDecay;
};
Rule ruleOf(const model::Optimizer& o) {
    const auto f = [](double value) { return static_cast<float>(value); };
    return {o.kind,         f(o.momentum), f(o.rho),       f(1 - o.rho), f(o.beta1),
            f(1 - o.beta1), f(o.beta2),    f(1 - o.beta2), f(o.epsilon), f(o.weightDecay)};
}

STEELYARD_HD void updateOne(const Rule& o, float rate, float g, float& weight, float& state1, float& state2) {
    using K = model::OptimizerKind;
    switch (o.kind) {
        case K::Sgd:
            weight -= rate * (g + o.weightDecay * weight);
            return;
        case K::Momentum:
            state1 = o.momentum * state1 + (g + o.weightDecay * weight);
            weight -= rate * state1;
            return;
        case K::RmsProp:
            state1 = o.rho * state1 + o.restRho * g * g;
            weight -= rate * g / (std::sqrt(state1) + o.epsilon);
            return;
        case K::Adadelta: {
            state1 = o.rho * state1 + o.restRho * g * g;
            const float u = g * std::sqrt(state2 + o.epsilon) / std::sqrt(state1 + o.epsilon);
            weight -= rate * u;
            state2 = o.rho * state2 + o.restRho * u * u;
            return;
        }
        case K::Adam:
            state1 = o.beta1 * state1 + o.restBeta1 * g;
            state2 = o.beta2 * state2 + o.restBeta2 * g * g;
            weight -= rate * state1 / (std::sqrt(state2) + o.epsilon);
            return;
    }
}

template <typename Half>
struct Update {
    Rule rule;
    int states;
    ParameterList list;
    const StepControl* control;
    const GradientFactor* factor;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t chunk) const {
        if (factor != nullptr && factor->skip != 0) return;
        const Part part = partOf(list, chunk);
        const float by = factor != nullptr ? factor->factor : 1.0F, rate = control->rate;
        if (part.count % kQuad == 0 && startsAligned(part.block))
            team.each(part.count / kQuad, [&](std::int64_t v) { some<kQuad>(part, v * kQuad, by, rate); });
        else
            team.each(part.count, [&](std::int64_t i) { some<1>(part, i, by, rate); });
    }

private:
    STEELYARD_HD_MEMBER static bool startsAligned(const ParameterBlock& b) {
        const auto bits = reinterpret_cast<std::uintptr_t>(b.weight) | reinterpret_cast<std::uintptr_t>(b.gradient) |
                          reinterpret_cast<std::uintptr_t>(b.state1) | reinterpret_cast<std::uintptr_t>(b.state2) |
                          reinterpret_cast<std::uintptr_t>(b.halfCopy);
        return bits % 16 == 0;
    }

    template <int N>
    STEELYARD_HD_MEMBER void some(const Part& part, std::int64_t i, float by, float rate) const {
        const ParameterBlock& b = part.block;
        const std::int64_t first = part.first + i;
        auto weight = load<N>(static_cast<const float*>(b.weight) + first);
        const auto gradient = load<N>(static_cast<const float*>(b.gradient) + first);
        Pack<float, N> state1{}, state2{};
        if (states > 0) state1 = load<N>(static_cast<const float*>(b.state1) + first);
        if (states > 1) state2 = load<N>(static_cast<const float*>(b.state2) + first);
        Pack<Half, N> halfCopy;
        for (int k = 0; k < N; ++k) {
            if (b.rows == nullptr || b.rows[divided(first + k, b.rowLength)] != 0)
                updateOne(rule, rate, by * gradient.at[k], weight.at[k], state1.at[k], state2.at[k]);
            halfCopy.at[k] = fromFloat<Half>(weight.at[k]);
        }
        store<N>(b.weight + first, weight);
        if (states > 0) store<N>(b.state1 + first, state1);
        if (states > 1) store<N>(b.state2 + first, state2);
        if (b.halfCopy != nullptr) store<N>(static_cast<Half*>(b.halfCopy) + first, halfCopy);
    }
};

}  // namespace

Status gradientSquares(Stream stream, const ParameterList& list, float* squares) {
    return teams<kTeam>(stream, list.chunkCount, Squares{list, squares});
}

Status gradientFactor(Stream stream, const float* squares, std::int64_t count, float clipNorm, LossScale* lossScale,
                      std::int32_t growthSteps, GradientFactor* factor) {
    if (count < 0 || growthSteps < 1 || !(clipNorm >= 0.0F)) return kInvalidValue;
    return teams<kTeam>(stream, 1, Factor{squares, count, clipNorm, lossScale, growthSteps, factor});
}

Status scaleGradients(Stream stream, const ParameterList& list, const GradientFactor* factor) {
    return teams<kTeam>(stream, list.chunkCount, ScaleAll{list, factor});
}

Status updateParameters(Stream stream, const model::Optimizer& optimizer, const ParameterList& list,
                        const StepControl* control, const GradientFactor* factor, ElementType halfType) {
    return withType(halfType, [&](auto tag) {
        return teams<kTeam>(
            stream, list.chunkCount,
            Update<decltype(tag)>{ruleOf(optimizer), model::stateTensors(optimizer.kind), list, control, factor});
    });
}

}  // namespace steelyard::compute::cuda::kernels

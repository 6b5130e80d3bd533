// SPDX-License-Identifier: Apache-2.0
// Layers of language models. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/decoder/decoder_layers.h"

#include <type_traits>

#include "engine/compute/cuda/kernels/normalisation/channel_sums.h"
#include "engine/compute/cuda/kernels/normalisation/row_teams.h"
#include "engine/compute/cuda/kernels/pointwise/activation_math.h"
#include "engine/compute/cuda/kernels/pointwise/maps.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// N: neighbours per thread and access.
template <typename T, int N>
struct RmsForward {
    const T* x;
    const float* scale;
    float epsilon;
    T* y;
    float* savedInverse;
    std::int64_t features;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* from = x + row * features;
        T* to = y + row * features;
        const float squares = team.template reduce<float>(
            features / N,
            [&](float& part, std::int64_t v) {
                const auto in = load<N>(from + v * N);
                for (int i = 0; i < N; ++i) part += toFloat(in.at[i]) * toFloat(in.at[i]);
            },
            MergePartials{});
        const float inverse = 1.0F / std::sqrt(squares / static_cast<float>(features) + epsilon);
        team.each(features / N, [&](std::int64_t v) {
            auto values = load<N>(from + v * N);
            const auto factors = load<N>(scale + v * N);
            for (int i = 0; i < N; ++i) values.at[i] = fromFloat<T>(factors.at[i] * (toFloat(values.at[i]) * inverse));
            store<N>(to + v * N, values);
        });
        team.once([&] {
            if (savedInverse != nullptr) savedInverse[row] = inverse;
        });
    }
};

template <typename T, int N>
struct RmsBackward {
    const T* x;
    const T* dy;
    T* dx;
    bool accumulate;
    const float* scale;
    const float* savedInverse;
    std::int64_t features;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const std::int64_t first = row * features;
        const float inverse = savedInverse[row];
        const float sum = team.template reduce<float>(
            features / N,
            [&](float& part, std::int64_t v) {
                const auto in = load<N>(x + first + v * N);
                const auto flow = load<N>(dy + first + v * N);
                const auto factors = load<N>(scale + v * N);
                for (int i = 0; i < N; ++i) part += factors.at[i] * toFloat(flow.at[i]) * (toFloat(in.at[i]) * inverse);
            },
            MergePartials{});
        const float weighted = sum / static_cast<float>(features);
        team.each(features / N, [&](std::int64_t v) {
            const auto in = load<N>(x + first + v * N);
            const auto flow = load<N>(dy + first + v * N);
            const auto factors = load<N>(scale + v * N);
            Pack<T, N> out;
            if (accumulate) out = load<N>(dx + first + v * N);
            for (int i = 0; i < N; ++i) {
                const float before = accumulate ? toFloat(out.at[i]) : 0.0F;
                const float g = factors.at[i] * toFloat(flow.at[i]);
                out.at[i] = fromFloat<T>(before + inverse * (g - toFloat(in.at[i]) * inverse * weighted));
            }
            store<N>(dx + first + v * N, out);
        });
    }
};

// Sums of dy x r over the rows.
template <typename T>
struct TakeRmsScale {
    const T* x;
    const T* dy;
    const float* inverse;

    struct Nothing {};
    template <int N>
    struct In {
        Pack<T, N> x, dy;
        float inverse;
    };

    template <int N>
    STEELYARD_HD_MEMBER Nothing kept(std::int64_t /*feature*/) const {
        return {};
    }
    template <int N>
    STEELYARD_HD_MEMBER In<N> read(std::int64_t at, std::int64_t row) const {
        return {load<N>(x + at), load<N>(dy + at), inverse[row]};
    }
    template <int N>
    STEELYARD_HD_MEMBER void take(float& sum, const Nothing& /*kept*/, int /*k*/, const In<N>& in, int i) const {
        sum += toFloat(in.dy.at[i]) * (toFloat(in.x.at[i]) * in.inverse);
    }
};

// Item i: N pairs of a head, or N of its features that are not rotated.
template <typename T, int N, bool Neighbours>
struct Rotate {
    RotaryShape shape;
    std::int64_t parts, turning;  // items of a head; those with pairs, which come first
    const float* turns;
    float direction;  // of the angles
    const T* x;
    T* y;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [head, part] = split(i, parts);
        const std::int64_t first = head * shape.width;
        if (part >= turning) {
            const std::int64_t at = first + 2 * shape.pairs + (part - turning) * N;
            float values[N];
            take(values, at);
            return put(at, values);
        }
        const std::int64_t pair = part * N, a = first + (Neighbours ? 2 * pair : pair);
        const std::int64_t b = Neighbours ? a + N : a + shape.pairs;
        const float* cosines = turns + split(divided(head, shape.heads), shape.tokens).rest * 2 * shape.pairs + pair;
        const auto c = load<N>(cosines), s = load<N>(cosines + shape.pairs);
        float values[2 * N], turned[2 * N];
        take(values, a);
        take(values + N, b);
        for (int k = 0; k < N; ++k) {
            const int even = Neighbours ? 2 * k : k, odd = Neighbours ? 2 * k + 1 : N + k;
            const float sine = direction * s.at[k];
            turned[even] = values[even] * c.at[k] - values[odd] * sine;
            turned[odd] = values[even] * sine + values[odd] * c.at[k];
        }
        put(a, turned);
        put(b, turned + N);
    }

private:
    STEELYARD_HD_MEMBER void take(float* values, std::int64_t at) const {
        const auto in = load<N>(x + at);
        for (int k = 0; k < N; ++k) values[k] = toFloat(in.at[k]);
    }
    STEELYARD_HD_MEMBER void put(std::int64_t at, const float* values) const {
        Pack<T, N> out;
        if (accumulate) out = load<N>(y + at);
        for (int k = 0; k < N; ++k) {
            const float before = accumulate ? toFloat(out.at[k]) : 0.0F;
            out.at[k] = fromFloat<T>(before + values[k]);
        }
        store<N>(y + at, out);
    }
};

template <typename T, typename Which>
struct Gate {
    Which which;
    STEELYARD_HD_MEMBER float operator()(float gate, float up) const { return activated<T>(which.kind, gate) * up; }
};

template <typename T, typename Which>
struct GateBack {
    Which which;
    const T* gate;
    const T* up;
    const T* dy;
    T* dGate;
    T* dUp;
    bool accumulateGate, accumulateUp;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const auto gates = load<N>(gate + first), ups = load<N>(up + first), flows = load<N>(dy + first);
        float values[N];
        if (dGate != nullptr) {
            for (int i = 0; i < N; ++i)
                values[i] = toFloat(flows.at[i]) * toFloat(ups.at[i]) * slopeAt(toFloat(gates.at[i]));
            put<N>(dGate + first, values, accumulateGate);
        }
        if (dUp == nullptr) return;
        for (int i = 0; i < N; ++i) values[i] = toFloat(flows.at[i]) * activated<T>(which.kind, toFloat(gates.at[i]));
        put<N>(dUp + first, values, accumulateUp);
    }

private:
    STEELYARD_HD_MEMBER float slopeAt(float x) const {
        return slope<T>(which.kind, slopeNeedsInput(which.kind) ? x : activated<T>(which.kind, x));
    }
    template <int N>
    STEELYARD_HD_MEMBER static void put(T* to, const float (&values)[N], bool accumulate) {
        Pack<T, N> out;
        if (accumulate) out = load<N>(to);
        for (int i = 0; i < N; ++i) out.at[i] = fromFloat<T>((accumulate ? toFloat(out.at[i]) : 0.0F) + values[i]);
        store<N>(to, out);
    }
};

struct Capped {
    float factor, cap;
    STEELYARD_HD_MEMBER float operator()(float x) const { return cap * std::tanh(factor * x / cap); }
};
struct CappedSlope {
    float factor, cap;
    STEELYARD_HD_MEMBER float operator()(float y, float dy) const {
        const float part = y / cap;
        return dy * factor * (1.0F - part * part);
    }
};

}  // namespace

Status rmsNormForward(Stream stream, ElementType type, const void* x, const float* scale, float epsilon, void* y,
                      float* savedInverse, std::int64_t rows, std::int64_t features) {
    if (features < 1) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(x);
        auto* to = static_cast<T*>(y);
        if (features % kPack<T> == 0 && areAligned(x, y, scale))
            return rowTeams(stream, rows, features,
                            RmsForward<T, kPack<T>>{from, scale, epsilon, to, savedInverse, features});
        return rowTeams(stream, rows, features, RmsForward<T, 1>{from, scale, epsilon, to, savedInverse, features});
    });
}

std::int64_t rmsNormWorkspace(std::int64_t rows, std::int64_t features) {
    return channelSumsWorkspace<float>({rows, features, 1});
}

Status rmsNormBackward(Stream stream, ElementType type, const RmsNormGradients& g, std::int64_t rows,
                       std::int64_t features, void* workspace) {
    if (features < 1) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* x = static_cast<const T*>(g.x);
        const auto* dy = static_cast<const T*>(g.dy);
        auto* dx = static_cast<T*>(g.dx);
        // Parameters first: dx may alias dy.
        if (g.dScale != nullptr) {
            const Status status = channelSums<float, kPack<T>>(stream, {rows, features, 1}, areAligned(x, dy),
                                                               TakeRmsScale<T>{x, dy, g.savedInverse},
                                                               StoreSum{g.dScale, g.accumulateParameters}, workspace);
            if (status != kOk) return status;
        }
        if (dx == nullptr) return kOk;
        if (features % kPack<T> == 0 && areAligned(x, dy, dx, g.scale))
            return rowTeams(stream, rows, features,
                            RmsBackward<T, kPack<T>>{x, dy, dx, g.accumulate, g.scale, g.savedInverse, features});
        return rowTeams(stream, rows, features,
                        RmsBackward<T, 1>{x, dy, dx, g.accumulate, g.scale, g.savedInverse, features});
    });
}

Status rotate(Stream stream, ElementType type, const RotaryShape& shape, const float* turns, bool back, const void* x,
              void* y, bool accumulate) {
    const std::int64_t rest = shape.width - 2 * shape.pairs;
    if (shape.pairs < 1 || rest < 0 || shape.tokens < 1 || shape.heads < 1 || shape.rows < 0) return kInvalidValue;
    const float direction = back ? -1.0F : 1.0F;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        constexpr int kN = kPack<T>;
        const auto* from = static_cast<const T*>(x);
        auto* to = static_cast<T*>(y);
        const auto launch = [&](auto count, auto neighbours) {
            constexpr int kItem = decltype(count)::value;
            const std::int64_t turning = shape.pairs / kItem, parts = turning + rest / kItem;
            return elements(stream, shape.rows * shape.heads * parts,
                            Rotate<T, kItem, decltype(neighbours)::value>{shape, parts, turning, turns, direction, from,
                                                                          to, accumulate});
        };
        const auto inOrder = [&](auto count) {
            return shape.neighbours ? launch(count, std::true_type{}) : launch(count, std::false_type{});
        };
        if (shape.pairs % kN == 0 && rest % kN == 0 && areAligned(x, y, turns))
            return inOrder(std::integral_constant<int, kN>{});
        return inOrder(std::integral_constant<int, 1>{});
    });
}

Status gateForward(Stream stream, ElementType type, Activation kind, const void* gate, const void* up, void* y,
                   std::int64_t n) {
    return withType(type, [&](auto tag) {
        return withActivation(kind, [&](auto which) {
            using T = decltype(tag);
            return mapTwo<T>(stream, gate, up, y, n, Gate<T, decltype(which)>{which}, false);
        });
    });
}

Status gateBackward(Stream stream, ElementType type, Activation kind, const GateGradients& g, std::int64_t n) {
    return withType(type, [&](auto tag) {
        return withActivation(kind, [&](auto which) {
            using T = decltype(tag);
            return packs<kPack<T>>(
                stream, n, areAligned(g.gate, g.up, g.dy, g.dGate, g.dUp),
                GateBack<T, decltype(which)>{which, static_cast<const T*>(g.gate), static_cast<const T*>(g.up),
                                             static_cast<const T*>(g.dy), static_cast<T*>(g.dGate),
                                             static_cast<T*>(g.dUp), g.accumulateGate, g.accumulateUp});
        });
    });
}

Status cappedScale(Stream stream, ElementType type, const void* x, void* y, std::int64_t n, float factor, float cap) {
    if (!(cap > 0)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        return mapOne<decltype(tag), decltype(tag)>(stream, x, y, n, Capped{factor, cap}, false);
    });
}

Status cappedScaleBackward(Stream stream, ElementType type, const void* y, const void* dy, void* dx, std::int64_t n,
                           float factor, float cap, bool accumulate) {
    if (!(cap > 0)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        return mapTwo<decltype(tag)>(stream, y, dy, dx, n, CappedSlope{factor, cap}, accumulate);
    });
}

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/row_products.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/language/gate_function.h"
#include "engine/compute/cuda/kernels/language/weight_blocks.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// a . b of four signed bytes each, plus c.
STEELYARD_HD int dotOfBytes(std::uint32_t a, std::uint32_t b, int c) {
#if defined(__CUDA_ARCH__)
    return __dp4a(static_cast<int>(a), static_cast<int>(b), c);
#else
    for (int i = 0; i < 32; i += 8)
        c += static_cast<int>(static_cast<std::int8_t>(a >> i & 0xffU)) *
             static_cast<int>(static_cast<std::int8_t>(b >> i & 0xffU));
    return c;
#endif
}

template <int T>
struct TokenSums {
    float at[T];
};
template <int T>
struct AddTokenSums {
    STEELYARD_HD_MEMBER TokenSums<T> operator()(const TokenSums<T>& a, const TokenSums<T>& b) const {
        TokenSums<T> sum;
        STEELYARD_UNROLL
        for (int t = 0; t < T; ++t) sum.at[t] = a.at[t] + b.at[t];
        return sum;
    }
};

// Adds a block of weights times the 8-bit activations of each token.
template <WeightFormat F, int T>
STEELYARD_HD void addBlock(TokenSums<T>& sums, const WeightBlock& w, const TokenRows& x, std::int64_t firstToken,
                           int tokens, std::int64_t block, std::int64_t blocksPerRow) {
    constexpr bool kHalves = F == WeightFormat::Nested6 || F == WeightFormat::Levels;
    constexpr bool kHasMinimum = F != WeightFormat::Bytes;
    STEELYARD_UNROLL
    for (int t = 0; t < T; ++t) {
        const std::int64_t token = firstToken + (t < tokens ? t : 0);
        const auto* words = reinterpret_cast<const std::uint32_t*>(x.q + (token * blocksPerRow + block) * kWeightBlock);
        const auto low = load<4>(words), high = load<4>(words + 4);
        const auto scale = load<2>(reinterpret_cast<const std::uint32_t*>(x.scales + token * blocksPerRow + block));
        const float step = std::bit_cast<float>(scale.at[0]);
        const auto firstSum = static_cast<std::int16_t>(scale.at[1] & 0xffffU);
        const auto lastSum = static_cast<std::int16_t>(scale.at[1] >> 16);
        int a = 0, b = 0;
        STEELYARD_UNROLL
        for (int i = 0; i < 4; ++i) {
            a = dotOfBytes(w.q[i], low.at[i], a);
            b = dotOfBytes(w.q[4 + i], high.at[i], b);
        }
        float sum;
        if constexpr (kHalves) {
            sum = w.scale[0] * static_cast<float>(a) + w.scale[1] * static_cast<float>(b) +
                  w.minimum[0] * static_cast<float>(firstSum) + w.minimum[1] * static_cast<float>(lastSum);
        } else {
            sum = w.scale[0] * static_cast<float>(a + b);
            if constexpr (kHasMinimum) sum += w.minimum[0] * static_cast<float>(firstSum + lastSum);
        }
        sums.at[t] += step * sum;
    }
}

// Sums of a row of weights in blocks with the tokens; `row` counts over all matrices. A thread loads several blocks
// before it uses them, to have enough loads in flight.
template <WeightFormat F, int T>
struct BlockRow {
    static constexpr int kTogether = T <= 2 ? 4 : 2;

    template <typename Team>
    STEELYARD_HD_MEMBER static TokenSums<T> sums(const Team& team, const WeightParts& parts, std::int64_t row,
                                                 const TokenRows& x, std::int64_t token, int tokens,
                                                 std::int64_t columns) {
        const std::int64_t blocks = columns / kWeightBlock;
        return team.template reduce<TokenSums<T>>(
            ceilDivided(blocks, std::int64_t{kTogether} * Team::kSize) * Team::kSize,
            [&](TokenSums<T>& part, std::int64_t i) {
                const std::int64_t first = i / Team::kSize * kTogether * Team::kSize + i % Team::kSize;
                WeightBlock w[kTogether];
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u)
                    if (first + u * Team::kSize < blocks)
                        w[u] = readBlock<F>(parts, row * blocks + first + u * Team::kSize);
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u)
                    if (first + u * Team::kSize < blocks)
                        addBlock<F, T>(part, w[u], x, token, tokens, first + u * Team::kSize, blocks);
            },
            AddTokenSums<T>{});
    }
};

// The same for weights that are values, N at a time.
template <typename W, int N, int T>
struct ValueRow {
    static constexpr int kTogether = T <= 2 ? 4 : 1;

    template <typename Team>
    STEELYARD_HD_MEMBER static TokenSums<T> sums(const Team& team, const WeightParts& parts, std::int64_t row,
                                                 const TokenRows& x, std::int64_t token, int tokens,
                                                 std::int64_t columns) {
        const auto* weights = reinterpret_cast<const W*>(parts.quants) + row * columns;
        const std::int64_t packs = columns / N;
        return team.template reduce<TokenSums<T>>(
            ceilDivided(packs, std::int64_t{kTogether} * Team::kSize) * Team::kSize,
            [&](TokenSums<T>& part, std::int64_t i) {
                const std::int64_t first = i / Team::kSize * kTogether * Team::kSize + i % Team::kSize;
                Pack<W, N> w[kTogether];
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u)
                    if (first + u * Team::kSize < packs) w[u] = load<N>(weights + (first + u * Team::kSize) * N);
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u)
                    if (first + u * Team::kSize < packs)
                        addPack(part, w[u], x.values + token * x.stride + (first + u * Team::kSize) * N, x.stride,
                                tokens);
            },
            AddTokenSums<T>{});
    }
    STEELYARD_HD_MEMBER static void addPack(TokenSums<T>& sums, const Pack<W, N>& w, const float* x,
                                            std::int64_t stride, int tokens) {
        constexpr int kN = N < 4 ? N : 4;
        STEELYARD_UNROLL
        for (int t = 0; t < T; ++t) {
            const float* values = x + (t < tokens ? t : 0) * stride;
            STEELYARD_UNROLL
            for (int j = 0; j < N; j += kN) {
                const auto four = load<kN>(values + j);
                STEELYARD_UNROLL
                for (int k = 0; k < kN; ++k) sums.at[t] += toFloat(w.at[j + k]) * four.at[k];
            }
        }
    }
};

struct ProductPart {
    WeightParts parts;
    const float* bias;
    float* y;
    std::int64_t stride, rows;
};

// What the row of a launch stands for.
struct RowPlace {
    std::int64_t slot, row;
};
STEELYARD_HD RowPlace placeOf(std::int64_t row, std::int64_t rowsOfSlot, const ExpertChoice& experts) {
    if (experts.chosen == nullptr) return {0, row};
    const auto [slot, rest] = split(row, rowsOfSlot);
    return {slot, rest};
}

template <typename Row, int T>
struct MultiplyRows {
    ProductPart products[kMostRowProducts];
    int count;
    std::int64_t rowsOfSlot, columns;
    TokenRows x;
    int tokens;
    bool accumulate;
    ExpertChoice experts;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t index) const {
        const auto place = placeOf(index, rowsOfSlot, experts);
        std::int64_t row = place.row;
        int which = 0;
        while (which + 1 < count && row >= products[which].rows) row -= products[which++].rows;
        const auto& product = products[which];
        const bool routed = experts.chosen != nullptr;
        const std::int64_t stored = routed ? experts.chosen[place.slot] * product.rows + row : row;
        const std::int64_t token = routed ? divided(place.slot, experts.slotsPerToken) : 0;
        const auto sums = Row::sums(team, product.parts, stored, x, token, tokens, columns);
        team.once([&] {
            const float bias = product.bias != nullptr ? product.bias[stored] : 0.0F;
            float* y = product.y + place.slot * product.stride + row;
            STEELYARD_UNROLL
            for (int t = 0; t < T; ++t)
                if (t < tokens) {
                    float* to = y + t * product.stride;
                    *to = sums.at[t] + bias + (accumulate ? *to : 0.0F);
                }
        });
    }
};

template <typename Row, int T>
struct MultiplyGated {
    ProductPart gate, up;
    GateFunction function;
    std::int64_t columns;
    TokenRows x;
    int tokens;
    ExpertChoice experts;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t index) const {
        const auto place = placeOf(index, gate.rows, experts);
        const bool routed = experts.chosen != nullptr;
        const std::int64_t stored = routed ? experts.chosen[place.slot] * gate.rows + place.row : place.row;
        const std::int64_t token = routed ? divided(place.slot, experts.slotsPerToken) : 0;
        const auto gates = Row::sums(team, gate.parts, stored, x, token, tokens, columns);
        const auto ups = Row::sums(team, up.parts, stored, x, token, tokens, columns);
        team.once([&] {
            const float gateBias = gate.bias != nullptr ? gate.bias[stored] : 0.0F;
            const float upBias = up.bias != nullptr ? up.bias[stored] : 0.0F;
            float* y = up.y + place.slot * up.stride + place.row;
            STEELYARD_UNROLL
            for (int t = 0; t < T; ++t)
                if (t < tokens) y[t * up.stride] = gated(function, gates.at[t] + gateBias, ups.at[t] + upBias);
        });
    }
};

// Calls f with the row type for a format and number of tokens.
template <int T, typename F>
Status withRow(const StoredWeights& weights, const TokenRows& x, const F& f) {
    if (inBlocks(weights.format))
        return withBlocks(weights.format, [&](auto format) { return f(BlockRow<decltype(format)::value, T>{}); });
    return withValues(weights.format, [&]<typename W>(W) {
        constexpr int kN = kPack<W>;
        if (weights.columns % kN == 0 && x.stride % 4 == 0) return f(ValueRow<W, kN, T>{});
        return f(ValueRow<W, 1, T>{});
    });
}
template <typename F>
Status withTokens(int tokens, const F& f) {
    if (tokens < 1 || tokens > kMostFewTokens) return kInvalidValue;
    if (tokens == 1) return f(std::integral_constant<int, 1>{});
    if (tokens == 2) return f(std::integral_constant<int, 2>{});
    if (tokens <= 4) return f(std::integral_constant<int, 4>{});
    return f(std::integral_constant<int, 8>{});
}

ProductPart partFor(const RowProduct& product) {
    return {partsOf(product.weights), product.bias, product.y, product.stride, product.weights.rows};
}

}  // namespace

Status multiplyRows(Stream stream, std::span<const RowProduct> products, const TokenRows& x, int tokens,
                    bool accumulate, const ExpertChoice& experts) {
    if (products.empty() || products.size() > kMostRowProducts) return kInvalidValue;
    const auto& first = products.front().weights;
    std::int64_t rows = 0;
    for (const auto& product : products) {
        if (product.weights.format != first.format || product.weights.columns != first.columns) return kInvalidValue;
        rows += product.weights.rows;
    }
    return withTokens(tokens, [&](auto count) {
        constexpr int kT = decltype(count)::value;
        return withRow<kT>(first, x, [&]<typename Row>(Row) {
            MultiplyRows<Row, kT> work{};
            for (std::size_t i = 0; i < products.size(); ++i) work.products[i] = partFor(products[i]);
            work.count = static_cast<int>(products.size());
            work.rowsOfSlot = rows;
            work.columns = first.columns;
            work.x = x;
            work.tokens = tokens;
            work.accumulate = accumulate;
            work.experts = experts;
            return teams<32>(stream, experts.chosen != nullptr ? experts.slots * rows : rows, work);
        });
    });
}

Status multiplyGated(Stream stream, const RowProduct& gate, const RowProduct& up, GateFunction function,
                     const TokenRows& x, int tokens, const ExpertChoice& experts) {
    const auto &a = gate.weights, &b = up.weights;
    if (a.format != b.format || a.columns != b.columns || a.rows != b.rows) return kInvalidValue;
    return withTokens(tokens, [&](auto count) {
        constexpr int kT = decltype(count)::value;
        return withRow<kT>(a, x, [&]<typename Row>(Row) {
            const MultiplyGated<Row, kT> work{partFor(gate), partFor(up), function, a.columns, x, tokens, experts};
            return teams<32>(stream, experts.chosen != nullptr ? experts.slots * a.rows : a.rows, work);
        });
    });
}

}  // namespace steelyard::compute::cuda::kernels

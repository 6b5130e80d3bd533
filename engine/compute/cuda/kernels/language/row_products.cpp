// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/row_products.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/language/gate_function.h"
#include "engine/compute/cuda/kernels/language/row_arithmetic.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <int N>
struct TokenSums {
    float at[N];
};
template <int N>
struct AddTokenSums {
    STEELYARD_HD_MEMBER TokenSums<N> operator()(const TokenSums<N>& a, const TokenSums<N>& b) const {
        TokenSums<N> sum;
        STEELYARD_UNROLL
        for (int i = 0; i < N; ++i) sum.at[i] = a.at[i] + b.at[i];
        return sum;
    }
};

// Sums of kRows rows of weights from `row` on with the tokens, [row][token]; rows count over all matrices. A thread
// loads several blocks before it uses them, to have enough loads in flight; rows share what is loaded of the
// activations.
template <WeightFormat F, int T>
struct BlockRow {
    static constexpr int kRows = T >= 4 ? 4 : T;
    static constexpr int kTogether = T == 1 ? 4 : T == 2 ? 2 : 1;
    using Sums = TokenSums<kRows * T>;

    template <typename Team>
    STEELYARD_HD_MEMBER static Sums sums(const Team& team, const WeightParts& parts, std::int64_t row, int rows,
                                         const TokenRows& x, std::int64_t token, int tokens, std::int64_t columns) {
        const std::int64_t blocks = columns / kWeightBlock;
        return team.template reduce<Sums>(
            ceilDivided(blocks, std::int64_t{kTogether} * Team::kSize) * Team::kSize,
            [&](Sums& part, std::int64_t i) {
                const std::int64_t first = i / Team::kSize * kTogether * Team::kSize + i % Team::kSize;
                WeightBlock w[kTogether][kRows];
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u) STEELYARD_UNROLL
                for (int r = 0; r < kRows; ++r)
                    if (first + u * Team::kSize < blocks)
                        w[u][r] = readBlock<F>(parts, (row + (r < rows ? r : 0)) * blocks + first + u * Team::kSize);
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u) {
                    const std::int64_t block = first + u * Team::kSize;
                    if (block >= blocks) continue;
                    STEELYARD_UNROLL
                    for (int t = 0; t < T; ++t) {
                        const std::int64_t at = token + (t < tokens ? t : 0);
                        const std::int8_t* q = x.q + at * columns + block * (kWeightBlock / 2);
                        const auto activations = readActivations(q, q + columns / 2, x.scales + at * blocks + block);
                        STEELYARD_UNROLL
                        for (int r = 0; r < kRows; ++r) part.at[r * T + t] += dotOfBlock<F>(w[u][r], activations);
                    }
                }
            },
            AddTokenSums<kRows * T>{});
    }
};

// The same for weights that are values, N at a time.
template <typename W, int N, int T>
struct ValueRow {
    static constexpr int kRows = T >= 4 ? 4 : 2;
    static constexpr int kTogether = T <= 2 ? 2 : 1;
    using Sums = TokenSums<kRows * T>;

    template <typename Team>
    STEELYARD_HD_MEMBER static Sums sums(const Team& team, const WeightParts& parts, std::int64_t row, int rows,
                                         const TokenRows& x, std::int64_t token, int tokens, std::int64_t columns) {
        const auto* weights = reinterpret_cast<const W*>(parts.quants) + row * columns;
        const std::int64_t packs = columns / N;
        return team.template reduce<Sums>(
            ceilDivided(packs, std::int64_t{kTogether} * Team::kSize) * Team::kSize,
            [&](Sums& part, std::int64_t i) {
                const std::int64_t first = i / Team::kSize * kTogether * Team::kSize + i % Team::kSize;
                Pack<W, N> w[kTogether][kRows];
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u) STEELYARD_UNROLL
                for (int r = 0; r < kRows; ++r)
                    if (first + u * Team::kSize < packs)
                        w[u][r] = load<N>(weights + (r < rows ? r : 0) * columns + (first + u * Team::kSize) * N);
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u) {
                    const std::int64_t pack = first + u * Team::kSize;
                    if (pack >= packs) continue;
                    STEELYARD_UNROLL
                    for (int t = 0; t < T; ++t)
                        addPack(part.at + t, w[u], x.values + (token + (t < tokens ? t : 0)) * x.stride + pack * N);
                }
            },
            AddTokenSums<kRows * T>{});
    }
    // sums[r T] += w[r] . x
    STEELYARD_HD_MEMBER static void addPack(float* sums, const Pack<W, N>* w, const float* x) {
        constexpr int kN = N < 4 ? N : 4;
        STEELYARD_UNROLL
        for (int j = 0; j < N; j += kN) {
            const auto four = load<kN>(x + j);
            STEELYARD_UNROLL
            for (int r = 0; r < kRows; ++r) STEELYARD_UNROLL
            for (int k = 0; k < kN; ++k) sums[r * T] += toFloat(w[r].at[j + k]) * four.at[k];
        }
    }
};

template <typename Row, int T>
struct MultiplyRows {
    ProductPart products[kMostRowProducts];
    int count;
    std::int64_t teamsOfSlot, columns;
    TokenRows x;
    int tokens;
    bool accumulate;
    ExpertChoice experts;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t index) const {
        const bool routed = experts.chosen != nullptr;
        const std::int64_t slot = routed ? divided(index, teamsOfSlot) : 0;
        std::int64_t unit = index - slot * teamsOfSlot;
        int which = 0;
        while (which + 1 < count && unit >= unitsOf(products[which])) unit -= unitsOf(products[which++]);
        const auto& product = products[which];
        const std::int64_t row = unit * Row::kRows, left = product.rows - row;
        const int rows = left < Row::kRows ? static_cast<int>(left) : Row::kRows;
        const std::int64_t stored = routed ? experts.chosen[slot] * product.rows + row : row;
        const std::int64_t token = routed ? divided(slot, experts.slotsPerToken) : 0;
        const auto sums = Row::sums(team, product.parts, stored, rows, x, token, tokens, columns);
        team.once([&] {
            STEELYARD_UNROLL
            for (int r = 0; r < Row::kRows; ++r) {
                if (r >= rows) continue;
                const float bias = product.bias != nullptr ? product.bias[stored + r] : 0.0F;
                float* y = product.y + slot * product.stride + row + r;
                STEELYARD_UNROLL
                for (int t = 0; t < T; ++t)
                    if (t < tokens) {
                        float* to = y + t * product.stride;
                        *to = sums.at[r * T + t] + bias + (accumulate ? *to : 0.0F);
                    }
            }
        });
    }
    STEELYARD_HD_MEMBER static std::int64_t unitsOf(const ProductPart& product) {
        return divided(product.rows + Row::kRows - 1, Row::kRows);
    }
};

template <typename Row, int T>
struct MultiplyGated {
    ProductPart gate, up;
    GateFunction function;
    std::int64_t teamsOfSlot, columns;
    TokenRows x;
    int tokens;
    ExpertChoice experts;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t index) const {
        const bool routed = experts.chosen != nullptr;
        const std::int64_t slot = routed ? divided(index, teamsOfSlot) : 0;
        const std::int64_t row = (index - slot * teamsOfSlot) * Row::kRows, left = gate.rows - row;
        const int rows = left < Row::kRows ? static_cast<int>(left) : Row::kRows;
        const std::int64_t stored = routed ? experts.chosen[slot] * gate.rows + row : row;
        const std::int64_t token = routed ? divided(slot, experts.slotsPerToken) : 0;
        const auto gates = Row::sums(team, gate.parts, stored, rows, x, token, tokens, columns);
        const auto ups = Row::sums(team, up.parts, stored, rows, x, token, tokens, columns);
        team.once([&] {
            STEELYARD_UNROLL
            for (int r = 0; r < Row::kRows; ++r) {
                if (r >= rows) continue;
                const float gateBias = gate.bias != nullptr ? gate.bias[stored + r] : 0.0F;
                const float upBias = up.bias != nullptr ? up.bias[stored + r] : 0.0F;
                float* y = up.y + slot * up.stride + row + r;
                STEELYARD_UNROLL
                for (int t = 0; t < T; ++t)
                    if (t < tokens)
                        y[t * up.stride] = gated(function, gates.at[r * T + t] + gateBias, ups.at[r * T + t] + upBias);
            }
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
}  // namespace

Status multiplyRows(Stream stream, std::span<const RowProduct> products, const TokenRows& x, int tokens,
                    bool accumulate, const ExpertChoice& experts) {
    if (!isRowGroup(products)) return kInvalidValue;
    const auto& first = products.front().weights;
    return withTokens(tokens, [&](auto count) {
        constexpr int kT = decltype(count)::value;
        return withRow<kT>(first, x, [&]<typename Row>(Row) {
            MultiplyRows<Row, kT> work{};
            for (std::size_t i = 0; i < products.size(); ++i) {
                work.products[i] = partFor(products[i]);
                work.teamsOfSlot += ceilDivided(products[i].weights.rows, Row::kRows);
            }
            work.count = static_cast<int>(products.size());
            work.columns = first.columns;
            work.x = x;
            work.tokens = tokens;
            work.accumulate = accumulate;
            work.experts = experts;
            return teams<32>(stream, work.teamsOfSlot * (experts.chosen != nullptr ? experts.slots : 1), work);
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
            const auto units = ceilDivided(a.rows, Row::kRows);
            const MultiplyGated<Row, kT> work{partFor(gate), partFor(up), function, units,
                                              a.columns,     x,           tokens,   experts};
            return teams<32>(stream, units * (experts.chosen != nullptr ? experts.slots : 1), work);
        });
    });
}

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/fused_products.h"

#include "engine/compute/cuda/kernels/execution/execution_phases.h"
#include "engine/compute/cuda/kernels/language/gate_function.h"
#include "engine/compute/cuda/kernels/language/row_arithmetic.h"
#include "engine/compute/cuda/kernels/language/row_outputs.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kFusedThreads = 256;
constexpr int kFusedWarps = kFusedThreads / 32;
constexpr int kResident = 2;                                              // blocks of a multiprocessor
constexpr std::int64_t kSmallShared = 11 << 10, kLargeShared = 44 << 10;  // bytes of activations

std::int64_t activationBytes(const StoredWeights& weights, std::int64_t tokens) {
    if (!inBlocks(weights.format)) return tokens * weights.columns * 4;
    return tokens *
           (weights.columns + weights.columns / kWeightBlock * static_cast<std::int64_t>(sizeof(ActivationScale)));
}

// In 8 bits: the first halves of all blocks, the last halves, and the scales; or Float32.
template <int T, std::int64_t Bytes>
struct FusedShared {
    alignas(16) unsigned char activations[Bytes];
    float squares[T][kFusedWarps];
};
template <int Sums, int T>
struct FusedState {
    float sums[Sums * T];
    float squares[T];
};

// Weights in blocks: T tokens of `columns` in shared memory.
template <WeightFormat F, int T>
struct FusedBlocks {
    static constexpr int kTogether = T == 1 ? 2 : 1, kGatedTogether = 1;  // units of a row in flight
    static constexpr int kChunkSize = kQuantisedChunk;

    STEELYARD_HD_MEMBER static std::int64_t units(std::int64_t columns) { return columns / kWeightBlock; }
    STEELYARD_HD_MEMBER static void put(unsigned char* activations, const Chunk<kChunkSize>& values, int token,
                                        std::int64_t chunk, std::int64_t columns) {
        auto* q = reinterpret_cast<std::int8_t*>(activations) + token * columns + chunk * (kWeightBlock / 2);
        auto* scales = reinterpret_cast<ActivationScale*>(activations + T * columns);
        writeQuantised(q, q + columns / 2, scales + token * (columns / kWeightBlock) + chunk, values);
    }
    using Weights = WeightBlock;
    STEELYARD_HD_MEMBER static Weights read(const WeightParts& parts, std::int64_t row, std::int64_t unit,
                                            std::int64_t columns) {
        return readBlock<F>(parts, row * (columns / kWeightBlock) + unit);
    }
    // sums[r T + t] += w[r] . x[t]
    template <int Rows>
    STEELYARD_HD_MEMBER static void add(float* sums, const Weights* w, const unsigned char* activations,
                                        std::int64_t unit, std::int64_t columns) {
        const auto* q = reinterpret_cast<const std::int8_t*>(activations) + unit * (kWeightBlock / 2);
        const auto* scales = reinterpret_cast<const ActivationScale*>(activations + T * columns) + unit;
        STEELYARD_UNROLL
        for (int t = 0; t < T; ++t) {
            const auto x =
                readActivations(q + t * columns, q + t * columns + columns / 2, scales + t * (columns / kWeightBlock));
            STEELYARD_UNROLL
            for (int r = 0; r < Rows; ++r) sums[r * T + t] += dotOfBlock<F>(w[r], x);
        }
    }
    STEELYARD_HD_MEMBER static std::int64_t rowBytes(std::int64_t columns) {
        return kInNibbles<F> ? columns / 2 : columns;
    }
};

// Weights that are values, in packs of 16 bytes.
template <typename W, int T>
struct FusedValues {
    static constexpr int kTogether = T <= 2 ? 4 : 2, kGatedTogether = T <= 2 ? 2 : 1;  // units of a row in flight
    static constexpr int kN = kPack<W>;
    static constexpr int kChunkSize = kPlainChunk;

    STEELYARD_HD_MEMBER static std::int64_t units(std::int64_t columns) { return columns / kN; }
    STEELYARD_HD_MEMBER static void put(unsigned char* activations, const Chunk<kChunkSize>& values, int token,
                                        std::int64_t chunk, std::int64_t columns) {
        auto* to = reinterpret_cast<float*>(activations) + token * columns + chunk * kChunkSize;
        Pack<float, 4> four;
        STEELYARD_UNROLL
        for (int k = 0; k < 4; ++k) four.at[k] = values.at[k];
        *reinterpret_cast<Pack<float, 4>*>(to) = four;
    }
    using Weights = Pack<W, kN>;
    STEELYARD_HD_MEMBER static Weights read(const WeightParts& parts, std::int64_t row, std::int64_t unit,
                                            std::int64_t columns) {
        return load<kN>(reinterpret_cast<const W*>(parts.quants) + row * columns + unit * kN);
    }
    template <int Rows>
    STEELYARD_HD_MEMBER static void add(float* sums, const Weights* w, const unsigned char* activations,
                                        std::int64_t unit, std::int64_t columns) {
        STEELYARD_UNROLL
        for (int t = 0; t < T; ++t) {
            const float* x = reinterpret_cast<const float*>(activations) + t * columns + unit * kN;
            STEELYARD_UNROLL
            for (int j = 0; j < kN; j += 4) {
                const auto four = load<4>(x + j);
                STEELYARD_UNROLL
                for (int r = 0; r < Rows; ++r) STEELYARD_UNROLL
                for (int k = 0; k < 4; ++k) sums[r * T + t] += toFloat(w[r].at[j + k]) * four.at[k];
            }
        }
    }
    STEELYARD_HD_MEMBER static std::int64_t rowBytes(std::int64_t columns) {
        return columns * static_cast<std::int64_t>(sizeof(W));
    }
};

// A warp computes kRows rows of the products, counted over all of them, or kRows of both the gate and the up product.
template <typename Weights, int T, bool Gated>
struct FusedProduct {
    static constexpr int kRows = 2;
    static constexpr int kSums = Gated ? 2 * kRows : kRows;
    static constexpr int kTogether = Gated ? Weights::kGatedTogether : Weights::kTogether;
    using State = FusedState<kSums, T>;

    ProductPart products[kMostRowProducts];  // gated: gate, up
    int count;
    std::int64_t rows;    // of all products; gated: of one
    std::int64_t blocks;  // of the launch
    RmsRows in;
    GateFunction function;
    bool accumulate;

    struct Place {
        int product;
        std::int64_t row;
    };
    // Of sum `k` of the warp whose first row is `first`.
    STEELYARD_HD_MEMBER Place placeOf(std::int64_t first, int k) const {
        if constexpr (Gated) return {k / kRows, lesser(first + k % kRows, rows - 1)};
        std::int64_t row = lesser(first + k, rows - 1);
        int which = 0;
        while (which + 1 < count && row >= products[which].rows) row -= products[which++].rows;
        return {which, row};
    }
    STEELYARD_HD_MEMBER static std::int64_t lesser(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
    STEELYARD_HD_MEMBER static std::int64_t firstRow(std::int64_t block, int thread) {
        return (block * kFusedWarps + thread / 32) * kRows;
    }

#if defined(__CUDACC__)
    // Weights do not depend on earlier kernels.
    __device__ void prefetch(std::int64_t block, int thread) const {
        const std::int64_t first = firstRow(block, thread), bytes = Weights::rowBytes(in.columns);
        if (first >= rows) return;
#pragma unroll
        for (int k = 0; k < kSums; ++k) {
            const auto place = placeOf(first, k);
            const auto* row = products[place.product].parts.quants + place.row * bytes;
            for (std::int64_t at = thread % 32 * 128; at < bytes; at += 32 * 128)
                asm volatile("prefetch.global.L2 [%0];" ::"l"(row + at));
        }
    }
#endif

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const std::int64_t columns = in.columns;
        const RmsRows& how = in;
        const auto tokens = static_cast<int>(in.rows);
        constexpr int kN = Weights::kChunkSize;
        const std::int64_t chunks = columns / kN;
        if (in.scale != nullptr) {
            phases.run([&](int thread, auto& state, auto&) {
                STEELYARD_UNROLL
                for (int t = 0; t < T; ++t) {
                    state.squares[t] = 0;
                    if (t >= tokens) continue;
                    const float* x = how.x + (how.first + t * how.step) * columns;
                    for (std::int64_t chunk = thread; chunk < columns / kPlainChunk; chunk += kFusedThreads) {
                        const auto values = readChunk<kPlainChunk>(x, chunk, columns);
                        STEELYARD_UNROLL
                        for (int j = 0; j < kPlainChunk; ++j) state.squares[t] += values.at[j] * values.at[j];
                    }
                }
            });
            phases.template addWarps<T>([](auto& state) { return state.squares; });
            phases.run([&](int thread, auto& state, auto& shared) {
                if (thread % 32 != 0) return;
                STEELYARD_UNROLL
                for (int t = 0; t < T; ++t) shared.squares[t][thread / 32] = state.squares[t];
            });
        }
        // The chunks of all tokens; those beyond the last token repeat the first.
        phases.run([&](int thread, auto&, auto& shared) {
            for (std::int64_t item = thread; item < T * chunks; item += kFusedThreads) {
                const auto place = split(item, chunks);
                const auto t = static_cast<int>(place.quotient), read = t < tokens ? t : 0;
                auto values = readChunk<kN>(how.x + (how.first + read * how.step) * columns, place.rest, columns);
                if (how.scale != nullptr) {
                    float sum = 0;
                    STEELYARD_UNROLL
                    for (int w = 0; w < kFusedWarps; ++w) sum += shared.squares[read][w];
                    const float inverse = 1.0F / std::sqrt(sum / static_cast<float>(columns) + how.epsilon);
                    const auto factors = readChunk<kN>(how.scale, place.rest, columns);
                    STEELYARD_UNROLL
                    for (int j = 0; j < kN; ++j) values.at[j] *= inverse * factors.at[j];
                }
                Weights::put(shared.activations, values, t, place.rest, columns);
            }
        });
        for (std::int64_t part = block; firstRow(part, 0) < rows; part += blocks) multiply(phases, part);
    }

    template <typename Phases>
    STEELYARD_HD_MEMBER void multiply(Phases& phases, std::int64_t block) const {
        const std::int64_t columns = in.columns;
        const auto tokens = static_cast<int>(in.rows);
        phases.runFreely([&](int thread, auto& state, auto& shared) {
            STEELYARD_UNROLL
            for (int i = 0; i < kSums * T; ++i) state.sums[i] = 0;
            const std::int64_t first = firstRow(block, thread), units = Weights::units(columns);
            if (first >= rows) return;
            Place places[kSums];
            STEELYARD_UNROLL
            for (int k = 0; k < kSums; ++k) places[k] = placeOf(first, k);
            for (std::int64_t unit = thread % 32; unit < units; unit += 32 * kTogether) {
                typename Weights::Weights w[kTogether][kSums];
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u) STEELYARD_UNROLL
                for (int k = 0; k < kSums; ++k)
                    if (unit + 32 * u < units)
                        w[u][k] =
                            Weights::read(products[places[k].product].parts, places[k].row, unit + 32 * u, columns);
                STEELYARD_UNROLL
                for (int u = 0; u < kTogether; ++u)
                    if (unit + 32 * u < units)
                        Weights::template add<kSums>(state.sums, w[u], shared.activations, unit + 32 * u, columns);
            }
        });
        phases.template addWarps<kSums * T>([](auto& state) { return state.sums; });
        phases.runFreely([&](int thread, auto& state, auto&) {
            const std::int64_t first = firstRow(block, thread);
            if (thread % 32 != 0) return;
            STEELYARD_UNROLL
            for (int k = 0; k < kRows; ++k) {
                if (first + k >= rows) continue;
                const auto place = placeOf(first, k);
                const auto& product = products[Gated ? 1 : place.product];
                const float bias = biasOf(place.product, place.row);
                STEELYARD_UNROLL
                for (int t = 0; t < T; ++t) {
                    if (t >= tokens) continue;
                    float* to = product.y + t * product.stride + place.row;
                    const float sum = state.sums[k * T + t] + bias;
                    if constexpr (Gated)
                        *to = gated(function, sum, state.sums[(kRows + k) * T + t] + biasOf(1, place.row));
                    else
                        *to = accumulate ? *to + sum : sum;
                }
            }
        });
    }
    STEELYARD_HD_MEMBER float biasOf(int product, std::int64_t row) const {
        return products[product].bias != nullptr ? products[product].bias[row] : 0.0F;
    }
};

template <typename Weights, int T, bool Gated>
Status launchFused(Stream stream, FusedProduct<Weights, T, Gated> work, std::int64_t bytes, std::int64_t mostBlocks) {
    using Product = FusedProduct<Weights, T, Gated>;
    const auto parts = ceilDivided(work.rows, std::int64_t{kFusedWarps} * Product::kRows);
    work.blocks = parts < mostBlocks ? parts : mostBlocks;
    if (bytes <= kSmallShared)
        return phased<kFusedThreads, typename Product::State, FusedShared<T, kSmallShared>, kResident>(
            stream, work.blocks, work);
    return phased<kFusedThreads, typename Product::State, FusedShared<T, kLargeShared>, kResident>(stream, work.blocks,
                                                                                                   work);
}

template <bool Gated>
Status fused(Stream stream, std::span<const RowProduct> products, GateFunction function, const RmsRows& x,
             bool accumulate, std::int64_t mostBlocks) {
    if (!isRowGroup(products) || mostBlocks < 1) return kInvalidValue;
    const auto& first = products.front().weights;
    if (!canFuse(first, x.rows) || x.columns != first.columns) return kInvalidValue;
    return withTokens(static_cast<int>(x.rows), [&](auto count) {
        constexpr int kT = decltype(count)::value;
        const auto run = [&]<typename Weights>(Weights) {
            FusedProduct<Weights, kT, Gated> work{};
            for (std::size_t i = 0; i < products.size(); ++i) {
                work.products[i] = partFor(products[i]);
                work.rows += products[i].weights.rows;
            }
            if (Gated) work.rows = first.rows;
            work.count = static_cast<int>(products.size());
            work.in = x;
            work.function = function;
            work.accumulate = accumulate;
            return launchFused(stream, work, activationBytes(first, kT), mostBlocks);
        };
        if (inBlocks(first.format))
            return withBlocks(first.format,
                              [&](auto format) { return run(FusedBlocks<decltype(format)::value, kT>{}); });
        return withValues(first.format, [&]<typename W>(W) { return run(FusedValues<W, kT>{}); });
    });
}

}  // namespace

bool canFuse(const StoredWeights& weights, std::int64_t tokens) {
    std::int64_t rounded = 1;
    while (rounded < tokens) rounded *= 2;
    return tokens >= 1 && tokens <= kMostFewTokens && weights.count == 1 && weights.columns % kWeightBlock == 0 &&
           activationBytes(weights, rounded) <= kLargeShared;
}

Status fusedRows(Stream stream, std::span<const RowProduct> products, const RmsRows& x, bool accumulate,
                 std::int64_t mostBlocks) {
    return fused<false>(stream, products, GateFunction::Silu, x, accumulate, mostBlocks);
}

Status fusedGated(Stream stream, const RowProduct& gate, const RowProduct& up, GateFunction function, const RmsRows& x,
                  std::int64_t mostBlocks) {
    if (gate.weights.rows != up.weights.rows) return kInvalidValue;
    const RowProduct both[]{gate, up};
    return fused<true>(stream, both, function, x, false, mostBlocks);
}

}  // namespace steelyard::compute::cuda::kernels

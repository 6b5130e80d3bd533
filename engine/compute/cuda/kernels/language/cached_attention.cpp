// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/cached_attention.h"

#include "engine/compute/cuda/kernels/execution/execution_phases.h"
#include "engine/compute/cuda/kernels/language/row_outputs.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kThreads = 128;
constexpr int kElements = 8;     // of a head, per thread
constexpr int kMostQueries = 8;  // heads of a group per block
constexpr int kTogether = 4;     // loads of a thread in flight
constexpr int kSplitUnit = 64;   // least positions of a split
constexpr float kNone = -3e38F;  // below any score

// Positions that a token sees, [first, last], and how many splits they fill.
struct Seen {
    std::int64_t first, count, splits, perSplit;
};
STEELYARD_HD Seen seenBy(std::int64_t position, std::int64_t window, std::int64_t splits) {
    const std::int64_t first = window > 0 && position + 1 > window ? position + 1 - window : 0;
    const std::int64_t count = position + 1 - first;
    const std::int64_t most = divided(count + kSplitUnit - 1, kSplitUnit);
    const std::int64_t used = most < splits ? most : splits;
    return {first, count, used, divided(count + used - 1, used)};
}

STEELYARD_HD float capped(float score, float cap) {
    return cap > 0 ? cap * std::tanh(score / cap) : score;
}

// Queries: heads of a group that a block processes together.
template <int Queries>
struct SplitShared {
    float queries[Queries * kMostHeadDimension];
    float scores[Queries][kPositionsPerTile];
    float partMaxima[Queries][16], partSums[Queries][16];
    float maxima[Queries], sums[Queries], factors[Queries];
    float mixed[kThreads * Queries * kElements];
};
template <int Queries>
struct SplitState {
    float mixed[Queries][kElements];
};

template <typename T, int Queries>
struct SplitAttention {
    const float* queries;
    TokenPositions positions;
    KvCache cache;
    AttentionForm form;
    AttentionParts parts;
    std::int64_t group, chunks;  // heads of a group, and blocks for them

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const auto [rest, splitIndex] = split(block, parts.splits);
        const auto [rest2, chunk] = split(rest, chunks);
        const auto [token, kvHead] = split(rest2, cache.heads);
        const auto [sequence, step] = split(token, positions.run);
        const std::int64_t dimension = cache.headDimension;
        const auto seen = seenBy(*positions.first + step, form.window, parts.splits);
        if (splitIndex >= seen.splits) return;
        const std::int64_t begin = seen.first + splitIndex * seen.perSplit;
        const std::int64_t seenEnd = seen.first + seen.count;
        const std::int64_t end = begin + seen.perSplit < seenEnd ? begin + seen.perSplit : seenEnd;
        const std::int64_t firstHead = kvHead * group + chunk * Queries;
        const int used = static_cast<int>(group - chunk * Queries < Queries ? group - chunk * Queries : Queries);
        const std::int64_t base = ((positions.sequence + sequence) * cache.heads + kvHead) * cache.slots;
        const T* keys = static_cast<const T*>(cache.keys) + base * dimension;
        const T* values = static_cast<const T*>(cache.values) + base * dimension;
        const int perRow = static_cast<int>(dimension / kElements), groups = kThreads / perRow;
        const std::int64_t slots = cache.slots, tokenOffset = token, blockOffset = splitIndex;
        const AttentionForm& how = form;
        const AttentionParts& out = parts;
        const float* from = queries + (token * form.heads + firstHead) * dimension;

        phases.run([&](int thread, auto& state, auto& shared) {
            for (std::int64_t i = thread; i < used * dimension; i += kThreads) shared.queries[i] = from[i];
            if (thread < Queries) {
                shared.maxima[thread] = kNone;
                shared.sums[thread] = 0;
            }
            STEELYARD_UNROLL
            for (int q = 0; q < Queries; ++q) STEELYARD_UNROLL
            for (int e = 0; e < kElements; ++e) state.mixed[q][e] = 0;
        });
        for (std::int64_t tile = begin; tile < end; tile += kPositionsPerTile) {
            const int count = static_cast<int>(end - tile < kPositionsPerTile ? end - tile : kPositionsPerTile);
            phases.run([&](int thread, auto&, auto& shared) {  // scores: a thread for each position
                float scores[Queries];
                STEELYARD_UNROLL
                for (int q = 0; q < Queries; ++q) scores[q] = 0;
                if (thread < count) {
                    const T* key = keys + split(tile + thread, slots).rest * dimension;
                    // Several loads in flight.
                    for (int d = 0; d < dimension; d += kTogether * kElements) {
                        float k[kTogether][kElements];
                        STEELYARD_UNROLL
                        for (int u = 0; u < kTogether; ++u)
                            if (d + u * kElements < dimension) readElements(key + d + u * kElements, k[u]);
                        STEELYARD_UNROLL
                        for (int u = 0; u < kTogether; ++u) {
                            if (d + u * kElements >= dimension) continue;
                            STEELYARD_UNROLL
                            for (int q = 0; q < Queries; ++q) {
                                const float* query = shared.queries + q * dimension + d + u * kElements;
                                STEELYARD_UNROLL
                                for (int e = 0; e < kElements; ++e) scores[q] += k[u][e] * query[e];
                            }
                        }
                    }
                }
                STEELYARD_UNROLL
                for (int q = 0; q < Queries; ++q)
                    shared.scores[q][thread] =
                        thread < count && q < used ? capped(scores[q] * how.scale, how.softCap) : kNone;
            });
            phases.run([&](int thread, auto&, auto& shared) {
                for (int i = thread; i < Queries * 16; i += kThreads) {
                    const int q = i / 16, j = i % 16;
                    float highest = kNone;
                    for (int k = j; k < kPositionsPerTile; k += 16) highest = larger(highest, shared.scores[q][k]);
                    shared.partMaxima[q][j] = highest;
                }
            });
            phases.run([&](int thread, auto&, auto& shared) {
                for (int i = thread; i < Queries * 16; i += kThreads) {
                    const int q = i / 16, j = i % 16;
                    float highest = shared.maxima[q];
                    for (int k = 0; k < 16; ++k) highest = larger(highest, shared.partMaxima[q][k]);
                    float sum = 0;
                    for (int k = j; k < kPositionsPerTile; k += 16) {
                        const float score = shared.scores[q][k];
                        const float weight = score > kNone ? exponential<float>(score - highest) : 0.0F;
                        shared.scores[q][k] = weight;
                        sum += weight;
                    }
                    shared.partSums[q][j] = sum;
                }
            });
            phases.run([&](int thread, auto&, auto& shared) {
                if (thread >= Queries) return;
                float highest = shared.maxima[thread], sum = 0;
                for (int k = 0; k < 16; ++k) {
                    highest = larger(highest, shared.partMaxima[thread][k]);
                    sum += shared.partSums[thread][k];
                }
                const float factor =
                    shared.maxima[thread] > kNone ? exponential<float>(shared.maxima[thread] - highest) : 0.0F;
                shared.factors[thread] = factor;
                shared.sums[thread] = shared.sums[thread] * factor + sum;
                shared.maxima[thread] = highest;
            });
            phases.run([&](int thread, auto& state, auto& shared) {  // values: a thread for 8 elements, every groups-th
                STEELYARD_UNROLL
                for (int q = 0; q < Queries; ++q) STEELYARD_UNROLL
                for (int e = 0; e < kElements; ++e) state.mixed[q][e] *= shared.factors[q];
                if (thread >= groups * perRow) return;
                const int part = thread % perRow;
                for (int p = thread / perRow; p < count; p += kTogether * groups) {
                    float v[kTogether][kElements];
                    STEELYARD_UNROLL
                    for (int u = 0; u < kTogether; ++u)
                        if (p + u * groups < count)
                            readElements(
                                values + split(tile + p + u * groups, slots).rest * dimension + part * kElements, v[u]);
                    STEELYARD_UNROLL
                    for (int u = 0; u < kTogether; ++u) {
                        if (p + u * groups >= count) continue;
                        STEELYARD_UNROLL
                        for (int q = 0; q < Queries; ++q) {
                            const float weight = shared.scores[q][p + u * groups];
                            STEELYARD_UNROLL
                            for (int e = 0; e < kElements; ++e) state.mixed[q][e] += weight * v[u][e];
                        }
                    }
                }
            });
        }
        phases.run([&](int thread, auto& state, auto& shared) {
            if (thread >= groups * perRow) return;
            STEELYARD_UNROLL
            for (int q = 0; q < Queries; ++q) STEELYARD_UNROLL
            for (int e = 0; e < kElements; ++e)
                shared.mixed[(thread / perRow * Queries + q) * dimension + thread % perRow * kElements + e] =
                    state.mixed[q][e];
        });
        phases.run([&](int thread, auto&, auto& shared) {
            for (std::int64_t i = thread; i < used * dimension; i += kThreads) {
                const auto [q, d] = split(i, dimension);
                float sum = 0;
                for (int g = 0; g < groups; ++g) sum += shared.mixed[(g * Queries + q) * dimension + d];
                const std::int64_t row = (tokenOffset * how.heads + firstHead + q) * out.splits + blockOffset;
                out.mixed[row * dimension + d] = sum;
                if (d == 0) {
                    out.maxima[row] = shared.maxima[q];
                    out.sums[row] = shared.sums[q];
                }
            }
        });
    }

    STEELYARD_HD_MEMBER static float larger(float a, float b) { return a > b ? a : b; }
    STEELYARD_HD_MEMBER static void readElements(const T* from, float* to) {
        constexpr int kN = kPack<T> < kElements ? kPack<T> : kElements;
        STEELYARD_UNROLL
        for (int i = 0; i < kElements; i += kN) {
            const auto pack = load<kN>(from + i);
            STEELYARD_UNROLL
            for (int k = 0; k < kN; ++k) to[i + k] = toFloat(pack.at[k]);
        }
    }
};

struct LargestOf {
    float value;
};
struct MaximumOfParts {
    STEELYARD_HD_MEMBER LargestOf operator()(const LargestOf& a, const LargestOf& b) const {
        return {a.value > b.value ? a.value : b.value};
    }
};

// A row is a head of a token.
struct CombineAttention {
    AttentionParts parts;
    TokenPositions positions;
    std::int64_t dimension;
    AttentionForm form;
    RowOutputs to;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const auto [token, head] = split(row, form.heads);
        const auto seen = seenBy(*positions.first + split(token, positions.run).rest, form.window, parts.splits);
        const std::int64_t first = row * parts.splits;
        float highest = form.sinks != nullptr ? form.sinks[head] : kNone;
        for (std::int64_t s = 0; s < seen.splits; ++s) {
            const float maximum = parts.maxima[first + s];
            highest = maximum > highest ? maximum : highest;
        }
        float sum = form.sinks != nullptr ? std::exp(form.sinks[head] - highest) : 0.0F;
        for (std::int64_t s = 0; s < seen.splits; ++s)
            sum += std::exp(parts.maxima[first + s] - highest) * parts.sums[first + s];
        float* values = to.values + row * dimension;
        const float high = highest, inverse = 1.0F / sum;
        team.each(dimension, [&](std::int64_t d) {
            float value = 0;
            for (std::int64_t s = 0; s < seen.splits; ++s)
                value += std::exp(parts.maxima[first + s] - high) * parts.mixed[(first + s) * dimension + d];
            values[d] = value * inverse;
        });
        if (to.q == nullptr) return;
        // Each thread reads what it has written.
        for (std::int64_t chunk = 0; chunk < dimension / kWeightBlock; ++chunk) {
            const float* block = values + chunk * kWeightBlock;
            const std::int64_t at = row * (dimension / kWeightBlock) + chunk;
            const auto largest = team.template reduce<LargestOf>(
                kWeightBlock, [&](LargestOf& part, std::int64_t i) { part.value = std::fabs(block[i]); },
                MaximumOfParts{});
            const float blockStep = largest.value / 127.0F, factor = blockStep > 1e-30F ? 1.0F / blockStep : 0.0F;
            std::int8_t* q = to.q + at * kWeightBlock;
            const auto sums = team.template reduce<HalfSums>(
                kWeightBlock,
                [&](HalfSums& part, std::int64_t i) {
                    const int level = static_cast<int>(std::rint(block[i] * factor));
                    q[i] = static_cast<std::int8_t>(level);
                    part.at[i / 16] = level;
                },
                AddHalfSums{});
            team.once([&] {
                to.scales[at] = {blockStep,
                                 {static_cast<std::int16_t>(sums.at[0]), static_cast<std::int16_t>(sums.at[1])}};
            });
        }
    }
    struct HalfSums {
        std::int32_t at[2];
    };
    struct AddHalfSums {
        STEELYARD_HD_MEMBER HalfSums operator()(const HalfSums& a, const HalfSums& b) const {
            return {{a.at[0] + b.at[0], a.at[1] + b.at[1]}};
        }
    };
};

// Sum of the exponentials of some scores, less the highest of them; a sum of 0: of none.
struct ScoreSum {
    float highest, sum;
};
struct JoinScores {
    STEELYARD_HD_MEMBER ScoreSum operator()(const ScoreSum& a, const ScoreSum& b) const {
        if (a.sum == 0) return b;
        if (b.sum == 0) return a;
        if (a.highest >= b.highest) return {a.highest, a.sum + b.sum * exponential<float>(b.highest - a.highest)};
        return {b.highest, b.sum + a.sum * exponential<float>(a.highest - b.highest)};
    }
};

template <typename T>
struct MaskedSoftmax {
    ScoreRows rows;
    TokenPositions positions;
    AttentionForm form;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const auto [head, step] = split(row, positions.run);
        const std::int64_t position = *positions.first + step, last = *positions.first + positions.run - 1;
        const std::int64_t first = form.window > 0 && position + 1 > form.window ? position + 1 - form.window : 0;
        const float* scores = rows.scores + row * rows.columns;
        T* weights = static_cast<T*>(rows.weights) + row * rows.columns;
        const std::int64_t slots = rows.slots, lastSlot = split(last, slots).rest;
        // The position in a slot is the latest one, up to the last token of the run.
        const auto scoreOf = [&](std::int64_t slot) {
            const std::int64_t behind = lastSlot >= slot ? lastSlot - slot : lastSlot - slot + slots;
            const std::int64_t at = last - behind;
            return at >= first && at <= position ? capped(scores[slot] * form.scale, form.softCap) : kNone;
        };
        const auto own = team.template reduce<ScoreSum>(
            rows.columns,
            [&](ScoreSum& part, std::int64_t i) {
                const float score = scoreOf(i);
                if (score > kNone) part = JoinScores{}(part, {score, 1.0F});
            },
            JoinScores{});
        const auto all = form.sinks != nullptr ? JoinScores{}(own, {form.sinks[rows.firstHead + head], 1.0F}) : own;
        const float highest = all.highest, inverse = 1.0F / all.sum;
        team.each(rows.columns, [&](std::int64_t i) {
            const float score = scoreOf(i);
            weights[i] = fromFloat<T>(score > kNone ? exponential<float>(score - highest) * inverse : 0.0F);
        });
    }
};

struct GatherHeads {
    const float* mixed;
    std::int64_t tokens, heads, dimension;
    float* to;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, element] = split(i, dimension);
        const auto [token, head] = split(row, heads);
        to[i] = mixed[(head * tokens + token) * dimension + element];
    }
};

template <typename T, int Queries>
Status runSplit(Stream stream, const float* queries, const TokenPositions& positions, const KvCache& cache,
                const AttentionForm& form, const AttentionParts& parts) {
    const auto group = form.heads / cache.heads, chunks = ceilDivided(group, Queries);
    return phased<kThreads, SplitState<Queries>, SplitShared<Queries>>(
        stream, positions.tokens * cache.heads * chunks * parts.splits,
        SplitAttention<T, Queries>{queries, positions, cache, form, parts, group, chunks});
}

}  // namespace

bool canSplit(const KvCache& cache) {
    return cache.headDimension % kElements == 0 && cache.headDimension <= kMostHeadDimension;
}

Status splitAttention(Stream stream, const float* queries, const TokenPositions& positions, const KvCache& cache,
                      const AttentionForm& form, const AttentionParts& parts) {
    if (!canSplit(cache) || form.heads % cache.heads != 0 || cache.type == ElementType::Bf16) return kInvalidValue;
    const auto group = form.heads / cache.heads;
    const auto run = [&]<typename T>(T) {
        if (group <= 1) return runSplit<T, 1>(stream, queries, positions, cache, form, parts);
        if (group <= 2) return runSplit<T, 2>(stream, queries, positions, cache, form, parts);
        if (group <= 4) return runSplit<T, 4>(stream, queries, positions, cache, form, parts);
        return runSplit<T, kMostQueries>(stream, queries, positions, cache, form, parts);
    };
    return cache.type == ElementType::F16 ? run(Half{}) : run(float{});
}

Status combineAttention(Stream stream, const AttentionParts& parts, const TokenPositions& positions,
                        const KvCache& cache, const AttentionForm& form, const RowOutputs& to) {
    if (to.values == nullptr || (to.q != nullptr && cache.headDimension % kWeightBlock != 0)) return kInvalidValue;
    return teams<32>(stream, positions.tokens * form.heads,
                     CombineAttention{parts, positions, cache.headDimension, form, to});
}

Status maskedSoftmax(Stream stream, const ScoreRows& rows, const TokenPositions& positions, const AttentionForm& form) {
    constexpr std::int64_t kColumnsOfWarp = 1024;
    return withType(rows.type, [&]<typename T>(T) {
        const MaskedSoftmax<T> work{rows, positions, form};
        if (rows.columns <= kColumnsOfWarp) return teams<32>(stream, rows.heads * positions.run, work);
        return teams<256>(stream, rows.heads * positions.run, work);
    });
}

Status gatherHeads(Stream stream, const float* mixed, std::int64_t tokens, std::int64_t heads,
                   std::int64_t headDimension, float* to) {
    return elements(stream, tokens * heads * headDimension, GatherHeads{mixed, tokens, heads, headDimension, to});
}

}  // namespace steelyard::compute::cuda::kernels

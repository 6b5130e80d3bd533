// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/cached_attention.h"

#include "engine/compute/cuda/kernels/execution/execution_phases.h"
#include "engine/compute/cuda/kernels/language/row_outputs.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kElements = 8;     // of a head, per thread
constexpr int kMostQueries = 4;  // heads of a group per block
constexpr int kTogether = 8;     // loads of a thread in flight
constexpr int kSplitUnit = 256;  // least positions of a split
constexpr float kNone = -3e38F;  // below any score

// Positions that a token sees, `count` from `first` on, and how many splits they fill.
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
    float key[kMostHeadDimension];  // of the own token
};
constexpr int kWarps = kThreads / 32;
template <int Queries>
struct SplitState {
    static constexpr int kTurned = (Queries + kWarps) / kWarps;  // rows that a warp normalises: queries and the key
    float mixed[Queries][kElements];
    float squares[kTurned];
};

template <typename T, int Queries>
struct SplitAttention {
    const float* queries;
    TokenPositions positions;
    KvCache cache;
    AttentionForm form;
    AttentionParts parts;
    HeadRows own;                // rotated and stored here, if `own.queries`
    float* to;                   // [token][heads x head dimension]
    std::int64_t group, chunks;  // heads of a group, and blocks for them

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const auto bySplit = split(block, parts.splits);
        const auto byChunk = split(bySplit.quotient, chunks);
        const auto byHead = split(byChunk.quotient, cache.heads);
        const auto bySequence = split(byHead.quotient, positions.run);
        const std::int64_t rest = bySplit.quotient, splitIndex = bySplit.rest, chunk = byChunk.rest;
        const std::int64_t token = byHead.quotient, kvHead = byHead.rest;
        const std::int64_t sequence = bySequence.quotient, step = bySequence.rest;
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

        // The block with the last positions stores the own key and value. So does each block for further heads of a
        // group, since it reads them: the same bytes.
        const bool stores = own.queries != nullptr && splitIndex == seen.splits - 1;
        const HeadRows& turned = own;
        float* result = to + (token * form.heads + firstHead) * dimension;
        const bool alone = seen.splits == 1;
        const std::int64_t ownSlot = (base + split(seenEnd - 1, slots).rest) * dimension;
        const float* ownKey = stores ? own.keys + (token * cache.heads + kvHead) * dimension : nullptr;
        const float* ownValue = stores ? own.values + (token * cache.heads + kvHead) * dimension : nullptr;
        const float* cosines = own.table != nullptr ? own.table + token * own.pairs * 2 : nullptr;
        T* storedKey = static_cast<T*>(cache.keys) + ownSlot;
        T* storedValue = static_cast<T*>(cache.values) + ownSlot;
        phases.run([&](int thread, auto& state, auto& shared) {
            for (std::int64_t i = thread; i < used * dimension; i += kThreads) shared.queries[i] = from[i];
            if (stores)
                for (std::int64_t i = thread; i < dimension; i += kThreads) {
                    shared.key[i] = ownKey[i];
                    storedValue[i] = fromFloat<T>(ownValue[i]);
                }
            if (thread < Queries) {
                shared.maxima[thread] = kNone;
                shared.sums[thread] = 0;
            }
            STEELYARD_UNROLL
            for (int q = 0; q < Queries; ++q) STEELYARD_UNROLL
            for (int e = 0; e < kElements; ++e) state.mixed[q][e] = 0;
        });
        if (own.queries != nullptr) {
            // Row r, a query or the key after them, belongs to warp r mod kWarps.
            const int rows = used + (stores ? 1 : 0);
            if (own.queryNorm != nullptr || own.keyNorm != nullptr) {
                phases.run([&](int thread, auto& state, auto& shared) {
                    STEELYARD_UNROLL
                    for (int k = 0; k < SplitState<Queries>::kTurned; ++k) {
                        const int r = thread / 32 + k * kWarps;
                        state.squares[k] = 0;
                        if (r >= rows) continue;
                        const float* x = r < used ? shared.queries + r * dimension : shared.key;
                        for (std::int64_t i = thread % 32; i < dimension; i += 32) state.squares[k] += x[i] * x[i];
                    }
                });
                phases.template addWarps<SplitState<Queries>::kTurned>([](auto& state) { return state.squares; });
            }
            phases.run([&](int thread, auto& state, auto& shared) {
                STEELYARD_UNROLL
                for (int k = 0; k < SplitState<Queries>::kTurned; ++k) {
                    const int r = thread / 32 + k * kWarps;
                    if (r >= rows) continue;
                    float* x = r < used ? shared.queries + r * dimension : shared.key;
                    const float* norm = r < used ? turned.queryNorm : turned.keyNorm;
                    const float inverse =
                        norm != nullptr
                            ? 1.0F / std::sqrt(state.squares[k] / static_cast<float>(dimension) + turned.epsilon)
                            : 1.0F;
                    const auto value = [&](std::int64_t i) {
                        return norm != nullptr ? x[i] * inverse * norm[i] : x[i];
                    };
                    const auto write = [&](std::int64_t i, float turnedValue) {
                        x[i] = turnedValue;
                        if (r >= used) storedKey[i] = fromFloat<T>(turnedValue);
                    };
                    const std::int64_t pairs = cosines != nullptr ? turned.pairs : 0;
                    for (std::int64_t i = thread % 32; i < pairs; i += 32) {
                        const std::int64_t first = turned.neighbours ? 2 * i : i;
                        const std::int64_t second = turned.neighbours ? 2 * i + 1 : i + pairs;
                        const float a = value(first), b = value(second);
                        const float cosine = cosines[2 * i], sine = cosines[2 * i + 1];
                        write(first, a * cosine - b * sine);
                        write(second, a * sine + b * cosine);
                    }
                    for (std::int64_t i = 2 * pairs + thread % 32; i < dimension; i += 32) write(i, value(i));
                }
            });
        }
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
                if (alone) {
                    float highest = shared.maxima[q], all = shared.sums[q];
                    if (how.sinks != nullptr) {
                        const float sink = how.sinks[firstHead + q];
                        const float top = larger(sink, highest);
                        all = all * std::exp(highest - top) + std::exp(sink - top);
                        sum *= std::exp(highest - top);
                    }
                    result[i] = sum / all;
                    continue;
                }
                const std::int64_t row = (tokenOffset * how.heads + firstHead + q) * out.splits + blockOffset;
                out.mixed[row * dimension + d] = sum;
                if (d == 0) {
                    out.maxima[row] = shared.maxima[q];
                    out.sums[row] = shared.sums[q];
                }
            }
        });
        if (alone) return;
        // The last block of these heads combines the results of all.
        if (!phases.isLast(out.arrived + rest, static_cast<unsigned>(seen.splits))) return;
        const std::int64_t splits = seen.splits;
        phases.run([&](int thread, auto&, auto& shared) {
            if (thread >= used) return;
            const std::int64_t row = (tokenOffset * how.heads + firstHead + thread) * out.splits;
            const float sink = how.sinks != nullptr ? how.sinks[firstHead + thread] : kNone;
            float highest = sink;
            for (std::int64_t k = 0; k < splits; ++k) highest = larger(highest, out.maxima[row + k]);
            float sum = how.sinks != nullptr ? std::exp(sink - highest) : 0.0F;
            for (std::int64_t k = 0; k < splits; ++k)
                sum += std::exp(out.maxima[row + k] - highest) * out.sums[row + k];
            shared.maxima[thread] = highest;
            shared.sums[thread] = 1.0F / sum;
        });
        phases.run([&](int thread, auto&, auto& shared) {
            for (std::int64_t i = thread; i < used * dimension; i += kThreads) {
                const auto [q, d] = split(i, dimension);
                const std::int64_t row = (tokenOffset * how.heads + firstHead + q) * out.splits;
                float value = 0;
                for (std::int64_t k = 0; k < splits; ++k)
                    value += std::exp(out.maxima[row + k] - shared.maxima[q]) * out.mixed[(row + k) * dimension + d];
                result[i] = value * shared.sums[q];
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
                const AttentionForm& form, const AttentionParts& parts, const HeadRows& own, float* to) {
    const auto group = form.heads / cache.heads, chunks = ceilDivided(group, Queries);
    return phased<kThreads, SplitState<Queries>, SplitShared<Queries>>(
        stream, positions.tokens * cache.heads * chunks * parts.splits,
        SplitAttention<T, Queries>{queries, positions, cache, form, parts, own, to, group, chunks});
}

}  // namespace

bool canSplit(const KvCache& cache) {
    return cache.headDimension % kElements == 0 && cache.headDimension <= kMostHeadDimension;
}

Status splitAttention(Stream stream, const float* queries, const TokenPositions& positions, const KvCache& cache,
                      const AttentionForm& form, const AttentionParts& parts, const HeadRows& own, float* to) {
    if (own.queries != nullptr && (positions.run != 1 || own.queries != queries)) return kInvalidValue;
    if (!canSplit(cache) || form.heads % cache.heads != 0 || cache.type == ElementType::Bf16) return kInvalidValue;
    const auto group = form.heads / cache.heads;
    const auto run = [&]<typename T>(T) {
        if (group <= 1) return runSplit<T, 1>(stream, queries, positions, cache, form, parts, own, to);
        if (group <= 2) return runSplit<T, 2>(stream, queries, positions, cache, form, parts, own, to);
        return runSplit<T, kMostQueries>(stream, queries, positions, cache, form, parts, own, to);
    };
    return cache.type == ElementType::F16 ? run(Half{}) : run(float{});
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

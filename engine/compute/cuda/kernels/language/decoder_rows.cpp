// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/decoder_rows.h"

#include "engine/compute/cuda/kernels/execution/execution_phases.h"
#include "engine/compute/cuda/kernels/language/gate_function.h"
#include "engine/compute/cuda/kernels/language/row_outputs.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kRowTeam = 256;

struct SumOfSquares {
    float sum;
};
struct AddSquares {
    STEELYARD_HD_MEMBER SumOfSquares operator()(const SumOfSquares& a, const SumOfSquares& b) const {
        return {a.sum + b.sum};
    }
};

template <int N, typename Team>
STEELYARD_HD float inverseOfRow(const Team& team, const float* x, std::int64_t columns, float epsilon) {
    const auto squares = team.template reduce<SumOfSquares>(
        ceilDivided(columns, N),
        [&](SumOfSquares& part, std::int64_t chunk) {
            const auto values = readChunk<N>(x, chunk, columns);
            STEELYARD_UNROLL
            for (int j = 0; j < N; ++j) part.sum += values.at[j] * values.at[j];
        },
        AddSquares{});
    return 1.0F / std::sqrt(squares.sum / static_cast<float>(columns) + epsilon);
}

template <int N>
struct NormaliseRows {
    RmsRows in;
    RowOutputs to;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const float* x = in.x + (in.first + row * in.step) * in.columns;
        const float inverse = in.scale != nullptr ? inverseOfRow<N>(team, x, in.columns, in.epsilon) : 1.0F;
        team.each(ceilDivided(in.columns, N), [&](std::int64_t chunk) {
            auto values = readChunk<N>(x, chunk, in.columns);
            if (in.scale != nullptr) {
                const auto factors = readChunk<N>(in.scale, chunk, in.columns);
                STEELYARD_UNROLL
                for (int j = 0; j < N; ++j) values.at[j] *= inverse * factors.at[j];
            }
            writeChunk(to, values, row, chunk, in.columns);
        });
    }
};

// The same for a row that fits in the registers of a block, read once: x and scale are loaded before the first barrier.
constexpr std::int64_t kMostHeldColumns = kRowTeam * kQuantisedChunk;
struct HeldChunk {
    Chunk<kQuantisedChunk> x, scale;
};
struct SumsOfThreads {
    float threads[kRowTeam], parts[kRowTeam / 32];
};
struct NormaliseHeldRows {
    RmsRows in;
    RowOutputs to;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t row) const {
        const float* x = in.x + (in.first + row * in.step) * in.columns;
        const RmsRows& how = in;
        const RowOutputs& outputs = to;
        const auto chunks = static_cast<int>(in.columns / kQuantisedChunk);
        phases.run([&](int thread, auto& state, auto& shared) {
            float sum = 0;
            if (thread < chunks) {
                state.x = readChunk<kQuantisedChunk>(x, thread, how.columns);
                state.scale = readChunk<kQuantisedChunk>(how.scale, thread, how.columns);
                STEELYARD_UNROLL
                for (int j = 0; j < kQuantisedChunk; ++j) sum += state.x.at[j] * state.x.at[j];
            }
            shared.threads[thread] = sum;
        });
        phases.run([&](int thread, auto&, auto& shared) {
            if (thread >= kRowTeam / 32) return;
            float sum = 0;
            STEELYARD_UNROLL
            for (int i = 0; i < 32; ++i) sum += shared.threads[i * (kRowTeam / 32) + thread];
            shared.parts[thread] = sum;
        });
        phases.run([&](int thread, auto& state, auto& shared) {
            if (thread >= chunks) return;
            float sum = 0;
            STEELYARD_UNROLL
            for (int i = 0; i < kRowTeam / 32; ++i) sum += shared.parts[i];
            const float inverse = 1.0F / std::sqrt(sum / static_cast<float>(how.columns) + how.epsilon);
            auto values = state.x;
            STEELYARD_UNROLL
            for (int j = 0; j < kQuantisedChunk; ++j) values.at[j] *= inverse * state.scale.at[j];
            writeChunk(outputs, values, row, thread, how.columns);
        });
    }
};

struct AddNormalisedRows {
    RmsRows in;
    float* to;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const float* x = in.x + row * in.columns;
        const float inverse = inverseOfRow<kPlainChunk>(team, x, in.columns, in.epsilon);
        team.each(in.columns, [&](std::int64_t i) { to[row * in.columns + i] += x[i] * inverse * in.scale[i]; });
    }
};

struct AddBias {
    const float* bias;
    std::int64_t columns;
    float* x;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const { x[i] += bias[split(i, columns).rest]; }
};

template <int N>
struct ConvertRows {
    const float* x;
    std::int64_t columns, chunks;
    RowOutputs to;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto place = split(i, chunks);
        writeChunk(to, readChunk<N>(x + place.quotient * columns, place.rest, columns), place.quotient, place.rest,
                   columns);
    }
};

template <int N>
struct GateRows {
    const float* gate;
    const float* up;
    GateFunction function;
    std::int64_t columns, chunks;
    RowOutputs to;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto place = split(i, chunks);
        auto values = readChunk<N>(gate + place.quotient * columns, place.rest, columns);
        const auto ups = readChunk<N>(up + place.quotient * columns, place.rest, columns);
        STEELYARD_UNROLL
        for (int j = 0; j < N; ++j) values.at[j] = gated(function, values.at[j], ups.at[j]);
        writeChunk(to, values, place.quotient, place.rest, columns);
    }
};

struct SoftCap {
    float* x;
    float cap;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const { x[i] = cap * std::tanh(x[i] / cap); }
};

struct RotationTable {
    const std::int64_t* first;
    std::int64_t run;
    const double* frequencies;
    std::int64_t pairs;
    float magnitude;
    float* table;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto place = split(i, pairs);
        const double position = static_cast<double>(*first + split(place.quotient, run).rest);
        const double angle = position * frequencies[place.rest];
        table[2 * i] = static_cast<float>(std::cos(angle) * static_cast<double>(magnitude));
        table[2 * i + 1] = static_cast<float>(std::sin(angle) * static_cast<double>(magnitude));
    }
};

// A row is a head of a token: first the queries', then the keys', then the values'.
template <typename T>
struct RotateAndStore {
    HeadRows rows;
    TokenPositions positions;
    KvCache cache;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t index) const {
        const std::int64_t perToken = rows.heads + 2 * cache.heads, dimension = cache.headDimension;
        const auto [token, which] = split(index, perToken);
        const auto [sequence, step] = split(token, positions.run);
        const std::int64_t position = *positions.first + step;
        const float* cosines = rows.table != nullptr ? rows.table + token * rows.pairs * 2 : nullptr;
        if (which < rows.heads) {
            float* x = rows.queries + (token * rows.heads + which) * dimension;
            const std::int64_t group = divided(rows.heads, cache.heads);
            const auto [kvHead, member] = split(which, group);
            T* typed =
                rows.typed == nullptr
                    ? nullptr
                    : static_cast<T*>(rows.typed) +
                          (((sequence * cache.heads + kvHead) * group + member) * positions.run + step) * dimension;
            turn(team, x, rows.queryNorm, cosines, [&](std::int64_t i, float value) {
                if (typed != nullptr)
                    typed[i] = fromFloat<T>(value);
                else
                    x[i] = value;
            });
            return;
        }
        const bool isKey = which < rows.heads + cache.heads;
        const std::int64_t kvHead = which - rows.heads - (isKey ? 0 : cache.heads);
        const std::int64_t slot = split(position, cache.slots).rest;
        const std::int64_t at =
            (((positions.sequence + sequence) * cache.heads + kvHead) * cache.slots + slot) * dimension;
        const float* x = (isKey ? rows.keys : rows.values) + (token * cache.heads + kvHead) * dimension;
        T* to = static_cast<T*>(isKey ? cache.keys : cache.values) + at;
        if (isKey)
            turn(team, x, rows.keyNorm, cosines, [&](std::int64_t i, float value) { to[i] = fromFloat<T>(value); });
        else
            team.each(dimension, [&](std::int64_t i) { to[i] = fromFloat<T>(x[i]); });
    }

    // Writes the normalised and rotated head; both elements of a pair are read before they are written.
    template <typename Team, typename Write>
    STEELYARD_HD_MEMBER void turn(const Team& team, const float* x, const float* norm, const float* cosines,
                                  const Write& write) const {
        const std::int64_t dimension = cache.headDimension;
        float inverse = 1.0F;
        if (norm != nullptr) {
            const auto squares = team.template reduce<SumOfSquares>(
                dimension, [&](SumOfSquares& part, std::int64_t i) { part.sum += x[i] * x[i]; }, AddSquares{});
            inverse = 1.0F / std::sqrt(squares.sum / static_cast<float>(dimension) + rows.epsilon);
        }
        const auto value = [&](std::int64_t i) { return norm != nullptr ? x[i] * inverse * norm[i] : x[i]; };
        const std::int64_t pairs = cosines != nullptr ? rows.pairs : 0;
        team.each(pairs, [&](std::int64_t i) {
            const std::int64_t first = rows.neighbours ? 2 * i : i, second = rows.neighbours ? 2 * i + 1 : i + pairs;
            const float a = value(first), b = value(second), cosine = cosines[2 * i], sine = cosines[2 * i + 1];
            write(first, a * cosine - b * sine);
            write(second, a * sine + b * cosine);
        });
        team.each(dimension - 2 * pairs, [&](std::int64_t i) { write(2 * pairs + i, value(2 * pairs + i)); });
    }
};

template <typename T>
struct RepeatCache {
    T* keys;
    T* values;
    std::int64_t slots, dimension, known, count;  // of slots to fill
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, element] = split(i, dimension);
        const auto [head, step] = split(row, count);
        const std::int64_t from = (head * slots + split(step, known).rest) * dimension + element;
        const std::int64_t to = (head * slots + known + step) * dimension + element;
        keys[to] = keys[from];
        values[to] = values[from];
    }
};

struct ChooseExperts {
    ExpertVotes in;
    STEELYARD_HD_MEMBER void operator()(std::int64_t token) const {
        float* votes = in.votes + token * in.experts;
        std::int32_t* chosen = in.chosen + token * in.active;
        float* shares = in.shares + token * in.active;
        if (in.bias != nullptr)
            for (std::int64_t e = 0; e < in.experts; ++e) votes[e] += in.bias[e];
        for (std::int64_t i = 0; i < in.active; ++i) {
            std::int64_t best = -1;
            for (std::int64_t e = 0; e < in.experts; ++e) {
                bool taken = false;
                for (std::int64_t k = 0; k < i; ++k) taken = taken || chosen[k] == e;
                if (!taken && (best < 0 || votes[e] > votes[best])) best = e;
            }
            chosen[i] = static_cast<std::int32_t>(best);
        }
        const float highest = votes[chosen[0]];
        float sum = 0;
        if (in.amongChosen)
            for (std::int64_t i = 0; i < in.active; ++i) sum += std::exp(votes[chosen[i]] - highest);
        else
            for (std::int64_t e = 0; e < in.experts; ++e) sum += std::exp(votes[e] - highest);
        for (std::int64_t i = 0; i < in.active; ++i) shares[i] = std::exp(votes[chosen[i]] - highest) / sum;
    }
};

struct AddShares {
    const float* y;
    const float* shares;
    std::int64_t slots, columns;
    bool accumulate;
    float* x;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [token, column] = split(i, columns);
        float sum = accumulate ? x[i] : 0.0F;
        for (std::int64_t s = token * slots; s < (token + 1) * slots; ++s) sum += shares[s] * y[s * columns + column];
        x[i] = sum;
    }
};

struct SharedShares {
    const float* gate;
    const float* x;
    std::int64_t columns;
    float* shares;
    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t token) const {
        float share = 1.0F;
        if (gate != nullptr) {
            const auto sum = team.template reduce<SumOfSquares>(
                columns, [&](SumOfSquares& part, std::int64_t i) { part.sum += gate[i] * x[token * columns + i]; },
                AddSquares{});
            share = logistic(sum.sum);
        }
        team.once([&] { shares[token] = share; });
    }
};

}  // namespace

Status normaliseRows(Stream stream, const RmsRows& rows, const RowOutputs& to) {
    const bool held = rows.scale != nullptr && rows.columns % kQuantisedChunk == 0 && rows.columns <= kMostHeldColumns;
    if (to.q != nullptr && held)
        return phased<kRowTeam, HeldChunk, SumsOfThreads>(stream, rows.rows, NormaliseHeldRows{rows, to});
    return withChunk(to, [&](auto size) {
        return teams<kRowTeam>(stream, rows.rows, NormaliseRows<decltype(size)::value>{rows, to});
    });
}
Status addNormalisedRows(Stream stream, const RmsRows& part, float* x) {
    return teams<kRowTeam>(stream, part.rows, AddNormalisedRows{part, x});
}
Status addBias(Stream stream, const float* bias, std::int64_t rows, std::int64_t columns, float* x) {
    return elements(stream, rows * columns, AddBias{bias, columns, x});
}
Status convertRows(Stream stream, const float* x, std::int64_t rows, std::int64_t columns, const RowOutputs& to) {
    return withChunk(to, [&](auto size) {
        constexpr int kN = decltype(size)::value;
        const auto chunks = ceilDivided(columns, kN);
        return elements(stream, rows * chunks, ConvertRows<kN>{x, columns, chunks, to});
    });
}
Status gateRows(Stream stream, const float* gate, const float* up, GateFunction function, std::int64_t rows,
                std::int64_t columns, const RowOutputs& to) {
    return withChunk(to, [&](auto size) {
        constexpr int kN = decltype(size)::value;
        const auto chunks = ceilDivided(columns, kN);
        return elements(stream, rows * chunks, GateRows<kN>{gate, up, function, columns, chunks, to});
    });
}
Status softCap(Stream stream, float* x, std::int64_t count, float cap) {
    return elements(stream, count, SoftCap{x, cap});
}
Status rotationTable(Stream stream, const std::int64_t* first, std::int64_t tokens, std::int64_t run,
                     const double* frequencies, std::int64_t pairs, float magnitude, float* table) {
    return elements(stream, tokens * pairs, RotationTable{first, run, frequencies, pairs, magnitude, table});
}
Status rotateAndStore(Stream stream, const HeadRows& rows, const TokenPositions& positions, const KvCache& cache) {
    return withType(cache.type, [&]<typename T>(T) {
        return teams<32>(stream, positions.tokens * (rows.heads + 2 * cache.heads),
                         RotateAndStore<T>{rows, positions, cache});
    });
}
Status repeatCache(Stream stream, const KvCache& cache, std::int64_t sequences, std::int64_t known,
                   std::int64_t positions) {
    const auto stored = known < cache.slots ? known : cache.slots;
    const auto count = (positions < cache.slots ? positions : cache.slots) - stored;
    return withType(cache.type, [&]<typename T>(T) {
        return elements(stream, sequences * cache.heads * count * cache.headDimension,
                        RepeatCache<T>{static_cast<T*>(cache.keys), static_cast<T*>(cache.values), cache.slots,
                                       cache.headDimension, stored, count});
    });
}
Status chooseExperts(Stream stream, const ExpertVotes& votes) {
    return elements(stream, votes.tokens, ChooseExperts{votes});
}
Status addShares(Stream stream, const float* y, const float* shares, std::int64_t tokens, std::int64_t slotsPerToken,
                 std::int64_t columns, bool accumulate, float* x) {
    return elements(stream, tokens * columns, AddShares{y, shares, slotsPerToken, columns, accumulate, x});
}
Status sharedShares(Stream stream, const float* gate, const float* x, std::int64_t tokens, std::int64_t columns,
                    float* shares) {
    return teams<32>(stream, tokens, SharedShares{gate, x, columns, shares});
}

}  // namespace steelyard::compute::cuda::kernels

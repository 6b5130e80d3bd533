// SPDX-License-Identifier: Apache-2.0
// Look-ups. Compiled twice: as C++ for the twin, as CUDA for the device (execution.h).
//
// The gradient takes two stages over the tokens sorted by id, divided into chunks. A run is a sequence of equal ids. In
// the first stage each chunk adds the runs that begin and end in it to their rows, and saves the sums of a first run
// that began earlier (heads) and of a last run that continues (tails). In the second stage the chunk in which such a
// run began adds it up. A frequent id (padding) is thus shared by many threads, in a deterministic order.
#include "engine/compute/cuda/kernels/embedding.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/sort_tokens.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr std::int64_t kChunkTokens = 32;

template <typename Table, typename T>
struct Gather {
    const Table* table;
    const std::int32_t* ids;
    T* y;
    std::int64_t units;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const auto [token, unit] = split(first, units);
        const auto from = load<N>(table + static_cast<std::int64_t>(ids[token]) * units + unit);
        Pack<T, N> out;
        for (int i = 0; i < N; ++i) out.at[i] = fromFloat<T>(toFloat(from.at[i]));
        store<N>(y + first, out);
    }
};

struct ChunkSums {
    float* heads;  // [chunks, units]
    float* tails;  // [chunks, units]
};

template <typename T>
struct SumChunk {
    const T* dy;
    SortedTokens sorted;
    float* gradient;
    std::int64_t tokens, units;
    ChunkSums sums;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [chunk, unit] = split(i, units);
        const std::int64_t first = chunk * kChunkTokens;
        const std::int64_t end = first + kChunkTokens < tokens ? first + kChunkTokens : tokens;
        bool begunBefore = first > 0 && sorted.ids[first - 1] == sorted.ids[first];
        float sum = 0.0F;
        for (std::int64_t from = first; from < end; from += kAtOnce) {
            float flow[kAtOnce];
            std::int32_t id[kAtOnce + 1];
            read(flow, id, from, end, unit);
            STEELYARD_UNROLL
            for (int k = 0; k < kAtOnce; ++k) {
                if (from + k >= end) break;
                sum += flow[k];
                const bool last = from + k + 1 == end, goesOn = id[k + 1] == id[k];
                if (goesOn && !last) continue;
                if (begunBefore)
                    sums.heads[i] = sum;
                else if (goesOn)
                    sums.tails[i] = sum;
                else
                    gradient[static_cast<std::int64_t>(id[k]) * units + unit] += sum;
                begunBefore = false;
                sum = 0.0F;
            }
        }
    }

private:
    static constexpr int kAtOnce = 8;  // outstanding loads per thread

    // Also the id after them; -1: there is none.
    STEELYARD_HD_MEMBER void read(float (&flow)[kAtOnce], std::int32_t (&id)[kAtOnce + 1], std::int64_t from,
                                  std::int64_t end, std::int64_t unit) const {
        STEELYARD_UNROLL
        for (int k = 0; k < kAtOnce; ++k)
            flow[k] = from + k < end ? toFloat(dy[static_cast<std::int64_t>(sorted.positions[from + k]) * units + unit])
                                     : 0.0F;
        STEELYARD_UNROLL
        for (int k = 0; k <= kAtOnce; ++k) id[k] = from + k < tokens ? sorted.ids[from + k] : -1;
    }
};

struct JoinChunks {
    SortedTokens sorted;
    float* gradient;
    std::int64_t tokens, units, chunks;
    ChunkSums sums;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [chunk, unit] = split(i, units);
        const std::int64_t first = chunk * kChunkTokens, end = first + kChunkTokens;
        if (end >= tokens || sorted.ids[end] != sorted.ids[end - 1]) return;  // no run continues after this chunk
        const std::int32_t id = sorted.ids[end - 1];
        if (sorted.ids[first] == id && first > 0 && sorted.ids[first - 1] == id) return;  // nor began in it
        float sum = sums.tails[i];
        for (std::int64_t next = chunk + 1; next < chunks && sorted.ids[next * kChunkTokens] == id; ++next)
            sum += sums.heads[next * units + unit];
        gradient[static_cast<std::int64_t>(id) * units + unit] += sum;
    }
};

struct MarkRow {
    const std::int32_t* ids;
    std::uint8_t* mask;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const { mask[ids[i]] = 1; }
};

struct ClearRow {
    const std::int32_t* ids;
    float* gradient;
    std::int64_t units;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [token, unit] = split(i, units);
        gradient[static_cast<std::int64_t>(ids[token]) * units + unit] = 0.0F;
    }
};

std::int64_t idBytes(std::int64_t tokens) {
    return paddedBytes(tokens * 4);
}
std::int64_t sumBytes(std::int64_t tokens, std::int64_t units) {
    return paddedBytes(ceilDivided(tokens, kChunkTokens) * units * 4);
}

}  // namespace

Status embeddingForward(Stream stream, ElementType tableType, const void* table, ElementType type,
                        const std::int32_t* ids, void* y, std::int64_t tokens, std::int64_t units) {
    return withType(tableType, [&](auto from) {
        return withType(type, [&](auto to) {
            using Table = decltype(from);
            using T = decltype(to);
            constexpr int kN = kPack < Table >> kPack<T> ? kPack<Table> : kPack<T>;
            return packs<kN>(stream, tokens * units, units % kN == 0 && areAligned(table, y),
                             Gather<Table, T>{static_cast<const Table*>(table), ids, static_cast<T*>(y), units});
        });
    });
}

std::int64_t embeddingWorkspace(std::int64_t tokens, std::int64_t units) {
    return 2 * idBytes(tokens) + 2 * sumBytes(tokens, units) + sortWorkspace(tokens);
}

Status embeddingBackward(Stream stream, ElementType type, const void* dy, const std::int32_t* ids, float* gradient,
                         std::int64_t tokens, std::int64_t units, std::int64_t vocabulary, void* workspace) {
    if (tokens < 0 || units < 0 || vocabulary < 1 || tokens > 0x7fffffff) return kInvalidValue;
    if (tokens == 0) return kOk;
    auto* free = static_cast<char*>(workspace);
    const auto take = [&](std::int64_t bytes) {
        char* part = free;
        free += bytes;
        return static_cast<void*>(part);
    };
    const SortedTokens sorted{static_cast<std::int32_t*>(take(idBytes(tokens))),
                              static_cast<std::int32_t*>(take(idBytes(tokens)))};
    const ChunkSums sums{static_cast<float*>(take(sumBytes(tokens, units))),
                         static_cast<float*>(take(sumBytes(tokens, units)))};
    const std::int64_t chunks = ceilDivided(tokens, kChunkTokens);
    Status status = sortTokens(stream, ids, tokens, sorted, vocabulary, free);
    if (status != kOk) return status;
    status = withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, chunks * units,
                        SumChunk<T>{static_cast<const T*>(dy), sorted, gradient, tokens, units, sums});
    });
    if (status != kOk) return status;
    return elements(stream, chunks * units, JoinChunks{sorted, gradient, tokens, units, chunks, sums});
}

Status markRows(Stream stream, const std::int32_t* ids, std::int64_t tokens, std::uint8_t* mask) {
    return elements(stream, tokens, MarkRow{ids, mask});
}

Status clearRows(Stream stream, const std::int32_t* ids, std::int64_t tokens, float* gradient, std::int64_t units) {
    return elements(stream, tokens * units, ClearRow{ids, gradient, units});
}

}  // namespace steelyard::compute::cuda::kernels

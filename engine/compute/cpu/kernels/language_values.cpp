// SPDX-License-Identifier: Apache-2.0
// Sums of rows of values, weighted with the scores of attention (WeightedSum), written once for the lanes of every
// instruction set.
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/language_lanes.h"
#include "engine/compute/cpu/kernels/language_prefetch.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Units of a row: some vectors of sixteen elements.
struct HalfUnit {
    static constexpr std::int64_t kBytes = 32;
    static constexpr int kVectors = 1;
    STEELYARD_INLINE static Floats load(const std::byte* p, int /*vector*/) { return halves(p); }
};
struct FloatUnit {
    static constexpr std::int64_t kBytes = 64;
    static constexpr int kVectors = 1;
    STEELYARD_INLINE static Floats load(const std::byte* p, int /*vector*/) { return floats(p); }
};
struct BlockUnit {
    static constexpr std::int64_t kBytes = 34;
    static constexpr int kVectors = 2;
    STEELYARD_INLINE static Floats load(const std::byte* p, int vector) {
        return times(signedBytes(p + 2 + 16 * vector), splat(half(p)));
    }
};

// Rows [first, last) of a weighted sum, and what is prefetched with the first of them.
struct SomeRows {
    std::int64_t first, last;
    const std::byte* later;
};

// Some units of all of the rows, for `Tokens` tokens.
template <class Unit, Prefetch To, int Tokens, int Units>
STEELYARD_INLINE void addRows(const WeightedSum& sum, const SomeRows& part, std::int64_t rowBytes, std::int64_t token,
                              std::int64_t unit) {
    constexpr int kSums = Units * Unit::kVectors;
    float* y = sum.y + token * sum.leading + unit * Unit::kVectors * kPanelRows;
    const bool adds = sum.accumulates || part.first > 0;
    Floats total[Tokens][kSums];
    for (int t = 0; t < Tokens; ++t)
        for (int v = 0; v < kSums; ++v)
            total[t][v] =
                adds ? floats(reinterpret_cast<const std::byte*>(y + t * sum.leading + v * kPanelRows)) : splat(0);
    const auto* p = sum.rows + part.first * rowBytes + unit * Unit::kBytes;
    const auto* later = part.later + (part.last - part.first) * unit * Unit::kBytes;  // in the order of addresses
    const float* x = sum.x + token * sum.stride;
    for (auto row = part.first; row < part.last; ++row, p += rowBytes, later += Units * Unit::kBytes) {
        for (std::int64_t byte = 0; byte < Units * Unit::kBytes; byte += kCacheLine) fetch<To>(later + byte);
        Floats factors[Tokens];
        for (int t = 0; t < Tokens; ++t) factors[t] = splat(x[t * sum.stride + row]);
        for (int u = 0; u < Units; ++u) {
            const auto* at = p + u * Unit::kBytes;
            for (int v = 0; v < Unit::kVectors; ++v) {
                const auto values = Unit::load(at, v);
                for (int t = 0; t < Tokens; ++t) {
                    auto& target = total[t][u * Unit::kVectors + v];
                    target = timesPlus(values, factors[t], target);
                }
            }
        }
    }
    for (int t = 0; t < Tokens; ++t)
        for (int v = 0; v < kSums; ++v) put(y + t * sum.leading + v * kPanelRows, total[t][v]);
}

// `Units` of them, as long as there are as many, then half as many.
template <class Unit, Prefetch To, int Tokens, int Units>
STEELYARD_INLINE void addUnits(const WeightedSum& sum, const SomeRows& part, std::int64_t rowBytes, std::int64_t token,
                               std::int64_t unit) {
    const auto units = rowBytes / Unit::kBytes;
    for (; unit + Units <= units; unit += Units) addRows<Unit, To, Tokens, Units>(sum, part, rowBytes, token, unit);
    if constexpr (Units > 1)
        if (unit < units) addUnits<Unit, To, Tokens, Units / 2>(sum, part, rowBytes, token, unit);
}
template <class Unit, int Tokens>
STEELYARD_INLINE void addTokens(const WeightedSum& sum, const SomeRows& part, std::int64_t rowBytes,
                                std::int64_t& token) {
    constexpr int kUnits = kRowSums / Unit::kVectors / Tokens;
    if constexpr (kUnits > 0)
        for (; sum.tokens - token >= Tokens; token += Tokens)
            withPrefetch(sum.pattern, Tokens, token, sum.tokens, [&](auto prefetch) {
                addUnits<Unit, prefetch.value, Tokens, kUnits>(sum, part, rowBytes, token, 0);
            });
}

// Some rows stay in the cache while all tokens and units are processed.
template <class Unit>
void addAll(const WeightedSum& sum) {
    constexpr std::int64_t kBlockBytes = 4 << 10;
    const auto rowBytes = sum.elements / (Unit::kVectors * kPanelRows) * Unit::kBytes;
    const auto rowsAhead = (kBytesAhead + rowBytes - 1) / rowBytes, block = (kBlockBytes + rowBytes - 1) / rowBytes;
    for (std::int64_t first = 0, last = 0; first < sum.count; first = last) {
        const auto then = first + rowsAhead;
        last = first + block < sum.count ? first + block : sum.count;
        SomeRows part{first, last, sum.rows + then * rowBytes};
        if (sum.next != nullptr && then >= sum.count)
            part.later = sum.next + (then - sum.count) * rowBytes;
        else if (sum.next != nullptr && last + rowsAhead > sum.count)
            part.last = last = sum.count - rowsAhead;
        std::int64_t token = 0;
        addTokens<Unit, 8>(sum, part, rowBytes, token);
        addTokens<Unit, 4>(sum, part, rowBytes, token);
        addTokens<Unit, 2>(sum, part, rowBytes, token);
        addTokens<Unit, 1>(sum, part, rowBytes, token);
    }
}

void weightedSum(const WeightedSum& sum) {
    switch (sum.format) {
        case RowFormat::Half:
            return addAll<HalfUnit>(sum);
        case RowFormat::Float:
            return addAll<FloatUnit>(sum);
        case RowFormat::Blocks:
            return addAll<BlockUnit>(sum);
    }
}

}  // namespace

void fillLanguageValues(Kernels& table) {
    table.language.weightedSum = weightedSum;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

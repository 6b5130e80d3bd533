// SPDX-License-Identifier: Apache-2.0
// Products of weights in blocks with the activations of several tokens. Some columns of a panel are unpacked to a byte
// per weight, then multiplied with all tokens: unpacking is divided among many, and registers hold the sums of more
// tokens than beside packed weights. For sources compiled for AVX2 or AVX-VNNI; with AVX-512, weights are unpacked in
// registers as fast.
#pragma once

#if defined(__AVX2__) && !defined(__AVX512F__)
#define STEELYARD_UNPACKED_PRODUCTS

#include "engine/compute/cpu/kernels/language_inputs.h"
#include "engine/compute/cpu/kernels/language_lanes.h"
#include "engine/compute/cpu/kernels/language_prefetch.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kUnpackedTokens = 12;  // from which unpacking is faster
constexpr std::int64_t kUnpackedBlocks = 8;   // of 32 columns, unpacked at a time
constexpr int kBlockGroups = 8;
// Group g of a block has its columns 4 g to 4 g + 3.
using UnpackedBlock = std::byte[kBlockGroups * kPanelGroup];

// Tokens whose sums fit the registers.
#if defined(__AVXVNNI__)
constexpr int kTileTokens = 6;
#else
constexpr int kTileTokens = 4;
#endif

// Adds the products of some groups with the activations of `Tokens` tokens, which start at x.
template <int Groups, int Tokens>
STEELYARD_INLINE void addGroups(PairSums (&sums)[Tokens], const std::byte* groups, const std::int8_t* x,
                                std::int64_t columns) {
    // Every third token has a pointer, from which the addresses of the others need no instructions.
    constexpr int kRows = (Tokens + 2) / 3;
    const std::int8_t* rows[kRows];
    for (int i = 0; i < kRows; ++i) rows[i] = x + 3 * i * columns;
#pragma GCC unroll 8
    for (int g = 0; g < Groups; ++g) {
        const auto weights = loadGroup(groups + g * kPanelGroup);
#pragma GCC unroll 16
        for (int t = 0; t < Tokens; ++t) sums[t] = addPairs(sums[t], weights, rows[t / 3] + t % 3 * columns + 4 * g);
    }
}
template <int Tokens>
STEELYARD_INLINE void addBlock(PairSums (&sums)[Tokens], const std::byte* groups, const Inputs& in,
                               std::int64_t block) {
    for (auto& value : sums) value = noInts();
    addGroups<kBlockGroups>(sums, groups, in.at(0, block), in.columns);
}

// Columns 0 to 15 of a block are in the low nibbles of four groups, 16 to 31 in the high ones.
STEELYARD_INLINE void unpackNibbles(UnpackedBlock& target, const std::byte* p) {
    for (int k = 0; k < 4; ++k, p += kPanelGroup) {
        const auto both = loadGroup(p);
        storeGroup(target + k * kPanelGroup, lowHalves(both));
        storeGroup(target + (4 + k) * kPanelGroup, highHalves(both));
    }
}

// Formats: unpack() reads some units of a panel, add() adds the products of these blocks, of which `first` is the first
// one, to the totals of some tokens.
struct UnpackedNibbles {
    static constexpr auto kUnit = panelUnit(PanelFormat::Nibbles);
    alignas(64) UnpackedBlock groups[kUnpackedBlocks];
    Floats scales[kUnpackedBlocks];

    STEELYARD_INLINE void unpack(const std::byte* p, std::int64_t blocks) {
        for (std::int64_t b = 0; b < blocks; ++b, p += kUnit.bytes) {
            scales[b] = halves(p);
            unpackNibbles(groups[b], p + kPanelHalves);
        }
    }
    template <int Tokens>
    STEELYARD_INLINE void add(Floats (&total)[Tokens], const Inputs& in, std::int64_t first,
                              std::int64_t blocks) const {
        for (std::int64_t b = 0; b < blocks; ++b) {
            PairSums sums[Tokens];
            addBlock(sums, groups[b], in, first + b);
            for (int t = 0; t < Tokens; ++t)
                total[t] = timesPlus(scales[b],
                                     timesMinus(toFloats(widened(sums[t])), splat(in.step(t, first + b)),
                                                splat(8 * in.sum(t, first + b))),
                                     total[t]);
        }
    }
};

// Eight bits per weight.
struct ByteBlocks {
#if defined(STEELYARD_PAIRS_IN_16_BITS)
    alignas(64) UnpackedBlock low[kUnpackedBlocks], high[kUnpackedBlocks];  // nibbles, whose sums fit in 16 bits
#else
    alignas(64) UnpackedBlock groups[kUnpackedBlocks];
#endif

    STEELYARD_INLINE void unpackBlock(std::int64_t block, const std::byte* p) {
        for (int g = 0; g < kBlockGroups; ++g, p += kPanelGroup) {
            const auto bytes = loadGroup(p);
#if defined(STEELYARD_PAIRS_IN_16_BITS)
            storeGroup(low[block] + g * kPanelGroup, lowHalves(bytes));
            storeGroup(high[block] + g * kPanelGroup, highHalves(bytes));
#else
            storeGroup(groups[block] + g * kPanelGroup, bytes);
#endif
        }
    }
    template <int Tokens>
    STEELYARD_INLINE void dot(Ints (&dots)[Tokens], const Inputs& in, std::int64_t first, std::int64_t block) const {
#if defined(STEELYARD_PAIRS_IN_16_BITS)
        PairSums sums[Tokens];
        addBlock(sums, low[block], in, first + block);
        for (int t = 0; t < Tokens; ++t) dots[t] = widened(sums[t]);
        addBlock(sums, high[block], in, first + block);
        for (int t = 0; t < Tokens; ++t) dots[t] = plusHigh(dots[t], sums[t]);
#else
        addBlock(dots, groups[block], in, first + block);
#endif
    }
};
struct UnpackedBytes : ByteBlocks {
    static constexpr auto kUnit = panelUnit(PanelFormat::Bytes);
    Floats scales[kUnpackedBlocks];

    STEELYARD_INLINE void unpack(const std::byte* p, std::int64_t blocks) {
        for (std::int64_t b = 0; b < blocks; ++b, p += kUnit.bytes) {
            scales[b] = halves(p);
            unpackBlock(b, p + kPanelHalves);
        }
    }
    template <int Tokens>
    STEELYARD_INLINE void add(Floats (&total)[Tokens], const Inputs& in, std::int64_t first,
                              std::int64_t blocks) const {
        for (std::int64_t b = 0; b < blocks; ++b) {
            Ints dots[Tokens];
            dot(dots, in, first, b);
            for (int t = 0; t < Tokens; ++t)
                total[t] = timesPlus(
                    scales[b],
                    timesMinus(toFloats(dots[t]), splat(in.step(t, first + b)), splat(128 * in.sum(t, first + b))),
                    total[t]);
        }
    }
};
struct UnpackedOffset8 : ByteBlocks {
    static constexpr auto kUnit = panelUnit(PanelFormat::Offset8);
    Floats scales[kUnpackedBlocks], minima[kUnpackedBlocks];

    STEELYARD_INLINE void unpack(const std::byte* p, std::int64_t blocks) {
        for (std::int64_t b = 0; b < blocks; ++b, p += kUnit.bytes) {
            scales[b] = floats(p);
            minima[b] = floats(p + kPanelGroup);
            unpackBlock(b, p + 2 * kPanelGroup);
        }
    }
    template <int Tokens>
    STEELYARD_INLINE void add(Floats (&total)[Tokens], const Inputs& in, std::int64_t first,
                              std::int64_t blocks) const {
        for (std::int64_t b = 0; b < blocks; ++b) {
            Ints dots[Tokens];
            dot(dots, in, first, b);
            for (int t = 0; t < Tokens; ++t) {
                total[t] = timesPlus(scales[b], times(toFloats(dots[t]), splat(in.step(t, first + b))), total[t]);
                total[t] = timesPlus(minima[b], splat(in.sum(t, first + b)), total[t]);
            }
        }
    }
};

// Formats whose unit has 256 columns.
struct UnpackedNested4 {
    static constexpr auto kUnit = panelUnit(PanelFormat::Nested4);
    alignas(64) UnpackedBlock groups[kUnpackedBlocks];
    Floats d, least, minima[kUnpackedBlocks];
    Factors factor[kUnpackedBlocks];

    STEELYARD_INLINE void unpack(const std::byte* p, std::int64_t blocks) {
        d = halves(p);
        least = halves(p + kPanelHalves);
        Nested4Scales scales;
        scales.unpack(p + 2 * kPanelHalves);
        p += 2 * kPanelHalves + kNested4Scales;
        for (std::int64_t b = 0; b < blocks; ++b, p += 4 * kPanelGroup) {
            factor[b] = factors(scales.factors + 16 * b);
            minima[b] = bytes(scales.minima + 16 * b);
            unpackNibbles(groups[b], p);
        }
    }
    template <int Tokens>
    STEELYARD_INLINE void add(Floats (&total)[Tokens], const Inputs& in, std::int64_t first,
                              std::int64_t blocks) const {
        Floats weighted[Tokens], offsets[Tokens];
        for (int t = 0; t < Tokens; ++t) weighted[t] = offsets[t] = splat(0);
        for (std::int64_t b = 0; b < blocks; ++b) {
            PairSums sums[Tokens];
            addBlock(sums, groups[b], in, first + b);
            for (int t = 0; t < Tokens; ++t) {
                weighted[t] = timesPlus(scaled(sums[t], factor[b]), splat(in.step(t, first + b)), weighted[t]);
                offsets[t] = timesPlus(minima[b], splat(in.sum(t, first + b)), offsets[t]);
            }
        }
        for (int t = 0; t < Tokens; ++t) total[t] = minusTimes(least, offsets[t], timesPlus(d, weighted[t], total[t]));
    }
};
struct UnpackedNested6 {
    static constexpr auto kUnit = panelUnit(PanelFormat::Nested6);
    alignas(64) UnpackedBlock groups[kUnpackedBlocks];
    Floats d;
    Factors factor[kUnpackedBlocks], other[kUnpackedBlocks];  // columns 0 to 15, and 16 to 31

    STEELYARD_INLINE void unpack(const std::byte* p, std::int64_t blocks) {
        d = halves(p);
        p += kPanelHalves;
        for (std::int64_t b = 0; b < blocks; ++b, p += 6 * kPanelGroup) {
            factor[b] = signedFactors(p);
            other[b] = signedFactors(p + 16);
            p += 32;
            for (int half = 0; half < 2; ++half) {
                const auto* from = p + half * 3 * kPanelGroup;
                auto* to = groups[b] + half * 4 * kPanelGroup;
                const Group v[3] = {loadGroup(from), loadGroup(from + kPanelGroup), loadGroup(from + 2 * kPanelGroup)};
                for (int k = 0; k < 3; ++k) storeGroup(to + k * kPanelGroup, lowSixBits(v[k]));
                storeGroup(to + 3 * kPanelGroup, joinedUpperBits(v[0], v[1], v[2]));
            }
        }
    }
    template <int Tokens>
    STEELYARD_INLINE void add(Floats (&total)[Tokens], const Inputs& in, std::int64_t first,
                              std::int64_t blocks) const {
        Floats weighted[Tokens];
        for (auto& value : weighted) value = splat(0);
        for (std::int64_t b = 0; b < blocks; ++b) {
            PairSums sums[Tokens], others[Tokens];
            for (int t = 0; t < Tokens; ++t) sums[t] = centred(in.compensation(t, 2 * (first + b)));
            addGroups<4>(sums, groups[b], in.at(0, first + b), in.columns);
            for (int t = 0; t < Tokens; ++t) others[t] = centred(in.compensation(t, 2 * (first + b) + 1));
            addGroups<4>(others, groups[b] + 4 * kPanelGroup, in.at(0, first + b) + 16, in.columns);
            for (int t = 0; t < Tokens; ++t)
                weighted[t] = timesPlus(scaled(sums[t], factor[b], others[t], other[b]), splat(in.step(t, first + b)),
                                        weighted[t]);
        }
        for (int t = 0; t < Tokens; ++t) total[t] = timesPlus(d, weighted[t], total[t]);
    }
};

// Some columns of a panel, from block `first` on, with tokens from `token` on, as long as there are `Tokens` of them.
template <int Tokens, class Format>
STEELYARD_INLINE void addTiles(const WeightProduct& product, std::int64_t panel, std::int64_t& token,
                               const Format& weights, std::int64_t first, std::int64_t blocks) {
    for (; product.tokens - token >= Tokens; token += Tokens) {
        float* y = product.y + token * product.leading + panel * kPanelRows;
        const bool adds = product.accumulates || first > 0;
        Floats total[Tokens];
        for (int t = 0; t < Tokens; ++t)
            total[t] = adds ? floats(reinterpret_cast<const std::byte*>(y + t * product.leading)) : splat(0);
        weights.add(total, Inputs(product.rows, product.columns, token), first, blocks);
        for (int t = 0; t < Tokens; ++t) put(y + t * product.leading, total[t]);
    }
}

// True, as multiplyUnpacked() returns it.
template <class Format>
bool multiplyAs(const WeightProduct& product) {
    Format weights;
    const auto all = product.columns / kActivationBlock;
    for (std::int64_t panel = 0; panel < product.count; ++panel)
        for (std::int64_t first = 0; first < all; first += kUnpackedBlocks) {
            const auto blocks = all - first < kUnpackedBlocks ? all - first : kUnpackedBlocks;
            const auto* p = product.panels + panel * product.panelBytes +
                            first * kActivationBlock / Format::kUnit.columns * Format::kUnit.bytes;
            const auto bytes = blocks * kActivationBlock / Format::kUnit.columns * Format::kUnit.bytes;
            withPrefetch(product.pattern, 1, 0, 1, [&](auto prefetch) {
                for (std::int64_t byte = 0; byte < bytes; byte += kCacheLine) ahead<prefetch.value>(p + byte);
            });
            weights.unpack(p, blocks);
            std::int64_t token = 0;
            addTiles<kTileTokens>(product, panel, token, weights, first, blocks);
            if constexpr (kTileTokens > 4) addTiles<4>(product, panel, token, weights, first, blocks);
            addTiles<2>(product, panel, token, weights, first, blocks);
            addTiles<1>(product, panel, token, weights, first, blocks);
        }
    return true;
}

// Returns whether the format has unpacked blocks; otherwise there is no product yet.
inline bool multiplyUnpacked(const WeightProduct& product) {
    switch (product.format) {
        case PanelFormat::Nibbles:
            return multiplyAs<UnpackedNibbles>(product);
        case PanelFormat::Bytes:
            return multiplyAs<UnpackedBytes>(product);
        case PanelFormat::Nested4:
            return multiplyAs<UnpackedNested4>(product);
        case PanelFormat::Nested6:
            return multiplyAs<UnpackedNested6>(product);
        case PanelFormat::Offset8:
            return multiplyAs<UnpackedOffset8>(product);
        case PanelFormat::Nested2:
        case PanelFormat::Half:
        case PanelFormat::Bfloat16:
        case PanelFormat::Float:
            return false;
    }
    return false;
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

#endif

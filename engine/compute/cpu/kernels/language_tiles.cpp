// SPDX-License-Identifier: Apache-2.0
// Products of weight panels (language_kernels.h) with the activations of many tokens on AMX tiles, in bfloat16. Panels
// of bfloat16 have the layout of tiles; weights of other formats are converted for some columns of two panels, then
// multiplied with all tokens. That is more precise than 8-bit activations, and faster than scaling the sums of each
// block.
#include <type_traits>

#include "engine/compute/cpu/kernels/amx_tiles.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/language_lanes.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kGroup = 64, kHalves = 32;
// Converted at a time, so that they and the activations of a chunk stay in the second-level cache.
constexpr std::int64_t kColumns = 1024;
using PairRow = std::uint32_t[kBlock];  // pairs of the rows of two panels

// Pairs of two columns, the first in the low halves.
STEELYARD_INLINE void putPairs(std::uint32_t* words, Floats first, Floats second) {
    const auto halves = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first));
    const auto order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21,
                                        5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    _mm512_storeu_si512(words, _mm512_permutexvar_epi16(order, halves));
}

// The four columns of a group: scale q + minimum.
STEELYARD_INLINE void putGroup(PairRow* pairs, Group q, Floats scale, Floats minimum) {
    const auto byte = _mm512_set1_epi32(255);
    const auto column = [&](Ints v) { return timesPlus(toFloats(v), scale, minimum); };
    putPairs(pairs[0], column(_mm512_and_si512(q, byte)), column(_mm512_and_si512(_mm512_srli_epi32(q, 8), byte)));
    putPairs(pairs[1], column(_mm512_and_si512(_mm512_srli_epi32(q, 16), byte)), column(_mm512_srli_epi32(q, 24)));
}

// Columns 0 to 15 are in the low nibbles of four groups, 16 to 31 in the high ones.
STEELYARD_INLINE void putNibbles(PairRow* pairs, const std::byte* groups, Floats scale, Floats minimum) {
    for (int k = 0; k < 4; ++k) {
        const auto both = loadGroup(groups + k * kGroup);
        putGroup(pairs + 2 * k, lowHalves(both), scale, minimum);
        putGroup(pairs + 8 + 2 * k, highHalves(both), scale, minimum);
    }
}

// Each format converts one unit of a panel to rows of pairs.
struct Nibbles {
    static constexpr std::int64_t kUnitColumns = 32, kUnitBytes = kHalves + 4 * kGroup;
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto scale = halves(p);
        putNibbles(pairs, p + kHalves, scale, times(scale, splat(-8)));
    }
};
struct Bytes {
    static constexpr std::int64_t kUnitColumns = 32, kUnitBytes = kHalves + 8 * kGroup;
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto scale = halves(p), minimum = times(scale, splat(-128));
        for (int k = 0; k < 8; ++k) putGroup(pairs + 2 * k, loadGroup(p + kHalves + k * kGroup), scale, minimum);
    }
};
struct Offset8 {
    static constexpr std::int64_t kUnitColumns = 32, kUnitBytes = 10 * kGroup;
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto scale = floats(p), minimum = floats(p + kGroup);
        for (int k = 0; k < 8; ++k) putGroup(pairs + 2 * k, loadGroup(p + (2 + k) * kGroup), scale, minimum);
    }
};
struct Nested2 {
    static constexpr std::int64_t kSub = 64 + 2 * kGroup;
    static constexpr std::int64_t kUnitColumns = 256, kUnitBytes = 2 * kHalves + 8 * kSub;
    STEELYARD_INLINE static void putHalf(PairRow* pairs, Group bits, Floats scale, Floats minimum) {
        putGroup(pairs, bitPairs<0>(bits), scale, minimum);
        putGroup(pairs + 2, bitPairs<1>(bits), scale, minimum);
        putGroup(pairs + 4, bitPairs<2>(bits), scale, minimum);
        putGroup(pairs + 6, bitPairs<3>(bits), scale, minimum);
    }
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto d = halves(p), least = times(halves(p + kHalves), splat(-1));
        p += 2 * kHalves;
        for (int sub = 0; sub < 8; ++sub, pairs += 16, p += kSub) {
            putHalf(pairs, loadGroup(p + 64), times(d, bytes(p)), times(least, bytes(p + 32)));
            putHalf(pairs + 8, loadGroup(p + 64 + kGroup), times(d, bytes(p + 16)), times(least, bytes(p + 48)));
        }
    }
};
struct Nested4 {
    static constexpr std::int64_t kSub = 32 + 4 * kGroup;
    static constexpr std::int64_t kUnitColumns = 256, kUnitBytes = 2 * kHalves + 8 * kSub;
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto d = halves(p), least = times(halves(p + kHalves), splat(-1));
        p += 2 * kHalves;
        for (int sub = 0; sub < 8; ++sub, pairs += 16, p += kSub)
            putNibbles(pairs, p + 32, times(d, bytes(p)), times(least, bytes(p + 16)));
    }
};
struct Nested6 {
    static constexpr std::int64_t kSub = 32 + 6 * kGroup;
    static constexpr std::int64_t kUnitColumns = 256, kUnitBytes = kHalves + 8 * kSub;
    template <int k>
    STEELYARD_INLINE static void putGroups(PairRow* pairs, const std::byte* groups, Floats factor, Floats other) {
        const auto both = loadGroup(groups + k * kGroup), upper = loadGroup(groups + (4 + k / 2) * kGroup);
        putGroup(pairs + 2 * k, withUpper<k % 2 * 2>(lowHalves(both), upper), factor, times(factor, splat(-32)));
        putGroup(pairs + 8 + 2 * k, withUpper<k % 2 * 2 + 1>(highHalves(both), upper), other, times(other, splat(-32)));
    }
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto d = halves(p);
        p += kHalves;
        for (int sub = 0; sub < 8; ++sub, pairs += 16, p += kSub) {
            const auto factor = times(d, signedBytes(p)), other = times(d, signedBytes(p + 16));
            putGroups<0>(pairs, p + 32, factor, other);
            putGroups<1>(pairs, p + 32, factor, other);
            putGroups<2>(pairs, p + 32, factor, other);
            putGroups<3>(pairs, p + 32, factor, other);
        }
    }
};
// Pairs as stored, which are not converted.
struct Bfloat16Pairs {
    static constexpr std::int64_t kUnitColumns = 2, kUnitBytes = kGroup;
};

template <class Format>
void multiply(const WeightProduct& p) {
    constexpr bool kConverts = !std::is_same_v<Format, Bfloat16Pairs>;
    alignas(64) PairRow words[kConverts ? kColumns / 2 : 1];
    const auto unitBytes = [](std::int64_t columns) { return columns / Format::kUnitColumns * Format::kUnitBytes; };
    Tiles tiles;
    for (std::int64_t column = 0; column < p.columns; column += kColumns) {
        const auto columns = std::min(kColumns, p.columns - column), pairs = (columns + 1) / 2;
        // Lines of a panel to prefetch per step, half of the tokens' steps each.
        const auto half = std::max<std::int64_t>(1, (p.tokens + kBlock - 1) / kBlock / 2);
        const auto steps = half * std::max<std::int64_t>(1, pairs / kTile);
        const auto lines = (unitBytes(columns) / kGroup + steps - 1) / steps;
        for (std::int64_t panel = 0; panel < p.count; panel += 2) {
            const auto panels = std::min<std::int64_t>(2, p.count - panel);
            const auto* from = p.panels + panel * p.panelBytes + unitBytes(column);
            Factors f{nullptr, 2 * p.roundedStride, from, kGroup, p.panelBytes};
            if constexpr (kConverts) {
                f.b = reinterpret_cast<const std::byte*>(words);
                f.strideB = sizeof(PairRow);
                f.right = kGroup;
                for (std::int64_t q = 0; q < panels; ++q)
                    for (std::int64_t c = 0; c < columns; c += Format::kUnitColumns)
                        Format::convert(reinterpret_cast<PairRow*>(&words[c / 2][q * kTile]),
                                        from + q * p.panelBytes + unitBytes(c));
            }
            // The same columns of the next two panels, one after the other.
            const auto* next = from + 2 * p.panelBytes;
            Ahead ahead{next, panel + 2 < p.count ? lines : 0};
            for (std::int64_t token = 0; token < p.tokens; token += kBlock) {
                if (token == half * kBlock) ahead = {next + p.panelBytes, panel + 3 < p.count ? lines : 0};
                const Block block(std::min(kBlock, p.tokens - token), panels * kTile);
                tiles.configure(block);
                f.a = reinterpret_cast<const std::byte*>(p.rounded + token * p.roundedStride + column);
                runBlock(f, block, pairs, p.y + token * p.leading + panel * kTile, p.leading, column > 0, ahead);
            }
        }
    }
}

void tiledProduct(const WeightProduct& product) {
    switch (product.format) {
        case PanelFormat::Nibbles:
            return multiply<Nibbles>(product);
        case PanelFormat::Bytes:
            return multiply<Bytes>(product);
        case PanelFormat::Nested2:
            return multiply<Nested2>(product);
        case PanelFormat::Nested4:
            return multiply<Nested4>(product);
        case PanelFormat::Nested6:
            return multiply<Nested6>(product);
        case PanelFormat::Offset8:
            return multiply<Offset8>(product);
        case PanelFormat::Bfloat16:
            return multiply<Bfloat16Pairs>(product);
        case PanelFormat::Half:
        case PanelFormat::Float:
        case PanelFormat::Blocks:
            return;  // LanguageKernels::usesTiles()
    }
}

void toBfloat16Row(std::uint16_t* y, const float* x, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += 16) {
        const auto lanes = lanesBelow(n - i);
        const auto rounded = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(lanes, x + i)));
        _mm256_mask_storeu_epi16(y + i, lanes, rounded);
    }
}

}  // namespace

// No-op if the operating system denies tiles.
void fillLanguageTiles(Kernels& table) {
    if (!mayUseTiles()) return;
    table.language.tiledProduct = tiledProduct;
    table.language.toBfloat16 = toBfloat16Row;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

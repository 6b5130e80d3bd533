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

constexpr std::int64_t kTileColumns = 2 * kTile, kTileBytes = 1024;
// Columns of two panels that are converted at a time, then multiplied with all tokens.
constexpr std::int64_t kConverted = 1024;
// Columns of all tokens that stay in the second-level cache while all panels are multiplied.
constexpr std::int64_t kDepth = 4096;
constexpr std::int64_t kMostTokens = kMostTiledTokens;  // multiplied while converted weights are in the cache
using PairRow = std::uint32_t[kTile];                   // pairs of the rows of a panel

// Pairs of two columns, the first in the low halves, rounded to nearest, ties away from zero.
STEELYARD_INLINE void putPairs(std::uint32_t* words, Floats first, Floats second) {
    constexpr __mmask32 kUpperHalves = 0xAAAAAAAA;
    const auto half = _mm512_set1_epi32(0x8000);
    const auto low = _mm512_srli_epi32(_mm512_add_epi32(_mm512_castps_si512(first), half), 16);
    const auto high = _mm512_add_epi32(_mm512_castps_si512(second), half);
    _mm512_storeu_si512(words, _mm512_mask_blend_epi16(kUpperHalves, low, high));
}

// Integers become floats without a conversion: as the upper bits of the fraction of a number from 1 to 2, and a scale
// and an offset that undo this. A byte of a lane is moved to bits 15 to 22.
template <int byte>
STEELYARD_INLINE Ints moved(Group v) {
    if constexpr (byte == 0) return _mm512_slli_epi32(v, 15);
    if constexpr (byte == 1) return _mm512_slli_epi32(v, 7);
    if constexpr (byte == 2) return _mm512_srli_epi32(v, 1);
    return _mm512_srli_epi32(v, 9);
}
template <std::uint32_t field>
STEELYARD_INLINE Floats fraction(Ints v) {
    constexpr int kMaskedOr = 0xF8;  // of the truth table: a | (b & c)
    return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(_mm512_set1_epi32(0x3F800000), v,
                                                         _mm512_set1_epi32(static_cast<int>(field)), kMaskedOr));
}
constexpr std::uint32_t kByteField = 0x7F8000, kLowField = 0x078000, kHighField = 0x780000;

// scale q + minimum of integers q in a field of `levels` steps per unit of the fraction.
struct Line {
    Floats slope, offset;

    STEELYARD_INLINE Line(Floats scale, Floats minimum, float levels)
        : slope(times(scale, splat(levels))), offset(minusTimes(scale, splat(levels), minimum)) {}
    [[nodiscard]] STEELYARD_INLINE Floats at(Floats fraction) const { return timesPlus(fraction, slope, offset); }
};

// The four columns of a group of bytes.
STEELYARD_INLINE void putGroup(PairRow* pairs, Group q, const Line& line) {
    const auto column = [&](Ints v) { return line.at(fraction<kByteField>(v)); };
    putPairs(pairs[0], column(moved<0>(q)), column(moved<1>(q)));
    putPairs(pairs[1], column(moved<2>(q)), column(moved<3>(q)));
}

// Columns 0 to 15 are in the low nibbles of four groups, 16 to 31 in the high ones.
STEELYARD_INLINE void putNibbles(PairRow* pairs, const std::byte* groups, Floats scale, Floats minimum) {
    const Line low(scale, minimum, 256), high(scale, minimum, 16);
    for (int k = 0; k < 4; ++k, pairs += 2) {
        const auto both = loadGroup(groups + k * kPanelGroup);
        const Ints bytes[4] = {moved<0>(both), moved<1>(both), moved<2>(both), moved<3>(both)};
        for (int i = 0; i < 2; ++i) {
            const auto first = bytes[2 * i], second = bytes[2 * i + 1];
            putPairs(pairs[i], low.at(fraction<kLowField>(first)), low.at(fraction<kLowField>(second)));
            putPairs(pairs[8 + i], high.at(fraction<kHighField>(first)), high.at(fraction<kHighField>(second)));
        }
    }
}

// Each format converts one unit of a panel to rows of pairs.
struct Nibbles {
    static constexpr auto kUnit = panelUnit(PanelFormat::Nibbles);
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto scale = halves(p);
        putNibbles(pairs, p + kPanelHalves, scale, times(scale, splat(-8)));
    }
};
struct Bytes {
    static constexpr auto kUnit = panelUnit(PanelFormat::Bytes);
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto scale = halves(p);
        const Line line(scale, times(scale, splat(-128)), 256);
        for (int k = 0; k < 8; ++k) putGroup(pairs + 2 * k, loadGroup(p + kPanelHalves + k * kPanelGroup), line);
    }
};
struct Offset8 {
    static constexpr auto kUnit = panelUnit(PanelFormat::Offset8);
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const Line line(floats(p), floats(p + kPanelGroup), 256);
        for (int k = 0; k < 8; ++k) putGroup(pairs + 2 * k, loadGroup(p + (2 + k) * kPanelGroup), line);
    }
};
struct Nested2 {
    static constexpr auto kUnit = panelUnit(PanelFormat::Nested2);
    STEELYARD_INLINE static void putPart(PairRow* pairs, Group bits, const Line& line) {
        putGroup(pairs, bitPairs<0>(bits), line);
        putGroup(pairs + 2, bitPairs<1>(bits), line);
        putGroup(pairs + 4, bitPairs<2>(bits), line);
        putGroup(pairs + 6, bitPairs<3>(bits), line);
    }
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto d = halves(p), least = times(halves(p + kPanelHalves), splat(-1));
        Nested2Scales scales;
        scales.unpack(p + 2 * kPanelHalves);
        p += 2 * kPanelHalves + kNested2Scales;
        for (int part = 0; part < 16; ++part, pairs += 8, p += kPanelGroup)
            putPart(
                pairs, loadGroup(p),
                Line(times(d, bytes(scales.factors + 16 * part)), times(least, bytes(scales.minima + 16 * part)), 256));
    }
};
struct Nested4 {
    static constexpr auto kUnit = panelUnit(PanelFormat::Nested4);
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto d = halves(p), least = times(halves(p + kPanelHalves), splat(-1));
        Nested4Scales scales;
        scales.unpack(p + 2 * kPanelHalves);
        p += 2 * kPanelHalves + kNested4Scales;
        for (int part = 0; part < 8; ++part, pairs += 16, p += 4 * kPanelGroup)
            putNibbles(pairs, p, times(d, bytes(scales.factors + 16 * part)),
                       times(least, bytes(scales.minima + 16 * part)));
    }
};
struct Nested6 {
    static constexpr std::int64_t kSub = 32 + 6 * kPanelGroup;
    static constexpr auto kUnit = panelUnit(PanelFormat::Nested6);
    STEELYARD_INLINE static void putHalf(PairRow* pairs, const std::byte* groups, const Line& line) {
        const auto a = loadGroup(groups), b = loadGroup(groups + kPanelGroup), c = loadGroup(groups + 2 * kPanelGroup);
        putGroup(pairs, lowSixBits(a), line);
        putGroup(pairs + 2, lowSixBits(b), line);
        putGroup(pairs + 4, lowSixBits(c), line);
        putGroup(pairs + 6, joinedUpperBits(a, b, c), line);
    }
    STEELYARD_INLINE static void convert(PairRow* pairs, const std::byte* p) {
        const auto d = halves(p);
        p += kPanelHalves;
        for (int sub = 0; sub < 8; ++sub, pairs += 16, p += kSub) {
            const auto factor = times(d, signedBytes(p)), other = times(d, signedBytes(p + 16));
            putHalf(pairs, p + 32, Line(factor, times(factor, splat(-32)), 256));
            putHalf(pairs + 8, p + 32 + 3 * kPanelGroup, Line(other, times(other, splat(-32)), 256));
        }
    }
};
// Pairs as stored, which are not converted.
struct Bfloat16Pairs {
    static constexpr auto kUnit = panelUnit(PanelFormat::Bfloat16);
};

// Tiles of two times sixteen tokens and of two panels, and the sums.
struct Operands {
    const std::byte *a[2], *b[2];
    std::int64_t steps;  // tiles along the columns, contiguous
    const float* from;   // sums so far; null: zero
    float* to;
    std::int64_t fromStride, toStride;    // bytes between tokens
    std::int64_t fromTile[4], toTile[4];  // elements of the first one of each tile of sums
};

template <bool Lower, bool Right>
void multiplyTiles(const Operands& o, Ahead& ahead) {
    if (o.from == nullptr) {
        _tile_zero(0);
        if constexpr (Right) _tile_zero(1);
        if constexpr (Lower) _tile_zero(2);
        if constexpr (Lower && Right) _tile_zero(3);
    } else {
        _tile_loadd(0, o.from + o.fromTile[0], o.fromStride);
        if constexpr (Right) _tile_loadd(1, o.from + o.fromTile[1], o.fromStride);
        if constexpr (Lower) _tile_loadd(2, o.from + o.fromTile[2], o.fromStride);
        if constexpr (Lower && Right) _tile_loadd(3, o.from + o.fromTile[3], o.fromStride);
    }
    for (std::int64_t step = 0; step < o.steps; ++step) {
        const auto at = step * kTileBytes;
        ahead.fetch();
        _tile_loadd(6, o.b[0] + at, kPanelGroup);
        _tile_loadd(4, o.a[0] + at, kPanelGroup);
        if constexpr (Right) _tile_loadd(7, o.b[1] + at, kPanelGroup);
        _tile_dpbf16ps(0, 4, 6);
        if constexpr (Lower) _tile_loadd(5, o.a[1] + at, kPanelGroup);
        if constexpr (Right) _tile_dpbf16ps(1, 4, 7);
        if constexpr (Lower) _tile_dpbf16ps(2, 5, 6);
        if constexpr (Lower && Right) _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, o.to + o.toTile[0], o.toStride);
    if constexpr (Right) _tile_stored(1, o.to + o.toTile[1], o.toStride);
    if constexpr (Lower) _tile_stored(2, o.to + o.toTile[2], o.toStride);
    if constexpr (Lower && Right) _tile_stored(3, o.to + o.toTile[3], o.toStride);
}

constexpr std::int64_t dividedUp(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

template <class Format>
void multiply(const WeightProduct& p) {
    constexpr bool kConverts = !std::is_same_v<Format, Bfloat16Pairs>;
    alignas(64) PairRow words[kConverts ? 2 : 1][kConverts ? kConverted / 2 : 1];
    alignas(64) float sums[kMostTokens * kBlock];
    const auto unitBytes = [](std::int64_t columns) { return columns / Format::kUnit.columns * Format::kUnit.bytes; };
    const auto blocks = dividedUp(p.tokens, kBlock);
    // Tiles of sixteen tokens are contiguous along the columns.
    const auto tileRow = p.columns / kTileColumns * kTileBytes;
    Tiles tiles;
    for (std::int64_t depth = 0; depth < p.columns; depth += kDepth) {
        const auto end = std::min(p.columns, depth + kDepth);
        for (std::int64_t panel = 0; panel < p.count; panel += 2) {
            const auto panels = std::min<std::int64_t>(2, p.count - panel);
            for (std::int64_t column = depth; column < end; column += kConverted) {
                const auto columns = std::min(kConverted, end - column);
                const auto* from = p.panels + panel * p.panelBytes + unitBytes(column);
                Operands o;
                o.steps = columns / kTileColumns;
                for (std::int64_t q = 0; q < 2; ++q) {
                    o.b[q] = from + q * p.panelBytes;
                    if constexpr (kConverts) {
                        if (q < panels)
                            for (std::int64_t c = 0; c < columns; c += Format::kUnit.columns)
                                Format::convert(words[q] + c / 2, o.b[q] + unitBytes(c));
                        o.b[q] = reinterpret_cast<const std::byte*>(words[q]);
                        writtenForTiles(words[q]);
                    }
                }
                // The weights that are read next: other columns of these panels, or the next panels.
                const bool last = column + columns == end, first = column == depth;
                const auto* next =
                    last ? p.panels + (panel + 2) * p.panelBytes + unitBytes(depth) : from + unitBytes(columns);
                const auto nextPanels = last ? std::min<std::int64_t>(2, p.count - panel - 2) : panels;
                const auto lines =
                    dividedUp(dividedUp(unitBytes(columns), kPanelGroup), dividedUp(blocks, 2) * o.steps);
                Ahead ahead{next, nextPanels > 0 ? lines : 0};
                for (std::int64_t b = 0; b < blocks; ++b) {
                    if (b > 0 && b == dividedUp(blocks, 2)) ahead = {next + p.panelBytes, nextPanels > 1 ? lines : 0};
                    const auto token = b * kBlock;
                    const Block block(std::min(kBlock, p.tokens - token), panels * kTile);
                    tiles.configure(block);
                    o.a[0] = p.tiles + token / kTile * tileRow + column / kTileColumns * kTileBytes;
                    o.a[1] = o.a[0] + tileRow;
                    float* y = p.y + token * p.leading + panel * kTile;
                    float* partial = sums + token * kBlock;
                    o.from = first ? (depth > 0 || p.accumulates ? y : nullptr) : partial;
                    o.to = last ? y : partial;
                    const auto place = [&](bool inPartial, std::int64_t& stride, std::int64_t(&tile)[4]) {
                        stride = (inPartial ? kTile : p.leading) * static_cast<std::int64_t>(sizeof(float));
                        for (std::int64_t i = 0; i < 4; ++i)
                            tile[i] = inPartial ? i * kTile * kTile : i / 2 * kTile * p.leading + i % 2 * kTile;
                    };
                    place(!first, o.fromStride, o.fromTile);
                    place(!last, o.toStride, o.toTile);
                    const auto run =
                        block.rows[1] > 0
                            ? (block.columns[1] > 0 ? multiplyTiles<true, true> : multiplyTiles<true, false>)
                            : (block.columns[1] > 0 ? multiplyTiles<false, true> : multiplyTiles<false, false>);
                    run(o, ahead);
                }
            }
        }
    }
}

void multiplyFormat(const WeightProduct& product) {
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
            return;  // LanguageKernels::usesTiles()
    }
}

void tiledProduct(const WeightProduct& product) {
    for (std::int64_t token = 0; token < product.tokens; token += kMostTokens) {
        auto part = product;
        part.tokens = std::min(kMostTokens, product.tokens - token);
        part.tiles += token / kTile * (product.columns / kTileColumns * kTileBytes);
        part.y += token * product.leading;
        multiplyFormat(part);
    }
}

void toTiles(std::byte* tiles, std::int64_t columns, std::int64_t token, const float* x, std::int64_t begin,
             std::int64_t end) {
    auto* row = tiles + token / kTile * (columns / kTileColumns * kTileBytes) + token % kTile * kPanelGroup;
    for (std::int64_t c = begin; c < end; c += kTileColumns) {
        const auto rounded =
            _mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + c - begin + kTile), _mm512_loadu_ps(x + c - begin));
        _mm512_storeu_si512(row + c / kTileColumns * kTileBytes, reinterpret_cast<__m512i>(rounded));
    }
}

}  // namespace

// No-op if the operating system denies tiles.
void fillLanguageTiles(Kernels& table) {
    if (!permitsTiles()) return;
    table.language.tiledProduct = tiledProduct;
    table.language.toTiles = toTiles;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

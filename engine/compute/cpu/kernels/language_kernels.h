// SPDX-License-Identifier: Apache-2.0
// Kernels of language models (cpu/language): products of stored weights with the activations of some tokens, and row
// operations of attention and feed-forward parts. As in kernels.h: compiled once per instruction set, on a range,
// without threads, allocation or errors.
//
// Weights are stored in panels of 16 rows, column by column, so that one vector holds the same columns of 16 rows and a
// panel is read sequentially. In block formats, columns are grouped by four (the width of an 8-bit dot product); a
// group of 64 bytes is [row][4 columns]. Contents of a panel, in order:
//   Nibbles    (q4_0)  32 columns: 16 halves (scales); 4 groups, group k with columns 4 k.. in the low nibbles and
//                      16 + 4 k.. in the high nibbles. A weight is scale (q - 8).
//   Bytes      (q8_0)  32 columns: 16 halves; 8 groups of q + 128.
//   Nested4    (q4_k)  256 columns: 16 halves d, 16 halves dmin; factors and minima in 192 bytes; 8 times 4 groups as
//                      in Nibbles. A weight is d factor q - dmin minimum. Factors and minima have six bits and are
//                      [8 parts of 32 columns][16 rows]: the lower six bits hold all factors and the minima of parts
//                      0 to 3, the upper two bits of three bytes, 64 apart, a minimum of parts 4 to 7.
//   Nested6    (q6_k, q3_k) 256 columns: 16 halves d; 8 times: 16 factors of columns 0 to 15, 16 of columns
//                      16 to 31 (signed bytes), 3 groups for each of these halves. Group k has columns 4 k.. in the low
//                      six bits, and bits 2 k and 2 k + 1 of columns 12.. in the upper two. A weight is
//                      d factor (q - 32).
//   Nested2    (q2_k)  256 columns: 16 halves d, 16 halves dmin; [16 parts of 16 columns][16 rows] bytes with a
//                      factor (low nibble) and a minimum (high nibble); 16 groups of bit pairs, one per part, with
//                      columns 4 f to 4 f + 3 in bits 2 f. A weight is d factor q - dmin minimum.
//   Offset8    (others) 32 columns: 16 floats (scales), 16 floats (minima), 8 groups. A weight is scale q + minimum.
//   Half, Float: one column: 16 values. Bfloat16: two columns: 16 pairs (x may be rounded to bfloat16, too).
// The key cache has a Half, Float or Bytes panel per 16 positions; the value cache has a row per position (RowFormat).
#pragma once

#include <cstddef>
#include <cstdint>

namespace steelyard::compute::cpu {

inline constexpr std::int64_t kPanelRows = 16;
inline constexpr std::int64_t kActivationBlock = 32;  // activations per scale

enum class PanelFormat { Nibbles, Bytes, Nested2, Nested4, Nested6, Offset8, Half, Bfloat16, Float };

inline constexpr std::int64_t kPanelGroup = 64, kPanelHalves = 32;  // bytes: four columns, and a half, of each row
inline constexpr std::int64_t kNested4Scales = 3 * kPanelGroup, kNested2Scales = 4 * kPanelGroup;  // bytes

// The repeating unit of a panel.
struct PanelUnit {
    std::int64_t columns = 0, bytes = 0;
};
constexpr PanelUnit panelUnit(PanelFormat format) {
    switch (format) {
        case PanelFormat::Nibbles:
            return {32, kPanelHalves + 4 * kPanelGroup};
        case PanelFormat::Bytes:
            return {32, kPanelHalves + 8 * kPanelGroup};
        case PanelFormat::Nested2:
            return {256, 2 * kPanelHalves + kNested2Scales + 16 * kPanelGroup};
        case PanelFormat::Nested4:
            return {256, 2 * kPanelHalves + kNested4Scales + 8 * 4 * kPanelGroup};
        case PanelFormat::Nested6:
            return {256, kPanelHalves + 8 * (2 * kPanelRows + 6 * kPanelGroup)};
        case PanelFormat::Offset8:
            return {32, 10 * kPanelGroup};
        case PanelFormat::Half:
            return {1, kPanelHalves};
        case PanelFormat::Bfloat16:
            return {2, kPanelGroup};
        case PanelFormat::Float:
            return {1, kPanelGroup};
    }
    return {};
}

// Activations in 8 bits: value = step q, 32 per step. The sums are those of the dequantised values, over 32 and 16
// columns. Token t starts at t columns, t columns / 32 and t columns / 16. Compensations subtract 32 from the
// six-bit weights of 16 columns: -32 times the sum of q of columns 4 k and 4 k + 1 (lower 16 bits), and of columns
// 4 k + 2 and 4 k + 3 (upper).
struct QuantisedRows {
    std::int8_t* q = nullptr;
    float* steps = nullptr;
    float* sums = nullptr;
    float* halfSums = nullptr;
    std::int32_t* compensations = nullptr;
};

// The order in which products of one token and sums of words read memory. Products of several tokens and weighted sums
// read sequentially in any case, and prefetch past the caches or, if MultiStrided, to the second-level cache.
enum class ReadPattern {
    Sequential,    // prefetched past the caches, so that nothing is displaced from them
    MultiStrided,  // kStrides parts in turn: hardware prefetches several sequences further ahead than one
};
// Sequential on AMD's processors. Others have fewer buffers for lines that go past the caches. Any thread.
[[nodiscard]] ReadPattern preferredReadPattern();

// From a read of memory to its prefetch, in bytes; in each of several parts that are read in turn.
inline constexpr std::int64_t kBytesAhead = 8192, kStrideBytesAhead = 768;
inline constexpr int kStrides = 8;

// A product of one token consists of steps: step i multiplies panel i of each of kStrides parts or, if Sequential,
// panels i kStrides to (i + 1) kStrides - 1; the last one multiplies what is left, too.
constexpr std::int64_t productSteps(std::int64_t panels) {
    return panels < kStrides ? 1 : panels / kStrides;
}

// y[t leading + 16 p + r] = sum over columns of the weight of row r of panel p times x[t stride + column].
struct WeightProduct {
    PanelFormat format = PanelFormat::Float;
    const std::byte* panels = nullptr;
    std::int64_t panelBytes = 0, count = 0, columns = 0;
    // For Half and Float, whose panels may be few (keys): prefetches the weights so many panels later and, with the
    // last panels, what is at `next`.
    std::int64_t panelsAhead = 0;
    const std::byte* next = nullptr;
    QuantisedRows rows;        // block formats; the stride is `columns`
    const float* x = nullptr;  // other formats
    std::int64_t stride = 0;
    const std::byte* tiles = nullptr;  // for tiled products (LanguageKernels::toTiles)
    std::int64_t tokens = 0;
    float* y = nullptr;
    std::int64_t leading = 0;
    bool accumulates = false;                         // adds to y
    ReadPattern pattern = ReadPattern::MultiStrided;  // preferredReadPattern()
    // Of one token: steps [firstStep, lastStep) alone, if lastStep is not negative.
    std::int64_t firstStep = 0, lastStep = -1;

    [[nodiscard]] bool hasLastStep() const { return lastStep < 0 || lastStep >= productSteps(count); }
    // The panels of its steps if they follow each other.
    [[nodiscard]] std::int64_t firstPanel() const { return firstStep * kStrides; }
    [[nodiscard]] std::int64_t endPanel() const { return hasLastStep() ? count : lastStep * kStrides; }

    // What is prefetched with the first byte of a panel.
    [[nodiscard]] const std::byte* later(std::int64_t panel) const {
        if (panelsAhead == 0) return panels + panel * panelBytes + kBytesAhead;
        const auto then = panel + panelsAhead;
        return then < count || next == nullptr ? panels + then * panelBytes : next + (then - count) * panelBytes;
    }
};

// Elements of a row that is stored as it is; Blocks are those of q8_0, a half and 32 signed bytes.
enum class RowFormat { Half, Float, Blocks };

// y[t leading + i] = sum over rows of x[t stride + row] times element i of the row. Rows are contiguous.
struct WeightedSum {
    RowFormat format = RowFormat::Float;
    const std::byte* rows = nullptr;
    std::int64_t count = 0, elements = 0;  // rows, and elements per row: a multiple of 16, or of 32 in Blocks
    const std::byte* next = nullptr;       // is prefetched with the last rows, if not null
    const float* x = nullptr;
    std::int64_t stride = 0, tokens = 0;
    float* y = nullptr;
    std::int64_t leading = 0;
    bool accumulates = false;                         // adds to y
    ReadPattern pattern = ReadPattern::MultiStrided;  // preferredReadPattern()
};

inline constexpr std::int64_t kTiledRows = 16;  // tokens of a tile
// Tokens from which tiled products are faster: with weights of bfloat16, and with weights to convert. More than the
// most are divided, and the weights are converted again.
inline constexpr std::int64_t kTiledPairTokens = 4, kTiledTokens = 32, kMostTiledTokens = 256;

struct LanguageKernels {
    void (*product)(const WeightProduct& product) = nullptr;
    void (*weightedSum)(const WeightedSum& sum) = nullptr;
    // Products in bfloat16, read `tiles`; for the formats and numbers of tokens of usesTiles(). Null without AMX.
    void (*tiledProduct)(const WeightProduct& product) = nullptr;
    // Rounds columns [begin, end) of a token's row, multiples of 32, to bfloat16; x starts at column `begin`. Tiles are
    // [16 tokens][32 columns], contiguous, first those of 16 tokens. Null without AMX.
    void (*toTiles)(std::byte* tiles, std::int64_t columns, std::int64_t token, const float* x, std::int64_t begin,
                    std::int64_t end) = nullptr;
    // One row of n elements, a multiple of 32.
    void (*quantise)(const QuantisedRows& target, const float* x, std::int64_t n) = nullptr;
    // y = x scale / sqrt(mean of squares + epsilon)
    void (*rmsNorm)(float* y, const float* x, const float* scale, float epsilon, std::int64_t n) = nullptr;
    // Rotates pair i, (x[i], x[pairs + i]) or, of neighbours, (x[2 i], x[2 i + 1]), by the angle with cosines[i] and
    // sines[i].
    void (*rotate)(float* x, const float* cosines, const float* sines, std::int64_t pairs, bool neighbours) = nullptr;
    // gate = f(gate, up); the functions of GateKind (engine/compute/language/decoder_weights.h)
    void (*gateSilu)(float* gate, const float* up, std::int64_t n) = nullptr;
    void (*gateGelu)(float* gate, const float* up, std::int64_t n) = nullptr;
    void (*gateClamped)(float* gate, const float* up, std::int64_t n) = nullptr;
    void (*softCap)(float* x, float cap, std::int64_t n) = nullptr;  // x = cap tanh(x / cap)
    // x = exp(x - maximum), with the maximum of the row, which is returned; returns the sum. n at least 1.
    float (*exponentials)(float* x, float* maximum, std::int64_t n) = nullptr;
    void (*scale)(float* y, const float* x, float factor, std::int64_t n) = nullptr;      // y = factor x
    void (*addScaled)(float* y, const float* x, float factor, std::int64_t n) = nullptr;  // y += factor x
    void (*toHalf)(std::uint16_t* y, const float* x, std::int64_t n) = nullptr;  // rounds to nearest, ties to even

    [[nodiscard]] bool usesTiles(PanelFormat format, std::int64_t tokens) const {
        if (tiledProduct == nullptr || format == PanelFormat::Half || format == PanelFormat::Float) return false;
        return tokens >= (format == PanelFormat::Bfloat16 ? kTiledPairTokens : kTiledTokens);
    }
};

}  // namespace steelyard::compute::cpu

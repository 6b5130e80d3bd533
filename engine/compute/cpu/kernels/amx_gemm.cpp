// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 matrices in the cache with AMX: a tile has sixteen rows of 64 bytes, A's of pairs along k, B's
// of words as stored. Blocks of 2 x 2 tiles of sums need four loads for four products, which hides the loads.
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/kernels/amx_tiles.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/transpose.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kDepthPairs = 128;  // that a block rereads from the L1 cache: 2 x 16 KiB

// Addresses of the pairs of a block; strides in bytes.
struct Factors {
    const std::byte* a = nullptr;
    std::int64_t strideA = 0;
    const std::byte* b = nullptr;
    std::int64_t strideB = 0;
};

template <bool Lower, bool Right>
STEELYARD_INLINE void multiplyPairs(const Factors& f, std::int64_t pair) {
    const auto* a = f.a + pair * 4;
    const auto* b = f.b + pair * f.strideB;
    _tile_loadd(4, a, f.strideA);
    _tile_loadd(6, b, f.strideB);
    if constexpr (Lower) _tile_loadd(5, a + kTile * f.strideA, f.strideA);
    if constexpr (Right) _tile_loadd(7, b + 4 * kTile, f.strideB);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (Right) _tile_dpbf16ps(1, 4, 7);
    if constexpr (Lower) _tile_dpbf16ps(2, 5, 6);
    if constexpr (Lower && Right) _tile_dpbf16ps(3, 5, 7);
}

// The remaining pairs, fewer than a tile's; the memory after them is undefined.
struct Rest {
    alignas(64) std::uint32_t a[kBlock][kTile] = {};
    alignas(64) std::uint32_t b[kTile][kBlock] = {};

    Rest(const Factors& f, const Block& block, std::int64_t pair, std::int64_t count) {
        const auto rows = block.rows[0] + block.rows[1], columns = block.columns[0] + block.columns[1];
        for (std::int64_t r = 0; r < rows; ++r)
            std::memcpy(a[r], f.a + r * f.strideA + pair * 4, static_cast<std::size_t>(count) * 4);
        for (std::int64_t k = 0; k < count; ++k)
            std::memcpy(b[k], f.b + (pair + k) * f.strideB, static_cast<std::size_t>(columns) * 4);
        writtenForTiles(this);
    }
    [[nodiscard]] Factors factors() const {
        return {reinterpret_cast<const std::byte*>(a), sizeof(a[0]), reinterpret_cast<const std::byte*>(b),
                sizeof(b[0])};
    }
};

template <bool Lower, bool Right>
void multiplyBlock(const Factors& f, const Block& block, std::int64_t pairs, float* c, std::int64_t leading,
                   bool accumulate, Ahead& ahead) {
    const auto stride = leading * static_cast<std::int64_t>(sizeof(float));
    _tile_zero(0);
    if constexpr (Right) _tile_zero(1);
    if constexpr (Lower) _tile_zero(2);
    if constexpr (Lower && Right) _tile_zero(3);
    if (accumulate) {
        _tile_loadd(0, c, stride);
        if constexpr (Right) _tile_loadd(1, c + kTile, stride);
        if constexpr (Lower) _tile_loadd(2, c + kTile * leading, stride);
        if constexpr (Lower && Right) _tile_loadd(3, c + kTile * leading + kTile, stride);
    }
    std::int64_t pair = 0;
    for (; pair + kTile <= pairs; pair += kTile) {
        ahead.fetch();
        multiplyPairs<Lower, Right>(f, pair);
    }
    if (pair < pairs) {
        const Rest rest(f, block, pair, pairs - pair);
        multiplyPairs<Lower, Right>(rest.factors(), 0);
    }
    _tile_stored(0, c, stride);
    if constexpr (Right) _tile_stored(1, c + kTile, stride);
    if constexpr (Lower) _tile_stored(2, c + kTile * leading, stride);
    if constexpr (Lower && Right) _tile_stored(3, c + kTile * leading + kTile, stride);
}

// Gathers rows of A with contiguous pairs from a layout in which pairs of neighbouring rows are contiguous.
void gatherRows(std::uint32_t (&rows)[kBlock][kDepthPairs], const Bf16Gemm& p, std::int64_t row, std::int64_t height,
                std::int64_t firstPair, std::int64_t pairs) {
    const auto* a = reinterpret_cast<const std::uint32_t*>(p.a + row * p.rowStride + firstPair * p.wordStride);
    const auto step = p.wordStride / 2;  // words
    for (std::int64_t r = 0; r < height; r += kLanes) {
        for (std::int64_t pair = 0; pair < pairs; pair += kLanes) {
            __m512i block[kLanes];
#pragma GCC unroll 16
            for (int i = 0; i < kLanes; ++i)
                block[i] = _mm512_maskz_loadu_epi32(
                    pair + i < pairs ? lanesBelow(height - r) : static_cast<__mmask16>(0), a + (pair + i) * step + r);
            transpose(block);
#pragma GCC unroll 16
            for (int i = 0; i < kLanes; ++i) _mm512_store_si512(&rows[r + i][pair], block[i]);
        }
    }
}

// Rounded up: the lines end before the steps do.
std::int64_t linesOfStep(const Bf16Gemm& p) {
    if (p.ahead == nullptr) return 0;
    const auto blocks = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
    const auto steps = blocks(p.m, kBlock) * blocks(p.n, kBlock) * std::max<std::int64_t>(p.k / (2 * kTile), 1);
    return blocks(blocks(p.aheadBytes, 64), steps);
}

void multiply(const Bf16Gemm& p) {
    const auto allPairs = (p.k + 1) / 2;
    const bool gathers = p.wordStride != 2;
    alignas(64) std::uint32_t gathered[kBlock][kDepthPairs];
    Ahead ahead{static_cast<const std::byte*>(p.ahead), linesOfStep(p)};
    Tiles tiles;
    for (std::int64_t first = 0; first < allPairs; first += kDepthPairs) {
        const auto pairs = std::min(kDepthPairs, allPairs - first);
        const bool accumulate = p.accumulate || first > 0;
        for (std::int64_t row = 0; row < p.m; row += kBlock) {
            const auto height = std::min(kBlock, p.m - row);
            Factors f{reinterpret_cast<const std::byte*>(p.a + row * p.rowStride + 2 * first), 2 * p.rowStride, nullptr,
                      4 * p.leadingB};
            if (gathers) {
                gatherRows(gathered, p, row, height, first, pairs);
                writtenForTiles(gathered);
                f.a = reinterpret_cast<const std::byte*>(gathered);
                f.strideA = sizeof(gathered[0]);
            }
            for (std::int64_t column = 0; column < p.n; column += kBlock) {
                const Block block(height, std::min(kBlock, p.n - column));
                tiles.configure(block);
                f.b = reinterpret_cast<const std::byte*>(p.b + first * p.leadingB + column);
                auto* c = p.c + row * p.leadingC + column;
                const auto run =
                    block.rows[1] > 0
                        ? (block.columns[1] > 0 ? multiplyBlock<true, true> : multiplyBlock<true, false>)
                        : (block.columns[1] > 0 ? multiplyBlock<false, true> : multiplyBlock<false, false>);
                run(f, block, pairs, c, p.leadingC, accumulate, ahead);
            }
        }
    }
}

}  // namespace

// No-op if the operating system denies tiles.
void fillAmxGemm(Kernels& table) {
    if (!permitsTiles()) return;
    table.bf16Gemm.multiply = multiply;
    table.bf16Gemm.stripRows = 2 * kBlock;
    table.bf16Gemm.blockRows = 6 * kBlock;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

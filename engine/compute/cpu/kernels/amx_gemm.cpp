// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 matrices in the cache with AMX.
#include "engine/compute/cpu/kernels/amx_tiles.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/transpose.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kDepthPairs = 128;  // that a block rereads from the L1 cache: 2 x 16 KiB

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
                f.a = reinterpret_cast<const std::byte*>(gathered);
                f.strideA = sizeof(gathered[0]);
            }
            for (std::int64_t column = 0; column < p.n; column += kBlock) {
                const Block block(height, std::min(kBlock, p.n - column));
                tiles.configure(block);
                f.b = reinterpret_cast<const std::byte*>(p.b + first * p.leadingB + column);
                auto* c = p.c + row * p.leadingC + column;
                runBlock(f, block, pairs, c, p.leadingC, accumulate, ahead);
            }
        }
    }
}

}  // namespace

// No-op if the operating system denies tiles.
void fillAmxGemm(Kernels& table) {
    if (!mayUseTiles()) return;
    table.bf16Gemm.multiply = multiply;
    table.bf16Gemm.stripRows = 2 * kBlock;
    table.bf16Gemm.blockRows = 6 * kBlock;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

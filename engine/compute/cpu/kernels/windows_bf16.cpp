// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 rows with a panel of bfloat16 weights, with AVX-512 BF16's dot product of pairs.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/bf16_results.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/window_tiles.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

struct Pairs {
    static constexpr int kRows = kTileRows, kVectors = kTileVectors;
    static constexpr std::int64_t kStride = kPanelColumns;
    using Sums = Vector;
    using Columns = __m512bh;

    const FloatWindowProduct& product;
    Bf16RowSums* results = nullptr;

    static STEELYARD_INLINE Columns load(const std::uint32_t* words) {
        return __builtin_bit_cast(Columns, _mm512_loadu_si512(words));
    }
    static STEELYARD_INLINE Columns broadcast(int pair) { return __builtin_bit_cast(Columns, _mm512_set1_epi32(pair)); }
    static STEELYARD_INLINE Sums dot(Sums sums, Columns row, Columns columns) {
        return _mm512_dpbf16_ps(sums, row, columns);
    }
    STEELYARD_INLINE Sums start(std::int64_t /*row*/, std::int64_t /*column*/) const { return zeroFloats(); }
    STEELYARD_INLINE void store(std::int64_t /*first*/, int row, std::int64_t column, Sums sums) const {
        _mm512_store_ps(&results[row][column], sums);
    }
};

void multiply(const FloatWindowProduct& p) {
    alignas(64) TileSums<float> sums;
    const auto finish = finishOf(p);
    multiplyPanel(Pairs{p, sums}, kResultBytes,
                  [&](std::int64_t row, std::int64_t rows) { finish(p, sums, row, rows); });
}

}  // namespace

void fillBf16Windows(Kernels& table) {
    table.bf16Gemm.windows = {multiply, kPanelColumns};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

// SPDX-License-Identifier: Apache-2.0
// Products of float matrices in the cache.
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/gemm_microkernel.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

void transposeFloats(float* words, const float* x, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    for (std::int64_t row = 0; row < rows; row += kLanes) {
        const auto height = rows - row < kLanes ? rows - row : kLanes;
        for (std::int64_t column = 0; column < columns; column += kLanes) {
            const auto lanes = lanesBelow(columns - column);
            const auto* from = x + row * leading + column;
            Words block[kLanes];
#pragma GCC unroll 16
            for (int r = 0; r < kLanes; ++r)
                block[r] = wordsOf(r < height ? loadFloats(lanes, from + r * leading) : zeroFloats());
            transpose(block);
            const auto rowLanes = lanesBelow(height);
            auto* to = words + column * rows + row;
#pragma GCC unroll 16
            for (int c = 0; c < kLanes; ++c)
                if (column + c < columns) storeFloats(rowLanes, to + c * rows, floatsOf(block[c]));
        }
    }
}

void copyRows(float* words, std::int64_t panel, const float* x, std::int64_t leading, std::int64_t step,
              std::int64_t rows, std::int64_t columns) {
    if (step != 1) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) words[r * panel + c] = x[r * leading + c * step];
        return;
    }
    const auto whole = columns / kLanes * kLanes;
    const auto rest = lanesBelow(columns - whole);
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto* from = x + r * leading;
        auto* to = words + r * panel;
        for (std::int64_t column = 0; column < whole; column += kLanes)
            storeFloats(to + column, loadFloats(from + column));
        if (whole < columns) storeFloats(rest, to + whole, loadFloats(rest, from + whole));
    }
}

}  // namespace

void fillF32Gemm(Kernels& table) {
    table.f32Gemm = {multiplyPanels<FloatWords>, transposeFloats, copyRows, 16 * kRows};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

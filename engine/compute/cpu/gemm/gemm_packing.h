// SPDX-License-Identifier: Apache-2.0
// Packs operands of the packed gemm into words (kernels/kernels.h): pairs of bfloat16, or single floats. Requires a
// processor with these kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// words[row, column] of `columns` columns of a row-major [rows, leading]: B, or A transposed.
inline void packRows(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                     std::int64_t leading) {
    kernels().bf16Gemm.pairRows(words, x, rows, columns, leading);
}
inline void packRows(float* words, const float* x, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    for (std::int64_t row = 0; row < rows; ++row) std::copy_n(x + row * leading, columns, words + row * columns);
}

// Likewise for a transposed B, row-major [columns, leading], of which `rows` are packed.
inline void packColumns(std::uint32_t* words, const BFloat16* x, std::int64_t columns, std::int64_t rows,
                        std::int64_t leading) {
    kernels().bf16Gemm.pairColumns(words, x, columns, rows, leading);
}
inline void packColumns(float* words, const float* x, std::int64_t columns, std::int64_t rows, std::int64_t leading) {
    kernels().f32Gemm.transpose(words, x, columns, rows, leading);
}

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Operands of the packed gemm, packed into words (kernels/kernels.h): of bfloat16 in pairs, of floats as they are. The
// processor must have the products.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// words[row, column] of a row-major [rows, leading], of which `columns` are taken: B, or A transposed.
inline void packRows(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                     std::int64_t leading) {
    kernels().bf16Gemm.pairRows(words, x, rows, columns, leading);
}
inline void packRows(float* words, const float* x, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    for (std::int64_t row = 0; row < rows; ++row) std::copy_n(x + row * leading, columns, words + row * columns);
}

// The same of a B that lies transposed, row-major [columns, leading], of which `rows` are taken.
inline void packColumns(std::uint32_t* words, const BFloat16* x, std::int64_t columns, std::int64_t rows,
                        std::int64_t leading) {
    kernels().bf16Gemm.pairColumns(words, x, columns, rows, leading);
}
inline void packColumns(float* words, const float* x, std::int64_t columns, std::int64_t rows, std::int64_t leading) {
    kernels().f32Gemm.transpose(words, x, columns, rows, leading);
}

}  // namespace steelyard::compute::cpu

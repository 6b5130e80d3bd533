// SPDX-License-Identifier: Apache-2.0
// The matrix product of the reference backend, with arbitrary strides and sums in double. Internal to
// engine/compute/reference.
#pragma once

#include <cstdint>

namespace steelyard::compute::reference {

// c[i][j] += sum over k of a[i][k] b[k][j], for i < rows, j < columns, k < depth.
// Element [i][k] of a is a[i * aRow + k * aColumn], and so on; columns of c are adjacent.
struct Product {
    std::int64_t rows = 0, columns = 0, depth = 0;
    const float* a = nullptr;
    std::int64_t aRow = 0, aColumn = 0;
    const float* b = nullptr;
    std::int64_t bRow = 0, bColumn = 0;
    float* c = nullptr;
    std::int64_t cRow = 0;
};
// The result does not depend on the number of threads.
void addProduct(const Product& product, int threads);

}  // namespace steelyard::compute::reference

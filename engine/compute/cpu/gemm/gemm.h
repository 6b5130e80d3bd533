// SPDX-License-Identifier: Apache-2.0
// Products of row-major matrices: C (+)= op(A) op(B), by oneDNN's matmul primitive or by BLAS, whose scaling factors
// may change from step to step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// C is [m, n]; op(A) is [m, k], op(B) is [k, n]; a transposed operand is stored as [k, m] or [n, k].
struct Product {
    std::int64_t m = 0, n = 0, k = 0;
    bool transposeA = false, transposeB = false;
    DataKind kind = DataKind::f32;    // of A and B
    DataKind result = DataKind::f32;  // of C

    [[nodiscard]] std::string text() const;
};

enum class BlasLibrary { OpenBlas, OneDnn };

// C = alpha op(A) op(B) + beta C, float32. Uses the thread count of the surrounding ThreadScope. Leading dimensions in
// elements; 0: contiguous rows.
struct LeadingSizes {
    std::int64_t a = 0, b = 0, c = 0;
};
void blasProduct(BlasLibrary library, const Product& product, float alpha, const float* a, const float* b, float beta,
                 float* c, const LeadingSizes& leading = {});

// coldB: B is read from memory.
[[nodiscard]] TrialMaker blasTrial(const dnnl::engine& engine, BlasLibrary library, const Product& product,
                                   bool coldB = false);
// C = op(A) op(B).
void emitBlasProduct(Compiler& compiler, BlasLibrary library, const Product& product, const Value& a, const Value& b,
                     const Value& c);

struct MatMulExtras {
    Desc bias;  // [n], or empty
    std::optional<model::ActivationKind> activation;
    bool packs = false;  // B has the layout that the library prefers, otherwise rows
};
[[nodiscard]] dnnl::matmul::primitive_desc describeMatMul(const dnnl::engine& engine, const Product& product,
                                                          const MatMulExtras& extras);

// C = op(A) op(B) by the fastest implementation for the shape: oneDNN's matmul or sgemm, OpenBLAS, packed gemm.
void emitProduct(Compiler& compiler, const Product& product, const Value& a, const Value& b, const Value& c);

// C += bias for each row, then the activation; for products without fused bias and activation.
void emitBiasAndActivation(Compiler& compiler, const Value& target, std::int64_t rows, std::int64_t columns,
                           const Value& bias, std::optional<model::ActivationKind> activation);

// sums[c] = sum over rows of x[r, c].
void emitColumnSums(Compiler& compiler, const Value& x, std::int64_t rows, std::int64_t columns, const Value& sums);

}  // namespace steelyard::compute::cpu

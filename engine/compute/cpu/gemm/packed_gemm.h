// SPDX-License-Identifier: Apache-2.0
// Products of large matrices by native kernels: bfloat16 with AVX-512 BF16 or AMX, float with AVX-512 or AVX2. B is
// packed into panels of words (pairs of bfloat16, or floats); the float32 sums of a block of C stay in the cache. A
// candidate for matrix products, dense layers and pointwise convolutions.
#pragma once

#include <optional>

#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

struct PackedGemm {
    Product product;
    int threads = 1;             // maximum number
    std::int64_t columns = 256;  // columns of B that a thread packs at once; fewer need less scratch
    bool packed = false;         // B has the layout of packedDesc()
    bool adds = false;           // accumulates into C
    std::optional<ActivationKind> activation{};

    // Whether the processor and the shape are supported.
    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // C = op(A) op(B), plus `bias` of n elements if not null, plus C if `adds`, then the activation. Scratch must be
    // aligned to a cache line.
    void run(const void* a, const void* b, const float* bias, void* c, void* scratch) const;
    // [n, k], for a transposed B.
    [[nodiscard]] Desc packedDesc() const;
    // coldB: B is read from memory. If it adds, C is too.
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine, bool coldB = false) const;
};

// With the largest scratch that the current operation affords, or the smallest useful one.
[[nodiscard]] PackedGemm fitting(const Compiler& compiler, PackedGemm gemm);
// `bias` may be empty.
void emitPackedGemm(Compiler& compiler, const PackedGemm& gemm, const Value& a, const Value& b, const Value& bias,
                    const Value& c);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Products of large matrices by native kernels: of bfloat16 for AVX-512 BF16 or AMX, of floats for AVX-512. B lies in
// panels of words (pairs of bfloat16, or floats), the sums of a block of C are float32 and stay in the cache. One of
// the candidates of products, dense layers and pointwise convolutions.
#pragma once

#include <optional>

#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

struct PackedGemm {
    Product product;
    int threads = 1;             // as many as work on it, at most
    std::int64_t columns = 256;  // that a thread packs of B at once; fewer take less scratch
    bool packed = false;         // B lies as packedDesc() says
    bool adds = false;           // to what C holds
    std::optional<ActivationKind> activation{};

    // Whether this processor can, and the shape is one of those that are written for.
    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // C = op(A) op(B), plus `bias` of n elements where there is one, plus C where it adds, then the activation. Scratch
    // begins on a cache line.
    void run(const void* a, const void* b, const float* bias, void* c, void* scratch) const;
    // [n, k], for a B that is transposed.
    [[nodiscard]] Desc packedDesc() const;
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const;
};

// With as much scratch as the current operation affords, or the least that makes sense.
[[nodiscard]] PackedGemm fitting(const Compiler& compiler, PackedGemm gemm);
// `bias` may be empty.
void emitPackedGemm(Compiler& compiler, const PackedGemm& gemm, const Value& a, const Value& b, const Value& bias,
                    const Value& c);

}  // namespace steelyard::compute::cpu

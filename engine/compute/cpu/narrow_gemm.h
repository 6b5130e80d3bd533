// SPDX-License-Identifier: Apache-2.0
// Products of large bfloat16 matrices by own kernels for AVX-512 BF16: B lies in panels of pairs, the sums of a block
// of C are float32 and stay in the cache. Beside the library's, one more candidate to be tried.
#pragma once

#include "engine/compute/cpu/products.h"

namespace steelyard::compute::cpu {

struct NarrowGemm {
    Product product;
    int threads = 1;             // as many as work on it, at most
    std::int64_t columns = 256;  // that a thread packs of B at once; fewer take less scratch

    // Whether this processor can, and the shape is one of those that are written for.
    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // C = op(A) op(B), plus `bias` of n elements where there is one, then the rectifier when asked for. Scratch begins
    // on a cache line.
    void run(const void* a, const void* b, const float* bias, bool relu, void* c, void* scratch) const;
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const;
};

// With as much scratch as the current operation affords, or the least that makes sense.
[[nodiscard]] NarrowGemm narrowGemm(const Compiler& compiler, const Product& product);
// `bias` may be empty.
void emitNarrowGemm(Compiler& compiler, const NarrowGemm& gemm, const Value& a, const Value& b, const Value& bias,
                    bool relu, const Value& c);

}  // namespace steelyard::compute::cpu

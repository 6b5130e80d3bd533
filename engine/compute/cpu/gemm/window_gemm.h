// SPDX-License-Identifier: Apache-2.0
// Products of float or bfloat16 rows by native kernels, whose float32 sums stay in registers over all of k; bias,
// shortcut and activation are applied tile by tile. A candidate for convolutions of inference plans.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/gemm/window_rows.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// y = f(factors x w + bias + y), all channels-last and contiguous.
struct WindowGemm {
    std::int64_t rows = 0, units = 0;
    ImageWindows windows;  // of x; elementBytes are those of the type
    int threads = 1;
    bool adds = false;    // accumulates into y
    bool scales = false;  // with factors, per unit; of float only
    std::optional<ActivationKind> activation{};
    WindowKernels products;

    // Whether the processor and the shape are supported.
    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Weights [units, channels, kernelHeight, kernelWidth]: panels of products.columns units, words of one float or two
    // bfloat16.
    [[nodiscard]] Desc packedDesc() const;
    // `factors` (if it scales) and `bias` (may be null): one element per unit.
    void run(const void* x, const void* weights, const float* factors, const float* bias, void* y, void* scratch) const;
    // coldWeights: these are read from memory. If it adds, y is too.
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine, bool coldWeights = false) const;
};

}  // namespace steelyard::compute::cpu

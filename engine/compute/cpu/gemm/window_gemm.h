// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 rows by native kernels, whose float32 sums stay in registers over all of k; bias, shortcut
// and activation are applied and the result rounded tile by tile. A candidate for convolutions of inference plans.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/gemm/window_rows.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// y = f(x w + bias + y), all channels-last and contiguous.
struct WindowGemm {
    std::int64_t rows = 0, units = 0;
    ImageWindows windows;  // of x; elementBytes are those of bfloat16
    int threads = 1;
    bool adds = false;  // accumulates into y
    std::optional<ActivationKind> activation{};
    const Bf16GemmKernels* products = &kernels().bf16Gemm;

    // Whether the processor and the shape are supported.
    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Weights [units, channels, kernelHeight, kernelWidth]: panels of 64 units, words of two channels.
    [[nodiscard]] Desc packedDesc() const;
    // `bias`: one element per unit, or null.
    void run(const void* x, const void* weights, const float* bias, void* y, void* scratch) const;
    // coldWeights: these are read from memory. If it adds, y is too.
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine, bool coldWeights = false) const;
};

}  // namespace steelyard::compute::cpu

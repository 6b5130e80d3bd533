// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions of float images on native kernels. A candidate for inference plans: threads divide the lines
// of an image as those of other native kernels do, so that a layer reads what its own core wrote.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/window_rows.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// y = f(x * w + bias), each channel with its own kernel.
struct DepthwiseConvolution {
    ImageWindows windows;  // of x
    ChannelLayout source, target;
    int threads = 1;
    std::optional<ActivationKind> activation;
    F32DepthwiseKernels kernels;

    // Whether the processor, the layouts and the shape are supported: channels-last images, or blocks of as many
    // channels as the kernels have lanes.
    [[nodiscard]] bool runsHere() const;
    // Weights [channels, 1, 1, kernelHeight, kernelWidth], the channels of a vector together.
    [[nodiscard]] Desc weightsDesc() const;
    // bias: one element per channel, may be null.
    void run(const float* x, const float* weights, const float* bias, float* y) const;
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const;
};

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Batch and layer normalisation; formulas: engine/compute/reference/normalisation.cpp. Variances are biased. Means and
// variances are merged as in T. Chan, G. Golub, R. LeVeque, Updating Formulae and a Pairwise Algorithm for Computing
// Sample Variances, 1979.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

struct BatchNormParameters {
    const float* scale = nullptr;   // [channels]
    const float* offset = nullptr;  // [channels]
    float epsilon = 1e-5F;
};

// Inference: y = scale (x - mean) / sqrt(variance + epsilon) + offset, + residual, then ReLU. residual: as x, or null.
[[nodiscard]] Status batchNormApply(Stream stream, ElementType type, const ChannelAxes& axes, const void* x,
                                    const BatchNormParameters& parameters, const float* mean, const float* variance,
                                    const void* residual, bool relu, void* y);

// Inference: folds the normalisation of a layer without bias into it: weights [channels, perChannel] times scale /
// sqrt(variance + epsilon), possibly in place, and the remainder as its bias [channels]; all of `type`.
[[nodiscard]] Status foldBatchNorm(Stream stream, ElementType type, const void* weights, std::int64_t channels,
                                   std::int64_t perChannel, const BatchNormParameters& parameters, const float* mean,
                                   const float* variance, void* foldedWeights, void* bias);

// Training: moments of the batch; savedMean, savedInverse (1 / sqrt(variance + epsilon)): [channels]. running = running
// + momentum (batch - running), both may be null.
[[nodiscard]] std::int64_t batchNormWorkspace(const ChannelAxes& axes);  // of both passes
[[nodiscard]] Status batchNormForward(Stream stream, ElementType type, const ChannelAxes& axes, const void* x,
                                      const BatchNormParameters& parameters, float momentum, float* runningMean,
                                      float* runningVariance, float* savedMean, float* savedInverse,
                                      const void* residual, bool relu, void* y, void* workspace);

struct BatchNormGradients {
    const void* x = nullptr;
    const void* y = nullptr;  // only if relu: the gradient passes where y > 0
    const void* dy = nullptr;
    void* dx = nullptr;         // may be null; may alias dy
    void* dResidual = nullptr;  // if the forward pass had a residual: dy after the ReLU; may be null; must not alias dy
    bool relu = false, accumulate = false, accumulateResidual = false, accumulateParameters = false;
    const float* scale = nullptr;  // [channels]
    const float* savedMean = nullptr;
    const float* savedInverse = nullptr;
    float* dScale = nullptr;  // [channels]
    float* dOffset = nullptr;
};
[[nodiscard]] Status batchNormBackward(Stream stream, ElementType type, const ChannelAxes& axes,
                                       const BatchNormGradients& g, void* workspace);

// x, y: [rows, features]; scale, offset: [features]; savedMean, savedInverse: [rows], both may be null.
[[nodiscard]] Status layerNormForward(Stream stream, ElementType type, const void* x, const float* scale,
                                      const float* offset, float epsilon, void* y, float* savedMean,
                                      float* savedInverse, std::int64_t rows, std::int64_t features);

struct LayerNormGradients {
    const void* x = nullptr;
    const void* dy = nullptr;
    void* dx = nullptr;  // may be null; may alias dy
    bool accumulate = false, accumulateParameters = false;
    const float* scale = nullptr;
    const float* savedMean = nullptr;
    const float* savedInverse = nullptr;
    float* dScale = nullptr;  // [features]
    float* dOffset = nullptr;
};
[[nodiscard]] std::int64_t layerNormWorkspace(std::int64_t rows, std::int64_t features);
[[nodiscard]] Status layerNormBackward(Stream stream, ElementType type, const LayerNormGradients& g, std::int64_t rows,
                                       std::int64_t features, void* workspace);

}  // namespace steelyard::compute::cuda::kernels

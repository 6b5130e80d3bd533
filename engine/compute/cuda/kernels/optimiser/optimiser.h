// SPDX-License-Identifier: Apache-2.0
// After the backward pass, for all parameters in one launch each: the global gradient norm and whether it is finite,
// the gradient factor (clipping, loss scale), the update. Rules: engine/model/optimizer.h.
#pragma once

#include <span>
#include <vector>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/model/optimizer.h"

namespace steelyard::compute::cuda::kernels {

// One parameter; Float32 throughout. The table of parameters is in device memory.
struct ParameterBlock {
    float* weight = nullptr;
    float* gradient = nullptr;
    float* state1 = nullptr;
    float* state2 = nullptr;             // null if the rule has none
    void* halfCopy = nullptr;            // 16-bit copy for products, or null
    const std::uint8_t* rows = nullptr;  // sparse: mask over rows of rowLength (embedding.h); null: all
    std::int64_t rowLength = 1;
    std::int64_t count = 0;
};

// A thread block processes one chunk of one parameter.
inline constexpr std::int64_t kChunkElements = 16384;
struct Chunk {
    std::int32_t parameter = 0;
    std::int32_t unused = 0;
    std::int64_t first = 0;
};
[[nodiscard]] std::vector<Chunk> chunksOf(std::span<const std::int64_t> counts);

struct ParameterList {  // device memory
    const ParameterBlock* parameters = nullptr;
    const Chunk* chunks = nullptr;
    std::int64_t chunkCount = 0;
};

// Factor applied to gradients before the update, in device memory.
struct GradientFactor {
    float factor = 1;
    std::int32_t skip = 0;  // 1: not finite, skip the update
    float norm = 0;         // of unscaled gradients, before clipping
    std::int32_t unused = 0;
};

// squares[chunk]: sum of squares of a chunk's gradients; NaN or infinite if a gradient is. Float32 [chunkCount].
[[nodiscard]] Status gradientSquares(Stream stream, const ParameterList& list, float* squares);
// *factor from them: 1 / lossScale (null: 1), times clipNorm / norm if the norm is above clipNorm (0: no clipping).
// With a lossScale: non-finite steps are skipped and halve the scale; growthSteps good steps double it. Without:
// nothing is skipped, as in the reference.
[[nodiscard]] Status gradientFactor(Stream stream, const float* squares, std::int64_t count, float clipNorm,
                                    LossScale* lossScale, std::int32_t growthSteps, GradientFactor* factor);
// gradient *= factor->factor, if gradients are kept for reading. Use a factor of 1 (null) in the update then.
[[nodiscard]] Status scaleGradients(Stream stream, const ParameterList& list, const GradientFactor* factor);

// One step of the rule. factor null: 1, never skipped. halfType: of ParameterBlock::halfCopy.
[[nodiscard]] Status updateParameters(Stream stream, const model::Optimizer& optimizer, const ParameterList& list,
                                      const StepControl* control, const GradientFactor* factor, ElementType halfType);

// StepControl::rate: learningRate is the step's after decay (compute::learningRate); for Adam times
// sqrt(1 - beta2^t) / (1 - beta1^t) with t = step + 1.
[[nodiscard]] float stepRate(const model::Optimizer& optimizer, double learningRate, std::int64_t step);

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// Attention by its definition in double, and the comparison of kernels with it.
#pragma once

#include <functional>
#include <vector>

#include "engine/compute/cuda/kernels/kernels.h"

namespace steelyard::compute::cuda::kernels {

struct AttentionExpected {
    std::vector<float> output, logSums, dInput;  // dInput: [B, T, 3 F], as the input
};

// x: [B, T, 3 F]; dy: [B, T, F].
[[nodiscard]] AttentionExpected attentionOf(const AttentionShape& s, const std::vector<float>& x,
                                            const std::vector<float>& dy);

// Three heads and a batch of two by default; scale 1 / sqrt(width).
[[nodiscard]] AttentionShape attentionShape(std::int64_t tokens, std::int64_t width, bool causal,
                                            std::int64_t batch = 2, std::int64_t heads = 3);

// The kernels to compare, with the arguments of fusedAttentionForward and fusedAttentionBackward except the stream.
struct AttentionKernels {
    std::function<Status(ElementType, const AttentionShape&, const void* q, const void* k, const void* v, void* output,
                         float* logSums)>
        forward;
    std::function<Status(ElementType, const AttentionShape&, const AttentionGradients&)> backward;
    double tolerance = 1;  // in units of the type's tolerance, for the output; half of it for gradients
    double logTolerance = 1e-5;
    float spread = 1;  // of the input
};
void expectAttention(const AttentionKernels& kernels, const AttentionShape& s, ElementType type, bool accumulate);

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// Batch normalisation as part of the layer before it, inferring: y = scale (W x + b - mean) / sqrt(variance + epsilon)
// + offset is again W' x + b'. Computed in the preparation, so again after a weight or a statistic was written.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

struct FoldedLayer {
    Value weights, bias;
};

// `dims`: the layer's weights as oneDNN sees them (with a group dimension in front where there are groups); `layout`:
// as they are wanted. Reads the normalisation from the compiler's current fusion.
[[nodiscard]] FoldedLayer foldNormalisation(Compiler& compiler, const plan::Operation& op, const Dims& dims,
                                            const Desc& layout);

// The same as y = scale (W x) + offset, for a layer that leaves its weights as they are. Of each channel, float32.
struct NormalisationFactors {
    Value scale, offset;
};
[[nodiscard]] NormalisationFactors normalisationFactors(Compiler& compiler, const plan::Operation& op);

}  // namespace steelyard::compute::cpu

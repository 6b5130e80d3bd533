// SPDX-License-Identifier: Apache-2.0
// Folds batch normalisation into the preceding layer for inference: y = scale (W x + b - mean) / sqrt(variance +
// epsilon) + offset equals W' x + b'. Computed in the preparation, hence again after a weight or statistic was written.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

struct FoldedLayer {
    Value weights, bias;
};

// `dims`: oneDNN dimensions of the layer's weights (with a leading group dimension if grouped); `layout`: the desired
// one. The normalisation is that of the compiler's current fusion.
[[nodiscard]] FoldedLayer foldNormalisation(Compiler& compiler, const plan::Operation& op, const Dims& dims,
                                            const Desc& layout);

// The form y = scale (W x) + offset, for layers that keep their weights. Per channel, float32.
struct NormalisationFactors {
    Value scale, offset;
};
[[nodiscard]] NormalisationFactors normalisationFactors(Compiler& compiler, const plan::Operation& op);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Fusion of forward operations of imported networks. Part of fuse().
#pragma once

#include "engine/compute/cpu/compile/fusion.h"

namespace steelyard::compute::cpu {

// Merges chains of element-wise operations (Fusion::steps, also for chains of one), composes rearrangements, and turns
// those before and after matrix products into views (Fusion::views, resultView).
// Whether a convolution is large enough for one product per tap, which any activation may follow.
[[nodiscard]] bool hasShiftedProducts(const plan::Plan& plan, const plan::Operation& op,
                                      const model::ConvolveNd& layer);

void fuseArrays(FusedPlan& fused);

}  // namespace steelyard::compute::cpu

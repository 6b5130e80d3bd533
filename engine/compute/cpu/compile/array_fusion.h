// SPDX-License-Identifier: Apache-2.0
// Fusion of operations of imported networks; forward operations only. Part of fuse().
#pragma once

#include "engine/compute/cpu/compile/fusion.h"

namespace steelyard::compute::cpu {

// Chains of element-wise operations become one (Fusion::steps, also where a chain has one step), rearrangements of
// rearrangements become one, and those before and behind matrix products become views (Fusion::views, resultView).
void fuseArrays(FusedPlan& fused);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// A depthwise convolution with the convolutions before and after it, as in an inverted residual block, for inference:
// they run for a few images at a time, so that the results in between stay in the cache.
// Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018, section 5.1, splits channels instead.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

// Emits the current operation together with those after it if they form a chain that was faster in a trial than one
// operation after the other. Otherwise emits nothing and returns false.
[[nodiscard]] bool emitConvolutionChain(Compiler& compiler);

}  // namespace steelyard::compute::cpu

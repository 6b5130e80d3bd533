// SPDX-License-Identifier: Apache-2.0
// Batch normalisation by native kernels for channels-last images: if the channel count is not a multiple of sixteen,
// the library has no vector code for them and is up to thirty times slower. Internal to normalisation.cpp.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

// Training. mean and variance are those of the batch, biased; relu: fused ReLU.
struct ChannelNorm {
    Value x, scale, offset, mean, variance;
    float epsilon = 0;
    bool relu = false;
};

// Writes y, mean and variance.
void emitChannelNorm(Compiler& compiler, const ChannelNorm& norm, const Value& y);
// Writes dx, and the gradients of scale and offset.
void emitChannelNormGradient(Compiler& compiler, const ChannelNorm& norm, const Value& dy, const Value& dx,
                             const Value& dScale, const Value& dOffset);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Batch normalisation in native kernels, for images whose channels lie together: of channel counts that are no multiple
// of sixteen the library has no vector code there, and takes up to thirty times as long. Internal to normalisation.cpp.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

// When training. mean and variance are of the batch, biased; relu: ReLU follows in the same pass.
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

// SPDX-License-Identifier: Apache-2.0
// One function per kind of operation, for all of its passes; each family of layers is one file. Internal to
// engine/compute/cuda. Semantics: engine/compute/reference.
#pragma once

#include "engine/compute/cuda/compile/compiler.h"

namespace steelyard::compute::cuda {

Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op);  // convolution.cpp
Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op);       // matmul.cpp
Result<void> emitProduct(Compiler& compiler, const plan::Operation& op);
Result<void> emitAttention(Compiler& compiler, const plan::Operation& op);   // attention.cpp
Result<void> emitRecurrent(Compiler& compiler, const plan::Operation& op);   // recurrent.cpp
Result<void> emitActivation(Compiler& compiler, const plan::Operation& op);  // pointwise.cpp
Result<void> emitDropout(Compiler& compiler, const plan::Operation& op);
Result<void> emitAdd(Compiler& compiler, const plan::Operation& op);
Result<void> emitAddParameter(Compiler& compiler, const plan::Operation& op);
Result<void> emitConcat(Compiler& compiler, const plan::Operation& op);  // shaping.cpp
Result<void> emitFlatten(Compiler& compiler, const plan::Operation& op);
Result<void> emitClassToken(Compiler& compiler, const plan::Operation& op);
Result<void> emitToTokens(Compiler& compiler, const plan::Operation& op);
Result<void> emitSelectStep(Compiler& compiler, const plan::Operation& op);
Result<void> emitShortcutPad(Compiler& compiler, const plan::Operation& op);
Result<void> emitPool(Compiler& compiler, const plan::Operation& op);  // pooling.cpp
Result<void> emitGlobalPool(Compiler& compiler, const plan::Operation& op);
Result<void> emitBatchNorm(Compiler& compiler, const plan::Operation& op);  // normalisation.cpp
Result<void> emitLayerNorm(Compiler& compiler, const plan::Operation& op);
Result<void> emitEmbedding(Compiler& compiler, const plan::Operation& op);  // embedding.cpp
Result<void> emitSoftmax(Compiler& compiler, const plan::Operation& op);    // losses.cpp; sigmoid and the losses too
Result<void> emitSigmoid(Compiler& compiler, const plan::Operation& op);
Result<void> emitArray(Compiler& compiler, const plan::Operation& op);    // array.cpp; of imported networks
Result<void> emitUpdates(Compiler& compiler, const plan::Operation& op);  // update.cpp; the whole run of them

// The backward passes of a ReLU and of the batch normalisation before it, in one; false where that does not fit.
[[nodiscard]] bool tryReluBatchNormBackward(Compiler& compiler, const plan::Operation& relu, Result<void>& result);
// What follows a batch normalisation and is done with it: the addition of a shortcut, a ReLU.
struct NormFollowing {
    TensorId result = kNoTensor;
    TensorId shortcut = kNoTensor;  // or none
    bool relu = false;
    std::size_t operations = 0;  // how many that are
};
// norm: the current operation, or one that is `ahead` of those taken.
[[nodiscard]] NormFollowing followingOf(const Compiler& compiler, const plan::Operation& norm, std::size_t ahead = 0);

}  // namespace steelyard::compute::cuda

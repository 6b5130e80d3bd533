// SPDX-License-Identifier: Apache-2.0
// One function per kind of operation, for all passes; one file per family of layers. Internal to engine/compute/cuda.
// Semantics: engine/compute/reference.
#pragma once

#include "engine/compute/cuda/compile/compiler.h"

namespace steelyard::compute::cuda {

Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op);  // convolution.cpp
Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op);       // matmul.cpp
Result<void> emitProduct(Compiler& compiler, const plan::Operation& op);
Result<void> emitAttention(Compiler& compiler, const plan::Operation& op);  // attention.cpp
Result<void> emitGroupedAttention(Compiler& compiler, const plan::Operation& op);
Result<void> emitRmsNorm(Compiler& compiler, const plan::Operation& op);  // decoder_layers.cpp
Result<void> emitRotaryEmbedding(Compiler& compiler, const plan::Operation& op);
Result<void> emitGatedActivation(Compiler& compiler, const plan::Operation& op);
Result<void> emitScale(Compiler& compiler, const plan::Operation& op);
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

// Fused backward pass of a ReLU and the batch normalisation before it; false if not applicable.
[[nodiscard]] bool tryReluBatchNormBackward(Compiler& compiler, const plan::Operation& relu, Result<void>& result);
// Operations fused into a preceding batch normalisation: addition of a shortcut, ReLU.
struct NormFollowing {
    TensorId result = kNoTensor;
    TensorId shortcut = kNoTensor;  // may be absent
    bool relu = false;
    std::size_t operations = 0;  // number of these operations
};
// norm: the current operation, or one `ahead` of those taken.
[[nodiscard]] NormFollowing followingOf(const Compiler& compiler, const plan::Operation& norm, std::size_t ahead = 0);

}  // namespace steelyard::compute::cuda

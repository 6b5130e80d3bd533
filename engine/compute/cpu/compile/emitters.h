// SPDX-License-Identifier: Apache-2.0
// One function per family of operations: adds the tasks of an operation, for any of its passes, to the compiler.
// Unsupported names the operation and the reason. May throw dnnl::error, which the compiler catches.
#pragma once

#include <span>

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

[[nodiscard]] Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitPlainProduct(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitPool(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitActivation(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitDropout(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitAdd(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitFlatten(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitGlobalPool(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitConcat(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitBatchNorm(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitLayerNorm(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEmbedding(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitAddParameter(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitClassToken(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitToTokens(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitSelectStep(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitShortcutPad(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitArray(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitAttention(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitGroupedAttention(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitRmsNorm(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitRotaryEmbedding(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitGatedActivation(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitScale(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitRecurrent(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitHead(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitClip(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitUpdates(Compiler& compiler, std::span<const plan::Operation> updates);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Operations of Int8 plans (plan/quantisation.h). Images in bytes lie with their channels together. Products are
// oneDNN's, on bytes with 32-bit sums; their results are scaled by operations behind them, with factors that the
// preparation computes: in this form versions 2 and 3 of the library need the same code.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

// Whether an operation reads or writes bytes, so that its emitter here is the right one.
[[nodiscard]] bool worksOnBytes(const Compiler& compiler, const plan::Operation& op);

// Rounds a Float32 value to the grid of `id`: into memory of the step, with the channels together.
[[nodiscard]] Value emitToBytes(Compiler& compiler, TensorId id, const Value& x);

[[nodiscard]] Result<void> emitEightBitConvolution(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEightBitMatMul(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEightBitAdd(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEightBitGlobalPool(Compiler& compiler, const plan::Operation& op);

}  // namespace steelyard::compute::cpu

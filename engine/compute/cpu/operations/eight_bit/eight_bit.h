// SPDX-License-Identifier: Apache-2.0
// Operations of Int8 plans (plan/quantisation.h). 8-bit images are channels-last. Products are oneDNN's or, where
// a trial shows that they are faster, native ones (gemm/int8_gemm.h), on 8-bit integers with 32-bit sums; their results
// are scaled with factors computed in the preparation, which the library applies as post-ops, a form that works with
// its versions 2 and 3.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

// Whether an operation reads or writes 8-bit tensors, so that its emitter here applies.
[[nodiscard]] bool worksOnBytes(const Compiler& compiler, const plan::Operation& op);

// Quantises a Float32 value to the grid of `id`: into memory of the step, channels-last.
[[nodiscard]] Value emitToBytes(Compiler& compiler, TensorId id, const Value& x);

[[nodiscard]] Result<void> emitEightBitConvolution(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEightBitMatMul(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEightBitAdd(Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitEightBitGlobalPool(Compiler& compiler, const plan::Operation& op);

}  // namespace steelyard::compute::cpu

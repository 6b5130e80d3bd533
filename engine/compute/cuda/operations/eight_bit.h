// SPDX-License-Identifier: Apache-2.0
// Operations of Int8 plans (plan/quantisation.h) that multiply bytes, or whose results may be stored in bytes:
// convolutions, dense layers, batch normalisation, additions and activations. Products are native kernels
// (kernels/eight_bit) that also apply the normalisation, shortcut and activation that follow; the tensors between these
// are then not stored. Pooling, concatenation and flattening of bytes are emitted with those of floats. Internal to
// engine/compute/cuda.
#pragma once

#include "engine/compute/cuda/compile/compiler.h"

namespace steelyard::compute::cuda {

[[nodiscard]] bool isEmittedInBytes(const Compiler& compiler, const plan::Operation& op);
[[nodiscard]] Result<void> emitInBytes(Compiler& compiler, const plan::Operation& op);

// How the tensor is stored, and what one of its elements is to be multiplied by.
[[nodiscard]] kernels::StoredAs storedAs(const Compiler& compiler, TensorId id);
[[nodiscard]] float factorOf(const Compiler& compiler, TensorId id);

}  // namespace steelyard::compute::cuda

// SPDX-License-Identifier: Apache-2.0
// Private to the convolutions: the forward primitive of an operation with what is fused into it (batch norm, shortcut,
// activation), and its weights.
#pragma once

#include "engine/compute/cpu/operations/convolution/convolution_candidates.h"

namespace steelyard::compute::cpu {

// How a fused batch norm is applied.
enum class Normalisation { None, Folded, After };

struct ForwardConvolution {
    ConvolutionMaker maker;
    Normalisation normalisation = Normalisation::None;
};

// Of the compiler's current operation, `op`.
[[nodiscard]] ForwardConvolution forwardConvolution(Compiler& compiler, const plan::Operation& op);
// Its weights in the given layout, bias and further arguments.
[[nodiscard]] Operands forwardWeights(Compiler& compiler, const plan::Operation& op, const ForwardConvolution& forward,
                                      const Desc& layout);

inline auto makeForward(const ConvolutionMaker& maker) {
    return maker.forward();
}

}  // namespace steelyard::compute::cpu

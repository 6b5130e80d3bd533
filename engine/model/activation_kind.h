// SPDX-License-Identifier: Apache-2.0
// The activation functions, in one list: each with its word in network files and in the names of operations. The enum,
// its names and the list of all kinds are made from it. Formulas and slopes are in switches over the enum, which the
// compiler holds complete (-Werror=switch in model, plan and compute); engine/compute/reference/pointwise.cpp has their
// sources. No other header is included here, because kernels compiled for one instruction set and for devices use it.
#pragma once

#define STEELYARD_ACTIVATIONS(ACTIVATION) \
    ACTIVATION(Relu, "relu")              \
    ACTIVATION(Relu6, "relu6")            \
    ACTIVATION(Sigmoid, "sigmoid")        \
    ACTIVATION(Tanh, "tanh")              \
    ACTIVATION(Gelu, "gelu")              \
    ACTIVATION(GeluTanh, "gelu_tanh")     \
    ACTIVATION(Swish, "swish")
#define STEELYARD_ENUMERATOR(kind, word) kind,

namespace steelyard::model {

enum class ActivationKind { STEELYARD_ACTIVATIONS(STEELYARD_ENUMERATOR) };

// Whether the slope is computed from the input x; of the other kinds it is computed from the output y.
[[nodiscard]] constexpr bool slopeNeedsInput(ActivationKind kind) {
    switch (kind) {
        case ActivationKind::Relu:
        case ActivationKind::Relu6:
        case ActivationKind::Sigmoid:
        case ActivationKind::Tanh:
            return false;
        case ActivationKind::Gelu:
        case ActivationKind::GeluTanh:
        case ActivationKind::Swish:
            return true;
    }
    return true;
}

}  // namespace steelyard::model

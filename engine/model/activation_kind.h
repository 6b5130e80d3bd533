// SPDX-License-Identifier: Apache-2.0
// The activation functions, listed once, with their names in network files and operation names. The enum, its names and
// the list of all kinds are generated from it. Formulas and derivatives are in switches over the enum that the compiler
// checks for completeness (-Werror=switch in model, plan and compute); sources are in
// engine/compute/reference/pointwise.cpp. Includes no other header, since device code and ISA-specific kernels use it.
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

// Whether the derivative is computed from the input x rather than from the output y.
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

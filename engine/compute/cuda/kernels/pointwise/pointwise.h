// SPDX-License-Identifier: Apache-2.0
// Elementwise: activations, biases, sums, dropout, conversions. n, count: elements. Formulas:
// engine/compute/reference/pointwise.cpp; Gelu is x Phi(x), GeluTanh its tanh approximation.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/model/activation_kind.h"

namespace steelyard::compute::cuda::kernels {

// model::ActivationKind and, before these, None.
enum class Activation : std::uint8_t { None, STEELYARD_ACTIVATIONS(STEELYARD_ENUMERATOR) };
[[nodiscard]] constexpr Activation activationOf(model::ActivationKind kind) {
    return static_cast<Activation>(static_cast<int>(kind) + 1);
}

// The derivative of these is computed from the input x; of all others from the output y.
[[nodiscard]] constexpr bool slopeNeedsInput(Activation kind) {
    return kind != Activation::None &&
           model::slopeNeedsInput(static_cast<model::ActivationKind>(static_cast<int>(kind) - 1));
}

[[nodiscard]] Status fill(Stream stream, ElementType type, void* y, std::int64_t n, float value);
// y = x in another type, rounded to nearest, ties to even.
[[nodiscard]] Status convert(Stream stream, ElementType from, const void* x, ElementType to, void* y, std::int64_t n);
// y += x
[[nodiscard]] Status accumulate(Stream stream, ElementType type, const void* x, void* y, std::int64_t n);
// y (+)= factor x
[[nodiscard]] Status scale(Stream stream, ElementType type, const void* x, void* y, std::int64_t n, float factor,
                           bool accumulate);

[[nodiscard]] Status activationForward(Stream stream, ElementType type, Activation kind, const void* x, void* y,
                                       std::int64_t n);
// dx (+)= dy times derivative; from: x or y, as required by slopeNeedsInput.
[[nodiscard]] Status activationBackward(Stream stream, ElementType type, Activation kind, const void* from,
                                        const void* dy, void* dx, std::int64_t n, bool accumulate);

// y = activation(x + bias[channel]); bias: [channels] or null. before: x + bias is stored there, too (for
// slopeNeedsInput; may alias x), or null.
[[nodiscard]] Status biasActivationForward(Stream stream, ElementType type, Activation kind, const ChannelAxes& axes,
                                           const void* x, const float* bias, void* before, void* y);
// dx = dy times derivative (may alias dy); dBias[c] (+)= sum of dx over the channel, or null. workspace:
// biasBackwardWorkspace(axes) bytes.
[[nodiscard]] std::int64_t biasBackwardWorkspace(const ChannelAxes& axes);
[[nodiscard]] Status biasActivationBackward(Stream stream, ElementType type, Activation kind, const ChannelAxes& axes,
                                            const void* from, const void* dy, void* dx, float* dBias,
                                            bool accumulateBias, void* workspace);

// y = the sum of `count` inputs of n elements each, optionally followed by ReLU.
inline constexpr int kMostAddends = 8;
[[nodiscard]] Status add(Stream stream, ElementType type, const void* const* inputs, int count, bool relu, void* y,
                         std::int64_t n);
// dx[k] (+)= dy, or dy where y > 0 if relu; dx[k] may be null; accumulate[k]. y is read only if relu.
[[nodiscard]] Status addBackward(Stream stream, ElementType type, const void* y, bool relu, const void* dy,
                                 void* const* dx, const bool* accumulate, int count, std::int64_t n);

// y[row] = x[row] + parameter: x, y [rows, period], parameter [period] in Float32. For position and token type
// embeddings; gradient of the parameter: sumChannels (reduction.h) with axes {rows, period, 1}.
[[nodiscard]] Status addRow(Stream stream, ElementType type, const void* x, const float* parameter, void* y,
                            std::int64_t rows, std::int64_t period);

// y = x / (1 - rate) where RandomStream(control->dropoutSeed, node).uniform(index) >= rate, else 0; `index` is
// row-major over [B, C, H, W] regardless of the layout. The backward pass is the same on dy.
struct DropoutMask {
    const StepControl* control = nullptr;  // device memory
    std::uint64_t node = 0;
    double rate = 0.5;  // in [0, 1)
    ImageLayout layout;
};
[[nodiscard]] Status dropout(Stream stream, ElementType type, const DropoutMask& mask, const void* x, void* y,
                             bool accumulate);

}  // namespace steelyard::compute::cuda::kernels

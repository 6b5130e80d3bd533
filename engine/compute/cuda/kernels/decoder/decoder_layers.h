// SPDX-License-Identifier: Apache-2.0
// Layers of language models: RMS norm, rotary embedding, gated activation, capped scaling. Formulas:
// engine/compute/reference/decoder_layers.cpp and pointwise.cpp. Grouped attention: AttentionRows (softmax_loss.h).
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/compute/cuda/kernels/pointwise/pointwise.h"

namespace steelyard::compute::cuda::kernels {

// y = scale x r with r = 1 / sqrt(mean(x^2) + epsilon). x, y: [rows, features]; scale: [features]; savedInverse, r:
// [rows], or null.
[[nodiscard]] Status rmsNormForward(Stream stream, ElementType type, const void* x, const float* scale, float epsilon,
                                    void* y, float* savedInverse, std::int64_t rows, std::int64_t features);

struct RmsNormGradients {
    const void* x = nullptr;
    const void* dy = nullptr;
    void* dx = nullptr;  // may be null; may alias dy
    bool accumulate = false, accumulateParameters = false;
    const float* scale = nullptr;
    const float* savedInverse = nullptr;
    float* dScale = nullptr;  // [features]; null if frozen, the workspace is then not used
};
[[nodiscard]] std::int64_t rmsNormWorkspace(std::int64_t rows, std::int64_t features);
[[nodiscard]] Status rmsNormBackward(Stream stream, ElementType type, const RmsNormGradients& g, std::int64_t rows,
                                     std::int64_t features, void* workspace);

// Rotates the pairs of each head of [rows, heads, width]; row r is at position r % tokens. The first 2 `pairs` features
// of a head are rotated: pair i is i and i + pairs, or 2 i and 2 i + 1 with `neighbours`.
struct RotaryShape {
    std::int64_t rows = 0, tokens = 1, heads = 1, width = 0, pairs = 0;
    bool neighbours = false;
};
// turns: Float32 [tokens, 2, pairs], the cosines and the sines of each position. back: by the negative angles, for the
// gradient. y may alias x.
[[nodiscard]] Status rotate(Stream stream, ElementType type, const RotaryShape& shape, const float* turns, bool back,
                            const void* x, void* y, bool accumulate);

// y = f(gate) up; n elements.
[[nodiscard]] Status gateForward(Stream stream, ElementType type, Activation kind, const void* gate, const void* up,
                                 void* y, std::int64_t n);
struct GateGradients {
    const void *gate = nullptr, *up = nullptr, *dy = nullptr;
    void* dGate = nullptr;  // may be null; may alias dy
    void* dUp = nullptr;    // may be null; may be dGate, if it accumulates
    bool accumulateGate = false, accumulateUp = false;
};
[[nodiscard]] Status gateBackward(Stream stream, ElementType type, Activation kind, const GateGradients& g,
                                  std::int64_t n);

// y = cap tanh(factor x / cap); dx (+)= dy factor (1 - (y / cap)^2), may alias dy. Without a cap: scale (pointwise.h).
[[nodiscard]] Status cappedScale(Stream stream, ElementType type, const void* x, void* y, std::int64_t n, float factor,
                                 float cap);
[[nodiscard]] Status cappedScaleBackward(Stream stream, ElementType type, const void* y, const void* dy, void* dx,
                                         std::int64_t n, float factor, float cap, bool accumulate);

}  // namespace steelyard::compute::cuda::kernels

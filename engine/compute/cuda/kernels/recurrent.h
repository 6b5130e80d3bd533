// SPDX-License-Identifier: Apache-2.0
// The pointwise part of one step of a recurrent layer, for all samples and units of one direction; the caller computes
// the products with the weights. Equations: engine/compute/reference/recurrent_cells.h (gate order Lstm i f c o; Gru u
// r o; slots of the trace: gates, extra, hidden; Rnn: hidden). B samples, U units, G gates.
//
// A sample's values of one step are contiguous; `...Pitch` is the distance between samples in elements, so that a step
// is a slice of [B, T, ...] without a copy.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

enum class Cell : std::uint8_t { Lstm, Gru, Rnn };
[[nodiscard]] constexpr std::int64_t gatesOf(Cell cell) {
    return cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1;
}
[[nodiscard]] constexpr std::int64_t slotsOf(Cell cell) {
    return cell == Cell::Rnn ? 1 : gatesOf(cell) + 2;
}

struct RecurrentForward {
    Cell cell = Cell::Lstm;
    std::int64_t batch = 0, units = 0;
    const void* input = nullptr;  // W x, [B, G U]
    std::int64_t inputPitch = 0;
    const float* bias = nullptr;         // [G U], added to the input part; null: already added
    const void* recurrent = nullptr;     // R h, [B, G U] dense; null: already added to the input (not Gru), or h = 0
    const void* hiddenBefore = nullptr;  // read by Gru; null: 0
    std::int64_t hiddenBeforePitch = 0;
    float* cellState = nullptr;  // Lstm: [B, cellPitch], Float32, read and replaced
    std::int64_t cellPitch = 0;
    bool firstFromZero = false;  // cellState counts as 0 and is only written
    void* trace = nullptr;       // [B, slots U]; null for inference
    std::int64_t tracePitch = 0;
    void* hidden = nullptr;  // h', [B, U]
    std::int64_t hiddenPitch = 0;
    void* output = nullptr;  // a second copy of h' (the layer's output), or null
    std::int64_t outputPitch = 0;
    float* carried = nullptr;  // a Float32 copy of h' (a carried state), or null
    std::int64_t carriedPitch = 0;
};
[[nodiscard]] Status recurrentForward(Stream stream, ElementType type, const RecurrentForward& step);

struct RecurrentBackward {
    Cell cell = Cell::Lstm;
    std::int64_t batch = 0, units = 0;
    const void* trace = nullptr;        // of this step
    const void* traceBefore = nullptr;  // of the previous step in the direction's time order; null: first step
    std::int64_t tracePitch = 0;
    const float* initialHidden = nullptr;  // first step: [B, initialPitch], null: 0
    const float* initialCell = nullptr;
    std::int64_t initialPitch = 0;
    const void* dOutput = nullptr;  // of this step's h', [B, U], or null: 0
    std::int64_t dOutputPitch = 0;
    float* dHidden = nullptr;  // [B, U] dense: in, from later steps through R h and directly; out, the direct part
    float* dCell = nullptr;    // [B, U] dense, Lstm: likewise
    void* dInput = nullptr;    // with respect to W x + b, [B, G U]
    std::int64_t dInputPitch = 0;
    void* dRecurrent = nullptr;  // with respect to R h, [B, G U]; null if equal to dInput (all but Gru)
    std::int64_t dRecurrentPitch = 0;
    void* hiddenBefore = nullptr;  // out: previous h, for the gradient of the recurrent weights, [B, U]; or null
    std::int64_t hiddenBeforePitch = 0;
};
// The caller then adds dRecurrent R to dHidden and continues with the previous step.
[[nodiscard]] Status recurrentBackward(Stream stream, ElementType type, const RecurrentBackward& step);

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// The pointwise half of one step of a recurrent layer, for all samples and units of one direction; the products with
// the weights are the caller's. Equations: engine/compute/reference/recurrent_cells.h (gate order Lstm i f c o; Gru u r
// o; the trace's slots: gates, extra, hidden; Rnn: hidden). B samples, U units, G gates.
//
// A sample's values of one step stand together; `...Pitch` is the distance from one sample to the next in elements, so
// that a step is a slice of [B, T, ...] without a copy.
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
    const float* bias = nullptr;         // [G U], added to the input part; or null: it already is
    const void* recurrent = nullptr;     // R h, [B, G U] dense; null: already added to the input (not Gru), or h = 0
    const void* hiddenBefore = nullptr;  // Gru reads it; null: 0
    std::int64_t hiddenBeforePitch = 0;
    float* cellState = nullptr;  // Lstm: [B, cellPitch], Float32, read and replaced
    std::int64_t cellPitch = 0;
    bool firstFromZero = false;  // cellState is taken as 0 and only written
    void* trace = nullptr;       // [B, slots U], or null when inferring
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
    const void* traceBefore = nullptr;  // of the step before in time order of the direction; null: the first step
    std::int64_t tracePitch = 0;
    const float* initialHidden = nullptr;  // first step: [B, initialPitch], null: 0
    const float* initialCell = nullptr;
    std::int64_t initialPitch = 0;
    const void* dOutput = nullptr;  // of this step's h', [B, U], or null: 0
    std::int64_t dOutputPitch = 0;
    float* dHidden = nullptr;  // [B, U] dense: in, what later steps sent through R h and directly; out, the direct part
    float* dCell = nullptr;    // [B, U] dense, Lstm: likewise
    void* dInput = nullptr;    // towards W x + b, [B, G U]
    std::int64_t dInputPitch = 0;
    void* dRecurrent = nullptr;  // towards R h, [B, G U]; null where it equals dInput (all but Gru)
    std::int64_t dRecurrentPitch = 0;
    void* hiddenBefore = nullptr;  // out: h before, for the recurrent weights' gradient, [B, U]; or null
    std::int64_t hiddenBeforePitch = 0;
};
// The caller then adds dRecurrent R to dHidden and goes on with the step before.
[[nodiscard]] Status recurrentBackward(Stream stream, ElementType type, const RecurrentBackward& step);

}  // namespace steelyard::compute::cuda::kernels

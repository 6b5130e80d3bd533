// SPDX-License-Identifier: Apache-2.0
// Shapes of a recurrent layer and locations of its values, for its implementations. Internal to recurrent*.cpp.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/tuning/implementation.h"

namespace steelyard::compute::cpu {

inline constexpr std::int64_t kFloat = 4;

struct RecurrentShape {
    GateKind cell = GateKind::Lstm;
    std::int64_t batch = 0, steps = 0, features = 0, units = 0, gates = 0, directions = 1;
    bool sequence = false, carries = false;
    // Input and state are one operand of a single product per step; in the forward pass of many samples.
    bool concatenated = false;
    bool keepsGates = false;  // of all steps, for the backward pass
    DataKind kind = DataKind::f32;

    [[nodiscard]] std::int64_t gateWidth() const { return gates * units; }
    [[nodiscard]] std::int64_t width() const { return directions * units; }
    [[nodiscard]] std::int64_t rows() const { return steps * batch; }
    // The saved tensor, in floats per direction: gates [T, B, G U] ([B, G U] if concatenated and not kept), extra and
    // hidden [T + 1, B, U], whose first row is the initial state. extra: the cell (Lstm) or what the kernel saves (Gru,
    // from row 1).
    [[nodiscard]] std::int64_t stateElements() const { return (steps + 1) * batch * units; }
    [[nodiscard]] std::int64_t extraElements() const { return cell == GateKind::Rnn ? 0 : stateElements(); }
    [[nodiscard]] std::int64_t gateElements() const {
        return (concatenated && !keepsGates ? batch : rows()) * gateWidth();
    }
    [[nodiscard]] std::int64_t savedElements() const { return gateElements() + extraElements() + stateElements(); }
};

// One direction of a layer, with the locations of its values.
struct Direction {
    RecurrentShape shape;
    std::int64_t index = 0;
    Value gates, extra, hidden;  // float32
    Value bf16Hidden;            // [T + 1, B, U] in the type of products, if that is not float32

    [[nodiscard]] std::int64_t timeOf(std::int64_t step) const { return index == 0 ? step : shape.steps - 1 - step; }
    [[nodiscard]] Desc floats(std::int64_t elements) const { return plainDesc(Dims{elements}, DataKind::f32); }
    // Row `step` of [.., B, per sample].
    [[nodiscard]] static Value at(const Value& value, std::int64_t step, std::int64_t elements, std::int64_t size) {
        return value.viewed(value.desc, step * elements * size);
    }
    [[nodiscard]] Value gatesAt(std::int64_t step) const {
        if (shape.concatenated && !shape.keepsGates) return gates;
        return at(gates, step, shape.batch * shape.gateWidth(), kFloat);
    }
    [[nodiscard]] Value extraAt(std::int64_t row) const { return at(extra, row, shape.batch * shape.units, kFloat); }
    [[nodiscard]] Value hiddenAt(std::int64_t row) const { return at(hidden, row, shape.batch * shape.units, kFloat); }
    // The state that a product reads.
    [[nodiscard]] Value operandAt(std::int64_t row) const {
        return bf16Hidden ? at(bf16Hidden, row, shape.batch * shape.units, 2) : hiddenAt(row);
    }
    [[nodiscard]] bool isBf16() const { return shape.kind != DataKind::f32; }
};

// The gates of one step, as read and written by the kernel.
struct GateStep {
    RecurrentShape shape;
    Value gates, recurrent, bias, before, after, cellBefore, extra;

    [[nodiscard]] RecurrentRows rows(std::int64_t begin, std::int64_t end) const;  // of these samples
};
[[nodiscard]] GateStep gateStep(const Direction& d, std::int64_t step, const Value& recurrent, const Value& bias);

struct BackwardValues {
    Value dy, dHidden, dCell;
    Value dRecurrent;                // Gru: [T, B, 3 U]
    Value bf16Input, bf16Recurrent;  // if products do not take float32
};

// Gate gradients of one step, from the output gradient, if it reaches this step, and from v.dHidden and v.dCell,
// written by the following step and updated for the previous one.
struct GateGradientStep {
    Direction d;
    std::int64_t step = 0;
    BackwardValues v;  // with this step's rows of dRecurrent, bf16Input and bf16Recurrent
    Value gates, before, after, extraBefore, extraAfter;

    void run(std::int64_t begin, std::int64_t end) const;  // for these samples
    // Operand of the following product with R: the gradient with respect to R h.
    [[nodiscard]] const Value& flow() const {
        return v.bf16Recurrent ? v.bf16Recurrent : v.dRecurrent ? v.dRecurrent : v.bf16Input ? v.bf16Input : gates;
    }
    [[nodiscard]] std::vector<Value> uses() const;
};
[[nodiscard]] GateGradientStep gateGradientStep(const Direction& d, std::int64_t step, const BackwardValues& v);

// C = A B (or C += A B) with packed B.
struct PackedProduct {
    dnnl::matmul::primitive_desc desc;
    Value weights;
};
void emitPackedProduct(Compiler& compiler, const PackedProduct& product, const Value& a, const Value& c);

// States and gates of all steps with one product per step, of [x | h] with [W | R]: gates are written once instead of
// twice, and in inference stay in the cache. d.hidden and d.extra already hold the initial state.
void emitConcatenatedSteps(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x);

// Likewise, and in the backward pass the gate gradients of all steps (v.bf16Input, in float32 d.gates), batch-parallel:
// each thread computes all steps of some samples with native gemm kernels, without synchronization.
void emitBatchParallel(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x);
void emitBatchParallelBackward(Compiler& compiler, const plan::Operation& op, const Direction& d,
                               const BackwardValues& v);
// The faster of these and the library's products per step.
[[nodiscard]] Implementation chooseSteps(const Compiler& compiler, const RecurrentShape& shape, bool backward,
                                         Implementation batchParallel, Implementation stepByStep);

// Not concatenated, where the gates hold the input part of all steps: the fastest of one task for all steps, with some
// division among threads (recurrent_fused_steps.cpp), and stepByStep, which has a trial of kFusedTrialSteps. recurrent:
// of a Gru, R h of one step.
inline constexpr std::int64_t kFusedTrialSteps = 64;  // with few samples a step takes a microsecond
[[nodiscard]] Implementation chooseFusedSteps(const Compiler& compiler, const plan::Operation& op, const Direction& d,
                                              const Value& bias, const Value& recurrent, Implementation stepByStep);

}  // namespace steelyard::compute::cpu

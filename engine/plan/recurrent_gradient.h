// SPDX-License-Identifier: Apache-2.0
// Gradient of a recurrent layer of an imported network, composed of array operations: gates and cells of all steps are
// computed again, those before the recurrence in one product each; then backward one step at a time. Internal to plan.
#pragma once

#include <vector>

#include "engine/plan/array_gradient.h"

namespace steelyard::plan {

class RecurrentGradient {
public:
    // The default activations, no lengths, no peepholes (model::hasGradient). `forward` must outlive this object.
    RecurrentGradient(ArrayGradient& to, const Operation& forward, const model::RecurrentPass& layer, TensorId gradient,
                      const std::vector<bool>& wanted);

    // As ArrayGradient::contributions.
    [[nodiscard]] std::vector<TensorId> contributions();

private:
    using Shape = model::Shape;

    // One direction. Steps are in its order: [T, B, H], or [T B, ..].
    struct Direction {
        std::int64_t index = 0;
        bool isReverse = false;
        TensorId weight = kNoTensor, recurrent = kNoTensor;     // [gates H, F], [gates H, H]
        TensorId x = kNoTensor;                                 // [T B, F]
        TensorId before = kNoTensor, after = kNoTensor;         // states, [T, B, H]
        TensorId fromInput = kNoTensor, fromState = kNoTensor;  // W x and R h with their biases, [T B, gates H]
    };
    // Gradients of one direction.
    struct Flow {
        TensorId input = kNoTensor, state = kNoTensor;  // of Direction::fromInput and fromState
        TensorId recurrent = kNoTensor;                 // of R, if wanted
        TensorId hidden = kNoTensor, cell = kNoTensor;  // of the initial states, [B, H], if wanted
    };

    [[nodiscard]] Direction direction(std::int64_t index);
    [[nodiscard]] Flow backLstm(const Direction& d);
    [[nodiscard]] Flow backGru(const Direction& d);
    [[nodiscard]] Flow backRnn(const Direction& d);

    [[nodiscard]] bool isWanted(int input) const { return input >= 0 && m_wanted[static_cast<std::size_t>(input)]; }
    [[nodiscard]] std::int64_t width() const { return m_gates * m_units; }
    [[nodiscard]] std::int64_t state() const { return m_batch * m_units; }
    [[nodiscard]] Shape rows(std::int64_t columns) const { return {m_steps * m_batch, columns}; }
    TensorId statesOf(const Direction& d, TensorId result);  // after each step; or their part of the gradient
    // Of the state after a step: of the layer's result, and from the next step, if any.
    TensorId gradientOfState(const Direction& d, std::int64_t index, TensorId next);
    TensorId gradientOfWeights(const Direction& d, TensorId flow);
    // Element (i, j, ..) of `shape` at offset + i stride_0 + ..
    TensorId view(TensorId from, const Shape& shape, const Shape& strides, std::int64_t offset);
    TensorId contiguous(TensorId from, const Shape& shape, std::int64_t offset);
    TensorId initial(const Direction& d, int input);
    TensorId bias(std::int64_t direction, bool ofState);
    TensorId gate(TensorId all, std::int64_t index);        // [T B, gates H] -> [T, B, H]
    TensorId step(TensorId all, std::int64_t index);        // [T, B, H] -> [B, H]
    TensorId allSteps(const std::vector<TensorId>& steps);  // the inverse
    TensorId joined(const std::vector<TensorId>& parts, std::int64_t axis);
    // Of all steps, without the last, after the initial one.
    TensorId delayed(TensorId first, TensorId all);
    TensorId emit(const model::ArrayOperation& operation, std::vector<TensorId> inputs);
    TensorId map(model::MapKind kind, std::vector<TensorId> inputs) {
        return emit(model::Map{kind}, std::move(inputs));
    }
    TensorId mul(TensorId a, TensorId b) { return map(model::MapKind::Mul, {a, b}); }
    TensorId add(TensorId a, TensorId b) { return map(model::MapKind::Add, {a, b}); }
    TensorId oneMinus(TensorId a) { return emit(model::Map{model::MapKind::Scale, -1, 1}, {a}); }
    TensorId oneMinusSquare(TensorId a) { return oneMinus(mul(a, a)); }
    TensorId slope(TensorId sigmoid) { return mul(sigmoid, oneMinus(sigmoid)); }
    TensorId product(TensorId a, TensorId b) { return emit(model::MatrixProduct{}, {a, b}); }
    TensorId turned(TensorId matrix);
    TensorId shaped(TensorId a, const Shape& shape);
    TensorId columnSums(TensorId a);  // of a matrix, [1, columns]
    [[nodiscard]] Shape dims(TensorId id) const;

    ArrayGradient& m_to;
    const Operation& m_forward;
    model::RecurrentPass m_layer;
    TensorId m_gradient;
    const std::vector<bool>& m_wanted;
    std::int64_t m_steps = 0, m_batch = 0, m_features = 0, m_units = 0, m_gates = 1, m_directions = 1;
    int m_biasInput = -1, m_hiddenInput = -1, m_cellInput = -1;
};

}  // namespace steelyard::plan

// SPDX-License-Identifier: Apache-2.0
// Gradients of the array operations (engine/model/array), composed of array operations: whatever a backend computes
// forward, it computes backward, and needs no further kernels.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::plan {

// Appends operations to a Plan that is being lowered. They are Forward operations of kind Array (or Flatten) without a
// node, each with a new tensor of role ActivationGradient as output, but where `intoParameter` names one.
class ArrayGradient {
public:
    // `name` is that of the layer. `plan` outlives this object.
    ArrayGradient(Plan& plan, std::string name) : m_plan(plan), m_name(std::move(name)) {}

    // What `forward` adds to the gradient of each of its inputs, in their dims; kNoTensor for those not wanted. It can
    // be `outputGradient` itself. The operation must be one that model::hasGradient() accepts for these inputs;
    // it is taken by value, because the Plan's list grows.
    [[nodiscard]] std::vector<TensorId> contributions(Operation forward, TensorId outputGradient,
                                                      const std::vector<bool>& wanted);

    [[nodiscard]] TensorId sum(TensorId a, TensorId b);
    [[nodiscard]] TensorId copy(TensorId a);
    // gradient = from, or gradient += from.
    void intoParameter(TensorId gradient, TensorId from, bool accumulate);

private:
    class Rules;

    TensorId emit(const model::ArrayOperation& operation, std::vector<TensorId> inputs, TensorId into = kNoTensor);
    TensorId reshaped(TensorId input, const model::Shape& shape);

    Plan& m_plan;
    std::string m_name;
    int m_count = 0;
};

}  // namespace steelyard::plan

// SPDX-License-Identifier: Apache-2.0
// Gradients of the array operations (engine/model/array), composed of array operations: backends need no additional
// kernels for them.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::plan {

// Appends operations to a Plan during lowering. They are Forward operations of kind Array (or Flatten) without a node,
// each with a new output tensor of role ActivationGradient, except with `intoParameter`.
class ArrayGradient {
public:
    // `name`: of the layer. `plan` must outlive this object.
    ArrayGradient(Plan& plan, std::string name) : m_plan(plan), m_name(std::move(name)) {}

    // Contributions of `forward` to the gradients of its inputs, in their dims; kNoTensor for unwanted ones. May return
    // `outputGradient` itself. model::hasGradient() must accept the operation for these inputs. `forward` is passed by
    // value, since the Plan's list of operations grows.
    [[nodiscard]] std::vector<TensorId> contributions(Operation forward, TensorId outputGradient,
                                                      const std::vector<bool>& wanted);

    [[nodiscard]] TensorId sum(TensorId a, TensorId b);
    [[nodiscard]] TensorId copy(TensorId a);
    // gradient = from, or gradient += from.
    void intoParameter(TensorId gradient, TensorId from, bool accumulate);

private:
    class Rules;
    friend class RecurrentGradient;

    TensorId emit(const model::ArrayOperation& operation, std::vector<TensorId> inputs, TensorId into = kNoTensor);
    TensorId reshaped(TensorId input, const model::Shape& shape);

    Plan& m_plan;
    std::string m_name;
    int m_count = 0;
};

}  // namespace steelyard::plan

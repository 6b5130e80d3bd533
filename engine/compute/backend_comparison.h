// SPDX-License-Identifier: Apache-2.0
// Runs the same steps on two backends with the same values and compares the results. The first is the candidate, the
// second the reference. Before every step the candidate gets the reference's weights and states, so that differences do
// not accumulate.
//
// Errors: those of compiling and running either; a wrong result is not an error but a large difference.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compute/backend.h"

namespace steelyard::compute {

enum class Quantity {
    Output,    // probabilities, inference
    Loss,      // training
    Gradient,  // of a parameter; if fused with the update, the change by the update
    Weight,    // an update, compared with the rule applied to the backend's own gradient
    State,     // optimizer states, running statistics, recurrent states
};
[[nodiscard]] std::string_view toString(Quantity quantity);

struct Difference {
    Quantity quantity = Quantity::Output;
    std::string tensor;
    std::int64_t step = 0;
    double relative = 0;  // norm of the difference over the norm of the reference; infinity for NaN
};

struct Comparison {
    std::vector<Difference> differences;
    Message unusable;                 // not empty: names an output, loss or gradient that is NaN or all zero
    std::int64_t fusedGradients = 0;  // gradients that the candidate does not expose
    double referenceLoss = 0;         // of the last step, training

    [[nodiscard]] const Difference* largest() const;  // null if nothing was compared
    [[nodiscard]] double largestOf(Quantity quantity) const;
};

struct ComparisonOptions {
    std::uint64_t seed = 1;
    std::int64_t steps = 2;
    // Comparison::referenceLoss of a comparison of one training step with this seed, which the reference ran last: its
    // results are reused instead of running the step again. Only for one training step.
    std::optional<double> referenceLoss = {};
};

// Whether the candidate must be compiled with keepGradients: rules that divide by the gradient's magnitude amplify
// rounding errors of small gradients, so the change of the weight cannot be compared.
[[nodiscard]] bool needsGradients(const model::Optimizer& optimizer);

// Both executables must be of the same plan and dropout seed. Overwrites all their values.
[[nodiscard]] Result<Comparison> compareExecutables(Executable& candidate, Executable& reference,
                                                    const ComparisonOptions& options);

// Compiles the plan on both; compile.seed applies to both.
[[nodiscard]] Result<Comparison> compareBackends(Backend& candidate, Backend& reference,
                                                 const std::shared_ptr<const plan::Plan>& plan,
                                                 const CompileOptions& compile, const ComparisonOptions& options);

}  // namespace steelyard::compute

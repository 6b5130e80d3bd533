// SPDX-License-Identifier: Apache-2.0
// Runs the same steps on two backends from the same values and says how far apart the results are. The first is the one
// to judge, the second the reference. Before every step the candidate is given the reference's weights and states, so
// that a difference belongs to one step and does not grow.
//
// Errors are those of compiling and running either; a wrong result is not an error but a large difference.
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
    Output,    // probabilities, inferring
    Loss,      // training
    Gradient,  // of a parameter; where it is fused with the update, what the update did
    Weight,    // an update, against the rule applied to the backend's own gradient
    State,     // optimiser states, running statistics, carried states
};
[[nodiscard]] std::string_view toString(Quantity quantity);

struct Difference {
    Quantity quantity = Quantity::Output;
    std::string tensor;
    std::int64_t step = 0;
    double relative = 0;  // norm of the difference over the norm of the reference; infinity when not a number
};

struct Comparison {
    std::vector<Difference> differences;
    Message unusable;                 // not empty: an output, loss or gradient is not a number or all zero; names it
    std::int64_t fusedGradients = 0;  // gradients the candidate does not show
    double referenceLoss = 0;         // of the last step, training

    [[nodiscard]] const Difference* largest() const;  // null when nothing was compared
    [[nodiscard]] double largestOf(Quantity quantity) const;
};

struct ComparisonOptions {
    std::uint64_t seed = 1;
    std::int64_t steps = 2;
    // Comparison::referenceLoss of a comparison of one step of training with this seed, which the same reference took
    // last: its results are still there, and it does not take the step again. Only with one step of training.
    std::optional<double> referenceLoss = {};
};

// Whether the candidate must be compiled with keepGradients: rules that divide by the gradient's size turn rounding of
// a small gradient into a large change of the weight, so they cannot be judged by what they did.
[[nodiscard]] bool needsGradients(const model::Optimizer& optimizer);

// Both executables are of one plan, compiled with one dropout seed. Overwrites all of their values.
[[nodiscard]] Result<Comparison> compareExecutables(Executable& candidate, Executable& reference,
                                                    const ComparisonOptions& options);

// Compiles the plan on both; compile.seed is the seed of both.
[[nodiscard]] Result<Comparison> compareBackends(Backend& candidate, Backend& reference,
                                                 const std::shared_ptr<const plan::Plan>& plan,
                                                 const CompileOptions& compile, const ComparisonOptions& options);

}  // namespace steelyard::compute

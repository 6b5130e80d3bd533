// SPDX-License-Identifier: Apache-2.0
// One of several implementations of an operation, and the choice of the fastest. Families of operations with several
// (products, dense layers, convolutions, recurrent layers) list them as Implementations; the choice is made here, by
// trials or from cached results (tuning.h). Compiler's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/cpu/task.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

class Compiler;

// The operands of an implementation, C = A op B:
//   forward          A: data,                  B: weights, C: result;   bias: read
//   backward data    A: the result's gradient, B: weights, C: the data's gradient
//   backward weights A: the result's gradient, B: data,    C: the weights' gradient; bias: its gradient, written
struct Operands {
    Value a, b, c;
    Value bias;           // may be empty
    Value scale, offset;  // of a batch norm that follows the sum, [1, channels, 1, 1]; empty without
};

struct Implementation {
    // Identifies it in stored tuner keys: one character, with a fixed meaning within a family.
    char id = '0';
    // The layout of the weights that it reads or whose gradient it writes; empty if the family has a single layout.
    Desc weights;
    std::int64_t scratchBytes = 0;  // that the current operation must afford
    TrialMaker trial;               // of the same work, or of fewer samples; empty: never tried
    // Adds its tasks.
    std::function<void(Compiler& compiler, const Operands& operands)> emit;
};

struct ChosenImplementation {
    Implementation implementation;
    double seconds = std::numeric_limits<double>::infinity();  // of its trial
};

// The implementations that can be tried and whose scratch memory the current operation affords.
[[nodiscard]] std::vector<Implementation> affordable(const Compiler& compiler, std::vector<Implementation> candidates);

// The candidates' ids, for keys: an index is only meaningful for the same list of candidates.
[[nodiscard]] std::string idsOf(const std::vector<Implementation>& candidates);

// Chooses the fastest by trial. A single candidate is tried too, so that sums over several choices can be compared. At
// least one candidate, each with a trial. `key` and `favour` as for Tuner::fastest.
[[nodiscard]] ChosenImplementation fastest(Tuner& tuner, const std::string& key, std::vector<Implementation> candidates,
                                           double favour = 1);

}  // namespace steelyard::compute::cpu

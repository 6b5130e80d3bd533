// SPDX-License-Identifier: Apache-2.0
// One of several implementations of an operation, and the choice of the fastest. Every family of operations that has
// more than one (products, dense layers, convolutions, recurrent layers) lists its candidates as Implementations and
// has them chosen here, by trials or from what earlier trials found (tuning.h). Used on the compiler's thread.
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

// The values that an implementation reads and writes, C = A op B:
//   forward          A: data,                  B: weights, C: result;   bias: read
//   backward data    A: the result's gradient, B: weights, C: the data's gradient
//   backward weights A: the result's gradient, B: data,    C: the weights' gradient; bias: its gradient, written
struct Operands {
    Value a, b, c;
    Value bias;                                // empty: there is none
    std::vector<std::pair<int, Value>> extra;  // further arguments of a primitive of the library
};

struct Implementation {
    // Names it in keys of the tuner, which are stored: a digit, with one meaning within a family.
    char id = '0';
    // The layout in which it reads the weights, or writes their gradient; empty where the family has one layout only.
    Desc weights;
    std::int64_t scratchBytes = 0;  // that the current operation has to afford
    TrialMaker trial;               // of the same work, or of fewer samples of it; empty: it is never tried
    // Adds its tasks.
    std::function<void(Compiler& compiler, const Operands& operands)> emit;
};

struct ChosenImplementation {
    Implementation implementation;
    double seconds = std::numeric_limits<double>::infinity();  // of its trial
};

// Those that can be tried and whose scratch memory the current operation affords.
[[nodiscard]] std::vector<Implementation> affordable(const Compiler& compiler, std::vector<Implementation> candidates);

// The candidates' ids, for keys: an index chosen among some candidates says nothing about another list.
[[nodiscard]] std::string idsOf(const std::vector<Implementation>& candidates);

// The fastest by trial. A single candidate is tried too, so that sums of several choices can be compared. At least one
// candidate, each with a trial. `key` and `favour` as for Tuner::fastest.
[[nodiscard]] ChosenImplementation fastest(Tuner& tuner, const std::string& key, std::vector<Implementation> candidates,
                                           double favour = 1);

}  // namespace steelyard::compute::cpu

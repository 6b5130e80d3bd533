// SPDX-License-Identifier: Apache-2.0
// Two runs case by case: each case of the base run that the other run has too (same workload, mode, device, precision,
// batch, threads, ISA, data). Pure function; any thread.
#pragma once

#include <vector>

#include "engine/bench/compare/comparison.h"

namespace steelyard::bench {

struct ComparedCase {
    CaseRecord base;
    CaseRecord other;
    Comparison comparison;  // of `other`, seen from `base`
};

[[nodiscard]] std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other);

}  // namespace steelyard::bench

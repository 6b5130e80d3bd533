// SPDX-License-Identifier: Apache-2.0
// Two runs case by case: each case of the base run that the other run has too (same workload, mode, device, precision,
// batch, threads, ISA, data). Pure functions; any thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/bench/compare/comparison.h"

namespace steelyard::bench {

struct ComparedCase {
    CaseRecord base;
    CaseRecord other;
    Comparison comparison;  // of `other`, seen from `base`
};

// The cases are judged together: the noise between visits is what all cases of both runs show, verdicts are corrected
// for their number, and what the whole machine did is taken out where its probes show it too.
[[nodiscard]] std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other);

// What the whole machine did between the two runs: unset when not all cases moved by one factor.
[[nodiscard]] std::optional<MachineShift> machineShiftOf(const std::vector<ComparedCase>& pairs);
// One sentence in English: "the whole machine is 12 % slower than in that run".
[[nodiscard]] std::string describe(const MachineShift& shift);

}  // namespace steelyard::bench

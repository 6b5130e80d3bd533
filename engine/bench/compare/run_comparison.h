// SPDX-License-Identifier: Apache-2.0
// Two runs case by case: each case of the base run that the other run has too (same workload, mode, device, precision,
// batch, threads, ISA, data). Pure functions; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/bench/compare/comparison.h"

namespace steelyard::bench {

struct ComparedCase {
    CaseRecord base;
    CaseRecord other;
    Comparison comparison;  // of `other`, seen from `base`
};

// The cases are judged together: the noise between visits is what all cases of both runs show, verdicts are corrected
// for their number, and what the whole machine did is taken out where its probes show it too. `betweenRuns`: RunSpread
// of the machine, for records without visits.
[[nodiscard]] std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other,
                                                    const Variance& betweenRuns = {}, Scope scope = Scope::SameDevice);

// Whether one of them has records without visits or with a single one, so that `betweenRuns` matters.
[[nodiscard]] bool needsRunSpread(const RunRecord& base, const RunRecord& other);

// How much the figure of a case differs from run to run in one state of the machine: over all cases that several runs
// have, measured on one device by one version of program and suite while nothing disturbed them.
class RunSpread {
public:
    void add(const RunRecord& run);
    [[nodiscard]] Variance variance() const;
    // Of what moves a whole run: the median over its cases of how far each is from its own mean over the runs, of runs
    // with at least kMinimumForShift cases in common with others. With kUsualRunEffect, which a few runs outweigh.
    [[nodiscard]] Variance runEffect() const;

private:
    struct RunFigure {
        std::size_t run = 0;  // by the order of add()
        double seconds = 0;   // per step
    };
    struct StateSeries {
        std::optional<double> roundTripSeconds;  // of the state
        std::vector<RunFigure> figures;
    };
    void add(const std::string& what, std::optional<double> roundTrip, double seconds);
    [[nodiscard]] std::vector<const StateSeries*> allSeries() const;

    std::map<std::string, std::vector<StateSeries>> m_figures;  // by case, device and versions; each state apart
    std::vector<std::string> m_versions;                        // of each run
};

// What the whole machine did between the two runs: unset when not all cases moved by one factor.
[[nodiscard]] std::optional<MachineShift> machineShiftOf(const std::vector<ComparedCase>& pairs);
// One sentence in English: "the whole machine is 12 % slower than in that run".
[[nodiscard]] std::string describe(const MachineShift& shift);

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Compares two runs case by case, for all cases in both (same workload, mode, device, precision, batch, threads, ISA,
// data). Pure functions; any thread.
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
    Comparison comparison;  // of `other` relative to `base`
};

// Cases are judged together: the noise between visits is estimated from all cases of both runs, verdicts are corrected
// for multiple testing, and a shift of the whole machine is removed if its probes show it too. `betweenRuns`: the
// machine's RunSpread, for records without visits.
[[nodiscard]] std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other,
                                                    const Variance& betweenRuns = {}, Scope scope = Scope::SameDevice);

// Whether a run has records with fewer than two visits, for which `betweenRuns` is needed.
[[nodiscard]] bool needsRunSpread(const RunRecord& base, const RunRecord& other);

// Run-to-run variation of a case in one machine state: over all cases present in several undisturbed runs of the same
// program and suite version on the same device.
class RunSpread {
public:
    void add(const RunRecord& run);
    [[nodiscard]] Variance variance() const;
    // Variation that affects a whole run: the median over its cases of each case's deviation from its mean over the
    // runs, for runs with at least kMinimumForShift cases in common with others. Starts from kDefaultRunEffect, which a
    // few runs outweigh.
    [[nodiscard]] Variance runEffect() const;

private:
    struct RunFigure {
        std::size_t run = 0;  // in the order of add()
        double seconds = 0;   // per step
    };
    struct StateSeries {
        std::optional<double> roundTripSeconds;  // of the machine state
        std::vector<RunFigure> figures;
    };
    void add(const std::string& what, std::optional<double> roundTrip, double seconds);
    [[nodiscard]] std::vector<const StateSeries*> allSeries() const;

    std::map<std::string, std::vector<StateSeries>> m_figures;  // by case, device and versions; each state separately
    std::vector<std::string> m_versions;                        // per run
};

// A shift of the whole machine between the two runs; unset unless all cases shifted by one factor.
[[nodiscard]] std::optional<MachineShift> machineShiftOf(const std::vector<ComparedCase>& pairs);
// One sentence in English: "the whole machine is 12 % slower than in that run".
[[nodiscard]] std::string describe(const MachineShift& shift);

}  // namespace steelyard::bench

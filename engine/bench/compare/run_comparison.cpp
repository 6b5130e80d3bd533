// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/run_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/protocol/visits.h"

namespace steelyard::bench {
namespace {

std::vector<PairTest> testsOf(const std::vector<ComparedCase>& pairs) {
    std::vector<PairTest> tests;
    for (const auto& pair : pairs)
        if (pair.comparison.visitTest) tests.push_back(*pair.comparison.visitTest);
    return tests;
}

// Rate of a probe in the other run over that in the base, median over the cases.
std::optional<double> probeRatio(const std::vector<ComparedCase>& pairs, std::optional<double> StateFigure::*rate) {
    std::vector<double> ratios;
    for (const auto& pair : pairs) {
        if (!pair.base.figure || !pair.other.figure) continue;
        const auto& base = pair.base.figure->main.*rate;
        const auto& other = pair.other.figure->main.*rate;
        if (base && other && *base > 0) ratios.push_back(*other / *base);
    }
    return medianOfSorted(sortedFinite(ratios));
}

}  // namespace

std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other) {
    auto variances = visitVariances(base.records);
    for (const auto& variance : visitVariances(other.records)) variances.push_back(variance);
    const auto prior = fitPrior(variances);
    std::vector<ComparedCase> pairs;
    for (const auto& record : base.records) {
        const auto hash = caseHash(record.spec);
        const auto match = std::find_if(other.records.begin(), other.records.end(),
                                        [&](const auto& candidate) { return caseHash(candidate.spec) == hash; });
        if (match == other.records.end()) continue;
        const SuiteVersions versions{base.suiteVersion, other.suiteVersion};
        if (auto refused = refusedComparison(record, *match, versions, Scope::SameDevice))
            pairs.push_back({record, *match, *refused});
        else if (record.figure && match->figure)
            pairs.push_back(
                {record, *match, comparisonOf(record, *match, testPair(*record.figure, *match->figure, prior))});
        else
            pairs.push_back({record, *match, compareRecords(record, *match, versions)});
    }
    const auto verdicts = judge(testsOf(pairs), machineShiftOf(pairs));
    auto verdict = verdicts.begin();
    for (auto& pair : pairs)
        if (pair.comparison.visitTest) takeVerdict(pair.comparison, *verdict++);
    return pairs;
}

std::optional<MachineShift> machineShiftOf(const std::vector<ComparedCase>& pairs) {
    std::vector<PairTest> tests = testsOf(pairs);
    return machineShift(tests, probeRatio(pairs, &StateFigure::arithmeticRate),
                        probeRatio(pairs, &StateFigure::bandwidth));
}

std::string describe(const MachineShift& shift) {
    const double percent = 100 * std::fabs(shift.ratio - 1);
    const auto* way = shift.ratio > 1 ? "slower" : "faster";
    if (shift.arithmeticMoved)
        return fmt::format("the whole machine is {:.0f} % {} than in that run, and so are its probes", percent, way);
    return fmt::format(
        "every case is about {:.0f} % {} than in that run; the machine's own arithmetic is not: the program or its "
        "libraries differ",
        percent, way);
}

}  // namespace steelyard::bench

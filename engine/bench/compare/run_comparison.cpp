// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/run_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/protocol/visits.h"
#include "engine/bench/record/disturbance.h"

namespace steelyard::bench {
namespace {

std::vector<PairTest> testsOf(const std::vector<ComparedCase>& pairs) {
    std::vector<PairTest> tests;
    for (const auto& pair : pairs)
        if (pair.comparison.test) tests.push_back(*pair.comparison.test);
    return tests;
}

// Ratio of a probe's rate in the other run to that in the base, median over the cases.
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

// As estimated by the runs themselves; the estimate with more degrees of freedom.
Variance runEffectOf(const std::vector<ComparedCase>& pairs) {
    auto effect = kDefaultRunEffect;
    for (const auto& pair : pairs)
        for (const auto* record : {&pair.base, &pair.other}) {
            if (!record->figure || !record->figure->runDeviation) continue;
            const double deviation = *record->figure->runDeviation;
            const double degrees = record->figure->runDegrees.value_or(0);
            if (degrees > effect.degrees) effect = {deviation * deviation, degrees};
        }
    return effect;
}

}  // namespace

std::vector<ComparedCase> compareRuns(const RunRecord& base, const RunRecord& other, const Variance& betweenRuns,
                                      Scope scope) {
    auto variances = visitVariances(base.records);
    for (const auto& variance : visitVariances(other.records)) variances.push_back(variance);
    Evidence evidence{.ofVisits = {.betweenVisits = fitPrior(variances), .runEffect = {}}, .betweenRuns = betweenRuns};
    std::vector<ComparedCase> pairs;
    for (const auto& record : base.records) {
        const auto hash = caseHash(record.spec);
        const auto match = std::find_if(other.records.begin(), other.records.end(),
                                        [&](const auto& candidate) { return caseHash(candidate.spec) == hash; });
        if (match != other.records.end()) pairs.push_back({record, *match, {}});
    }
    // With many cases a common shift is visible in the cases themselves (machineShift()); with few it is not.
    if (pairs.size() < kMinimumForShift) evidence.ofVisits.runEffect = runEffectOf(pairs);
    for (auto& pair : pairs)
        pair.comparison = testRecords(pair.base, pair.other, {base.suiteVersion, other.suiteVersion}, evidence, scope);
    const auto verdicts =
        judge(testsOf(pairs), scope == Scope::SameDevice ? machineShiftOf(pairs) : std::optional<MachineShift>());
    auto verdict = verdicts.begin();
    for (auto& pair : pairs)
        if (pair.comparison.test) takeVerdict(pair.comparison, *verdict++);
    return pairs;
}

bool needsRunSpread(const RunRecord& base, const RunRecord& other) {
    const auto isLone = [](const CaseRecord& record) { return !record.figure || record.visits.size() < 2; };
    return std::any_of(base.records.begin(), base.records.end(), isLone) ||
           std::any_of(other.records.begin(), other.records.end(), isLone);
}

void RunSpread::add(const RunRecord& run) {
    if (run.origin != "measured") return;
    for (const auto& record : run.records) {
        if (record.status != Status::Ok || !record.stepSeconds || wasDisturbed(record)) continue;
        const auto what =
            fmt::format("{}|{}|{}|{}", caseHash(record.spec), record.deviceName, run.programVersion, run.suiteVersion);
        if (!record.figure) {
            add(what, std::nullopt, record.stepSeconds->median);
            continue;
        }
        add(what, record.figure->main.roundTripSeconds, record.figure->main.medianSeconds);
        for (const auto& state : record.figure->others) add(what, state.roundTripSeconds, state.medianSeconds);
    }
    m_versions.push_back(fmt::format("{}|{}", run.programVersion, run.suiteVersion));
}

void RunSpread::add(const std::string& what, std::optional<double> roundTrip, double seconds) {
    auto& states = m_figures[what];
    auto found = std::find_if(states.begin(), states.end(),
                              [&](const StateSeries& one) { return isSameState(one.roundTripSeconds, roundTrip); });
    if (found == states.end()) found = states.insert(states.end(), {roundTrip, {}});
    found->figures.push_back({m_versions.size(), seconds});
}

std::vector<const RunSpread::StateSeries*> RunSpread::allSeries() const {
    std::vector<const StateSeries*> all;
    for (const auto& [what, states] : m_figures)
        for (const auto& one : states) all.push_back(&one);
    return all;
}

Variance RunSpread::variance() const {
    std::vector<std::vector<double>> series;
    for (const auto* one : allSeries()) {
        series.emplace_back();
        for (const auto& figure : one->figures) series.back().push_back(figure.seconds);
    }
    return varianceBetweenRuns(series);
}

Variance RunSpread::runEffect() const {
    std::map<std::size_t, std::vector<double>> deviations;  // by run; of the logarithms
    for (const auto* series : allSeries()) {
        const auto& figures = series->figures;
        RunningMoments moments;
        for (const auto& figure : figures)
            if (figure.seconds > 0) moments.add(std::log(figure.seconds));
        if (moments.count() < 2) continue;
        for (const auto& figure : figures)
            if (figure.seconds > 0) deviations[figure.run].push_back(std::log(figure.seconds) - *moments.mean());
    }
    std::map<std::string, RunningMoments> effects;  // by versions, since only runs of the same ones are compared
    for (auto& [run, values] : deviations)
        if (values.size() >= kMinimumForShift) effects[m_versions[run]].add(*medianOfSorted(sortedFinite(values)));
    auto effect = kDefaultRunEffect;
    for (const auto& [versions, moments] : effects)
        if (moments.count() >= 2)
            effect = pooled(effect, {*moments.variance(), static_cast<double>(moments.count() - 1)});
    return effect;
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
        return fmt::format("the whole machine is {:.0f} % {} than in that run; its arithmetic or memory changed too",
                           percent, way);
    return fmt::format(
        "every case is about {:.0f} % {} than in that run, but the machine's arithmetic and memory are not: the "
        "program "
        "or its libraries differ",
        percent, way);
}

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/verdict.h"

#include <algorithm>
#include <cmath>

#include "engine/bench/protocol/distributions.h"
#include "engine/bench/protocol/figure.h"
#include "engine/bench/protocol/machine_state.h"
#include "engine/bench/protocol/statistics.h"

namespace steelyard::bench {
namespace {

constexpr double kMostCases = 0.9;

std::vector<const StateFigure*> statesOf(const Figure& figure) {
    std::vector<const StateFigure*> all{&figure.main};
    for (const auto& state : figure.others) all.push_back(&state);
    return all;
}

double meanOfLogarithms(const std::vector<double>& values) {
    RunningMoments moments;
    for (const double value : values) moments.add(std::log(value));
    return moments.mean().value_or(0);
}

// A machine state common to both runs.
struct StatePair {
    const StateFigure* base = nullptr;
    const StateFigure* other = nullptr;

    // Inverse variance of the difference of the means, in units of a visit's variance.
    [[nodiscard]] double weight() const {
        return 1 / (1 / static_cast<double>(base->visitSeconds.size()) +
                    1 / static_cast<double>(other->visitSeconds.size()));
    }
};

std::vector<StatePair> sharedStates(const Figure& base, const Figure& other) {
    std::vector<StatePair> shared;
    for (const auto* a : statesOf(base))
        for (const auto* b : statesOf(other))
            if (isSameState(a->roundTripSeconds, b->roundTripSeconds)) shared.push_back({a, b});
    return shared;
}

bool hasLessEvidence(const StatePair& a, const StatePair& b) {
    const auto evidence = [](const StatePair& pair) {
        return std::pair(std::min(pair.base->visitSeconds.size(), pair.other->visitSeconds.size()),
                         std::min(pair.base->windows, pair.other->windows));
    };
    return evidence(a) < evidence(b);
}

double pValueOf(double logRatio, double standardError, double degrees) {
    if (standardError > 0) return studentTwoSided(logRatio / standardError, degrees);
    return logRatio == 0 ? 1 : 0;
}

}  // namespace

std::string_view toString(Verdict verdict) {
    switch (verdict) {
        case Verdict::Faster:
            return "faster";
        case Verdict::Slower:
            return "slower";
        case Verdict::NoEvidence:
            return "no evidence";
        case Verdict::NotComparable:
            return "not comparable";
    }
    return {};
}

bool isSameState(std::optional<double> a, std::optional<double> b) {
    if (!a || !b) return !a && !b;
    return std::fabs(std::log(*a / *b)) < std::log(kStateFactor);
}

PairResult testPair(const Figure& base, const Figure& other, const Noise& noise, bool acrossMachines) {
    if (base.disturbed || other.disturbed) return {std::nullopt, Reason::Disturbed};
    const auto shared = acrossMachines ? std::vector{StatePair{&base.main, &other.main}} : sharedStates(base, other);
    if (shared.empty()) return {std::nullopt, Reason::OtherState};
    const auto variance = moderate(pooled(visitVariance(base), visitVariance(other)), noise.betweenVisits);
    if (!(variance.degrees > 0)) return {std::nullopt, Reason::TooFewVisits};
    const auto& shown = *std::max_element(shared.begin(), shared.end(), hasLessEvidence);
    PairTest test;
    test.roundTripSeconds = shown.base->roundTripSeconds;
    test.baseSeconds = shown.base->medianSeconds;
    test.otherSeconds = shown.other->medianSeconds;
    test.ratio = test.otherSeconds / test.baseSeconds;
    double weights = 0;
    for (const auto& pair : shared) {
        weights += pair.weight();
        test.logRatio +=
            pair.weight() * (meanOfLogarithms(pair.other->visitSeconds) - meanOfLogarithms(pair.base->visitSeconds));
    }
    test.logRatio /= weights;
    const auto ofRatio =
        sum({variance.value / weights, variance.degrees}, {2 * noise.runEffect.value, noise.runEffect.degrees});
    test.standardError = std::sqrt(ofRatio.value);
    test.degrees = ofRatio.degrees;
    test.pValue = pValueOf(test.logRatio, test.standardError, test.degrees);
    return {test, Reason::None};
}

Variance varianceBetweenRuns(std::span<const std::vector<double>> series) {
    Variance all;
    for (const auto& figures : series) all = pooled(all, varianceOfLogarithms(figures));
    return all;
}

PairResult testFigures(double base, double other, const Variance& betweenRuns) {
    if (!(betweenRuns.degrees > 0)) return {std::nullopt, Reason::TooFewVisits};
    if (!(base > 0) || !(other > 0)) return {std::nullopt, Reason::TooFewVisits};
    PairTest test;
    test.betweenRuns = true;
    test.baseSeconds = base;
    test.otherSeconds = other;
    test.ratio = other / base;
    test.logRatio = std::log(test.ratio);
    test.standardError = std::sqrt(2 * betweenRuns.value);
    test.degrees = betweenRuns.degrees;
    test.pValue = pValueOf(test.logRatio, test.standardError, test.degrees);
    return {test, Reason::None};
}

std::optional<MachineShift> machineShift(std::span<const PairTest> tests, std::optional<double> arithmetic,
                                         std::optional<double> bandwidth) {
    if (tests.size() < kMinimumForShift) return std::nullopt;
    std::vector<double> moved;
    for (const auto& test : tests) moved.push_back(test.logRatio);
    const double middle = *medianOfSorted(sortedFinite(moved));
    if (std::fabs(middle) < std::log1p(kPracticalDifference)) return std::nullopt;
    const auto alike = std::count_if(tests.begin(), tests.end(), [&](const auto& test) {
        return test.logRatio * middle > 0 &&
               pValueOf(test.logRatio - middle, test.standardError, test.degrees) >= kSignificance;
    });
    if (static_cast<double>(alike) < kMostCases * static_cast<double>(tests.size())) return std::nullopt;
    const auto explains = [&](std::optional<double> rate) {
        return rate && *rate > 0 && -std::log(*rate) / middle >= 0.5;
    };
    return MachineShift{std::exp(middle), explains(arithmetic) || explains(bandwidth)};
}

std::vector<CaseVerdict> judge(std::span<const PairTest> tests, const std::optional<MachineShift>& shift) {
    const double moved = shift && shift->arithmeticMoved ? std::log(shift->ratio) : 0;
    std::vector<double> pValues;
    for (const auto& test : tests)
        pValues.push_back(moved == 0 ? test.pValue : pValueOf(test.logRatio - moved, test.standardError, test.degrees));
    const auto adjusted = twoStageBenjaminiHochberg(pValues, kSignificance);
    std::vector<CaseVerdict> verdicts;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        CaseVerdict one{.adjustedPValue = adjusted[i]};
        // The means that were tested and the medians that are reported must agree.
        const double difference = tests[i].ratio * std::exp(-moved) - 1;
        const double tested = std::expm1(tests[i].logRatio - moved);
        if (adjusted[i] > kSignificance) {
            one.reason = moved != 0 ? Reason::MachineMoved : Reason::SameWithinNoise;
        } else if (std::fabs(difference) < kPracticalDifference || difference * tested <= 0) {
            one.reason = Reason::BelowPracticalDifference;
        } else {
            one.verdict = difference < 0 ? Verdict::Faster : Verdict::Slower;
        }
        verdicts.push_back(one);
    }
    return verdicts;
}

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Figures, intervals and verdicts: calculated by hand, by replay of the readings in tests/data/machine, and on runs
// simulated with fixed seeds and known truth.
#include "engine/bench/protocol/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/bench/protocol/distributions.h"
#include "engine/bench/protocol/figure.h"
#include "engine/bench/protocol/statistics.h"
#include "engine/core/random.h"
#include "tests/engine/bench/protocol/machine_readings.h"

namespace steelyard::bench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::SizeIs;

Figure figureWith(std::vector<double> visits, std::optional<double> roundTrip = 50e-9) {
    Figure figure;
    figure.main.roundTripSeconds = roundTrip;
    figure.main.visitSeconds = std::move(visits);
    figure.main.windows = static_cast<std::int64_t>(figure.main.visitSeconds.size());
    figure.main.medianSeconds = figure.main.visitSeconds[figure.main.visitSeconds.size() / 2];
    return figure;
}

// Variance -----------------------------------------------------------------------------------------------------------

TEST(VisitVariance, OfLogarithms) {
    const auto variance = varianceOfLogarithms(std::vector{1.0, std::exp(0.1), std::exp(0.2)});
    EXPECT_NEAR(variance.value, 0.01, 1e-12);
    EXPECT_EQ(variance.degrees, 2);
    EXPECT_EQ(varianceOfLogarithms(std::vector{1.0}), Variance{});
    EXPECT_EQ(varianceOfLogarithms(std::vector{1.0, 0.0, -3.0}), Variance{});
}

TEST(VisitVariance, IsDrawnTowardThePriorByDegrees) {
    const auto variance = moderate({.value = 0.09, .degrees = 2}, {.value = 0.01, .degrees = 6});
    EXPECT_NEAR(variance.value, 0.03, 1e-12);
    EXPECT_EQ(variance.degrees, 8);
    EXPECT_EQ(moderate({.value = 0.09, .degrees = 2}, {}), (Variance{0.09, 2}));
    EXPECT_EQ(moderate({}, {}), Variance{});
}

TEST(VisitVariance, SumHasTheDegreesOfItsLargerPart) {
    const auto equal = sum({1e-4, 10}, {1e-4, 10});
    EXPECT_NEAR(equal.value, 2e-4, 1e-18);
    EXPECT_NEAR(equal.degrees, 20, 1e-9);
    EXPECT_NEAR(sum({1e-8, 100}, {1e-2, 4}).degrees, 4, 1e-3);
    EXPECT_EQ(sum({1e-4, 10}, {}), (Variance{1e-4, 10}));
    EXPECT_EQ(sum({}, {1e-4, 10}), (Variance{1e-4, 10}));
    EXPECT_EQ(sum({0, 3}, {0, 4}), (Variance{0, 7}));
}

TEST(VisitVariance, FitFindsThePriorThatTheCasesWereDrawnFrom) {
    // sigma^2 = d0 s0^2 / chi^2(d0), s^2 = sigma^2 chi^2(d) / d, with d0 = 8, s0 = 3 %, d = 2.
    const RandomStream stream(7, 1);
    std::uint32_t at = 0;
    const auto chiSquared = [&](int degrees) {
        double sum = 0;
        for (int i = 0; i < degrees; ++i) {
            const double value = stream.normal(at++);
            sum += value * value;
        }
        return sum;
    };
    std::vector<Variance> cases;
    for (int i = 0; i < 5000; ++i) {
        const double trueVariance = 8 * 0.03 * 0.03 / chiSquared(8);
        cases.push_back({trueVariance * chiSquared(2) / 2, 2});
    }
    const auto prior = fitPrior(cases);
    EXPECT_NEAR(std::sqrt(prior.value), 0.03, 0.002);
    EXPECT_NEAR(prior.degrees, 8, 2);
}

TEST(VisitVariance, EqualCasesGiveAPriorAsCertainAsTheyAre) {
    const std::vector<Variance> cases(10, {4e-4, 2});
    const auto prior = fitPrior(cases);
    EXPECT_EQ(prior.degrees, 20);
    EXPECT_GT(prior.value, 0);
}

TEST(VisitVariance, FewCasesOrNoneThatVaryGiveNoPrior) {
    EXPECT_EQ(fitPrior(std::vector<Variance>{{1e-4, 2}, {2e-4, 2}}), Variance{});
    EXPECT_EQ(fitPrior(std::vector<Variance>(5, Variance{0, 2})), Variance{});
    EXPECT_EQ(fitPrior(std::vector<Variance>(5, Variance{})), Variance{});
}

// Figure -------------------------------------------------------------------------------------------------------------

Visit visitOf(std::size_t windows) {
    Visit visit;
    visit.windows.resize(windows, {.samples = 1, .before = {}, .after = {}});
    return visit;
}

TEST(FigureOf, IntervalIsMadeOfVisits) {
    // Three visits of two equal windows each: the number of samples does not narrow the interval.
    const std::vector samples{1.0, 1.0, 1.02, 1.02, 1.04, 1.04};
    const std::vector visits{visitOf(2), visitOf(2), visitOf(2)};
    const auto figure = figureOf(samples, visits, 2, {});
    ASSERT_TRUE(figure);
    EXPECT_DOUBLE_EQ(figure->main.medianSeconds, 1.02);
    const double deviation = std::sqrt(varianceOfLogarithms(std::vector{1.0, 1.02, 1.04}).value);
    EXPECT_DOUBLE_EQ(*figure->deviation, deviation);
    EXPECT_EQ(*figure->degrees, 2);
    const double width = studentQuantile(0.05, 2) * deviation * std::sqrt(2.0 / 3) * 1.1602;
    EXPECT_NEAR(std::log(*figure->high / 1.02), width, 1e-9);
    EXPECT_NEAR(std::log(1.02 / *figure->low), width, 1e-9);
    // With a prior it is less than four times too wide.
    const auto shrunk = figureOf(samples, visits, 2, {.betweenVisits = {deviation * deviation, 20}, .runEffect = {}});
    EXPECT_LT(*shrunk->high, *figure->high);
    EXPECT_EQ(*shrunk->degrees, 22);
}

TEST(FigureOf, OneVisitHasNoInterval) {
    const auto figure = figureOf(std::vector{1.0, 1.1, 0.9}, std::vector{visitOf(3)}, 2,
                                 {.betweenVisits = {1e-4, 10}, .runEffect = kDefaultRunEffect});
    ASSERT_TRUE(figure);
    EXPECT_DOUBLE_EQ(figure->main.medianSeconds, 1.0);
    EXPECT_FALSE(figure->low || figure->high || figure->deviation || figure->runDeviation);
}

TEST(FigureOf, WhereOneVisitCountsTheOtherCasesSayHowMuchVisitsDiffer) {
    auto disturbed = visitOf(1);
    disturbed.windows.front().after.otherCpus = 1.5;
    const std::vector visits{visitOf(1), disturbed};
    const std::vector samples{1.0, 1.4};
    const Variance prior{4e-4, 20};
    const auto figure = figureOf(samples, visits, 2, {prior, {}});
    ASSERT_TRUE(figure);
    EXPECT_EQ(figure->main.visitSeconds, std::vector{1.0});
    EXPECT_DOUBLE_EQ(*figure->deviation, 0.02);
    EXPECT_EQ(*figure->degrees, 20);
    EXPECT_NEAR(std::log(*figure->high), studentQuantile(0.05, 20) * 0.02 * std::sqrt(2.0), 1e-9);
    EXPECT_FALSE(figureOf(samples, visits, 2, {})->low) << "nothing is known";
}

TEST(FigureOf, IntervalCountsWhatMovesAWholeRun) {
    const std::vector samples{1.0, 1.02, 1.04};
    const std::vector visits{visitOf(1), visitOf(1), visitOf(1)};
    const Variance prior{4e-4, 20}, effect{9e-4, 5};
    const auto without = figureOf(samples, visits, 2, {prior, {}});
    const auto with = figureOf(samples, visits, 2, {prior, effect});
    EXPECT_DOUBLE_EQ(*with->deviation, *without->deviation);  // unchanged: as observed in the visits
    EXPECT_DOUBLE_EQ(*with->runDeviation, 0.03);
    EXPECT_EQ(with->runDegrees, 5);
    EXPECT_FALSE(without->runDeviation);
    // By hand: s^2 c^2 / V of 22 degrees and r^2 of 5, added.
    const double ofVisits = *with->deviation * *with->deviation * 1.1602 * 1.1602 / 3;
    const double value = ofVisits + 9e-4;
    const double degrees = value * value / (ofVisits * ofVisits / 22 + 9e-4 * 9e-4 / 5);
    EXPECT_NEAR(std::log(*with->high / 1.02), studentQuantile(0.05, degrees) * std::sqrt(2 * value), 1e-9);
}

TEST(FigureOf, NothingIsMadeOfNothing) {
    EXPECT_EQ(figureOf({}, {}, 2, {}), std::nullopt);
    EXPECT_EQ(figureOf({}, std::vector{visitOf(2)}, 2, {}), std::nullopt);  // fewer samples than windows say
    EXPECT_EQ(figureOf(std::vector{0.0, 0.0}, std::vector{visitOf(2)}, 2, {}), std::nullopt);
}

// Verdict ------------------------------------------------------------------------------------------------------------

TEST(TestPair, IsTheTTestOfLogarithms) {
    const auto base = figureWith({1.0, std::exp(0.02), std::exp(0.04)});
    const auto other = figureWith({std::exp(0.10), std::exp(0.12), std::exp(0.14)});
    const auto result = testPair(base, other, {});
    ASSERT_TRUE(result.test);
    EXPECT_NEAR(result.test->logRatio, 0.10, 1e-12);
    EXPECT_NEAR(result.test->standardError, 0.02 * std::sqrt(2.0 / 3), 1e-12);
    EXPECT_EQ(result.test->degrees, 4);
    EXPECT_NEAR(result.test->pValue, studentTwoSided(0.10 / (0.02 * std::sqrt(2.0 / 3)), 4), 1e-12);
    EXPECT_NEAR(result.test->ratio, std::exp(0.10), 1e-12);
}

TEST(TestPair, OnlyWithinOneState) {
    auto base = figureWith({2.1e-3, 2.12e-3, 2.08e-3}, 52e-9);
    auto other = figureWith({3.3e-3, 3.31e-3, 3.28e-3}, 330e-9);
    EXPECT_EQ(testPair(base, other, {}).reason, Reason::OtherState);
    EXPECT_FALSE(testPair(base, other, {}).test);
    // It suffices that one of them was in the state for some time.
    other.others.push_back(figureWith({2.11e-3, 2.09e-3}, 50e-9).main);
    const auto result = testPair(base, other, {});
    ASSERT_TRUE(result.test);
    EXPECT_NEAR(result.test->ratio, 1, 0.02);
    EXPECT_EQ(result.test->roundTripSeconds, 52e-9);
    EXPECT_EQ(result.test->baseSeconds, base.main.medianSeconds);
    EXPECT_EQ(result.test->otherSeconds, other.others.front().medianSeconds)
        << "not the figure of the state it was in most";
    // Known and unknown states never match.
    EXPECT_EQ(testPair(base, figureWith({2.1e-3, 2.1e-3}, std::nullopt), {}).reason, Reason::OtherState);
}

TEST(TestPair, TakesAllStatesThatBothHad) {
    auto base = figureWith({1.0, std::exp(0.02)}, 52e-9);
    base.others.push_back(figureWith({2.0}, 330e-9).main);
    auto other = figureWith({2 * std::exp(0.10), 2 * std::exp(0.12)}, 332e-9);
    other.others.push_back(figureWith({std::exp(0.13)}, 51e-9).main);
    const auto result = testPair(base, other, {});
    ASSERT_TRUE(result.test);
    // Differences of 0.12 with two visits and one, and of 0.11 with one and two: both have the same weight.
    EXPECT_NEAR(result.test->logRatio, 0.115, 1e-12);
    EXPECT_EQ(result.test->degrees, 2);
    const double deviation = 0.02 / std::sqrt(2.0);
    EXPECT_NEAR(result.test->standardError, deviation * std::sqrt(1.5 / 2), 1e-12);
}

TEST(TestPair, NeedsUndisturbedVisits) {
    auto base = figureWith({1.0, 1.01});
    const auto other = figureWith({1.2});
    EXPECT_TRUE(testPair(base, other, {}).test);
    EXPECT_EQ(testPair(figureWith({1.0}), other, {}).reason, Reason::TooFewVisits);
    EXPECT_TRUE(testPair(figureWith({1.0}), other, {{1e-4, 10}, {}}).test);
    base.disturbed = true;
    EXPECT_EQ(testPair(base, other, {}).reason, Reason::Disturbed);
}

TEST(TestFigures, OldRecordsByTheMachinesHistory) {
    const std::vector<std::vector<double>> series{{1.0, 1.1, 0.95, 1.02}, {2.0, 2.1, 2.15}};
    const auto spread = varianceBetweenRuns(series);
    EXPECT_EQ(spread.degrees, 5);
    EXPECT_GT(testFigures(1.0, 1.05, spread).test->pValue, 0.3);
    EXPECT_LT(testFigures(1.0, 1.6, spread).test->pValue, 0.01);
    EXPECT_EQ(testFigures(1.0, 1.6, {}).reason, Reason::TooFewVisits);
}

PairTest testOf(double ratio, double standardError = 0.01) {
    PairTest test;
    test.ratio = ratio;
    test.logRatio = std::log(ratio);
    test.standardError = standardError;
    test.degrees = 20;
    test.pValue = studentTwoSided(test.logRatio / standardError, test.degrees);
    return test;
}

TEST(Judge, NeedsEvidenceAndTwoPercent) {
    const std::vector tests{testOf(1.10), testOf(0.90), testOf(1.005), testOf(1.015, 0.001), testOf(1.10, 0.2)};
    const auto verdicts = judge(tests);
    EXPECT_EQ(verdicts[0].verdict, Verdict::Slower);
    EXPECT_EQ(verdicts[1].verdict, Verdict::Faster);
    EXPECT_EQ(verdicts[2].reason, Reason::SameWithinNoise);
    EXPECT_EQ(verdicts[3].reason, Reason::BelowPracticalDifference);
    EXPECT_EQ(verdicts[4].reason, Reason::SameWithinNoise);
}

TEST(Judge, ManyCasesNeedMoreEvidence) {
    auto lucky = testOf(1.03, 0.01);
    lucky.pValue = 0.02;
    EXPECT_EQ(judge(std::vector{lucky})[0].verdict, Verdict::Slower);
    std::vector<PairTest> tests(20, testOf(1.0));
    tests[0] = lucky;
    EXPECT_EQ(judge(tests)[0].verdict, Verdict::NoEvidence);
}

TEST(MachineShift, OfAllCasesAlike) {
    const std::vector tests{testOf(1.12), testOf(1.11), testOf(1.13), testOf(1.12), testOf(1.125)};
    const auto shift = machineShift(tests, 1 / 1.12, std::nullopt);
    ASSERT_TRUE(shift);
    EXPECT_NEAR(shift->ratio, 1.12, 0.005);
    EXPECT_TRUE(shift->arithmeticMoved);
    for (const auto& one : judge(tests, shift)) EXPECT_EQ(one.reason, Reason::MachineMoved);
    // The machine computes as fast as before, so the program has changed.
    const auto program = machineShift(tests, 1.0, 1.0);
    EXPECT_FALSE(program->arithmeticMoved);
    for (const auto& one : judge(tests, program)) EXPECT_EQ(one.verdict, Verdict::Slower);
    EXPECT_FALSE(machineShift(tests, std::nullopt, std::nullopt)->arithmeticMoved);
}

TEST(MachineShift, NotOfSomeCasesOrFewOrLittle) {
    EXPECT_FALSE(machineShift(std::vector{testOf(1.2), testOf(1.2), testOf(1.0), testOf(1.0), testOf(1.2)}, {}, {}));
    EXPECT_FALSE(machineShift(std::vector(4, testOf(1.2)), {}, {}));
    EXPECT_FALSE(machineShift(std::vector(8, testOf(1.01)), {}, {}));
}

// Replay -------------------------------------------------------------------------------------------------------------

constexpr std::size_t kVisits = 3;  // of a quick run

// A run replayed from recorded readings: `kVisits` consecutive visits of each case, times multiplied by `factor`.
std::map<std::string, Figure> replay(const std::map<std::string, ReadCase>& cases, std::size_t first, double factor,
                                     const Variance& runEffect = {}) {
    std::map<std::string, ReadCase> chosen;
    std::vector<Variance> variances;
    for (const auto& [name, one] : cases) {
        auto& part = chosen[name];
        std::size_t at = 0;
        for (std::size_t v = 0; v < one.visits.size(); ++v) {
            const auto count = one.visits[v].windows.size();
            if (v >= first && v < first + kVisits) {
                part.visits.push_back(one.visits[v]);
                for (std::size_t i = 0; i < count; ++i) part.samples.push_back(one.samples[at + i] * factor);
            }
            at += count;
        }
        if (const auto figure = figureOf(part.samples, part.visits, 2, {})) variances.push_back(visitVariance(*figure));
    }
    std::map<std::string, Figure> figures;
    const auto prior = fitPrior(variances);
    for (const auto& [name, part] : chosen) figures[name] = *figureOf(part.samples, part.visits, 2, {prior, runEffect});
    return figures;
}

struct VerdictCounts {
    int compared = 0, noState = 0, slower = 0, faster = 0;
};

void compare(const std::map<std::string, Figure>& base, const std::map<std::string, Figure>& other,
             VerdictCounts& outcome) {
    std::vector<Variance> variances;
    for (const auto* run : {&base, &other})
        for (const auto& [name, figure] : *run) variances.push_back(visitVariance(figure));
    const auto prior = fitPrior(variances);
    std::vector<PairTest> tests;
    std::vector<double> arithmetic, bandwidth;  // of the probes, `other` relative to `base`
    for (const auto& [name, figure] : base) {
        const auto& next = other.at(name);
        const auto result = testPair(figure, next, {prior, {}});
        if (result.test)
            tests.push_back(*result.test);
        else
            ++outcome.noState;
        if (!figure.main.arithmeticRate || !next.main.arithmeticRate) continue;
        arithmetic.push_back(*next.main.arithmeticRate / *figure.main.arithmeticRate);
        bandwidth.push_back(*next.main.bandwidth / *figure.main.bandwidth);
    }
    const auto shift =
        machineShift(tests, medianOfSorted(sortedFinite(arithmetic)), medianOfSorted(sortedFinite(bandwidth)));
    for (const auto& one : judge(tests, shift)) {
        ++outcome.compared;
        outcome.slower += one.verdict == Verdict::Slower ? 1 : 0;
        outcome.faster += one.verdict == Verdict::Faster ? 1 : 0;
    }
}

VerdictCounts replayAllPairs(const std::string& name, double factor) {
    const auto cases = readMachineReadings(name);
    const auto visits = cases.begin()->second.visits.size();
    VerdictCounts outcome;
    for (std::size_t a = 0; a + kVisits <= visits; ++a)
        for (std::size_t b = a + kVisits; b + kVisits <= visits; ++b)
            compare(replay(cases, a, 1), replay(cases, b, factor), outcome);
    return outcome;
}

TEST(Replay, TwoStatesGiveFewFalseVerdicts) {
    for (const auto* name : {"two_states.csv", "quiet.csv"}) {
        const auto outcome = replayAllPairs(name, 1);
        EXPECT_GT(outcome.compared, 80) << name;
        EXPECT_LE(outcome.slower + outcome.faster, 0.05 * outcome.compared) << name;
    }
}

TEST(Replay, FindsTenAndTwentyPercent) {
    for (const auto* name : {"two_states.csv", "quiet.csv"}) {
        const auto ten = replayAllPairs(name, 1.1);
        EXPECT_GE(ten.slower, 0.80 * ten.compared) << name << ", of " << ten.compared;
        EXPECT_EQ(ten.faster, 0) << name;
        const auto twenty = replayAllPairs(name, 1.2);
        EXPECT_GE(twenty.slower, 0.95 * twenty.compared) << name << ", of " << twenty.compared;
    }
}

// Whole consecutive suites on an idle machine: with one state, and with two.
struct IdleSuites {
    const char* file;
    std::size_t suites;
};
class IdleSuitesTest : public testing::TestWithParam<IdleSuites> {};

TEST_P(IdleSuitesTest, Agree) {
    const auto cases = readMachineReadings(GetParam().file);
    VerdictCounts same, ten;
    int held = 0, figures = 0, falseAlone = 0, alone = 0;
    for (std::size_t a = 0; a < GetParam().suites; ++a)
        for (std::size_t b = 0; b < GetParam().suites; ++b) {
            if (a == b) continue;
            const auto base = replay(cases, kVisits * a, 1, kDefaultRunEffect);
            const auto other = replay(cases, kVisits * b, 1);
            for (const auto& [name, figure] : base) {
                const auto& next = other.at(name);
                if (figure.low && isSameState(figure.main.roundTripSeconds, next.main.roundTripSeconds)) {
                    const double seconds = next.main.medianSeconds;
                    held += *figure.low <= seconds && seconds <= *figure.high ? 1 : 0;
                    ++figures;
                }
                // Each case separately, as if only one network were measured.
                const Variance prior{*figure.priorDeviation * *figure.priorDeviation, *figure.priorDegrees};
                const auto result = testPair(figure, next, {prior, kDefaultRunEffect});
                if (!result.test) {
                    EXPECT_EQ(result.reason, Reason::OtherState) << name;
                    continue;
                }
                falseAlone += judge(std::vector{*result.test})[0].verdict != Verdict::NoEvidence ? 1 : 0;
                ++alone;
            }
            compare(base, other, same);
            // Every second case is 10 % slower: if all were, it would be attributed to the machine.
            auto slowed = other;
            std::size_t index = 0;
            for (auto& [name, figure] : replay(cases, kVisits * b, 1.1))
                if (index++ % 2 == 0) slowed[name] = figure;
            compare(base, slowed, ten);
        }
    RecordProperty("held", std::to_string(double(held) / figures));
    RecordProperty("false_together", std::to_string(double(same.slower + same.faster) / same.compared));
    RecordProperty("false_alone", std::to_string(double(falseAlone) / alone));
    RecordProperty("found", std::to_string(2.0 * ten.slower / ten.compared));
    EXPECT_GE(held, 0.90 * figures);
    EXPECT_LE(held, 0.99 * figures);
    EXPECT_LE(same.slower + same.faster, 0.05 * same.compared);
    EXPECT_LE(falseAlone, 0.05 * alone);
    EXPECT_GE(ten.slower, 0.80 * ten.compared / 2);
    // With half of the cases changed the run effect is not recognised: over 5 % of the others seem faster.
    EXPECT_LE(ten.faster, 0.10 * ten.compared / 2);
}

INSTANTIATE_TEST_SUITE_P(Replay, IdleSuitesTest,
                         testing::Values(IdleSuites{"idle_suites.csv", 7}, IdleSuites{"idle_suites_two_states.csv", 8}),
                         [](const auto& suites) { return suites.index == 0 ? "OneState" : "TwoStates"; });

TEST(Replay, NothingIsSaidAcrossStates) {
    const auto cases = readMachineReadings("two_states.csv");
    const auto visits = cases.begin()->second.visits.size();
    int across = 0;
    for (std::size_t a = 0; a + kVisits <= visits; ++a)
        for (std::size_t b = 0; b + kVisits <= visits; ++b) {
            const auto base = replay(cases, a, 1).at("mnist_mlp train");
            const auto other = replay(cases, b, 1).at("mnist_mlp train");
            if (base.others.empty() && other.others.empty() &&
                *base.main.roundTripSeconds * 3 < *other.main.roundTripSeconds) {
                ++across;
                EXPECT_EQ(testPair(base, other, {{1e-4, 10}, {}}).reason, Reason::OtherState);
            }
        }
    EXPECT_GT(across, 0);
}

// Simulation ---------------------------------------------------------------------------------------------------------

// Runs of 24 cases on a machine with known noise: between visits 1 to 5 % by case, between windows 1 %, between runs as
// given.
class Machine {
public:
    explicit Machine(std::uint32_t seed, double runDeviation = 0) : m_stream(99, seed), m_runDeviation(runDeviation) {}
    std::map<std::string, Figure> run(double factor) {
        std::map<std::string, ReadCase> cases;
        std::vector<Variance> variances;
        if (m_runDeviation > 0) factor *= std::exp(m_runDeviation * draw());
        for (int c = 0; c < 24; ++c) {
            auto& one = cases[std::to_string(c)];
            const double deviation = 0.01 + 0.04 * c / 23.0;
            for (std::size_t v = 0; v < kVisits; ++v) {
                const double level = deviation * draw();
                one.visits.push_back(visitOf(2));
                for (int w = 0; w < 2; ++w) one.samples.push_back(factor * std::exp(level + 0.01 * draw()));
            }
            variances.push_back(visitVariance(*figureOf(one.samples, one.visits, 2, {})));
        }
        const auto prior = fitPrior(variances);
        std::map<std::string, Figure> figures;
        const Variance effect = m_runDeviation > 0 ? kDefaultRunEffect : Variance{};
        for (const auto& [name, one] : cases) figures[name] = *figureOf(one.samples, one.visits, 2, {prior, effect});
        return figures;
    }

private:
    double draw() { return m_stream.normal(m_at++); }

    RandomStream m_stream;
    double m_runDeviation = 0;
    std::uint32_t m_at = 0;
};

// Fraction of a second run's figures within the interval of the first.
double shareHeld(double runDeviation) {
    int held = 0, all = 0;
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        Machine machine(seed, runDeviation);
        const auto first = machine.run(1);
        const auto second = machine.run(1);
        for (const auto& [name, figure] : first) {
            const double next = second.at(name).main.medianSeconds;
            held += *figure.low <= next && next <= *figure.high ? 1 : 0;
            ++all;
        }
    }
    return static_cast<double>(held) / all;
}

TEST(Simulation, IntervalHoldsTheNextRunsFigure) {
    for (const double runDeviation : {0.0, 0.02}) {
        const double share = shareHeld(runDeviation);
        EXPECT_GE(share, 0.90) << runDeviation;
        EXPECT_LE(share, 0.99) << runDeviation;  // an interval that is always right is too wide
    }
}

TEST(Simulation, FalseVerdictsAndPower) {
    VerdictCounts same, ten, twenty;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        Machine machine(1000 + seed);
        const auto base = machine.run(1);
        compare(base, machine.run(1), same);
        compare(base, machine.run(1.1), ten);
        compare(base, machine.run(1.2), twenty);
    }
    EXPECT_LE(same.slower + same.faster, 0.05 * same.compared);
    EXPECT_GE(ten.slower, 0.80 * ten.compared);
    EXPECT_GE(twenty.slower, 0.95 * twenty.compared);
    EXPECT_EQ(ten.faster + twenty.faster, 0);
    RecordProperty("false_share", std::to_string(double(same.slower + same.faster) / same.compared));
    RecordProperty("power_10", std::to_string(double(ten.slower) / ten.compared));
}

}  // namespace
}  // namespace steelyard::bench

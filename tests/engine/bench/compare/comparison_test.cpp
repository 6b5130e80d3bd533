// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/bench/compare/run_comparison.h"
#include "tests/engine/bench/compare/compare_alone.h"

namespace steelyard::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<double> around(double centre, double step, int count = 12) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(centre + step * (i - (count - 1) / 2.0));
    return values;
}

CaseRecord recordWith(std::vector<double> samples) {
    CaseRecord record;
    record.spec.workload = "resnet50";
    record.spec.batch = 16;
    record.deviceName = "Some CPU";
    record.status = Status::Ok;
    record.samplesSeconds = std::move(samples);
    return record;
}

constexpr SuiteVersions kSameVersions{"1", "1"};

TEST(CompareAlone, WithoutVisitsAndHistoryNothingIsKnown) {
    auto other = recordWith(around(0.5, 0.001));
    other.spec.seed = 77;
    const auto comparison = compareAlone(recordWith(around(1.0, 0.001)), other, kSameVersions);
    EXPECT_EQ(comparison.verdict, Verdict::NoEvidence);
    EXPECT_EQ(comparison.reason, Reason::TooFewVisits);
    EXPECT_NEAR(*comparison.ratio, 0.5, 1e-12);
    EXPECT_THAT(comparison.differences, IsEmpty());
}

RunRecord runWith(std::vector<double> medians, std::string id = "a") {
    RunRecord run;
    run.id = std::move(id);
    run.suiteVersion = "3";
    run.programVersion = "0.1.0";
    for (const double median : medians) {
        run.records.push_back(recordWith(around(median, median * 0.001)));
        run.records.back().spec.batch = static_cast<std::int64_t>(run.records.size());
        run.records.back().stepSeconds = Summary{.median = median, .mean = median, .n = 12};
    }
    return run;
}

TEST(CompareRuns, OldRecordsByTheSpreadBetweenRuns) {
    const std::vector history{runWith({1.0, 2.0, 3.0}), runWith({1.02, 1.98, 3.05}), runWith({0.99, 2.03, 2.96}),
                              runWith({1.01, 2.0, 3.02}), runWith({1.0, 1.97, 2.99})};
    RunSpread spread;
    for (const auto& run : history) spread.add(run);
    const auto variance = spread.variance();
    EXPECT_EQ(variance.degrees, 12);
    EXPECT_NEAR(std::sqrt(variance.value), 0.012, 0.003);
    EXPECT_TRUE(needsRunSpread(history[0], history[1]));
    const auto verdicts = [&](const RunRecord& other, const Variance& betweenRuns) {
        std::vector<Verdict> result;
        for (const auto& pair : compareRuns(history[0], other, betweenRuns)) result.push_back(pair.comparison.verdict);
        return result;
    };
    const auto none = Verdict::NoEvidence;
    EXPECT_THAT(verdicts(history[1], variance), ElementsAre(none, none, none));
    const auto other = runWith({1.2, 1.0, 3.01});
    EXPECT_THAT(verdicts(other, variance), ElementsAre(Verdict::Slower, Verdict::Faster, none));
    EXPECT_THAT(verdicts(other, {}), ElementsAre(none, none, none)) << "without a history";
    EXPECT_TRUE(compareRuns(history[0], other, variance)[0].comparison.test->betweenRuns);
}

TEST(RunSpread, RunEffectIsWhatMovesAllCases) {
    const std::vector<double> factors{0.97, 1.0, 1.04, 1.01, 0.98};
    RunSpread spread;
    EXPECT_EQ(spread.runEffect(), kDefaultRunEffect) << "of no run";
    for (const double factor : factors) {
        std::vector<double> medians;
        for (int c = 0; c < 9; ++c) medians.push_back((c + 1) * factor * (c % 2 == 0 ? 1 : 1.0001));
        spread.add(runWith(medians));
    }
    const auto shown = varianceOfLogarithms(factors);
    const auto effect = spread.runEffect();
    EXPECT_EQ(effect.degrees, 8);
    EXPECT_NEAR(effect.value, (4 * kDefaultRunEffect.value + 4 * shown.value) / 8, 1e-9);
    // Runs of another version say nothing of these, and four cases are too few.
    auto newer = runWith(std::vector<double>(9, 5));
    newer.programVersion = "0.2.0";
    spread.add(newer);
    spread.add(runWith({100, 200, 300, 400}));
    EXPECT_NEAR(spread.runEffect().degrees, 8, 1e-9);
}

// A run with two states of the machine: `main` is the state with more windows.
RunRecord runInStates(StateFigure main, StateFigure other) {
    auto run = runWith({main.medianSeconds});
    run.records[0].figure = Figure{.main = std::move(main), .others = {std::move(other)}};
    return run;
}

StateFigure stateWith(double roundTripSeconds, double seconds) {
    return {.roundTripSeconds = roundTripSeconds,
            .medianSeconds = seconds,
            .windows = 2,
            .visitSeconds = {seconds * 0.999, seconds * 1.001}};
}

TEST(RunSpread, IsOfOneStateOfTheMachine) {
    RunSpread spread;
    spread.add(runInStates(stateWith(52e-9, 1.00), stateWith(325e-9, 1.50)));
    spread.add(runInStates(stateWith(325e-9, 1.53), stateWith(52e-9, 1.02)));
    const auto variance = spread.variance();
    EXPECT_EQ(variance.degrees, 2) << "one for each state";
    EXPECT_NEAR(variance.value, 0.5 * std::log(1.02) * std::log(1.02), 1e-9);
}

TEST(CompareRuns, FiguresAreOfTheStateThatBothWereIn) {
    const auto base = runInStates(stateWith(52e-9, 2.00), stateWith(325e-9, 3.10));
    const auto other = runInStates(stateWith(325e-9, 3.12), stateWith(52e-9, 2.01));
    const auto comparison = compareRuns(base, other, {})[0].comparison;
    ASSERT_TRUE(comparison.test);
    EXPECT_EQ(comparison.verdict, Verdict::NoEvidence);
    EXPECT_NEAR(comparison.test->otherSeconds / comparison.test->baseSeconds, *comparison.ratio, 1e-12);
    EXPECT_NEAR(*comparison.ratio, 1, 0.01);
    EXPECT_NE(isOfOtherState(base.records[0], comparison.test->baseSeconds),
              isOfOtherState(other.records[0], comparison.test->otherSeconds));
    EXPECT_FALSE(isOfOtherState(runWith({2.0}).records[0], 2.0)) << "no figure";
}

TEST(RunSpread, OnlyOfWhatIsAlike) {
    RunSpread spread;
    spread.add(runWith({1.0}));
    auto disturbed = runWith({9.0});
    disturbed.records[0].conditions["other_load"] = "0.9";
    auto imported = runWith({2.0});
    imported.origin = "imported";
    auto newer = runWith({3.0});
    newer.programVersion = "0.2.0";
    auto failed = runWith({4.0});
    failed.records[0].status = Status::TimedOut;
    for (const auto& run : {disturbed, imported, newer, failed}) spread.add(run);
    EXPECT_EQ(spread.variance(), Variance{});
    spread.add(runWith({1.1}));
    EXPECT_EQ(spread.variance().degrees, 1);
}

TEST(CompareAlone, SaysWhatDiffers) {
    const auto base = recordWith(around(1.0, 0.001));
    const auto differs = [&base](auto change) {
        auto other = base;
        change(other);
        const auto comparison = compareAlone(base, other, kSameVersions);
        EXPECT_EQ(comparison.verdict, Verdict::NotComparable);
        EXPECT_FALSE(comparison.ratio);
        return comparison.differences;
    };
    using Item = DifferenceItem;
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.workload = "vgg16"; }),
                ElementsAre(Item{Difference::Workload, "resnet50", "vgg16"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.mode = plan::Mode::Infer; }),
                ElementsAre(Item{Difference::Mode, "train", "infer"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.device = "cuda:0"; }),
                ElementsAre(Item{Difference::Device, "cpu", "cuda:0"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.deviceName = "Other CPU"; }),
                ElementsAre(Item{Difference::DeviceName, "Some CPU", "Other CPU"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.precision = plan::Precision::Bf16; }),
                ElementsAre(Item{Difference::Precision, "fp32", "bf16"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.batch = 32; }), ElementsAre(Item{Difference::Batch, "16", "32"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.threads = 2; }),
                ElementsAre(Item{Difference::Threads, "default", "2"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.isa = "avx2"; }),
                ElementsAre(Item{Difference::Isa, "default", "avx2"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.kernels = "openblas"; }),
                ElementsAre(Item{Difference::Kernels, "fastest", "openblas"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.part = Part::Pipeline; }),
                ElementsAre(Item{Difference::Part, "step", "pipeline"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.data = "/d"; }),
                ElementsAre(Item{Difference::Data, "synthetic", "/d"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.optimizer = "adam"; }),
                ElementsAre(Item{Difference::Optimizer, "", "adam"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.status = Status::OutOfMemory; }),
                ElementsAre(Item{Difference::OtherNotOk, "ok", "out_of_memory"}));
}

TEST(CompareAlone, SuiteVersionsMustMatch) {
    const auto record = recordWith(around(1.0, 0.001));
    const auto comparison = compareAlone(record, record, {"1", "2"});
    EXPECT_EQ(comparison.verdict, Verdict::NotComparable);
    EXPECT_EQ(describe(comparison), "suite version differs (1, 2)");
}

TEST(CompareRuns, MachinesCanBeWeighedOnPurpose) {
    const Variance spread{1e-4, 20};
    const auto cpu = runWith({1.0});
    auto gpu = runWith({0.1});
    gpu.records[0].deviceName = "Some other CPU";
    EXPECT_EQ(compareRuns(cpu, gpu, spread)[0].comparison.verdict, Verdict::NotComparable);
    EXPECT_EQ(compareRuns(cpu, gpu, spread, Scope::AcrossDevices)[0].comparison.verdict, Verdict::Faster);
    gpu.records[0].status = Status::OutOfMemory;
    EXPECT_EQ(compareRuns(cpu, gpu, spread, Scope::AcrossDevices)[0].comparison.verdict, Verdict::NotComparable);
}

TEST(VerdictNames, FollowTheContractOfTheCommandLine) {
    EXPECT_EQ(toString(Verdict::Faster), "faster");
    EXPECT_EQ(toString(Verdict::Slower), "slower");
    EXPECT_EQ(toString(Verdict::NoEvidence), "no evidence");
    EXPECT_EQ(toString(Verdict::NotComparable), "not comparable");
}

}  // namespace
}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/disturbance.h"

#include <gtest/gtest.h>

#include "engine/bench/measure/case_figures.h"
#include "engine/bench/record/peak_fraction.h"
#include "engine/model/zoo/zoo.h"
#include "tests/engine/bench/compare/compare_alone.h"

namespace steelyard::bench {
namespace {

CaseRecord quietRecord() {
    CaseRecord record;
    record.spec.workload = "resnet50";
    record.spec.batch = 16;
    record.status = Status::Ok;
    for (int i = 0; i < 20; ++i) record.samplesSeconds.push_back(1 + 0.001 * i);
    record.conditions = {{"cpu_pressure_start", "0.02"}, {"cpu_pressure_end", "0.11"}};
    return record;
}

TEST(Disturbance, IsTheHighestLoadThatWasNoted) {
    auto record = quietRecord();
    EXPECT_DOUBLE_EQ(recordedLoad(record).value(), 0.11);
    EXPECT_FALSE(wasDisturbed(record));
    record.conditions["cpu_pressure_end"] = "0.45";
    EXPECT_TRUE(wasDisturbed(record));
    record = quietRecord();
    record.conditions[std::string(kOtherLoadCondition)] = "0.80";
    EXPECT_DOUBLE_EQ(recordedLoad(record).value(), 0.8);
    EXPECT_TRUE(wasDisturbed(record));
    record.conditions.clear();
    EXPECT_FALSE(recordedLoad(record).has_value());
    EXPECT_FALSE(wasDisturbed(record)) << "what was not noted accuses nobody";
    record.conditions["cpu_pressure_end"] = "high";
    EXPECT_FALSE(recordedLoad(record).has_value());
}

TEST(Disturbance, AnOlderRecordTellsByItsWarning) {
    auto record = quietRecord();
    record.warnings = {Message("Other programs keep 2.0 of 2 CPUs busy")};
    EXPECT_TRUE(wasDisturbed(record));
}

TEST(Disturbance, ACaseThatWaitsForItselfIsNotDisturbed) {
    auto record = quietRecord();
    record.conditions["cpu_pressure_end"] = "0.90";
    record.warnings = {Message("8 threads share 2 usable cores: expect it to be slower")};
    EXPECT_FALSE(wasDisturbed(record));
}

TEST(Disturbance, AFigureKnowsItOfEveryWindow) {
    auto record = quietRecord();
    record.conditions["cpu_pressure_end"] = "0.9";
    record.figure = Figure{};
    EXPECT_FALSE(wasDisturbed(record)) << "enough windows were quiet";
    record.figure->disturbed = true;
    record.conditions.clear();
    EXPECT_TRUE(wasDisturbed(record));
}

TEST(Disturbance, CountsCasesWithAResult) {
    RunRecord run;
    run.records = {quietRecord(), quietRecord(), quietRecord()};
    EXPECT_EQ(disturbedCount(run), 0U);
    run.records[1].conditions["cpu_pressure_start"] = "0.5";
    run.records[2].conditions["cpu_pressure_start"] = "0.5";
    run.records[2].status = Status::OutOfMemory;
    EXPECT_EQ(disturbedCount(run), 1U);
}

TEST(Disturbance, SuchCasesAreNotCompared) {
    const auto base = quietRecord();
    auto other = quietRecord();
    for (auto& seconds : other.samplesSeconds) seconds /= 2;
    EXPECT_EQ(compareAlone(base, other, {"1", "1"}).verdict, Verdict::NoEvidence) << "nothing but one visit each";
    other.conditions["cpu_pressure_end"] = "0.6";
    for (const auto& comparison : {compareAlone(base, other, {"1", "1"}), compareAlone(other, base, {"1", "1"})}) {
        EXPECT_EQ(comparison.verdict, Verdict::NotComparable);
        EXPECT_EQ(comparison.reason, Reason::Disturbed);
        EXPECT_EQ(describe(comparison), "other programs used the CPU during the measurement");
    }
}

TEST(PeakFraction, MoreThanTheAlgorithmCanSaveIsNone) {
    auto record = quietRecord();
    record.throughput = Throughput{1, "samples/s"};
    record.utilization = Utilization{.achievedFlops = 120, .peakFlops = 100, .fraction = 1.2};
    record.conditions[std::string(kWorkRatioCondition)] = "1.000";
    EXPECT_FALSE(peakFraction(record).has_value());
    EXPECT_TRUE(peakWasDisturbed(record));
    record.conditions[std::string(kWorkRatioCondition)] = "2.500";
    EXPECT_DOUBLE_EQ(peakFraction(record).value().fraction, 1.2);
    EXPECT_FALSE(peakWasDisturbed(record));
    record.utilization->fraction = 4.03;
    EXPECT_FALSE(peakFraction(record).has_value());
    // Measured at slightly different times, they may differ a little.
    record.conditions[std::string(kWorkRatioCondition)] = "1.000";
    record.utilization->fraction = 1.01;
    EXPECT_DOUBLE_EQ(peakFraction(record).value().fraction, 1);
    record.utilization->fraction = 0.7;
    EXPECT_DOUBLE_EQ(peakFraction(record).value().fraction, 0.7);
}

TEST(PeakFraction, AnOlderRecordIsJudgedByItsLoad) {
    auto record = quietRecord();
    record.throughput = Throughput{1, "samples/s"};
    record.utilization = Utilization{.achievedFlops = 250, .peakFlops = 100, .fraction = 2.5};
    EXPECT_TRUE(peakFraction(record).has_value()) << "it may have been Winograd's algorithm";
    record.conditions["cpu_pressure_end"] = "0.9";
    EXPECT_FALSE(peakFraction(record).has_value());
    record = quietRecord();
    record.utilization = Utilization{.achievedFlops = 500, .peakFlops = 100, .fraction = 5};
    EXPECT_FALSE(peakFraction(record).has_value()) << "no algorithm saves so much";
}

double workRatioOf(const char* id, plan::Mode mode) {
    const auto* workload = model::findWorkload(id).value();
    const auto graph = workload->build().value();
    return workRatio(plan::lower(graph, {mode, 4, plan::Precision::Fp32, workload->optimizer}).value());
}

TEST(WorkRatio, IsOneWithoutConvolutionsOfThatKind) {
    EXPECT_DOUBLE_EQ(workRatioOf("mnist_mlp", plan::Mode::Train), 1);
    EXPECT_DOUBLE_EQ(workRatioOf("lstm_ptb", plan::Mode::Infer), 1);
    const double resnet = workRatioOf("resnet50", plan::Mode::Train);
    EXPECT_GT(resnet, 1.2);
    EXPECT_LT(resnet, 4);
    const double vgg = workRatioOf("vgg16", plan::Mode::Infer);
    EXPECT_GT(vgg, 3.5) << "nearly all of it is 3x3";
    EXPECT_LT(vgg, 4);
}

}  // namespace
}  // namespace steelyard::bench

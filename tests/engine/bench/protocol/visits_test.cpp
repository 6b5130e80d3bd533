// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/visits.h"

#include <gtest/gtest.h>

#include "engine/bench/compare/run_comparison.h"
#include "tests/engine/bench/compare/compare_alone.h"

namespace steelyard::bench {
namespace {

// One visit of two windows with two samples each.
CaseRecord visited(std::vector<double> samples, std::optional<double> roundTrip = {}, double others = 0) {
    CaseRecord record;
    record.spec = {.workload = "mnist_mlp", .mode = plan::Mode::Train, .device = "cpu", .batch = 8};
    record.status = Status::Ok;
    record.samplesSeconds = std::move(samples);
    MachineReading reading;
    reading.slowestRoundTripSeconds = roundTrip;
    reading.otherCpus = others;
    const SamplingWindow window{.samples = 2, .before = reading, .after = reading};
    record.visits = {{.startedUnixMs = 5, .windows = {window, window}}};
    return record;
}

TEST(Visits, BecomeOneRecordWithAnInterval) {
    auto record = visited({1.0, 1.0, 1.0, 1.0});
    applyFigure(record, 2, {});
    EXPECT_EQ(record.stepSeconds->median, 1.0);
    EXPECT_FALSE(record.stepSeconds->ci95Low);
    addVisit(record, visited({1.1, 1.1, 1.1, 1.1}));
    addVisit(record, visited({1.2, 1.2, 1.2, 1.2}));
    applyFigure(record, 2, {});
    EXPECT_EQ(record.samplesSeconds.size(), 12U);
    EXPECT_EQ(record.visits.size(), 3U);
    EXPECT_DOUBLE_EQ(record.stepSeconds->median, 1.1);
    EXPECT_LT(*record.stepSeconds->ci95Low, 1.0);
    EXPECT_GT(*record.stepSeconds->ci95High, 1.2);
    EXPECT_EQ(record.stepSeconds->n, 12);
}

TEST(Visits, RatesFollowTheFigure) {
    auto record = visited({1.0, 1.0, 1.0, 1.0});
    applyFigure(record, 2, {});
    record.throughput = Throughput{100, "samples/s"};
    record.utilization = Utilization{1e9, 2e9, 0.5, 4e9, 8e9};
    record.energyJoulesPerStep = 10;
    addVisit(record, visited({3.0, 3.0, 3.0, 3.0}));  // the mean step is now 2 s
    applyFigure(record, 2, {});
    EXPECT_DOUBLE_EQ(record.throughput->value, 50);
    EXPECT_DOUBLE_EQ(record.utilization->achievedFlops, 0.5e9);
    EXPECT_DOUBLE_EQ(*record.utilization->fraction, 0.25);
    EXPECT_DOUBLE_EQ(*record.utilization->achievedBytes, 2e9);
    EXPECT_DOUBLE_EQ(*record.energyJoulesPerStep, 20);
    EXPECT_EQ(record.utilization->peakFlops, 2e9);
}

// Two windows, whose readings before, between and after the samples are given.
CaseRecord withReadings(std::vector<double> samples, double before, double between, double after, double others = 0) {
    auto record = visited(std::move(samples), {}, others);
    auto& windows = record.visits.front().windows;
    windows[0].before.weightBandwidth = before;
    windows[0].after.weightBandwidth = windows[1].before.weightBandwidth = between;
    windows[1].after.weightBandwidth = after;
    return record;
}

TEST(Visits, TheBandwidthIsThatOfTheCountedWindows) {
    auto record = withReadings({1.0, 1.0, 3.0, 3.0}, 10, 20, 40);
    applyFigure(record, 2, {});
    EXPECT_FALSE(record.utilization);
    record.utilization = Utilization{1e9, 2e9, 0.5, 4, 8};
    ASSERT_TRUE(applyWeightBandwidth(record, 2));
    EXPECT_DOUBLE_EQ(*record.utilization->peakBytes, (2 * 15 + 6 * 30) / 8.0);  // by time, not by window
    EXPECT_EQ(record.conditions.at("read_bandwidth_ratio"), "0.25");
    addVisit(record, withReadings({1.0, 1.0, 1.0, 1.0}, 60, 80, 80));
    addVisit(record, withReadings({1.0, 1.0, 1.0, 1.0}, 900, 900, 900, 0.9));  // disturbed
    applyFigure(record, 2, {});
    EXPECT_DOUBLE_EQ(*record.utilization->peakBytes, (2 * 15 + 6 * 30 + 2 * 70 + 2 * 80) / 12.0);
    EXPECT_EQ(record.conditions.at("read_bandwidth_ratio"), "0.12");
}

TEST(Visits, WithoutAReadingTheBandwidthStays) {
    auto record = withReadings({1.0, 1.0, 1.0, 1.0}, 10, 20, 40);
    record.visits.front().windows.back().after.weightBandwidth.reset();
    record.utilization = Utilization{1e9, 2e9, 0.5, 4, 8};
    EXPECT_FALSE(applyWeightBandwidth(record, 2));
    EXPECT_EQ(record.utilization->peakBytes, 8);
    EXPECT_TRUE(record.conditions.empty());
}

TEST(Visits, ADisturbedOneDoesNotMoveTheFigure) {
    auto record = visited({1.0, 1.0, 1.0, 1.0});
    addVisit(record, visited({5.0, 5.0, 5.0, 5.0}, {}, 0.9));
    addVisit(record, visited({1.0, 1.0, 1.0, 1.0}));
    applyFigure(record, 2, {});
    EXPECT_EQ(record.stepSeconds->median, 1.0);
    EXPECT_EQ(record.stepSeconds->n, 8);
    EXPECT_FALSE(record.figure->disturbed);
    EXPECT_EQ(record.figure->disturbedWindows, 2);
    auto busy = visited({5.0, 5.0, 5.0, 5.0}, {}, 0.9);
    applyFigure(busy, 2, {});
    EXPECT_TRUE(busy.figure->disturbed);
    EXPECT_TRUE(visitVariances(std::vector{busy}).empty());
    EXPECT_EQ(visitVariances(std::vector{record}).size(), 1U);
}

TEST(Visits, AFailedOneIsAWarning) {
    auto record = visited({1.0, 1.0, 1.0, 1.0});
    CaseRecord failed;
    failed.status = Status::Crashed;
    failed.reason = Message("killed");
    addVisit(record, failed);
    EXPECT_EQ(record.visits.size(), 1U);
    ASSERT_EQ(record.warnings.size(), 1U);
    EXPECT_NE(record.warnings[0].text.find("killed"), std::string::npos);
}

TEST(Visits, RecordsOfEarlierVersionsStayAsTheyAre) {
    CaseRecord old;
    old.samplesSeconds = {1.0, 1.0};
    old.stepSeconds = Summary{.median = 7};
    applyFigure(old, 2, {});
    EXPECT_EQ(old.stepSeconds->median, 7);
    EXPECT_FALSE(old.figure);
}

// Comparing runs -----------------------------------------------------------------------------------------------------

RunRecord runOf(double factor, double roundTrip, double arithmetic = 1e11) {
    RunRecord run;
    for (int c = 0; c < 6; ++c) {
        CaseRecord record;
        for (const double visit : {1.0, 1.004, 0.997}) {
            const double seconds = factor * visit * (1 + c);
            auto one = visited({seconds, seconds, seconds, seconds}, roundTrip);
            for (auto& window : one.visits[0].windows)
                window.before.arithmeticRate = window.after.arithmeticRate = arithmetic;
            if (record.visits.empty())
                record = one;
            else
                addVisit(record, one);
        }
        record.spec.batch = 1 + c;
        applyFigure(record, 2, {});
        run.records.push_back(record);
    }
    return run;
}

TEST(CompareRuns, OfOneMachineWithinItsNoise) {
    for (const auto& pair : compareRuns(runOf(1, 50e-9), runOf(1.001, 52e-9))) {
        EXPECT_EQ(pair.comparison.verdict, Verdict::NoEvidence);
        EXPECT_EQ(pair.comparison.reason, Reason::SameWithinNoise);
    }
}

TEST(CompareRuns, OneCaseThatBecameSlower) {
    auto other = runOf(1, 50e-9);
    for (auto& sample : other.records[3].samplesSeconds) sample *= 1.1;
    applyFigure(other.records[3], 2, {});
    const auto pairs = compareRuns(runOf(1, 50e-9), other);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        EXPECT_EQ(pairs[i].comparison.verdict, i == 3 ? Verdict::Slower : Verdict::NoEvidence) << i;
    EXPECT_NEAR(*pairs[3].comparison.ratio, 1.1, 1e-9);
    EXPECT_FALSE(machineShiftOf(pairs));
}

TEST(CompareRuns, FewCasesDoNotShowWhetherTheWholeMachineMoved) {
    const auto first = [](RunRecord run, std::size_t count) {
        run.records.resize(count);
        return run;
    };
    const auto base = runOf(1, 50e-9);
    const auto other = runOf(1.04, 50e-9);
    const auto verdict = [&](std::size_t count) {
        return compareRuns(first(base, count), first(other, count))[0].comparison.verdict;
    };
    EXPECT_EQ(verdict(kMinimumForShift), Verdict::Slower);
    EXPECT_EQ(verdict(1), Verdict::NoEvidence) << "4 % is what runs on one machine differ by";
    // Of a computer whose earlier runs hardly differed, one case is enough.
    auto steady = first(base, 1);
    steady.records[0].figure->runDeviation = 0.002;
    steady.records[0].figure->runDegrees = 12;
    EXPECT_EQ(compareRuns(steady, first(other, 1))[0].comparison.verdict, Verdict::Slower);
}

TEST(CompareRuns, NothingAcrossStates) {
    for (const auto& pair : compareRuns(runOf(1, 50e-9), runOf(1.5, 330e-9))) {
        EXPECT_EQ(pair.comparison.verdict, Verdict::NoEvidence);
        EXPECT_EQ(pair.comparison.reason, Reason::OtherState);
        EXPECT_NE(describe(pair.comparison).find("50 and 330 ns"), std::string::npos) << describe(pair.comparison);
    }
}

TEST(CompareRuns, TheWholeMachineOrTheProgram) {
    const auto base = runOf(1, 50e-9);
    const auto machine = compareRuns(base, runOf(1.12, 50e-9, 1e11 / 1.12));
    const auto shift = machineShiftOf(machine);
    ASSERT_TRUE(shift);
    EXPECT_TRUE(shift->arithmeticMoved);
    EXPECT_NE(describe(*shift).find("12 % slower"), std::string::npos);
    for (const auto& pair : machine) EXPECT_EQ(pair.comparison.reason, Reason::MachineMoved);
    const auto program = compareRuns(base, runOf(1.12, 50e-9));
    EXPECT_FALSE(machineShiftOf(program)->arithmeticMoved);
    for (const auto& pair : program) EXPECT_EQ(pair.comparison.verdict, Verdict::Slower);
}

TEST(CompareAlone, ByTheirOwnVisits) {
    const auto base = runOf(1, 50e-9).records[0];
    const auto other = runOf(1.1, 50e-9).records[0];
    EXPECT_EQ(compareAlone(base, other, {"3", "3"}).verdict, Verdict::Slower);
    auto elsewhere = runOf(1.1, 400e-9).records[0];
    EXPECT_EQ(compareAlone(base, elsewhere, {"3", "3"}).reason, Reason::OtherState);
    EXPECT_EQ(compareAlone(base, elsewhere, {"3", "3"}, Scope::AcrossDevices).verdict, Verdict::Slower);
}

}  // namespace
}  // namespace steelyard::bench

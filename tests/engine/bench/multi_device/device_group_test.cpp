// SPDX-License-Identifier: Apache-2.0
// Several devices sharing a case: names, work distribution, merging of records, and speed-up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/bench/multi_device/device_group.h"
#include "engine/bench/multi_device/gpu_sweep.h"
#include "engine/bench/multi_device/scaling_tables.h"
#include "engine/bench/suite/suite.h"

namespace steelyard::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CaseRecord measured(const std::string& device, std::int64_t batch, double seconds) {
    CaseRecord record;
    record.spec = {.workload = "resnet56", .mode = plan::Mode::Train, .device = device, .batch = batch};
    record.status = Status::Ok;
    record.stepSeconds = Summary{.median = seconds, .mean = seconds, .min = seconds, .n = 10};
    record.throughput = Throughput{static_cast<double>(batch) / seconds, "samples/s"};
    return record;
}

TEST(DeviceGroup, AreNamedByHowTheyShare) {
    EXPECT_FALSE(deviceGroup("cpu").isShared());
    const auto together = deviceGroup("cuda:0+cuda:1+cuda:3");
    EXPECT_THAT(together.ids, ElementsAre("cuda:0", "cuda:1", "cuda:3"));
    EXPECT_FALSE(together.sideBySide);
    EXPECT_TRUE(deviceGroup("cuda:0/cuda:1").sideBySide);
    for (const char* name : {"cuda:0", "cuda:0+cuda:1", "cuda:2/cuda:0"})
        EXPECT_EQ(deviceName(deviceGroup(name)), name);
}

TEST(DeviceGroup, EachHasItsPartOfTheBatchAndSamplesOfItsOwn) {
    const auto spec = measured("cuda:0+cuda:2", 64, 1).spec;
    const auto second = caseOfRank(spec, 1);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->device, "cuda:2");
    EXPECT_EQ(second->batch, 32);
    EXPECT_NE(second->seed, caseOfRank(spec, 0)->seed);
    auto odd = spec;
    odd.batch = 65;
    EXPECT_THAT(describe(caseOfRank(odd, 0).error()), HasSubstr("does not divide evenly among 2 devices"));
    auto real = spec;
    real.data = "/data";
    EXPECT_EQ(caseOfRank(real, 0).error().kind, ErrorKind::Unsupported);
}

TEST(DeviceGroup, TheirRecordsAddUp) {
    auto first = measured("cuda:0", 32, 0.5), second = measured("cuda:1", 32, 0.4);
    first.flopsPerStep = 100, second.flopsPerStep = 100;
    first.utilization = Utilization{.achievedFlops = 200, .peakFlops = 1000, .fraction = 0.2};
    second.utilization = Utilization{.achievedFlops = 250, .peakFlops = 1000, .fraction = 0.25};
    first.parallel.emplace().exchangeSeconds = 0.1;
    first.warnings = {Message("hot")}, second.warnings = {Message("hot"), Message("slow")};
    const auto spec = measured("cuda:0+cuda:1", 64, 1).spec;
    const auto merged = mergedRecord(spec, {first, second});
    EXPECT_EQ(merged.spec, spec);
    EXPECT_DOUBLE_EQ(merged.throughput->value, 64 + 80);
    EXPECT_DOUBLE_EQ(*merged.flopsPerStep, 200);
    EXPECT_DOUBLE_EQ(*merged.utilization->fraction, 450.0 / 2000);
    EXPECT_FALSE(merged.utilization->peakBytes) << "unknown is not added";
    EXPECT_THAT(merged.parallel->devices, ElementsAre("cuda:0", "cuda:1"));
    EXPECT_THAT(merged.parallel->rankStepSeconds, ElementsAre(0.5, 0.4));
    EXPECT_EQ(merged.parallel->exchangeSeconds, 0.1);
    EXPECT_THAT(merged.warnings, ElementsAre(::testing::Eq("hot"), ::testing::Eq("cuda:1: slow")));
}

TEST(ScalingTables, TellStrongWeakAndExperimentsApart) {
    std::vector<CaseRecord> records{measured("cuda:0", 128, 1.0),
                                    measured("cuda:0+cuda:1", 128, 0.625),
                                    measured("cuda:0+cuda:1", 256, 1.25),
                                    measured("cuda:0/cuda:1", 256, 1.0),
                                    measured("cpu", 128, 9.0),
                                    measured("cuda:0+cuda:1", 512, 2.0)};
    records[1].parallel.emplace().exchangeSeconds = 0.25;
    records[1].parallel->exposedSeconds = 0.125;
    records[2].parallel.emplace(ParallelUse{.exchangeSeconds = 3e-6, .computeSeconds = 6e-6, .exposedSeconds = 2e-6});
    const auto tables = scalingTables(records);
    ASSERT_EQ(tables.size(), 3U);
    EXPECT_EQ(tables[0].kind, ScalingKind::Strong);
    EXPECT_EQ(tables[0].batch, 128);
    ASSERT_EQ(tables[0].lines.size(), 2U);
    EXPECT_EQ(tables[0].lines[1].record, 1U);
    EXPECT_NEAR(tables[0].lines[1].row.speedup, 1.6, 1e-12);
    EXPECT_NEAR(tables[0].lines[1].row.efficiency, 0.8, 1e-12);
    EXPECT_NEAR(*tables[0].lines[1].row.exchangeShare, 0.4, 1e-12);
    EXPECT_NEAR(*tables[0].lines[1].row.exposedShare, 0.2, 1e-12);
    EXPECT_EQ(tables[1].kind, ScalingKind::Weak);
    EXPECT_NEAR(tables[1].lines[1].row.efficiency, 0.8, 1e-12);
    EXPECT_NEAR(*tables[1].lines[1].row.exchangeShare, 3.0 / 8, 1e-12) << "of the step by the device's clock";
    EXPECT_NEAR(*tables[1].lines[1].row.exposedShare, 2.0 / 8, 1e-12);
    EXPECT_EQ(tables[2].kind, ScalingKind::Experiments);
    EXPECT_NEAR(tables[2].lines[1].row.efficiency, 1.0, 1e-12);
    EXPECT_TRUE(scalingTables({records[0], records[4]}).empty());
}

TEST(SuiteOverGpus, HasTheThreeKindsOnEveryNumberOfGpus) {
    RunRequest request;
    request.workloads = {"resnet56"};
    request.batches = {96};
    request.gpus = {4, 1, 2, 5};
    const SuiteMachine machine{.gpus = 5};
    const auto suite = makeSuite(request, machine);
    ASSERT_TRUE(suite) << describe(suite.error());
    std::map<std::string, std::vector<std::int64_t>> batches;
    for (const auto& spec : suite->cases) {
        EXPECT_EQ(spec.mode, plan::Mode::Train);
        batches[spec.device].push_back(spec.batch);
    }
    EXPECT_THAT(batches["cuda:0"], ElementsAre(96));
    EXPECT_THAT(batches["cuda:0+cuda:1"], ::testing::UnorderedElementsAre(96, 192));
    EXPECT_THAT(batches["cuda:0/cuda:1"], ElementsAre(192));
    EXPECT_THAT(batches["cuda:0+cuda:1+cuda:2+cuda:3+cuda:4"], ElementsAre(480));
    EXPECT_THAT(suite->notes, ElementsAre(testing::Field(
                                  &Message::text, HasSubstr("a batch of 96 does not divide evenly among 5 GPUs"))));
    request.scalings = {ScalingKind::Weak};
    request.gpus = {2};
    EXPECT_EQ(makeSuite(request, machine)->cases.size(), 1U);
}

TEST(SuiteOverGpus, IsRefusedInWordsWhereThereAreTooFew) {
    RunRequest request;
    request.suite = "scaling";
    for (const int gpus : {0, 1}) {
        const auto refused = makeSuite(request, {.gpus = gpus});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
        EXPECT_THAT(describe(refused.error()),
                    HasSubstr(gpus == 0 ? "2 GPUs are required; this computer has 0 usable"
                                        : "2 GPUs are required; this computer has 1 usable"));
    }
    const auto suite = makeSuite(request, {.gpus = 6});
    ASSERT_TRUE(suite) << describe(suite.error());
    std::set<int> counts;
    for (const auto& spec : suite->cases) counts.insert(deviceGroup(spec.device).count());
    EXPECT_THAT(counts, ElementsAre(1, 2, 4, 6));
}

}  // namespace
}  // namespace steelyard::bench

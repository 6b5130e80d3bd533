// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/suite_runner.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/bench/record/record_json.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::bench {
namespace {

// A child that answers by the batch of its case: 1 gives a record, 2 dies, 3 talks nonsense, 4 sleeps.
class SuiteRunnerTest : public ::testing::Test {
protected:
    void SetUp() override {
        CaseRecord record;
        record.spec = caseOf(1);
        record.status = Status::Ok;
        Event finished{.kind = EventKind::CaseFinished};
        finished.record = record;
        Event phase{.kind = EventKind::Phase};
        phase.phase = Phase::Sampling;
        std::ofstream(m_folder / "record") << toJsonLine(phase) << "\n" << toJsonLine(finished) << "\n";
        std::ofstream script(m_folder / "child");
        script << "#!/bin/sh\norder=$(cat)\ncase \"$order\" in\n*'\"batch\":1,'*) cat '"
               << (m_folder / "record").string()
               << "';;\n*'\"batch\":2,'*) kill -9 $$;;\n*'\"batch\":3,'*) echo gibberish; exit 5;;\n*'\"batch\":4,'*) "
                  "exec sleep 30;;\nesac\n";
        script.close();
        std::filesystem::permissions(m_folder / "child", std::filesystem::perms::owner_all);
    }

    static Case caseOf(std::int64_t batch) {
        return {.workload = "mnist_mlp", .mode = plan::Mode::Infer, .device = "cpu", .batch = batch};
    }

    RunRecord runBatches(const std::vector<std::int64_t>& batches, std::size_t cancelAfter = 1000) {
        std::vector<Case> cases;
        for (auto batch : batches) cases.push_back(caseOf(batch));
        RunRecord run;
        run.id = "0123456789ab";
        const SuiteServices services{.executable = m_folder / "child",
                                     .clock = m_clock,
                                     .onEvent = [this](const Event& event) { m_events.push_back(event); },
                                     .cancelled = [&] { return m_stored >= cancelAfter; },
                                     .onRecord = [this](const CaseRecord&) { ++m_stored; }};
        runSuite(run, cases, Protocol{}, 12.5, services);
        return run;
    }

    test::TemporaryFolder m_folder;
    SystemClock m_clock;
    std::vector<Event> m_events;
    std::size_t m_stored = 0;
};

TEST_F(SuiteRunnerTest, EachCaseEndsInARecordWhateverItsChildDoes) {
    const auto run = runBatches({2, 1, 3});
    ASSERT_EQ(run.records.size(), 3U);
    EXPECT_EQ(run.records[0].status, Status::Crashed);
    EXPECT_NE(run.records[0].reason.text.find("memory"), std::string::npos);
    EXPECT_EQ(run.records[1].status, Status::Ok);
    EXPECT_EQ(run.records[2].status, Status::Crashed);
    EXPECT_NE(run.records[2].reason.text.find("code 5"), std::string::npos);
    EXPECT_TRUE(run.finishedUnixMs);
    EXPECT_EQ(m_stored, 3U);
    EXPECT_EQ(m_events.front().kind, EventKind::SuiteStarted);
    EXPECT_EQ(m_events.front().estimateSeconds, 12.5);
    EXPECT_EQ(m_events.back().status, "partial");
}

TEST_F(SuiteRunnerTest, EventsCarryTheCaseTheyBelongTo) {
    runBatches({1, 1});
    std::vector<std::int64_t> phases;
    for (const auto& event : m_events)
        if (event.kind == EventKind::Phase) phases.push_back(event.caseIndex);
    EXPECT_EQ(phases, (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(m_events.back().status, "done");
}

TEST_F(SuiteRunnerTest, CancelBetweenCasesLeavesTheRestUntouched) {
    const auto run = runBatches({1, 4, 1}, 1);
    ASSERT_EQ(run.records.size(), 1U);
    EXPECT_FALSE(run.finishedUnixMs);
    EXPECT_EQ(m_events.back().status, "cancelled");
}

TEST(ChildEnvironment, SelectsThreadsAndInstructionSet) {
    Case spec{.workload = "mnist_mlp"};
    spec.threads = 2;
    spec.isa = "avx2";
    const auto environment = childEnvironment(spec, 4);
    EXPECT_EQ(environment.at("OMP_NUM_THREADS"), "2");
    EXPECT_EQ(environment.at("ONEDNN_MAX_CPU_ISA"), "AVX2");
    EXPECT_EQ(environment.at("OPENBLAS_CORETYPE"), "Haswell");
    spec.threads.reset();
    spec.isa.reset();
    const auto open = childEnvironment(spec, 4);
    EXPECT_EQ(open.at("OMP_NUM_THREADS"), "4");
    EXPECT_FALSE(open.contains("OPENBLAS_CORETYPE"));
}

TEST(CaseSpec, RoundTrips) {
    CaseSpec order;
    order.spec = {.workload = "fcn_r", .mode = plan::Mode::Train, .device = "cpu", .batch = 64};
    order.protocol.timeCap = Seconds(3.5);
    order.protocol.precise = true;
    order.protocol.profile = true;
    order.spec.kernels = "openblas";
    order.spec.part = Part::Together;
    const auto read = caseSpecFromJson(toJson(order));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->spec, order.spec);
    EXPECT_EQ(read->protocol, order.protocol);
    EXPECT_FALSE(caseSpecFromJson("{}"));
    EXPECT_FALSE(caseSpecFromJson("not json"));
}

}  // namespace
}  // namespace steelyard::bench

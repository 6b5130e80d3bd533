// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/suite_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/resume.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::bench {
namespace {

// A child whose behaviour depends on the batch of its case: 1 returns a record, 2 dies, 3 prints garbage, 4 sleeps.
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
                                     .onRecord = [this](const CaseRecord&) { ++m_stored; },
                                     .otherCpus = [this] { return m_otherCpus; }};
        runSuite(run, cases, Protocol{}, 12.5, services);
        return run;
    }

    test::TemporaryFolder m_folder;
    SystemClock m_clock;
    std::vector<Event> m_events;
    std::size_t m_stored = 0;
    double m_otherCpus = 0;
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

// A child that returns a record with one visit of its case, or fails from its second visit on (batch 9).
class VisitsTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::ofstream script(m_folder / "child");
        script << "#!/bin/sh\norder=$(cat)\necho \"$order\" >> '" << (m_folder / "orders").string() << "'\n"
               << "case \"$order\" in\n*'\"batch\":9,'*'\"visit\":1'*) exit 5;;\n"
               << "*'\"batch\":7,'*) cat '" << (m_folder / "record7").string() << "';;\n"
               << "*'\"batch\":8,'*) cat '" << (m_folder / "record8").string() << "';;\n"
               << "*'\"batch\":9,'*) cat '" << (m_folder / "record9").string() << "';;\nesac\n";
        script.close();
        std::filesystem::permissions(m_folder / "child", std::filesystem::perms::owner_all);
        for (const int batch : {7, 8, 9}) {
            CaseRecord record;
            record.spec = caseOf(batch);
            record.status = Status::Ok;
            record.samplesSeconds = {0.001 * batch, 0.001 * batch};
            record.visits = {{.startedUnixMs = 1, .windows = {{.samples = 2, .before = {}, .after = {}}}}};
            Event finished{.kind = EventKind::CaseFinished};
            finished.record = record;
            std::ofstream(m_folder / ("record" + std::to_string(batch))) << toJsonLine(finished) << "\n";
        }
    }

    static Case caseOf(std::int64_t batch) {
        return {.workload = "mnist_mlp", .mode = plan::Mode::Infer, .device = "cpu", .batch = batch};
    }

    void run(RunRecord& record, const std::vector<std::int64_t>& batches, int visits, int cancelAfter = 1000) {
        std::vector<Case> cases;
        for (const auto batch : batches) cases.push_back(caseOf(batch));
        Protocol protocol;
        protocol.visits = visits;
        const SuiteServices services{.executable = m_folder / "child",
                                     .clock = m_clock,
                                     .onEvent = [this](const Event& event) { m_events.push_back(event); },
                                     .cancelled = [&] { return m_stored >= cancelAfter; },
                                     .onRecord = [this](const CaseRecord&) { ++m_stored; },
                                     .timeBudget = m_timeBudget,
                                     .otherCpus = [this] { return m_otherCpus; }};
        runSuite(record, cases, protocol, std::nullopt, services);
    }

    std::vector<std::int64_t> orderOfVisits() const {
        std::vector<std::int64_t> order;
        std::ifstream file(m_folder / "orders");
        for (std::string line; std::getline(file, line);) order.push_back(caseSpecFromJson(line)->visit);
        return order;
    }
    int finishedCases() const {
        return static_cast<int>(std::count_if(m_events.begin(), m_events.end(), [](const Event& event) {
            return event.kind == EventKind::CaseFinished;
        }));
    }

    test::TemporaryFolder m_folder;
    SystemClock m_clock;
    std::vector<Event> m_events;
    int m_stored = 0;
    double m_otherCpus = 0;
    std::optional<Seconds> m_timeBudget;
};

TEST_F(VisitsTest, AreInterleavedAndMakeOneRecordACase) {
    RunRecord record;
    run(record, {7, 8}, 3);
    EXPECT_EQ(orderOfVisits(), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2}));
    ASSERT_EQ(record.records.size(), 2U);
    for (const auto& one : record.records) {
        EXPECT_EQ(one.visits.size(), 3U);
        EXPECT_EQ(one.samplesSeconds.size(), 6U);
        ASSERT_TRUE(one.figure);
        EXPECT_EQ(one.figure->main.visitSeconds.size(), 3U);
        EXPECT_EQ(one.stepSeconds->median, one.samplesSeconds.front());
    }
    EXPECT_EQ(m_stored, 6);
    EXPECT_EQ(finishedCases(), 2);
    EXPECT_EQ(m_events.front().visitCount, 3);
    EXPECT_EQ(m_events.back().status, "done");
    EXPECT_TRUE(record.finishedUnixMs);
}

TEST_F(VisitsTest, WhenTimeIsUpTheVisitsAfterTheSecondAreLeftOut) {
    m_timeBudget = Seconds(0);
    RunRecord record;
    run(record, {7, 8}, 3);
    EXPECT_EQ(orderOfVisits(), (std::vector<std::int64_t>{0, 0, 1, 1}));
    for (const auto& one : record.records) {
        ASSERT_TRUE(one.figure);
        EXPECT_EQ(one.figure->main.visitSeconds.size(), 2U);
        EXPECT_TRUE(one.figure->low && one.figure->high);
    }
    EXPECT_EQ(finishedCases(), 2) << "each once";
    EXPECT_EQ(m_events.back().status, "done");
    EXPECT_TRUE(record.finishedUnixMs);
}

TEST_F(VisitsTest, AFailedLaterVisitKeepsWhatTheFirstMeasured) {
    RunRecord record;
    run(record, {9}, 3);
    ASSERT_EQ(record.records.size(), 1U);
    EXPECT_EQ(record.records[0].status, Status::Ok);
    EXPECT_EQ(record.records[0].visits.size(), 1U);
    EXPECT_EQ(record.records[0].warnings.size(), 1U);
    EXPECT_EQ(orderOfVisits().size(), 2U) << "it is not tried again";
    EXPECT_EQ(finishedCases(), 1);
}

TEST_F(VisitsTest, OneWithSleepingThreadsOnAQuietMachineIsRepeated) {
    m_otherCpus = 1.5;
    RunRecord record;
    run(record, {7, 8}, 2);
    EXPECT_EQ(orderOfVisits(), (std::vector<std::int64_t>{0, 0, 0, 1, 1})) << "only the first one is";
    for (const auto& one : record.records) EXPECT_EQ(one.visits.size(), 2U);
}

TEST_F(VisitsTest, ACancelledRunIsContinuedWhereItWasLeft) {
    RunRecord record;
    run(record, {7, 8}, 3, 3);  // after the first visit of the second round
    EXPECT_FALSE(record.finishedUnixMs);
    ASSERT_EQ(record.records.size(), 2U);
    EXPECT_EQ(record.records[0].visits.size() + record.records[1].visits.size(), 3U);
    RunSpec order;
    order.cases = {caseOf(7), caseOf(8)};
    order.protocol.visits = 3;
    EXPECT_EQ(missingCases(order, record.records).size(), 2U);
    m_stored = 0;
    run(record, {7, 8}, 3);
    ASSERT_EQ(record.records.size(), 2U);
    EXPECT_EQ(record.records[0].visits.size(), 3U);
    EXPECT_EQ(record.records[1].visits.size(), 3U);
    EXPECT_TRUE(missingCases(order, record.records).empty());
    EXPECT_TRUE(record.finishedUnixMs);
}

TEST(ChildEnvironment, ThreadsThatWaitSleepOnABusyMachine) {
    const Case spec{.workload = "mnist_mlp"};
    EXPECT_FALSE(childEnvironment(spec, 2).contains("OMP_WAIT_POLICY"));
    EXPECT_EQ(childEnvironment(spec, 2, true).at("OMP_WAIT_POLICY"), "passive");
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
    order.protocol.visits = 7;
    order.visit = 2;
    order.spec.kernels = "openblas";
    order.spec.part = Part::Together;
    const auto read = caseSpecFromJson(toJson(order));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->spec, order.spec);
    EXPECT_EQ(read->protocol, order.protocol);
    EXPECT_EQ(read->visit, 2);
    EXPECT_FALSE(caseSpecFromJson("{}"));
    EXPECT_FALSE(caseSpecFromJson("not json"));
}

}  // namespace
}  // namespace steelyard::bench

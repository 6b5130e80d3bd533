// SPDX-License-Identifier: Apache-2.0
#include "engine/history/history_store.h"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/resume.h"
#include "engine/core/messages/history.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/visited_record.h"

namespace steelyard::history {
namespace {

using bench::Status;
using test::Optionals;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

class History : public testing::Test {
protected:
    void SetUp() override {
        auto store = HistoryStore::open(m_folder / "history.sqlite");
        ASSERT_TRUE(store) << describe(store.error());
        m_store = std::move(*store);
    }
    bench::RunRecord add(const std::string& id, std::int64_t started, const std::vector<Status>& statuses = {}) {
        bench::RunRecord run;
        run.id = id;
        run.startedUnixMs = started;
        run.computer = "here";
        run.suite = "quick";
        run.profileJson = R"({"cpu":{"cores":4}})";
        for (const auto status : statuses) {
            auto& record = run.records.emplace_back();
            record.spec.workload = "mnist_mlp";
            record.spec.batch = 128;
            record.status = status;
            if (status == Status::Ok) {
                record.samplesSeconds = {1, 2, 3};
                record.stepSeconds = bench::Summary{2, {}, {}, 2, {}, 1, {}, {}, 3};
            }
        }
        const auto begun = m_store->beginRun(run);
        EXPECT_TRUE(begun) << describe(begun.error());
        return run;
    }
    [[nodiscard]] std::vector<std::string> ids() const {
        std::vector<std::string> list;
        const auto overviews = m_store->runs();
        for (const auto& overview : *overviews) list.push_back(overview.id);
        return list;
    }
    int rows(const std::string& table) {
        SQLite::Database database((m_folder / "history.sqlite").string());
        return database.execAndGet("SELECT count(*) FROM " + table).getInt();
    }

    TemporaryFolder m_folder;
    std::unique_ptr<HistoryStore> m_store;
};

TEST_F(History, EveryFieldComesBack) {
    for (const auto optionals : {Optionals::None, Optionals::Some, Optionals::All}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            auto run = test::inventRun(seed + 100 * static_cast<std::uint64_t>(optionals), optionals, 5);
            ASSERT_TRUE(m_store->beginRun(run));
            const auto back = m_store->run(run.id);
            ASSERT_TRUE(back) << describe(back.error());
            EXPECT_EQ(*back, run) << bench::toJson(run, 2);
        }
    }
}

TEST_F(History, RecordsAreAddedInOrderAndTheRunFinished) {
    auto run = test::inventRun(1, Optionals::All, 0);
    run.finishedUnixMs.reset();
    ASSERT_TRUE(m_store->beginRun(run));
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        run.records.push_back(test::inventRecord(seed, Optionals::Some));
        ASSERT_TRUE(m_store->addRecord(run.id, run.records.back()));
        EXPECT_EQ(m_store->run(run.id), run);
    }
    run.finishedUnixMs = 5;
    ASSERT_TRUE(m_store->finishRun(run.id, 5));
    EXPECT_EQ(m_store->run(run.id), run);
}

TEST_F(History, AFileThatWasDeletedMeanwhileIsNotWrittenTo) {
    const auto run = add("aaaa", 1, {Status::Ok});
    EXPECT_FALSE(m_store->wasMoved());
    std::filesystem::remove(m_folder / "history.sqlite");
    const auto added = m_store->addRecord("aaaa", run.records.front());
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().kind, ErrorKind::IoFailed);
    EXPECT_NE(describe(added.error()).find("deleted while in use"), std::string::npos) << describe(added.error());
    EXPECT_TRUE(m_store->wasMoved());
}

TEST_F(History, FiguresThatAreNotFiniteAreUnknown) {
    auto run = add("aaaa", 1, {Status::Ok});
    auto record = run.records.front();
    record.stepSeconds->median = std::numeric_limits<double>::quiet_NaN();
    record.compileSeconds = std::numeric_limits<double>::infinity();
    record.warmUp = {3, std::numeric_limits<double>::quiet_NaN()};
    ASSERT_TRUE(m_store->addRecord("aaaa", record));
    const auto back = m_store->run("aaaa")->records.back();
    EXPECT_FALSE(back.stepSeconds);
    EXPECT_FALSE(back.compileSeconds);
    EXPECT_EQ(back.warmUp, bench::WarmUp{});
}

TEST_F(History, AnUnfinishedRunKeepsItsOrderAndCanBeReopened) {
    auto run = test::inventRun(3, test::Optionals::All, 0);
    run.id = "aaaa";
    run.origin = "measured";
    run.finishedUnixMs.reset();
    ASSERT_TRUE(m_store->beginRun(run, R"({"cases": []})"));
    auto record = test::inventRecord(1, test::Optionals::All);
    record.status = Status::Ok;
    ASSERT_TRUE(m_store->addRecord("aaaa", record));
    record.status = Status::Cancelled;
    ASSERT_TRUE(m_store->addRecord("aaaa", record));
    EXPECT_EQ(m_store->orderOf("aaaa").value(), R"({"cases": []})");
    EXPECT_TRUE(m_store->runs()->front().resumable);
    ASSERT_TRUE(m_store->reopenRun("aaaa", R"({"cases": [], "process": "2"})"));
    EXPECT_EQ(m_store->orderOf("aaaa").value(), R"({"cases": [], "process": "2"})");
    ASSERT_EQ(m_store->run("aaaa")->records.size(), 1U);
    EXPECT_EQ(m_store->run("aaaa")->records.front().status, Status::Ok);
    ASSERT_TRUE(m_store->addRecord("aaaa", record)) << "the place in the run is free again";

    ASSERT_TRUE(m_store->finishRun("aaaa", 5));
    EXPECT_FALSE(m_store->runs()->front().resumable);
    EXPECT_EQ(m_store->reopenRun("aaaa", "{}").error().kind, ErrorKind::InvalidArgument);
    add("bbbb", 7);
    EXPECT_EQ(m_store->orderOf("bbbb").value(), "");
    EXPECT_EQ(m_store->orderOf("ffff").error().kind, ErrorKind::NotFound);
}

TEST_F(History, HowARunEndedIsKnown) {
    bench::RunRecord run;
    for (const auto* id : {"aaaa", "bbbb", "cccc", "dddd"}) {
        run.id = id;
        run.startedUnixMs = run.id[0];
        const std::string process = run.id == "bbbb" ? bench::processIdentity(::getpid()) : "1:2:none";
        ASSERT_TRUE(m_store->beginRun(run, R"({"cases": [{}, {}, {}], "process": ")" + process + R"("})"));
        bench::CaseRecord record;
        record.status = Status::Ok;
        ASSERT_TRUE(m_store->addRecord(run.id, record));
        record.status = Status::Cancelled;
        ASSERT_TRUE(m_store->addRecord(run.id, record));
    }
    ASSERT_TRUE(m_store->stopRun("aaaa", 7));
    ASSERT_TRUE(m_store->finishRun("dddd", 9));
    ASSERT_TRUE(m_store->stopRun("dddd", 11));
    const auto runs = m_store->runs().value();  // newest first: dddd, cccc, bbbb, aaaa
    EXPECT_EQ(runs[3].stoppedUnixMs, 7);
    EXPECT_EQ(runs[3].plannedCount, 3);
    EXPECT_EQ(runs[3].doneCount(), 1) << "the cancelled case is not done";
    EXPECT_TRUE(runs[3].resumable);
    EXPECT_TRUE(runs[2].underWay);
    EXPECT_FALSE(runs[1].underWay || runs[1].stoppedUnixMs) << "interrupted";
    EXPECT_FALSE(runs[0].stoppedUnixMs) << "what is finished cannot be stopped";
    ASSERT_TRUE(m_store->reopenRun("aaaa", R"({"cases": [{}]})"));
    EXPECT_FALSE(m_store->runs()->back().stoppedUnixMs);
    EXPECT_EQ(m_store->runs()->back().plannedCount, 1);
}

TEST_F(History, OverviewsCountByStatusNewestFirst) {
    add("aaaa", 10, {Status::Ok, Status::Ok, Status::Failed, Status::OutOfMemory, Status::Cancelled});
    add("bbbb", 20);
    const auto overviews = m_store->runs();
    ASSERT_TRUE(overviews);
    ASSERT_THAT(ids(), ElementsAre("bbbb", "aaaa"));
    EXPECT_EQ((*overviews)[1].caseCount, 5);
    EXPECT_EQ((*overviews)[1].okCount, 2);
    EXPECT_EQ((*overviews)[1].failedCount, 2);
    EXPECT_EQ((*overviews)[1].suite, "quick");
    EXPECT_EQ((*overviews)[0].caseCount, 0);
    EXPECT_EQ((*overviews)[0].finishedUnixMs, std::nullopt);
}

TEST_F(History, RunsAreFoundByIdBeginningOrLatest) {
    add("abcd01", 30);
    add("abff02", 10);
    add("abcd", 20);
    EXPECT_EQ(m_store->run("abcd01")->id, "abcd01");
    EXPECT_EQ(m_store->run("abf")->id, "abff02");
    EXPECT_EQ(m_store->run("abcd")->id, "abcd") << "an id that others begin with is still an id";
    EXPECT_EQ(m_store->run("latest")->id, "abcd01");
    EXPECT_EQ(m_store->run("ab").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(m_store->run("ffff").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(m_store->run("").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(m_store->run("%").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(m_store->addRecord("ffff", {}).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(m_store->finishRun("ffff", 1).error().kind, ErrorKind::NotFound);
}

TEST_F(History, EveryRunIsVisitedOldestFirst) {
    add("one", 300, {Status::Ok});
    add("two", 100, {Status::Ok});
    add("three", 200, {Status::Ok});
    ASSERT_TRUE(m_store->remove("three"));
    std::vector<std::string> visited;
    const auto visit = [&](const bench::RunRecord& run) {
        EXPECT_EQ(run.records.size(), 1U);
        visited.push_back(run.id);
    };
    EXPECT_TRUE(m_store->forEachRun(visit));
    EXPECT_EQ(visited, (std::vector<std::string>{"two", "one"}));
    SQLite::Database((m_folder / "history.sqlite").string(), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE samples SET crc32 = crc32 + 1 WHERE case_key IN (SELECT cases.key FROM cases JOIN runs ON "
            "run_key = runs.key WHERE id = 'two')");
    visited.clear();
    const auto result = m_store->forEachRun(visit);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(visited, std::vector<std::string>{"one"});  // the others are visited nevertheless
    visited.clear();
    EXPECT_TRUE(m_store->forEachRun(visit, Detail::Summaries)) << "damaged samples are not read";
    EXPECT_EQ(visited, (std::vector<std::string>{"two", "one"}));
}

TEST_F(History, SummariesAreWithoutSamplesAndSensors) {
    auto run = test::inventRun(7, test::Optionals::All);
    run.records.front().samplesSeconds = {1, 2, 3};
    run.records.front().sensors.resize(2);
    ASSERT_TRUE(m_store->beginRun(run));
    auto expected = m_store->run(run.id).value();
    EXPECT_EQ(expected.records.front().samplesSeconds.size(), 3U);
    EXPECT_EQ(expected.records.front().sensors.size(), 2U);
    for (auto& record : expected.records) {
        record.samplesSeconds.clear();
        record.sensors.clear();
    }
    EXPECT_EQ(m_store->run(run.id, Detail::Summaries).value(), expected);
}

TEST_F(History, TheStateOfTheFileTellsWhetherSomethingWasWritten) {
    const auto file = m_folder / "history.sqlite";
    add("one", 300, {Status::Ok});
    const auto before = stateOf(file);
    ASSERT_TRUE(m_store->runs());
    { const auto reader = HistoryStore::open(file); }
    EXPECT_EQ(stateOf(file), before) << "reading writes nothing";
    ASSERT_TRUE(m_store->setNote("one", "changed"));
    EXPECT_NE(stateOf(file), before);
    EXPECT_EQ(stateOf(m_folder / "none.sqlite"), FileState{});
}

TEST_F(History, LatestOfNothingIsNotFound) {
    EXPECT_EQ(m_store->run("latest").error().kind, ErrorKind::NotFound);
}

TEST_F(History, IdsMustBeNewAndUsable) {
    const auto run = add("aaaa", 1, {Status::Ok});
    EXPECT_EQ(m_store->beginRun(run).error().kind, ErrorKind::InvalidArgument);
    ASSERT_TRUE(m_store->remove("aaaa"));
    EXPECT_EQ(m_store->beginRun(run).error().kind, ErrorKind::InvalidArgument);
    for (const auto* id : {"", "latest"}) {
        auto other = run;
        other.id = id;
        EXPECT_EQ(m_store->beginRun(other).error().kind, ErrorKind::InvalidArgument);
    }
    auto other = run;
    other.id = "bbbb";
    other.origin = "elsewhere";
    EXPECT_EQ(m_store->beginRun(other).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(rows("runs"), 1);
    EXPECT_EQ(rows("cases"), 1);
}

TEST_F(History, ProfilesAreKeptOnce) {
    add("aaaa", 1);
    add("bbbb", 2);
    auto run = test::inventRun(9, Optionals::None, 0);
    run.profileJson = R"({"cpu":{"cores":8}})";
    ASSERT_TRUE(m_store->beginRun(run));
    EXPECT_EQ(rows("profiles"), 2);
    ASSERT_TRUE(m_store->remove("aaaa"));
    ASSERT_TRUE(m_store->purgeDeleted());
    EXPECT_EQ(rows("profiles"), 2);
    ASSERT_TRUE(m_store->remove("bbbb"));
    ASSERT_TRUE(m_store->purgeDeleted());
    EXPECT_EQ(rows("profiles"), 1);
    EXPECT_EQ(m_store->run(run.id)->profileJson, run.profileJson);
}

TEST_F(History, NotesAreKept) {
    add("aaaa", 1);
    ASSERT_TRUE(m_store->setNote("aaaa", "after \"cleaning\"; DROP TABLE runs"));
    EXPECT_EQ(m_store->run("aaaa")->note, "after \"cleaning\"; DROP TABLE runs");
    EXPECT_EQ((*m_store->runs())[0].note, "after \"cleaning\"; DROP TABLE runs");
    EXPECT_EQ(m_store->setNote("bbbb", "x").error().kind, ErrorKind::NotFound);
}

TEST_F(History, DeletionCanBeTakenBackUntilItIsPurged) {
    const auto run = add("aaaa", 1, {Status::Ok});
    ASSERT_TRUE(m_store->remove("aaaa"));
    EXPECT_THAT(ids(), IsEmpty());
    EXPECT_EQ(m_store->run("aaaa").error().kind, ErrorKind::NotFound);
    EXPECT_THAT(*m_store->trend(bench::caseHash(run.records[0].spec), ""), IsEmpty());
    EXPECT_THAT(*m_store->cases({}), IsEmpty());
    EXPECT_EQ(m_store->remove("aaaa").error().kind, ErrorKind::NotFound);
    ASSERT_TRUE(m_store->restore("aaaa"));
    EXPECT_EQ(m_store->run("aaaa"), run);
    EXPECT_EQ(m_store->restore("aaaa").error().kind, ErrorKind::NotFound);

    ASSERT_TRUE(m_store->remove("aaaa"));
    ASSERT_TRUE(m_store->purgeDeleted());
    EXPECT_EQ(m_store->restore("aaaa").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(rows("cases"), 0);
    EXPECT_EQ(rows("samples"), 0);
}

TEST_F(History, ARunThatIsDeletedWhileItIsMeasuredGoesOn) {
    auto run = add("aaaa", 1, {Status::Ok});
    ASSERT_TRUE(m_store->remove("aaaa"));
    ASSERT_TRUE(m_store->addRecord("aaaa", run.records.front()));
    ASSERT_TRUE(m_store->finishRun("aaaa", 7));
    ASSERT_TRUE(m_store->restore("aaaa"));
    EXPECT_EQ(m_store->run("aaaa")->records.size(), 2U);
    EXPECT_EQ(m_store->run("aaaa")->finishedUnixMs, 7);
}

TEST_F(History, TrendsAreOfOneCaseOldestFirst) {
    const auto hash = bench::caseHash(add("aaaa", 20, {Status::Ok}).records[0].spec);
    add("bbbb", 10, {Status::Ok, Status::Failed});
    auto elsewhere = add("cccc", 30);
    auto record = m_store->run("aaaa")->records[0];
    record.spec.batch = 1;
    ASSERT_TRUE(m_store->addRecord("cccc", record));
    const auto points = m_store->trend(hash, "here");
    ASSERT_EQ(points->size(), 2U);
    EXPECT_EQ((*points)[0].runId, "bbbb");
    EXPECT_EQ((*points)[1].runId, "aaaa");
    EXPECT_EQ((*points)[1].medianSeconds, 2);
    EXPECT_EQ((*points)[1].ci95Low, std::nullopt);
    EXPECT_THAT(*m_store->trend(hash, "there"), IsEmpty());
    EXPECT_EQ(m_store->trend(hash, "")->size(), 2U);
}

TEST_F(History, AListedCaseKeepsItsReasonAsAMessage) {
    bench::RunRecord run;
    run.id = "aaaa";
    auto& record = run.records.emplace_back();
    record.spec.workload = "mnist_mlp";
    record.status = Status::Failed;
    record.reason = messages::runUnderWay("bbbb");
    ASSERT_TRUE(m_store->beginRun(run));
    const auto all = m_store->cases({});
    ASSERT_TRUE(all) << describe(all.error());
    ASSERT_EQ(all->size(), 1U);
    EXPECT_EQ(all->front().reason, record.reason);
}

TEST_F(History, FurtherVisitsReplaceTheRecordOfACase) {
    auto run = add("aaaa", 10, {Status::Ok, Status::Failed});
    auto visited = run.records[0];
    visited.samplesSeconds = {1, 1, 1};
    test::splitIntoVisits(visited, true);
    ASSERT_TRUE(m_store->putRecord("aaaa", visited));
    auto back = m_store->run("aaaa");
    ASSERT_EQ(back->records.size(), 2U);
    EXPECT_EQ(back->records[0].visits, visited.visits);
    EXPECT_EQ(back->records[0].figure, visited.figure);
    EXPECT_EQ(back->records[1].status, Status::Failed) << "the order stays";
    auto another = visited;
    another.spec.batch = 77;
    ASSERT_TRUE(m_store->putRecord("aaaa", another));
    EXPECT_EQ(m_store->run("aaaa")->records.size(), 3U);
    EXPECT_EQ(m_store->runs()->front().disturbedCount, 2);
    test::splitIntoVisits(another);
    ASSERT_TRUE(m_store->putRecord("aaaa", another));
    EXPECT_EQ(m_store->runs()->front().disturbedCount, 1);
    EXPECT_EQ(m_store->runs()->front().okCount, 2);
}

TEST_F(History, TrendPointsSayWhatTheyAreWorth) {
    auto run = add("aaaa", 10, {Status::Ok});
    auto record = run.records[0];
    record.samplesSeconds = {1, 1.1, 0.9};
    test::splitIntoVisits(record);
    record.figure->main.roundTripSeconds = 50e-9;
    ASSERT_TRUE(m_store->putRecord("aaaa", record));
    const auto points = m_store->trend(bench::caseHash(record.spec), "here");
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 1U);
    EXPECT_EQ(points->front().ci95Low, record.figure->low);
    EXPECT_TRUE(points->front().ci95Low);
    EXPECT_EQ(points->front().roundTripSeconds, 50e-9);
    EXPECT_FALSE(points->front().disturbed);
    test::splitIntoVisits(record, true);
    ASSERT_TRUE(m_store->putRecord("aaaa", record));
    EXPECT_TRUE(m_store->trend(bench::caseHash(record.spec), "here")->front().disturbed);
}

TEST_F(History, SpreadBetweenRunsIsOfOneComputer) {
    for (int i = 0; i < 4; ++i) {
        auto run = add(fmt::format("aaa{}", i), 10 + i, {Status::Ok});
        auto record = run.records[0];
        record.stepSeconds->median = i % 2 == 0 ? 1.0 : 1.02;
        ASSERT_TRUE(m_store->putRecord(run.id, record));
    }
    const auto spread = m_store->spreadBetweenRuns("here");
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->degrees, 3);
    EXPECT_NEAR(std::sqrt(spread->value), 0.0114, 1e-3);
    EXPECT_EQ(m_store->spreadBetweenRuns("there")->degrees, 0);
}

TEST_F(History, CasesAreListedByFilter) {
    add("aaaa", 10, {Status::Ok, Status::Failed});
    add("bbbb", 20, {Status::Ok});
    const auto all = m_store->cases({});
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 3U);
    EXPECT_EQ((*all)[0].runId, "bbbb");
    EXPECT_EQ((*all)[2].position, 1);
    EXPECT_EQ((*all)[0].medianSeconds, 2);
    EXPECT_EQ((*all)[0].hash, bench::caseHash((*all)[0].spec));
    EXPECT_EQ((*all)[2].medianSeconds, std::nullopt);
    CaseFilter filter;
    filter.runId = "aa";
    EXPECT_EQ(m_store->cases(filter)->size(), 2U);
    filter.status = Status::Failed;
    EXPECT_EQ(m_store->cases(filter)->size(), 1U);
    filter.computer = "there";
    EXPECT_EQ(m_store->cases(filter)->size(), 0U);
    filter = {};
    filter.workload = "mnist_mlp";
    filter.hash = (*all)[0].hash;
    EXPECT_EQ(m_store->cases(filter)->size(), 3U);
    filter.runId = "ffff";
    EXPECT_EQ(m_store->cases(filter).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace steelyard::history

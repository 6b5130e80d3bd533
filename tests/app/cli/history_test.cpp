// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/bench/run/resume.h"
#include "engine/history/history_store.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/visited_record.h"

namespace steelyard::cli {
namespace {

class HistoryCommandTest : public CliTest {
protected:
    std::string database() const { return (m_folder / "history.sqlite").string(); }

    void storeRun(const std::string& id, double scale, std::int64_t started = 1'700'000'000'000,
                  std::size_t cases = 1) {
        auto store = history::HistoryStore::open(database());
        ASSERT_TRUE(store) << describe(store.error());
        bench::RunRecord run;
        run.id = id;
        run.suite = "quick";
        run.suiteVersion = "1";
        run.computer = "test computer";
        run.startedUnixMs = started;
        run.finishedUnixMs = started + 60'000;
        bench::CaseRecord record;
        record.spec = {.workload = "mnist_mlp", .mode = plan::Mode::Infer, .batch = 8};
        record.status = bench::Status::Ok;
        for (int i = 0; i < 20; ++i) record.samplesSeconds.push_back(scale * (1e-3 + 1e-6 * i));
        record.stepSeconds = bench::Summary{.median = scale * 1.01e-3,
                                            .ci95Low = scale * 1.005e-3,
                                            .ci95High = scale * 1.015e-3,
                                            .mean = scale * 1.01e-3,
                                            .min = scale * 1e-3,
                                            .n = 20};
        test::splitIntoVisits(record);
        run.records.assign(cases, record);
        ASSERT_TRUE((*store)->beginRun(run));
    }
};

TEST_F(HistoryCommandTest, EmptyHistorySaysWhatToDo) {
    const auto outcome = call({"history", "list"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("run --suite quick"), std::string::npos);
}

TEST_F(HistoryCommandTest, AMistypedFileIsNotCreated) {
    const auto file = m_folder / "mistyped" / "history.sqlite";
    EXPECT_EQ(call({"history", "list", "--db", file.string()}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

TEST_F(HistoryCommandTest, ComparesExportsImportsAndDeletes) {
    storeRun("aaaaaaaaaaaa", 1.0);
    storeRun("bbbbbbbbbbbb", 0.5);
    const auto compared = call({"history", "compare", "aaaaaaaaaaaa", "bbbbbbbbbbbb", "--db", database(), "--json"});
    ASSERT_EQ(compared.code, 0) << compared.err;
    ASSERT_EQ(compared.json()["cases"].size(), 1U);
    EXPECT_EQ(compared.json()["cases"][0]["verdict"], "faster");
    const auto row = compared.json()["cases"][0];
    EXPECT_NEAR(row["ratio"].get<double>(), 0.5, 0.01);
    EXPECT_NEAR(row["compared"]["b_seconds"].get<double>(), 0.5 * row["compared"]["a_seconds"].get<double>(), 1e-5);
    EXPECT_EQ(row["compared"]["in_another_state"], false);

    const auto file = (m_folder / "runs.json").string();
    EXPECT_EQ(call({"history", "export", "aaaaaaaaaaaa", "-o", file, "--db", database()}).code, 0);
    EXPECT_EQ(call({"history", "delete", "aaaaaaaaaaaa", "--db", database()}).code, 0);
    EXPECT_EQ(call({"history", "list", "--db", database(), "--json"}).json()["runs"].size(), 1U);
    const auto other = (m_folder / "other.sqlite").string();
    EXPECT_EQ(call({"history", "import", file, "--db", other}).code, 0);
    EXPECT_EQ(call({"history", "show", "aaaa", "--db", other, "--json"}).json()["origin"], "imported");
    EXPECT_EQ(call({"history", "note", "aaaa", "warm day", "--db", other}).code, 0);
    EXPECT_EQ(call({"history", "list", "--db", other, "--json"}).json()["runs"][0]["note"], "warm day");
}

TEST_F(HistoryCommandTest, ComparingFailsOnRequestWhenACaseIsSlower) {
    storeRun("aaaaaaaaaaaa", 1.0);
    storeRun("bbbbbbbbbbbb", 2.0);
    const auto compare = [&](const char* base, const char* other, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"history", "compare", base, other, "--db", database()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return call(arguments).code;
    };
    EXPECT_EQ(compare("aaaaaaaaaaaa", "bbbbbbbbbbbb", {"--fail-on", "slower"}), 4);
    EXPECT_EQ(compare("bbbbbbbbbbbb", "aaaaaaaaaaaa", {"--fail-on", "slower"}), 0);
    EXPECT_EQ(compare("aaaaaaaaaaaa", "bbbbbbbbbbbb", {}), 0);
    EXPECT_EQ(compare("aaaaaaaaaaaa", "bbbbbbbbbbbb", {"--fail-on", "faster"}), 2) << "no such verdict to fail on";
}

TEST_F(HistoryCommandTest, WhatIsNoHistoryIsRefusedAndLeftAlone) {
    const std::string text(5000, 'x');
    std::ofstream(database()) << text;
    const auto outcome = call({"history", "list", "--db", database()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("history.sqlite"), std::string::npos) << outcome.err;
    std::ifstream stream(database());
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
}

TEST_F(HistoryCommandTest, UnknownRunAndBadImportChangeNothing) {
    storeRun("aaaaaaaaaaaa", 1.0);
    EXPECT_EQ(call({"history", "show", "ffff", "--db", database()}).code, 2);
    const auto file = m_folder / "broken.json";
    std::ofstream(file) << "{\"format\": \"steelyard-results\", \"version\": 1, \"runs\": [{";
    const auto outcome = call({"history", "import", file.string(), "--db", database()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("broken.json"), std::string::npos) << outcome.err;
    EXPECT_EQ(call({"history", "list", "--db", database(), "--json"}).json()["runs"].size(), 1U);
}

// Ten runs, one a day from 2026-01-01; the second has a note.
class PruneCommandTest : public HistoryCommandTest {
protected:
    void SetUp() override {
        for (int day = 0; day < 10; ++day)
            storeRun(std::string(11, 'a') + std::to_string(day), 1.0, 1'767'225'600'000 + 86'400'000LL * day, 10);
        ASSERT_EQ(call({"history", "note", "aaaaaaaaaaa1", "the old fan", "--db", database()}).code, 0);
    }
    std::size_t runCount() { return call({"history", "list", "--db", database(), "--json"}).json()["runs"].size(); }
};

TEST_F(PruneCommandTest, KeepsTheNewestAndThoseWithNotes) {
    const auto outcome = call({"history", "prune", "--keep", "3", "--db", database(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(outcome.json()["pruned"].size(), 6U);
    EXPECT_EQ(outcome.json()["pruned"][0]["id"], "aaaaaaaaaaa6") << "the newest first";
    EXPECT_EQ(outcome.json()["dry_run"], false);
    EXPECT_GT(outcome.json()["bytes_before"].get<std::int64_t>(), 0);
    EXPECT_LE(outcome.json()["bytes_after"], outcome.json()["bytes_before"]);
    EXPECT_NE(outcome.err.find("deleted 6 runs; size of the history: "), std::string::npos) << outcome.err;
    EXPECT_EQ(runCount(), 4U);
    EXPECT_EQ(call({"history", "show", "aaaaaaaaaaa1", "--db", database()}).code, 0);
    EXPECT_EQ(call({"history", "show", "aaaaaaaaaaa0", "--db", database()}).code, 2);
}

TEST_F(PruneCommandTest, DeletesWhatIsOlderThanADayOrListsIt) {
    const std::vector<std::string> dry{"history", "prune", "--before", "2026-01-04", "--dry-run", "--db", database()};
    const auto listed = call(dry);
    ASSERT_EQ(listed.code, 0) << listed.err;
    EXPECT_NE(listed.out.find("aaaaaaaaaaa0"), std::string::npos) << listed.out;
    EXPECT_NE(listed.out.find("aaaaaaaaaaa2"), std::string::npos) << listed.out;
    EXPECT_EQ(listed.out.find("aaaaaaaaaaa3"), std::string::npos) << "it started on that very midnight";
    EXPECT_NE(listed.err.find("would delete 2 runs"), std::string::npos) << listed.err;
    EXPECT_EQ(runCount(), 10U);
    EXPECT_EQ(call({"history", "prune", "--before", "2026-01-04", "--keep", "8", "--db", database()}).code, 0);
    EXPECT_EQ(runCount(), 9U) << "with both, both must hold";
}

TEST_F(PruneCommandTest, NothingToDeleteIsDone) {
    const auto outcome = call({"history", "prune", "--keep", "50", "--db", database(), "--json"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.json()["pruned"].empty());
    EXPECT_TRUE(outcome.json()["bytes_after"].is_null());
    EXPECT_EQ(runCount(), 10U);
}

TEST_F(PruneCommandTest, WrongUsageDeletesNothing) {
    using Arguments = std::vector<std::string>;
    for (auto wrong :
         {Arguments{}, Arguments{"--keep", "-1"}, Arguments{"--keep", "few"}, Arguments{"--keep", "1.5"},
          Arguments{"--before", "2026-02-30"}, Arguments{"--before", "yesterday"}, Arguments{"--dry-run"}}) {
        wrong.insert(wrong.begin(), {"history", "prune", "--db", database()});
        const auto outcome = call(wrong);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_FALSE(outcome.err.empty());
    }
    EXPECT_EQ(runCount(), 10U);
    EXPECT_EQ(call({"history", "prune", "--db", (m_folder / "none.sqlite").string()}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "none.sqlite"));
}

TEST_F(PruneCommandTest, CompactGivesTheSpaceOfDeletedRunsBack) {
    for (int day = 0; day < 9; ++day)
        ASSERT_EQ(call({"history", "delete", std::string(11, 'a') + std::to_string(day), "--db", database()}).code, 0);
    const auto outcome = call({"history", "compact", "--db", database(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_LT(outcome.json()["bytes_after"], outcome.json()["bytes_before"]);
    EXPECT_EQ(outcome.json()["bytes_after"], std::filesystem::file_size(database()));
    EXPECT_EQ(runCount(), 1U);
    const auto told = call({"history", "compact", "--db", database()});
    EXPECT_NE(told.out.find(" KiB before, "), std::string::npos) << told.out;
}

TEST_F(PruneCommandTest, WhileARunIsUnderWaySpaceIsNotGivenBack) {
    {
        auto store = history::HistoryStore::open(database()).value();
        bench::RunRecord run;
        run.id = "bbbbbbbbbbbb";
        run.startedUnixMs = 1;  // the oldest
        const auto order = R"({"cases": [{}], "process": ")" + bench::processIdentity(::getpid()) + "\"}";
        ASSERT_TRUE(store->beginRun(run, order));
    }
    const auto compacted = call({"history", "compact", "--db", database()});
    EXPECT_EQ(compacted.code, 2);
    EXPECT_NE(compacted.err.find("run bbbbbbbbbbbb is in progress"), std::string::npos) << compacted.err;
    const auto pruned = call({"history", "prune", "--keep", "1", "--db", database(), "--json"});
    EXPECT_EQ(pruned.code, 1) << "deleted, but not smaller";
    EXPECT_EQ(pruned.json()["pruned"].size(), 8U);
    EXPECT_TRUE(pruned.json()["bytes_after"].is_null());
    EXPECT_EQ(runCount(), 3U) << "the newest, the one with a note, the one under way";
}

}  // namespace
}  // namespace steelyard::cli

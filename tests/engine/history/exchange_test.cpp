// SPDX-License-Identifier: Apache-2.0
// Export and import of runs, and the fixture of an older schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "engine/bench/record/anonymised_run.h"
#include "engine/bench/record/record_json.h"
#include "engine/history/history_store.h"
#include "tests/support/json_schema.h"
#include "tests/support/random_records.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::history {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Optionals;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Exchange : public testing::Test {
protected:
    [[nodiscard]] std::unique_ptr<HistoryStore> open(const std::string& name) const {
        auto store = HistoryStore::open(m_folder / name);
        EXPECT_TRUE(store) << describe(store.error());
        return store ? std::move(*store) : nullptr;
    }
    [[nodiscard]] fs::path file() const { return m_folder / "results.json"; }

    TemporaryFolder m_folder;
    std::unique_ptr<HistoryStore> m_here = open("here");
    std::unique_ptr<HistoryStore> m_there = open("there");
};

TEST_F(Exchange, RunsArriveAsTheyWereButMarkedAsImported) {
    std::vector<bench::RunRecord> runs;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        runs.push_back(test::inventRun(seed, Optionals::All));
        ASSERT_TRUE(m_here->beginRun(runs.back()));
    }
    ASSERT_TRUE(m_here->exportRuns({}, file()));
    const auto schemas = fs::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas";
    EXPECT_THAT(test::schemaProblems(schemas, "results.schema.json", TemporaryFolder::slurp(file())), IsEmpty());

    const auto added = m_there->importRuns(file());
    ASSERT_TRUE(added) << describe(added.error());
    EXPECT_EQ(added->size(), 3U);
    for (auto& run : runs) {
        run.origin = "imported";
        EXPECT_EQ(m_there->run(run.id), bench::anonymised(run));
    }
    EXPECT_THAT(*m_there->importRuns(file()), IsEmpty()) << "they are there already";
    EXPECT_EQ(m_there->runs()->size(), 3U);
}

TEST_F(Exchange, ChosenRunsAreExportedOnce) {
    const auto run = test::inventRun(1, Optionals::Some);
    ASSERT_TRUE(m_here->beginRun(run));
    ASSERT_TRUE(m_here->beginRun(test::inventRun(2, Optionals::Some)));
    ASSERT_TRUE(m_here->exportRuns({run.id, run.id.substr(0, 8)}, file()));
    EXPECT_EQ(bench::resultsFromJson(TemporaryFolder::slurp(file())), std::vector{bench::anonymised(run)});
}

TEST_F(Exchange, AFailedExportLeavesTheOldFile) {
    TemporaryFolder::spill(file(), "old");
    EXPECT_EQ(m_here->exportRuns({"ffff"}, file()).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(TemporaryFolder::slurp(file()), "old");
    EXPECT_EQ(m_here->exportRuns({}, m_folder / "none" / "f").error().kind, ErrorKind::NotFound);
}

TEST_F(Exchange, OnlyNewRunsAreTaken) {
    auto known = test::inventRun(1, Optionals::Some);
    const auto fresh = test::inventRun(2, Optionals::Some);
    ASSERT_TRUE(m_here->beginRun(known));
    ASSERT_TRUE(m_here->beginRun(fresh));
    ASSERT_TRUE(m_here->exportRuns({}, file()));
    known.note = "mine";
    ASSERT_TRUE(m_there->beginRun(known));
    EXPECT_THAT(*m_there->importRuns(file()), ElementsAre(fresh.id));
    EXPECT_EQ(m_there->run(known.id)->note, "mine");
}

TEST_F(Exchange, AFileTellsNoWayToTheData) {
    auto run = test::inventRun(1, Optionals::All);
    ASSERT_FALSE(run.records.empty());
    auto& record = run.records.front();
    record.spec.data = "/home/alice/sets/cifar-10/";
    record.reason = Message("/home/alice/sets/cifar-10/data_batch_1.bin: ends early");
    record.warnings = {Message("read from /home/alice/sets/cifar-10")};
    ASSERT_TRUE(m_here->beginRun(run));
    ASSERT_TRUE(m_here->exportRuns({}, file()));
    EXPECT_THAT(TemporaryFolder::slurp(file()), Not(HasSubstr("alice")));
    ASSERT_TRUE(m_there->importRuns(file()));
    const auto arrived = m_there->run(run.id)->records.front();
    EXPECT_EQ(arrived.spec.data, "cifar-10");
    EXPECT_EQ(arrived.reason, "cifar-10/data_batch_1.bin: ends early");
    EXPECT_THAT(arrived.warnings, ElementsAre("read from cifar-10"));
    EXPECT_EQ(m_here->run(run.id)->records.front().spec.data, record.spec.data) << "the own history keeps it";
}

TEST_F(Exchange, ADeletedRunIsTakenAnew) {
    const auto run = test::inventRun(1, Optionals::Some);
    ASSERT_TRUE(m_here->beginRun(run));
    ASSERT_TRUE(m_here->exportRuns({}, file()));
    ASSERT_TRUE(m_here->remove(run.id));
    EXPECT_THAT(*m_here->importRuns(file()), ElementsAre(run.id));
    EXPECT_EQ(m_here->run(run.id)->records, bench::anonymised(run).records);
}

struct BadFile {
    const char* name;
    std::function<void(json&)> change;
    ErrorKind kind;
    const char* says;
};

class BadImport : public testing::TestWithParam<BadFile> {};

TEST_P(BadImport, ChangesNothing) {
    const TemporaryFolder folder;
    const auto store = HistoryStore::open(folder / "db");
    ASSERT_TRUE(store);
    auto document =
        json::parse(bench::resultsToJson({test::inventRun(1, Optionals::All), test::inventRun(2, Optionals::All)}));
    GetParam().change(document);
    TemporaryFolder::spill(folder / "f.json", document.dump());
    const auto added = (*store)->importRuns(folder / "f.json");
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().kind, GetParam().kind);
    EXPECT_EQ(added.error().subject, (folder / "f.json").string());
    EXPECT_THAT(describe(added.error()), HasSubstr(GetParam().says));
    EXPECT_THAT(*(*store)->runs(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadImport,
    testing::Values(BadFile{"Format", [](json& d) { d["format"] = "mlperf"; }, ErrorKind::CorruptData, "format"},
                    BadFile{"Version", [](json& d) { d["version"] = 2; }, ErrorKind::VersionTooNew, "version 2"},
                    BadFile{"Nothing", [](json& d) { d = 5; }, ErrorKind::CorruptData, "must be an object"},
                    BadFile{"LastRun", [](json& d) { d["runs"][1]["records"][2]["case"]["batch"] = "x"; },
                            ErrorKind::CorruptData, "runs[1].records[2].case.batch"},
                    BadFile{"Status", [](json& d) { d["runs"][1]["records"][0]["status"] = "fine"; },
                            ErrorKind::CorruptData, "runs[1].records[0].status"},
                    BadFile{"Id", [](json& d) { d["runs"][1]["id"] = "latest"; }, ErrorKind::CorruptData, "latest"},
                    BadFile{"Twice", [](json& d) { d["runs"][1]["id"] = d["runs"][0]["id"]; }, ErrorKind::CorruptData,
                            "twice"}),
    [](const auto& tested) { return tested.param.name; });

TEST_F(Exchange, TheHostNameStaysHere) {
    auto run = test::inventRun(5, Optionals::None);
    run.computer = "alices-laptop";
    run.profileJson =
        R"({"cpu":{"name":"Zen","cores":4},"environment":{"os":"Debian","hostname":"alices-laptop"},"sources":{"environment.hostname":{"source":"uname","reason":""}}})";
    ASSERT_TRUE(m_here->beginRun(run));
    ASSERT_TRUE(m_here->exportRuns({run.id}, file()));
    const auto text = TemporaryFolder::slurp(file());
    EXPECT_EQ(text.find("alices-laptop"), std::string::npos) << text;
    const auto exported = bench::resultsFromJson(text).value().front();
    EXPECT_EQ(exported.computer, "Zen");
    EXPECT_NE(exported.profileJson.find("Debian"), std::string::npos);
    EXPECT_EQ(m_here->run(run.id)->computer, "alices-laptop") << "what is stored is not changed";
}

TEST_F(Exchange, FilesThatAreNotJsonAreRefused) {
    TemporaryFolder::spill(file(), "{\"format\": ");
    const auto added = m_here->importRuns(file());
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().kind, ErrorKind::CorruptData);
    EXPECT_TRUE(added.error().offset);
    EXPECT_EQ(m_here->importRuns(m_folder / "none").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(m_here->importRuns(m_folder.path()).error().kind, ErrorKind::InvalidArgument);
}

// The files were written by make_history_fixture when this schema was current.
TEST_F(Exchange, TheFixturesOfOlderSchemasAreReadInFull) {
    const auto data = fs::path(STEELYARD_TEST_DATA) / "history";
    for (const std::string name :
         {"schema_v1", "schema_v2", "schema_v3", "schema_v4", "schema_v5", "schema_v7", "schema_v8", "schema_v9"}) {
        fs::copy(data / (name + ".sqlite"), m_folder / name);
        const auto expected = bench::resultsFromJson(TemporaryFolder::slurp(data / (name + ".json")));
        ASSERT_TRUE(expected) << describe(expected.error());
        ASSERT_FALSE(expected->empty());
        const auto store = open(name);
        ASSERT_TRUE(store);
        for (const auto& run : *expected) EXPECT_EQ(store->run(run.id), run);
        EXPECT_EQ(store->runs()->size(), expected->size());
        EXPECT_TRUE(store->beginRun(test::inventRun(77, Optionals::All)));
    }
}

// Orders were introduced in schema 2; the number of cases is known for older runs, too.
TEST_F(Exchange, RunsOfSchema2LearnHowManyCasesTheyWereToHave) {
    const auto file = fs::path(STEELYARD_TEST_DATA) / "history" / "schema_v2.sqlite";
    fs::copy(file, m_folder / "v2");
    const auto runs = open("v2")->runs();
    ASSERT_TRUE(runs);
    ASSERT_FALSE(runs->empty());
    for (const auto& run : *runs) {
        EXPECT_EQ(run.plannedCount, run.caseCount + 1);
        EXPECT_FALSE(run.stoppedUnixMs);
        EXPECT_FALSE(run.underWay);
    }
}

}  // namespace
}  // namespace steelyard::history

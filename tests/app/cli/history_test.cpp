// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/history/history_store.h"
#include "tests/app/cli/cli_fixture.h"

namespace steelyard::cli {
namespace {

class HistoryCommandTest : public CliTest {
protected:
    std::string database() const { return (m_folder / "history.sqlite").string(); }

    void storeRun(const std::string& id, double scale) {
        auto store = history::HistoryStore::open(database());
        ASSERT_TRUE(store) << describe(store.error());
        bench::RunRecord run;
        run.id = id;
        run.suite = "quick";
        run.suiteVersion = "1";
        run.computer = "test computer";
        run.startedUnixMs = 1'700'000'000'000;
        run.finishedUnixMs = 1'700'000'060'000;
        bench::CaseRecord record;
        record.spec = {.workload = "mnist_mlp", .mode = "infer", .batch = 8};
        record.status = bench::Status::Ok;
        for (int i = 0; i < 20; ++i) record.samplesSeconds.push_back(scale * (1e-3 + 1e-6 * i));
        record.stepSeconds = bench::Summary{.median = scale * 1.01e-3, .ci95Low = scale * 1.005e-3, .ci95High = scale * 1.015e-3, .mean = scale * 1.01e-3, .min = scale * 1e-3, .n = 20};
        run.records.push_back(record);
        ASSERT_TRUE((*store)->beginRun(run));
    }
};

TEST_F(HistoryCommandTest, EmptyHistorySaysWhatToDo) {
    const auto outcome = call({"history", "list", "--db", database()});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("run --suite quick"), std::string::npos);
}

TEST_F(HistoryCommandTest, ComparesExportsImportsAndDeletes) {
    storeRun("aaaaaaaaaaaa", 1.0);
    storeRun("bbbbbbbbbbbb", 0.5);
    const auto compared = call({"history", "compare", "aaaaaaaaaaaa", "bbbbbbbbbbbb", "--db", database(), "--json"});
    ASSERT_EQ(compared.code, 0) << compared.err;
    ASSERT_EQ(compared.json()["cases"].size(), 1U);
    EXPECT_EQ(compared.json()["cases"][0]["verdict"], "faster");
    EXPECT_NEAR(compared.json()["cases"][0]["ratio"].get<double>(), 0.5, 0.01);

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

}  // namespace
}  // namespace steelyard::cli

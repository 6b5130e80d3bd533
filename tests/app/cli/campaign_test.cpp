// SPDX-License-Identifier: Apache-2.0
// A sweep from its files to the history, with its tasks measured sequentially here; and how collect handles truncated
// files, foreign ones, and ones that contradict stored results.
#include <gmock/gmock.h>

#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CampaignTest : public AdviceCliTest {
protected:
    json planSweep() {
        const auto planned =
            call({"campaign", "sweep",    "--workload", "mnist_mlp",      "--mode", "infer",      "--batch",
                  "2,4",      "--device", "cpu",        "--threads",      "1",      "--time-cap", "0.1",
                  "--visits", "1",        "--folder",   m_sweep.string(), "--db",   m_database,   "--json"});
        EXPECT_EQ(planned.code, 0) << planned.err;
        EXPECT_THAT(schemaProblems("campaign.schema.json", planned.out), IsEmpty());
        return planned.json();
    }
    Outcome measure(std::string_view index, const std::string& cases = "cases.json") {
        return call({"campaign", "measure", "--campaign", "x", "--candidate", "auto", "--cases",
                     (m_sweep / cases).string(), "--index", std::string(index), "--results",
                     (m_sweep / "results").string()});
    }
    Outcome collect(std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"campaign", "collect", "latest", "--db", m_database, "--json"});
        return call(more);
    }
    [[nodiscard]] std::size_t storedRuns() {
        return call({"history", "list", "--db", m_database, "--json"}).json()["runs"].size();
    }
    [[nodiscard]] json result() const { return json::parse(test::TemporaryFolder::slurp(m_result)); }
    void putResult(const json& document) const { test::TemporaryFolder::spill(m_result, document.dump()); }

    std::filesystem::path m_sweep = m_folder / "sweep";
    std::filesystem::path m_result = m_sweep / "results" / "01.r0.json";
    std::string m_database = (m_folder / "history.sqlite").string();
};

TEST_F(CampaignTest, ASweepIsWrittenMeasuredAndCollectedOnce) {
    const auto planned = planSweep();
    const auto id = planned["id"].get<std::string>();
    EXPECT_EQ(planned["state"], "planned");
    EXPECT_TRUE(std::filesystem::exists(m_sweep / "array.sbatch"));
    const auto chunks = planned["candidates"].size();
    for (std::size_t index = 0; index < chunks; ++index) {
        const auto task = measure(std::to_string(index));
        EXPECT_EQ(task.code, 0) << task.err << task.out;
        test::TemporaryFolder::spill(m_sweep / "logs" / std::to_string(index), task.out);
    }
    EXPECT_THAT(schemaProblems("campaign_result.schema.json", test::TemporaryFolder::slurp(m_result)), IsEmpty());
    for (int round = 0; round < 2; ++round) {  // each result is present twice: as a file, and in a log
        const auto collected = collect();
        ASSERT_EQ(collected.code, 0) << collected.err;
        EXPECT_EQ(collected.json()["state"], "done");
        EXPECT_EQ(collected.json()["candidates"][0]["run_ids"].size(), 1U);
        EXPECT_EQ(storedRuns(), chunks);
    }
    EXPECT_EQ(call({"campaign", "show", "--db", m_database, "--json"}).json()["id"], id);
    EXPECT_EQ(call({"campaign", "show", "nothing", "--db", m_database}).code, 2);
}

// Exit code 2 would mean that the job cannot run on that machine, and no engine would retry.
TEST_F(CampaignTest, ATaskWithoutItsChunkMayBeTriedAgain) {
    planSweep();
    for (const auto* index : {"99", "-1"}) EXPECT_EQ(measure(index).code, 1) << index;
    EXPECT_EQ(measure("0", "missing.json").code, 1);
    write("sweep/broken.json", R"({"format": "steelyard-sweep")");
    const auto broken = measure("0", "broken.json");
    EXPECT_EQ(broken.code, 1);
    EXPECT_THAT(broken.out, Not(HasSubstr("steelyard-result")));
    EXPECT_FALSE(std::filesystem::exists(m_result));
    // A workload that cannot run at all is a final result.
    const auto impossible = call({"campaign", "measure", "--campaign", "x", "--candidate", "01", "--workload",
                                  "mnist_mlp", "--gpus", "3", "--results", (m_sweep / "results").string()});
    EXPECT_EQ(impossible.code, 2) << impossible.err;
    EXPECT_EQ(result()["exit_code"], 2);
    EXPECT_FALSE(result()["reason"].get<std::string>().empty());
}

TEST_F(CampaignTest, WhatIsMissingIsWrittenAgain) {
    planSweep();
    ASSERT_EQ(measure("0").code, 0);
    auto document = result();
    auto& record = document["runs"][0]["records"][1];
    record["status"] = "crashed";
    record["reason"] = "it crashed";
    record["step_seconds"] = nullptr;
    putResult(document);
    ASSERT_EQ(collect().code, 0);
    const auto resumed = call({"campaign", "sweep", "--resume", "latest", "--db", m_database, "--json"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("or submit array-02.sbatch"));
    const auto chunk = resumed.json()["candidates"][1];
    EXPECT_EQ(chunk["cases"].size(), 1U);
    EXPECT_EQ(chunk["cases"][0]["batch"], record["case"]["batch"]);
    EXPECT_TRUE(std::filesystem::exists(m_sweep / "array-02.sbatch"));
    const auto before = collect();
    EXPECT_EQ(before.code, 0);
    EXPECT_THAT(before.err, HasSubstr("no result yet for 02"));
    EXPECT_EQ(before.json()["state"], "running");
    ASSERT_EQ(measure("0", "cases-02.json").code, 0);
    EXPECT_EQ(collect().json()["state"], "done");
    EXPECT_EQ(storedRuns(), 2U);
    const auto again = call({"campaign", "sweep", "--resume", "--db", m_database});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("nothing is missing"));
    EXPECT_EQ(call({"campaign", "sweep", "--resume", "nothing", "--db", m_database}).code, 2);
}

TEST_F(CampaignTest, FilesThatAreNoResultsAreNamedAndTheOthersAreStored) {
    planSweep();
    ASSERT_EQ(measure("0").code, 0);
    const auto text = test::TemporaryFolder::slurp(m_result);
    write("sweep/results/cut.json", text.substr(0, text.size() / 2));
    auto foreign = result();
    foreign["campaign"] = "ffffffffffff";
    foreign["runs"][0]["id"] = "eeeeeeeeeeee";
    write("sweep/results/foreign.json", foreign.dump());
    const auto collected = collect();
    EXPECT_EQ(collected.code, 1);
    EXPECT_THAT(collected.err, HasSubstr("cut.json"));
    EXPECT_THAT(collected.err, HasSubstr("foreign.json"));
    EXPECT_THAT(collected.err, HasSubstr("ffffffffffff"));
    EXPECT_EQ(collected.json()["state"], "done");
    EXPECT_EQ(storedRuns(), 1U);
}

TEST_F(CampaignTest, ARunThatChangedAfterItWasStoredIsRefused) {
    planSweep();
    ASSERT_EQ(measure("0").code, 0);
    ASSERT_EQ(collect().code, 0);
    auto document = result();
    document["runs"][0]["records"][0]["step_seconds"]["median"] = 1e-9;
    putResult(document);
    const auto collected = collect();
    EXPECT_EQ(collected.code, 1);
    EXPECT_THAT(collected.err, HasSubstr("different results"));
    EXPECT_EQ(storedRuns(), 1U);
    const auto run = call({"history", "show", document["runs"][0]["id"], "--db", m_database, "--json"}).json();
    EXPECT_THAT(run.dump(), Not(HasSubstr("1e-09")));
}

}  // namespace
}  // namespace steelyard::cli

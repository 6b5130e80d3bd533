// SPDX-License-Identifier: Apache-2.0
// A sweep from its files to the history, its tasks measured here one after another.
#include <gtest/gtest.h>

#include "tests/app/cli/cli_fixture.h"

namespace steelyard::cli {
namespace {

using CampaignTest = CliTest;

TEST_F(CampaignTest, ASweepIsWrittenMeasuredAndCollectedOnce) {
    const auto database = (m_folder / "history.sqlite").string();
    const auto folder = m_folder / "sweep";
    const auto planned =
        call({"campaign", "sweep",    "--workload", "mnist_mlp",     "--mode", "infer",      "--batch",
              "2,4",      "--device", "cpu",        "--threads",     "1",      "--time-cap", "0.1",
              "--visits", "1",        "--folder",   folder.string(), "--db",   database,     "--json"});
    ASSERT_EQ(planned.code, 0) << planned.err;
    const auto id = planned.json()["id"].get<std::string>();
    EXPECT_EQ(planned.json()["state"], "planned");
    EXPECT_TRUE(std::filesystem::exists(folder / "array.sbatch"));
    const auto chunks = planned.json()["candidates"].size();
    for (std::size_t index = 0; index < chunks; ++index) {
        const auto task = call({"campaign", "measure", "--campaign", id, "--candidate", "auto", "--cases",
                                (folder / "cases.json").string(), "--index", std::to_string(index), "--results",
                                (folder / "results").string()});
        EXPECT_EQ(task.code, 0) << task.err << task.out;
        test::TemporaryFolder::spill(folder / "logs" / std::to_string(index), task.out);
    }
    EXPECT_EQ(call({"campaign", "measure", "--cases", (folder / "cases.json").string(), "--index", "99"}).code, 2);
    for (int round = 0; round < 2; ++round) {  // each result is there twice: as a file, and in a log
        const auto collected = call({"campaign", "collect", id, "--db", database, "--json"});
        ASSERT_EQ(collected.code, 0) << collected.err;
        EXPECT_EQ(collected.json()["state"], "done");
        EXPECT_EQ(collected.json()["candidates"][0]["run_ids"].size(), 1U);
        EXPECT_EQ(call({"history", "list", "--db", database, "--json"}).json()["runs"].size(), chunks);
    }
    EXPECT_EQ(call({"campaign", "show", "--db", database, "--json"}).json()["id"], id);
    EXPECT_EQ(call({"campaign", "show", "nothing", "--db", database}).code, 2);
}

}  // namespace
}  // namespace steelyard::cli

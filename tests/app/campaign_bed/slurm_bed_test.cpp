// SPDX-License-Identifier: Apache-2.0
// Campaigns and sweeps on a real Slurm: planned, written, launched, polled and collected by the command line alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/app/cli/advice_fixture.h"
#include "tests/support/shell.h"

namespace steelyard::cli {
namespace {

using test::shell;
using testing::HasSubstr;
using testing::IsEmpty;

class SlurmBed : public AdviceCliTest {
protected:
    void SetUp() override {
        const auto bed = (m_folder / "bed").string();
        const auto up = shell(STEELYARD_SLURM_BED " up " + bed);
        if (up.code == 77) GTEST_SKIP() << "Slurm: " << up.text;
        ASSERT_EQ(up.code, 0) << up.text;
        m_path = bed + "/bin:/usr/bin:/bin";
        m_isUp = true;
    }
    void TearDown() override {
        if (m_isUp) shell(STEELYARD_SLURM_BED " down " + (m_folder / "bed").string());
    }

    Outcome campaign(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "campaign");
        arguments.insert(arguments.end(), {"--db", m_database, "--json"});
        return call(arguments);
    }
    // The user's commands, up to the end of the jobs.
    void launchAndWait() {
        const auto launched = campaign({"launch", "latest", "--yes"});
        ASSERT_EQ(launched.code, 0) << launched.err;
        EXPECT_THAT(launched.err, HasSubstr("+ sbatch --parsable"));
        const auto status = campaign({"status", "latest", "--wait", "--every", "0.5"});
        ASSERT_EQ(status.code, 0) << status.err;
    }
    // steelyard-cli, preceded by the given shell lines.
    std::string program(const std::string& before) const {
        return script("program", before + "\nexec " + m_executable.string() + " \"$@\"\n").string();
    }

    std::string m_database = (m_folder / "history.sqlite").string();
    bool m_isUp = false;
};

TEST_F(SlurmBed, CandidatesAreMeasuredAndTheAdviceIsCorrected) {
    const auto folder = (m_folder / "campaign").string();
    const auto planned =
        campaign({"plan", "--workload", "mnist_mlp", "--mode", "infer", "--batch", "8", "--steps", "1e9", "--host",
                  "sybedA,sybedB", "--engine", "slurm", "--suite", "none", "--folder", folder});
    ASSERT_EQ(planned.code, 0) << planned.err;
    EXPECT_THAT(schemaProblems("campaign.schema.json", planned.out), IsEmpty());
    ASSERT_EQ(campaign({"write", "latest"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(m_folder / "campaign" / "02.sbatch"));
    launchAndWait();
    for (int round = 0; round < 2; ++round) {  // the second round must store nothing new
        const auto collected = campaign({"collect", "latest"});
        ASSERT_EQ(collected.code, 0) << collected.err;
        const auto document = collected.json();
        EXPECT_THAT(schemaProblems("campaign.schema.json", collected.out), IsEmpty());
        EXPECT_EQ(document["state"], "done");
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& candidate = document["candidates"][i];
            EXPECT_EQ(candidate["state"], "collected");
            EXPECT_GT(candidate["measured_step_seconds"]["median"], 0);
            EXPECT_EQ(candidate["run_ids"].size(), 1U);
            EXPECT_EQ(candidate["forecast"], planned.json()["candidates"][i]["forecast"]) << "frozen";
        }
        EXPECT_FALSE(document["comparison"]["changes"].empty());
        EXPECT_EQ(call({"history", "list", "--db", m_database, "--json"}).json()["runs"].size(), 2U);
    }
    // Each was measured on the intended node.
    const auto run = call({"history", "list", "--db", m_database, "--json"}).json()["runs"];
    std::set<std::string> computers;
    for (const auto& one : run) computers.insert(one["computer"]);
    EXPECT_EQ(computers, std::set<std::string>({"sybedA", "sybedB"}));
}

TEST_F(SlurmBed, AnArrayOfWhichOneTaskFailsGivesTheOthersAndAReason) {
    const auto once = (m_folder / "failed_once").string();
    const auto sweep = campaign({"sweep",
                                 "--workload",
                                 "mnist_mlp",
                                 "--mode",
                                 "infer",
                                 "--batch",
                                 "1,2,3,4,5,6,7,8",
                                 "--device",
                                 "cpu",
                                 "--threads",
                                 "1",
                                 "--time-cap",
                                 "0.05",
                                 "--visits",
                                 "1",
                                 "--chunk-seconds",
                                 "1e-6",
                                 "--retries",
                                 "0",
                                 "--folder",
                                 (m_folder / "sweep").string(),
                                 "--program",
                                 program("case \"$*\" in *'--index 5'*) [ -e " + once + " ] || { touch " + once +
                                         "; echo 'the disk of this node is broken' >&2; exit 1; } ;; esac")});
    ASSERT_EQ(sweep.code, 0) << sweep.err;
    ASSERT_EQ(sweep.json()["candidates"].size(), 8U);
    launchAndWait();
    auto collected = campaign({"collect", "latest"});
    ASSERT_EQ(collected.code, 0) << collected.err;
    EXPECT_THAT(collected.err, HasSubstr("collected 7 new runs"));
    const auto failed = collected.json()["candidates"][5];
    EXPECT_EQ(failed["state"], "failed");
    EXPECT_THAT(failed["reason"].get<std::string>(), HasSubstr("slurm reports: FAILED"));
    // Only missing cases are measured again.
    const auto resumed = campaign({"sweep", "--resume", "latest"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    ASSERT_EQ(resumed.json()["candidates"].size(), 9U);
    EXPECT_EQ(resumed.json()["candidates"][8]["cases"], failed["cases"]);
    launchAndWait();
    collected = campaign({"collect", "latest"});
    EXPECT_THAT(collected.err, HasSubstr("collected 1 new runs"));
    EXPECT_EQ(collected.json()["state"], "done");
    EXPECT_EQ(collected.json()["candidates"][8]["state"], "collected");
}

TEST_F(SlurmBed, WhatSlurmRefusesFailsInItsOwnWords) {
    const auto folder = (m_folder / "campaign").string();
    ASSERT_EQ(campaign({"plan", "--workload", "mnist_mlp", "--mode", "infer", "--steps", "1e6", "--host", "sybedA",
                        "--engine", "slurm", "--partition", "nowhere", "--suite", "none", "--folder", folder})
                  .code,
              0);
    const auto launched = campaign({"launch", "latest", "--yes"});
    EXPECT_EQ(launched.code, 1);
    EXPECT_THAT(launched.err, HasSubstr("sbatch exited with code 1"));
    EXPECT_THAT(launched.err, HasSubstr("invalid partition"));
    EXPECT_EQ(launched.json()["candidates"][0]["state"], "failed");
    EXPECT_THAT(launched.json()["candidates"][0]["reason"].get<std::string>(), HasSubstr("invalid partition"));
}

}  // namespace
}  // namespace steelyard::cli

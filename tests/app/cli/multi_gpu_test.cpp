// SPDX-License-Identifier: Apache-2.0
// Whole runs with several simulated GPUs: one process each, started by the program, with a rendezvous folder. The
// program is a copy beside the plugin of tests/engine/compute/cuda, so that it finds that plugin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/app/cli/cli_fixture.h"

namespace steelyard::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SharedGpus : public CliTest {
protected:
    void SetUp() override {
        for (const char* folder : {"bin", "temp"}) std::filesystem::create_directory(m_folder / folder);
        std::filesystem::copy(STEELYARD_CLI, m_folder / "bin" / "steelyard-cli");
        std::filesystem::copy(STEELYARD_SIMULATED_PLUGIN, m_folder / "bin" / "libsteelyard_cuda.so");
    }

    // before: prefix of the command, such as an environment or a time limit.
    Outcome program(const std::string& arguments, const std::string& before = {}) {
        const auto path = [&](const char* name) { return "'" + (m_folder / name).string() + "'"; };
        const auto line = "env HOME=" + path("temp") + " TMPDIR=" + path("temp") + " " + before + " " +
                          path("bin/steelyard-cli") + " " + arguments + " >" + path("out") + " 2>" + path("err");
        const int status = std::system(line.c_str());
        return {WEXITSTATUS(status), slurp("out"), slurp("err")};
    }
    std::string slurp(const char* name) const {
        std::ifstream file(m_folder / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::vector<std::string> leftInTemp() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder / "temp"))
            if (entry.path().filename().string().starts_with("steelyard-")) names.push_back(entry.path().filename());
        return names;
    }
};

constexpr const char* kSmall = "run --workload mnist_mlp --batch 4 --mode train --time-cap 0.2 --no-save --json ";

TEST_F(SharedGpus, AreMeasuredTogetherAndSideBySide) {
    const auto run = program(std::string(kSmall) + "--gpus 1,2");
    ASSERT_EQ(run.code, 0) << run.err << run.out;
    const auto json = run.json();
    ASSERT_EQ(json["records"].size(), 4U) << run.out;
    for (const auto& record : json["records"]) {
        const std::string device = record["case"]["device"];
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["verification"]["state"], "pass");
        if (device == "cuda:0") {
            EXPECT_TRUE(record["parallel"].is_null());
            continue;
        }
        EXPECT_EQ(record["parallel"]["devices"], nlohmann::json({"cuda:0", "cuda:1"}));
        EXPECT_EQ(record["parallel"]["rank_step_seconds"].size(), 2U);
        if (device == "cuda:0/cuda:1") {
            EXPECT_TRUE(record["parallel"]["exchange_seconds"].is_null()) << "nothing is exchanged";
            continue;
        }
        EXPECT_EQ(device, "cuda:0+cuda:1");
        EXPECT_GT(record["parallel"]["exchange_seconds"], 0.0);
        EXPECT_GT(record["parallel"]["compute_seconds"], 0.0);
        EXPECT_GT(record["parallel"]["exposed_seconds"], 0.0) << "nothing overlaps on the simulated device";
        EXPECT_GE(record["parallel"]["exchanged_bytes"], 669'706 * 4);
    }
    std::set<std::string> kinds;
    for (const auto& table : json["scaling"]) {
        kinds.insert(table["kind"]);
        EXPECT_EQ(table["lines"].size(), 2U);
        EXPECT_GT(table["lines"][1]["efficiency"], 0.0);
        if (table["kind"] == "experiments") continue;
        // The device's simulated time is unrelated to the host's.
        for (const char* share : {"exchange_share", "exposed_share"}) {
            EXPECT_GT(table["lines"][1][share], 0.0) << share;
            EXPECT_LE(table["lines"][1][share], 1.0) << share;
        }
    }
    EXPECT_THAT(kinds, ::testing::ElementsAre("experiments", "strong", "weak"));
    EXPECT_THAT(leftInTemp(), IsEmpty());
}

TEST_F(SharedGpus, WhateverHappensToOneEndsAllWithASentence) {
    struct Issue {
        const char* kind;
        const char* status;
        const char* words;
    };
    for (const auto& [kind, status, words] :
         {Issue{"fails", "failed", "cuda:1: unexpected failure in NCCL: made to fail"},
          Issue{"dies", "crashed", "cuda:1: the measuring process crashed"}}) {
        const auto begun = std::chrono::steady_clock::now();
        const auto run = program(std::string(kSmall) + "--device cuda:0+cuda:1 --no-verify",
                                 std::string("STEELYARD_SIMULATED_TROUBLE=") + kind);
        EXPECT_EQ(run.code, 1) << run.err;
        const auto record = run.json()["records"][0];
        EXPECT_EQ(record["status"], status);
        EXPECT_THAT(record["reason"].get<std::string>(), HasSubstr(words));
        EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(60)) << "nobody is waited for";
        EXPECT_THAT(leftInTemp(), IsEmpty());
    }
}

TEST_F(SharedGpus, AStoppedRunEndsAllRanks) {
    const auto run = program(std::string(kSmall) + "--device cuda:0+cuda:1 --no-verify",
                             "STEELYARD_SIMULATED_TROUBLE=hangs timeout --foreground -s INT 4");
    EXPECT_THAT(run.out, HasSubstr("cancelled"));
    EXPECT_THAT(leftInTemp(), IsEmpty());
    // No measuring process for this folder is left. The brackets keep the pattern from matching itself.
    EXPECT_NE(std::system(("pgrep -f '" + (m_folder / "bin").string() + "/[s]teelyard-cli' >/dev/null").c_str()), 0);
}

TEST_F(SharedGpus, AreRefusedInWordsWhereThereAreTooFew) {
    const auto one = program("run --suite scaling --no-save", "STEELYARD_SIMULATED_GPUS=1");
    EXPECT_EQ(one.code, 3);
    EXPECT_THAT(one.err, HasSubstr("2 GPUs are required; this computer has 1"));
    const auto many = program("run --workload mnist_mlp --gpus 8 --no-save");
    EXPECT_EQ(many.code, 3);
    EXPECT_THAT(many.err, HasSubstr("8 GPUs are required; this computer has 4"));
    EXPECT_EQ(program("run --workload mnist_mlp --device cpu+cpu --no-save").code, 2);
    EXPECT_EQ(program("run --workload mnist_mlp --device cuda:0+cuda:0 --no-save").code, 2);
    EXPECT_EQ(program("run --workload mnist_mlp --device cuda:0+cuda:9 --no-save").code, 2);
    EXPECT_EQ(program("run --workload mnist_mlp --scaling weak --no-save").code, 2);
}

}  // namespace
}  // namespace steelyard::cli

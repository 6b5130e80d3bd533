// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "engine/bench/record_json.h"
#include "tests/app/cli/cli_fixture.h"

namespace steelyard::cli {
namespace {

using RunTest = CliTest;

TEST_F(RunTest, MeasuresVerifiesAndStores) {
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "16", "--mode", "train,infer", "--device", "cpu", "--time-cap", "20", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const auto document = outcome.json();
    ASSERT_EQ(document["records"].size(), 2U);
    for (const auto& record : document["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["verification"]["state"], "pass");
        EXPECT_GE(record["step_seconds"]["n"].get<int>(), 10);
        EXPECT_LE(record["step_seconds"]["ci95_low"].get<double>(), record["step_seconds"]["median"].get<double>());
        EXPECT_GT(record["memory"]["engine_peak_bytes"].get<std::int64_t>(), 0);
        EXPECT_FALSE(record["stop_reason"].is_null());
        EXPECT_EQ(record["case"]["batch"], 16);
    }
    const auto stored = call({"history", "show", "latest", "--json"}).json();
    EXPECT_EQ(stored["id"], document["run_id"]);
    EXPECT_EQ(stored["records"].size(), 2U);
}

TEST_F(RunTest, AKilledChildIsOneFailedCase) {
    m_executable = script("killed-on-train", "order=$(cat)\ncase \"$order\" in *'\"train\"'*) kill -9 $$;; esac\nprintf '%s\\n' \"$order\" | '" STEELYARD_CLI "' \"$@\"\n");
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "8", "--device", "cpu", "--time-cap", "0.5", "--no-verify", "--json"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    int crashed = 0;
    int ok = 0;
    const auto document = outcome.json();  // named: a range over a temporary's member would dangle
    for (const auto& record : document["records"]) {
        crashed += record["status"] == "crashed" && record["case"]["mode"] == "train" ? 1 : 0;
        ok += record["status"] == "ok" && record["case"]["mode"] == "infer" ? 1 : 0;
        EXPECT_TRUE(record["status"] == "ok" || record["reason"].get<std::string>().find("killed") != std::string::npos) << record.dump(2);
    }
    EXPECT_EQ(crashed, 1);
    EXPECT_EQ(ok, 1);
}

TEST_F(RunTest, WhatDoesNotFitIsAResultNotAnError) {
    // Tens of terabytes: more than any machine has, and tensors beyond what 32 bits can index.
    for (const auto* mode : {"train", "infer"}) {
        const auto outcome = call({"run", "--workload", "mnist_cnn", "--batch", "100000000", "--mode", mode, "--device", "cpu", "--json"});
        const auto record = outcome.json()["records"][0];
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(record["status"], "out_of_memory") << record["reason"];
        EXPECT_NE(record["reason"].get<std::string>().find("needs"), std::string::npos);
        EXPECT_NE(record["reason"].get<std::string>().find("TiB"), std::string::npos) << record["reason"];
        EXPECT_GT(record["memory"]["planned_bytes"].get<std::int64_t>(), std::int64_t{1} << 43);
        EXPECT_TRUE(record["step_seconds"].is_null());
    }
}

TEST_F(RunTest, ThreadsBeyondTheMachineAreAllowedWithAWarning) {
    const auto threads = std::to_string(std::thread::hardware_concurrency() + 1);
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "4", "--mode", "infer", "--threads", threads, "--time-cap", "0.3", "--device", "cpu", "--json"});
    const auto record = outcome.json()["records"][0];
    EXPECT_EQ(record["status"], "ok") << record["reason"];
    ASSERT_FALSE(record["warnings"].empty());
    EXPECT_NE(record["warnings"].dump().find(threads + " threads"), std::string::npos);
}

TEST_F(RunTest, BadRequestsChangeNothing) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"run", "--workload", "nothing_like_it"}, "nothing_like_it"},
        {{"run", "--workload", "mnist_mlp", "--device", "cuda:7"}, "cuda:7"},
        {{"run", "--workload", "mnist_mlp", "--device", "abacus"}, "abacus"},
        {{"run", "--workload", "mnist_mlp", "--batch", "0"}, "--batch"},
        {{"run", "--workload", "mnist_mlp", "--batch", "8,x"}, "--batch"},
        {{"run", "--workload", "mnist_mlp", "--threads", "-1"}, "--threads"},
        {{"run", "--workload", "mnist_mlp", "--mode", "dream"}, "--mode"},
        {{"run", "--workload", "mnist_mlp", "--precision", "fp31"}, "--precision"},
        {{"run", "--suite", "enormous"}, "--suite"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention << outcome.out;
        EXPECT_NE(outcome.err.find(mention), std::string::npos) << outcome.err;
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / ".local"));
}

TEST_F(RunTest, CancelKeepsWhatIsFinished) {
    // The child of the second case announces itself and then sleeps; the run is interrupted meanwhile.
    const auto flag = (m_folder / "sleeping").string();
    m_executable = script("sleeps-on-infer", "order=$(cat)\ncase \"$order\" in *'\"infer\"'*) touch '" + flag + "'; exec sleep 30;; esac\nprintf '%s\\n' \"$order\" | '" STEELYARD_CLI "' \"$@\"\n");
    std::jthread interrupter([&] {
        for (int i = 0; i < 600 && !std::filesystem::exists(flag); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        m_interrupted = true;
    });
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "8", "--device", "cpu", "--time-cap", "0.5", "--no-verify", "--json"});
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    m_interrupted = false;
    const auto runs = call({"history", "list", "--json"}).json()["runs"];
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_TRUE(runs[0]["finished"].is_null());
    const auto stored = call({"history", "show", "latest", "--json"}).json();
    for (const auto& record : stored["records"]) EXPECT_EQ(record["status"], record["case"]["mode"] == "infer" ? "cancelled" : "ok");
}

TEST_F(RunTest, EventsAreOneObjectALineInOrder) {
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "4", "--mode", "infer", "--device", "cpu", "--time-cap", "0.3", "--no-save", "--events", "jsonl"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::vector<bench::EventKind> kinds;
    for (std::string line; std::getline(lines, line);) {
        const auto event = bench::eventFromJson(line);
        ASSERT_TRUE(event) << line;
        kinds.push_back(event->kind);
    }
    ASSERT_GE(kinds.size(), 6U);
    EXPECT_EQ(kinds.front(), bench::EventKind::SuiteStarted);
    EXPECT_EQ(kinds[1], bench::EventKind::CaseStarted);
    EXPECT_EQ(kinds[kinds.size() - 2], bench::EventKind::CaseFinished);
    EXPECT_EQ(kinds.back(), bench::EventKind::SuiteFinished);
}

}  // namespace
}  // namespace steelyard::cli

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/resume.h"
#include "engine/history/history_store.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/drawn_digits.h"

namespace steelyard::cli {
namespace {

using RunTest = CliTest;

TEST_F(RunTest, MeasuresVerifiesAndStores) {
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "16", "--mode", "train,infer", "--device",
                               "cpu", "--time-cap", "20", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const auto document = outcome.json();
    ASSERT_EQ(document["records"].size(), 2U);
    for (const auto& record : document["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["verification"]["state"], "pass");
        const auto& seconds = record["step_seconds"];
        EXPECT_GE(seconds["n"].get<int>(), 1);
        // An interval needs two visits in one state of the machine; on a busy machine or one that changes state fewer
        // may remain.
        if (record["figure"]["main"]["visit_seconds"].size() < 2)
            EXPECT_TRUE(seconds["ci95_low"].is_null()) << record.dump(2);
        else
            EXPECT_LE(seconds["ci95_low"].get<double>(), seconds["median"].get<double>());
        EXPECT_GT(record["memory"]["engine_peak_bytes"].get<std::int64_t>(), 0);
        EXPECT_FALSE(record["stop_reason"].is_null());
        EXPECT_EQ(record["case"]["batch"], 16);
    }
    const auto stored = call({"history", "show", "latest", "--json"}).json();
    EXPECT_EQ(stored["id"], document["run_id"]);
    EXPECT_EQ(stored["records"].size(), 2U);
}

// Measuring commands store the fastest kernels, unless disabled.
TEST_F(RunTest, PassesOnThatKernelsAreToBeFoundAnew) {
    const auto said = m_folder / "arguments";
    m_executable = script("listening", "echo \"$@\" > '" + said.string() + "'\nexec '" STEELYARD_CLI "' \"$@\"\n");
    const std::vector<std::string> measure{"run",    "--workload",  "mnist_mlp", "--batch", "8",
                                           "--mode", "infer",       "--device",  "cpu",     "--time-cap",
                                           "0.2",    "--no-verify", "--json"};
    auto anew = measure;
    anew.emplace_back("--no-kernel-cache");
    ASSERT_EQ(call(anew).code, 0);
    EXPECT_EQ(test::TemporaryFolder::slurp(said), "run-case --no-kernel-cache\n");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "cache"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / ".cache"));
    ASSERT_EQ(call(measure).code, 0);
    EXPECT_EQ(test::TemporaryFolder::slurp(said), "run-case\n");
    // On a machine so busy that every trial was interrupted nothing is stored.
    if (!std::filesystem::exists(m_folder / "cache")) GTEST_SKIP() << "every trial was disturbed";
    const auto file = std::filesystem::directory_iterator(m_folder / "cache" / "steelyard")->path();
    EXPECT_EQ(file.filename().string().substr(0, 8), "kernels-");
}

TEST_F(RunTest, AKilledChildIsOneFailedCase) {
    m_executable = script(
        "killed-on-train",
        "order=$(cat)\ncase \"$order\" in *'\"train\"'*) kill -9 $$;; esac\nprintf '%s\\n' \"$order\" | '" STEELYARD_CLI
        "' \"$@\"\n");
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "8", "--device", "cpu", "--time-cap", "0.5",
                               "--no-verify", "--json"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    int crashed = 0;
    int ok = 0;
    const auto document = outcome.json();  // named: a range over a temporary's member would dangle
    for (const auto& record : document["records"]) {
        crashed += record["status"] == "crashed" && record["case"]["mode"] == "train" ? 1 : 0;
        ok += record["status"] == "ok" && record["case"]["mode"] == "infer" ? 1 : 0;
        EXPECT_TRUE(record["status"] == "ok" || record["reason"].get<std::string>().find("killed") != std::string::npos)
            << record.dump(2);
    }
    EXPECT_EQ(crashed, 1);
    EXPECT_EQ(ok, 1);
}

TEST_F(RunTest, WhatDoesNotFitIsAResultNotAnError) {
    // Tens of terabytes: more than any machine has, and tensors beyond what 32 bits can index.
    for (const auto* mode : {"train", "infer"}) {
        const auto outcome = call(
            {"run", "--workload", "mnist_cnn", "--batch", "100000000", "--mode", mode, "--device", "cpu", "--json"});
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
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "4", "--mode", "infer", "--threads",
                               threads, "--time-cap", "0.3", "--device", "cpu", "--json"});
    const auto record = outcome.json()["records"][0];
    EXPECT_EQ(record["status"], "ok") << record["reason"];
    ASSERT_FALSE(record["warnings"].empty());
    EXPECT_NE(record["warnings"].dump().find(threads + " threads"), std::string::npos);
}

TEST_F(RunTest, ACheckThatCannotBeginSaysWhy) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"--seconds", "0"},
                                                                       {"--seconds", "x"},
                                                                       {"--memory", "-1"},
                                                                       {"--device", ""},
                                                                       {"--device", "cuda:9"},
                                                                       {"--json", "--events", "jsonl"}}) {
        auto command = arguments;
        command.insert(command.begin(), "check");
        const auto outcome = call(command);
        EXPECT_EQ(outcome.code, 2) << arguments.back();
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_FALSE(outcome.err.empty());
    }
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
        {{"run", "--workload", "mnist_mlp", "--kernels", "abacus"}, "--kernels"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention << outcome.out;
        EXPECT_NE(outcome.err.find(mention), std::string::npos) << outcome.err;
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / ".local"));
}

TEST_F(RunTest, CancelKeepsWhatIsFinished) {
    // The child of the second case reports its start and then sleeps; the run is interrupted meanwhile.
    const auto flag = (m_folder / "sleeping").string();
    m_executable = script("sleeps-on-infer", "order=$(cat)\ncase \"$order\" in *'\"infer\"'*) touch '" + flag +
                                                 "'; exec sleep 30;; esac\nprintf '%s\\n' \"$order\" | '" STEELYARD_CLI
                                                 "' \"$@\"\n");
    std::jthread interrupter([&] {
        for (int i = 0; i < 600 && !std::filesystem::exists(flag); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        m_interrupted = SIGINT;
    });
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "8", "--device", "cpu", "--time-cap", "0.5",
                               "--no-verify", "--json"});
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    m_interrupted = 0;
    const auto runs = call({"history", "list", "--json"}).json()["runs"];
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_TRUE(runs[0]["finished"].is_null());
    const auto stored = call({"history", "show", "latest", "--json"}).json();
    for (const auto& record : stored["records"])
        EXPECT_EQ(record["status"], record["case"]["mode"] == "infer" ? "cancelled" : "ok");
}

TEST_F(RunTest, AnInterruptedRunIsFinishedUnderItsId) {
    const auto flag = (m_folder / "sleeping").string();
    const auto whole = m_executable;
    m_executable = script("sleeps-on-infer", "order=$(cat)\ncase \"$order\" in *'\"infer\"'*) touch '" + flag +
                                                 "'; exec sleep 30;; esac\nprintf '%s\\n' \"$order\" | '" STEELYARD_CLI
                                                 "' \"$@\"\n");
    std::jthread interrupter([&] {
        for (int i = 0; i < 600 && !std::filesystem::exists(flag); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        m_interrupted = SIGINT;
    });
    const auto first = call({"run", "--workload", "mnist_mlp", "--batch", "8", "--threads", "1", "--device", "cpu",
                             "--time-cap", "0.5", "--no-verify", "--kernels", "onednn", "--json"});
    ASSERT_EQ(first.code, 130) << first.err;
    interrupter.join();
    m_interrupted = 0;
    m_executable = whole;
    const auto id = first.json()["run_id"].get<std::string>();

    // This process is recorded as the measuring one and is alive: the test must clear it first.
    EXPECT_NE(call({"run", "--resume"}).err.find("still measuring"), std::string::npos);
    {
        auto store =
            history::HistoryStore::open(m_folder / ".local" / "share" / "steelyard" / "history.sqlite").value();
        auto order = bench::runSpecFromJson(store->orderOf(id).value()).value();
        EXPECT_EQ(order.cases.size(), 2U);
        order.process.clear();
        ASSERT_TRUE(store->reopenRun(id, bench::toJson(order)));
    }
    const auto second = call({"run", "--resume", id.substr(0, 6), "--json"});
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(second.json()["run_id"], id);
    const auto stored = call({"history", "show", id, "--json"}).json();
    EXPECT_FALSE(stored["finished_unix_ms"].is_null());
    ASSERT_EQ(stored["records"].size(), 2U);
    for (const auto& record : stored["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["case"]["kernels"], "onednn") << "as it was ordered";
        EXPECT_EQ(record["verification"]["reason"], "verification is switched off");
    }
    EXPECT_EQ(call({"history", "list", "--json"}).json()["runs"].size(), 1U);

    const auto third = call({"run", "--resume", id});
    EXPECT_EQ(third.code, 2);
    EXPECT_NE(third.err.find("it is finished"), std::string::npos) << third.err;
    EXPECT_EQ(call({"run", "--resume"}).code, 2) << "nothing is unfinished";
    EXPECT_EQ(call({"run", "--resume", id, "--batch", "4"}).code, 2) << "the configuration is the run's";
}

TEST_F(RunTest, AProfileSaysWhereTheStepGoes) {
    const std::vector<std::string> arguments{"run",    "--workload", "mnist_cnn", "--batch",     "16",
                                             "--mode", "train",      "--threads", "1",           "--device",
                                             "cpu",    "--time-cap", "0.5",       "--no-verify", "--profile"};
    auto json = arguments;
    json.emplace_back("--json");
    const auto outcome = call(json);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto record = outcome.json()["records"][0];
    const auto& profile = record["profile"];
    ASSERT_FALSE(profile.is_null()) << record["warnings"];
    double sum = 0;
    double shares = 0;
    std::set<std::string> kinds;
    for (const auto& operation : profile["operations"]) {
        sum += operation["seconds"].get<double>();
        shares += operation["share"].get<double>();
        kinds.insert(operation["kind"].get<std::string>());
        EXPECT_FALSE(operation["kernel"].get<std::string>().empty());
    }
    EXPECT_NEAR(sum, profile["sum_seconds"].get<double>(), 1e-9);
    EXPECT_NEAR(shares, sum / profile["step_seconds"].get<double>(), 1e-6);
    EXPECT_LE(shares, 1.0001);
    EXPECT_TRUE(kinds.contains("convolution") && kinds.contains("matmul") && kinds.contains("update")) << outcome.out;
    EXPECT_GE(record["step_seconds"]["n"].get<int>(), 1) << "the samples are taken without it";
    EXPECT_EQ(call({"history", "show", "latest", "--json"}).json()["records"][0]["profile"], profile);

    const auto table = call({"history", "show", "latest"}).out;
    EXPECT_NE(table.find("time per operation"), std::string::npos) << table;
    EXPECT_NE(table.find("between operations"), std::string::npos);
    EXPECT_NE(table.find("conv2d_2"), std::string::npos);
}

TEST_F(RunTest, TheMachineItselfIsMeasuredAndChecked) {
    const auto outcome =
        call({"run", "--workload",
              "gemm(m=96,n=64,k=80),gemm(form=nt,m=96,n=64,k=80),gemm(form=tn,m=96,n=64,k=80),convolution(size=8,"
              "channels=3,filters=5),memory_bandwidth(mebibytes=1),launch_overhead(operations=16)",
              "--threads", "1", "--device", "cpu", "--time-cap", "0.3", "--kernels", "auto", "--no-save", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = outcome.json();
    std::map<std::string, std::string> units;
    for (const auto& record : document["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["verification"]["state"], "pass") << record["verification"];
        EXPECT_EQ(record["case"]["mode"], "infer");
        EXPECT_GT(record["throughput"]["value"].get<double>(), 0);
        EXPECT_GT(record["utilization"]["peak_bytes"].get<double>(), 0);
        EXPECT_GT(record["utilization"]["achieved_bytes"].get<double>(), 0);
        const auto workload = record["case"]["workload"].get<std::string>();
        units[workload.substr(0, workload.find('('))] = record["throughput"]["unit"];
        if (workload.starts_with("gemm")) {
            EXPECT_EQ(record["flops_per_step"], 2.0 * 96 * 64 * 80);
        }
        if (workload.starts_with("memory")) {
            EXPECT_EQ(record["bytes_per_step"], 3.0 * 1024 * 1024);
        }
    }
    EXPECT_EQ(document["records"].size(), 6U);
    EXPECT_EQ(units, (std::map<std::string, std::string>{{"gemm", "FLOP/s"},
                                                         {"convolution", "FLOP/s"},
                                                         {"memory_bandwidth", "B/s"},
                                                         {"launch_overhead", "operations/s"}}));
}

TEST_F(RunTest, EachLibraryIsACaseOfItsOwn) {
    const auto outcome =
        call({"run", "--workload", "gemm(m=64,n=64,k=64)", "--threads", "1", "--device", "cpu", "--time-cap", "0.3",
              "--kernels", "onednn,openblas", "--profile", "--no-save", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = outcome.json();
    ASSERT_EQ(document["records"].size(), 2U);
    EXPECT_NE(document["records"][0]["case"]["hash"], document["records"][1]["case"]["hash"]);
    for (const auto& record : document["records"]) {
        const auto kernel = record["profile"]["operations"][0]["kernel"].get<std::string>();
        EXPECT_EQ(record["case"]["kernels"] == "openblas", kernel.find("openblas") != std::string::npos) << kernel;
    }
}

TEST_F(RunTest, WithDataTheStepThePipelineAndBothTogetherAreTimed) {
    ASSERT_TRUE(test::writeDrawnDigits(m_folder.path(), {.seed = 1, .train = 600, .test = 100}));
    const std::vector<std::string> arguments{"run",
                                             "--workload",
                                             "mnist_mlp,fcn_s",
                                             "--batch",
                                             "32",
                                             "--mode",
                                             "train",
                                             "--threads",
                                             "1",
                                             "--device",
                                             "cpu",
                                             "--time-cap",
                                             "0.5",
                                             "--no-verify",
                                             "--data",
                                             m_folder.path().string(),
                                             "--json"};
    const auto outcome = call(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("fcn_s has no real data"), std::string::npos) << outcome.err;
    const auto document = outcome.json();
    std::map<std::string, nlohmann::json> parts;
    for (const auto& record : document["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        if (record["case"]["workload"] == "mnist_mlp") parts[record["case"]["part"]] = record;
    }
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(document["records"].size(), 4U);
    EXPECT_TRUE(parts["step"]["input"].is_null());
    EXPECT_TRUE(parts["pipeline"]["flops_per_step"].is_null());
    EXPECT_EQ(parts["pipeline"]["verification"]["reason"], "nothing is computed");
    EXPECT_EQ(parts["pipeline"]["throughput"]["unit"], "samples/s");
    EXPECT_FALSE(parts["pipeline"]["input"]["producible_samples_per_second"].is_null());
    EXPECT_FALSE(parts["together"]["input"]["pipeline_limits"].is_null());
    EXPECT_EQ(parts["together"]["case"]["data"], m_folder.path().string());
    EXPECT_NE(call({"history", "show", "latest"}).out.find("limits"), std::string::npos);
}

TEST_F(RunTest, DataThatAreNotThereFailTheCaseByName) {
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--mode", "infer", "--device", "cpu", "--data",
                               m_folder.path().string(), "--no-save", "--json"});
    EXPECT_EQ(outcome.code, 1);
    const auto document = outcome.json();
    for (const auto& record : document["records"])
        EXPECT_NE(record["reason"].get<std::string>().find("train-images"), std::string::npos) << record["reason"];
}

TEST_F(RunTest, EventsAreOneObjectALineInOrder) {
    const auto outcome = call({"run", "--workload", "mnist_mlp", "--batch", "4", "--mode", "infer", "--device", "cpu",
                               "--time-cap", "0.3", "--no-save", "--events", "jsonl"});
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

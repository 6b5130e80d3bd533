// SPDX-License-Identifier: Apache-2.0
// Runs on several nodes under mpirun: processes on this computer, and two hosts in network namespaces connected at 1
// Gbit/s (two_hosts.sh). Skipped with a reason without Open MPI or namespaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "app/cli/command_context.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/json_schema.h"
#include "tests/support/shell.h"

namespace steelyard::cli {
namespace {

using namespace std::chrono_literals;
using test::shell;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

#ifndef STEELYARD_MPI_FOLDER
#define STEELYARD_MPI_FOLDER ""
#define STEELYARD_MPI_TRAINING ""
#endif

constexpr auto kPatience = 120s;

class Nodes : public CliTest {
protected:
    void SetUp() override {
        if (std::string(STEELYARD_MPI_FOLDER).empty()) GTEST_SKIP() << "built without MPI (libopenmpi-dev)";
        if (shell("command -v mpirun").code != 0) GTEST_SKIP() << "mpirun is not installed (openmpi-bin)";
        if (shell("mpirun --version").text.find("Open MPI") == std::string::npos)
            GTEST_SKIP() << "mpirun is not that of Open MPI";
    }
    // A started process, with its output in files. Memory that Open MPI keeps until the end is not reported as leaks.
    std::string redirected(const std::string& line) const {
        return "cd '" + m_folder.path().string() + "' && env HOME='" + m_folder.path().string() +
               "' OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0 " + line + " >out 2>err";
    }
    Outcome outcomeOf(const std::string& line) {
        const auto said = shell(redirected(line));
        return {said.code, slurp("out"), slurp("err")};
    }
    std::string slurp(const char* name) const {
        std::ifstream file(m_folder / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static std::string mpirunHere(int processes) {
        return "timeout 300 mpirun --allow-run-as-root --oversubscribe -np " + std::to_string(processes) +
               " --bind-to none --mca mpi_yield_when_idle 1 --mca odls_base_sigkill_timeout 10 ";
    }
    // Waits until the given number of cases has finished.
    bool waitForCases(int cases) const {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        while (std::chrono::steady_clock::now() < deadline) {
            const auto out = slurp("out");
            int finished = 0;
            for (auto at = out.find("\"case_finished\""); at != std::string::npos;
                 at = out.find("\"case_finished\"", at + 1))
                ++finished;
            if (finished >= cases) return true;
            std::this_thread::sleep_for(50ms);
        }
        return false;
    }
    // The processes of this test's program with rank 1.
    std::vector<pid_t> processesOfRankOne() const {
        std::vector<pid_t> found;
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            const auto name = entry.path().filename().string();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            std::ifstream environment(entry.path() / "environ"), words(entry.path() / "cmdline");
            const std::string all{std::istreambuf_iterator<char>(environment), {}};
            const std::string line{std::istreambuf_iterator<char>(words), {}};
            if (line.starts_with(STEELYARD_CLI) && all.find("HOME=" + m_folder.path().string()) != std::string::npos &&
                all.find("OMPI_COMM_WORLD_RANK=1") != std::string::npos)
                found.push_back(static_cast<pid_t>(std::stol(name)));
        }
        return found;
    }
    // A long run that is interrupted after its first case, by `interrupt`; it must exit by itself within 30 s.
    // `isLauncherFirst`: mpirun may end the processes before they can say why, with a sentence of its own.
    void expectFinishedCasesKept(const std::string& launcher, const std::function<void()>& interrupt,
                                 bool isLauncherFirst = false) {
        std::thread running([&] {
            (void)std::system(redirected(launcher + " " STEELYARD_CLI " run --nodes 2 --workload mnist_mlp --batch "
                                                    "8,16,32 --scaling weak --no-verify --time-cap 5 "
                                                    "--events jsonl --db history.sqlite")
                                  .c_str());
        });
        EXPECT_TRUE(waitForCases(1)) << slurp("err");
        interrupt();
        const auto interrupted = std::chrono::steady_clock::now();
        running.join();
        EXPECT_LT(std::chrono::steady_clock::now() - interrupted, 30s);
        const auto told = slurp("err");
        if (!isLauncherFirst || told.find("lost communication with a remote daemon") == std::string::npos) {
            EXPECT_THAT(told, AllOf(HasSubstr("a process or the network between the nodes was lost"),
                                    HasSubstr("of 3 cases are finished and stored as run")));
        }
        const auto runs = call({"history", "list", "--db", (m_folder / "history.sqlite").string(), "--json"}).json();
        ASSERT_EQ(runs["runs"].size(), 1U);
        const auto run = call({"history", "show", std::string(runs["runs"][0]["id"]), "--db",
                               (m_folder / "history.sqlite").string(), "--json"});
        ASSERT_EQ(run.code, 0) << run.err;
        const auto records = run.json()["records"];
        ASSERT_GE(records.size(), 1U);
        for (const auto& record : records) EXPECT_EQ(record["status"], "ok");
    }
};

TEST_F(Nodes, ShareStepsAndTellWhatTheNetworkDid) {
    const auto run = outcomeOf(mpirunHere(2) + STEELYARD_CLI
                               " run --nodes 1,2 --workload mnist_mlp --batch 32 --time-cap 0.3 --db h.sqlite --json");
    ASSERT_EQ(run.code, 0) << run.err;
    const auto json = run.json();
    ASSERT_EQ(json["records"].size(), 3U) << run.out;
    for (const auto& record : json["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["verification"]["state"], "pass");
        if (record["case"]["device"] == "cpu") {
            EXPECT_TRUE(record["parallel"].is_null());
            continue;
        }
        EXPECT_EQ(record["case"]["device"], "cpu+cpu");
        const auto& shared = record["parallel"];
        EXPECT_EQ(shared["rank_step_seconds"].size(), 2U);
        EXPECT_GE(shared["exchanged_bytes"], 669'706 * 4);
        EXPECT_GE(shared["exchanges"], 1);
        const auto& nodes = shared["nodes"];
        EXPECT_EQ(nodes["hosts"].size(), 2U);
        EXPECT_EQ(nodes["compute_seconds"].size(), 2U);
        EXPECT_THAT(std::string(nodes["library"]), HasSubstr("MPI"));
        for (const char* figure : {"bus_bandwidth", "bytes_per_second", "efficiency", "predicted_efficiency"})
            EXPECT_GT(nodes[figure], 0.0) << figure;
        EXPECT_LE(nodes["predicted_low"], nodes["predicted_efficiency"]);
        EXPECT_LE(nodes["predicted_efficiency"], nodes["predicted_high"]);
    }
    ASSERT_EQ(json["scaling"].size(), 2U) << "strong and weak";
    for (const auto& table : json["scaling"]) {
        EXPECT_EQ(table["of_nodes"], true);
        ASSERT_EQ(table["lines"].size(), 2U);
        EXPECT_GT(table["lines"][1]["predicted"], 0.0);
        EXPECT_LE(table["lines"][1]["predicted_low"], table["lines"][1]["predicted_high"]);
    }
    // Only rank 0 stores, and it stores what it reports.
    const auto stored = call({"history", "list", "--db", (m_folder / "h.sqlite").string(), "--json"}).json();
    ASSERT_EQ(stored["runs"].size(), 1U);
    EXPECT_EQ(stored["runs"][0]["id"], json["run_id"]);
}

TEST_F(Nodes, RefuseAGroupOfOne) {
    const auto alone = outcomeOf(STEELYARD_CLI " run --nodes 2 --workload mnist_mlp --no-save");
    EXPECT_EQ(alone.code, kWrongUsage);
    EXPECT_THAT(alone.err, HasSubstr("this process was not started as one of them"));
    // A batch system whose processes do not find each other.
    const auto apart = outcomeOf("SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 " STEELYARD_CLI
                                 " run --nodes 2 --workload mnist_mlp --no-save");
    EXPECT_EQ(apart.code, kWrongUsage);
    EXPECT_THAT(apart.err, HasSubstr("2 nodes were requested, but the group has 1 processes"));
    const auto fewer = outcomeOf(mpirunHere(2) + STEELYARD_CLI " run --nodes 3 --workload mnist_mlp --no-save");
    EXPECT_NE(fewer.code, 0);
    EXPECT_THAT(fewer.err, HasSubstr("3 machines were requested"));
}

TEST_F(Nodes, RefuseWhatTheyCannotShare) {
    for (const auto& [options, reason] : {std::pair{"--mode infer", "only training can be split"},
                                          std::pair{"--profile", "cannot be used with --profile"},
                                          std::pair{"--gpus 2", "cannot be used with --gpus"}}) {
        const auto refused =
            outcomeOf(std::string(STEELYARD_CLI " run --nodes 2 --workload mnist_mlp --no-save ") + options);
        EXPECT_EQ(refused.code, kWrongUsage);
        EXPECT_THAT(refused.err, HasSubstr(reason));
    }
}

TEST_F(Nodes, MeasureTheirNetwork) {
    const auto measured = outcomeOf(mpirunHere(3) + STEELYARD_CLI " interconnect --nodes 3 --largest 1 --json");
    ASSERT_EQ(measured.code, 0) << measured.err;
    EXPECT_THAT(test::schemaProblems(std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources" / "schemas",
                                     "interconnect.schema.json", measured.out),
                IsEmpty());
    const auto json = measured.json();
    EXPECT_EQ(json["ranks"], 3);
    EXPECT_EQ(json["peers"].size(), 2U);
    EXPECT_GT(json["bytes_per_second"], 0.0);
    for (const auto& time : json["all_reduce"]) {
        EXPECT_EQ(time["wrong"], 0);
        EXPECT_NEAR(time["bus_bandwidth"], 4.0 / 3 * double(time["algorithm_bandwidth"]),
                    1e-6 * double(time["bus_bandwidth"]));
    }
    EXPECT_EQ(json["all_reduce"].back()["bytes"], 524288) << "four times at most one MiB";
    const auto table = outcomeOf(mpirunHere(2) + STEELYARD_CLI " interconnect --nodes 2 --largest 0.01");
    EXPECT_THAT(table.out, AllOf(HasSubstr("algbw    busbw #wrong"), HasSubstr("point to point, rank 0 and rank 1")));
}

TEST_F(Nodes, AKilledProcessEndsTheRunAndFinishedCasesAreKept) {
    expectFinishedCasesKept(mpirunHere(2), [&] {
        const auto processes = processesOfRankOne();
        EXPECT_EQ(processes.size(), 1U);
        for (const auto process : processes) ::kill(process, SIGKILL);
    });
}

class TwoHosts : public Nodes {
protected:
    void SetUp() override {
        Nodes::SetUp();
        if (IsSkipped()) return;
        const auto up = shell(STEELYARD_TWO_HOSTS " up '" + m_folder.path().string() + "' 1gbit");
        m_isUp = up.code == 0;
        if (up.code == 77) GTEST_SKIP() << "two hosts: " << up.text;
        ASSERT_EQ(up.code, 0) << up.text;
    }
    void TearDown() override {
        if (m_isUp) shell(STEELYARD_TWO_HOSTS " down");
    }
    bool m_isUp = false;
};

TEST_F(TwoHosts, AreMeasuredOverTheirCable) {
    const auto measured = outcomeOf("./mpirun " STEELYARD_CLI " interconnect --nodes 2 --largest 16 --json");
    ASSERT_EQ(measured.code, 0) << measured.err;
    const auto json = measured.json();
    EXPECT_EQ(json["hosts"], nlohmann::json({"synodeA", "synodeB"}));
    // No link exceeds its rate; 1 Gbit/s is 0.125 GB/s, and the shaper allows bursts of 256 kB.
    EXPECT_LT(json["bytes_per_second"], 0.135e9);
    EXPECT_GT(json["bytes_per_second"], 0.0);
}

TEST_F(TwoHosts, LearnWhatOneLearnsOfTheJointBatch) {
    for (const char* network : {"fcn_r", "mnist_cnn"}) {
        const auto learned =
            outcomeOf(std::string("./mpirun " STEELYARD_MPI_TRAINING " " STEELYARD_MPI_FOLDER " ") + network + " 8 10");
        ASSERT_EQ(learned.code, 0) << learned.err;
        double difference = 1;
        const auto at = learned.out.find("difference ");
        ASSERT_NE(at, std::string::npos) << learned.out;
        ASSERT_EQ(std::sscanf(learned.out.c_str() + at, "difference %lf", &difference), 1);
        EXPECT_LT(difference, 1e-5) << network;
    }
}

TEST_F(TwoHosts, APulledCableEndsTheRunAndFinishedCasesAreKept) {
    // Open MPI 5 closes the output of the processes as soon as a node is lost.
    expectFinishedCasesKept(
        "timeout 300 ./mpirun", [] { shell(STEELYARD_TWO_HOSTS " pull"); }, true);
}

}  // namespace
}  // namespace steelyard::cli

// SPDX-License-Identifier: Apache-2.0
// Real runs ended at random times, by the user's signal, by the system's, and by SIGKILL: the history is then
// consistent, and missing cases can be measured afterwards.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "engine/core/random.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/honest_history.h"

namespace steelyard::cli {
namespace {

class CancelledRuns : public CliTest {
protected:
    [[nodiscard]] std::string database() const { return (m_folder / "history.sqlite").string(); }

    // Starts a run of six small cases and sends the signal after the delay. Returns the signal it died of, or its exit
    // code.
    int end(int signal, std::chrono::milliseconds delay) {
        std::vector<std::string> arguments{STEELYARD_CLI, "run",      "--workload", "mnist_mlp", "--batch",    "4,8,16",
                                           "--device",    "cpu",      "--threads",  "1",         "--time-cap", "0.2",
                                           "--no-verify", "--events", "jsonl",      "--db",      database()};
        std::vector<char*> pointers;
        for (auto& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t quiet;
        posix_spawn_file_actions_init(&quiet);
        posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        pid_t child = 0;
        const int started = ::posix_spawn(&child, STEELYARD_CLI, &quiet, nullptr, pointers.data(), environ);
        posix_spawn_file_actions_destroy(&quiet);
        EXPECT_EQ(started, 0);
        if (started != 0) return -1;  // a signal to process 0 would kill the whole group, including this test
        std::this_thread::sleep_for(delay);
        ::kill(child, signal);
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
};

TEST_F(CancelledRuns, NothingIsMarkedCompleteThatIsNot) {
    const RandomStream moments(20261122, 3);
    constexpr std::array kSignals{SIGINT, SIGTERM, SIGKILL};
    for (std::uint32_t round = 0; round < 10; ++round) {
        const int signal = kSignals[round % kSignals.size()];
        const auto delay = std::chrono::milliseconds(static_cast<int>(3000 * moments.uniform(round)));
        SCOPED_TRACE(std::to_string(signal) + " after " + std::to_string(delay.count()) + " ms");
        (void)end(signal, delay);
        if (std::filesystem::exists(database())) test::expectHonest(database());
    }
    // The interrupted run can be completed.
    const auto runs = call({"history", "list", "--json", "--db", database()}).json()["runs"];
    ASSERT_FALSE(runs.empty());
    const auto unfinished =
        std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run["finished"].is_null(); });
    ASSERT_GT(unfinished, 0);
    const auto resumed = call({"run", "--resume", "--json", "--db", database()});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(resumed.json()["records"].size(), 6U);
    test::expectHonest(database());
}

}  // namespace
}  // namespace steelyard::cli

// SPDX-License-Identifier: Apache-2.0
// Termination of the desktop program by the system instead of the user.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "engine/bench/run/child_process.h"
#include "tests/support/temporary_folder.h"

namespace steelyard {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 60s;

class Ending : public testing::TestWithParam<int> {
protected:
    // The socket through which a second start would find this window.
    [[nodiscard]] bool hasSocket() const {
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.path()))
            if (entry.is_socket()) return true;
        return false;
    }
    [[nodiscard]] bool waitForSocket() const {
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (!hasSocket() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(10ms);
        return hasSocket();
    }
    test::TemporaryFolder m_folder;
};

TEST_P(Ending, ASignalLeavesNothingBehind) {
    const auto folder = m_folder.path().string();
    bench::ChildCommand command;
    command.arguments = {STEELYARD_WINDOW};
    command.environment = {{"HOME", folder},
                           {"TMPDIR", folder},
                           {"XDG_DATA_HOME", folder + "/data"},
                           {"XDG_CONFIG_HOME", folder + "/config"},
                           {"XDG_CACHE_HOME", folder + "/cache"},
                           {"XDG_RUNTIME_DIR", folder},
                           {"QT_QPA_PLATFORM", "offscreen"}};
    auto window = bench::ChildProcess::start(command);
    ASSERT_TRUE(window.has_value()) << describe(window.error());
    ASSERT_TRUE(waitForSocket());
    ASSERT_EQ(::kill(window->pid(), GetParam()), 0);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!window->atEnd() && std::chrono::steady_clock::now() < end) (void)window->readLine(100ms);
    ASSERT_TRUE(window->atEnd()) << "it goes on";
    const auto exit = window->wait();
    EXPECT_EQ(exit.code, 128 + GetParam()) << exit.standardErrorTail;
    EXPECT_FALSE(hasSocket());
}
INSTANTIATE_TEST_SUITE_P(Signals, Ending, testing::Values(SIGTERM, SIGINT, SIGHUP));

}  // namespace
}  // namespace steelyard

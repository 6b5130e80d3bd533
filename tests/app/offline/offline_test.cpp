// SPDX-License-Identifier: Apache-2.0
// The programs use no network: they run under a seccomp filter that kills any process that opens a non-local socket.
// Measuring processes inherit the filter; a killed one makes its case fail.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace steelyard {
namespace {

// Allows everything but socket(domain, ...) with a domain that is not AF_UNIX.
bool forbidNetwork() {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

constexpr int kNoFilter = 125;

// The program's wait status, with HOME in `folder` and its output in `folder`/output.
int runOffline(const test::TemporaryFolder& folder, std::vector<std::string> arguments) {
    const auto output = (folder / "output").string();
    const auto home = folder.path().string();
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("HOME", home.c_str(), 1);
        ::unsetenv("XDG_DATA_HOME");
        ::unsetenv("XDG_CACHE_HOME");
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
        if (::freopen(output.c_str(), "w", stdout) == nullptr || ::dup2(1, 2) < 0 || !forbidNetwork())
            ::_exit(kNoFilter);
        std::vector<char*> values;
        for (auto& argument : arguments) values.push_back(argument.data());
        values.push_back(nullptr);
        ::execv(values[0], values.data());
        ::_exit(kNoFilter);
    }
    int status = -1;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

class Offline : public testing::Test {
protected:
    void expectSuccess(const std::vector<std::string>& arguments) {
        const int status = runOffline(m_folder, arguments);
        const auto output = test::TemporaryFolder::slurp(m_folder / "output");
        if (WIFEXITED(status) && WEXITSTATUS(status) == kNoFilter) GTEST_SKIP() << "this system has no such filter";
        EXPECT_FALSE(WIFSIGNALED(status)) << arguments[1] << " ended by signal " << WTERMSIG(status) << '\n' << output;
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << arguments[1] << '\n' << output;
    }
    test::TemporaryFolder m_folder;
};

TEST_F(Offline, TheFilterKillsWhoOpensASocket) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (!forbidNetwork()) ::_exit(kNoFilter);
        ::close(::socket(AF_UNIX, SOCK_STREAM, 0));
        ::close(::socket(AF_INET, SOCK_STREAM, 0));
        ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNoFilter) GTEST_SKIP() << "this system has no such filter";
    EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(Offline, CommandLine) {
    const std::string cli = STEELYARD_CLI;
    expectSuccess({cli, "detect", "--json"});
    expectSuccess({cli, "doctor"});
    expectSuccess({cli, "list", "workloads"});
    expectSuccess({cli, "run", "--workload", "mnist_mlp", "--device", "cpu", "--time-cap", "0.2"});
    expectSuccess({cli, "advise", "--workload", "resnet50", "--epochs", "1", "--samples", "1000", "--mode", "train"});
    expectSuccess({cli, "report", "--output", (m_folder / "report.html").string()});
}

#ifdef STEELYARD_WINDOW
TEST_F(Offline, DesktopProgram) {
    expectSuccess(
        {STEELYARD_CLI, "run", "--workload", "mnist_mlp", "--mode", "infer", "--device", "cpu", "--time-cap", "0.2"});
    expectSuccess({STEELYARD_WINDOW, "--export-report", (m_folder / "report.pdf").string(), "--run", "latest"});
}
#endif

}  // namespace
}  // namespace steelyard

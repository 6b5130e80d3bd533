// SPDX-License-Identifier: Apache-2.0
#include "tests/app/hostile/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace steelyard::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::minutes(2);
constexpr int kNotStarted = 125;

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

Finish runProgram(const std::vector<std::string>& arguments, const Start& start) {
    const TemporaryFolder streams;
    const auto outFile = streams / "out", errFile = streams / "err";
    std::vector<std::string> words{start.program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables;
    for (const auto& [name, value] : start.environment) variables.push_back(name + "=" + value);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0);
        const int in = ::open("/dev/null", O_RDONLY);
        const int out = ::open(outFile.c_str(), O_WRONLY | O_CREAT, 0600);
        const int err = ::open(errFile.c_str(), O_WRONLY | O_CREAT, 0600);
        if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0 || ::chdir(start.folder.c_str()) != 0)
            ::_exit(kNotStarted);
        if (start.before) start.before();
        ::execve(words[0].c_str(), pointersTo(words).data(), pointersTo(variables).data());
        ::_exit(kNotStarted);
    }
    Finish finish;
    const auto began = Clock::now();
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        const auto passed = Clock::now() - began;
        finish.hung = passed > kPatience;
        if (finish.hung || (start.killAfter && passed > *start.killAfter)) {
            ::kill(finish.hung ? -child : child, SIGKILL);
            ::waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (WIFEXITED(status)) finish.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) finish.signal = WTERMSIG(status);
    finish.out = TemporaryFolder::slurp(outFile);
    finish.err = TemporaryFolder::slurp(errFile);
    EXPECT_NE(finish.code, kNotStarted) << "the program was not started";
    return finish;
}

}  // namespace steelyard::test

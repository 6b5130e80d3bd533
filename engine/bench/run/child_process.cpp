// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

extern char** environ;

namespace steelyard::bench {
namespace {

constexpr std::size_t kErrorTail = 4096;

struct Pipe {
    int read = -1, write = -1;
    [[nodiscard]] bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        read = ends[0];
        write = ends[1];
        return true;
    }
    void closeBoth() {
        closeEnd(read);
        closeEnd(write);
    }
    static void closeEnd(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
};

std::vector<std::string> mergedEnvironment(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> merged;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (!changes.contains(std::string(text.substr(0, text.find('='))))) merged.emplace_back(text);
    }
    for (const auto& [name, value] : changes) merged.push_back(name + "=" + value);
    return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (auto& text : strings) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

void writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const auto count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;  // the child has exited; its status tells why
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ChildCommand& command) {
    Pipe input;
    Pipe output;
    Pipe error;
    if (!input.open() || !output.open() || !error.open()) {
        const int failure = errno;
        for (auto* pipe : {&input, &output, &error}) pipe->closeBoth();
        return Failure(errorFromErrno(failure, command.arguments.front()));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.read, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error.write, STDERR_FILENO);
    // A separate process group: Ctrl-C at the terminal only reaches the runner, which then terminates the child.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);

    auto arguments = command.arguments;
    auto environment = mergedEnvironment(command.environment);
    ChildProcess child;
    const int failure = ::posix_spawn(&child.m_pid, arguments.front().c_str(), &actions, &attributes,
                                      pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    Pipe::closeEnd(input.read);
    Pipe::closeEnd(output.write);
    Pipe::closeEnd(error.write);
    if (failure != 0) {
        child.m_pid = -1;
        for (auto* pipe : {&input, &output, &error}) pipe->closeBoth();
        return Failure(errorFromErrno(failure, command.arguments.front()));
    }
    child.m_output = output.read;
    child.m_error = error.read;
    ::fcntl(child.m_output, F_SETFL, O_NONBLOCK);
    ::fcntl(child.m_error, F_SETFL, O_NONBLOCK);
    writeAll(input.write, command.standardInput);
    Pipe::closeEnd(input.write);
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)),
      m_output(std::exchange(other.m_output, -1)),
      m_error(std::exchange(other.m_error, -1)),
      m_outputEnded(other.m_outputEnded),
      m_buffer(std::move(other.m_buffer)),
      m_errorTail(std::move(other.m_errorTail)) {}

ChildProcess::~ChildProcess() {
    if (m_pid > 0) {
        kill();
        (void)wait();
    }
    Pipe::closeEnd(m_output);
    Pipe::closeEnd(m_error);
}

void ChildProcess::readAvailable(std::chrono::milliseconds timeout) {
    std::array<pollfd, 2> ends{pollfd{m_output, POLLIN, 0}, pollfd{m_error, POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), static_cast<int>(timeout.count())) <= 0) return;
    std::array<char, 65536> chunk{};
    if (ends[1].revents != 0) {
        const auto count = ::read(m_error, chunk.data(), chunk.size());
        if (count > 0) {
            m_errorTail.append(chunk.data(), static_cast<std::size_t>(count));
            if (m_errorTail.size() > kErrorTail) m_errorTail.erase(0, m_errorTail.size() - kErrorTail);
        } else if (count == 0) {
            Pipe::closeEnd(m_error);
        }
    }
    if (ends[0].revents != 0) {
        const auto count = ::read(m_output, chunk.data(), chunk.size());
        if (count > 0) {
            const auto room = kMaximumLine > m_buffer.size() ? kMaximumLine - m_buffer.size() : 0;
            const bool hasNewline =
                std::string_view(chunk.data(), static_cast<std::size_t>(count)).find('\n') != std::string_view::npos;
            m_buffer.append(chunk.data(), hasNewline ? static_cast<std::size_t>(count)
                                                     : std::min(room, static_cast<std::size_t>(count)));
        } else if (count == 0) {
            m_outputEnded = true;
            Pipe::closeEnd(m_output);
        }
    }
}

std::optional<std::string> ChildProcess::readLine(std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        if (const auto newline = m_buffer.find('\n'); newline != std::string::npos) {
            auto line = m_buffer.substr(0, newline);
            m_buffer.erase(0, newline + 1);
            return line;
        }
        if (m_outputEnded) {
            if (m_buffer.empty()) return std::nullopt;
            return std::exchange(m_buffer, {});
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return std::nullopt;
        readAvailable(left);
    }
}

void ChildProcess::terminate() {
    if (m_pid > 0) ::kill(m_pid, SIGTERM);
}

void ChildProcess::kill() {
    if (m_pid > 0) ::kill(m_pid, SIGKILL);
}

ChildExit ChildProcess::wait() {
    ChildExit result;
    int status = 0;
    rusage usage{};
    while (::wait4(m_pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    while (m_error >= 0) {  // remaining output
        std::array<char, 4096> chunk{};
        const auto count = ::read(m_error, chunk.data(), chunk.size());
        if (count <= 0) break;
        m_errorTail.append(chunk.data(), static_cast<std::size_t>(count));
        if (m_errorTail.size() > kErrorTail) m_errorTail.erase(0, m_errorTail.size() - kErrorTail);
    }
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.peakResidentBytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
    result.standardErrorTail = m_errorTail;
    return result;
}

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// A child process whose standard input is written at start and whose standard output is read line by line. Each case is
// measured in its own process, so that a crash or the OOM killer ends only that case. One thread; the destructor kills
// and reaps a running child.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::bench {

struct ChildCommand {
    std::vector<std::string> arguments;              // [0] is the path of the executable
    std::map<std::string, std::string> environment;  // added to this process's environment
    std::string standardInput;                       // at most the pipe buffer (64 KiB)
};

struct ChildExit {
    std::optional<int> code;    // set if it exited
    std::optional<int> signal;  // set if it was killed by a signal
    std::int64_t peakResidentBytes = 0;
    std::string standardErrorTail;  // the last 4 KiB
};

class ChildProcess {
public:
    [[nodiscard]] static Result<ChildProcess> start(const ChildCommand& command);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ChildProcess(const ChildProcess&) = delete;
    ~ChildProcess();

    // The next complete line without its newline; nullopt after `timeout` or at end of output (then atEnd()). Lines
    // longer than kMaximumLine are truncated.
    [[nodiscard]] std::optional<std::string> readLine(std::chrono::milliseconds timeout);
    [[nodiscard]] bool atEnd() const { return m_outputEnded && m_buffer.empty(); }

    void terminate();  // SIGTERM
    void kill();       // SIGKILL
    [[nodiscard]] pid_t pid() const { return m_pid; }
    // Waits for termination (call after atEnd() or kill()). Call once.
    [[nodiscard]] ChildExit wait();

    static constexpr std::size_t kMaximumLine = 16U << 20;

private:
    ChildProcess() = default;
    void readAvailable(std::chrono::milliseconds timeout);

    pid_t m_pid = -1;
    int m_output = -1;
    int m_error = -1;
    bool m_outputEnded = false;
    std::string m_buffer;
    std::string m_errorTail;
};

}  // namespace steelyard::bench

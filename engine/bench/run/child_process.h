// SPDX-License-Identifier: Apache-2.0
// A child process whose standard input is given at once and whose standard output is read line by line. Used to measure
// each case in a process of its own: a crash or the out-of-memory killer then ends one case and nothing else.
// One thread; the destructor kills a child that still runs and reaps it.
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
    std::vector<std::string> arguments;              // [0] is the executable's path
    std::map<std::string, std::string> environment;  // added to, or replacing, this process's
    std::string standardInput;                       // small: at most what a pipe buffers (64 KiB)
};

struct ChildExit {
    std::optional<int> code;    // set when it exited by itself
    std::optional<int> signal;  // set when a signal ended it
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

    // The next complete line without its newline; nullopt after `timeout` or at the end of the output (then atEnd()).
    // A line longer than kMaximumLine is cut there and the rest dropped.
    [[nodiscard]] std::optional<std::string> readLine(std::chrono::milliseconds timeout);
    [[nodiscard]] bool atEnd() const { return m_outputEnded && m_buffer.empty(); }

    void terminate();  // SIGTERM
    void kill();       // SIGKILL
    [[nodiscard]] pid_t pid() const { return m_pid; }
    // Waits for the end (call after atEnd() or kill()) and reports it. Once.
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

// SPDX-License-Identifier: Apache-2.0
// Runs the command line as a process with a given folder, environment and limits.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace steelyard::test {

struct Start {
    std::filesystem::path folder;                    // the current folder
    std::map<std::string, std::string> environment;  // all of it
    std::function<void()> before;                    // in the child, before the program: limits
    std::filesystem::path program = STEELYARD_CLI;
    std::optional<std::chrono::milliseconds> killAfter;  // SIGKILL after this time
};

struct Finish {
    std::optional<int> code, signal;
    bool hung = false;  // still running after two minutes
    std::string out, err;

    [[nodiscard]] std::string all() const { return out + err; }
};

[[nodiscard]] Finish runProgram(const std::vector<std::string>& arguments, const Start& start);

}  // namespace steelyard::test

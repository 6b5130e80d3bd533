// SPDX-License-Identifier: Apache-2.0
// Starts the command line as its users do: a process with a folder, an environment and limits of its own.
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
    std::optional<std::chrono::milliseconds> killAfter;  // SIGKILL then
};

struct Finish {
    std::optional<int> code, signal;
    bool hung = false;  // it was still there after two minutes
    std::string out, err;

    [[nodiscard]] std::string all() const { return out + err; }
};

[[nodiscard]] Finish runProgram(const std::vector<std::string>& arguments, const Start& start);

}  // namespace steelyard::test

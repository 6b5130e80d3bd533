// SPDX-License-Identifier: Apache-2.0
// Runs the command line as a function, with separate streams, home folder and clock.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace steelyard::cli {

struct Outcome {
    int code = -1;
    std::string out;
    std::string err;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

class CliTest : public ::testing::Test {
protected:
    CliTest();
    Outcome call(const std::vector<std::string>& arguments);
    // A shell script in the temporary folder, executable.
    std::filesystem::path script(const std::string& name, const std::string& body) const;

    test::TemporaryFolder m_folder;
    std::filesystem::path m_executable = STEELYARD_CLI;
    std::atomic<int> m_interrupted{0};
    std::string m_path;   // what the command line takes for PATH; empty: unset
    std::string m_input;  // its standard input
};

}  // namespace steelyard::cli

// SPDX-License-Identifier: Apache-2.0
// Runs a shell command and captures its output, for tests.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace steelyard::test {

struct Said {
    int code = -1;     // -1: it could not be started, or was ended by a signal
    std::string text;  // standard output and error together
};

inline Said shell(const std::string& command) {
    Said said;
    FILE* pipe = ::popen(("{ " + command + "\n} 2>&1").c_str(), "r");
    if (pipe == nullptr) return said;
    std::array<char, 4096> chunk{};
    for (std::size_t count = 0; (count = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
        said.text.append(chunk.data(), count);
    const int status = ::pclose(pipe);
    if (WIFEXITED(status)) said.code = WEXITSTATUS(status);
    return said;
}

}  // namespace steelyard::test

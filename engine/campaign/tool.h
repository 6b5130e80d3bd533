// SPDX-License-Identifier: Apache-2.0
// Runs a program of an engine (sbatch, sky, kubectl, sh) to its end and keeps what it said. Blocks; any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::campaign {

struct ToolOutput {
    int code = 0;       // 128 + N after signal N, as a shell says it
    std::string out;    // standard output
    std::string error;  // the end of standard error, at most 4 KiB
};

struct ToolOptions {
    std::string path;                   // folders of programs, as in PATH; the first word may also be a path
    std::chrono::seconds timeout{600};  // then it is killed: TimedOut
    std::function<bool()> cancelled;    // asked several times a second; the program is then ended: Cancelled
};

// Whether `name` can be run, by the folders of `path`.
[[nodiscard]] bool isToolThere(const std::string& name, std::string_view path);

// NotFound when there is no such program. A program that ends with a code other than 0 is no error here.
[[nodiscard]] Result<ToolOutput> runTool(const std::vector<std::string>& words, const ToolOptions& options);

// What a program that failed had to say: its standard error, or its output, or its code.
[[nodiscard]] Error toolError(const std::vector<std::string>& words, const ToolOutput& output);

}  // namespace steelyard::campaign

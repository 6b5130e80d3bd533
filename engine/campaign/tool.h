// SPDX-License-Identifier: Apache-2.0
// Runs an engine's program (sbatch, sky, kubectl, sh) to completion and captures its output. Blocks; any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::campaign {

struct ToolOutput {
    int code = 0;       // 128 + N after signal N, as in a shell
    std::string out;    // standard output
    std::string error;  // the last 4 KiB of standard error
};

struct ToolOptions {
    std::string path;                   // search path as in PATH; the program may also be a path
    std::chrono::seconds timeout{600};  // then it is killed: TimedOut
    std::function<bool()> cancelled;    // polled several times a second; the program is then terminated: Cancelled
};

// Whether `name` is found in the folders of `path` and is executable.
[[nodiscard]] bool isToolThere(const std::string& name, std::string_view path);

// NotFound if there is no such program. A nonzero exit code is not an error here.
[[nodiscard]] Result<ToolOutput> runTool(const std::vector<std::string>& words, const ToolOptions& options);

// Message of a failed program: its standard error, else its output, else its exit code.
[[nodiscard]] Error toolError(const std::vector<std::string>& words, const ToolOutput& output);

}  // namespace steelyard::campaign

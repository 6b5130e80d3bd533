// SPDX-License-Identifier: Apache-2.0
// The command line as a function, so that tests can call it with their own streams.
#pragma once

#include <string>
#include <vector>

namespace steelyard::cli {

struct CommandContext;

// `arguments` without the program name. Returns the exit code (README).
[[nodiscard]] int runCli(const std::vector<std::string>& arguments, CommandContext& context);

}  // namespace steelyard::cli

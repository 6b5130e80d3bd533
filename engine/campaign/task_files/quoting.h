// SPDX-License-Identifier: Apache-2.0
// Quoting for task files: any text is either read back unchanged by the shell, YAML parser or Slurm, or refused. Pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::campaign {

// One POSIX shell word.
[[nodiscard]] std::string shellQuoted(std::string_view text);
// Words joined to a command.
[[nodiscard]] std::string commandLine(const std::vector<std::string>& words);

// A double-quoted YAML 1.2 scalar on one line.
[[nodiscard]] std::string yamlQuoted(std::string_view text);
// A literal block ("|") after "key: ", with each line indented by the given number of spaces.
[[nodiscard]] std::string yamlBlock(std::string_view text, std::size_t indent);

// InvalidArgument naming `what` if the text is not UTF-8, or contains control characters or line separators, which
// would break lines of scripts, comments and directives.
[[nodiscard]] Result<void> checkLine(std::string_view what, std::string_view text);
// Letters, digits and "-_.,:@[]", without a leading "-": names of hosts, partitions, accounts. Empty is accepted.
[[nodiscard]] Result<void> checkPlainName(std::string_view what, std::string_view text);
// A DNS label (RFC 1123), or empty.
[[nodiscard]] Result<void> checkDnsLabel(std::string_view what, std::string_view text);

}  // namespace steelyard::campaign

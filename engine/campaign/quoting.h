// SPDX-License-Identifier: Apache-2.0
// Text in task files: whatever a name contains, a shell, a YAML parser or Slurm reads it back as it is, or it is
// refused. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::campaign {

// One word of a POSIX shell.
[[nodiscard]] std::string shellQuoted(std::string_view text);
// Words as one command.
[[nodiscard]] std::string commandLine(const std::vector<std::string>& words);

// A double-quoted scalar of YAML 1.2, on one line.
[[nodiscard]] std::string yamlQuoted(std::string_view text);
// A literal block ("|"), each line indented by so many blanks, after a "key: ".
[[nodiscard]] std::string yamlBlock(std::string_view text, std::size_t indent);

// InvalidArgument naming `what` when the text has control characters or line separators, which no task file needs and
// which break lines of scripts, comments and directives; or is not UTF-8.
[[nodiscard]] Result<void> checkLine(std::string_view what, std::string_view text);
// Letters, digits and "-_.,:@[]", not beginning with "-": names of hosts, partitions, accounts. Empty is accepted.
[[nodiscard]] Result<void> checkPlainName(std::string_view what, std::string_view text);
// A DNS label (RFC 1123), or empty.
[[nodiscard]] Result<void> checkDnsLabel(std::string_view what, std::string_view text);

}  // namespace steelyard::campaign

// SPDX-License-Identifier: Apache-2.0
// Errors of a run rather than of a case, reported among its events (`run --events jsonl`): otherwise the reader of the
// events could not know that nothing is measured or stored. Plain values.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace steelyard::bench {

struct RunIssue {
    enum class Kind {
        Refused,    // nothing will be measured
        NotStored,  // the history cannot store the run; it continues and is written to a file at the end
    };
    Kind kind = Kind::Refused;
    Error error;       // kind, subject and detail are serialized
    std::string file;  // NotStored: file with the complete run, ready for import; empty until the end

    friend bool operator==(const RunIssue&, const RunIssue&) = default;
};

// {"event": "not_stored", "error": {"kind", "subject", "detail"}, "file": ...}
[[nodiscard]] std::string toJsonLine(const RunIssue& issue);
// CorruptData for any other line, for example an event.
[[nodiscard]] Result<RunIssue> runIssueFromJson(std::string_view line);

}  // namespace steelyard::bench

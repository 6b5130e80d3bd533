// SPDX-License-Identifier: Apache-2.0
// What goes wrong around a run rather than in a case, as lines among its events (`run --events jsonl`): who reads the
// events has no other way to learn that nothing was measured, or that what is measured is not stored. Plain values.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace steelyard::bench {

struct RunIssue {
    enum class Kind {
        Refused,    // nothing is measured
        NotStored,  // the history cannot take the run; it goes on, and at its end all of it is put into a file
    };
    Kind kind = Kind::Refused;
    Error error;       // kind, subject and detail cross the border
    std::string file;  // of NotStored: where the whole run is, ready to be imported; empty before the end

    friend bool operator==(const RunIssue&, const RunIssue&) = default;
};

// {"event": "not_stored", "error": {"kind", "subject", "detail"}, "file": ...}
[[nodiscard]] std::string toJsonLine(const RunIssue& issue);
// CorruptData when the line is anything else, an event for instance.
[[nodiscard]] Result<RunIssue> runIssueFromJson(std::string_view line);

}  // namespace steelyard::bench

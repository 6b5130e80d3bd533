// SPDX-License-Identifier: Apache-2.0
// Handles a run that cannot be stored in the history (full disk, deleted file): reported at once as an event, and at
// the end the complete run is written to a file that can be imported. Does not throw.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_context.h"
#include "engine/bench/record/record.h"

namespace steelyard::cli {

class HistoryIssue {
public:
    // `events`: standard output is JSON lines.
    HistoryIssue(CommandContext& context, bool events) : m_context(context), m_events(events) {}

    explicit operator bool() const { return m_error.has_value(); }

    void begin(const Error& error);
    // Sets the exit code and reports on err what happened and where the run was saved.
    void end(const bench::RunRecord& run);

private:
    void tell(const Error& error, std::string file);

    CommandContext& m_context;
    bool m_events;
    std::optional<Error> m_error;
};

}  // namespace steelyard::cli

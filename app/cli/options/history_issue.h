// SPDX-License-Identifier: Apache-2.0
// A run that the history cannot take (full disk, deleted file): told at once where events are read, and at the end put
// whole into a file that can be imported. Nothing is thrown.
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
    // Sets the exit code and says on err what happened and where the run is.
    void end(const bench::RunRecord& run);

private:
    void tell(const Error& error, std::string file);

    CommandContext& m_context;
    bool m_events;
    std::optional<Error> m_error;
};

}  // namespace steelyard::cli

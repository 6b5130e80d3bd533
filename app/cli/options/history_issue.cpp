// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/history_issue.h"

#include <fmt/ostream.h>

#include <filesystem>
#include <ostream>
#include <vector>

#include "engine/bench/record/record_json.h"
#include "engine/bench/run/run_issue.h"
#include "engine/bench/run/suite_runner.h"
#include "engine/core/file_io.h"

namespace steelyard::cli {
namespace {

// On different file systems, as one may be full and another not. The last one is in memory.
std::vector<std::filesystem::path> placesToKeep(const CommandContext& context) {
    std::error_code none;
    std::vector<std::filesystem::path> places{std::filesystem::temp_directory_path(none)};
    for (const auto* name : {"HOME", "XDG_RUNTIME_DIR"}) {
        if (const auto* folder = context.environment(name); folder && *folder) places.emplace_back(folder);
    }
    places.emplace_back("/dev/shm");
    return places;
}

// The file that was written; the first place's error if all fail.
Result<std::filesystem::path> keepElsewhere(const CommandContext& context, bench::RunRecord run) {
    const auto name = "steelyard-run-" + run.id + ".json";
    run.id = bench::newRunId(context.clock);  // parts of the run may be in the history under its original id
    const auto text = bench::resultsToJson({run}) + "\n";
    std::optional<Error> first;
    for (const auto& place : placesToKeep(context)) {
        const auto kept = writeFileAtomically(place / name, text);
        if (kept) return place / name;
        if (!first) first = kept.error();
    }
    return Failure(*first);
}

}  // namespace

void HistoryIssue::begin(const Error& error) {
    m_error = error;
    if (m_events) tell(error, {});  // without events it is reported at the end, below the table
}

void HistoryIssue::end(const bench::RunRecord& run) {
    m_context.report(*m_error, kSomeCaseFailed);
    const auto file = keepElsewhere(m_context, run);
    if (!file) return m_context.report(file.error(), kSomeCaseFailed);
    fmt::print(m_context.err, "the complete run was saved to {0}; import it with: steelyard-cli history import {0}\n",
               file->string());
    if (m_events) tell(*m_error, file->string());
}

void HistoryIssue::tell(const Error& error, std::string file) {
    const bench::RunIssue issue{bench::RunIssue::Kind::NotStored, error, std::move(file)};
    m_context.out << bench::toJsonLine(issue) << std::endl;
}

}  // namespace steelyard::cli

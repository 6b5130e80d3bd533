// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/run_issue.h"

#include "engine/core/json/json_document.h"

namespace steelyard::bench {
namespace {

std::string_view nameOf(RunIssue::Kind kind) {
    return kind == RunIssue::Kind::Refused ? "refused" : "not_stored";
}

std::optional<RunIssue::Kind> kindFromString(std::string_view name) {
    for (const auto kind : {RunIssue::Kind::Refused, RunIssue::Kind::NotStored}) {
        if (name == nameOf(kind)) return kind;
    }
    return std::nullopt;
}

}  // namespace

std::string toJsonLine(const RunIssue& issue) {
    const auto& error = issue.error;
    Json json{{"event", nameOf(issue.kind)}, {"error", {{"kind", toString(error.kind)}, {"subject", error.subject}}}};
    writeMessage(json["error"], "detail", error.detail);
    if (!issue.file.empty()) json["file"] = issue.file;
    return dumpJson(json);
}

Result<RunIssue> runIssueFromJson(std::string_view line) {
    return readDocument<RunIssue>(line, [](JsonReader& reader, RunIssue& issue) {
        if (reader.demand("event") != nullptr) reader.readName("event", issue.kind, kindFromString);
        if (reader.demand("error") == nullptr) return;
        reader.object("error", [&](JsonReader& error) {
            error.readName("kind", issue.error.kind, errorKindFromString);
            error.read("subject", issue.error.subject);
            error.read("detail", issue.error.detail);
        });
        reader.read("file", issue.file);
    });
}

}  // namespace steelyard::bench

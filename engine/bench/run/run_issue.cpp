// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run/run_issue.h"

#include "engine/bench/record/record_json_parts.h"

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
    Json json{{"event", nameOf(issue.kind)},
              {"error", {{"kind", toString(error.kind)}, {"subject", error.subject}, {"detail", error.detail}}}};
    if (!issue.file.empty()) json["file"] = issue.file;
    return dumpJson(json);
}

Result<RunIssue> runIssueFromJson(std::string_view line) {
    return readDocument(line, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        RunIssue issue;
        JsonReader reader(json, path, error);
        if (reader.demand("event") != nullptr) reader.readName("event", issue.kind, kindFromString);
        if (const auto* told = reader.demand("error")) {
            JsonReader fields(*told, reader.pathOf("error"), error);
            fields.readName("kind", issue.error.kind, errorKindFromString);
            fields.read("subject", issue.error.subject);
            fields.read("detail", issue.error.detail);
        }
        reader.read("file", issue.file);
        return issue;
    });
}

}  // namespace steelyard::bench

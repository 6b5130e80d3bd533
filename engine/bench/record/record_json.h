// SPDX-License-Identifier: Apache-2.0
// Records, runs and events as JSON text, by the contract of resources/schemas. The writer emits every field (unknown is
// null, and so is a figure that is not finite); an event has the fields of its kind, and others only where set. The
// readers accept unknown fields, leave absent ones at their defaults, and refuse wrong types with the path of the
// offending member as the error's subject (CorruptData). Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"

namespace steelyard::bench {

[[nodiscard]] std::string toJson(const CaseRecord& record, int indent = -1);
[[nodiscard]] Result<CaseRecord> caseRecordFromJson(std::string_view text);

[[nodiscard]] std::string toJson(const Case& spec, int indent = -1);
[[nodiscard]] Result<Case> caseFromJson(std::string_view text);

// The profile text becomes the member "profile", parsed (null when it is empty or not JSON); reading it back gives the
// compact text.
[[nodiscard]] std::string toJson(const RunRecord& run, int indent = -1);
[[nodiscard]] Result<RunRecord> runRecordFromJson(std::string_view text);

// The exported file: {"format": "steelyard-results", "version": 1, "runs": [...]}. Reading refuses another format
// (CorruptData), a later version (VersionTooNew), and a run that has no id or the id of another.
inline constexpr std::string_view kResultsFormat = "steelyard-results";
inline constexpr int kResultsVersion = 1;
[[nodiscard]] std::string resultsToJson(const std::vector<RunRecord>& runs, int indent = 2);
[[nodiscard]] Result<std::vector<RunRecord>> resultsFromJson(std::string_view text);

// One line, no trailing newline.
[[nodiscard]] std::string toJsonLine(const Event& event);
[[nodiscard]] Result<Event> eventFromJson(std::string_view line);

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Records, runs and events as JSON text, following resources/schemas. The writer emits every field (unknown and
// non-finite values as null); events have the fields of their kind, and optional ones only if set. The readers ignore
// unknown fields, leave missing ones at their defaults, and report wrong types with the member's path as the error's
// subject (CorruptData). Pure functions; any thread.
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

// The profile text becomes the member "profile", parsed (null if it is empty or not JSON); reading gives the compact
// text.
[[nodiscard]] std::string toJson(const RunRecord& run, int indent = -1);
[[nodiscard]] Result<RunRecord> runRecordFromJson(std::string_view text);

// Export file: {"format": "steelyard-results", "version": 1, "runs": [...]}. Reading rejects other formats and missing
// or duplicate run ids (CorruptData) and later versions (VersionTooNew).
inline constexpr std::string_view kResultsFormat = "steelyard-results";
inline constexpr int kResultsVersion = 1;
[[nodiscard]] std::string resultsToJson(const std::vector<RunRecord>& runs, int indent = 2);
[[nodiscard]] Result<std::vector<RunRecord>> resultsFromJson(std::string_view text);

// One line, no trailing newline.
[[nodiscard]] std::string toJsonLine(const Event& event);
[[nodiscard]] Result<Event> eventFromJson(std::string_view line);

}  // namespace steelyard::bench

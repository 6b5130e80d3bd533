// SPDX-License-Identifier: Apache-2.0
// The result returned by a machine: a file in the results folder, and the same in its log, line by line. Logs of
// several machines may be interleaved, prefixed, truncated and repeated: each line carries the hash of its result, and
// only complete results count. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

// Exit codes of `campaign measure`, from which engines decide about another attempt.
inline constexpr int kMeasured = 0, kTryAgain = 1, kCannotFit = 2;

// {"format": "steelyard-campaign-result", "version": 1, ...}
inline constexpr std::string_view kResultFormat = "steelyard-campaign-result";
inline constexpr int kResultVersion = 1;

struct TaskResult {
    std::string campaign, candidate;
    int rank = 0, nodes = 1;
    std::string host;
    std::string programVersion;
    int exitCode = kTryAgain;
    Message reason;  // empty if measured
    std::int64_t startedUnixMs = 0, endedUnixMs = 0;
    std::vector<bench::RunRecord> runs;

    friend bool operator==(const TaskResult&, const TaskResult&) = default;
};

[[nodiscard]] std::string toJson(const TaskResult& result, int indent = -1);
[[nodiscard]] Result<TaskResult> taskResultFromJson(std::string_view text);
// "01.r0.json": a file that is overwritten when a task is repeated.
[[nodiscard]] std::string resultFileName(const TaskResult& result);

// The result as lines of a log, each ending in a newline:
//   steelyard-result HASH begin COUNT
//   steelyard-result HASH 1 PIECE
//   steelyard-result HASH end
[[nodiscard]] std::string logLines(const TaskResult& result);
// Identifies its lines in a log: 16 hexadecimal digits of the hash of its text.
[[nodiscard]] std::string resultHash(std::string_view text);

struct ResultsOfLog {
    std::vector<TaskResult> results;  // complete ones without duplicates, in order of end time
    std::vector<std::string> hashes;  // of their texts
    std::vector<std::string> cut;     // hashes of incomplete results
};
// Other lines are skipped.
[[nodiscard]] ResultsOfLog readLog(std::string_view log);

// The outcome of a task's runs: measured if at least one case was; cannot fit if every case ran out of memory or is
// unsupported; otherwise retry, with the first reason.
struct Judgement {
    int exitCode = kTryAgain;
    Message reason;
};
[[nodiscard]] Judgement judge(const std::vector<bench::RunRecord>& runs);

// Step time of the question's case in these runs, in seconds: the fastest device of each run, the slowest run. The band
// is the 95 % interval, if there is one.
[[nodiscard]] std::optional<Band> measuredStep(const Question& question, const Candidate& candidate,
                                               const std::vector<bench::RunRecord>& runs);

// Updates the candidate, except for its runs: state, reason, times, step. A result of another program version adds a
// remark to the reason. The failure of an attempt before the latest one changes nothing.
void applyResult(Campaign& campaign, Candidate& candidate, const TaskResult& result);

}  // namespace steelyard::campaign

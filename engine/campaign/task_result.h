// SPDX-License-Identifier: Apache-2.0
// What a machine brings back: a file in the results folder, and the same in its log, line by line. Logs of several
// machines may be mixed, prefixed, cut and repeated: each line carries the name of its result, and only complete ones
// count. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

// Exit codes of `campaign measure`, by which engines decide on another attempt.
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
    Message reason;  // empty when it was measured
    std::int64_t startedUnixMs = 0, endedUnixMs = 0;
    std::vector<bench::RunRecord> runs;

    friend bool operator==(const TaskResult&, const TaskResult&) = default;
};

[[nodiscard]] std::string toJson(const TaskResult& result, int indent = -1);
[[nodiscard]] Result<TaskResult> taskResultFromJson(std::string_view text);
// "01.r0.json": a file that begins anew when a task is repeated.
[[nodiscard]] std::string resultFileName(const TaskResult& result);

// The result as lines of a log, each ending in a newline:
//   steelyard-result HASH begin COUNT
//   steelyard-result HASH 1 PIECE
//   steelyard-result HASH end
[[nodiscard]] std::string logLines(const TaskResult& result);
// By which its lines are found in a log: 16 hexadecimal digits of its text.
[[nodiscard]] std::string resultHash(std::string_view text);

struct ResultsOfLog {
    std::vector<TaskResult> results;  // the complete ones, each once, in the order of their ends
    std::vector<std::string> hashes;  // of their texts
    std::vector<std::string> cut;     // hashes of those that have begun and are not complete
};
// What does not belong to a result is passed over.
[[nodiscard]] ResultsOfLog readLog(std::string_view log);

// What the runs of a task come to: measured when a case was; cannot fit when every case ended for want of memory or is
// not supported; else try again, with the first reason.
struct Judgement {
    int exitCode = kTryAgain;
    Message reason;
};
[[nodiscard]] Judgement judge(const std::vector<bench::RunRecord>& runs);

// The step of the question's case in these runs, in seconds: the fastest device of each run, the slowest run. The band
// is the 95 % interval where there is one.
[[nodiscard]] std::optional<Band> measuredStep(const Question& question, const Candidate& candidate,
                                               const std::vector<bench::RunRecord>& runs);

// Into the candidate, but for its runs: state, reason, times, step. Of another version a remark in the reason. The
// failure of an attempt before the candidate's last one changes nothing.
void applyResult(Campaign& campaign, Candidate& candidate, const TaskResult& result);

}  // namespace steelyard::campaign

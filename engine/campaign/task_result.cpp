// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/task_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/suite/suite.h"
#include "engine/campaign/campaign_fields.h"
#include "engine/core/hash.h"
#include "engine/core/json/json_document.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"
#include "engine/core/version.h"

namespace steelyard::campaign {
namespace {

constexpr std::string_view kMark = "steelyard-result ";
constexpr std::size_t kPieceBytes = 900;      // lines of 1 KiB are accepted by all logging systems
constexpr std::size_t kMostPieces = 200'000;  // per result
constexpr std::size_t kHashDigits = 16;

// A result being assembled from a log: pieces by number.
struct Pieces {
    std::size_t expected = 0;
    std::map<std::size_t, std::string> pieces;
    bool isDone = false;
};

std::optional<std::size_t> wholeNumber(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > kMostPieces) return {};
    return number;
}

std::string_view takeWord(std::string_view& text) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

// A piece of UTF-8 text that ends at a character boundary.
std::string_view takePiece(std::string_view& text) {
    auto piece = text.substr(0, kPieceBytes);
    if (piece.size() < text.size()) piece.remove_suffix(incompleteTail(piece));
    text.remove_prefix(piece.size());
    return piece;
}

bool isQuestionsCase(const Question& question, const Candidate& candidate, const bench::CaseRecord& record) {
    const auto& spec = record.spec;
    const bool isDevice = candidate.device.empty() || spec.device == candidate.device || candidate.gpus > 1;
    return record.status == bench::Status::Ok && record.stepSeconds && spec.workload == question.workload &&
           plan::toString(spec.mode) == question.mode && spec.batch == question.batch &&
           plan::toString(spec.precision) == question.precision && spec.part == bench::Part::Step && isDevice;
}

}  // namespace

std::string toJson(const TaskResult& result, int indent) {
    Json document{{"format", kResultFormat}, {"version", kResultVersion}};
    document.update(toJsonValue(result));
    return dumpJson(document, indent);
}

Result<TaskResult> taskResultFromJson(std::string_view text) {
    ASSIGN(auto result, readDocument<TaskResult>(text, [](JsonReader& reader, TaskResult& value) {
               reader.requireFormat(kResultFormat, kResultVersion);
               reader.readFields(value);
           }));
    return result;
}

std::string resultFileName(const TaskResult& result) {
    return fmt::format("{}.r{}.json", result.candidate, result.rank);
}

std::string resultHash(std::string_view text) {
    return fmt::format("{:016x}", fnv1a(text));
}

std::string logLines(const TaskResult& result) {
    const auto text = toJson(result);
    const auto hash = resultHash(text);
    std::vector<std::string_view> pieces;
    for (std::string_view rest = text; !rest.empty();) pieces.push_back(takePiece(rest));
    auto lines = fmt::format("{}{} begin {}\n", kMark, hash, pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) lines += fmt::format("{}{} {} {}\n", kMark, hash, i + 1, pieces[i]);
    return lines + fmt::format("{}{} end\n", kMark, hash);
}

ResultsOfLog readLog(std::string_view log) {
    std::map<std::string, Pieces, std::less<>> open;
    ResultsOfLog read;
    while (!log.empty()) {
        const auto end = std::min(log.find('\n'), log.size());
        auto line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto mark = line.find(kMark);
        if (mark == std::string_view::npos) continue;
        line.remove_prefix(mark + kMark.size());
        const auto hash = takeWord(line);
        if (hash.size() != kHashDigits) continue;
        const auto word = takeWord(line);
        if (word == "begin") {
            if (const auto count = wholeNumber(line)) open[std::string(hash)].expected = *count;
            continue;
        }
        const auto found = open.find(hash);
        if (found == open.end() || found->second.isDone) continue;
        auto& pieces = found->second;
        if (const auto number = wholeNumber(word); number && *number <= pieces.expected) {
            pieces.pieces[*number] = line;
        } else if (word == "end" && pieces.pieces.size() == pieces.expected) {
            std::string text;
            for (const auto& [unused, piece] : pieces.pieces) text += piece;
            pieces.isDone = resultHash(text) == hash;
            if (!pieces.isDone) continue;
            pieces.pieces.clear();
            if (auto result = taskResultFromJson(text)) {
                read.results.push_back(std::move(*result));
                read.hashes.emplace_back(hash);
            }
        }
    }
    for (const auto& [hash, pieces] : open)
        if (!pieces.isDone) read.cut.push_back(hash);
    return read;
}

Judgement judge(const std::vector<bench::RunRecord>& runs) {
    Message first;
    bool any = false, allFinal = true;
    for (const auto& run : runs) {
        for (const auto& record : run.records) {
            any = true;
            if (record.status == bench::Status::Ok) return {kMeasured, {}};
            if (first.empty()) first = record.reason;
            if (record.status != bench::Status::OutOfMemory && record.status != bench::Status::Unsupported)
                allFinal = false;
        }
    }
    if (!any) return {kTryAgain, messages::noCaseFinished()};
    if (first.empty()) first = messages::noCaseFinished();
    return {allFinal ? kCannotFit : kTryAgain, std::move(first)};
}

std::optional<Band> measuredStep(const Question& question, const Candidate& candidate,
                                 const std::vector<bench::RunRecord>& runs) {
    std::optional<Band> slowest;
    for (const auto& run : runs) {
        std::optional<Band> fastest;
        for (const auto& record : run.records) {
            if (!isQuestionsCase(question, candidate, record)) continue;
            const auto& step = *record.stepSeconds;
            const Band band{step.ci95Low.value_or(step.median), step.median, step.ci95High.value_or(step.median)};
            if (!fastest || band.median < fastest->median) fastest = band;
        }
        if (fastest && (!slowest || fastest->median > slowest->median)) slowest = fastest;
    }
    return slowest;
}

void applyResult(Campaign& campaign, Candidate& candidate, const TaskResult& result) {
    const auto judged = judge(result.runs);
    const bool isUnderWay = candidate.state == CandidateState::Submitted || candidate.state == CandidateState::Running;
    if (judged.exitCode != kMeasured && isUnderWay && result.endedUnixMs < candidate.submittedUnixMs.value_or(0))
        return;
    candidate.startedUnixMs = std::min(candidate.startedUnixMs.value_or(result.startedUnixMs), result.startedUnixMs);
    candidate.endedUnixMs = std::max(candidate.endedUnixMs.value_or(result.endedUnixMs), result.endedUnixMs);
    if (judged.exitCode != kMeasured) {
        // A valid result of another node or an earlier attempt is kept.
        if (candidate.state == CandidateState::Collected) return;
        const int code = result.runs.empty() ? result.exitCode : judged.exitCode;
        candidate.state = code == kCannotFit ? CandidateState::GivenUp : CandidateState::Failed;
        candidate.reason = result.reason.empty() ? judged.reason : result.reason;
        return;
    }
    candidate.state = CandidateState::Collected;
    candidate.reason = {};
    if (campaign.question) {
        const auto step = measuredStep(*campaign.question, candidate, result.runs);
        // The slowest of several identical machines.
        if (step && (!candidate.measuredStepSeconds || step->median > candidate.measuredStepSeconds->median))
            candidate.measuredStepSeconds = step;
        if (!candidate.measuredStepSeconds) candidate.reason = messages::questionNotMeasured();
        const bool anyDisturbed = std::ranges::any_of(result.runs, [&](const auto& run) {
            return std::ranges::any_of(run.records, [&](const auto& record) {
                return isQuestionsCase(*campaign.question, candidate, record) && bench::wasDisturbed(record);
            });
        });
        if (anyDisturbed) candidate.reason = messages::measuredWhileBusy();
    }
    const bool isOtherSuite =
        std::ranges::any_of(result.runs, [](const auto& run) { return run.suiteVersion != bench::kSuiteVersion; });
    if (isOtherSuite || result.programVersion != programVersion())
        candidate.reason = messages::otherVersion(result.programVersion, programVersion());
}

}  // namespace steelyard::campaign

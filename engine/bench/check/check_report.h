// SPDX-License-Identifier: Apache-2.0
// The result of a machine check: is this computer, or a card bought used, sound? Values; JSON as in
// resources/schemas/check.schema.json.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::bench {

enum class CheckKind {
    Memory,      // patterns written and read back
    Operations,  // each compared with the reference
    Load,        // the same step for a while: results bit by bit, clocks, temperature
};
inline constexpr std::array kCheckKinds{CheckKind::Memory, CheckKind::Operations, CheckKind::Load};
[[nodiscard]] std::string_view toString(CheckKind kind);
[[nodiscard]] std::optional<CheckKind> checkKindFromString(std::string_view name);

enum class CheckState {
    Passed,
    Remarks,    // sound, but something should be known: it became hot, or slower
    Faults,     // a wrong bit, a wrong result, a crash, or a clock far below its rating
    Skipped,    // could not be checked, with the reason
    Cancelled,  // before its end; no fault until then
};
[[nodiscard]] std::string_view toString(CheckState state);
[[nodiscard]] std::optional<CheckState> checkStateFromString(std::string_view name);

inline constexpr std::string_view kMainMemoryDevice = "memory";  // CheckPart::device of the computer's memory

struct CheckPart {
    CheckKind kind = CheckKind::Memory;
    std::string device;  // "memory": the computer's main memory
    std::string deviceName;
    CheckState state = CheckState::Skipped;
    Message finding;                          // one sentence
    std::vector<Message> details;             // what was wrong
    double seconds = 0;                       // that it took
    std::int64_t checked = 0;                 // bytes, cases of operations, or repetitions of the step
    std::int64_t wrong = 0;                   // words, cases, or repetitions
    std::optional<double> firstMhz, lastMhz;  // clock at the beginning and at the end of the load
    std::optional<double> hottestCelsius;
    std::optional<double> throttledFraction;  // of the readings; unset: not known
    std::optional<double> slowdown;           // last steps over first steps; 1.1: 10 % slower

    friend bool operator==(const CheckPart&, const CheckPart&) = default;
};

struct CheckReport {
    std::string computer, programVersion;
    std::int64_t startedUnixMs = 0;
    std::optional<std::int64_t> finishedUnixMs;  // unset: cancelled
    double loadSeconds = 0;                      // requested, per device
    std::vector<CheckPart> parts;

    // Faults if any part has some; otherwise Cancelled, Skipped if nothing was checked, Remarks, or Passed.
    [[nodiscard]] CheckState verdict() const;
    friend bool operator==(const CheckReport&, const CheckReport&) = default;
};

// "This machine is sound: ..." in one sentence.
[[nodiscard]] Message verdictMessage(const CheckReport& report);

// A part of a check, as the child process that runs it receives it on standard input.
struct CheckTask {
    CheckKind kind = CheckKind::Memory;
    std::string device, deviceName;
    double loadSeconds = 60;
    double memoryBytes = 0;  // at most; 0: a share of the free memory
    std::uint64_t seed = 1;

    friend bool operator==(const CheckTask&, const CheckTask&) = default;
};

// A line of the child's output, and of `check --events jsonl`: progress of a part, its result, or the whole report.
struct CheckEvent {
    std::int64_t partIndex = 0, partCount = 0;
    CheckKind kind = CheckKind::Memory;
    std::string device;
    double fraction = 0;  // of the part, 0..1
    std::optional<CheckPart> part;
    std::optional<CheckReport> report;

    friend bool operator==(const CheckEvent&, const CheckEvent&) = default;
};

[[nodiscard]] std::string toJson(const CheckReport& report, int indent = 2);
[[nodiscard]] Result<CheckReport> checkReportFromJson(std::string_view text);
[[nodiscard]] std::string toJsonLine(const CheckTask& task);
[[nodiscard]] Result<CheckTask> checkTaskFromJson(std::string_view text);
[[nodiscard]] std::string toJsonLine(const CheckEvent& event);
[[nodiscard]] Result<CheckEvent> checkEventFromJson(std::string_view line);

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/check/check_report.h"

#include <algorithm>

#include "engine/bench/check/check_fields.h"
#include "engine/core/json/json_document.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

constexpr const char* kCheckFormat = "steelyard-check";
constexpr int kCheckVersion = 1;

template <typename Value, typename Names>
std::optional<Value> checkValueOf(const Names& values, std::string_view name) {
    for (const auto value : values)
        if (toString(value) == name) return value;
    return std::nullopt;
}

constexpr std::array kCheckStates{CheckState::Passed, CheckState::Remarks, CheckState::Faults, CheckState::Skipped,
                                  CheckState::Cancelled};

}  // namespace

std::string_view toString(CheckKind kind) {
    switch (kind) {
        case CheckKind::Memory:
            return "memory";
        case CheckKind::Operations:
            return "operations";
        case CheckKind::Load:
            return "load";
    }
    return {};
}

std::optional<CheckKind> checkKindFromString(std::string_view name) {
    return checkValueOf<CheckKind>(kCheckKinds, name);
}

std::string_view toString(CheckState state) {
    switch (state) {
        case CheckState::Passed:
            return "passed";
        case CheckState::Remarks:
            return "remarks";
        case CheckState::Faults:
            return "faults";
        case CheckState::Skipped:
            return "skipped";
        case CheckState::Cancelled:
            return "cancelled";
    }
    return {};
}

std::optional<CheckState> checkStateFromString(std::string_view name) {
    return checkValueOf<CheckState>(kCheckStates, name);
}

CheckState CheckReport::verdict() const {
    const auto any = [&](CheckState state) {
        return std::ranges::find(parts, state, &CheckPart::state) != parts.end();
    };
    if (any(CheckState::Faults)) return CheckState::Faults;
    if (any(CheckState::Cancelled) || !finishedUnixMs) return CheckState::Cancelled;
    if (!any(CheckState::Passed) && !any(CheckState::Remarks)) return CheckState::Skipped;
    return any(CheckState::Remarks) ? CheckState::Remarks : CheckState::Passed;
}

Message verdictMessage(const CheckReport& report) {
    switch (report.verdict()) {
        case CheckState::Passed:
            return messages::checkSound();
        case CheckState::Remarks:
            return messages::checkSoundWithRemarks();
        case CheckState::Faults:
            return messages::checkFaults();
        case CheckState::Skipped:
            return messages::checkNothing();
        case CheckState::Cancelled:
            return messages::checkStopped();
    }
    return {};
}

std::string toJson(const CheckReport& report, int indent) {
    Json json{{"format", kCheckFormat}, {"version", kCheckVersion}};
    json.update(toJsonValue(report));
    return dumpJson(json, indent);
}
Result<CheckReport> checkReportFromJson(std::string_view text) {
    return readDocument<CheckReport>(text, [](JsonReader& reader, CheckReport& report) {
        reader.requireFormat(kCheckFormat, kCheckVersion);
        reader.readFields(report);
    });
}

std::string toJsonLine(const CheckTask& task) {
    return dumpJson(toJsonValue(task));
}
Result<CheckTask> checkTaskFromJson(std::string_view text) {
    return readDocument<CheckTask>(text);
}

std::string toJsonLine(const CheckEvent& event) {
    return dumpJson(toJsonValue(event));
}
Result<CheckEvent> checkEventFromJson(std::string_view line) {
    return readDocument<CheckEvent>(line);
}

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Events as JSON lines; see record_json.h.
#include "engine/bench/record/record_json.h"
#include "engine/bench/record/record_json_parts.h"

namespace steelyard::bench {
namespace {

Json casesToJson(const std::vector<Case>& cases) {
    auto json = Json::array();
    for (const auto& spec : cases) json.push_back(caseToJson(spec));
    return json;
}

Event readEvent(const Json& json, const std::string& path, std::optional<Error>& error) {
    Event event;
    JsonReader reader(json, path, error);
    if (reader.demand("event") != nullptr) reader.readName("event", event.kind, eventKindFromString);
    reader.read("run_id", event.runId);
    reader.read("case_index", event.caseIndex, -1);
    reader.read("case_count", event.caseCount);
    reader.read("estimate_seconds", event.estimateSeconds);
    reader.eachElement("cases", [&](const Json& element, const std::string& elementPath) {
        event.cases.push_back(readCase(element, elementPath, error));
    });
    if (const auto* spec = reader.find("case")) event.spec = readCase(*spec, reader.pathOf("case"), error);
    reader.readName("phase", event.phase, phaseFromString);
    reader.read("sample_seconds", event.sampleSeconds);
    reader.read("median_seconds", event.medianSeconds);
    reader.read("ci95_low", event.ciLow);
    reader.read("ci95_high", event.ciHigh);
    if (const auto* sensor = reader.find("sensor")) event.sensor = readSensor(*sensor, reader.pathOf("sensor"), error);
    if (const auto* record = reader.find("record")) event.record = readRecord(*record, reader.pathOf("record"), error);
    reader.read("status", event.status);
    return event;
}

}  // namespace

std::string toJsonLine(const Event& event) {
    const auto is = [&event](EventKind kind) { return event.kind == kind; };
    const bool suite = is(EventKind::SuiteStarted) || is(EventKind::SuiteFinished);
    Json json{{"event", toString(event.kind)}};
    const auto put = [&json](bool wanted, std::string_view key, auto&& value) {
        if (wanted) json[std::string(key)] = std::forward<decltype(value)>(value);
    };
    put(suite || !event.runId.empty(), "run_id", event.runId);
    put(!suite || event.caseIndex != -1, "case_index", event.caseIndex);
    put(is(EventKind::SuiteStarted) || event.caseCount != 0, "case_count", event.caseCount);
    put(is(EventKind::SuiteStarted) || event.estimateSeconds, "estimate_seconds", orNull(event.estimateSeconds));
    put(is(EventKind::SuiteStarted) || !event.cases.empty(), "cases", casesToJson(event.cases));
    put(is(EventKind::CaseStarted) || event.spec, "case", event.spec ? caseToJson(*event.spec) : Json(nullptr));
    put(is(EventKind::Phase) || event.phase, "phase", event.phase ? Json(toString(*event.phase)) : Json(nullptr));
    put(is(EventKind::Sample) || event.sampleSeconds, "sample_seconds", orNull(event.sampleSeconds));
    put(is(EventKind::Sample) || event.medianSeconds, "median_seconds", orNull(event.medianSeconds));
    put(is(EventKind::Sample) || event.ciLow, "ci95_low", orNull(event.ciLow));
    put(is(EventKind::Sample) || event.ciHigh, "ci95_high", orNull(event.ciHigh));
    put(is(EventKind::Sensor) || event.sensor, "sensor", event.sensor ? sensorToJson(*event.sensor) : Json(nullptr));
    put(is(EventKind::CaseFinished) || event.record, "record",
        event.record ? recordToJson(*event.record) : Json(nullptr));
    put(is(EventKind::SuiteFinished) || !event.status.empty(), "status", event.status);
    return dumpJson(json);
}

Result<Event> eventFromJson(std::string_view line) {
    return readDocument(line, readEvent);
}

}  // namespace steelyard::bench

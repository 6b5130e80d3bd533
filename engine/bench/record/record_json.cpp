// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/record_json.h"

#include <set>

#include "engine/bench/record/record_fields.h"
#include "engine/core/json/json_document.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

void readRuns(JsonReader& document, std::vector<RunRecord>& runs) {
    document.requireFormat(kResultsFormat, kResultsVersion);
    document.require("runs", runs);
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < runs.size() && !document.failed(); ++i) {
        const auto path = fmt::format("runs[{}].id", i);
        if (runs[i].id.empty()) document.refuse(path, messages::isEmpty());
        if (!ids.insert(runs[i].id).second) document.refuse(path, messages::appearsTwice(runs[i].id));
    }
}

// The members that every event of this kind has; others are written if they are set.
std::set<std::string_view> requiredMembers(EventKind kind) {
    switch (kind) {
        case EventKind::SuiteStarted:
            return {"event", "run_id", "case_count", "visit_count", "estimate_seconds", "cases"};
        case EventKind::CaseStarted:
            return {"event", "case_index", "case", "visit"};
        case EventKind::Phase:
            return {"event", "case_index", "phase"};
        case EventKind::Sample:
            return {"event", "case_index", "sample_seconds", "median_seconds", "ci95_low", "ci95_high"};
        case EventKind::Sensor:
            return {"event", "case_index", "sensor"};
        case EventKind::CaseFinished:
            return {"event", "case_index", "record"};
        case EventKind::SuiteFinished:
            return {"event", "run_id", "status"};
    }
    return {};
}

}  // namespace

std::string toJson(const CaseRecord& record, int indent) {
    return dumpJson(toJsonValue(record), indent);
}
Result<CaseRecord> caseRecordFromJson(std::string_view text) {
    return readDocument<CaseRecord>(text);
}

std::string toJson(const Case& spec, int indent) {
    return dumpJson(toJsonValue(spec), indent);
}
Result<Case> caseFromJson(std::string_view text) {
    return readDocument<Case>(text);
}

std::string toJson(const RunRecord& run, int indent) {
    return dumpJson(toJsonValue(run), indent);
}
Result<RunRecord> runRecordFromJson(std::string_view text) {
    ASSIGN(auto run, readDocument<RunRecord>(text));
    if (run.id.empty()) return fail(ErrorKind::CorruptData, "id", messages::isEmpty());
    return run;
}

std::string resultsToJson(const std::vector<RunRecord>& runs, int indent) {
    return dumpJson(Json{{"format", kResultsFormat}, {"version", kResultsVersion}, {"runs", toJsonValue(runs)}},
                    indent);
}
Result<std::vector<RunRecord>> resultsFromJson(std::string_view text) {
    return readDocument<std::vector<RunRecord>>(text, readRuns);
}

std::string toJsonLine(const Event& event) {
    const auto own = requiredMembers(event.kind);
    const auto unset = toJsonValue(Event{});
    auto all = toJsonValue(event);
    auto json = Json::object();
    for (auto& [name, value] : all.items())
        if (own.contains(name) || value != unset[name]) json[name] = std::move(value);
    return dumpJson(json);
}
Result<Event> eventFromJson(std::string_view line) {
    return readDocument<Event>(line);
}

}  // namespace steelyard::bench

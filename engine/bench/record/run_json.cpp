// SPDX-License-Identifier: Apache-2.0
// Runs and the results document as JSON; see record_json.h.
#include <set>

#include "engine/bench/record/record_json.h"
#include "engine/bench/record/record_json_parts.h"

namespace steelyard::bench {
namespace {

Json profileToJson(const std::string& text) {
    if (text.empty()) return nullptr;
    auto profile = parseJson(text);
    return profile ? std::move(*profile) : Json(nullptr);
}

std::vector<RunRecord> readResults(const Json& json, const std::string& path, std::optional<Error>& error) {
    std::vector<RunRecord> runs;
    JsonReader reader(json, path, error);
    std::string format;
    int version = 0;
    reader.require("format", format);
    if (!error && format != kResultsFormat) {
        error = Error{ErrorKind::CorruptData, "format", fmt::format("expected \"{}\"", kResultsFormat), {}, {}, {}};
    }
    reader.require("version", version, 1);
    if (!error && version > kResultsVersion) {
        error = Error{ErrorKind::VersionTooNew,
                      "the results document",
                      fmt::format("version {}, this program reads up to {}", version, kResultsVersion),
                      {},
                      {},
                      {}};
    }
    if (reader.demand("runs") == nullptr) return runs;
    std::set<std::string> ids;
    reader.eachElement("runs", [&](const Json& element, const std::string& elementPath) {
        runs.push_back(readRun(element, elementPath, error));
        if (!error && !ids.insert(runs.back().id).second) {
            error = Error{ErrorKind::CorruptData,
                          elementPath + ".id",
                          fmt::format("{} appears twice", runs.back().id),
                          {},
                          {},
                          {}};
        }
    });
    return runs;
}

}  // namespace

Json runToJson(const RunRecord& run) {
    auto records = Json::array();
    for (const auto& record : run.records) records.push_back(recordToJson(record));
    return Json{{"id", run.id},
                {"suite", run.suite},
                {"suite_version", run.suiteVersion},
                {"program_version", run.programVersion},
                {"git_revision", run.gitRevision},
                {"started_unix_ms", run.startedUnixMs},
                {"finished_unix_ms", orNull(run.finishedUnixMs)},
                {"computer", run.computer},
                {"profile", profileToJson(run.profileJson)},
                {"origin", run.origin},
                {"note", run.note},
                {"seed", run.seed},
                {"records", std::move(records)}};
}

RunRecord readRun(const Json& json, const std::string& path, std::optional<Error>& error) {
    RunRecord run;
    JsonReader reader(json, path, error);
    reader.require("id", run.id);
    if (!error && run.id.empty()) {
        error = Error{ErrorKind::CorruptData, reader.pathOf("id"), "is empty", {}, {}, {}};
    }
    reader.read("suite", run.suite);
    reader.read("suite_version", run.suiteVersion);
    reader.read("program_version", run.programVersion);
    reader.read("git_revision", run.gitRevision);
    reader.read("started_unix_ms", run.startedUnixMs);
    reader.read("finished_unix_ms", run.finishedUnixMs);
    reader.read("computer", run.computer);
    reader.read("origin", run.origin);
    reader.read("note", run.note);
    reader.read("seed", run.seed);
    if (const auto* profile = reader.find("profile")) {
        JsonReader(*profile, reader.pathOf("profile"), error);
        run.profileJson = dumpJson(*profile, -1);
    }
    if (reader.demand("records") == nullptr) return run;
    reader.eachElement("records", [&](const Json& element, const std::string& elementPath) {
        run.records.push_back(readRecord(element, elementPath, error));
    });
    return run;
}

std::string toJson(const RunRecord& run, int indent) {
    return dumpJson(runToJson(run), indent);
}
Result<RunRecord> runRecordFromJson(std::string_view text) {
    return readDocument(text, readRun);
}

std::string resultsToJson(const std::vector<RunRecord>& runs, int indent) {
    auto list = Json::array();
    for (const auto& run : runs) list.push_back(runToJson(run));
    return dumpJson(Json{{"format", kResultsFormat}, {"version", kResultsVersion}, {"runs", std::move(list)}}, indent);
}

Result<std::vector<RunRecord>> resultsFromJson(std::string_view text) {
    return readDocument(text, readResults);
}

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/run_trouble.h"

#include "engine/bench/record_json_parts.h"

namespace steelyard::bench {
namespace {

std::string_view nameOf(RunTrouble::Kind kind) {
    return kind == RunTrouble::Kind::Refused ? "refused" : "not_stored";
}

std::optional<RunTrouble::Kind> kindFromString(std::string_view name) {
    for (const auto kind : {RunTrouble::Kind::Refused, RunTrouble::Kind::NotStored}) {
        if (name == nameOf(kind)) return kind;
    }
    return std::nullopt;
}

}  // namespace

std::string toJsonLine(const RunTrouble& trouble) {
    const auto& error = trouble.error;
    Json json{{"event", nameOf(trouble.kind)},
              {"error", {{"kind", toString(error.kind)}, {"subject", error.subject}, {"detail", error.detail}}}};
    if (!trouble.file.empty()) json["file"] = trouble.file;
    return dump(json, -1);
}

Result<RunTrouble> runTroubleFromJson(std::string_view line) {
    return readDocument(line, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        RunTrouble trouble;
        ObjectReader reader(json, path, error);
        if (reader.demand("event") != nullptr) reader.readName("event", trouble.kind, kindFromString);
        if (const auto* told = reader.demand("error")) {
            ObjectReader fields(*told, reader.pathOf("error"), error);
            fields.readName("kind", trouble.error.kind, errorKindFromString);
            fields.read("subject", trouble.error.subject);
            fields.read("detail", trouble.error.detail);
        }
        reader.read("file", trouble.file);
        return trouble;
    });
}

}  // namespace steelyard::bench

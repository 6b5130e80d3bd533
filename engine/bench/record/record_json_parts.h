// SPDX-License-Identifier: Apache-2.0
// Private to the JSON sources of this folder: the pieces that records, runs and events share. A reader that fails
// leaves its reason in `error` and the rest of its result at the defaults.
#pragma once

#include <optional>
#include <string>

#include "engine/bench/record/record.h"
#include "engine/core/json/json_reader.h"

namespace steelyard::bench {

[[nodiscard]] Json caseToJson(const Case& spec);
[[nodiscard]] Case readCase(const Json& json, const std::string& path, std::optional<Error>& error);

[[nodiscard]] Json recordToJson(const CaseRecord& record);
[[nodiscard]] CaseRecord readRecord(const Json& json, const std::string& path, std::optional<Error>& error);

// Null when the reading has no moment.
[[nodiscard]] Json sensorToJson(const SensorReading& reading);
[[nodiscard]] SensorReading readSensor(const Json& json, const std::string& path, std::optional<Error>& error);

// Null without any (use_json.cpp).
[[nodiscard]] Json inputToJson(const std::optional<InputUse>& input);
[[nodiscard]] InputUse readInput(const Json& json, const std::string& path, std::optional<Error>& error);
[[nodiscard]] Json parallelToJson(const std::optional<ParallelUse>& use);
[[nodiscard]] ParallelUse readParallel(const Json& json, const std::string& path, std::optional<Error>& error);

[[nodiscard]] inline Json finiteNumbers(const std::vector<double>& values) {
    auto json = Json::array();
    for (const double value : values) {
        if (std::isfinite(value)) json.push_back(value);
    }
    return json;
}

[[nodiscard]] Json runToJson(const RunRecord& run);
[[nodiscard]] RunRecord readRun(const Json& json, const std::string& path, std::optional<Error>& error);

// Parses the text and hands it to one of the readers above.
template <typename Reader>
[[nodiscard]] auto readDocument(std::string_view text, Reader reader)
    -> Result<decltype(reader(Json(), std::string(), std::declval<std::optional<Error>&>()))> {
    ASSIGN(const auto json, parseJson(text));
    std::optional<Error> error;
    auto value = reader(json, std::string(), error);
    if (error) return Failure(*error);
    return value;
}

}  // namespace steelyard::bench

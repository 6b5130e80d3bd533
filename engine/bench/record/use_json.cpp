// SPDX-License-Identifier: Apache-2.0
// What of a record tells how a step was fed and shared, as JSON.
#include "engine/bench/record/record_json.h"
#include "engine/bench/record/record_json_parts.h"

namespace steelyard::bench {

Json inputToJson(const std::optional<InputUse>& input) {
    if (!input) return nullptr;
    return Json{{"producers", input->producers},
                {"wait_fraction", number(input->waitFraction)},
                {"producible_samples_per_second", number(input->producibleSamples)},
                {"pipeline_limits", orNull(input->pipelineLimits)}};
}

InputUse readInput(const Json& json, const std::string& path, std::optional<Error>& error) {
    InputUse input;
    ObjectReader reader(json, path, error);
    reader.read("producers", input.producers);
    reader.read("wait_fraction", input.waitFraction);
    reader.read("producible_samples_per_second", input.producibleSamples);
    reader.read("pipeline_limits", input.pipelineLimits);
    return input;
}

Json parallelToJson(const std::optional<ParallelUse>& use) {
    if (!use) return nullptr;
    return Json{{"devices", use->devices},
                {"rank_step_seconds", finiteNumbers(use->rankStepSeconds)},
                {"exchange_seconds", number(use->exchangeSeconds)},
                {"compute_seconds", number(use->computeSeconds)},
                {"exposed_seconds", number(use->exposedSeconds)},
                {"exchanged_bytes", orNull(use->exchangedBytes)}};
}

ParallelUse readParallel(const Json& json, const std::string& path, std::optional<Error>& error) {
    ParallelUse use;
    ObjectReader reader(json, path, error);
    reader.readArray("devices", [&](const Json& element, const std::string& elementPath) {
        std::string device;
        ObjectReader(Json::object(), elementPath, error).convert(element, "", device, 0);
        use.devices.push_back(std::move(device));
    });
    reader.readArray("rank_step_seconds", [&](const Json& element, const std::string& elementPath) {
        double seconds = 0;
        ObjectReader(Json::object(), elementPath, error).convert(element, "", seconds, 0);
        use.rankStepSeconds.push_back(seconds);
    });
    reader.read("exchange_seconds", use.exchangeSeconds);
    reader.read("compute_seconds", use.computeSeconds);
    reader.read("exposed_seconds", use.exposedSeconds);
    reader.read("exchanged_bytes", use.exchangedBytes);
    return use;
}

std::string toJson(const std::optional<InputUse>& input) {
    return dump(inputToJson(input), -1);
}
Result<std::optional<InputUse>> inputUseFromJson(std::string_view text) {
    return readDocument(text, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        return json.is_null() ? std::optional<InputUse>() : readInput(json, path, error);
    });
}

std::string toJson(const std::optional<ParallelUse>& use) {
    return dump(parallelToJson(use), -1);
}
Result<std::optional<ParallelUse>> parallelUseFromJson(std::string_view text) {
    return readDocument(text, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        return json.is_null() ? std::optional<ParallelUse>() : readParallel(json, path, error);
    });
}

}  // namespace steelyard::bench

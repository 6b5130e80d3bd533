// SPDX-License-Identifier: Apache-2.0
// What of a record tells how a step was fed and shared, as JSON.
#include "engine/bench/record/record_json.h"
#include "engine/bench/record/record_json_parts.h"

namespace steelyard::bench {

Json inputToJson(const std::optional<InputUse>& input) {
    if (!input) return nullptr;
    return Json{{"producers", input->producers},
                {"wait_fraction", orNull(input->waitFraction)},
                {"producible_samples_per_second", orNull(input->producibleSamples)},
                {"pipeline_limits", orNull(input->pipelineLimits)}};
}

InputUse readInput(const Json& json, const std::string& path, std::optional<Error>& error) {
    InputUse input;
    JsonReader reader(json, path, error);
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
                {"exchange_seconds", orNull(use->exchangeSeconds)},
                {"compute_seconds", orNull(use->computeSeconds)},
                {"exposed_seconds", orNull(use->exposedSeconds)},
                {"exchanged_bytes", orNull(use->exchangedBytes)}};
}

ParallelUse readParallel(const Json& json, const std::string& path, std::optional<Error>& error) {
    ParallelUse use;
    JsonReader reader(json, path, error);
    reader.read("devices", use.devices);
    reader.read("rank_step_seconds", use.rankStepSeconds);
    reader.read("exchange_seconds", use.exchangeSeconds);
    reader.read("compute_seconds", use.computeSeconds);
    reader.read("exposed_seconds", use.exposedSeconds);
    reader.read("exchanged_bytes", use.exchangedBytes);
    return use;
}

std::string toJson(const std::optional<InputUse>& input) {
    return dumpJson(inputToJson(input));
}
Result<std::optional<InputUse>> inputUseFromJson(std::string_view text) {
    return readDocument(text, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        return json.is_null() ? std::optional<InputUse>() : readInput(json, path, error);
    });
}

std::string toJson(const std::optional<ParallelUse>& use) {
    return dumpJson(parallelToJson(use));
}
Result<std::optional<ParallelUse>> parallelUseFromJson(std::string_view text) {
    return readDocument(text, [](const Json& json, const std::string& path, std::optional<Error>& error) {
        return json.is_null() ? std::optional<ParallelUse>() : readParallel(json, path, error);
    });
}

}  // namespace steelyard::bench

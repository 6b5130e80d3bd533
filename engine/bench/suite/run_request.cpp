// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/suite/run_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/bench/suite/run_options.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::bench {
namespace {

template <typename T>
std::string textOfOption(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return std::string(toString(value));
    else
        return fmt::format("{}", value);
}
template <typename T>
std::string textOfOption(const std::optional<T>& value) {
    return value ? textOfOption(*value) : std::string();
}
template <typename T>
std::string textOfOption(const std::vector<T>& values) {
    std::vector<std::string> words;
    for (const auto& value : values) words.push_back(textOfOption(value));
    return fmt::format("{}", fmt::join(words, ","));
}

// Name and value of each option, in list order.
std::vector<std::pair<std::string, std::string>> optionTexts(const RunRequest& request) {
    std::vector<std::pair<std::string, std::string>> texts;
    visitOptions(request, [&](const RunOption& option, const auto& value) {
        texts.emplace_back(option.name, textOfOption(value));
    });
    return texts;
}

RunRequest onlyResumed(const RunRequest& request) {
    RunRequest result;
    result.resume = request.resume;
    result.database = request.database;
    return result;
}

}  // namespace

std::vector<std::string> argumentsOf(const RunRequest& request) {
    auto located = request.resume.empty() ? request : onlyResumed(request);
    for (auto& workload : located.workloads) workload = model::onnx::locatedOnnxName(workload);
    const auto usual = optionTexts({});
    const auto texts = optionTexts(located);
    std::vector<std::string> arguments{"run"};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i] == usual[i]) continue;
        arguments.push_back(texts[i].first);
        if (texts[i].second != "true") arguments.push_back(texts[i].second);  // a switch has no value
    }
    return arguments;
}

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/core/messages/model.h"
#include "engine/model/decoder/language_workload.h"
#include "engine/model/decoder/training_workload.h"
#include "engine/model/file/network_file.h"
#include "engine/model/nearest_name.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::model {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const auto first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool isPath(std::string_view text) {
    return text.find('/') != std::string_view::npos || text.find(".json#") != std::string_view::npos ||
           (text.size() > 5 && text.substr(text.size() - 5) == ".json");
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Message rangeOf(const WorkloadOption& option) {
    if (!option.words.empty()) return Message(fmt::format("{}", fmt::join(option.words, ", ")));
    return option.multiple > 1 ? messages::rangeInSteps(option.low, option.high, option.multiple)
                               : messages::rangeOfNumbers(option.low, option.high);
}

std::string valueText(const WorkloadOption& option, std::int64_t value) {
    return option.words.empty() ? std::to_string(value) : option.words[static_cast<std::size_t>(value)];
}

std::optional<std::int64_t> optionValue(const WorkloadOption& option, std::string_view text) {
    if (!option.words.empty()) {
        const auto found = std::find(option.words.begin(), option.words.end(), text);
        if (found == option.words.end()) return std::nullopt;
        return found - option.words.begin();
    }
    const auto value = wholeNumber(text);
    if (!value || *value < option.low || *value > option.high || *value % option.multiple != 0) return std::nullopt;
    return value;
}

// Parses one "name=value" into the choice.
Result<void> apply(const Workload& base, std::string_view part, WorkloadChoice& choice, std::vector<bool>& given) {
    const auto bad = [&](Message why) {
        return fail(ErrorKind::InvalidArgument, {}, messages::ofWorkload(base.id, std::move(why)));
    };
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) return bad(messages::notAnOption(part));
    const auto name = trimmed(part.substr(0, equals));
    const auto value = trimmed(part.substr(equals + 1));
    const auto found =
        std::find_if(base.options.begin(), base.options.end(), [&](const auto& option) { return option.name == name; });
    if (found == base.options.end()) {
        std::vector<std::string_view> names;
        for (const auto& option : base.options) names.push_back(option.name);
        return bad(messages::unknownOption(name, fmt::format("{}", fmt::join(names, ", "))));
    }
    const auto index = static_cast<std::size_t>(found - base.options.begin());
    if (given[index]) return bad(messages::optionGivenTwice(name));
    const auto parsed = optionValue(*found, value);
    if (!parsed) return bad(messages::wrongOptionValue(name, rangeOf(*found), value));
    given[index] = true;
    choice.values[index].second = *parsed;
    return {};
}

std::string canonicalId(const Workload& base, const WorkloadChoice& choice) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < base.options.size(); ++i) {
        const auto& option = base.options[i];
        const auto value = choice.values[i].second;
        if (value != option.standard) parts.push_back(fmt::format("{}={}", option.name, valueText(option, value)));
    }
    return parts.empty() ? base.id : fmt::format("{}({})", base.id, fmt::join(parts, ","));
}

Result<Workload> withOptions(const Workload& base, std::string_view list) {
    if (base.options.empty())
        return fail(ErrorKind::InvalidArgument, {}, messages::ofWorkload(base.id, messages::noOptions()));
    WorkloadChoice choice;
    for (const auto& option : base.options) choice.values.emplace_back(option.name, option.standard);
    std::vector<bool> given(base.options.size(), false);
    while (!trimmed(list).empty()) {
        const auto comma = list.find(',');
        TRY(apply(base, trimmed(list.substr(0, comma)), choice, given));
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    choice.id = canonicalId(base, choice);
    if (choice.id == base.id) return base;
    Workload workload = base.choose(choice);
    ASSIGN(const auto graph, workload.build());
    workload.parameters = graph.trainableParameters();
    workload.options = base.options;
    workload.choose = base.choose;
    return workload;
}

}  // namespace

Result<Workload> resolveWorkload(std::string_view text) {
    text = trimmed(text);
    if (onnx::isOnnxName(text)) return onnx::readOnnxWorkload(text);
    if (isLanguageName(text)) return readLanguageWorkload(text);
    if (isTrainingName(text)) return readTrainingWorkload(text);
    if (isPath(text)) return readNetworkFile(std::string(text));
    const auto open = text.find('(');
    ASSIGN(const auto base, findWorkload(trimmed(text.substr(0, open))));
    if (open == std::string_view::npos) return *base;
    if (text.back() != ')' || text.find_first_of("()", open + 1) != text.size() - 1)
        return fail(ErrorKind::InvalidArgument, {}, messages::ofWorkload(text, messages::unbalancedParentheses()));
    return withOptions(*base, text.substr(open + 1, text.size() - open - 2));
}

std::vector<std::string> splitWorkloads(std::string_view list) {
    std::vector<std::string> result;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size() && list[i] == '(') ++depth;
        if (i < list.size() && list[i] == ')') --depth;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        if (const auto part = trimmed(list.substr(start, i - start)); !part.empty()) result.emplace_back(part);
        start = i + 1;
    }
    return result;
}

std::string describe(const WorkloadOption& option) {
    return fmt::format("{}: {}, {} ({})", option.name, option.about, english(rangeOf(option)),
                       valueText(option, option.standard));
}

}  // namespace steelyard::model

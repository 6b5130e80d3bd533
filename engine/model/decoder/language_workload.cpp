// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/language_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include "engine/core/hash.h"
#include "engine/core/messages/model.h"
#include "engine/model/decoder/weight_format.h"
#include "engine/model/decoder/workload_name.h"
#include "engine/model/onnx/mapped_file.h"

namespace steelyard::model {
namespace {

constexpr std::string_view kUsualWeights = "q4_k_m";
constexpr std::size_t kHashedBytes = 65536;

std::string_view withoutBlanks(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::string schemeNames() {
    std::string names;
    for (const auto& scheme : weightSchemes())
        if (scheme.gguf) names += (names.empty() ? "" : ", ") + std::string(scheme.name);
    return names;
}

std::string cacheTypeNames() {
    std::string names;
    for (const auto type : kCacheTypes) names += (names.empty() ? "" : ", ") + std::string(toString(type));
    return names;
}

}  // namespace

NameParts partsOf(std::string_view text) {
    NameParts parts;
    const auto open = text.find('(');
    // The hash follows the parentheses, or the file name.
    const auto behind = open == std::string_view::npos ? 0 : std::max(open, text.rfind(')'));
    if (const auto mark = text.rfind('#'); mark != std::string_view::npos && mark >= behind && behind < text.size()) {
        parts.hash = text.substr(mark + 1);
        text = text.substr(0, mark);
    }
    parts.base = text.substr(0, open);
    if (open == std::string_view::npos) return parts;
    parts.isWhole = text.back() == ')' && text.find_first_of("()", open + 1) == text.size() - 1;
    if (parts.isWhole) parts.options = text.substr(open + 1, text.size() - open - 2);
    return parts;
}

Result<std::vector<GivenOption>> optionsIn(std::string_view list) {
    std::vector<GivenOption> options;
    while (!withoutBlanks(list).empty()) {
        const auto comma = list.find(',');
        const auto part = withoutBlanks(list.substr(0, comma));
        const auto equals = part.find('=');
        if (equals == std::string_view::npos) return fail(ErrorKind::InvalidArgument, {}, messages::notAnOption(part));
        options.push_back({withoutBlanks(part.substr(0, equals)), withoutBlanks(part.substr(equals + 1))});
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return options;
}

std::string_view toString(LanguageTask task) {
    switch (task) {
        case LanguageTask::Prefill:
            return "prefill";
        case LanguageTask::Decode:
            return "decode";
        case LanguageTask::Generate:
            return "generate";
    }
    return {};
}

std::optional<LanguageTask> languageTaskFromString(std::string_view name) {
    for (const auto task : kLanguageTasks)
        if (toString(task) == name) return task;
    return std::nullopt;
}

std::int64_t LanguageName::tokensOfStep() const {
    return task == LanguageTask::Prefill ? prompt : task == LanguageTask::Generate ? tokens : 1;
}

std::int64_t LanguageName::positions() const {
    return task == LanguageTask::Prefill ? prompt : task == LanguageTask::Generate ? prompt + tokens : context + 1;
}

std::string LanguageName::id() const {
    auto text = fmt::format("{}(mode={}", model, toString(task));
    if (!weights.empty()) text += ",weights=" + weights;
    if (task == LanguageTask::Decode) text += fmt::format(",context={}", context);
    if (task != LanguageTask::Decode) text += fmt::format(",prompt={}", prompt);
    if (task == LanguageTask::Generate) text += fmt::format(",tokens={}", tokens);
    if (cache != CacheType::F16) text += fmt::format(",cache={}", toString(cache));
    return text + ")" + (hash.empty() ? "" : "#" + hash);
}

bool isLanguageName(std::string_view text) {
    const auto parts = partsOf(text);
    if (parts.base.ends_with(".gguf")) return true;
    const auto options = optionsIn(parts.options);
    return options && std::ranges::any_of(*options, [](const GivenOption& option) {
               return option.name == "mode" && languageTaskFromString(option.value);
           });
}

Result<LanguageName> parseLanguageName(std::string_view text) {
    const auto parts = partsOf(text);
    const auto refuse = [&](Message why) {
        return fail(ErrorKind::InvalidArgument, {}, messages::ofWorkload(parts.base, std::move(why)));
    };
    if (!parts.isWhole) return refuse(messages::unbalancedParentheses());
    LanguageName name;
    name.model = parts.base;
    name.hash = parts.hash;
    if (!name.isFile()) name.weights = kUsualWeights;
    ASSIGN(const auto options, optionsIn(parts.options));
    for (const auto& [option, value] : options)
        if (option == "mode") {
            const auto task = languageTaskFromString(value);
            if (!task) return refuse(messages::wrongOptionValue(option, Message("prefill, decode, generate"), value));
            name.task = *task;
        }
    std::set<std::string_view> given;
    for (const auto& [option, value] : options) {
        if (!given.insert(option).second) return refuse(messages::optionGivenTwice(option));
        if (option == "mode") continue;
        if (option == "weights" && !name.isFile()) {
            const auto* scheme = findWeightScheme(value);
            if (scheme == nullptr || !scheme->gguf)
                return refuse(messages::wrongOptionValue(option, Message(schemeNames()), value));
            name.weights = scheme->name;
            continue;
        }
        if (option == "cache") {
            const auto type = fromName(std::type_identity<CacheType>(), value);
            if (!type) return refuse(messages::wrongOptionValue(option, Message(cacheTypeNames()), value));
            name.cache = *type;
            continue;
        }
        std::int64_t* number = nullptr;
        std::int64_t least = 1;
        if (option == "context" && name.task == LanguageTask::Decode) number = &name.context;
        if (option == "prompt" && name.task != LanguageTask::Decode) number = &name.prompt;
        if (option == "tokens" && name.task == LanguageTask::Generate) number = &name.tokens, least = 2;
        if (number == nullptr) {
            const std::string weights = name.isFile() ? "" : "weights, ";
            const auto* others = name.task == LanguageTask::Decode    ? "context"
                                 : name.task == LanguageTask::Prefill ? "prompt"
                                                                      : "prompt, tokens";
            return refuse(messages::unknownOption(option, "mode, " + weights + others + ", cache"));
        }
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), *number);
        if (error != std::errc() || end != value.data() + value.size() || *number < least || *number > kMostTokens)
            return refuse(messages::wrongOptionValue(option, messages::rangeOfNumbers(least, kMostTokens), value));
    }
    return name;
}

Result<std::string> ggufFileHash(const std::string& path) {
    ASSIGN(const auto file, onnx::MappedFile::open(path));
    const auto bytes = file->bytes();
    const auto text = fmt::format("{}:{}", bytes.size(), bytes.substr(0, kHashedBytes));
    return fmt::format("{:016x}", fnv1a(text)).substr(8);
}

Result<Workload> readLanguageWorkload(std::string_view text) {
    ASSIGN(auto name, parseLanguageName(text));
    if (name.isFile()) {
        ASSIGN(const auto hash, ggufFileHash(name.model));
        if (!name.hash.empty() && name.hash != hash)
            return fail(ErrorKind::InvalidArgument, name.model, messages::fileChanged(hash, name.hash));
        name.hash = hash;
    }
    Workload workload;
    workload.id = name.id();
    workload.title = workload.id;
    workload.family = "language";
    workload.dataset = "synthetic";
    workload.dataKind = DataKind::TokenIds;
    workload.batch = 1;
    workload.tokensPerSample = name.tokensOfStep();
    workload.inferenceOnly = true;
    workload.build = [id = workload.id]() -> Result<Graph> {
        return fail(ErrorKind::Unsupported, {}, messages::ofWorkload(id, messages::languageHasNoGraph()));
    };
    return workload;
}

}  // namespace steelyard::model

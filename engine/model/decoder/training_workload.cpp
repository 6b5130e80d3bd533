// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/training_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "engine/core/file_io.h"
#include "engine/core/hash.h"
#include "engine/core/messages/model.h"
#include "engine/model/decoder/config_json.h"
#include "engine/model/decoder/decoder_graph.h"
#include "engine/model/decoder/workload_name.h"
#include "engine/model/workload_title.h"

namespace steelyard::model {
namespace {

constexpr std::string_view kTrain = "train", kLora = "lora";
constexpr std::int64_t kUsualTokens = 512, kUsualRank = 16, kMostTokens = 1 << 20, kMostRank = 4096;
constexpr std::int64_t kMostConfigBytes = std::int64_t{1} << 20;

Result<DecoderGraphOptions> graphOptions(const NameParts& parts) {
    const auto refuse = [&](Message why) {
        return fail(ErrorKind::InvalidArgument, {}, messages::ofWorkload(parts.base, std::move(why)));
    };
    if (!parts.isWhole) return refuse(messages::unbalancedParentheses());
    ASSIGN(const auto options, optionsIn(parts.options));
    const bool adapts = std::ranges::any_of(
        options, [](const GivenOption& option) { return option.name == "mode" && option.value == kLora; });
    DecoderGraphOptions result{.tokens = kUsualTokens, .rank = adapts ? kUsualRank : 0};
    std::set<std::string_view> given;
    for (const auto& [option, value] : options) {
        if (!given.insert(option).second) return refuse(messages::optionGivenTwice(option));
        if (option == "mode") continue;
        const bool isRank = option == "rank" && adapts;
        if (!isRank && option != "tokens")
            return refuse(messages::unknownOption(option, adapts ? "mode, tokens, rank" : "mode, tokens"));
        auto& number = isRank ? result.rank : result.tokens;
        const auto most = isRank ? kMostRank : kMostTokens;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size() || number < 1 || number > most)
            return refuse(messages::wrongOptionValue(option, messages::rangeOfNumbers(1, most), value));
    }
    return result;
}

}  // namespace

bool isTrainingName(std::string_view text) {
    const auto parts = partsOf(text);
    if (!parts.base.ends_with(".json")) return false;
    const auto options = optionsIn(parts.options);
    return options && std::ranges::any_of(*options, [](const GivenOption& option) {
               return option.name == "mode" && (option.value == kTrain || option.value == kLora);
           });
}

Result<Workload> readTrainingWorkload(std::string_view text) {
    const auto parts = partsOf(text);
    ASSIGN(auto options, graphOptions(parts));
    const std::string path(parts.base);
    ASSIGN(const auto content, readFile(path, kMostConfigBytes));
    const auto hash = fmt::format("{:016x}", fnv1a(content)).substr(8);
    if (!parts.hash.empty() && parts.hash != hash)
        return fail(ErrorKind::InvalidArgument, path, messages::fileChanged(hash, parts.hash));
    ASSIGN(auto config, decoderFromConfig(path, content));
    config.spec.id = path;
    const auto mode = options.rank > 0 ? fmt::format("mode={},tokens={},rank={}", kLora, options.tokens, options.rank)
                                       : fmt::format("mode={},tokens={}", kTrain, options.tokens);
    Workload workload;
    workload.id = fmt::format("{}({})#{}", path, mode, hash);
    options.name = workload.id;
    workload.title = workloadTitle(workload.id, knownTitles(nullptr)).text;
    workload.family = "own";
    workload.dataset = "synthetic";
    workload.dataKind = DataKind::TokenIds;
    workload.optimizer = {.kind = OptimizerKind::Adam, .learningRate = options.rank > 0 ? 2e-4 : 3e-4, .clipNorm = 1.0};
    workload.batch = 1;
    workload.tokensPerSample = options.tokens;
    workload.build = [spec = std::move(config.spec), options] { return decoderGraph(spec, options); };
    ASSIGN(const auto graph, workload.build());
    workload.parameters = graph.trainableParameters();
    return workload;
}

}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/workload_title.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/core/messages/model.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/decoder/language_workload.h"
#include "engine/model/decoder/training_workload.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

// "/a/net.onnx(batch=8)#1a2b3c4d" -> "net"; "/a/llama/config.json" -> "llama", since these all have the same name.
std::string fileTitle(std::string_view id, std::size_t ending) {
    const auto slash = id.rfind('/', ending);
    const auto start = slash == std::string_view::npos ? 0 : slash + 1;
    const auto name = id.substr(start, ending - start);
    if (name != "config" || !id.substr(ending).starts_with(".json")) return std::string(name);
    const auto folder = start == 0 ? std::string_view() : id.substr(0, start - 1);
    const auto last = folder.substr(folder.rfind('/') + 1);  // from 0 without a slash
    return last.empty() || last == "." || last == ".." ? "config.json" : std::string(last);
}

// "(mode=lora,tokens=512,rank=16)#1a2b3c4d" -> " (LoRA, tokens 512, rank 16)"
std::string trainingOptions(std::string_view text) {
    std::string options(text.substr(0, text.rfind('#')));
    std::ranges::replace(options, '=', ' ');
    for (const auto& [written, shown] : {std::pair{"(mode train,", "("}, {"(mode lora", "(LoRA"}})
        if (options.starts_with(written)) options.replace(0, std::string_view(written).size(), shown);
    for (auto at = options.find(','); at != std::string::npos; at = options.find(',', at + 1))
        options.insert(at + 1, " ");
    return " " + options;
}

// Position of the ending of a network file; npos for other workloads.
std::size_t fileEnding(std::string_view id) {
    return std::min(id.find(".onnx"), id.find(".json"));
}

std::string uppercase(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char letter) { return std::toupper(letter); });
    return result;
}

Message languageTitle(const LanguageName& name, const KnownTitles& known) {
    const auto file = name.model.rfind(".gguf");
    auto title = name.isFile() ? fileTitle(name.model, file) : known(name.model);
    if (title.empty()) title = name.model;
    auto weights = uppercase(name.isFile() ? "GGUF" : name.weights);
    if (name.cache != CacheType::F16) weights += ", KV " + uppercase(toString(name.cache));
    switch (name.task) {
        case LanguageTask::Prefill:
            return messages::titleOfPrefill(title, weights, name.prompt);
        case LanguageTask::Decode:
            return messages::titleOfDecode(title, weights, name.context);
        case LanguageTask::Generate:
            return messages::titleOfGenerate(title, weights, name.prompt, name.tokens);
    }
    return Message(title);
}

}  // namespace

KnownTitles knownTitles(const DecoderTable* decoders) {
    return [decoders](std::string_view name) -> std::string {
        if (const auto workload = findWorkload(name)) return (*workload)->title;
        const auto* spec = decoders == nullptr ? nullptr : decoders->find(name);
        return spec == nullptr ? std::string() : spec->title;
    };
}

Message workloadTitle(std::string_view id, const KnownTitles& known) {
    if (auto title = known(id); !title.empty()) return Message(std::move(title));
    if (isLanguageName(id))
        if (const auto name = parseLanguageName(id)) return languageTitle(*name, known);
    if (const auto ending = fileEnding(id); ending != std::string_view::npos) {
        // The hash identifies a network file, whatever its folder.
        if (isTrainingName(id)) return Message(fileTitle(id, ending) + trainingOptions(id.substr(ending + 5)));
        const auto hash = id.rfind('#');
        if (hash == std::string_view::npos) return Message(id);
        auto title = known(id.substr(hash));
        return Message(title.empty() ? fileTitle(id, ending) : std::move(title));
    }
    // "flowers_xception(size=96)": the options follow the title.
    const auto open = id.find('(');
    if (open == std::string_view::npos) return Message(id);
    const auto title = known(id.substr(0, open));
    if (title.empty()) return Message(id);
    std::string options(id.substr(open));
    std::ranges::replace(options, '=', ' ');
    return Message(title + " " + options);
}

}  // namespace steelyard::model

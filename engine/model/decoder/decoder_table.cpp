// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/decoder_table.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <system_error>

#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"
#include "engine/core/messages/model.h"
#include "engine/model/decoder/config_json.h"
#include "engine/model/decoder/gguf_file.h"
#include "engine/model/nearest_name.h"

namespace steelyard::model {

template <SameAs<DecoderSpec> T, typename Visitor>
void visitFields(T& spec, Visitor&& visit) {
    visit(required("id"), spec.id);
    visit(required("title"), spec.title);
    visit(required("family"), spec.family);
    visit(required("source"), spec.source);
    visit(field("date"), spec.date);
    visit(required("layers").atLeast(1), spec.layers);
    visit(required("width").atLeast(1), spec.width);
    visit(required("heads").atLeast(1), spec.heads);
    visit(required("kv_heads").atLeast(1), spec.kvHeads);
    visit(required("head_dimension").atLeast(1), spec.headDimension);
    visit(field("feed_forward"), spec.feedForward);
    visit(required("vocabulary").atLeast(1), spec.vocabulary);
    visit(field("context_length"), spec.contextLength);
    visit(field("norm"), spec.norm);
    visit(field("norm_epsilon"), spec.normEpsilon);
    visit(field("gate"), spec.gate);
    visit(field("qk_norm"), spec.qkNorm);
    visit(field("norms_per_layer"), spec.normsPerLayer);
    visit(field("qkv_bias"), spec.qkvBias);
    visit(field("output_bias"), spec.outputBias);
    visit(field("feed_forward_bias"), spec.feedForwardBias);
    visit(field("fused_qkv"), spec.fusedQkv);
    visit(field("attention_sinks"), spec.attentionSinks);
    visit(field("learned_positions"), spec.learnedPositions);
    visit(field("tied_embeddings"), spec.tiedEmbeddings);
    visit(field("rotary_theta"), spec.rotaryTheta);
    visit(field("local_rotary_theta"), spec.localRotaryTheta);
    visit(field("rotary_share"), spec.rotaryShare);
    visit(field("rotary_scaling"), spec.rotaryScaling);
    visit(field("rotary_factor"), spec.rotaryFactor);
    visit(field("window"), spec.window);
    visit(field("global_every"), spec.globalEvery);
    visit(field("attention_soft_cap"), spec.attentionSoftCap);
    visit(field("logit_soft_cap"), spec.logitSoftCap);
    visit(field("experts"), spec.experts);
    visit(field("active_experts"), spec.activeExperts);
    visit(field("expert_width"), spec.expertWidth);
    visit(field("shared_expert_width"), spec.sharedExpertWidth);
    visit(field("shared_expert_gate"), spec.sharedExpertGate);
    visit(field("leading_dense_layers"), spec.leadingDenseLayers);
    visit(field("expert_bias"), spec.expertBias);
    visit(field("router_bias"), spec.routerBias);
    visit(field("latent_rank"), spec.latentRank);
    visit(field("query_rank"), spec.queryRank);
    visit(field("latent_rotary"), spec.latentRotary);
    visit(field("latent_plain"), spec.latentPlain);
    visit(field("latent_value"), spec.latentValue);
}

namespace {

constexpr int kVersion = 1;
// Size limit of a config.json and of the table.
constexpr std::int64_t kMostTableBytes = std::int64_t{16} << 20;

std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

bool endsIn(std::string_view name, std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
}

bool namesFile(std::string_view name) {
    return name.find('/') != std::string_view::npos || endsIn(name, ".json") || endsIn(name, ".gguf");
}

// "./models/Llama/config.json" -> "Llama", since a configuration does not contain a name.
std::string titleOf(const std::filesystem::path& file) {
    if (file.filename() != "config.json") return file.stem().string();
    std::error_code ignored;
    const auto folder = std::filesystem::weakly_canonical(file, ignored).parent_path().filename().string();
    return folder.empty() ? std::string("config.json") : folder;
}

Result<ResolvedDecoder> fromConfigFile(const std::string& name) {
    ASSIGN(const auto text, readFile(name, kMostTableBytes));
    ASSIGN(auto config, decoderFromConfig(name, text));
    return ResolvedDecoder{std::move(config.spec), std::move(config.unread), {}, {}, {}, {}};
}

Result<ResolvedDecoder> fromGgufFile(const std::string& name) {
    ASSIGN(const auto header, readGgufHeader(std::filesystem::path(name)));
    ASSIGN(auto spec, decoderFromGguf(name, header));
    ResolvedDecoder resolved;
    resolved.spec = std::move(spec);
    if (!header.tensors.empty()) {
        auto weights = weightsOf(header, resolved.spec);
        resolved.fileWeightBytes = weights.total;
        resolved.fileReadPerToken = weights.readPerToken;
        resolved.fileExpertsPerToken = weights.expertsPerToken;
        resolved.fileScheme = std::move(weights.scheme);
    }
    return resolved;
}

}  // namespace

const DecoderSpec* DecoderTable::find(std::string_view name) const {
    const auto plain = plainName(name);
    for (const auto& model : models)
        if (plainName(model.id) == plain) return &model;
    return nullptr;
}

Result<DecoderTable> decoderTableFromJson(std::string_view name, std::string_view text) {
    ASSIGN(const auto json, parseJson(text, std::string(name)));
    std::optional<Error> error;
    JsonReader file(json, std::string(name), error);
    file.requireFormat("steelyard-decoders", kVersion);
    DecoderTable table;
    file.read("collected", table.collected);
    std::set<std::string> ids;
    file.eachObject("models", [&](JsonReader& reader) {
        DecoderSpec spec;
        reader.readFields(spec);
        if (reader.failed()) return;
        if (!ids.insert(plainName(spec.id)).second) return reader.refuse("id", messages::namedTwice(spec.id));
        if (const auto ok = checkSpec(spec, spec.id); !ok) return reader.refuse("", ok.error().detail);
        table.models.push_back(std::move(spec));
    });
    if (error) return Failure(std::move(*error));
    return table;
}

Result<DecoderTable> loadDecoderTable(const std::filesystem::path& resources) {
    const auto path = resources / "models" / "decoders.json";
    ASSIGN(const auto text, readFile(path, kMostTableBytes));
    return decoderTableFromJson(path.string(), text);
}

std::string toJson(const DecoderSpec& spec, int indent) {
    return dumpJson(toJsonValue(spec), indent);
}

bool namesDecoder(const DecoderTable& table, const std::string& name) {
    if (table.find(name) != nullptr || endsIn(name, ".gguf")) return true;
    if (!namesFile(name)) return false;
    if (std::filesystem::path(name).filename() == "config.json") return true;
    if (!endsIn(name, ".json")) return false;
    // Other JSON files are network files unless they have a model_type.
    const auto text = readFile(name, kMostTableBytes);
    if (!text) return false;
    const auto json = parseJson(*text, name, {.bytes = static_cast<std::size_t>(kMostTableBytes)});
    return json && json->is_object() && json->contains("model_type");
}

Result<ResolvedDecoder> resolveDecoder(const DecoderTable& table, const std::string& name) {
    if (const auto* spec = table.find(name)) return ResolvedDecoder{*spec, {}, {}, {}, {}, {}};
    if (!namesFile(name)) {
        std::vector<std::string_view> known;
        for (const auto& model : table.models) known.push_back(model.id);
        return fail(ErrorKind::NotFound, name, messages::unknownModel(name, nearestName(name, known)));
    }
    ASSIGN(auto resolved, endsIn(name, ".gguf") ? fromGgufFile(name) : fromConfigFile(name));
    resolved.spec.id = name;
    resolved.spec.title = titleOf(name);
    return resolved;
}

}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/config_json.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/core/json/json_reader.h"
#include "engine/core/messages/core.h"
#include "engine/core/messages/model.h"

namespace steelyard::model {
namespace {

// Members without influence on shapes, in any family.
constexpr std::array kHarmless{
    "_name_or_path",
    "architectures",
    "attention_dropout",
    "auto_map",
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "hidden_act",
    "hidden_activation",
    "initializer_range",
    "model_type",
    "output_router_logits",
    "pretraining_tp",
    "router_aux_loss_coef",
    "rms_norm_eps",
    "torch_dtype",
    "dtype",
    "transformers_version",
    "use_cache",
    "cache_implementation",
    "query_pre_attn_scalar",
    "router_jitter_noise",
    "embd_pdrop",
    "resid_pdrop",
    "attn_pdrop",
    "output_attentions",
    "output_hidden_states",
    "max_window_layers",
    "initial_context_length",
    "swiglu_limit",
    "experts_per_token",
    "norm_topk_prob",
    "head_dim",
    "rope_theta",
    "activation_function",
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    "task_specific_params",
    "aux_loss_alpha",
    "ep_size",
    "n_group",
    "topk_group",
    "topk_method",
    "scoring_func",
    "routed_scaling_factor",
    "seq_aux",
    "sliding_window_size",
    "rope_interleaved",
    "original_max_position_embeddings",
    "boi_token_index",
    "eoi_token_index",
    "image_token_index",
    "mm_tokens_per_image",
    "vision_config",
    "text_config",
    "pretraining_tp_size",
    "use_bidirectional_attention",
    "n_ctx",
    "layer_norm_epsilon",
    "num_nextn_predict_layers",
    "quantization_config",
    "no_rope_layers",
    "no_rope_layer_interval",
    "moe_layer_freq",
    "tie_word_embeddings",
    "interpolation_factor",
    "final_logit_softcapping",
    "attn_logit_softcapping",
    "n_positions",
    "reorder_and_upcast_attn",
    "scale_attn_by_inverse_layer_idx",
    "scale_attn_weights",
};

// A reader that records which members were accessed.
class ConfigReader {
public:
    ConfigReader(const Json& object, std::string path, std::optional<Error>& error)
        : m_object(object), m_reader(object, std::move(path), error) {}

    [[nodiscard]] bool failed() const { return m_reader.failed(); }
    void refuse(std::string_view key, Message why) { m_reader.refuse(key, std::move(why), ErrorKind::InvalidArgument); }
    [[nodiscard]] const Json* find(std::string_view key) {
        m_asked.insert(std::string(key));
        return m_reader.find(key);
    }
    template <typename T>
    T value(std::string_view key, T standard) {
        (void)find(key);
        m_reader.read(key, standard);
        return standard;
    }
    std::int64_t need(std::string_view key) {
        std::int64_t number = 0;
        (void)find(key);
        m_reader.require(key, number, 1);
        return number;
    }
    // The first of two alternative names.
    std::int64_t needEither(std::string_view first, std::string_view second) {
        return find(first) != nullptr ? need(first) : need(second);
    }
    // A reader for a member that is an object; unset if it is absent or null.
    [[nodiscard]] std::optional<JsonReader> object(std::string_view key) {
        const auto* member = find(key);
        if (member == nullptr) return std::nullopt;
        return m_reader.of(*member, m_reader.pathOf(key));
    }
    [[nodiscard]] std::vector<std::string> unread() const {
        std::vector<std::string> names;
        if (!m_object.is_object()) return names;
        for (const auto& [name, value] : m_object.items())
            if (!m_asked.contains(name) && std::ranges::find(kHarmless, name) == kHarmless.end()) names.push_back(name);
        return names;
    }

private:
    const Json& m_object;
    JsonReader m_reader;
    std::set<std::string> m_asked;
};

// Layers with full attention must follow a regular pattern, since a specification stores one number.
void readLayerTypes(ConfigReader& config, DecoderSpec& spec) {
    const auto* types = config.find("layer_types");
    if (types == nullptr || config.failed()) return;
    if (!types->is_array() || types->size() != static_cast<std::size_t>(spec.layers))
        return config.refuse("layer_types", messages::notOnePerLayer(spec.layers));
    std::vector<bool> global;
    for (const auto& type : *types) {
        if (type == "full_attention") {
            global.push_back(true);
        } else if (type == "sliding_attention") {
            global.push_back(false);
        } else {
            return config.refuse("layer_types",
                                 steelyard::messages::unknownValue(type.is_string() ? type.get<std::string>() : "?"));
        }
    }
    const auto first = std::ranges::find(global, true);
    const auto every = first == global.end() ? 0 : (first - global.begin()) + 1;
    if (every == 1) {
        // All layers have full attention; equivalent to an alternating pattern that begins with a full one.
        if (std::ranges::find(global, false) == global.end()) {
            spec.window = 0;
            spec.globalEvery = 0;
            return;
        }
        return config.refuse("layer_types", messages::irregularLayers());
    }
    for (std::size_t i = 0; i < global.size(); ++i)
        if (global[i] != (every > 0 && (i + 1) % static_cast<std::size_t>(every) == 0))
            return config.refuse("layer_types", messages::irregularLayers());
    spec.globalEvery = every;
    if (spec.window == 0) config.refuse("sliding_window", steelyard::messages::isMissing());
}

void readRotary(ConfigReader& config, DecoderSpec& spec, double theta) {
    spec.rotaryTheta = config.value("rope_theta", theta);
    spec.rotaryShare = config.value("partial_rotary_factor", 1.0);
    // transformers 5 writes all of it as rope_parameters.
    const bool isNew = config.find("rope_scaling") == nullptr;
    auto scaling = config.object(isNew ? "rope_parameters" : "rope_scaling");
    if (scaling && isNew) scaling->read("rope_theta", spec.rotaryTheta);
    if (!scaling || scaling->failed()) return;
    std::string kind = "default";
    scaling->read("type", kind);
    scaling->read("rope_type", kind);
    scaling->read("factor", spec.rotaryFactor);
    if (kind == "default") return;
    if (kind == "su") kind = "longrope";
    if (const auto known = fromName(std::type_identity<RotaryScaling>{}, kind)) {
        spec.rotaryScaling = *known;
    } else {
        scaling->refuse("rope_type", steelyard::messages::unknownValue(kind), ErrorKind::InvalidArgument);
    }
}

// Members common to most families, with the defaults of LlamaConfig.
void readCommon(ConfigReader& config, DecoderSpec& spec, bool tied, double theta, double epsilon = 1e-6) {
    spec.layers = config.need("num_hidden_layers");
    spec.width = config.need("hidden_size");
    spec.heads = config.need("num_attention_heads");
    spec.kvHeads = config.value("num_key_value_heads", spec.heads);
    spec.headDimension = config.value("head_dim", spec.heads > 0 ? spec.width / spec.heads : std::int64_t{0});
    spec.vocabulary = config.need("vocab_size");
    spec.contextLength = config.value("max_position_embeddings", std::int64_t{0});
    spec.tiedEmbeddings = config.value("tie_word_embeddings", tied);
    spec.normEpsilon = config.value("rms_norm_eps", epsilon);
    readRotary(config, spec, theta);
}

void readDense(ConfigReader& config, DecoderSpec& spec) {
    spec.feedForward = config.need("intermediate_size");
}

void readBiases(ConfigReader& config, DecoderSpec& spec) {
    spec.qkvBias = spec.outputBias = config.value("attention_bias", false);
    spec.feedForwardBias = config.value("mlp_bias", false);
}

void readMixtureOfExperts(ConfigReader& config, DecoderSpec& spec, std::string_view count) {
    spec.experts = config.need(count);
    spec.activeExperts = config.needEither("num_experts_per_tok", "experts_per_token");
}

void requireEveryLayer(ConfigReader& config) {
    if (config.value("decoder_sparse_step", std::int64_t{1}) != 1)
        config.refuse("decoder_sparse_step", messages::onlyEveryLayerExperts());
    if (const auto* dense = config.find("mlp_only_layers"); dense != nullptr && !dense->empty())
        config.refuse("mlp_only_layers", messages::onlyEveryLayerExperts());
}

void readSlidingWindow(ConfigReader& config, DecoderSpec& spec, std::int64_t standard) {
    spec.window = config.value("sliding_window", standard);
}

void readLlama(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    readDense(config, spec);
    readBiases(config, spec);
}

void readMistral(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    readDense(config, spec);
    readSlidingWindow(config, spec, 0);
}

void readMixtral(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e6, 1e-5);
    readSlidingWindow(config, spec, 0);
    spec.expertWidth = config.need("intermediate_size");
    readMixtureOfExperts(config, spec, "num_local_experts");
}

void readQwenWindow(ConfigReader& config, DecoderSpec& spec) {
    const bool used = config.value("use_sliding_window", false);
    readSlidingWindow(config, spec, 0);
    if (!used) spec.window = 0;
    if (used && spec.window > 0)
        config.refuse(
            "use_sliding_window",
            steelyard::messages::unknownValue("true"));  // differs between layers; not used by published models
    if (config.find("layer_types") != nullptr && !config.failed()) readLayerTypes(config, spec);
}

void readQwen2(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    readDense(config, spec);
    readQwenWindow(config, spec);
    spec.qkvBias = true;
}

void readQwen2Moe(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    readQwenWindow(config, spec);
    requireEveryLayer(config);
    (void)config.find("intermediate_size");  // of dense layers, which do not exist here
    spec.qkvBias = config.value("qkv_bias", true);
    readMixtureOfExperts(config, spec, "num_experts");
    spec.expertWidth = config.need("moe_intermediate_size");
    spec.sharedExpertWidth = config.need("shared_expert_intermediate_size");
    spec.sharedExpertGate = true;
}

void readQwen3(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    spec.headDimension = config.value("head_dim", std::int64_t{128});
    readDense(config, spec);
    readBiases(config, spec);
    readQwenWindow(config, spec);
    spec.qkNorm = QkNorm::PerHead;
}

void readQwen3Moe(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    readBiases(config, spec);
    readQwenWindow(config, spec);
    requireEveryLayer(config);
    (void)config.find("intermediate_size");
    spec.qkNorm = QkNorm::PerHead;
    readMixtureOfExperts(config, spec, "num_experts");
    spec.expertWidth = config.need("moe_intermediate_size");
}

void readGemma(ConfigReader& config, DecoderSpec& spec) {
    readDense(config, spec);
    spec.headDimension = config.value("head_dim", std::int64_t{256});
    spec.qkvBias = spec.outputBias = config.value("attention_bias", false);
    spec.gate = DecoderGate::GeGlu;
    spec.normsPerLayer = 4;
}

void readGemma2(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, true, 1e4);
    readGemma(config, spec);
    readSlidingWindow(config, spec, 4096);
    if (spec.window > 0) spec.globalEvery = 2;
    spec.attentionSoftCap = config.value("attn_logit_softcapping", 50.0);
    spec.logitSoftCap = config.value("final_logit_softcapping", 30.0);
    readLayerTypes(config, spec);
}

void readGemma3(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, true, 1e6);
    readGemma(config, spec);
    readSlidingWindow(config, spec, 4096);
    if (spec.window > 0) spec.globalEvery = config.value("sliding_window_pattern", std::int64_t{6});
    spec.localRotaryTheta = config.value("rope_local_base_freq", 1e4);
    spec.attentionSoftCap = config.value("attn_logit_softcapping", 0.0);
    spec.logitSoftCap = config.value("final_logit_softcapping", 0.0);
    spec.qkNorm = QkNorm::PerHead;
    readLayerTypes(config, spec);
}

void readPhi3(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4, 1e-5);
    readDense(config, spec);
    readBiases(config, spec);
    readSlidingWindow(config, spec, 0);
    // 262144 in files of Phi-4 mini: exceeds the context.
    if (spec.window >= spec.contextLength) spec.window = 0;
    spec.fusedQkv = true;
}

void readGptOss(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1.5e5, 1e-5);
    spec.headDimension = config.value("head_dim", std::int64_t{64});
    spec.expertWidth = config.need("intermediate_size");
    spec.qkvBias = spec.outputBias = config.value("attention_bias", true);
    spec.attentionSinks = true;
    readMixtureOfExperts(config, spec, "num_local_experts");
    spec.expertBias = spec.routerBias = true;
    readSlidingWindow(config, spec, 128);
    if (spec.window > 0) spec.globalEvery = 2;
    readLayerTypes(config, spec);
}

void readDeepSeek(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4);
    spec.feedForward = config.need("intermediate_size");
    spec.outputBias = config.value("attention_bias", false);
    spec.latentRank = config.need("kv_lora_rank");
    spec.queryRank = config.value("q_lora_rank", std::int64_t{0});
    spec.latentRotary = config.need("qk_rope_head_dim");
    spec.latentPlain = config.need("qk_nope_head_dim");
    spec.latentValue = config.need("v_head_dim");
    spec.headDimension = spec.latentPlain + spec.latentRotary;
    spec.kvHeads = spec.heads;
    if (config.find("n_routed_experts") == nullptr) return;
    spec.experts = config.need("n_routed_experts");
    spec.activeExperts = config.need("num_experts_per_tok");
    spec.expertWidth = config.need("moe_intermediate_size");
    const auto shared = config.value("n_shared_experts", std::int64_t{0});
    // Bounded before multiplying, since checkSpec() only sees the product.
    if (shared < 0 || shared > 65'536 || spec.expertWidth > (1 << 24))
        return config.refuse("n_shared_experts", steelyard::messages::implausible());
    spec.sharedExpertWidth = shared * spec.expertWidth;
    spec.leadingDenseLayers = config.value("first_k_dense_replace", std::int64_t{0});
    if (config.value("moe_layer_freq", std::int64_t{1}) != 1)
        config.refuse("moe_layer_freq", messages::onlyEveryLayerExperts());
}

void readDeepSeekV3(ConfigReader& config, DecoderSpec& spec) {
    readDeepSeek(config, spec);
    spec.routerBias = spec.hasExperts();  // e_score_correction_bias
}

void readOlmo2(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, false, 1e4, 1e-5);
    readDense(config, spec);
    readBiases(config, spec);
    spec.qkNorm = QkNorm::Whole;
}

void readSmolLm3(ConfigReader& config, DecoderSpec& spec) {
    readCommon(config, spec, true, 2e6);
    readDense(config, spec);
    readBiases(config, spec);
    readQwenWindow(config, spec);
}

void readGpt2(ConfigReader& config, DecoderSpec& spec) {
    spec.layers = config.need("n_layer");
    spec.width = config.need("n_embd");
    spec.heads = spec.kvHeads = config.need("n_head");
    spec.headDimension = spec.heads > 0 ? spec.width / spec.heads : 0;
    // Bounded before multiplying.
    spec.feedForward = config.value("n_inner", spec.width < (1 << 24) ? 4 * spec.width : std::int64_t{0});
    spec.vocabulary = config.need("vocab_size");
    spec.contextLength = config.needEither("n_positions", "n_ctx");
    spec.norm = DecoderNorm::LayerNorm;
    spec.normEpsilon = config.value("layer_norm_epsilon", 1e-5);
    spec.gate = DecoderGate::None;
    spec.qkvBias = spec.outputBias = spec.feedForwardBias = true;
    spec.fusedQkv = true;
    spec.learnedPositions = true;
    spec.tiedEmbeddings = config.value("tie_word_embeddings", true);
}

struct Family {
    std::string_view name;
    void (*read)(ConfigReader&, DecoderSpec&);
};
constexpr std::array kConfigFamilies{
    Family{"llama", readLlama},
    Family{"mistral", readMistral},
    Family{"mixtral", readMixtral},
    Family{"qwen2", readQwen2},
    Family{"qwen2_moe", readQwen2Moe},
    Family{"qwen3", readQwen3},
    Family{"qwen3_moe", readQwen3Moe},
    Family{"gemma2", readGemma2},
    Family{"gemma3_text", readGemma3},
    Family{"phi3", readPhi3},
    Family{"gpt_oss", readGptOss},
    Family{"deepseek_v2", readDeepSeek},
    Family{"deepseek_v3", readDeepSeekV3},
    Family{"olmo2", readOlmo2},
    Family{"smollm3", readSmolLm3},
    Family{"gpt2", readGpt2},
};

}  // namespace

std::vector<std::string_view> configFamilies() {
    std::vector<std::string_view> names;
    for (const auto& family : kConfigFamilies) names.push_back(family.name);
    return names;
}

Result<ConfigFile> decoderFromConfig(std::string_view name, std::string_view text) {
    const std::string subject(name);
    ASSIGN(const auto json, parseJson(text, subject, {.bytes = std::size_t{16} << 20}));
    std::optional<Error> error;
    JsonReader top(json, subject, error);
    std::string type;
    top.require("model_type", type);
    const Json* object = &json;
    if (!error && type == "gemma3") {
        // A vision-language model.
        object = top.demand("text_config");
        type = "gemma3_text";
    }
    if (error) return Failure(std::move(*error));
    const auto* family = std::ranges::find(kConfigFamilies, std::string_view(type), &Family::name);
    if (family == kConfigFamilies.end()) {
        std::string known;
        for (const auto& entry : kConfigFamilies) known += (known.empty() ? "" : ", ") + std::string(entry.name);
        return fail(ErrorKind::Unsupported, subject, messages::unknownArchitecture(type, known));
    }
    ConfigFile file;
    ConfigReader config(*object, subject, error);
    if (!error) family->read(config, file.spec);
    if (error) return Failure(std::move(*error));
    file.unread = config.unread();
    file.spec.family = type;
    file.spec.source = subject;
    TRY(checkSpec(file.spec, subject));
    return file;
}

}  // namespace steelyard::model

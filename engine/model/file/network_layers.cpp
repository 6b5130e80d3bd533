// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/network_layers.h"

#include <algorithm>
#include <array>

namespace steelyard::model {
namespace {

using Type = MemberRule::Type;
using Shapes = std::vector<Shape>;

// Far above any network, but small enough that products of a few of them fit in 64 bits.
constexpr double kLargeExtent = 1e7, kLargeWindow = 4096, kLargeTable = 1e9, kAnyReal = 1e6;

MemberRule whole(std::string_view name, double low, double high = kLargeExtent) {
    return {.name = name, .type = Type::Whole, .low = low, .high = high};
}
MemberRule real(std::string_view name, double low, double high) {
    return {.name = name, .type = Type::Real, .low = low, .high = high};
}
MemberRule flag(std::string_view name) {
    return {.name = name, .type = Type::Flag};
}
MemberRule text(std::string_view name) {
    return {.name = name, .type = Type::Text};
}
MemberRule word(std::string_view name, std::vector<std::string_view> words) {
    return {.name = name, .type = Type::Word, .words = std::move(words)};
}
MemberRule window(std::string_view name) {
    return {.name = name, .type = Type::Extent, .low = 1, .high = kLargeWindow};
}
MemberRule padding() {
    return {.name = "padding", .type = Type::Padding, .low = 0, .high = kLargeWindow};
}
MemberRule required(MemberRule rule) {
    rule.required = true;
    return rule;
}

// Index of the member's word among the words of its rule.
template <std::size_t N>
std::size_t wordIndex(const Json& object, std::string_view name, const std::array<std::string_view, N>& words) {
    const auto found = std::find(words.begin(), words.end(), textOf(object, name, words.front()));
    return found == words.end() ? 0 : static_cast<std::size_t>(found - words.begin());
}
template <std::size_t N>
MemberRule word(std::string_view name, const std::array<std::string_view, N>& words) {
    return word(name, std::vector<std::string_view>(words.begin(), words.end()));
}

constexpr std::array<std::string_view, 2> kInputTypes{"float32", "int32"};
constexpr std::array<std::string_view, 2> kPools{"max", "average"};
constexpr std::array<std::string_view, 3> kCells{"lstm", "gru", "rnn"};

std::vector<std::string_view> activationWords() {
    std::vector<std::string_view> words;
    for (const auto kind : activationKinds()) words.push_back(toString(kind));
    return words;
}

Padding2d paddingOf(const Json& layer, const Shapes& inputs, Size2d kernel, Size2d stride) {
    const auto* member = memberOf(layer, "padding");
    if (member == nullptr) return {};
    if (member->is_string()) {
        if (inputs.empty() || inputs.front().size() != 3) return {};  // rejected by the layer's shape rule
        const auto rows = samePadding(inputs.front(), kernel.height, stride.height);
        const auto columns = samePadding(inputs.front(), kernel.width, stride.width);
        return {rows.top, columns.left, rows.bottom, columns.right};
    }
    const auto values = wholesOf(layer, "padding");
    if (values.size() == 1) return {values[0], values[0], values[0], values[0]};
    if (values.size() == 2) return {values[0], values[1], values[0], values[1]};
    return {values[0], values[1], values[2], values[3]};
}

Layer makeInput(const Json& l, const Shapes&) {
    const auto type = wordIndex(l, "type", kInputTypes) == 1 ? DataType::Int32 : DataType::Float32;
    return Input{wholesOf(l, "shape"), type, wholeOf(l, "vocabulary", 0)};
}

Layer makeConv2d(const Json& l, const Shapes& inputs) {
    const auto kernel = extentOf(l, "kernel", {1, 1});
    const auto stride = extentOf(l, "stride", {1, 1});
    return Conv2d{
        wholeOf(l, "filters", 0), kernel, stride, paddingOf(l, inputs, kernel, stride), wholeOf(l, "groups", 1),
        flagOf(l, "bias", true)};
}

Layer makePool2d(const Json& l, const Shapes& inputs) {
    const auto kernel = extentOf(l, "kernel", {1, 1});
    const auto stride = extentOf(l, "stride", kernel);
    const auto kind = wordIndex(l, "pool", kPools) == 0 ? PoolKind::Max : PoolKind::Average;
    return Pool2d{kind,
                  kernel,
                  stride,
                  paddingOf(l, inputs, kernel, stride),
                  flagOf(l, "round_up", false),
                  flagOf(l, "count_padding", false)};
}

Layer makeRecurrent(const Json& l, const Shapes&) {
    return Recurrent{static_cast<RecurrentCell>(wordIndex(l, "cell", kCells)),
                     wholeOf(l, "units", 0),
                     flagOf(l, "bidirectional", false),
                     flagOf(l, "return_sequence", false),
                     realOf(l, "forget_bias", 1.0),
                     flagOf(l, "carry_state", false)};
}

Layer makeRotary(const Json& l, const Shapes&) {
    return RotaryEmbedding{wholeOf(l, "head_width", 0),    wholeOf(l, "rotated", 0), realOf(l, "theta", 10'000),
                           flagOf(l, "neighbours", false), realOf(l, "factor", 1),   wholeOf(l, "llama3_context", 0)};
}

Layer makeGroupedAttention(const Json& l, const Shapes&) {
    return GroupedAttention{wholeOf(l, "heads", 1),  wholeOf(l, "kv_heads", 1), flagOf(l, "causal", true),
                            wholeOf(l, "window", 0), realOf(l, "scale", 0),     realOf(l, "soft_cap", 0)};
}

template <class Plain>
Layer makePlain(const Json&, const Shapes&) {
    return Plain{};
}

std::vector<LayerEntry> imageEntries() {
    return {
        {"conv2d",
         {required(whole("filters", 1)), required(window("kernel")), window("stride"), padding(), whole("groups", 1),
          flag("bias")},
         makeConv2d},
        {"pool2d",
         {word("pool", kPools), required(window("kernel")), window("stride"), padding(), flag("round_up"),
          flag("count_padding")},
         makePool2d},
        {"global_average_pool", {}, makePlain<GlobalAveragePool>},
        {"batch_norm",
         {real("epsilon", 0, 1), real("momentum", 0, 1)},
         [](const Json& l, const Shapes&) -> Layer {
             return BatchNorm{realOf(l, "epsilon", 1e-5), realOf(l, "momentum", 0.1)};
         }},
        {"to_tokens", {}, makePlain<ToTokens>},
        {"shortcut_pad",
         {required(whole("channels", 1)), whole("stride", 1, kLargeWindow)},
         [](const Json& l, const Shapes&) -> Layer {
             return ShortcutPad{wholeOf(l, "channels", 0), wholeOf(l, "stride", 1)};
         }},
    };
}

std::vector<LayerEntry> sequenceEntries() {
    return {
        {"embedding",
         {required(whole("vocabulary", 1, kLargeTable)), required(whole("units", 1)), flag("sparse_update"),
          flag("frozen")},
         [](const Json& l, const Shapes&) -> Layer {
             return Embedding{wholeOf(l, "vocabulary", 0), wholeOf(l, "units", 0), flagOf(l, "sparse_update", false)};
         }},
        {"recurrent",
         {word("cell", kCells), required(whole("units", 1)), flag("bidirectional"), flag("return_sequence"),
          real("forget_bias", -100, 100), flag("carry_state")},
         makeRecurrent},
        {"attention",
         {required(whole("heads", 1, kLargeWindow)), flag("causal"), whole("cached_tokens", 0)},
         [](const Json& l, const Shapes&) -> Layer {
             return Attention{wholeOf(l, "heads", 1), flagOf(l, "causal", false), wholeOf(l, "cached_tokens", 0)};
         }},
        {"layer_norm",
         {real("epsilon", 0, 1)},
         [](const Json& l, const Shapes&) -> Layer { return LayerNorm{realOf(l, "epsilon", 1e-5)}; }},
        {"rms_norm",
         {real("epsilon", 0, 1), whole("group", 1), flag("frozen")},
         [](const Json& l, const Shapes&) -> Layer {
             return RmsNorm{realOf(l, "epsilon", 1e-5), wholeOf(l, "group", 0)};
         }},
        {"rotary_embedding",
         {required(whole("head_width", 1)), whole("rotated", 1), real("theta", 1, 1e9), flag("neighbours"),
          real("factor", 1e-3, 1e3), whole("llama3_context", 1)},
         makeRotary},
        {"grouped_attention",
         {required(whole("heads", 1, kLargeWindow)), required(whole("kv_heads", 1, kLargeWindow)), flag("causal"),
          whole("window", 1), real("scale", 1e-6, kAnyReal), real("soft_cap", 1e-3, kAnyReal)},
         makeGroupedAttention},
        {"position_embedding",
         {whole("positions", 0), whole("offset", 0)},
         [](const Json& l, const Shapes&) -> Layer {
             return PositionEmbedding{wholeOf(l, "positions", 0), wholeOf(l, "offset", 0)};
         }},
        {"token_type_embedding",
         {whole("types", 1)},
         [](const Json& l, const Shapes&) -> Layer { return TokenTypeEmbedding{wholeOf(l, "types", 2)}; }},
        {"class_token", {}, makePlain<ClassToken>},
        {"select_step",
         {required(whole("step", -kLargeExtent))},
         [](const Json& l, const Shapes&) -> Layer { return SelectStep{wholeOf(l, "step", 0)}; }},
    };
}

std::vector<LayerEntry> generalEntries() {
    MemberRule shape{.name = "shape", .type = Type::Wholes, .required = true, .low = 1, .high = kLargeExtent};
    shape.most = 3;
    return {
        {"input", {shape, word("type", kInputTypes), whole("vocabulary", 1, kLargeTable)}, makeInput},
        // Either "units" or "tied_to" (the name of an embedding whose table is the weight); checked by the reader.
        {"dense",
         {whole("units", 1), flag("bias"), text("tied_to"), flag("frozen")},
         [](const Json& l, const Shapes&) -> Layer {
             return Dense{wholeOf(l, "units", 0), flagOf(l, "bias", true)};
         }},
        {"activation",
         {required(word("function", activationWords()))},
         [](const Json& l, const Shapes&) -> Layer {
             return Activation{activationKindFromString(textOf(l, "function", {})).value_or(ActivationKind::Relu)};
         }},
        {"gated_activation",
         {word("function", {"sigmoid", "gelu", "gelu_tanh", "swish"})},
         [](const Json& l, const Shapes&) -> Layer {
             return GatedActivation{
                 activationKindFromString(textOf(l, "function", "swish")).value_or(ActivationKind::Swish)};
         }},
        {"scale",
         {real("factor", -kAnyReal, kAnyReal), real("cap", 1e-3, kAnyReal)},
         [](const Json& l, const Shapes&) -> Layer {
             return Scale{realOf(l, "factor", 1), realOf(l, "cap", 0)};
         }},
        {"dropout",
         {real("rate", 0, 0.999)},
         [](const Json& l, const Shapes&) -> Layer { return Dropout{realOf(l, "rate", 0.5)}; }},
        {"add", {}, makePlain<Add>},
        {"concat", {}, makePlain<Concat>},
        {"flatten", {}, makePlain<Flatten>},
    };
}

}  // namespace

const std::vector<LayerEntry>& layerEntries() {
    static const std::vector<LayerEntry> entries = [] {
        auto all = generalEntries();
        for (auto& part : {imageEntries(), sequenceEntries()}) all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return entries;
}

const MemberRules& layerRules() {
    static const MemberRules rules = [] {
        std::vector<std::string_view> kinds;
        for (const auto& entry : layerEntries()) kinds.push_back(entry.kind);
        MemberRule inputs{.name = "inputs", .type = Type::Texts};
        inputs.most = 64;
        return MemberRules{required(word("kind", std::move(kinds))), text("name"), inputs};
    }();
    return rules;
}

const MemberRules& documentRules() {
    static const MemberRules rules = [] {
        MemberRule layers{.name = "layers", .type = Type::Objects, .required = true};
        layers.most = 5'000;
        MemberRule outputs{.name = "outputs", .type = Type::Objects, .required = true};
        outputs.most = 16;
        return MemberRules{text("$schema"),
                           required(text("name")),
                           text("title"),
                           whole("batch", 1, 1e6),
                           word("weight_init", {"glorot_uniform", "he_normal", "normal"}),
                           MemberRule{.name = "optimizer", .type = Type::Object},
                           layers,
                           outputs};
    }();
    return rules;
}

const MemberRules& outputRules() {
    static const MemberRules rules{required(text("layer")),
                                   word("loss", {"softmax_cross_entropy", "sigmoid_cross_entropy"}),
                                   real("weight", 1e-6, kAnyReal), flag("training_only")};
    return rules;
}

const MemberRules& optimizerRules() {
    static const MemberRules rules{required(word("kind", {"sgd", "momentum", "rmsprop", "adadelta", "adam"})),
                                   real("learning_rate", 0, kAnyReal),
                                   real("decay", 0, kAnyReal),
                                   real("clip_norm", 1e-9, kAnyReal),
                                   real("weight_decay", 0, kAnyReal),
                                   real("momentum", 0, 1),
                                   real("rho", 0, 1),
                                   real("beta1", 0, 1),
                                   real("beta2", 0, 1),
                                   real("epsilon", 0, kAnyReal)};
    return rules;
}

bool optimizerUses(OptimizerKind kind, std::string_view member) {
    const bool adaptive = kind != OptimizerKind::Sgd && kind != OptimizerKind::Momentum;
    if (member == "weight_decay") return !adaptive;
    if (member == "momentum") return kind == OptimizerKind::Momentum;
    if (member == "rho") return kind == OptimizerKind::RmsProp || kind == OptimizerKind::Adadelta;
    if (member == "beta1" || member == "beta2") return kind == OptimizerKind::Adam;
    if (member == "epsilon") return adaptive;
    return true;
}

}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/core/messages/model.h"
#include "engine/core/overloaded.h"

namespace steelyard::model {
namespace {

Failure badShape(std::string_view layer, Message why) {
    return fail(ErrorKind::InvalidArgument, std::string(layer), std::move(why));
}

// Rounding up adds a window beyond the end if it starts inside the image or its leading padding; a window of padding
// only has no maximum.
Result<std::int64_t> windowed(std::int64_t in, std::int64_t kernel, std::int64_t stride,
                              std::pair<std::int64_t, std::int64_t> paddings, bool roundUp) {
    const auto padding = paddings.first + paddings.second;
    if (kernel < 1 || stride < 1 || padding < 0) return badShape("window", messages::kernelTooSmall());
    const auto room = in + padding - kernel;
    if (room < 0) return badShape("window", messages::kernelTooLarge(kernel, in + padding));
    if (!roundUp) return room / stride + 1;
    const auto windows = (room + stride - 1) / stride + 1;
    return (windows - 1) * stride < in + paddings.first ? windows : windows - 1;
}

Result<Shape> spatial(const Shape& in, std::int64_t channels, Size2d kernel, Size2d stride, Padding2d padding,
                      bool roundUp) {
    ASSIGN(const auto height, windowed(in[1], kernel.height, stride.height, {padding.top, padding.bottom}, roundUp));
    ASSIGN(const auto width, windowed(in[2], kernel.width, stride.width, {padding.left, padding.right}, roundUp));
    return Shape{channels, height, width};
}

Result<Shape> sameShapes(const std::vector<Shape>& inputs) {
    if (inputs.size() < 2) return badShape("add", messages::twoInputs());
    for (const auto& shape : inputs) {
        if (shape != inputs.front())
            return badShape("add", messages::shapesDiffer(toString(inputs.front()), toString(shape)));
    }
    return inputs.front();
}

Result<Shape> concatenated(const std::vector<Shape>& inputs) {
    if (inputs.size() < 2) return badShape("concat", messages::twoInputs());
    Shape result = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        const auto& shape = inputs[i];
        if (shape.size() != result.size() || !std::equal(shape.begin() + 1, shape.end(), result.begin() + 1))
            return badShape("concat", messages::shapesDoNotMatch(toString(shape), toString(result)));
        result[0] += shape[0];
    }
    return result;
}

Result<Shape> productShape(const Product& layer, const std::vector<Shape>& inputs) {
    if (inputs.size() != 2 || inputs[0].size() != 2 || inputs[1].size() != 2)
        return badShape("product", messages::twoMatrices());
    const auto& a = inputs[0];
    const auto& b = inputs[1];
    if (a[layer.transposeA ? 0 : 1] != b[layer.transposeB ? 1 : 0])
        return badShape("product", messages::matricesDoNotMatch(toString(a), toString(b)));
    return Shape{a[layer.transposeA ? 1 : 0], b[layer.transposeB ? 0 : 1]};
}

Result<void> needRank(std::string_view layer, const Shape& shape, std::size_t rank) {
    if (shape.size() == rank) return {};
    return badShape(layer, messages::expectsRank(rank, toString(shape)));
}

Result<Shape> rotaryShape(const RotaryEmbedding& layer, const Shape& in) {
    constexpr auto* kName = "rotary_embedding";
    TRY(needRank(kName, in, 2));
    if (layer.headWidth < 1 || in[1] % layer.headWidth != 0)
        return badShape(kName, messages::groupsOfFeatures(in[1], layer.headWidth));
    const auto rotated = layer.rotated > 0 ? layer.rotated : layer.headWidth;
    if (layer.rotated < 0 || rotated > layer.headWidth || rotated % 2 != 0)
        return badShape(kName, messages::rotatedFeatures(rotated, layer.headWidth));
    if (!(layer.theta > 0) || !(layer.factor > 0) || layer.llama3Context < 0)
        return badShape(kName, messages::rotaryRange());
    return in;
}

Result<Shape> groupedAttentionShape(const GroupedAttention& layer, const std::vector<Shape>& inputs) {
    constexpr auto* kName = "grouped_attention";
    if (inputs.size() != 3) return badShape(kName, messages::queriesKeysValues());
    for (const auto& shape : inputs) TRY(needRank(kName, shape, 2));
    const auto& queries = inputs[0];
    if (layer.heads < 1 || layer.kvHeads < 1 || layer.heads % layer.kvHeads != 0 || queries[1] % layer.heads != 0)
        return badShape(kName, messages::headGroups(queries[1], layer.heads, layer.kvHeads));
    const Shape keys{queries[0], queries[1] / layer.heads * layer.kvHeads};
    for (std::size_t i = 1; i < inputs.size(); ++i)
        if (inputs[i] != keys) return badShape(kName, messages::shapesDiffer(toString(keys), toString(inputs[i])));
    if (layer.window < 0 || (layer.window > 0 && !layer.causal) || !(layer.softCap >= 0) || !(layer.scale >= 0))
        return badShape(kName, messages::attentionRange());
    return queries;
}

// Functions whose product with a second factor is in use: GLU, GeGLU, SwiGLU.
bool gates(ActivationKind kind) {
    return kind == ActivationKind::Sigmoid || kind == ActivationKind::Gelu || kind == ActivationKind::GeluTanh ||
           kind == ActivationKind::Swish;
}

Shape withLast(Shape shape, std::int64_t last) {
    shape.back() = last;
    return shape;
}

ParameterSpec weight(std::string name, Shape shape, InitKind kind, std::int64_t fanIn, std::int64_t fanOut) {
    return {std::move(name), std::move(shape), Init{kind, 0, fanIn, fanOut}, true};
}
ParameterSpec constant(std::string name, Shape shape, double value, bool trainable = true) {
    return {std::move(name), std::move(shape), Init{InitKind::Constant, value, 1, 1}, trainable};
}

std::vector<ParameterSpec> recurrentParameters(const Recurrent& layer, std::int64_t features) {
    std::vector<ParameterSpec> result;
    const auto gates = gateCount(layer.cell);
    for (int direction = 0; direction < (layer.bidirectional ? 2 : 1); ++direction) {
        const std::string prefix = direction == 0 ? "" : "reverse_";
        result.push_back(weight(prefix + "weight", {gates * layer.units, features}, InitKind::GlorotUniform, features,
                                gates * layer.units));
        result.push_back(weight(prefix + "recurrent", {gates * layer.units, layer.units}, InitKind::GlorotUniform,
                                layer.units, gates * layer.units));
        ParameterSpec bias = constant(prefix + "bias", {gates * layer.units}, 0);
        if (layer.cell == RecurrentCell::Lstm) bias.init = Init{InitKind::LstmBias, layer.forgetBias, 1, 1};
        result.push_back(std::move(bias));
    }
    return result;
}

}  // namespace

std::int64_t elementCount(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string toString(const Shape& shape) {
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " x "));
}

std::int64_t bytesOf(DataType type) {
    switch (type) {
        case DataType::Float32:
        case DataType::Int32:
            return 4;
        case DataType::BFloat16:
        case DataType::Float16:
            return 2;
        case DataType::UInt8:
        case DataType::Int8:
            return 1;
    }
    return 4;
}

std::string_view toString(ActivationKind kind) {
    switch (kind) {
#define STEELYARD_NAME(kind, word) \
    case ActivationKind::kind:     \
        return word;
        STEELYARD_ACTIVATIONS(STEELYARD_NAME)
#undef STEELYARD_NAME
    }
    return {};
}

const std::vector<ActivationKind>& activationKinds() {
#define STEELYARD_KIND(kind, word) ActivationKind::kind,
    static const std::vector<ActivationKind> all{STEELYARD_ACTIVATIONS(STEELYARD_KIND)};
#undef STEELYARD_KIND
    return all;
}

std::optional<ActivationKind> activationKindFromString(std::string_view word) {
    for (const auto kind : activationKinds())
        if (toString(kind) == word) return kind;
    return std::nullopt;
}

std::string_view kindName(const Layer& layer) {
    constexpr std::string_view names[]{"input",
                                       "dense",
                                       "conv2d",
                                       "pool2d",
                                       "global_average_pool",
                                       "activation",
                                       "dropout",
                                       "batch_norm",
                                       "layer_norm",
                                       "add",
                                       "concat",
                                       "flatten",
                                       "embedding",
                                       "recurrent",
                                       "attention",
                                       "position_embedding",
                                       "token_type_embedding",
                                       "class_token",
                                       "to_tokens",
                                       "select_step",
                                       "shortcut_pad",
                                       "product",
                                       "array",
                                       "constant",
                                       "rms_norm",
                                       "rotary_embedding",
                                       "grouped_attention",
                                       "gated_activation",
                                       "scale"};
    static_assert(std::size(names) == std::variant_size_v<Layer>);
    return names[layer.index()];
}

std::int64_t gateCount(RecurrentCell cell) {
    return cell == RecurrentCell::Lstm ? 4 : cell == RecurrentCell::Gru ? 3 : 1;
}

Result<Shape> outputShape(const Layer& layer, const std::vector<Shape>& inputs) {
    const bool isInput = std::holds_alternative<Input>(layer);
    const auto name = kindName(layer);
    if (isInput != inputs.empty()) return badShape(name, isInput ? messages::takesNoInput() : messages::hasNoInput());
    if (!isInput && inputs.front().empty()) return badShape(name, messages::scalarInput());
    const Shape in = isInput ? Shape{} : inputs.front();
    const bool takesSeveral = std::holds_alternative<Add>(layer) || std::holds_alternative<Concat>(layer) ||
                              std::holds_alternative<Product>(layer) || std::holds_alternative<ArrayLayer>(layer) ||
                              std::holds_alternative<GroupedAttention>(layer) ||
                              std::holds_alternative<GatedActivation>(layer);
    if (!takesSeveral && inputs.size() > 1) return badShape(name, messages::takesOneInput());
    return std::visit(
        Overloaded{
            [&](const Input& l) -> Result<Shape> {
                for (auto extent : l.shape)
                    if (extent < 1) return badShape(name, messages::extentTooSmall());
                if (l.shape.empty()) return badShape(name, messages::needsShape());
                return l.shape;
            },
            [&](const Dense& l) -> Result<Shape> {
                if (l.units < 1) return badShape(name, messages::unitsTooSmall());
                if (in.size() > 2) return badShape(name, messages::denseInput(toString(in)));
                return withLast(in, l.units);
            },
            [&](const Conv2d& l) -> Result<Shape> {
                TRY(needRank(name, in, 3));
                if (l.filters < 1 || l.groups < 1 || in[0] % l.groups != 0 || l.filters % l.groups != 0)
                    return badShape(name, messages::groupsDoNotDivide(l.filters, l.groups, in[0]));
                return spatial(in, l.filters, l.kernel, l.stride, l.padding, false);
            },
            [&](const Pool2d& l) -> Result<Shape> {
                TRY(needRank(name, in, 3));
                return spatial(in, in[0], l.kernel, l.stride, l.padding, l.roundUp);
            },
            [&](const GlobalAveragePool&) -> Result<Shape> {
                if (in.size() == 3) return Shape{in[0]};
                if (in.size() == 2) return Shape{in[1]};
                return badShape(name, messages::normInput(toString(in)));
            },
            [&](const Activation&) -> Result<Shape> { return in; },
            [&](const Dropout& l) -> Result<Shape> {
                if (!(l.rate >= 0 && l.rate < 1)) return badShape(name, messages::rateRange());
                return in;
            },
            [&](const BatchNorm&) -> Result<Shape> {
                if (in.size() != 1 && in.size() != 3) return badShape(name, messages::batchNormInput(toString(in)));
                return in;
            },
            [&](const LayerNorm&) -> Result<Shape> { return in; },
            [&](const Add&) { return sameShapes(inputs); },
            [&](const Concat&) { return concatenated(inputs); },
            [&](const Flatten&) -> Result<Shape> { return Shape{elementCount(in)}; },
            [&](const Embedding& l) -> Result<Shape> {
                TRY(needRank(name, in, 1));
                if (l.vocabulary < 1 || l.units < 1) return badShape(name, messages::embeddingTooSmall());
                return Shape{in[0], l.units};
            },
            [&](const Recurrent& l) -> Result<Shape> {
                TRY(needRank(name, in, 2));
                if (l.units < 1) return badShape(name, messages::unitsTooSmall());
                const auto width = l.units * (l.bidirectional ? 2 : 1);
                return l.returnSequence ? Shape{in[0], width} : Shape{width};
            },
            [&](const Attention& l) -> Result<Shape> {
                TRY(needRank(name, in, 2));
                if (l.heads < 1 || in[1] % (3 * l.heads) != 0)
                    return badShape(name, messages::headsDoNotDivide(in[1], l.heads));
                return Shape{in[0], in[1] / 3};
            },
            [&](const PositionEmbedding& l) -> Result<Shape> {
                TRY(needRank(name, in, 2));
                if (l.offset < 0 || l.positions < 0 || (l.positions > 0 && l.offset + in[0] > l.positions))
                    return badShape(name, messages::positionsExceeded(l.offset, l.offset + in[0] - 1, l.positions));
                return in;
            },
            [&](const TokenTypeEmbedding&) -> Result<Shape> {
                TRY(needRank(name, in, 2));
                return in;
            },
            [&](const ClassToken&) -> Result<Shape> {
                TRY(needRank(name, in, 2));
                return Shape{in[0] + 1, in[1]};
            },
            [&](const ToTokens&) -> Result<Shape> {
                TRY(needRank(name, in, 3));
                return Shape{in[1] * in[2], in[0]};
            },
            [&](const SelectStep& l) -> Result<Shape> {
                TRY(needRank(name, in, 2));
                if (l.step >= in[0] || l.step < -in[0]) return badShape(name, messages::stepOutOfRange(l.step, in[0]));
                return Shape{in[1]};
            },
            [&](const ShortcutPad& l) -> Result<Shape> {
                TRY(needRank(name, in, 3));
                if (l.channels < in[0] || (l.channels - in[0]) % 2 != 0 || l.stride < 1)
                    return badShape(name, messages::unevenPad(in[0], l.channels));
                return Shape{l.channels, (in[1] + l.stride - 1) / l.stride, (in[2] + l.stride - 1) / l.stride};
            },
            [&](const Product& l) { return productShape(l, inputs); },
            [&](const ArrayLayer& l) { return arrayShape(l.operation, inputs); },
            [&](const Constant&) -> Result<Shape> { return badShape(name, messages::shapeOfParameter()); },
            [&](const RmsNorm& l) -> Result<Shape> {
                if (l.group < 0 || (l.group > 0 && in.back() % l.group != 0))
                    return badShape(name, messages::groupsOfFeatures(in.back(), l.group));
                return in;
            },
            [&](const RotaryEmbedding& l) { return rotaryShape(l, in); },
            [&](const GroupedAttention& l) { return groupedAttentionShape(l, inputs); },
            [&](const GatedActivation& l) -> Result<Shape> {
                if (!gates(l.kind)) return badShape(name, messages::gateFunction(toString(l.kind)));
                if (inputs.size() != 2) return badShape(name, messages::twoInputs());
                if (inputs[0] != inputs[1])
                    return badShape(name, messages::shapesDiffer(toString(inputs[0]), toString(inputs[1])));
                return in;
            },
            [&](const Scale& l) -> Result<Shape> {
                if (!std::isfinite(l.factor) || !(l.cap >= 0)) return badShape(name, messages::scaleRange());
                return in;
            },
        },
        layer);
}

std::vector<double> rotaryFrequencies(const RotaryEmbedding& layer) {
    // As published with Llama 3.1: wavelengths below a quarter of the original context stay, those above all of it are
    // divided, with a ramp in between.
    constexpr double kLowTurns = 1, kHighTurns = 4;
    const auto pairs = (layer.rotated > 0 ? layer.rotated : layer.headWidth) / 2;
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const double plain = std::pow(layer.theta, -static_cast<double>(i) / static_cast<double>(pairs));
        const double turns = plain * static_cast<double>(layer.llama3Context) / (2 * std::numbers::pi);
        const double kept =
            layer.llama3Context > 0 ? std::clamp((turns - kLowTurns) / (kHighTurns - kLowTurns), 0.0, 1.0) : 0.0;
        frequencies.push_back(plain * kept + plain / layer.factor * (1 - kept));
    }
    return frequencies;
}

std::vector<ParameterSpec> parametersOf(const Layer& layer, const std::vector<Shape>& inputs) {
    const Shape in = inputs.empty() ? Shape{} : inputs.front();
    using Specs = std::vector<ParameterSpec>;
    return std::visit(
        Overloaded{
            [&](const Dense& l) {
                Specs specs{weight("weight", {l.units, in.back()}, InitKind::GlorotUniform, in.back(), l.units)};
                if (l.bias) specs.push_back(constant("bias", {l.units}, 0));
                return specs;
            },
            [&](const Conv2d& l) {
                const auto window = l.kernel.height * l.kernel.width;
                const auto fanIn = in[0] / l.groups * window;
                Specs specs{weight("weight", {l.filters, in[0] / l.groups, l.kernel.height, l.kernel.width},
                                   InitKind::GlorotUniform, fanIn, l.filters / l.groups * window)};
                if (l.bias) specs.push_back(constant("bias", {l.filters}, 0));
                return specs;
            },
            [&](const BatchNorm&) {
                return Specs{constant("scale", {in[0]}, 1), constant("offset", {in[0]}, 0),
                             constant("running_mean", {in[0]}, 0, false),
                             constant("running_variance", {in[0]}, 1, false)};
            },
            [&](const LayerNorm&) {
                return Specs{constant("scale", {in.back()}, 1), constant("offset", {in.back()}, 0)};
            },
            [&](const RmsNorm& l) { return Specs{constant("scale", {l.group > 0 ? l.group : in.back()}, 1)}; },
            [&](const Embedding& l) {
                ParameterSpec table{"table", {l.vocabulary, l.units}, Init{InitKind::Uniform, 0.05, 1, 1}, true};
                return Specs{std::move(table)};
            },
            [&](const Recurrent& l) { return recurrentParameters(l, in.back()); },
            [&](const PositionEmbedding& l) {
                const auto rows = l.positions > 0 ? l.positions : in[0] + l.offset;
                return Specs{ParameterSpec{"position", {rows, in[1]}, Init{InitKind::Normal, 0.02, 1, 1}, true}};
            },
            [&](const TokenTypeEmbedding& l) {
                return Specs{
                    ParameterSpec{"token_type", {l.types, in.back()}, Init{InitKind::Normal, 0.02, 1, 1}, true}};
            },
            [&](const ClassToken&) {
                return Specs{ParameterSpec{"class_token", {in.back()}, Init{InitKind::Normal, 0.02, 1, 1}, true}};
            },
            [](const auto&) { return Specs{}; },
        },
        layer);
}

}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/onnx/structure_hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/hash.h"

namespace steelyard::model::onnx {
namespace {

// The attributes of a layer as text; layers of a kind have equal text if they compute the same.
class AttributeText {
public:
    void operator()(const Input& l) { add(l.shape, l.type, l.vocabulary); }
    void operator()(const Dense& l) { add(l.units, l.bias); }
    void operator()(const Conv2d& l) {
        add(l.filters, l.kernel.height, l.kernel.width, l.stride.height, l.stride.width);
        addPadding(l.padding);
        add(l.groups, l.bias);
    }
    void operator()(const Pool2d& l) {
        add(l.kind, l.kernel.height, l.kernel.width, l.stride.height, l.stride.width);
        addPadding(l.padding);
        add(l.roundUp, l.countPadding);
    }
    void operator()(const Activation& l) { add(l.kind); }
    void operator()(const Dropout& l) { add(l.rate); }
    void operator()(const BatchNorm& l) { add(l.epsilon, l.momentum); }
    void operator()(const LayerNorm& l) { add(l.epsilon); }
    void operator()(const Embedding& l) { add(l.vocabulary, l.units, l.sparseUpdate); }
    void operator()(const Recurrent& l) {
        add(l.cell, l.units, l.bidirectional, l.returnSequence, l.forgetBias, l.carryState);
    }
    void operator()(const Attention& l) { add(l.heads, l.causal, l.cachedTokens); }
    void operator()(const PositionEmbedding& l) { add(l.positions, l.offset); }
    void operator()(const TokenTypeEmbedding& l) { add(l.types); }
    void operator()(const SelectStep& l) { add(l.step); }
    void operator()(const ShortcutPad& l) { add(l.channels, l.stride); }
    void operator()(const Product& l) { add(l.transposeA, l.transposeB); }
    void operator()(const ArrayLayer& l) {
        add(l.operation.index());
        std::visit(*this, l.operation);
    }
    void operator()(const GlobalAveragePool&) {}
    void operator()(const Add&) {}
    void operator()(const Concat&) {}
    void operator()(const Flatten&) {}
    void operator()(const ClassToken&) {}
    void operator()(const ToTokens&) {}
    void operator()(const Constant&) {}
    void operator()(const RmsNorm& l) { add(l.epsilon, l.group); }
    void operator()(const RotaryEmbedding& l) {
        add(l.headWidth, l.rotated, l.theta, l.neighbours, l.factor, l.llama3Context);
    }
    void operator()(const GroupedAttention& l) { add(l.heads, l.kvHeads, l.causal, l.window, l.scale, l.softCap); }
    void operator()(const GatedActivation& l) { add(l.kind); }
    void operator()(const Scale& l) { add(l.factor, l.cap); }

    void operator()(const Map& l) { add(l.kind, l.alpha, l.beta); }
    void operator()(const Rearrange& l) { add(l.extents, l.strides, l.offset, l.shape); }
    void operator()(const PadArray& l) { add(l.mode, l.before, l.after, l.value); }
    void operator()(const JoinArrays& l) { add(l.axis); }
    void operator()(const Reduce& l) { add(l.kind, l.axes, l.keepDimensions, l.lastIndex); }
    void operator()(const LookUp& l) { add(l.kind, l.axis, l.batchDimensions); }
    void operator()(const Scatter& l) { add(l.kind, l.axis, l.reduction); }
    void operator()(const MatrixProduct&) {}
    void operator()(const AttendArrays& l) { add(l.scale); }
    void operator()(const SoftmaxAlong& l) { add(l.axis, l.logarithm); }
    void operator()(const ConvolveNd& l) {
        add(l.kernel, l.stride, l.dilation, l.before, l.after, l.groups, l.transposed, l.outputPadding);
    }
    void operator()(const PoolNd& l) {
        add(l.kind, l.kernel, l.stride, l.dilation, l.before, l.after, l.roundUp, l.countPadding, l.power);
    }
    void operator()(const ResizeArray& l) {
        add(l.mode, l.coordinates, l.nearest, l.scales, l.shape, l.cubicCoefficient, l.excludeOutside);
    }
    void operator()(const Normalise& l) {
        add(l.kind, l.epsilon, l.axis, l.groups, l.size, l.alpha, l.beta, l.bias, l.power, l.axes);
    }
    void operator()(const RecurrentPass& l) {
        add(l.cell, l.direction, l.units, l.linearBeforeReset, l.hasBias, l.hasLengths, l.hasHidden, l.hasCell,
            l.hasPeepholes, l.activations, l.clip, l.inputForget);
    }
    void operator()(const CumulativeSum& l) { add(l.axis, l.exclusive, l.reverse); }
    void operator()(const Triangle& l) { add(l.upper, l.diagonal); }

    std::string text;

private:
    template <class... Values>
    void add(const Values&... values) {
        (addOne(values), ...);
    }
    template <class T>
    void addOne(const T& value) {
        if constexpr (std::is_enum_v<T>) {
            text += fmt::format("{} ", static_cast<int>(value));
        } else {
            text += fmt::format("{} ", value);
        }
    }
    template <class T>
    void addOne(const std::vector<T>& values) {
        text += "[ ";
        for (const auto& value : values) addOne(value);
        text += "] ";
    }
    void addPadding(const Padding2d& padding) { add(padding.top, padding.left, padding.bottom, padding.right); }
};

}  // namespace

std::string structureHash(const model::Graph& network) {
    std::string text;
    for (const auto& node : network.nodes) {
        AttributeText attributes;
        std::visit([&](const auto& layer) { attributes(layer); }, node.layer);
        text += fmt::format("{} {}{} {} {};", kindName(node.layer), attributes.text, fmt::join(node.inputs, ","),
                            fmt::join(node.output, "x"), static_cast<int>(node.type));
        for (auto p : node.parameters)
            text += fmt::format("{},", fmt::join(network.parameters[static_cast<std::size_t>(p)].spec.shape, "x"));
    }
    for (const auto& head : network.heads) text += fmt::format("> {}", head.logits);
    return fmt::format("{:016x}", fnv1a(text)).substr(0, kStructureHashDigits);
}

}  // namespace steelyard::model::onnx

// SPDX-License-Identifier: Apache-2.0
// Convolutions, pooling and resizing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 16;  // kernel, stride, dilation, padding

struct Window {
    Shape kernel, stride, dilation, before, after;
};

// Kernel, stride, dilation and padding from the attributes; "same" depends on the input's size.
Result<Window> windowOf(const NodeContext& node, Shape kernel) {
    const auto& x = node.shape();
    if (x.size() < 3) return node.invalid(messages::needsChannels());
    const auto spatial = x.size() - 2;
    Window window;
    window.kernel = std::move(kernel);
    window.stride = node.list("strides");
    window.dilation = node.list("dilations");
    if (window.stride.empty()) window.stride.assign(spatial, 1);
    if (window.dilation.empty()) window.dilation.assign(spatial, 1);
    auto pads = node.list("pads");
    if (pads.empty()) pads.assign(2 * spatial, 0);
    if (window.kernel.size() != spatial || window.stride.size() != spatial || window.dilation.size() != spatial ||
        pads.size() != 2 * spatial)
        return node.invalid(messages::attributesRank());
    for (const auto* list : {&window.kernel, &window.stride, &window.dilation})
        for (auto value : *list)
            if (value < 1 || value > kLargest) return node.invalid(messages::windowTooSmall());
    for (auto value : pads)
        if (value < 0 || value > kLargest) return node.unsupported(messages::negativePadding());
    window.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial));
    window.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end());
    const auto automatic = node.text("auto_pad", "NOTSET");
    if (automatic == "VALID") window.before = window.after = Shape(spatial, 0);
    if (automatic != "SAME_UPPER" && automatic != "SAME_LOWER") return window;
    for (std::size_t i = 0; i < spatial; ++i) {
        const auto count = (x[i + 2] + window.stride[i] - 1) / window.stride[i];
        const auto total = std::max<std::int64_t>(
            0, (count - 1) * window.stride[i] + (window.kernel[i] - 1) * window.dilation[i] + 1 - x[i + 2]);
        const auto less = total / 2;
        window.before[i] = automatic == "SAME_UPPER" ? less : total - less;
        window.after[i] = total - window.before[i];
    }
    return window;
}

bool all(const Shape& list, std::int64_t value) {
    return std::all_of(list.begin(), list.end(), [&](auto v) { return v == value; });
}

Shape kernelOf(const NodeContext& node) {
    auto kernel = node.list("kernel_shape");
    if (kernel.empty() && node.has(1) && node.rank(1) > 2)
        kernel.assign(node.shape(1).begin() + 2, node.shape(1).end());
    return kernel;
}

std::vector<Value> withBias(const NodeContext& node) {
    std::vector<Value> operands{node.in(0), node.in(1)};
    if (node.has(2)) operands.push_back(node.in(2));
    return operands;
}

Result<void> convolution(const NodeContext& node) {
    ASSIGN(const auto window, windowOf(node, kernelOf(node)));
    const auto& x = node.in(0);
    const auto& w = node.in(1);
    const auto groups = node.whole("group", 1);
    const ConvolveNd general{window.kernel, window.stride, window.dilation, window.before,
                             window.after,  groups,        false,           {}};
    const auto operands = withBias(node);
    std::vector<Shape> shapes;
    for (const auto& operand : operands) shapes.push_back(operand.shape);
    auto shape = arrayShape(general, shapes);
    if (!shape) return node.invalid(shape.error().detail);
    const bool plane = x.shape.size() == 4, line = x.shape.size() == 3;
    const bool knownBias = !node.has(2) || node.in(2).isKnown();
    // One dimension is treated as an image of height 1 if beneficial: with a subsequent normalisation, which is folded
    // into the weights, or where one product per tap is not supported (array_windows.cpp of the CPU).
    constexpr std::int64_t kFewestFilters = 16, kFewestChannels = 8;
    const bool products = line && groups == 1 && all(window.stride, 1) && w.shape[0] >= kFewestFilters &&
                          w.shape[1] >= kFewestChannels && !node.isReadBy("BatchNormalization");
    if ((!plane && !line) || products || !all(window.dilation, 1) || x.isKnown() || !w.isKnown() || !knownBias ||
        !isFloat(x))
        return node.setResult(node.apply(general, operands));
    const auto at = [&](const Shape& list, std::size_t fromEnd, std::int64_t otherwise) {
        return list.size() < fromEnd ? otherwise : list[list.size() - fromEnd];
    };
    Conv2d layer;
    layer.filters = w.shape[0];
    layer.kernel = {at(window.kernel, 2, 1), at(window.kernel, 1, 1)};
    layer.stride = {at(window.stride, 2, 1), at(window.stride, 1, 1)};
    layer.padding = {at(window.before, 2, 0), at(window.before, 1, 0), at(window.after, 2, 0), at(window.after, 1, 0)};
    layer.groups = groups;
    layer.bias = node.has(2);
    const auto inGroup = w.shape[1];
    const auto taps = layer.kernel.height * layer.kernel.width;
    const Init init{InitKind::GlorotUniform, 0, inGroup * taps,
                    std::max<std::int64_t>(1, layer.filters / groups * taps)};
    std::vector<NodeContext::Stored> parameters{
        {&w, "weight", {layer.filters, inGroup, layer.kernel.height, layer.kernel.width}, init}};
    if (layer.bias) parameters.push_back({&node.in(2), "bias", {layer.filters}, Init{InitKind::Constant, 0, 1, 1}});
    auto input = x;
    auto result = *shape;
    if (line) {
        ASSIGN(input, node.reshaped(x, {x.shape[0], x.shape[1], 1, x.shape[2]}));
        result = {result[0], result[1], 1, result[2]};
    }
    ASSIGN(const auto y, node.layer(layer, {input}, parameters, std::move(result)));
    return node.setResult(node.reshaped(y, *shape));
}

Result<void> transposedConvolution(const NodeContext& node) {
    ASSIGN(auto window, windowOf(node, kernelOf(node)));
    const auto& x = node.shape();
    const auto spatial = x.size() - 2;
    ConvolveNd layer{window.kernel,
                     window.stride,
                     window.dilation,
                     window.before,
                     window.after,
                     node.whole("group", 1),
                     true,
                     node.list("output_padding")};
    if (layer.outputPadding.empty()) layer.outputPadding.assign(spatial, 0);
    if (layer.outputPadding.size() != spatial) return node.invalid(messages::attributesRank());
    auto wanted = node.list("output_shape");
    if (wanted.size() == spatial + 2) wanted.erase(wanted.begin(), wanted.begin() + 2);
    for (const auto* list : {&layer.outputPadding, &wanted})
        for (auto value : *list)
            if (value < 0 || value > (std::int64_t{1} << 40)) return node.invalid(messages::badResult());
    const auto automatic = node.text("auto_pad", "NOTSET");
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    for (std::size_t i = 0; i < spatial && (same || !wanted.empty()); ++i) {
        if (!wanted.empty() && wanted.size() != spatial) return node.invalid(messages::outputShapeRank());
        const auto out = wanted.empty() ? x[i + 2] * layer.stride[i] : wanted[i];
        const auto total = (x[i + 2] - 1) * layer.stride[i] + layer.outputPadding[i] +
                           (layer.kernel[i] - 1) * layer.dilation[i] + 1 - out;
        if (total < 0) {  // more at the end
            layer.before[i] = layer.after[i] = 0;
            layer.outputPadding[i] -= total;
            continue;
        }
        layer.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
        layer.after[i] = total - layer.before[i];
    }
    return node.setResult(node.apply(std::move(layer), withBias(node)));
}

Result<void> pool(const NodeContext& node, WindowKind kind) {
    if (node.uses(1)) return node.unsupported(messages::indicesUsed());
    ASSIGN(const auto window, windowOf(node, kernelOf(node)));
    const auto& x = node.in(0);
    PoolNd layer{kind,
                 window.kernel,
                 window.stride,
                 window.dilation,
                 window.before,
                 window.after,
                 node.whole("ceil_mode", 0) != 0,
                 node.whole("count_include_pad", 0) != 0,
                 static_cast<double>(node.whole("p", 2))};
    auto shape = arrayShape(layer, {x.shape});
    if (!shape) return node.invalid(shape.error().detail);
    bool insideKernel = true;
    for (std::size_t i = 0; i < window.kernel.size(); ++i)
        insideKernel = insideKernel && window.before[i] < window.kernel[i] && window.after[i] < window.kernel[i];
    const bool image = x.shape.size() == 4 && all(window.dilation, 1) && !x.isKnown() && isFloat(x) && insideKernel;
    if (!image || kind == WindowKind::L2 || (layer.roundUp && layer.countPadding))
        return node.setResult(node.apply(std::move(layer), {x}));
    const Pool2d known{kind == WindowKind::Max ? PoolKind::Max : PoolKind::Average,
                       {window.kernel[0], window.kernel[1]},
                       {window.stride[0], window.stride[1]},
                       {window.before[0], window.before[1], window.after[0], window.after[1]},
                       layer.roundUp,
                       layer.countPadding};
    return node.setResult(node.layer(known, {x}, {}, *shape));
}

Result<void> globalPool(const NodeContext& node, ReduceKind kind) {
    const auto& x = node.in(0);
    if (x.shape.size() < 3) return node.invalid(messages::needsChannels());
    if (kind == ReduceKind::Mean && x.shape.size() == 4 && !x.isKnown() && isFloat(x)) {
        ASSIGN(const auto y, node.layer(GlobalAveragePool{}, {x}, {}, {x.shape[0], x.shape[1]}));
        return node.setResult(node.reshaped(y, {x.shape[0], x.shape[1], 1, 1}));
    }
    Reduce layer{kind, {}, true, false};
    for (std::int64_t i = 2; i < node.rank(); ++i) layer.axes.push_back(i);
    return node.setResult(node.apply(std::move(layer), {x}));
}

Result<void> resizeBy(const NodeContext& node, ResizeArray layer, std::vector<double> scales,
                      const std::vector<std::int64_t>& sizes) {
    const auto& x = node.shape();
    std::vector<std::int64_t> axes = node.list("axes");
    ASSIGN(axes, node.axes(axes, node.rank()));
    if (axes.empty())
        for (std::int64_t i = 0; i < node.rank(); ++i) axes.push_back(i);
    layer.shape = x;
    layer.scales.assign(x.size(), 1);
    if (scales.empty() == sizes.empty() || (scales.empty() ? sizes.size() : scales.size()) != axes.size())
        return node.invalid(messages::scalesOrSizes());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = static_cast<std::size_t>(axes[i]);
        const auto extent = static_cast<double>(x[axis]);
        const double wanted = scales.empty() ? static_cast<double>(sizes[i]) : std::floor(extent * scales[i]);
        if (!(wanted >= 1 && wanted <= 0x1p31)) return node.invalid(messages::badSize());
        layer.shape[axis] = static_cast<std::int64_t>(wanted);
        layer.scales[axis] = scales.empty() ? wanted / extent : scales[i];
    }
    return node.setResult(node.apply(std::move(layer), {node.in(0)}));
}

Result<void> resize(const NodeContext& node) {
    ResizeArray layer;
    const auto mode = node.text("mode", "nearest");
    if (mode == "linear") layer.mode = ResizeMode::Linear;
    if (mode == "cubic") layer.mode = ResizeMode::Cubic;
    if (mode != "linear" && mode != "cubic" && mode != "nearest") return node.unsupported(messages::mode(mode));
    layer.cubicCoefficient = node.real("cubic_coeff_a", -0.75);
    layer.excludeOutside = node.whole("exclude_outside", 0) != 0;
    if (node.whole("antialias", 0) != 0) return node.unsupported(messages::antialiasing());
    if (node.text("keep_aspect_ratio_policy", "stretch") != "stretch") return node.unsupported(messages::keepsRatio());
    std::size_t scalesAt = 2;
    if (node.opset() < 11) {
        layer.coordinates = Coordinates::Asymmetric;
        layer.nearest = Nearest::Floor;
        scalesAt = 1;
    } else {
        const auto coordinates = node.text("coordinate_transformation_mode", "half_pixel");
        const std::pair<const char*, Coordinates> known[] = {{"half_pixel", Coordinates::HalfPixel},
                                                             {"pytorch_half_pixel", Coordinates::PytorchHalfPixel},
                                                             {"align_corners", Coordinates::AlignCorners},
                                                             {"asymmetric", Coordinates::Asymmetric},
                                                             {"half_pixel_symmetric", Coordinates::HalfPixelSymmetric}};
        const auto* found =
            std::find_if(std::begin(known), std::end(known), [&](const auto& k) { return coordinates == k.first; });
        if (found == std::end(known)) return node.unsupported(messages::coordinates(coordinates));
        layer.coordinates = found->second;
        const auto nearest = node.text("nearest_mode", "round_prefer_floor");
        if (nearest == "round_prefer_ceil") layer.nearest = Nearest::RoundPreferCeil;
        if (nearest == "floor") layer.nearest = Nearest::Floor;
        if (nearest == "ceil") layer.nearest = Nearest::Ceil;
    }
    std::vector<double> scales;
    std::vector<std::int64_t> sizes;
    if (node.has(scalesAt) && elements(node.shape(scalesAt)) > 0) {
        ASSIGN(scales, node.numbers(scalesAt));
    } else if (node.has(3)) {
        ASSIGN(sizes, node.wholes(3));
    }
    return resizeBy(node, std::move(layer), std::move(scales), sizes);
}

Result<void> upsample(const NodeContext& node) {
    ResizeArray layer;
    layer.mode = node.text("mode", "nearest") == "linear" ? ResizeMode::Linear : ResizeMode::Nearest;
    layer.coordinates = Coordinates::Asymmetric;
    layer.nearest = Nearest::Floor;
    std::vector<double> scales;
    if (node.has(1)) {
        ASSIGN(scales, node.numbers(1));
    } else if (const auto* attribute = node.node().find("scales"); attribute != nullptr) {
        scales.assign(attribute->reals.begin(), attribute->reals.end());
    }
    return resizeBy(node, std::move(layer), std::move(scales), {});
}

}  // namespace

void addWindows(Operators& operators) {
    operators["Conv"] = {2, convolution};
    operators["ConvTranspose"] = {2, transposedConvolution};
    operators["MaxPool"] = {1, [](const NodeContext& node) { return pool(node, WindowKind::Max); }};
    operators["AveragePool"] = {1, [](const NodeContext& node) { return pool(node, WindowKind::Average); }};
    operators["LpPool"] = {1, [](const NodeContext& node) { return pool(node, WindowKind::L2); }};
    operators["GlobalAveragePool"] = {1, [](const NodeContext& node) { return globalPool(node, ReduceKind::Mean); }};
    operators["GlobalMaxPool"] = {1, [](const NodeContext& node) { return globalPool(node, ReduceKind::Max); }};
    operators["Resize"] = {1, resize};
    operators["Upsample"] = {1, upsample};
}

}  // namespace steelyard::model::onnx

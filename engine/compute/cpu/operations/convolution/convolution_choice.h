// SPDX-License-Identifier: Apache-2.0
// Private to convolution.cpp: the primitives of one convolution, in the library's layouts, directly or by Winograd's
// algorithm, what own kernels can do, and which of them is faster. What makes a primitive throws dnnl::error where the
// library has none.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/packed_gemm.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/winograd/winograd_convolution.h"

namespace steelyard::compute::cpu {

using dnnl::convolution_backward_data;
using dnnl::convolution_backward_weights;
using dnnl::convolution_forward;

inline constexpr auto kDirect = dnnl::algorithm::convolution_direct;
// Lavin & Gray, Fast Algorithms for Convolutional Neural Networks, 2016: fewer multiplications for 3x3 with stride 1,
// at a relative error of about 1e-6 in float32.
inline constexpr auto kWinograd = dnnl::algorithm::convolution_winograd;
inline constexpr double kTrialFlops = 5e8;  // a trial's batch is cut to about this

// Where the weights' transform has to be seen in proportion.
inline double ownTrialFlops(DataKind kind) {
    return kind == DataKind::f32 ? 4e9 : 8e9;
}

struct ConvolutionShape {
    Dims source, weights, bias, target;
    Window window;
    DataKind kind = DataKind::f32;
};

inline Desc biasDesc(const ConvolutionShape& shape) {
    return shape.bias.empty() ? Desc() : plainDesc(shape.bias, DataKind::f32);
}

inline std::int64_t trialBatch(const ConvolutionShape& shape, double most) {
    double flops = 2;  // of one sample
    for (auto extent : shape.weights) flops *= static_cast<double>(extent);
    flops *= static_cast<double>(shape.target[2] * shape.target[3]);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(most / flops), 1, shape.source[0]);
}

// The library's own choice of layouts first; where that ends in reference code, row-major and channels-last data.
inline constexpr Tag kDataTags[] = {Tag::any, Tag::nchw, Tag::nhwc};

// Source and target.
using Images = std::pair<Desc, Desc>;

// Makes the primitives of one convolution for one algorithm and layout. The functions throw dnnl::error when there is
// none.
struct ConvolutionMaker {
    Compiler& compiler;
    ConvolutionShape shape;
    dnnl::algorithm algorithm = kDirect;
    Tag tag = Tag::any;
    dnnl::primitive_attr forwardAttributes;
    std::optional<Images> images{};  // as they lie already, instead of `tag`

    [[nodiscard]] Desc source() const { return images ? images->first : Desc(shape.source, shape.kind, tag); }
    [[nodiscard]] Desc target() const { return images ? images->second : Desc(shape.target, shape.kind, tag); }

    [[nodiscard]] convolution_forward::primitive_desc forward() const {
        // For inference Winograd's weights would be wanted transformed, four times as large: the training form
        // transforms them in scratch memory, where there is room, in a few per cent of the time.
        const bool training = compiler.training() || algorithm == kWinograd;
        const auto propagation = training ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
        return describe<convolution_forward>(compiler.engine(), forwardAttributes, propagation, algorithm, source(),
                                             anyDesc(shape.weights, shape.kind), biasDesc(shape), target(),
                                             shape.window.stride, shape.window.begin, shape.window.end);
    }
    [[nodiscard]] convolution_backward_data::primitive_desc backwardData() const {
        return describeBackward<convolution_backward_data>(
            compiler.engine(), compiler.attributes(), forward(), algorithm, source(),
            anyDesc(shape.weights, shape.kind), target(), shape.window.stride, shape.window.begin, shape.window.end);
    }
    [[nodiscard]] convolution_backward_weights::primitive_desc backwardWeights() const {
        return describeBackward<convolution_backward_weights>(
            compiler.engine(), compiler.attributes(), forward(), algorithm, source(),
            anyDesc(shape.weights, DataKind::f32), biasDesc(shape), target(), shape.window.stride, shape.window.begin,
            shape.window.end);
    }
};

inline std::vector<std::pair<int, Desc>> argumentsOf(const convolution_forward::primitive_desc& desc) {
    return {{DNNL_ARG_SRC, desc.src_desc()},
            {DNNL_ARG_WEIGHTS, desc.weights_desc()},
            {DNNL_ARG_BIAS, desc.bias_desc()},
            {DNNL_ARG_DST, desc.dst_desc()}};
}
inline std::vector<std::pair<int, Desc>> argumentsOf(const convolution_backward_data::primitive_desc& desc) {
    return {{DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
            {DNNL_ARG_WEIGHTS, desc.weights_desc()},
            {DNNL_ARG_DIFF_SRC, desc.diff_src_desc()}};
}
inline std::vector<std::pair<int, Desc>> argumentsOf(const convolution_backward_weights::primitive_desc& desc) {
    return {{DNNL_ARG_SRC, desc.src_desc()},
            {DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
            {DNNL_ARG_DIFF_WEIGHTS, desc.diff_weights_desc()},
            {DNNL_ARG_DIFF_BIAS, desc.diff_bias_desc()}};
}

// Weights in a layout that only this one primitive can read could be neither updated nor shared.
template <class PrimitiveDesc>
bool hasUsableLayouts(const PrimitiveDesc& desc) {
    for (const auto& [argument, layout] : argumentsOf(desc))
        if (layout.get_size() > 0 && !isBlocked(layout)) return false;
    return true;
}

// Where there is code for the images as they lie.
template <class Make>
auto describeInPlace(const ConvolutionMaker& maker, Make make) {
    using PrimitiveDesc = decltype(make(maker));
    try {
        auto desc = make(maker);
        if (!isReference(desc.impl_info_str())) return std::optional<PrimitiveDesc>(std::move(desc));
    } catch (const dnnl::error&) {
        // No implementation for these layouts.
    }
    return std::optional<PrimitiveDesc>();
}

// The first algorithm that `make` (a ConvolutionMaker to a primitive descriptor) has code for, over the layouts.
template <class Make>
auto describeDirect(ConvolutionMaker maker, Make make) {
    using PrimitiveDesc = decltype(make(maker));
    if (maker.images)
        if (auto desc = describeInPlace(maker, make)) return desc;
    maker.images.reset();
    for (const auto tag : kDataTags) {
        maker.tag = tag;
        auto desc = make(maker);
        if (!isReference(desc.impl_info_str())) return std::optional<PrimitiveDesc>(std::move(desc));
    }
    return std::optional<PrimitiveDesc>();
}

template <class Make>
auto describeWinograd(ConvolutionMaker maker, Make make) {
    using PrimitiveDesc = decltype(make(maker));
    maker.algorithm = kWinograd;
    try {
        auto desc = make(maker);
        if (!isReference(desc.impl_info_str()) && hasUsableLayouts(desc))
            return std::optional<PrimitiveDesc>(std::move(desc));
    } catch (const dnnl::error&) {
        // No implementation for this shape, processor or version of the library.
    }
    return std::optional<PrimitiveDesc>();
}

template <class Primitive, class PrimitiveDesc>
TrialMaker trialOf(const dnnl::engine& engine, const PrimitiveDesc& desc) {
    return
        [engine, desc] { return primitiveTrial(Primitive(desc), engine, argumentsOf(desc), desc.scratchpad_desc()); };
}

// A primitive for the whole batch, whose layouts count; or `parts` runs of `part`, for that many samples each.
template <class PrimitiveDesc>
struct Chosen {
    PrimitiveDesc whole;
    PrimitiveDesc part;
    std::int64_t parts = 1;
    bool winograd = false;
};

inline bool isPerSample(int argument) {
    return argument == DNNL_ARG_SRC || argument == DNNL_ARG_DST || argument == DNNL_ARG_DIFF_SRC ||
           argument == DNNL_ARG_DIFF_DST;
}

// The parts of a batch lie one behind the other in the layouts of the whole.
template <class PrimitiveDesc>
bool divides(const PrimitiveDesc& part, const PrimitiveDesc& whole) {
    const auto parts = argumentsOf(part), wholes = argumentsOf(whole);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto expected = wholes[i].second;
        if (isPerSample(parts[i].first)) expected = expected.submemory_desc(dimsOf(parts[i].second), Dims(4, 0));
        if (expected != parts[i].second) return false;
    }
    return true;
}

// Winograd's scratch memory grows with the batch: the fewest parts that the compiler can afford.
template <class PrimitiveDesc, class Make>
std::optional<Chosen<PrimitiveDesc>> affordable(const ConvolutionMaker& maker, const PrimitiveDesc& whole,
                                                bool maySplit, Make make) {
    const auto batch = maker.shape.source[0];
    for (std::int64_t parts = 1; parts <= (maySplit ? batch : 1); parts *= 2) {
        if (batch % parts != 0) break;
        auto smaller = maker;
        smaller.shape.source[0] = smaller.shape.target[0] = batch / parts;
        const auto part = describeWinograd(smaller, make);
        if (!part || !divides(*part, whole)) break;
        if (maker.compiler.affords(bytesOf(part->scratchpad_desc())))
            return Chosen<PrimitiveDesc>{whole, *part, parts, true};
    }
    return std::nullopt;
}

// The same for a few samples, and what names their trial.
inline ConvolutionMaker trialMaker(const ConvolutionMaker& maker, double flops) {
    auto few = maker;
    few.shape.source[0] = few.shape.target[0] = trialBatch(maker.shape, flops);
    return few;
}
inline std::string trialKey(const ConvolutionMaker& few, const char* pass) {
    const auto& shape = few.shape;
    return fmt::format("conv {} {} {} {} {} {} {} {}", pass, fmt::join(shape.source, "x"),
                       fmt::join(shape.weights, "x"), fmt::join(shape.window.begin, "x"),
                       fmt::join(shape.window.end, "x"), shape.bias.empty(), few.compiler.options().threads,
                       static_cast<int>(shape.kind));
}

// Direct, or Winograd's algorithm where a trial on a few samples says that it is faster.
template <class Primitive, class Make>
auto describeFastest(const ConvolutionMaker& maker, bool mayUseWinograd, const char* pass, bool maySplit, Make make) {
    using Result = std::optional<Chosen<decltype(make(maker))>>;
    const auto found = describeDirect(maker, make);
    const auto direct = found ? Result({*found, *found}) : Result();
    if (!mayUseWinograd) return direct;
    const auto whole = describeWinograd(maker, make);
    if (!whole) return direct;
    const auto winograd = affordable(maker, *whole, maySplit, make);
    if (!direct) return winograd ? winograd : Result({*whole, *whole, 1, true});
    if (!winograd) return direct;
    const auto few = trialMaker(maker, kTrialFlops);
    const auto fewDirect = describeDirect(few, make);
    const auto fewWinograd = describeWinograd(few, make);
    if (!fewDirect || !fewWinograd) return direct;
    const auto& engine = maker.compiler.engine();
    const auto choice = maker.compiler.tuner().fastest(
        trialKey(few, pass), {trialOf<Primitive>(engine, *fewDirect), trialOf<Primitive>(engine, *fewWinograd)});
    return choice.index == 0 ? direct : winograd;
}

// Of any pass.
inline Images imagesOf(const convolution_forward::primitive_desc& desc) {
    return {desc.src_desc(), desc.dst_desc()};
}
inline Images imagesOf(const convolution_backward_data::primitive_desc& desc) {
    return {desc.diff_src_desc(), desc.diff_dst_desc()};
}
inline Images imagesOf(const convolution_backward_weights::primitive_desc& desc) {
    return {desc.src_desc(), desc.diff_dst_desc()};
}

inline bool hasWinogradWeights(const ConvolutionShape& shape) {
    return shape.weights.size() == 4 && shape.window.kernel == Dims{3, 3} && shape.window.stride == Dims{1, 1};
}

// Winograd's algorithm on own kernels, on data that lie as the library's primitive's; nothing where they are not
// written for such.
template <class PrimitiveDesc>
std::optional<WinogradShape> ownShape(const ConvolutionMaker& maker, const PrimitiveDesc& library) {
    if (!hasWinogradWeights(maker.shape)) return std::nullopt;
    const auto [source, target] = imagesOf(library);
    const auto from = winogradImage(source), to = winogradImage(target);
    if (!from || !to) return std::nullopt;
    const auto& window = maker.shape.window;
    return WinogradShape{*from, *to, window.begin[0], window.begin[1], maker.compiler.options().threads};
}

// `makeOwn` (a WinogradShape to an WinogradConvolution or WinogradWeights) where a trial says that it is faster than
// what was chosen of the library.
template <class Primitive, class PrimitiveDesc, class Make, class MakeOwn>
auto describeOwn(const ConvolutionMaker& maker, const Chosen<PrimitiveDesc>& chosen, const char* pass, Make make,
                 MakeOwn makeOwn) {
    using Result = std::optional<decltype(makeOwn(WinogradShape()))>;
    auto& compiler = maker.compiler;
    if (compiler.options().kernels != "auto" || !compiler.mayUseMoreMemory()) return Result();
    const auto shape = ownShape(maker, chosen.whole);
    if (!shape) return Result();
    const Result own = makeOwn(*shape);
    if (!compiler.affords(own->scratchBytes())) return Result();
    const auto few = trialMaker(maker, ownTrialFlops(maker.shape.kind));
    const auto library = chosen.winograd ? describeWinograd(few, make) : describeDirect(few, make);
    const auto fewShape = library ? ownShape(few, *library) : std::nullopt;
    if (!fewShape) return Result();
    const auto& engine = compiler.engine();
    const auto choice =
        compiler.tuner().fastest(trialKey(few, pass) + (chosen.winograd ? " own, winograd" : " own"),
                                 {trialOf<Primitive>(engine, *library), trialOf(engine, makeOwn(*fewShape))});
    return choice.index == 0 ? Result() : own;
}

// Of a window of one pixel, on images whose channels lie together, each pass is a product of matrices.
inline bool isPointwise(const ConvolutionShape& shape) {
    const auto& window = shape.window;
    return shape.weights.size() == 4 && window.kernel == Dims{1, 1} && window.stride == Dims{1, 1} &&
           window.begin == Dims{0, 0} && window.end == Dims{0, 0};
}
inline std::int64_t pixelsOf(const ConvolutionShape& shape) {
    return shape.target[0] * shape.target[2] * shape.target[3];
}
// y = x W^T, dx = dy W and dW = dy^T x, with W as it is stored, [filters, channels].
inline Product forwardProduct(const ConvolutionShape& shape) {
    return {pixelsOf(shape), shape.target[1], shape.source[1], false, true, shape.kind, shape.kind};
}
inline Product dataProduct(const ConvolutionShape& shape) {
    return {pixelsOf(shape), shape.source[1], shape.target[1], false, false, shape.kind, shape.kind};
}
inline Product weightsProduct(const ConvolutionShape& shape) {
    return {shape.target[1], shape.source[1], pixelsOf(shape), true, false, shape.kind, DataKind::f32};
}
inline Desc pointwiseWeights(const ConvolutionShape& shape, DataKind kind) {
    return plainDesc(shape.weights, kind);
}

// The own product of bfloat16 matrices, with what `like` has besides, where a trial says that it is faster than the
// direct primitive. Of channel
// counts that are no multiple of sixteen the latter wants its weights padded, and turning them, which the library does
// one by one and no trial sees, takes several times as long as the convolution.
template <class Primitive, class PrimitiveDesc, class Make>
std::optional<PackedGemm> describeProduct(const ConvolutionMaker& maker, const PrimitiveDesc& direct, const char* pass,
                                          Make make, Product (*productOf)(const ConvolutionShape&),
                                          PackedGemm like = {}) {
    auto& compiler = maker.compiler;
    const auto areTogether = [](const Images& images) {
        return hasChannelsTogether(images.first) && hasChannelsTogether(images.second);
    };
    if (maker.shape.kind != DataKind::bf16 || compiler.options().kernels != "auto" || !isPointwise(maker.shape) ||
        !areTogether(imagesOf(direct)))
        return std::nullopt;
    like.product = productOf(maker.shape);
    like.threads = compiler.options().threads;
    const auto gemm = fitting(compiler, like);
    if (!gemm.runsHere() || !compiler.affords(gemm.scratchBytes())) return std::nullopt;
    const auto few = trialMaker(maker, ownTrialFlops(maker.shape.kind));
    const auto fewDirect = describeDirect(few, make);
    if (!fewDirect) return std::nullopt;
    auto fewGemm = gemm;
    fewGemm.product = productOf(few.shape);
    const auto& engine = compiler.engine();
    constexpr std::int64_t kVector = 16;
    constexpr double kFavour = 4;
    const bool pads =
        compiler.training() && (maker.shape.source[1] % kVector != 0 || maker.shape.target[1] % kVector != 0);
    const auto choice =
        compiler.tuner().fastest(trialKey(few, pass) + (gemm.adds ? " product, adds" : " product"),
                                 {fewGemm.trial(engine), trialOf<Primitive>(engine, *fewDirect)}, pads ? kFavour : 1);
    return choice.index == 0 ? std::optional(gemm) : std::nullopt;
}

}  // namespace steelyard::compute::cpu

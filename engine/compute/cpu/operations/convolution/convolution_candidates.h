// SPDX-License-Identifier: Apache-2.0
// Private to the convolutions: the candidates for one pass of a convolution, and the choice among them: the library's
// direct primitive, its Winograd primitive, Winograd's algorithm on native kernels, for 1x1 kernels the packed gemm,
// windows on native kernels, and depthwise convolutions on native kernels. All use layouts of the images for which the
// library has code. Functions that create a primitive throw dnnl::error if the library has none.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/packed_gemm.h"
#include "engine/compute/cpu/gemm/window_gemm.h"
#include "engine/compute/cpu/operations/convolution/depthwise_convolution.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/threads.h"
#include "engine/compute/cpu/tuning/implementation.h"
#include "engine/compute/cpu/winograd/winograd_convolution.h"

namespace steelyard::compute::cpu {

using dnnl::convolution_backward_data;
using dnnl::convolution_backward_weights;
using dnnl::convolution_forward;

inline constexpr auto kDirect = dnnl::algorithm::convolution_direct;
// Lavin & Gray, Fast Algorithms for Convolutional Neural Networks, 2016: fewer multiplications for 3x3 with stride 1,
// at a relative error of about 1e-6 in float32.
inline constexpr auto kWinograd = dnnl::algorithm::convolution_winograd;
inline constexpr double kTrialFlops = 5e8;  // a trial's batch is reduced to about this

// Trials of native kernels use larger batches, to weigh the transform of the weights properly.
inline double nativeTrialFlops(DataKind kind) {
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
    double flops = 2;  // per sample
    for (auto extent : shape.weights) flops *= static_cast<double>(extent);
    flops *= static_cast<double>(shape.target[2] * shape.target[3]);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(most / flops), 1, shape.source[0]);
}

// The layouts to try, until the library has more than reference code: its preferred ones, row-major and channels-last.
// Without AVX-512 it prefers blocks of channels. Float images of inference are channels-last even so: more native
// kernels read them, and threads that divide them by lines write contiguous parts of memory.
inline std::array<Tag, 3> dataTags(const Compiler& compiler, DataKind kind) {
    const bool readsLines = kernels().f32Gemm.windows.multiply != nullptr && !runsHere(CpuIsa::avx512);
    if (kind == DataKind::f32 && !compiler.training() && compiler.options().kernels == "auto" && readsLines)
        return {Tag::nhwc, Tag::any, Tag::nchw};
    return {Tag::any, Tag::nchw, Tag::nhwc};
}

// Source and target.
using Images = std::pair<Desc, Desc>;

// Creates the primitives of one convolution for one algorithm and layout. The functions throw dnnl::error if there is
// none.
struct ConvolutionMaker {
    Compiler& compiler;
    ConvolutionShape shape;
    dnnl::algorithm algorithm = kDirect;
    Tag tag = Tag::any;
    dnnl::primitive_attr forwardAttributes;
    std::optional<Images> images{};  // existing layouts, instead of `tag`

    [[nodiscard]] Desc source() const { return images ? images->first : Desc(shape.source, shape.kind, tag); }
    [[nodiscard]] Desc target() const { return images ? images->second : Desc(shape.target, shape.kind, tag); }

    [[nodiscard]] convolution_forward::primitive_desc forward() const {
        // For inference, the library's Winograd weights would be stored transformed, four times as large: the training
        // form transforms them in scratch memory, if available, at a cost of a few per cent.
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

// The second operand of a binary post-op.
constexpr int postOperand(int place) {
    return DNNL_ARG_ATTR_MULTIPLE_POST_OP(place) | DNNL_ARG_SRC_1;
}

inline std::vector<std::pair<int, Desc>> argumentsOf(const convolution_forward::primitive_desc& desc) {
    std::vector<std::pair<int, Desc>> arguments{{DNNL_ARG_SRC, desc.src_desc()},
                                                {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                                {DNNL_ARG_BIAS, desc.bias_desc()},
                                                {DNNL_ARG_DST, desc.dst_desc()}};
    const auto attributes = desc.get_primitive_attr();  // owns the post-ops
    const auto after = attributes.get_post_ops();
    for (int i = 0; i < after.len(); ++i) {
        if (after.kind(i) != dnnl::primitive::kind::binary) continue;
        dnnl::algorithm algorithm{};
        Desc operand;
        after.get_params_binary(i, algorithm, operand);
        arguments.emplace_back(postOperand(i), operand);
    }
    return arguments;
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

// A layout that only this primitive can read would prevent updating and sharing the weights.
template <class PrimitiveDesc>
bool hasUsableLayouts(const PrimitiveDesc& desc) {
    for (const auto& [argument, layout] : argumentsOf(desc))
        if (layout.get_size() > 0 && !isBlocked(layout)) return false;
    return true;
}

// If there is code for the existing layouts.
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

// The first algorithm and layout for which `make` (a ConvolutionMaker to a primitive descriptor) has code.
template <class Make>
auto describeDirect(ConvolutionMaker maker, Make make) {
    using PrimitiveDesc = decltype(make(maker));
    if (maker.images)
        if (auto desc = describeInPlace(maker, make)) return desc;
    maker.images.reset();
    for (const auto tag : dataTags(maker.compiler, maker.shape.kind)) {
        maker.tag = tag;
        auto desc = make(maker);
        if (!isReference(desc.impl_info_str())) return std::optional<PrimitiveDesc>(std::move(desc));
    }
    return std::optional<PrimitiveDesc>();
}

template <class Make>
auto describeLibraryWinograd(ConvolutionMaker maker, Make make) {
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

// `cold`: arguments that the step reads from memory or another core's cache.
template <class Primitive, class PrimitiveDesc>
TrialMaker trialOf(const dnnl::engine& engine, const PrimitiveDesc& desc, std::vector<int> cold = {}) {
    return [engine, desc, cold = std::move(cold)] {
        return primitiveTrial(Primitive(desc), engine, argumentsOf(desc), desc.scratchpad_desc(), cold);
    };
}

// The library's implementation: a primitive for the whole batch, which determines the layouts; or `parts` runs of
// `part`, for a part of the batch each.
template <class PrimitiveDesc>
struct LibraryConvolution {
    PrimitiveDesc whole;
    PrimitiveDesc part;
    std::int64_t parts = 1;
    bool winograd = false;
};

inline bool isPerSample(int argument) {
    return argument == DNNL_ARG_SRC || argument == DNNL_ARG_DST || argument == DNNL_ARG_DIFF_SRC ||
           argument == DNNL_ARG_DIFF_DST;
}

// The parts of a batch are contiguous in the layouts of the whole.
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

// Winograd's scratch memory grows with the batch: uses the fewest parts that fit.
template <class PrimitiveDesc, class Make>
std::optional<LibraryConvolution<PrimitiveDesc>> affordableParts(const ConvolutionMaker& maker,
                                                                 const PrimitiveDesc& whole, bool maySplit, Make make) {
    const auto batch = maker.shape.source[0];
    for (std::int64_t parts = 1; parts <= (maySplit ? batch : 1); parts *= 2) {
        if (batch % parts != 0) break;
        auto smaller = maker;
        smaller.shape.source[0] = smaller.shape.target[0] = batch / parts;
        const auto part = describeLibraryWinograd(smaller, make);
        if (!part || !divides(*part, whole)) break;
        if (maker.compiler.affords(bytesOf(part->scratchpad_desc())))
            return LibraryConvolution<PrimitiveDesc>{whole, *part, parts, true};
    }
    return std::nullopt;
}

// The same convolution with fewer samples for trials, and the key of a trial.
inline ConvolutionMaker fewerSamples(const ConvolutionMaker& maker, double flops) {
    auto few = maker;
    few.shape.source[0] = few.shape.target[0] = trialBatch(maker.shape, flops);
    return few;
}
inline std::string trialKey(const ConvolutionMaker& few, const char* pass) {
    const auto& shape = few.shape;
    return fmt::format("conv {} {} {} {} {} {} {} {} {}", pass, fmt::join(shape.source, "x"),
                       fmt::join(shape.weights, "x"), fmt::join(shape.window.stride, "x"),
                       fmt::join(shape.window.begin, "x"), fmt::join(shape.window.end, "x"), shape.bias.empty(),
                       few.compiler.options().threads, static_cast<int>(shape.kind));
}

// The candidates of a pass.
enum class ConvolutionAlgorithm { Library, LibraryWinograd, Winograd, PackedGemm, WindowGemm, Depthwise };

inline Implementation candidate(ConvolutionAlgorithm algorithm, TrialMaker trial) {
    return {.id = static_cast<char>('0' + static_cast<int>(algorithm)), .trial = std::move(trial)};
}
inline bool is(const Implementation& implementation, ConvolutionAlgorithm algorithm) {
    return implementation.id == static_cast<char>('0' + static_cast<int>(algorithm));
}

// The library's direct convolution, or Winograd if faster in a trial on a few samples.
template <class Primitive, class Make>
auto chooseLibrary(const ConvolutionMaker& maker, bool mayUseWinograd, const char* pass, bool maySplit, Make make) {
    using Result = std::optional<LibraryConvolution<decltype(make(maker))>>;
    const auto found = describeDirect(maker, make);
    const auto direct = found ? Result({*found, *found}) : Result();
    if (!mayUseWinograd) return direct;
    const auto whole = describeLibraryWinograd(maker, make);
    if (!whole) return direct;
    const auto winograd = affordableParts(maker, *whole, maySplit, make);
    if (!direct) return winograd ? winograd : Result({*whole, *whole, 1, true});
    if (!winograd) return direct;
    const auto few = fewerSamples(maker, kTrialFlops);
    const auto fewDirect = describeDirect(few, make);
    const auto fewWinograd = describeLibraryWinograd(few, make);
    if (!fewDirect || !fewWinograd) return direct;
    const auto& engine = maker.compiler.engine();
    const auto chosen =
        fastest(maker.compiler.tuner(), trialKey(few, pass),
                {candidate(ConvolutionAlgorithm::Library, trialOf<Primitive>(engine, *fewDirect)),
                 candidate(ConvolutionAlgorithm::LibraryWinograd, trialOf<Primitive>(engine, *fewWinograd))});
    return is(chosen.implementation, ConvolutionAlgorithm::Library) ? direct : winograd;
}

// For any pass.
inline Images imagesOf(const convolution_forward::primitive_desc& desc) {
    return {desc.src_desc(), desc.dst_desc()};
}
inline Images imagesOf(const convolution_backward_data::primitive_desc& desc) {
    return {desc.diff_src_desc(), desc.diff_dst_desc()};
}
inline Images imagesOf(const convolution_backward_weights::primitive_desc& desc) {
    return {desc.src_desc(), desc.diff_dst_desc()};
}
inline Desc weightsOf(const convolution_forward::primitive_desc& desc) {
    return desc.weights_desc();
}
inline Desc weightsOf(const convolution_backward_data::primitive_desc& desc) {
    return desc.weights_desc();
}
inline Desc weightsOf(const convolution_backward_weights::primitive_desc& desc) {
    return desc.diff_weights_desc();
}
// The operands (implementation.h) as the primitive's arguments.
inline Compiler::Arguments argumentsOf(const convolution_forward&, const Operands& o) {
    return {{DNNL_ARG_SRC, o.a},     {DNNL_ARG_WEIGHTS, o.b},   {DNNL_ARG_DST, o.c},
            {DNNL_ARG_BIAS, o.bias}, {postOperand(0), o.scale}, {postOperand(1), o.offset}};
}
inline Compiler::Arguments argumentsOf(const convolution_backward_data&, const Operands& o) {
    return {{DNNL_ARG_DIFF_DST, o.a}, {DNNL_ARG_WEIGHTS, o.b}, {DNNL_ARG_DIFF_SRC, o.c}};
}
inline Compiler::Arguments argumentsOf(const convolution_backward_weights&, const Operands& o) {
    return {{DNNL_ARG_SRC, o.b}, {DNNL_ARG_DIFF_DST, o.a}, {DNNL_ARG_DIFF_WEIGHTS, o.c}, {DNNL_ARG_DIFF_BIAS, o.bias}};
}

template <class Primitive, class PrimitiveDesc>
void emitLibrary(Compiler& compiler, const LibraryConvolution<PrimitiveDesc>& library, const Operands& operands) {
    const Primitive primitive(library.part);
    auto arguments = argumentsOf(primitive, operands);
    std::erase_if(arguments, [](const auto& argument) { return !argument.second; });
    const auto layouts = argumentsOf(library.part);
    for (std::int64_t p = 0; p < library.parts; ++p) {
        auto some = arguments;
        for (auto& [argument, value] : some)
            for (const auto& [name, layout] : layouts)
                if (name == argument && isPerSample(name)) value = value.viewed(layout, p * bytesOf(layout));
        compiler.primitive(primitive, library.part, std::move(some));
    }
}

inline bool hasWinogradWeights(const ConvolutionShape& shape) {
    return shape.weights.size() == 4 && shape.window.kernel == Dims{3, 3} && shape.window.stride == Dims{1, 1};
}

// Winograd on native kernels, for the image layouts of the library's primitive; unset if not supported.
template <class PrimitiveDesc>
std::optional<WinogradShape> winogradShape(const ConvolutionMaker& maker, const PrimitiveDesc& library) {
    if (!hasWinogradWeights(maker.shape)) return std::nullopt;
    const auto [source, target] = imagesOf(library);
    const auto from = winogradImage(source), to = winogradImage(target);
    if (!from || !to) return std::nullopt;
    const auto& window = maker.shape.window;
    return WinogradShape{*from, *to, window.begin[0], window.begin[1], maker.compiler.options().threads};
}

// 1x1 kernels on channels-last images: each pass is a matrix product.
inline bool isPointwise(const ConvolutionShape& shape) {
    const auto& window = shape.window;
    return shape.weights.size() == 4 && window.kernel == Dims{1, 1} && window.stride == Dims{1, 1} &&
           window.begin == Dims{0, 0} && window.end == Dims{0, 0};
}
inline std::int64_t pixelsOf(const ConvolutionShape& shape) {
    return shape.target[0] * shape.target[2] * shape.target[3];
}
// y = x W^T, dx = dy W and dW = dy^T x, with W stored as [filters, channels].
inline Product forwardProduct(const ConvolutionShape& shape) {
    return {pixelsOf(shape), shape.target[1], shape.source[1], false, true, shape.kind, shape.kind};
}
inline Product dataProduct(const ConvolutionShape& shape) {
    return {pixelsOf(shape), shape.source[1], shape.target[1], false, false, shape.kind, shape.kind};
}
inline Product weightsProduct(const ConvolutionShape& shape) {
    return {shape.target[1], shape.source[1], pixelsOf(shape), true, false, shape.kind, DataKind::f32};
}
// Layout in which the gemm reads the weights or writes their gradient.
inline Desc pointwiseWeights(const ConvolutionShape& shape, DataKind kind) {
    return plainDesc(shape.weights, kind);
}

inline ImageWindows windowsOf(const ConvolutionShape& shape) {
    const auto& window = shape.window;
    return {.height = shape.source[2],
            .width = shape.source[3],
            .channels = shape.source[1],
            .kernelHeight = window.kernel[0],
            .kernelWidth = window.kernel[1],
            .strideHeight = window.stride[0],
            .strideWidth = window.stride[1],
            .top = window.begin[0],
            .left = window.begin[1],
            .outHeight = shape.target[2],
            .outWidth = shape.target[3],
            .elementBytes = static_cast<std::int64_t>(dnnl::memory::data_type_size(shape.kind))};
}

// The forward pass as a product of windows, with the other members of `like`.
inline WindowGemm windowGemm(const ConvolutionMaker& maker, WindowGemm like) {
    const auto kind = maker.shape.kind;
    like.rows = pixelsOf(maker.shape);
    like.units = maker.shape.target[1];
    like.windows = windowsOf(maker.shape);
    like.threads = maker.compiler.options().threads;
    like.products = kind == DataKind::f32 ? kernels().f32Gemm.windows : kernels().bf16Gemm.windows;
    return like;
}

// The choice for one pass: layouts of source and target, and the implementation.
struct ConvolutionChoice {
    Images images;
    Implementation implementation;
};

// Chooses the implementation of one pass. Make: a ConvolutionMaker to the pass's primitive descriptor.
template <class Primitive, class Make>
class ConvolutionChooser {
public:
    // maySplit: Winograd's primitive may process the batch in parts.
    ConvolutionChooser(ConvolutionMaker maker, const char* pass, bool mayUseLibraryWinograd, bool maySplit, Make make)
        : m_maker(std::move(maker)),
          m_pass(pass),
          m_make(make),
          m_library(chooseLibrary<Primitive>(m_maker, mayUseLibraryWinograd, pass, maySplit, make)) {
        if (!m_library) return;
        m_chosen = candidate(ConvolutionAlgorithm::Library, {});
        m_chosen.weights = weightsOf(m_library->whole);
        m_chosen.emit = [library = *m_library](Compiler& compiler, const Operands& operands) {
            emitLibrary<Primitive>(compiler, library, operands);
        };
    }

    // Winograd on native kernels. makeWinograd: a WinogradShape to an object with weights, scratch and trial
    // (WinogradConvolution, WinogradWeights); `emit` adds its task.
    template <class MakeWinograd, class Emit>
    void tryWinograd(MakeWinograd makeWinograd, Emit emit) {
        auto& compiler = m_maker.compiler;
        if (!m_library || compiler.options().kernels != "auto" || !compiler.mayUseMoreMemory()) return;
        const auto shape = winogradShape(m_maker, m_library->whole);
        if (!shape) return;
        const auto winograd = makeWinograd(*shape);
        if (!compiler.affords(winograd.scratchBytes())) return;
        const auto few = fewerSamples(m_maker, nativeTrialFlops(m_maker.shape.kind));
        const auto library = m_library->winograd ? describeLibraryWinograd(few, m_make) : describeDirect(few, m_make);
        const auto fewShape = library ? winogradShape(few, *library) : std::nullopt;
        if (!fewShape) return;
        const auto& engine = compiler.engine();
        auto native =
            candidate(ConvolutionAlgorithm::Winograd, trialOf(engine, makeWinograd(*fewShape), areWeightsCold(few)));
        native.weights = winograd.weightsDesc();
        native.emit = [winograd, emit](Compiler& c, const Operands& operands) { emit(c, winograd, operands); };
        // Stored keys say "own" for native kernels.
        const auto key = keyOf(few) + (m_library->winograd ? " own, winograd" : " own") +
                         (compiler.fusion().addsInput ? ", adds cold" : "");
        m_chosen = fastest(compiler.tuner(), key, {withTrial(few, *library), std::move(native)}).implementation;
    }

    // The packed bfloat16 gemm, with the other members of `like`. If the channel count is not a multiple of sixteen,
    // the library's primitive needs padded weights; reordering them element by element, which no trial includes, takes
    // several times as long as the convolution. weightsKind: of the weights that the pass reads, or of the gradient
    // that it writes.
    template <class Emit>
    void tryGemm(Product (*productOf)(const ConvolutionShape&), DataKind weightsKind, Emit emit, PackedGemm like = {}) {
        auto& compiler = m_maker.compiler;
        if (!m_library) return;
        const auto images = imagesOf(m_library->whole);
        if (m_maker.shape.kind != DataKind::bf16 || compiler.options().kernels != "auto" ||
            !isPointwise(m_maker.shape) || !hasChannelsTogether(images.first) || !hasChannelsTogether(images.second))
            return;
        like.product = productOf(m_maker.shape);
        like.threads = compiler.options().threads;
        const auto gemm = fitting(compiler, like);
        if (!gemm.runsHere() || !compiler.affords(gemm.scratchBytes())) return;
        const auto few = fewerSamples(m_maker, nativeTrialFlops(m_maker.shape.kind));
        const auto fewDirect = describeDirect(few, m_make);
        if (!fewDirect) return;
        auto fewGemm = gemm;
        fewGemm.product = productOf(few.shape);
        constexpr std::int64_t kVector = 16;
        constexpr double kFavour = 4;
        const bool pads =
            compiler.training() && (m_maker.shape.source[1] % kVector != 0 || m_maker.shape.target[1] % kVector != 0);
        auto native =
            candidate(ConvolutionAlgorithm::PackedGemm, fewGemm.trial(compiler.engine(), areWeightsCold(few)));
        native.weights = pointwiseWeights(m_maker.shape, weightsKind);
        native.emit = [gemm, emit](Compiler& c, const Operands& operands) { emit(c, gemm, operands); };
        m_chosen = fastest(compiler.tuner(), keyOf(few) + (gemm.adds ? " product, adds cold" : " product"),
                           {std::move(native), withTrial(few, *fewDirect)}, pads ? kFavour : 1)
                       .implementation;
    }

    // Windows by native kernels, with the other members of `like`; after the other candidates, against the fastest of
    // them.
    template <class Emit>
    void tryWindows(Emit emit, WindowGemm like) {
        auto& compiler = m_maker.compiler;
        const auto& shape = m_maker.shape;
        if (!m_library || compiler.training() || compiler.options().kernels != "auto" || shape.weights.size() != 4)
            return;
        const auto images = imagesOf(m_library->whole);
        const auto gemm = windowGemm(m_maker, like);
        if (!hasChannelsTogether(images.first) || !hasChannelsTogether(images.second) || !gemm.runsHere()) return;
        const auto padding = bytesOf(gemm.packedDesc()) - bytesOf(m_chosen.weights);  // of the weights, to whole panels
        if (!compiler.affords(gemm.scratchBytes()) || !compiler.affordsAnywhere(padding)) return;
        const auto few = fewerSamples(m_maker, nativeTrialFlops(shape.kind));
        if (!m_chosen.trial) {
            const auto library = describeDirect(few, m_make);
            if (!library) return;
            m_chosen = withTrial(few, *library);
        }
        auto native = candidate(ConvolutionAlgorithm::WindowGemm,
                                windowGemm(few, like).trial(compiler.engine(), areWeightsCold(few)));
        native.weights = gemm.packedDesc();
        native.emit = [gemm, emit](Compiler& c, const Operands& operands) { emit(c, gemm, operands); };
        const auto key =
            fmt::format("{} windows {} adds {} activation {}", keyOf(few), m_chosen.id, like.adds ? "cold" : "nothing",
                        like.activation ? static_cast<int>(*like.activation) : -1);
        m_chosen = fastest(compiler.tuner(), key, {m_chosen, std::move(native)}).implementation;
    }

    // Depthwise convolutions by native kernels, against the library's direct convolution.
    template <class Emit>
    void tryDepthwise(Emit emit, const std::optional<ActivationKind>& activation) {
        auto& compiler = m_maker.compiler;
        const auto& shape = m_maker.shape;
        const bool isDepthwise = shape.weights.size() == 5 && shape.weights[1] == 1 && shape.weights[2] == 1;
        if (!m_library || !isDepthwise || compiler.training() || compiler.options().kernels != "auto" ||
            shape.kind != DataKind::f32 || compiler.fusion().addsInput)
            return;
        const auto convolution = [&](const ConvolutionShape& of, const PrimitiveDesc& like) {
            const auto [source, target] = imagesOf(like);
            const auto from = channelLayout(source), to = channelLayout(target);
            std::optional<DepthwiseConvolution> result;
            if (from && to)
                result = {windowsOf(of), *from, *to, compiler.options().threads, activation, kernels().f32Depthwise};
            return result && result->runsHere() ? result : std::nullopt;
        };
        const auto whole = convolution(shape, m_library->whole);
        if (!whole) return;
        const auto few = fewerSamples(m_maker, nativeTrialFlops(shape.kind));
        const auto library = describeDirect(few, m_make);
        const auto trial = library ? convolution(few.shape, *library) : std::nullopt;
        if (!trial) return;
        auto native = candidate(ConvolutionAlgorithm::Depthwise, trial->trial(compiler.engine()));
        native.weights = whole->weightsDesc();
        native.emit = [convolution = *whole, emit](Compiler& c, const Operands& operands) {
            emit(c, convolution, operands);
        };
        const auto key =
            fmt::format("{} depthwise activation {}", keyOf(few), activation ? static_cast<int>(*activation) : -1);
        m_chosen = fastest(compiler.tuner(), key, {withTrial(few, *library), std::move(native)}).implementation;
    }

    // Unset if the library only has its reference implementation, whose layouts nothing else supports.
    [[nodiscard]] std::optional<ConvolutionChoice> choice() const {
        if (!m_library) return std::nullopt;
        return ConvolutionChoice{imagesOf(m_library->whole), m_chosen};
    }

private:
    // The library's choice so far, with a trial on fewer samples. A shortcut was written some layers before: in the
    // cache, the library's addition seems up to 40 % faster than it is.
    template <class PrimitiveDesc>
    [[nodiscard]] Implementation withTrial(const ConvolutionMaker& few, const PrimitiveDesc& primitive) const {
        auto library = m_chosen;
        std::vector<int> cold;
        if (m_maker.compiler.fusion().addsInput) cold.push_back(DNNL_ARG_DST);
        if (areWeightsCold(few)) cold.push_back(DNNL_ARG_WEIGHTS);
        library.trial = trialOf<Primitive>(m_maker.compiler.engine(), primitive, std::move(cold));
        return library;
    }

    [[nodiscard]] bool areWeightsCold(const ConvolutionMaker& few) const {
        return few.shape.source[0] == m_maker.shape.source[0] && m_maker.compiler.weightsAreCold();
    }
    [[nodiscard]] std::string keyOf(const ConvolutionMaker& few) const {
        return trialKey(few, m_pass) + (areWeightsCold(few) ? " cold" : "");
    }

    using PrimitiveDesc = std::invoke_result_t<Make, const ConvolutionMaker&>;

    ConvolutionMaker m_maker;
    const char* m_pass;
    Make m_make;
    std::optional<LibraryConvolution<PrimitiveDesc>> m_library;
    Implementation m_chosen;
};

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Convolutions and pools beyond Conv2d and Pool2d (1-D and 3-D, dilated, transposed), with oneDNN if it has code for
// them; and resizing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "engine/compute/cpu/compile/array_fusion.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"
#include "engine/compute/cpu/operations/array/convolution_1d.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/tuning/implementation.h"
#include "engine/model/array/resize_taps.h"

namespace steelyard::compute::cpu {
namespace {

using model::Shape;

Dims toArrayDims(const Shape& shape) {
    return Dims(shape.begin(), shape.end());
}

// Kernel, stride, dilation and padding in oneDNN's terms; the last window's excess becomes padding at the end.
struct LibraryWindow {
    Window window;
    Dims dilation;
};
template <class Layer>
LibraryWindow libraryWindow(const Layer& l, const Shape& walked, const Shape& reached) {
    LibraryWindow result;
    result.window.kernel = toArrayDims(l.kernel);
    result.window.stride = toArrayDims(l.stride);
    result.window.begin = toArrayDims(l.before);
    for (std::size_t d = 0; d < l.kernel.size(); ++d) {
        const auto span = (walked[d + 2] - 1) * l.stride[d] + (l.kernel[d] - 1) * l.dilation[d] + 1;
        result.window.end.push_back(span - reached[d + 2] - l.before[d]);
        result.dilation.push_back(l.dilation[d] - 1);
    }
    return result;
}

// The file's weights in the library's dimensions (groups, output channels, input channels, window).
Desc weightsView(const model::ConvolveNd& l, const Shape& weights, const Dims& dims, DataKind kind) {
    const auto taps = model::elementCount(Shape(weights.begin() + 2, weights.end()));
    const auto second = weights[1] * taps;  // stride of the file's first dimension
    Dims strides;
    if (l.groups > 1) strides.push_back(weights[0] / l.groups * second);
    strides.push_back(l.transposed ? taps : second);
    strides.push_back(l.transposed ? second : taps);
    std::int64_t next = taps;
    for (std::size_t d = 2; d < weights.size(); ++d) {
        next /= weights[d];
        strides.push_back(next);
    }
    return Desc(dims, kind, strides);
}

dnnl::primitive_attr attributesOf(const Compiler& compiler) {
    auto attributes = compiler.attributes();
    if (!compiler.fusion().activation) return attributes;
    const auto kind = eltwiseKind(*compiler.fusion().activation);
    dnnl::post_ops after;
    appendActivation(after, kind.algorithm, kind.alpha, kind.beta);
    attributes.set_post_ops(after);
    return attributes;
}

bool isStored(const plan::Tensor& tensor) {
    return tensor.role == plan::TensorRole::Weight || tensor.role == plan::TensorRole::State;
}

using ForwardDescription = dnnl::convolution_forward::primitive_desc;
using TransposedDescription = dnnl::deconvolution_forward::primitive_desc;

// The library's dimensions of the weights.
Dims libraryWeights(const ArrayOperands& all, const model::ConvolveNd& layer) {
    const auto& w = all.shapes[1];
    Dims dims;
    if (layer.groups > 1) dims.push_back(layer.groups);
    dims.push_back(all.shape[1] / layer.groups);
    dims.push_back(all.shapes[0][1] / layer.groups);
    dims.insert(dims.end(), w.begin() + 2, w.end());
    return dims;
}

// With the layouts that the library prefers; row-major if it has only reference code for them.
template <class Description>
std::optional<Description> libraryConvolution(const Compiler& compiler, const ArrayOperands& all,
                                              const model::ConvolveNd& layer) {
    const auto kind = dataKind(compiler.tensor(all.op->output).type);
    const auto& x = all.shapes[0];
    const auto weights = anyDesc(libraryWeights(all, layer), kind);
    const auto window = layer.transposed ? libraryWindow(layer, x, all.shape) : libraryWindow(layer, all.shape, x);
    const Desc bias = all.shapes.size() > 2 ? plainDesc(Dims{all.shape[1]}, DataKind::f32) : Desc();
    for (const bool any : {true, false}) {
        const auto lies = [&](const Shape& shape) {
            return any ? anyDesc(toArrayDims(shape), kind) : plainDesc(toArrayDims(shape), kind);
        };
        const auto described = [&] {
            if constexpr (std::is_same_v<Description, TransposedDescription>) {
                return describeDeconvolution(compiler.engine(), attributesOf(compiler), lies(x), weights, bias,
                                             lies(all.shape), window.window, window.dilation);
            } else {
                return describe<dnnl::convolution_forward>(
                    compiler.engine(), attributesOf(compiler), dnnl::prop_kind::forward_inference,
                    dnnl::algorithm::convolution_direct, lies(x), weights, bias, lies(all.shape), window.window.stride,
                    window.dilation, window.window.begin, window.window.end);
            }
        };
        try {
            auto description = described();
            if (!isReference(description.impl_info_str()) && isBlocked(description.src_desc()) &&
                isBlocked(description.dst_desc()))
                return description;
        } catch (const dnnl::error&) {
            // No implementation.
        }
    }
    return std::nullopt;
}

// Only images have blocked channels (layout.h).
bool movesResult(const ArrayOperands& all, const Desc& target, const Desc& rowMajor) {
    const bool image = all.shape.size() == 4 && channelLayout(target);
    return !image && target != rowMajor;
}

template <class Primitive, class Description>
void emitLibraryPrimitive(Compiler& compiler, const ArrayOperands& all, const model::ConvolveNd& layer,
                          const Description& description) {
    const auto& op = *all.op;
    const auto& w = all.shapes[1];
    // In training the weights change between steps.
    const auto stored = isStored(compiler.tensor(op.inputs[1])) && !compiler.training();
    const auto plain = stored ? compiler.weight(op.inputs[1], plainDesc(w, model::DataType::Float32))
                              : floatOperand(compiler, op.inputs[1]);
    const auto source = compiler.valueAs(op.inputs[0], description.src_desc());
    if (stored) compiler.beginPreparation();
    const auto weights =
        stored ? compiler.prepared(description.weights_desc()) : compiler.scratch(description.weights_desc());
    compiler.convert(plain.viewed(weightsView(layer, w, libraryWeights(all, layer), DataKind::f32)), weights);
    if (stored) compiler.endPreparation();
    Compiler::Arguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}};
    if (all.shapes.size() > 2) arguments.emplace_back(DNNL_ARG_BIAS, floatOperand(compiler, op.inputs[2]));
    const auto rowMajor = compiler.plainDescOf(op.output);
    const bool moves = movesResult(all, description.dst_desc(), rowMajor);
    const auto target = moves ? compiler.scratch(description.dst_desc()) : Value();
    const auto result = compiler.define(op.output, moves ? rowMajor : description.dst_desc());
    arguments.emplace_back(DNNL_ARG_DST, moves ? target : result);
    compiler.primitive(Primitive(description), description, std::move(arguments));
    if (moves) compiler.convert(target, result);
}

bool emitLibraryConvolution(Compiler& compiler, const ArrayOperands& all, const model::ConvolveNd& layer) {
    if (layer.transposed) {
        const auto description = libraryConvolution<TransposedDescription>(compiler, all, layer);
        if (description) emitLibraryPrimitive<dnnl::deconvolution_forward>(compiler, all, layer, *description);
        return description.has_value();
    }
    const auto description = libraryConvolution<ForwardDescription>(compiler, all, layer);
    if (description) emitLibraryPrimitive<dnnl::convolution_forward>(compiler, all, layer, *description);
    return description.has_value();
}

// For each output channel, accumulates the contributing input rows, one tap of the window at a time.
struct DirectConvolution {
    std::int64_t batch = 0, inChannels = 0, outChannels = 0, groups = 1;
    Shape in, out, kernel, stride, dilation, before;  // height, width
    bool transposed = false, rectify = false;         // no other activation

    // First and last column of the iterated side whose counterpart is inside the other.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> bounded(std::int64_t shift) const {
        const auto walked = transposed ? in[1] : out[1], reached = transposed ? out[1] : in[1];
        const auto low = shift >= 0 ? 0 : (-shift + stride[1] - 1) / stride[1];
        const auto high = reached - 1 - shift < 0 ? 0 : (reached - 1 - shift) / stride[1] + 1;
        return {std::min(low, walked), std::min(high, walked)};
    }

    void addTap(float* to, const float* from, float weight, std::int64_t kh, std::int64_t kw) const {
        const auto shift = kw * dilation[1] - before[1];
        const auto [low, high] = bounded(shift);
        const auto rows = transposed ? in[0] : out[0], otherRows = transposed ? out[0] : in[0];
        for (std::int64_t row = 0; row < rows; ++row) {
            const auto other = row * stride[0] + kh * dilation[0] - before[0];
            if (other < 0 || other >= otherRows || low >= high) continue;
            auto* target = transposed ? to + other * out[1] + shift : to + row * out[1];
            const auto* source = transposed ? from + row * in[1] : from + other * in[1] + shift;
            if (stride[1] == 1) {
                kernels().array.addScaled(target + low, source + low, weight, high - low);
            } else if (transposed) {
                for (auto i = low; i < high; ++i) target[i * stride[1]] += weight * source[i];
            } else {
                for (auto i = low; i < high; ++i) target[i] += weight * source[i * stride[1]];
            }
        }
    }

    void run(const float* x, const float* weights, const float* bias, float* y) const {
        const auto inPixels = in[0] * in[1], outPixels = out[0] * out[1], taps = kernel[0] * kernel[1];
        const auto inGroup = inChannels / groups, outGroup = outChannels / groups;
        parallelRows(batch * outChannels, outPixels * inGroup * taps, [&](std::int64_t begin, std::int64_t end) {
            for (auto unit = begin; unit < end; ++unit) {
                const auto b = unit / outChannels, k = unit % outChannels, group = k / outGroup;
                auto* to = y + unit * outPixels;
                std::fill(to, to + outPixels, bias != nullptr ? bias[k] : 0.0F);
                for (std::int64_t c = 0; c < inGroup; ++c) {
                    const auto channel = group * inGroup + c;
                    const auto* from = x + (b * inChannels + channel) * inPixels;
                    const auto* tap =
                        weights + (transposed ? channel * outGroup + k % outGroup : k * inGroup + c) * taps;
                    for (std::int64_t t = 0; t < taps; ++t) addTap(to, from, tap[t], t / kernel[1], t % kernel[1]);
                }
                if (rectify) kernels().pointwise<float>().relu(to, to, outPixels);
            }
        });
    }
};

Shape twoDimensions(Shape list, std::int64_t fill) {
    if (list.size() == 1) list.insert(list.begin(), fill);
    return list;
}

bool emitDirectConvolution(Compiler& compiler, const ArrayOperands& all, const model::ConvolveNd& layer) {
    if (layer.kernel.size() > 2) return false;
    const auto& x = all.shapes[0];
    DirectConvolution direct;
    direct.batch = x[0];
    direct.inChannels = x[1];
    direct.outChannels = all.shape[1];
    direct.groups = layer.groups;
    direct.in = twoDimensions(Shape(x.begin() + 2, x.end()), 1);
    direct.out = twoDimensions(Shape(all.shape.begin() + 2, all.shape.end()), 1);
    direct.kernel = twoDimensions(layer.kernel, 1);
    direct.stride = twoDimensions(layer.stride, 1);
    direct.dilation = twoDimensions(layer.dilation, 1);
    direct.before = twoDimensions(layer.before, 0);
    direct.transposed = layer.transposed;
    direct.rectify = compiler.fusion().activation.has_value();
    const auto inputs = floatOperands(compiler, *all.op);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    arrayTask(compiler, layer.transposed ? "transposed_convolution" : "convolution", inputs, {y},
              [=](const StepState&) {
                  direct.run(inputs[0].as<float>(), inputs[1].as<float>(),
                             inputs.size() > 2 ? inputs[2].as<float>() : nullptr, y.as<float>());
              });
    finishFloat(compiler, target);
    return true;
}

// A 1-D convolution with stride 1 as one product per tap: rows of x, shifted by the tap's offset, are operands in
// place. One block of columns at a time, so that its sums stay in the cache across taps.
struct ShiftedProducts {
    static constexpr std::int64_t kColumns = 512;
    std::int64_t batch = 0, inChannels = 0, outChannels = 0, in = 0, out = 0, taps = 0, dilation = 1, before = 0;
    std::optional<model::ActivationKind> activation{};
    BlasLibrary library = BlasLibrary::OpenBlas;

    [[nodiscard]] std::int64_t columns(int threads) const {
        return std::min(kColumns, std::max<std::int64_t>(64, blocks(blocks(out, threads), 16) * 16));
    }
    // [taps, outChannels, inChannels], seen in the file's order.
    [[nodiscard]] Desc weightsDesc() const {
        return {Dims{outChannels, inChannels, taps}, DataKind::f32, Dims{inChannels, 1, outChannels * inChannels}};
    }
    void run(const float* x, const float* weights, const float* bias, float* y) const {
        const auto width = columns(omp_get_max_threads()), perSample = blocks(out, width);
        parallelRows(batch * perSample, width * inChannels * outChannels, [&](std::int64_t begin, std::int64_t end) {
            for (auto unit = begin; unit < end; ++unit) {
                const auto sample = unit / perSample, first = unit % perSample * width;
                const auto last = std::min(out, first + width);
                const auto* from = x + sample * inChannels * in;
                auto* to = y + sample * outChannels * out;
                for (std::int64_t k = 0; k < outChannels; ++k)
                    std::fill(to + k * out + first, to + k * out + last, bias != nullptr ? bias[k] : 0.0F);
                for (std::int64_t t = 0; t < taps; ++t) {
                    const auto shift = t * dilation - before;
                    const auto low = std::max(first, -shift), high = std::min(last, in - shift);
                    if (low >= high) continue;
                    blasProduct(library, {outChannels, high - low, inChannels}, 1,
                                weights + t * outChannels * inChannels, from + low + shift, 1, to + low,
                                {inChannels, in, out});
                }
                if (!activation) continue;
                for (std::int64_t k = 0; k < outChannels; ++k)
                    kernels().activate(*activation, to + k * out + first, last - first);
            }
        });
    }
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const {
        return [products = *this, engine]() -> Trial {
            const auto memory = [&](std::int64_t count) {
                return trialMemory(plainDesc(Dims{count}, DataKind::f32), engine);
            };
            const auto& p = products;
            return [p, x = memory(p.batch * p.inChannels * p.in), w = memory(p.outChannels * p.inChannels * p.taps),
                    bias = memory(p.outChannels), y = memory(p.batch * p.outChannels * p.out)] {
                const auto floats = [](const dnnl::memory& of) { return static_cast<float*>(of.get_data_handle()); };
                p.run(floats(x), floats(w), floats(bias), floats(y));
            };
        };
    }
};

// A 1-D convolution in float32 with stored weights: shifted products, native products or the library's primitive with
// conversions of its layouts, the fastest by trial.
class Conv1dEmitter {
public:
    Conv1dEmitter(Compiler& compiler, const ArrayOperands& all, const model::ConvolveNd& layer)
        : m_compiler(compiler), m_all(all), m_layer(layer) {}

    [[nodiscard]] bool fits() const {
        const auto& op = *m_all.op;
        return m_layer.kernel.size() == 1 && !m_layer.transposed && isStored(m_compiler.tensor(op.inputs[1])) &&
               m_compiler.tensor(op.output).type == model::DataType::Float32;
    }

    bool emit() {
        auto candidates = affordable(m_compiler, candidatesHere());
        if (candidates.empty()) return false;
        const auto& x = m_all.shapes[0];
        const auto& fused = m_compiler.fusion().activation;
        const auto activation = fused ? toString(*fused) : "";
        const auto key =
            fmt::format("conv1d {} {} {} {} {} {} {} {} {} {} {} {}", fmt::join(x, "x"),
                        fmt::join(m_all.shapes[1], "x"), m_all.shape[2], m_layer.stride[0], m_layer.dilation[0],
                        m_layer.before[0], m_layer.groups, m_all.shapes.size() > 2, activation,
                        m_compiler.options().threads, m_compiler.options().kernels, idsOf(candidates));
        const auto chosen = candidates.size() == 1
                                ? std::move(candidates.front())
                                : fastest(m_compiler.tuner(), key, std::move(candidates)).implementation;
        chosen.emit(m_compiler, {});
        return true;
    }

private:
    // In trial order; the first is assumed where nothing was tried. The ids are stored.
    [[nodiscard]] std::vector<Implementation> candidatesHere() const {
        const auto& kernels = m_compiler.options().kernels;
        std::vector<Implementation> candidates;
        if (kernels == "auto") addNative(candidates);
        if (kernels != "onednn") addShifted(candidates, '1', BlasLibrary::OpenBlas);
        if (kernels != "openblas") addShifted(candidates, '2', BlasLibrary::OneDnn);
        if (kernels != "openblas" || candidates.empty()) addLibrary(candidates);
        return candidates;
    }

    void addNative(std::vector<Implementation>& candidates) const {
        constexpr std::int64_t kFewestFilters = 4;
        constexpr std::int64_t kCacheBytes = 1 << 18;  // of a thread: negligible, even in a small network
        Convolution1d convolution;
        convolution.batch = m_all.shape[0];
        convolution.groups = m_layer.groups;
        convolution.inChannels = m_all.shapes[0][1], convolution.outChannels = m_all.shape[1];
        convolution.in = m_all.shapes[0][2], convolution.out = m_all.shape[2];
        convolution.taps = m_layer.kernel[0], convolution.stride = m_layer.stride[0];
        convolution.dilation = m_layer.dilation[0], convolution.before = m_layer.before[0];
        convolution.activation = m_compiler.fusion().activation;
        convolution.threads = m_compiler.options().threads;
        if (!Convolution1d::runsHere() || convolution.outChannels / convolution.groups < kFewestFilters) return;
        const auto scratchBytes = convolution.scratchBytes();
        Implementation candidate{.id = '0', .trial = convolution.trial(m_compiler.engine())};
        if (scratchBytes > kCacheBytes * convolution.threads) candidate.scratchBytes = scratchBytes;
        candidate.emit = [convolution, all = m_all](Compiler& compiler, const Operands&) {
            const auto scratch = compiler.scratch(convolution.scratchBytes());
            emitOn(compiler, all, "convolution_1d", convolution.weightsDesc(), scratch,
                   [convolution, scratch](const float* x, const float* weights, const float* bias, float* y) {
                       convolution.run(x, weights, bias, y, scratch.as<void>());
                   });
        };
        candidates.push_back(std::move(candidate));
    }

    // For products large enough for BLAS.
    void addShifted(std::vector<Implementation>& candidates, char id, BlasLibrary library) const {
        const auto& w = m_all.shapes[1];
        if (!hasShiftedProducts(m_compiler.plan(), *m_all.op, m_layer)) return;
        ShiftedProducts products;
        products.batch = m_all.shape[0];
        products.outChannels = w[0], products.inChannels = w[1], products.taps = w[2];
        products.in = m_all.shapes[0][2], products.out = m_all.shape[2];
        products.dilation = m_layer.dilation[0], products.before = m_layer.before[0];
        products.activation = m_compiler.fusion().activation;
        products.library = library;
        Implementation candidate{.id = id, .trial = products.trial(m_compiler.engine())};
        candidate.emit = [products, all = m_all](Compiler& compiler, const Operands&) {
            const auto* name = products.library == BlasLibrary::OneDnn ? "shifted_products + onednn:sgemm"
                                                                       : "shifted_products + openblas:sgemm";
            emitOn(compiler, all, name, products.weightsDesc(), {},
                   [products](const float* x, const float* weights, const float* bias, float* y) {
                       products.run(x, weights, bias, y);
                   });
        };
        candidates.push_back(std::move(candidate));
    }

    void addLibrary(std::vector<Implementation>& candidates) const {
        const auto description = libraryConvolution<ForwardDescription>(m_compiler, m_all, m_layer);
        if (!description) return;
        const auto x = plainDesc(toArrayDims(m_all.shapes[0]), DataKind::f32);
        const auto y = plainDesc(toArrayDims(m_all.shape), DataKind::f32);
        Implementation candidate{.id = '3', .trial = libraryTrial(m_compiler.engine(), *description, x, y)};
        candidate.emit = [description = *description, all = m_all, layer = m_layer](Compiler& compiler,
                                                                                    const Operands&) {
            emitLibraryPrimitive<dnnl::convolution_forward>(compiler, all, layer, description);
        };
        candidates.push_back(std::move(candidate));
    }

    template <class Run>
    static void emitOn(Compiler& compiler, const ArrayOperands& all, const std::string& name, const Desc& weightsDesc,
                       const Value& scratch, Run run) {
        const auto& op = *all.op;
        const auto x = floatOperand(compiler, op.inputs[0]);
        const auto weights = compiler.weight(op.inputs[1], weightsDesc);
        const auto bias = op.inputs.size() > 2 ? floatOperand(compiler, op.inputs[2]) : Value();
        const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
        arrayTask(compiler, name, {x, weights, bias, scratch}, {y}, [=](const StepState&) {
            run(x.as<float>(), weights.as<float>(), bias ? bias.as<float>() : nullptr, y.as<float>());
        });
    }

    // With the conversions from and to row-major that the library's layouts need.
    static TrialMaker libraryTrial(const dnnl::engine& engine, const ForwardDescription& description, const Desc& x,
                                   const Desc& y) {
        return [=]() -> Trial {
            std::vector<Trial> parts;
            const auto reorder = [&](const Desc& from, const Desc& to) {
                const dnnl::reorder::primitive_desc move(engine, from, engine, to);
                parts.push_back(
                    primitiveTrial(dnnl::reorder(move), engine, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}, Desc()));
            };
            if (description.src_desc() != x) reorder(x, description.src_desc());
            parts.push_back(primitiveTrial(dnnl::convolution_forward(description), engine,
                                           {{DNNL_ARG_SRC, description.src_desc()},
                                            {DNNL_ARG_WEIGHTS, description.weights_desc()},
                                            {DNNL_ARG_BIAS, description.bias_desc()},
                                            {DNNL_ARG_DST, description.dst_desc()}},
                                           description.scratchpad_desc()));
            if (description.dst_desc() != y) reorder(description.dst_desc(), y);
            return [parts = std::move(parts)] {
                for (const auto& part : parts) part();
            };
        };
    }

    Compiler& m_compiler;
    const ArrayOperands& m_all;
    const model::ConvolveNd& m_layer;
};

}  // namespace

bool emitConvolveNd(Compiler& compiler, const ArrayOperands& all, const model::ConvolveNd& layer) {
    if (!all.allFloat()) return false;
    Conv1dEmitter line(compiler, all, layer);
    if (line.fits() && line.emit()) return true;
    return emitLibraryConvolution(compiler, all, layer) || emitDirectConvolution(compiler, all, layer);
}

namespace {

bool emitLibraryPool(Compiler& compiler, const ArrayOperands& all, const model::PoolNd& layer) {
    const bool dilated = std::any_of(layer.dilation.begin(), layer.dilation.end(), [](auto d) { return d != 1; });
    if (dilated || layer.kind == model::WindowKind::L2 || (layer.roundUp && layer.countPadding)) return false;
    const auto algorithm = layer.kind == model::WindowKind::Max ? dnnl::algorithm::pooling_max
                           : layer.countPadding                 ? dnnl::algorithm::pooling_avg_include_padding
                                                                : dnnl::algorithm::pooling_avg_exclude_padding;
    auto window = libraryWindow(layer, all.shape, all.shapes[0]).window;
    for (std::size_t d = 0; d < window.end.size(); ++d) {
        window.end[d] = std::max<std::int64_t>(0, window.end[d]);
        if (window.begin[d] >= layer.kernel[d] || window.end[d] >= layer.kernel[d]) return false;
    }
    try {
        const auto x = compiler.plainValue(all.op->inputs[0]);
        const auto description =
            describePool(compiler.engine(), compiler.attributes(), dnnl::prop_kind::forward_inference, algorithm,
                         x.desc, plainDesc(toArrayDims(all.shape), kindOf(x.desc)), window);
        if (isReference(description.impl_info_str())) return false;
        const auto y = compiler.define(all.op->output, description.dst_desc());
        compiler.primitive(dnnl::pooling_forward(description), description, {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
        return true;
    } catch (const dnnl::error&) {
        return false;  // no implementation
    }
}

// A window of up to three dimensions of one plane.
struct WindowPool {
    model::WindowKind kind = model::WindowKind::Max;
    std::int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
                 dilation[3] = {1, 1, 1}, before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
    bool countPadding = false;
    double power = 2;

    [[nodiscard]] float at(const float* x, const std::int64_t (&place)[3]) const {
        double sum = kind == model::WindowKind::Max ? -std::numeric_limits<double>::infinity() : 0;
        std::int64_t seen = 0, counted = 0;
        for (std::int64_t k0 = 0; k0 < kernel[0]; ++k0)
            for (std::int64_t k1 = 0; k1 < kernel[1]; ++k1)
                for (std::int64_t k2 = 0; k2 < kernel[2]; ++k2) {
                    const std::int64_t tap[3] = {k0, k1, k2};
                    std::int64_t other = 0;
                    bool inside = true, padded = true;
                    for (int d = 0; d < 3; ++d) {
                        const auto source = place[d] * stride[d] + tap[d] * dilation[d] - before[d];
                        inside = inside && source >= 0 && source < in[d];
                        padded = padded && source < in[d] + after[d];
                        other = other * in[d] + source;
                    }
                    counted += padded ? 1 : 0;
                    if (!inside) continue;
                    ++seen;
                    const auto value = static_cast<double>(x[other]);
                    if (kind == model::WindowKind::Max) sum = std::max(sum, value);
                    if (kind == model::WindowKind::Average) sum += value;
                    if (kind == model::WindowKind::L2) sum += std::pow(std::abs(value), power);
                }
        if (kind == model::WindowKind::Average)
            sum /= static_cast<double>(std::max<std::int64_t>(1, countPadding ? counted : seen));
        if (kind == model::WindowKind::L2) sum = std::pow(sum, 1 / power);
        return static_cast<float>(sum);
    }
};

// Max pooling along rows so short that starting a library primitive would take longer.
bool emitShortMaximum(Compiler& compiler, const ArrayOperands& all, const model::PoolNd& layer) {
    constexpr std::int64_t kFewElements = 1 << 15;
    if (layer.kind != model::WindowKind::Max || layer.kernel.size() != 1 || layer.before[0] != 0) return false;
    const auto in = all.shapes[0].back(), out = all.shape.back();
    const auto kernel = layer.kernel[0], stride = layer.stride[0], dilation = layer.dilation[0];
    if (model::elementCount(all.shape) * kernel > kFewElements) return false;
    if ((out - 1) * stride + (kernel - 1) * dilation >= in) return false;
    const auto x = floatOperand(compiler, all.op->inputs[0]);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    arrayTask(compiler, "pool", {x}, {y}, [=, rows = all.shape[0] * all.shape[1]](const StepState&) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto* from = x.as<float>() + r * in;
            auto* to = y.as<float>() + r * out;
            for (std::int64_t i = 0; i < out; ++i) to[i] = from[i * stride];
            for (std::int64_t t = 1; t < kernel; ++t)
                for (std::int64_t i = 0; i < out; ++i) to[i] = std::max(to[i], from[i * stride + t * dilation]);
        }
    });
    finishFloat(compiler, target);
    return true;
}

}  // namespace

bool emitPoolNd(Compiler& compiler, const ArrayOperands& all, const model::PoolNd& layer) {
    if (!all.allFloat() || layer.kernel.size() > 3) return false;
    if (emitShortMaximum(compiler, all, layer) || emitLibraryPool(compiler, all, layer)) return true;
    WindowPool pool;
    pool.kind = layer.kind;
    pool.countPadding = layer.countPadding;
    pool.power = layer.power;
    const auto spatial = layer.kernel.size();
    for (std::size_t d = 0; d < spatial; ++d) {
        const auto to = 3 - spatial + d;
        pool.in[to] = all.shapes[0][d + 2];
        pool.out[to] = all.shape[d + 2];
        pool.kernel[to] = layer.kernel[d];
        pool.stride[to] = layer.stride[d];
        pool.dilation[to] = layer.dilation[d];
        pool.before[to] = layer.before[d];
        pool.after[to] = layer.after[d];
    }
    const auto x = floatOperand(compiler, all.op->inputs[0]);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    const auto planes = all.shape[0] * all.shape[1];
    arrayTask(compiler, "pool", {x}, {y}, [=](const StepState&) {
        const auto pixels = pool.out[0] * pool.out[1] * pool.out[2], source = pool.in[0] * pool.in[1] * pool.in[2];
        const auto taps = pool.kernel[0] * pool.kernel[1] * pool.kernel[2];
        parallelRows(planes * pixels, taps * 4, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) {
                const auto pixel = i % pixels;
                const std::int64_t place[3] = {pixel / (pool.out[1] * pool.out[2]), pixel / pool.out[2] % pool.out[1],
                                               pixel % pool.out[2]};
                y.as<float>()[i] = pool.at(x.as<float>() + i / pixels * source, place);
            }
        });
    });
    finishFloat(compiler, target);
    return true;
}

namespace {

// Resizing along one dimension.
struct ResizePass {
    std::int64_t outer = 1, from = 1, to = 1, inner = 1;
    std::size_t taps = 1;
    std::vector<std::int64_t> places;  // [to, taps]
    std::vector<float> weights;

    void run(const float* x, float* y) const {
        if (inner < 8) return runScattered(x, y);
        parallelRows(outer * to, inner, [&](std::int64_t begin, std::int64_t end) {
            for (auto r = begin; r < end; ++r) {
                const auto at = static_cast<std::size_t>(r % to) * taps;
                const auto* plane = x + r / to * from * inner;
                auto* row = y + r * inner;
                const auto* first = plane + places[at] * inner;
                if (taps == 1) {
                    std::memcpy(row, first, static_cast<std::size_t>(inner) * sizeof *row);
                    continue;
                }
                kernels().array.map(
                    {.kind = model::MapKind::Scale, .alpha = weights[at], .y = row, .a = first, .n = inner});
                for (std::size_t t = 1; t < taps; ++t)
                    kernels().array.addScaled(row, plane + places[at + t] * inner, weights[at + t], inner);
            }
        });
    }

private:
    void runScattered(const float* x, float* y) const {
        parallelRows(outer, to * inner * static_cast<std::int64_t>(taps), [&](std::int64_t begin, std::int64_t end) {
            for (auto o = begin; o < end; ++o) {
                const auto* plane = x + o * from * inner;
                auto* target = y + o * to * inner;
                for (std::int64_t i = 0; i < to; ++i) {
                    const auto at = static_cast<std::size_t>(i) * taps;
                    for (std::int64_t j = 0; j < inner; ++j) {
                        float sum = weights[at] * plane[places[at] * inner + j];
                        for (std::size_t t = 1; t < taps; ++t)
                            sum += weights[at + t] * plane[places[at + t] * inner + j];
                        target[i * inner + j] = sum;
                    }
                }
            }
        });
    }
};

ResizePass resizePass(const model::ResizeArray& layer, const Shape& current, std::size_t dimension) {
    ResizePass pass;
    const AlongAxis along(current, static_cast<std::int64_t>(dimension));
    pass.outer = along.outer;
    pass.from = along.extent;
    pass.inner = along.inner;
    pass.to = layer.shape[dimension];
    for (std::int64_t i = 0; i < pass.to; ++i) {
        const auto taps = model::resizeTaps(layer, i, layer.scales[dimension], pass.from, pass.to);
        pass.taps = taps.places.size();
        pass.places.insert(pass.places.end(), taps.places.begin(), taps.places.end());
        for (const double weight : taps.weights) pass.weights.push_back(static_cast<float>(weight));
    }
    return pass;
}

}  // namespace

bool emitResize(Compiler& compiler, const ArrayOperands& all, const model::ResizeArray& layer) {
    if (!all.allFloat()) return false;
    std::vector<ResizePass> passes;
    auto current = all.shapes[0];
    for (std::size_t d = 0; d < current.size(); ++d) {
        if (current[d] == layer.shape[d] && layer.scales[d] == 1) continue;
        passes.push_back(resizePass(layer, current, d));
        current[d] = layer.shape[d];
    }
    if (passes.empty()) return false;
    auto x = floatOperand(compiler, all.op->inputs[0]);
    const auto target = floatResult(compiler, all.op->output);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const auto& pass = passes[i];
        const auto bytes = pass.outer * pass.to * pass.inner * static_cast<std::int64_t>(sizeof(float));
        const auto y = i + 1 == passes.size() ? target.value : compiler.scratch(bytes);
        arrayTask(compiler, "resize", {x}, {y},
                  [x, y, pass](const StepState&) { pass.run(x.as<float>(), y.as<float>()); });
        x = y;
    }
    finishFloat(compiler, target);
    return true;
}

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/eight_bit/eight_bit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/folding.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/int8_gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/core/messages/compute.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::cpu {
namespace {

StoredAs storedAs(DataKind kind) {
    return kind == DataKind::u8 ? StoredAs::Unsigned : kind == DataKind::s8 ? StoredAs::Signed : StoredAs::Float;
}

Dims dimsOfTensor(const Compiler& compiler, TensorId id) {
    const auto& dims = compiler.tensor(id).dims;
    return Dims(dims.begin(), dims.end());
}

// Layout of 8-bit tensors and related images: channels-last.
Desc together(const Dims& dims, DataKind kind) {
    return dims.size() == 4 ? Desc(dims, kind, Tag::nhwc) : plainDesc(dims, kind);
}

Desc storedDesc(const Compiler& compiler, TensorId id) {
    return together(dimsOfTensor(compiler, id), dataKind(compiler.tensor(id).type));
}

float stepOf(const Compiler& compiler, TensorId id) {
    return plan::gridOf(compiler.plan(), id).step;
}

// Scale of a stored value.
float factorOf(const Compiler& compiler, TensorId id) {
    return plan::isEightBit(compiler.tensor(id)) ? stepOf(compiler, id) : 1.0F;
}

Desc bytesDesc(const Compiler& compiler, TensorId id) {
    const auto grid = plan::gridOf(compiler.plan(), id);
    return together(dimsOfTensor(compiler, id), grid.isSigned ? DataKind::s8 : DataKind::u8);
}

// The layout in which inBytes() gives the tensor.
Desc inBytesDesc(Compiler& compiler, TensorId id) {
    if (!plan::isEightBit(compiler.tensor(id))) return bytesDesc(compiler, id);
    return together(dimsOfTensor(compiler, id), kindOf(compiler.value(id).desc));
}

// The tensor in 8 bits, in the layout of `together`: as stored, or quantised here once for all readers.
Value inBytes(Compiler& compiler, TensorId id) {
    const auto dims = dimsOfTensor(compiler, id);
    if (plan::isEightBit(compiler.tensor(id))) {
        const auto value = compiler.value(id);
        if (dims.size() == 4 || dimsOf(value.desc) == dims)
            return compiler.valueAs(id, together(dims, kindOf(value.desc)));
        return compiler.plainValue(id);
    }
    if (const auto known = compiler.copyAs(id, bytesDesc(compiler, id))) return known;
    const auto x = dims.size() == 4 ? compiler.valueAs(id, together(dims, DataKind::f32)) : compiler.plainValue(id);
    const auto y = emitToBytes(compiler, id, x);
    compiler.keepCopy(id, y);
    return y;
}

std::int64_t wholeWords(std::int64_t channels) {
    return blocks(channels, kWordBytes) * kWordBytes;
}

// Images of the caller, whose pixels are not whole words, such as those of three colours.
bool quantisesToWords(const Compiler& compiler, TensorId id) {
    const auto& tensor = compiler.tensor(id);
    return tensor.role == plan::TensorRole::Input && !plan::isEightBit(tensor) && tensor.dims.size() == 4 &&
           tensor.dims[1] % kWordBytes != 0;
}

// Planes of float images quantised to channels-last pixels of whole words; the channels that are added are zero.
Value emitToWords(Compiler& compiler, TensorId id) {
    const auto x = compiler.plainValue(id);
    const auto dims = dimsOfTensor(compiler, id);
    const auto channels = dims[1], pixels = dims[2] * dims[3], words = wholeWords(channels) / kWordBytes;
    const auto y = compiler.scratch(dims[0] * pixels * words * kWordBytes);
    const auto type = storedAs(kindOf(bytesDesc(compiler, id)));
    const float inverse = 1.0F / stepOf(compiler, id);
    compiler.task("native:to_words", {x, y}, [=](const StepState&) {
        parallelRanges(dims[0] * pixels, [&](std::int64_t begin, std::int64_t end) {
            std::array<std::array<std::uint8_t, 1024>, kWordBytes> planes;
            for (std::int64_t count = 0; begin < end; begin += count) {
                const auto image = begin / pixels, pixel = begin % pixels;
                count = std::min({end - begin, pixels - pixel, static_cast<std::int64_t>(planes[0].size())});
                for (std::int64_t word = 0; word < words; ++word) {
                    for (std::int64_t c = 0; c < kWordBytes; ++c) {
                        auto& plane = planes[static_cast<std::size_t>(c)];
                        const auto channel = word * kWordBytes + c;
                        if (channel < channels)
                            kernels().eightBit.store(plane.data(), type,
                                                     x.as<float>() + (image * channels + channel) * pixels + pixel,
                                                     inverse, false, count);
                        else
                            std::fill_n(plane.begin(), count, std::uint8_t{0});
                    }
                    kernels().eightBit.interleave(y.as<std::uint32_t>() + begin * words + word, words, planes[0].data(),
                                                  planes[1].data(), planes[2].data(), planes[3].data(), count);
                }
            }
        });
    });
    return y;
}

// ReLU and similar: f(a x) = a f'(x), so that the scale can be applied before.
bool isScalable(std::optional<model::ActivationKind> activation) {
    return limitsOf(activation).has_value();
}

// Epilogue of a product: y = round(f(factor sum + offset + shortcut) / step).
struct Epilogue {
    dnnl::primitive_attr attributes;
    Value factors, offsets;  // per output channel, computed by emitFactors()
    NormalisationFactors norm;
    float ofInput = 1, before = 1;  // scales of sums, and of offsets
    Desc perChannel;

    [[nodiscard]] Compiler::Arguments arguments() const {
        const auto name = [](int place) { return DNNL_ARG_ATTR_MULTIPLE_POST_OP(place) | DNNL_ARG_SRC_1; };
        return {{name(0), factors.viewed(perChannel)}, {name(1), offsets.viewed(perChannel)}};
    }
};

Epilogue epilogueOf(Compiler& compiler, const plan::Operation& op, const Desc& perChannel) {
    const auto& fusion = compiler.fusion();
    const bool bytes = plan::isEightBit(compiler.tensor(op.output));
    const float inverse = bytes ? 1.0F / stepOf(compiler, op.output) : 1.0F;
    const bool scalable = isScalable(fusion.activation);
    const float before = scalable ? inverse : 1.0F;
    const auto channels = compiler.tensor(op.parameters[0]).dims[0];
    const auto vector = plainDesc(Dims{channels}, DataKind::f32);
    Epilogue epilogue;
    if (!fusion.normalisation.empty())
        epilogue.norm = normalisationFactors(compiler, op);
    else if (op.parameters.size() > 1)
        epilogue.norm.offset = compiler.weight(op.parameters[1], vector);
    epilogue.perChannel = perChannel;
    epilogue.factors = compiler.prepared(vector);
    epilogue.offsets = compiler.prepared(vector);
    epilogue.ofInput = stepOf(compiler, op.inputs[0]) * before;
    epilogue.before = before;
    epilogue.attributes = compiler.attributes();
    dnnl::post_ops after;
    after.append_binary(dnnl::algorithm::binary_mul, perChannel);
    after.append_binary(dnnl::algorithm::binary_add, perChannel);
    if (fusion.addsInput) {
        const auto& other = compiler.tensor(op.inputs[1]);
        after.append_sum(factorOf(compiler, op.inputs[1]) * before, 0, dataKind(other.type));
    }
    if (fusion.activation) {
        const auto kind = eltwiseKind(*fusion.activation);
        appendActivation(after, kind.algorithm, kind.alpha, scalable ? kind.beta * before : kind.beta);
    }
    if (!scalable && bytes) appendActivation(after, dnnl::algorithm::eltwise_linear, inverse, 0);
    epilogue.attributes.set_post_ops(after);
    return epilogue;
}

// steps: per row of weights, which are stored weightFactor times as large. Factors are computed in the preparation,
// since weights may be rewritten.
void emitFactors(Compiler& compiler, const Epilogue& epilogue, const Value& steps, int weightFactor = 1) {
    const auto channels = dimsOf(steps.desc)[0];
    const float ofSums = epilogue.ofInput / static_cast<float>(weightFactor), ofOffsets = epilogue.before;
    compiler.beginPreparation();
    compiler.task("native:eight_bit_factors",
                  {steps, epilogue.norm.scale, epilogue.norm.offset, epilogue.factors, epilogue.offsets},
                  [=, norm = epilogue.norm, factors = epilogue.factors, offsets = epilogue.offsets](const StepState&) {
                      for (std::int64_t c = 0; c < channels; ++c) {
                          const float scale = norm.scale ? norm.scale.as<float>()[c] : 1.0F;
                          factors.as<float>()[c] = steps.as<float>()[c] * ofSums * scale;
                          offsets.as<float>()[c] = norm.offset ? norm.offset.as<float>()[c] * ofOffsets : 0.0F;
                      }
                  });
    compiler.endPreparation();
}

// Without VNNI the library halves the weights for signed activations, to keep 16-bit sums from overflowing, and doubles
// the sums. Doubled levels up to 63 are even, hence exact.
int storedFactor(const Desc& source) {
    return kindOf(source) == DataKind::s8 && !hasByteDotProducts() ? 2 : 1;
}

// The windows of a convolution; none if each pixel is a row.
std::optional<ImageWindows> windowsOf(const model::Conv2d& layer, const Dims& source, const Dims& target) {
    if (layer.kernel == model::Size2d{1, 1} && layer.stride == model::Size2d{1, 1} && source[2] == target[2] &&
        source[3] == target[3])
        return std::nullopt;
    return ImageWindows{.height = source[2],
                        .width = source[3],
                        .channels = source[1],
                        .kernelHeight = layer.kernel.height,
                        .kernelWidth = layer.kernel.width,
                        .strideHeight = layer.stride.height,
                        .strideWidth = layer.stride.width,
                        .top = layer.padding.top,
                        .left = layer.padding.left,
                        .outHeight = target[2],
                        .outWidth = target[3]};
}

// The native product of rows of x, if there is one for the operation.
std::optional<Int8Gemm> nativeGemm(const Compiler& compiler, const plan::Operation& op, const Desc& x,
                                   std::int64_t rows, std::int64_t features, std::int64_t units,
                                   const std::optional<ImageWindows>& windows = {}) {
    const auto& fusion = compiler.fusion();
    const auto& output = compiler.tensor(op.output);
    const bool bytes = plan::isEightBit(output);
    const float scale = bytes ? 1.0F / stepOf(compiler, op.output) : 1.0F;
    Int8Gemm gemm{rows, features, units, windows, compiler.options().threads, storedAs(kindOf(x))};
    gemm.target = storedAs(dataKind(output.type));
    if (fusion.addsInput) {
        const auto& other = compiler.tensor(op.inputs[1]);
        if (plan::isEightBit(other) != bytes) return std::nullopt;
        gemm.shortcut = storedAs(dataKind(other.type));
        gemm.shortcutFactor = factorOf(compiler, op.inputs[1]) * scale;
    }
    if (fusion.activation == ActivationKind::Relu || fusion.activation == ActivationKind::Relu6) {
        gemm.low = 0;
        if (fusion.activation == ActivationKind::Relu6) gemm.high = 6 * scale;
    } else if (fusion.activation) {
        if (bytes && fusion.addsInput) return std::nullopt;
        gemm.activation = fusion.activation;
        gemm.resultFactor = scale;
    }
    if (compiler.options().kernels != "auto" || !gemm.runsHere() || !compiler.affords(gemm.scratchBytes()))
        return std::nullopt;
    return gemm;
}

std::string textOf(const ImageWindows& w) {
    return fmt::format("{}x{}x{} kernel {}x{} stride {}x{} padding {}x{} to {}x{}", w.height, w.width, w.channels,
                       w.kernelHeight, w.kernelWidth, w.strideHeight, w.strideWidth, w.top, w.left, w.outHeight,
                       w.outWidth);
}

// By trial, unless the library has only its reference code for the product.
template <class Primitive, class Description>
bool prefersNative(Compiler& compiler, const std::optional<Int8Gemm>& gemm, const Description& description,
                   const Epilogue& epilogue) {
    if (!gemm) return false;
    if (isReference(description.impl_info_str())) return true;
    std::vector<std::pair<int, Desc>> arguments{{DNNL_ARG_SRC, description.src_desc()},
                                                {DNNL_ARG_WEIGHTS, description.weights_desc()},
                                                {DNNL_ARG_DST, description.dst_desc()}};
    for (const auto& [name, value] : epilogue.arguments()) arguments.emplace_back(name, value.desc);
    const auto key = fmt::format(
        "int8 {} {} {} {} from {} to {} shortcut {} activation {} threads {}", gemm->rows, gemm->features, gemm->units,
        gemm->windows ? textOf(*gemm->windows) : std::string("rows"), static_cast<int>(gemm->source),
        static_cast<int>(gemm->target), gemm->shortcut ? static_cast<int>(*gemm->shortcut) : -1,
        compiler.fusion().activation ? static_cast<int>(*compiler.fusion().activation) : -1, gemm->threads);
    const auto engine = compiler.engine();
    const TrialMaker library = [engine, description, arguments] {
        return primitiveTrial(Primitive(description), engine, arguments, description.scratchpad_desc());
    };
    return compiler.tuner().fastest(key, {library, gemm->trial(engine)}).index == 1;
}

void emitNative(Compiler& compiler, const plan::Operation& op, const Int8Gemm& gemm, const Dims& image, const Value& x,
                const Value& steps, const Epilogue& epilogue, const Value& y) {
    emitFactors(compiler, epilogue, steps);
    const auto weights = compiler.prepared(gemm.packedDesc());
    compiler.roundWeights({.parameter = op.parameters[0],
                           .weights = weights,
                           .steps = steps,
                           .rows = plainDesc(Dims{gemm.units, gemm.features}, DataKind::s8),
                           .image = image,
                           .channels = gemm.windows ? gemm.windows->channels : 0});
    Value start;
    if (gemm.needsStart()) {
        compiler.beginPreparation();
        start = compiler.prepared(plainDesc(Dims{gemm.units}, DataKind::s32));
        compiler.task("native:int8_unit_sums", {weights, start},
                      [=](const StepState&) { gemm.sumUnits(weights.as<void>(), start.as<std::int32_t>()); });
        compiler.endPreparation();
    }
    const auto scratch = compiler.scratch(gemm.scratchBytes());
    compiler.task("native:int8_gemm", {x, weights, epilogue.factors, epilogue.offsets, start, y, scratch},
                  [=, factors = epilogue.factors, offsets = epilogue.offsets](const StepState&) {
                      gemm.run(x.as<void>(), weights.as<void>(), factors.as<float>(), offsets.as<float>(),
                               start ? start.as<std::int32_t>() : nullptr, y.as<void>(), scratch.as<void>());
                  });
}

Window windowOf(const model::Conv2d& layer) {
    const auto& padding = layer.padding;
    return {{layer.kernel.height, layer.kernel.width},
            {layer.stride.height, layer.stride.width},
            {padding.top, padding.left},
            {padding.bottom, padding.right}};
}

// A dense layer as a convolution of images of one pixel, as in squeeze-and-excitation blocks: the library has only its
// reference implementation for few channels.
bool isDense(const Compiler& compiler, const plan::Operation& op, const model::Conv2d& layer) {
    const auto isPixel = [](const model::Shape& dims) { return dims[2] == 1 && dims[3] == 1; };
    return layer.groups == 1 && layer.kernel == model::Size2d{} && isPixel(compiler.tensor(op.inputs[0]).dims) &&
           isPixel(compiler.tensor(op.output).dims) && !compiler.fusion().addsInput;
}

}  // namespace

bool worksOnBytes(const Compiler& compiler, const plan::Operation& op) {
    if (plan::isEightBitProduct(op, compiler.plan())) return true;
    const auto isBytes = [&](TensorId id) { return id != kNoTensor && plan::isEightBit(compiler.tensor(id)); };
    return isBytes(op.output) || std::any_of(op.inputs.begin(), op.inputs.end(), isBytes);
}

Value emitToBytes(Compiler& compiler, TensorId id, const Value& x) {
    const auto desc = bytesDesc(compiler, id);
    const auto floats = together(dimsOf(desc), DataKind::f32);
    auto source = x;
    if (dimsOf(x.desc) != dimsOf(floats))  // of a flattened image
        source = compiler.converted(x, plainDesc(dimsOf(x.desc), DataKind::f32))
                     .viewed(plainDesc(dimsOf(floats), DataKind::f32));
    if (source.desc != floats) source = compiler.converted(source, floats);
    const auto y = compiler.scratch(desc);
    const auto count = compiler.tensor(id).elements();
    const float inverse = 1.0F / stepOf(compiler, id);
    compiler.task("native:to_bytes", {source, y}, [=, type = storedAs(kindOf(desc))](const StepState&) {
        parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
            kernels().eightBit.store(y.as<std::byte>() + begin, type, source.as<float>() + begin, inverse, false,
                                     end - begin);
        });
    });
    return y;
}

Result<void> emitEightBitConvolution(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Conv2d>(op.layer);
    if (isDense(compiler, op, layer)) return emitEightBitMatMul(compiler, op);
    const auto source = inBytesDesc(compiler, op.inputs[0]), target = storedDesc(compiler, op.output);
    auto dims = dimsOfTensor(compiler, op.parameters[0]);
    if (layer.groups > 1) {
        dims[0] /= layer.groups;
        dims.insert(dims.begin(), layer.groups);
    }
    const auto window = windowOf(layer);
    const auto steps = compiler.prepared(plainDesc(Dims{layer.filters}, DataKind::f32));
    const auto epilogue = epilogueOf(compiler, op, plainDesc(Dims{1, layer.filters, 1, 1}, DataKind::f32));
    const auto description = describe<dnnl::convolution_forward>(
        compiler.engine(), epilogue.attributes, dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        source, anyDesc(dims, DataKind::s8), Desc(), target, window.stride, window.begin, window.end);
    std::optional<Int8Gemm> gemm;
    Dims image;
    const bool pads = quantisesToWords(compiler, op.inputs[0]);
    if (layer.groups == 1) {
        auto windows = windowsOf(layer, dimsOf(source), dimsOf(target));
        if (windows && pads) windows->channels = wholeWords(windows->channels);
        gemm = nativeGemm(compiler, op, source, compiler.tensor(op.output).elements() / layer.filters,
                          windows ? windows->features() : dims[1], layer.filters, windows);
        if (windows) image = dims;
    }
    const bool native = prefersNative<dnnl::convolution_forward>(compiler, gemm, description, epilogue);
    if (!native && isReference(description.impl_info_str()))
        return fail(ErrorKind::Unsupported, op.name, messages::referenceConvolution());
    const auto y = compiler.fusion().addsInput ? compiler.defineOver(op.output, op.inputs[1], target)
                                               : compiler.define(op.output, target);
    if (native) {
        const bool inWords = pads && gemm->windows;
        const auto x = inWords ? emitToWords(compiler, op.inputs[0]) : inBytes(compiler, op.inputs[0]);
        emitNative(compiler, op, *gemm, image, x, steps, epilogue, y);
        return {};
    }
    const auto x = inBytes(compiler, op.inputs[0]);
    const auto weights = compiler.prepared(description.weights_desc());
    const int factor = storedFactor(x.desc);
    emitFactors(compiler, epilogue, steps, factor);
    compiler.roundWeights({op.parameters[0], weights, steps, plainDesc(dims, DataKind::s8), {}, factor});
    auto arguments = epilogue.arguments();
    arguments.insert(arguments.end(), {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, y}});
    compiler.primitive(dnnl::convolution_forward(description), description, std::move(arguments));
    return {};
}

Result<void> emitEightBitMatMul(Compiler& compiler, const plan::Operation& op) {
    const auto& shape = compiler.tensor(op.parameters[0]).dims;
    const auto units = shape[0], features = shape[1];
    const auto rows = compiler.tensor(op.output).elements() / units;
    // A flattened image is read in place, with weights in matching order.
    Dims image;
    Value x;
    if (plan::isEightBit(compiler.tensor(op.inputs[0]))) {
        x = compiler.value(op.inputs[0]);
        if (dimsOf(x.desc).size() == 4 && hasChannelsTogether(x.desc)) image = dimsOf(x.desc);
        if (image.empty()) x = compiler.plainValue(op.inputs[0]);
    } else {
        x = inBytes(compiler, op.inputs[0]);
    }
    const auto source = plainDesc(Dims{rows, features}, kindOf(x.desc));
    const auto target = plainDesc(Dims{rows, units}, dataKind(compiler.tensor(op.output).type));
    const auto steps = compiler.prepared(plainDesc(Dims{units}, DataKind::f32));
    const auto epilogue = epilogueOf(compiler, op, plainDesc(Dims{1, units}, DataKind::f32));
    const auto description = describe<dnnl::matmul>(compiler.engine(), epilogue.attributes, source,
                                                    anyDesc(Dims{features, units}, DataKind::s8), Desc(), target);
    if (const auto gemm = nativeGemm(compiler, op, x.desc, rows, features, units);
        prefersNative<dnnl::matmul>(compiler, gemm, description, epilogue)) {
        const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
        emitNative(compiler, op, *gemm, image, x, steps, epilogue, y);
        return {};
    }
    emitFactors(compiler, epilogue, steps);
    const auto weights = compiler.prepared(description.weights_desc());
    compiler.roundWeights(
        {op.parameters[0], weights, steps, Desc(Dims{features, units}, DataKind::s8, Dims{1, features}), image});
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output)).viewed(target);
    auto arguments = epilogue.arguments();
    arguments.insert(arguments.end(),
                     {{DNNL_ARG_SRC, x.viewed(source)}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, y}});
    compiler.primitive(dnnl::matmul(description), description, std::move(arguments));
    return {};
}

Result<void> emitEightBitAdd(Compiler& compiler, const plan::Operation& op) {
    struct Term {
        Value value;
        StoredAs type = StoredAs::Float;
        float factor = 1;
    };
    std::vector<Term> terms;
    std::vector<Value> uses;
    for (auto id : op.inputs) {
        const auto value = compiler.valueAs(id, storedDesc(compiler, id));
        terms.push_back({value, storedAs(kindOf(value.desc)), factorOf(compiler, id)});
        uses.push_back(value);
    }
    const auto y = compiler.define(op.output, storedDesc(compiler, op.output));
    uses.push_back(y);
    const auto type = storedAs(kindOf(y.desc));
    const float inverse = 1.0F / factorOf(compiler, op.output);
    const bool rectify = compiler.fusion().activation.has_value();
    const auto count = compiler.tensor(op.output).elements();
    compiler.task("native:add_bytes", std::span<const Value>(uses), [=](const StepState&) {
        parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
            std::array<float, 1024> sum;
            for (auto at = begin; at < end; at += static_cast<std::int64_t>(sum.size())) {
                const auto n = std::min(end - at, static_cast<std::int64_t>(sum.size()));
                for (std::size_t i = 0; i < terms.size(); ++i)
                    kernels().eightBit.addScaled(sum.data(),
                                                 terms[i].value.as<std::byte>() + at * bytesOf(terms[i].type),
                                                 terms[i].type, terms[i].factor, i == 0, n);
                kernels().eightBit.store(y.as<std::byte>() + at * bytesOf(type), type, sum.data(), inverse, rectify, n);
            }
        });
    });
    return {};
}

Result<void> emitEightBitGlobalPool(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.valueAs(op.inputs[0], storedDesc(compiler, op.inputs[0]));
    const auto dims = dimsOfTensor(compiler, op.inputs[0]);
    const auto channels = dims.size() == 4 ? dims[1] : dims[2], pixels = dims.size() == 4 ? dims[2] * dims[3] : dims[1];
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto factor = stepOf(compiler, op.inputs[0]) / static_cast<float>(pixels);
    compiler.task("native:mean_of_bytes", {x, y}, [=, type = storedAs(kindOf(x.desc))](const StepState&) {
        parallelRows(dims[0], pixels * channels, [&](std::int64_t begin, std::int64_t end) {
            for (auto b = begin; b < end; ++b)
                kernels().eightBit.meanOfPixels(y.as<float>() + b * channels, x.as<std::byte>() + b * pixels * channels,
                                                type, pixels, channels, factor);
        });
    });
    return {};
}

}  // namespace steelyard::compute::cpu

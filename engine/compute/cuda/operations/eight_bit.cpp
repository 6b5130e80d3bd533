// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/operations/eight_bit.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/plan/quantisation.h"

namespace steelyard::compute::cuda {
namespace {

using kernels::ByteTile;
using kernels::ByteWindows;
using kernels::StoredAs;

constexpr std::int64_t kWord = 4, kChunk = 16;  // bytes that kernels load together

constexpr std::int64_t wholeOf(std::int64_t count, std::int64_t unit) {
    return (count + unit - 1) / unit * unit;
}

// Operations after the current one that are applied to its values before they are stored.
struct Chain {
    TensorId result = kNoTensor;
    const plan::Operation* norm = nullptr;
    TensorId shortcut = kNoTensor;
    kernels::Activation activation = kernels::Activation::None;
    std::size_t operations = 0;
};

// The only reader of the result so far, unless that is rounded.
const plan::Operation* nextLink(const Compiler& compiler, const Chain& chain, plan::OperationKind kind) {
    const auto* next = compiler.next(chain.operations);
    const bool fits = next != nullptr && next->kind == kind && next->pass == plan::Pass::Forward &&
                      compiler.isReadOnce(chain.result) && !plan::isEightBit(compiler.tensor(chain.result)) &&
                      std::find(next->inputs.begin(), next->inputs.end(), chain.result) != next->inputs.end();
    return fits ? next : nullptr;
}

void extend(Chain& chain, const plan::Operation& link) {
    chain.result = link.output;
    ++chain.operations;
}

void addNorm(const Compiler& compiler, Chain& chain) {
    if (const auto* norm = nextLink(compiler, chain, plan::OperationKind::BatchNorm)) {
        chain.norm = norm;
        extend(chain, *norm);
    }
}
void addShortcut(const Compiler& compiler, Chain& chain) {
    const auto* sum = nextLink(compiler, chain, plan::OperationKind::Add);
    if (sum == nullptr || sum->inputs.size() != 2 || sum->inputs[0] == sum->inputs[1]) return;
    const auto other = sum->inputs[sum->inputs[0] == chain.result ? 1 : 0];
    if (compiler.elements(other) != compiler.elements(sum->output)) return;
    chain.shortcut = other;
    extend(chain, *sum);
}
void addActivation(const Compiler& compiler, Chain& chain) {
    if (const auto* link = nextLink(compiler, chain, plan::OperationKind::Activation)) {
        chain.activation = kernels::activationOf(std::get<model::Activation>(link->layer).kind);
        extend(chain, *link);
    }
}

Chain chainOf(const Compiler& compiler, const plan::Operation& product, bool withShortcut) {
    Chain chain{product.output};
    addNorm(compiler, chain);
    if (withShortcut) addShortcut(compiler, chain);
    addActivation(compiler, chain);
    return chain;
}

float inverseOf(const Compiler& compiler, TensorId id) {
    return 1.0F / factorOf(compiler, id);
}

// Factors and offsets of channels, computed in the preparation. Without steps and bias: of a normalisation alone.
struct ChannelFactors {
    Value factors, offsets;
};
ChannelFactors emitFactors(Compiler& compiler, std::int64_t channels, const Value& steps, float inputStep,
                           const Value& bias, const plan::Operation* norm) {
    const auto vector = [&] { return compiler.persistent(channels * 4, MemoryKind::Weights); };
    const ChannelFactors result{vector(), vector()};
    Value scale, offset, mean, variance;
    float epsilon = 0;
    if (norm != nullptr) {
        scale = compiler.f32Weight(norm->parameters[0]), offset = compiler.f32Weight(norm->parameters[1]);
        mean = compiler.value(norm->parameters[2]), variance = compiler.value(norm->parameters[3]);
        epsilon = static_cast<float>(std::get<model::BatchNorm>(norm->layer).epsilon);
    }
    compiler.beginPreparation();
    compiler.kernel("native:byte_factors", {steps, bias, scale, offset, mean, variance, result.factors, result.offsets},
                    [=](Stream stream) {
                        return kernels::byteFactors(stream, steps.as<const float>(), inputStep, bias.as<const float>(),
                                                    {scale.as<const float>(), offset.as<const float>(), epsilon},
                                                    mean.as<const float>(), variance.as<const float>(),
                                                    result.factors.as<float>(), result.offsets.as<float>(), channels);
                    });
    compiler.endPreparation();
    return result;
}

// Bytes that a product reads: rows of `channels`, of which those behind the tensor's own are zero, `pitch` apart.
struct Source {
    Value bytes;
    StoredAs type = StoredAs::Signed;
    std::int64_t pitch = 0;
};

// [batch, rows, columns] -> [batch, columns, rows]
Value emitTransposed(Compiler& compiler, const Value& x, StoredAs type, std::int64_t batch, std::int64_t rows,
                     std::int64_t columns, Value y) {
    if (!y) y = compiler.scratch(batch * rows * columns * kernels::bytesOf(type));
    compiler.kernel("native:transpose", {x, y}, [=](Stream stream) {
        if (type != StoredAs::Float) return kernels::transposeBytes(stream, x.data(), y.data(), batch, rows, columns);
        return kernels::transpose(stream, ElementType::F32, x.data(), y.data(), batch, rows, columns, false);
    });
    return y;
}

// The tensor as `rows` of `length` bytes: as it is stored, or quantised once for all readers.
Source sourceOf(Compiler& compiler, TensorId id, std::int64_t rows, std::int64_t length, std::int64_t unit) {
    const auto grid = plan::gridOf(compiler.plan(), id);
    const auto type = grid.isSigned ? StoredAs::Signed : StoredAs::Unsigned;
    const auto& dims = compiler.dims(id);
    const bool turns = dims.size() == 4 && dims[1] == length && !compiler.channelsLast() && dims[2] * dims[3] > 1;
    const bool stored = plan::isEightBit(compiler.tensor(id));
    const Source source{{}, type, stored ? length : wholeOf(length, unit)};
    if (stored && !turns) return {compiler.value(id), type, length};
    auto& known = compiler.quantised(id, source.pitch);
    if (known) return {known, type, source.pitch};
    auto x = compiler.value(id);
    if (turns) x = emitTransposed(compiler, x, storedAs(compiler, id), dims[0], length, dims[2] * dims[3], {});
    if (stored) {
        known = x;
        return {known, type, source.pitch};
    }
    const auto y = compiler.scratch(rows * source.pitch);
    const float inverse = 1.0F / grid.step;
    compiler.kernel("native:to_bytes", {x, y}, [=](Stream stream) {
        return kernels::toBytes(stream, x.as<const float>(), rows, length, y.data(), source.pitch, type, inverse);
    });
    known = y;
    return {known, type, source.pitch};
}

std::string keyOf(const ByteWindows& w, std::int64_t units, const kernels::ByteResults& r, StoredAs source) {
    return fmt::format(
        "bytes {} {} {} {} {} {} by {} {} stride {} {} padding {} {} to {} {} {} from {} as {} with {} {}", w.batch,
        w.height, w.width, w.channels, w.groups, w.pitch, w.kernelHeight, w.kernelWidth, w.strideHeight, w.strideWidth,
        w.top, w.left, w.outHeight, w.outWidth, units, static_cast<int>(source), static_cast<int>(r.type),
        static_cast<int>(r.shortcutType), static_cast<int>(r.activation));
}

// A convolution or dense layer with what follows it.
class Product {
public:
    Product(Compiler& compiler, const plan::Operation& op, const Source& source, const ByteWindows& windows)
        : m_compiler(compiler), m_op(op), m_source(source), m_windows(windows) {}

    // turned: y is channels-first, so that results are transposed.
    Result<void> emit(const ByteWeightForm& form, bool turned) {
        m_chain = chainOf(m_compiler, m_op, !turned);
        // The sum may be stored over an operand; the product must not read what it overwrites.
        if (m_compiler.value(m_chain.result).buffer == m_source.bytes.buffer)
            m_chain = chainOf(m_compiler, m_op, false);
        for (std::size_t i = 0; i < m_chain.operations; ++i) m_compiler.takeNext();
        m_weights = m_compiler.byteWeights(m_op.parameters[0], form);
        const auto bias = m_op.parameters.size() > 1 ? m_compiler.f32Weight(m_op.parameters[1]) : Value{};
        const auto step = plan::gridOf(m_compiler.plan(), m_op.inputs[0]).step;
        m_factors = emitFactors(m_compiler, form.units, m_weights.steps, step, bias, m_chain.norm);
        m_units = form.units;
        m_shortcut = m_compiler.value(m_chain.shortcut);
        const auto type = storedAs(m_compiler, m_chain.result);
        const auto result = m_compiler.value(m_chain.result);
        m_y = turned ? m_compiler.scratch(m_windows.rows() * m_units * kernels::bytesOf(type)) : result;
        TRY(form.byPosition ? emitDepthwise() : emitTiles());
        if (turned)
            static_cast<void>(emitTransposed(m_compiler, m_y, type, m_windows.batch,
                                             m_windows.outHeight * m_windows.outWidth, m_units, result));
        return {};
    }

private:
    // Without pointers.
    [[nodiscard]] kernels::ByteResults description() const {
        kernels::ByteResults r;
        if (m_chain.shortcut != kNoTensor) {
            r.shortcutType = storedAs(m_compiler, m_chain.shortcut);
            r.shortcutFactor = factorOf(m_compiler, m_chain.shortcut);
        }
        r.activation = m_chain.activation;
        r.type = storedAs(m_compiler, m_chain.result);
        r.inverse = inverseOf(m_compiler, m_chain.result);
        return r;
    }

    // Calls launch(stream, results, x, weights).
    template <class Launch>
    void addKernel(std::string name, Launch launch) {
        m_compiler.kernel(std::move(name),
                          {m_source.bytes, m_weights.bytes, m_factors.factors, m_factors.offsets, m_shortcut, m_y},
                          [r = description(), source = m_source.bytes, weights = m_weights.bytes, factors = m_factors,
                           shortcut = m_shortcut, y = m_y, launch](Stream stream) {
                              auto results = r;
                              results.factors = factors.factors.as<const float>();
                              results.offsets = factors.offsets.as<const float>();
                              results.shortcut = shortcut.data();
                              results.y = y.data();
                              return launch(stream, results, source.data(), weights.as<const std::int8_t>());
                          });
    }

    Result<void> emitDepthwise() {
        addKernel("native:byte_depthwise",
                  [w = m_windows, type = m_source.type, units = m_units](
                      Stream stream, const kernels::ByteResults& results, const void* x, const std::int8_t* weights) {
                      return kernels::byteDepthwise(stream, w, type, x, weights, units, results);
                  });
        return {};
    }

    Result<void> emitTiles() {
        constexpr std::int64_t kFewRows = 16;
        const auto way = [&](const char* name, ByteTile tile) {
            return Compiler::Implementation{
                name, [this, name, tile]() -> Result<void> {
                    addKernel(name, [tile, w = m_windows, type = m_source.type, units = m_units](
                                        Stream stream, const kernels::ByteResults& results, const void* x,
                                        const std::int8_t* weights) {
                        return kernels::byteProduct(stream, tile, w, type, x, weights, units, results);
                    });
                    return {};
                }};
        };
        std::vector<Compiler::Implementation> ways{way("native:byte_product_64x64", ByteTile::Small)};
        if (m_windows.rows() <= kFewRows)
            ways.insert(ways.begin(), way("native:byte_product_16x128", ByteTile::FewRows));
        else
            ways.push_back(way("native:byte_product_128x128", ByteTile::Large));
        return m_compiler.fastest(keyOf(m_windows, m_units, description(), m_source.type), ways);
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    Source m_source;
    ByteWindows m_windows;
    Chain m_chain;
    ByteWeights m_weights;
    ChannelFactors m_factors;
    std::int64_t m_units = 0;
    Value m_shortcut, m_y;
};

Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Conv2d>(op.layer);
    const auto& in = compiler.dims(op.inputs[0]);
    const auto& out = compiler.dims(op.output);
    const auto channels = in[1], groups = layer.groups;
    const bool depthwise = op.kind == plan::OperationKind::DepthwiseConvolution;
    // Pixels that are quantised here are filled up, unless they consist of groups.
    const auto source = sourceOf(compiler, op.inputs[0], in[0] * in[2] * in[3], channels,
                                 groups == 1 && channels >= kChunk ? kChunk : kWord);
    ByteWindows w{.batch = in[0], .height = in[2], .width = in[3], .groups = groups, .pitch = source.pitch};
    w.channels = groups == 1 ? source.pitch : channels / groups;
    w.kernelHeight = layer.kernel.height, w.kernelWidth = layer.kernel.width;
    w.strideHeight = layer.stride.height, w.strideWidth = layer.stride.width;
    w.top = layer.padding.top, w.left = layer.padding.left;
    w.outHeight = out[2], w.outWidth = out[3];
    const ByteWeightForm form{out[1], channels / groups, w.kernelHeight * w.kernelWidth, w.channels, depthwise};
    const bool turned = !compiler.channelsLast() && out[2] * out[3] > 1;
    return Product(compiler, op, source, w).emit(form, turned);
}

Result<void> emitDense(Compiler& compiler, const plan::Operation& op) {
    const auto& shape = compiler.dims(op.parameters[0]);
    const auto units = shape[0], features = shape[1], rows = compiler.elements(op.output) / units;
    const auto source = sourceOf(compiler, op.inputs[0], rows, features, kChunk);
    const ByteWindows w{.batch = rows, .channels = source.pitch, .pitch = source.pitch};
    return Product(compiler, op, source, w).emit({units, features, 1, source.pitch, false}, false);
}

// The sum of tensors in any type, of which the first may be normalised, with an activation.
void emitSum(Compiler& compiler, const std::vector<TensorId>& inputs, const Chain& chain) {
    for (std::size_t i = 0; i < chain.operations; ++i) compiler.takeNext();
    const auto axes = compiler.channelAxes(compiler.dims(chain.result));
    const auto n = compiler.elements(chain.result);
    ChannelFactors factors;
    if (chain.norm != nullptr) factors = emitFactors(compiler, axes.channels, {}, 1, {}, chain.norm);
    struct Term {
        Value value;
        StoredAs type;
        float factor;
    };
    std::vector<Term> all;
    for (auto id : inputs) all.push_back({compiler.value(id), storedAs(compiler, id), factorOf(compiler, id)});
    const auto y = compiler.value(chain.result);
    for (std::size_t first = 0; first < all.size();) {
        std::vector<Term> some;
        while (first < all.size() && some.size() < kernels::kMostAddends) some.push_back(all[first++]);
        const bool last = first == all.size();
        const auto to = last ? y : compiler.scratch(n * 4);
        const auto type = last ? storedAs(compiler, chain.result) : StoredAs::Float;
        const auto inverse = last ? inverseOf(compiler, chain.result) : 1.0F;
        std::vector<Value> uses{to, factors.factors, factors.offsets};
        for (const auto& term : some) uses.push_back(term.value);
        compiler.kernel("native:add_bytes", std::move(uses), [=](Stream stream) {
            kernels::ByteTerms terms;
            for (const auto& term : some) {
                terms.x[terms.count] = term.value.data();
                terms.types[terms.count] = term.type;
                terms.factors[terms.count++] = term.factor;
            }
            terms.scales = factors.factors.as<const float>();
            terms.offsets = factors.offsets.as<const float>();
            terms.channels = axes.channels;
            terms.inner = axes.inner;
            if (last) terms.activation = chain.activation;
            return kernels::addBytes(stream, terms, to.data(), type, inverse, n);
        });
        factors = {};
        if (!last) all[--first] = {to, StoredAs::Float, 1.0F};  // what has been summed is the next term
    }
}

Result<void> emitNorm(Compiler& compiler, const plan::Operation& op) {
    Chain chain{op.output, &op};
    addShortcut(compiler, chain);
    addActivation(compiler, chain);
    std::vector<TensorId> inputs{op.inputs[0]};
    if (chain.shortcut != kNoTensor) inputs.push_back(chain.shortcut);
    emitSum(compiler, inputs, chain);
    return {};
}

Result<void> emitTerms(Compiler& compiler, const plan::Operation& op) {
    Chain chain{op.output};
    if (op.kind == plan::OperationKind::Activation)
        chain.activation = kernels::activationOf(std::get<model::Activation>(op.layer).kind);
    else
        addActivation(compiler, chain);
    emitSum(compiler, op.inputs, chain);
    return {};
}

}  // namespace

bool isEmittedInBytes(const Compiler& compiler, const plan::Operation& op) {
    using K = plan::OperationKind;
    if (compiler.plan().options.precision != plan::Precision::Int8) return false;
    return plan::isEightBitProduct(op, compiler.plan()) || op.kind == K::BatchNorm || op.kind == K::Add ||
           op.kind == K::Activation;
}

Result<void> emitInBytes(Compiler& compiler, const plan::Operation& op) {
    using K = plan::OperationKind;
    if (op.kind == K::MatMul) return emitDense(compiler, op);
    if (op.kind == K::BatchNorm) return emitNorm(compiler, op);
    if (op.kind == K::Add || op.kind == K::Activation) return emitTerms(compiler, op);
    return emitConvolution(compiler, op);
}

StoredAs storedAs(const Compiler& compiler, TensorId id) {
    const auto& tensor = compiler.tensor(id);
    if (!plan::isEightBit(tensor)) return StoredAs::Float;
    return tensor.type == model::DataType::UInt8 ? StoredAs::Unsigned : StoredAs::Signed;
}

float factorOf(const Compiler& compiler, TensorId id) {
    return plan::isEightBit(compiler.tensor(id)) ? plan::gridOf(compiler.plan(), id).step : 1.0F;
}

}  // namespace steelyard::compute::cuda

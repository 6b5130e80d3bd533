// SPDX-License-Identifier: Apache-2.0
// Layers that move values or add a learned row to each position: concatenation, image to tokens, class token, step
// selection, padded shortcut, position and type embeddings; and global average pooling.
#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

// Source layouts of the node's inputs, for the backward pass.
struct ConcatMemory {
    std::vector<Desc> sources;
    Desc target;
};

void emitConcatForward(Compiler& compiler, const plan::Operation& op) {
    std::vector<Value> parts;
    std::vector<Desc> layouts;
    // One layout for all parts, that of the first: otherwise the library copies element by element.
    const auto first = compiler.value(op.inputs[0]);
    const auto layout = channelLayout(first.desc);
    for (auto id : op.inputs) {
        auto dims = dimsOf(plainDesc(compiler.tensor(id).dims, compiler.tensor(id).type));
        const bool blocked = layout && layout->block > 1 && dims.size() == 4;
        const auto block = blocked && layout->block == layout->channels ? dims[1] : blocked ? layout->block : 1;
        const bool divides = dims[1] % std::max<std::int64_t>(1, block) == 0;
        parts.push_back(dims.size() == 4 && divides ? compiler.valueAs(id, channelDesc(dims, kindOf(first.desc), block))
                                                    : compiler.plainValue(id));
        layouts.push_back(parts.back().desc);
    }
    const auto description = describeConcat(compiler.engine(), compiler.attributes(), 1, layouts);
    const auto target = compiler.define(op.output, description.dst_desc());
    Compiler::Arguments arguments{{DNNL_ARG_DST, target}};
    for (std::size_t i = 0; i < parts.size(); ++i)
        arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), parts[i]);
    compiler.primitive(dnnl::concat(description), description, std::move(arguments));
    compiler.remember(op.node, ConcatMemory{layouts, target.desc});
}

// Channels [first, first + channels) of an image, as a view if they start at a block boundary.
Value channelsOf(Compiler& compiler, TensorId id, const Desc& target, std::int64_t first, const Desc& part) {
    const auto dims = dimsOf(part);
    Dims offsets(dims.size(), 0);
    offsets[1] = first;
    const auto layout = channelLayout(target);
    const bool aligned = layout && (layout->block == 1 || layout->block == layout->channels ||
                                    (first % layout->block == 0 && dims[1] % layout->block == 0));
    const auto whole = aligned ? compiler.valueAs(id, target) : compiler.plainValue(id);
    return whole.viewed(whole.desc.submemory_desc(dims, offsets));
}

void emitConcatBackward(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<ConcatMemory>(op.node);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < op.inputGradients.size(); ++i) {
        const auto& part = memory.sources[i];
        if (op.inputGradients[i] != kNoTensor) {
            const auto dy = channelsOf(compiler, op.outputGradient, memory.target, first, part);
            const auto gradient = compiler.inputGradient(op, i, part);
            compiler.convert(dy, gradient.value);
            compiler.finishGradient(gradient);
        }
        first += dimsOf(part)[1];
    }
}

// Copy of rows of `length` values between strided locations.
struct RowCopy {
    std::int64_t rows = 0, length = 0;          // in elements
    std::int64_t fromStride = 0, toStride = 0;  // between rows
    std::int64_t fromOffset = 0, toOffset = 0;
};

void emitRowCopy(Compiler& compiler, const Value& from, const Value& to, const RowCopy& copy) {
    const auto size = static_cast<std::int64_t>(dnnl::memory::data_type_size(kindOf(from.desc)));
    compiler.task("native:copy_rows", {from, to}, [=](const StepState&) {
        parallelRows(copy.rows, copy.length, [&](std::int64_t begin, std::int64_t end) {
            for (auto r = begin; r < end; ++r)
                std::memcpy(to.as<std::byte>() + (copy.toOffset + r * copy.toStride) * size,
                            from.as<std::byte>() + (copy.fromOffset + r * copy.fromStride) * size,
                            static_cast<std::size_t>(copy.length * size));
        });
    });
}

void emitZero(Compiler& compiler, const Value& target) {
    const auto bytes = bytesOf(target.desc);
    compiler.task("native:zero", {target}, [=](const StepState&) {
        parallelRanges(bytes, [&](std::int64_t begin, std::int64_t end) {
            std::memset(target.as<std::byte>() + begin, 0, static_cast<std::size_t>(end - begin));
        });
    });
}

// sum[f] = sum over rows of x[first + row stride + f], f < length; the gradient of a learned row.
void emitRowSum(Compiler& compiler, const Value& x, const Value& sum, const RowCopy& rows) {
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:row_sum", {x, sum}, [=](const StepState&) {
            parallelRanges(rows.length, [&](std::int64_t begin, std::int64_t end) {
                auto* target = sum.as<float>() + rows.toOffset;
                std::fill(target + begin, target + end, 0.0F);
                for (std::int64_t r = 0; r < rows.rows; ++r)
                    kernels().rows<T>().addTo(target + begin, x.as<T>() + rows.fromOffset + r * rows.fromStride + begin,
                                              end - begin);
            });
        });
    });
}

// y = x + parameter, the parameter's `length` values repeated.
void emitAddRows(Compiler& compiler, const Value& x, const Value& y, const Value& parameter, std::int64_t first,
                 std::int64_t length) {
    const auto rows = paddedElements(y.desc) / length;
    withElementType(y.desc, [&]<class T>(T) {
        compiler.task("native:add_parameter", {x, y, parameter}, [=](const StepState&) {
            parallelRows(rows, length, [&](std::int64_t begin, std::int64_t end) {
                for (auto r = begin; r < end; ++r)
                    kernels().rows<T>().addParameter(y.as<T>() + r * length, x.as<T>() + r * length,
                                                     parameter.as<float>() + first, length);
            });
        });
    });
}

// Pixels [B, C, h, w] -> [B, C + 2 before, h / stride, w / stride] and back, in any channel layout.
struct ShortcutMap {
    ChannelLayout in, out;
    std::int64_t inWidth = 0, outHeight = 0, outWidth = 0;
    std::int64_t before = 0, stride = 1;

    [[nodiscard]] static std::int64_t at(const ChannelLayout& l, std::int64_t b, std::int64_t c, std::int64_t p) {
        return ((b * l.blocks + c / l.block) * l.pixels + p) * l.block + c % l.block;
    }
    template <class Visit>
    void forSample(std::int64_t b, const Visit& visit) const {
        for (std::int64_t h = 0; h < outHeight; ++h)
            for (std::int64_t w = 0; w < outWidth; ++w)
                for (std::int64_t c = 0; c < in.channels; ++c)
                    visit(at(in, b, c, h * stride * inWidth + w * stride), at(out, b, before + c, h * outWidth + w));
    }
};

void emitShortcut(Compiler& compiler, const Value& from, const Value& to, const ShortcutMap& map, bool forward) {
    emitZero(compiler, to);
    withElementType(to.desc, [&]<class T>(T) {
        compiler.task("native:shortcut", {from, to}, [=](const StepState&) {
            parallelRows(map.in.batch, map.in.channels * map.out.pixels, [&](std::int64_t begin, std::int64_t end) {
                const auto* source = from.as<T>();
                auto* target = to.as<T>();
                for (auto b = begin; b < end; ++b)
                    map.forSample(b, [&](std::int64_t in, std::int64_t out) {
                        if (forward) {
                            target[out] = source[in];
                        } else {
                            target[in] = source[out];
                        }
                    });
            });
        });
    });
}

// Pixels or steps to average over, as a channelLayout; for [B, T, F] the steps are pixels and F a block.
ChannelLayout averagedLayout(const Desc& desc) {
    const auto dims = dimsOf(desc);
    if (dims.size() == 3) return {dims[0], dims[2], dims[1], dims[2], 1};
    return *channelLayout(desc);
}

}  // namespace

Result<void> emitConcat(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitConcatForward(compiler, op);
    } else {
        emitConcatBackward(compiler, op);
    }
    return {};
}

Result<void> emitGlobalPool(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        auto x = compiler.value(op.inputs[0]);
        if (!channelLayout(x.desc)) x = compiler.plainValue(op.inputs[0]);
        const auto layout = averagedLayout(x.desc);
        compiler.remember(op.node, x.desc);
        const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
        withElementType(x.desc, [&]<class T>(T) {
            compiler.task("native:global_average", {x, y}, [=](const StepState&) {
                const auto factor = 1.0F / static_cast<float>(layout.pixels);
                parallelRows(layout.batch * layout.blocks, layout.pixels * layout.block, [&](auto begin, auto end) {
                    for (auto unit = begin; unit < end; ++unit) {
                        const auto sample = unit / layout.blocks, first = unit % layout.blocks * layout.block;
                        T means[64];
                        auto* target = y.as<T>() + sample * layout.channels + first;
                        // The last block may be padded, which the result is not.
                        const bool whole = first + layout.block <= layout.channels;
                        kernels().rows<T>().sumPixels(whole ? target : means,
                                                      x.as<T>() + unit * layout.pixels * layout.block, factor,
                                                      layout.pixels, layout.block);
                        if (!whole) std::copy(means, means + (layout.channels - first), target);
                    }
                });
            });
        });
        return {};
    }
    const auto& desc = compiler.recall<Desc>(op.node);
    const auto layout = averagedLayout(desc);
    const auto dy = compiler.plainValue(op.outputGradient);
    const auto gradient = compiler.inputGradient(op, 0, desc);
    const auto dx = gradient.value;
    withElementType(desc, [&]<class T>(T) {
        compiler.task("native:global_average_gradient", {dy, dx}, [=](const StepState&) {
            const auto factor = 1.0F / static_cast<float>(layout.pixels);
            parallelRows(layout.batch * layout.blocks, layout.pixels * layout.block, [&](auto begin, auto end) {
                for (auto unit = begin; unit < end; ++unit) {
                    const auto sample = unit / layout.blocks, first = unit % layout.blocks * layout.block;
                    T padded[64] = {};
                    const auto* source = dy.as<T>() + sample * layout.channels + first;
                    const bool whole = first + layout.block <= layout.channels;
                    if (!whole) std::copy(source, source + (layout.channels - first), padded);
                    kernels().rows<T>().spreadPixels(dx.as<T>() + unit * layout.pixels * layout.block,
                                                     whole ? source : padded, factor, layout.pixels, layout.block);
                }
            });
        });
    });
    compiler.finishGradient(gradient);
    return {};
}

// [B, C, H, W] -> [B, H W, C]: the same memory if channels-last.
Result<void> emitToTokens(Compiler& compiler, const plan::Operation& op) {
    const auto tokens = op.pass == plan::Pass::Forward ? op.output : op.outputGradient;
    if (op.pass == plan::Pass::Forward) {
        const auto& dims = compiler.tensor(op.inputs[0]).dims;
        const auto last =
            Desc({dims[0], dims[1], dims[2], dims[3]}, dataKind(compiler.tensor(op.inputs[0]).type), Tag::nhwc);
        compiler.remember(op.node, last);
        const auto x = compiler.value(op.inputs[0]);
        compiler.convert(x, compiler.define(tokens, compiler.plainDescOf(tokens)).viewed(last));
        return {};
    }
    const auto& last = compiler.recall<Desc>(op.node);
    const auto dy = compiler.plainValue(op.outputGradient).viewed(last);
    const auto gradient = compiler.inputGradient(op, 0, last);
    compiler.convert(dy, gradient.value);
    compiler.finishGradient(gradient);
    return {};
}

Result<void> emitSelectStep(Compiler& compiler, const plan::Operation& op) {
    const bool forward = op.pass == plan::Pass::Forward;
    const auto& dims = compiler.tensor(forward ? op.inputs[0] : op.inputGradients[0]).dims;
    const auto chosen = std::get<model::SelectStep>(op.layer).step;
    const auto step = chosen < 0 ? chosen + dims[1] : chosen;
    RowCopy copy{.rows = dims[0], .length = dims[2], .fromStride = dims[1] * dims[2], .toStride = dims[2]};
    copy.fromOffset = step * dims[2];
    if (forward) {
        emitRowCopy(compiler, compiler.plainValue(op.inputs[0]),
                    compiler.define(op.output, compiler.plainDescOf(op.output)), copy);
        return {};
    }
    const auto gradient = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    emitZero(compiler, gradient.value);
    std::swap(copy.fromStride, copy.toStride);
    std::swap(copy.fromOffset, copy.toOffset);
    emitRowCopy(compiler, compiler.plainValue(op.outputGradient), gradient.value, copy);
    compiler.finishGradient(gradient);
    return {};
}

Result<void> emitClassToken(Compiler& compiler, const plan::Operation& op) {
    const bool forward = op.pass == plan::Pass::Forward;
    const auto& whole = compiler.tensor(forward ? op.output : op.outputGradient).dims;
    const auto features = whole[2];
    const auto sample = whole[1] * features;
    const RowCopy rest{.rows = whole[0],
                       .length = sample - features,
                       .fromStride = sample - features,
                       .toStride = sample,
                       .toOffset = features};
    if (forward) {
        const auto x = compiler.plainValue(op.inputs[0]);
        const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
        const auto kind = kindOf(y.desc);
        auto token = compiler.weight(op.parameters[0], plainDesc(Dims{features}, kind));
        emitRowCopy(compiler, x, y, rest);
        emitRowCopy(compiler, token, y, {.rows = whole[0], .length = features, .fromStride = 0, .toStride = sample});
        return {};
    }
    const auto dy = compiler.plainValue(op.outputGradient);
    const auto token = compiler.parameterGradient(op, 0, plainDesc(Dims{features}, DataKind::f32));
    emitRowSum(compiler, dy, token.value, {.rows = whole[0], .length = features, .fromStride = sample});
    compiler.finishGradient(token);
    if (op.inputGradients[0] == kNoTensor) return {};
    const auto gradient = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    emitRowCopy(compiler, dy, gradient.value,
                {.rows = rest.rows,
                 .length = rest.length,
                 .fromStride = rest.toStride,
                 .toStride = rest.fromStride,
                 .fromOffset = rest.toOffset});
    compiler.finishGradient(gradient);
    return {};
}

// Position: rows offset .. offset + T - 1 of a table, per sample. Token type: row 0, per token.
Result<void> emitAddParameter(Compiler& compiler, const plan::Operation& op) {
    const bool forward = op.pass == plan::Pass::Forward;
    const auto& dims = compiler.tensor(forward ? op.output : op.outputGradient).dims;
    const auto features = dims.back();
    const auto* position = std::get_if<model::PositionEmbedding>(&op.layer);
    const auto length = position != nullptr ? dims[1] * features : features;
    const auto first = position != nullptr ? position->offset * features : 0;
    if (forward) {
        const auto x = compiler.plainValue(op.inputs[0]);
        const auto table = compiler.weight(op.parameters[0],
                                           plainDesc(compiler.tensor(op.parameters[0]).dims, model::DataType::Float32));
        emitAddRows(compiler, x, compiler.define(op.output, compiler.plainDescOf(op.output)), table, first, length);
        return {};
    }
    const auto dy = compiler.plainValue(op.outputGradient);
    const auto table = compiler.parameterGradient(op, 0, compiler.plainDescOf(op.parameterGradients[0]));
    emitZero(compiler, table.value);
    const auto rows = compiler.tensor(op.outputGradient).elements() / length;
    emitRowSum(compiler, dy, table.value, {.rows = rows, .length = length, .fromStride = length, .toOffset = first});
    compiler.finishGradient(table);
    if (op.inputGradients[0] == kNoTensor) return {};
    if (op.accumulate[0]) {
        compiler.finishGradient({op.inputGradients[0], dy, true});
    } else {
        compiler.same(op.inputGradients[0], op.outputGradient);
    }
    return {};
}

Result<void> emitShortcutPad(Compiler& compiler, const plan::Operation& op) {
    struct Memory {
        Desc in, out;
        ShortcutMap map;
    };
    if (op.pass == plan::Pass::Forward) {
        auto x = compiler.value(op.inputs[0]);
        if (!channelLayout(x.desc)) x = compiler.plainValue(op.inputs[0]);
        Memory memory{x.desc, {}, {}};
        memory.map.in = *channelLayout(x.desc);
        const auto& outShape = compiler.tensor(op.output).dims;
        const auto dims = dimsOf(x.desc);
        const bool last = memory.map.in.block == dims[1] && dims[1] > 1;
        memory.out = channelDesc(Dims(outShape.begin(), outShape.end()), kindOf(x.desc),
                                 last ? outShape[1] : memory.map.in.block);
        memory.map.out = *channelLayout(memory.out);
        memory.map.inWidth = dims[3];
        memory.map.outHeight = outShape[2];
        memory.map.outWidth = outShape[3];
        memory.map.before = (outShape[1] - dims[1]) / 2;
        memory.map.stride = std::get<model::ShortcutPad>(op.layer).stride;
        emitShortcut(compiler, x, compiler.define(op.output, memory.out), memory.map, true);
        compiler.remember(op.node, memory);
        return {};
    }
    const auto& memory = compiler.recall<Memory>(op.node);
    const auto dy = compiler.valueAs(op.outputGradient, memory.out);
    const auto gradient = compiler.inputGradient(op, 0, memory.in);
    emitShortcut(compiler, dy, gradient.value, memory.map, false);
    compiler.finishGradient(gradient);
    return {};
}

}  // namespace steelyard::compute::cpu

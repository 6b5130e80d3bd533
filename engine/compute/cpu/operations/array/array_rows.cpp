// SPDX-License-Identifier: Apache-2.0
// Reductions, softmax and normalisations of imported networks; float32 inside.
#include <algorithm>
#include <cmath>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

using model::MapKind;
using model::ReduceKind;

constexpr std::int64_t kReducedColumns = 512;  // columns reduced together

float reducedRow(ReduceKind kind, const float* x, std::int64_t n) {
    const auto& kernel = kernels().array;
    switch (kind) {
        case ReduceKind::Max:
            return kernel.maximum(x, n);
        case ReduceKind::Min:
            return kernel.minimum(x, n);
        case ReduceKind::Mean:
            return kernel.sum(x, n) / static_cast<float>(n);
        case ReduceKind::SumSquare:
            return kernel.sumOfSquares(x, 0, n);
        case ReduceKind::L2:
            return std::sqrt(kernel.sumOfSquares(x, 0, n));
        default:
            return kernel.sum(x, n);
    }
}

void apply(MapKind kind, float* y, const float* a, const float* b, std::int64_t n, float alpha = 0, float beta = 0) {
    kernels().array.map({.kind = kind, .alpha = alpha, .beta = beta, .y = y, .a = a, .b = b, .n = n});
}

// y[j] over x[i inner + j], i < extent, for a strip of columns.
void reduceColumns(ReduceKind kind, float* y, const float* x, std::int64_t extent, std::int64_t inner, std::int64_t n) {
    const bool squares = kind == ReduceKind::L2 || kind == ReduceKind::SumSquare;
    const auto combine = kind == ReduceKind::Max ? MapKind::Max : kind == ReduceKind::Min ? MapKind::Min : MapKind::Add;
    float square[kReducedColumns];
    for (std::int64_t i = 0; i < extent; ++i) {
        const auto* from = x + i * inner;
        if (squares) {
            apply(MapKind::Mul, square, from, from, n);
            from = square;
        }
        if (i == 0) {
            std::copy(from, from + n, y);
        } else {
            apply(combine, y, y, from, n);
        }
    }
    if (kind == ReduceKind::Mean) apply(MapKind::Scale, y, y, nullptr, n, 1.0F / static_cast<float>(extent));
    if (kind == ReduceKind::L2) apply(MapKind::Sqrt, y, y, nullptr, n);
}

}  // namespace

// Over consecutive dimensions.
bool emitReduce(Compiler& compiler, const ArrayOperands& all, const model::Reduce& layer) {
    using K = ReduceKind;
    if (!all.allFloat() || (layer.kind != K::Sum && layer.kind != K::Mean && layer.kind != K::Max &&
                            layer.kind != K::Min && layer.kind != K::L2 && layer.kind != K::SumSquare))
        return false;
    auto axes = layer.axes;
    std::sort(axes.begin(), axes.end());
    if (axes.empty()) return false;
    for (std::size_t i = 1; i < axes.size(); ++i)
        if (axes[i] != axes[i - 1] + 1) return false;
    const AlongAxis along(all.shapes[0], axes.front(), static_cast<std::int64_t>(axes.size()));
    const auto x = floatOperand(compiler, all.op->inputs[0]);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    const auto kind = layer.kind;
    arrayTask(compiler, "reduce", {x}, {y}, [=](const StepState&) {
        if (along.inner == 1) {
            parallelRows(along.outer, along.extent, [&](std::int64_t begin, std::int64_t end) {
                for (auto r = begin; r < end; ++r)
                    y.as<float>()[r] = reducedRow(kind, x.as<float>() + r * along.extent, along.extent);
            });
            return;
        }
        const auto strips = blocks(along.inner, kReducedColumns);
        parallelRows(along.outer * strips, along.extent * std::min(along.inner, kReducedColumns),
                     [&](auto begin, auto end) {
                         for (auto unit = begin; unit < end; ++unit) {
                             const auto o = unit / strips, first = unit % strips * kReducedColumns;
                             reduceColumns(kind, y.as<float>() + o * along.inner + first,
                                           x.as<float>() + o * along.extent * along.inner + first, along.extent,
                                           along.inner, std::min(kReducedColumns, along.inner - first));
                         }
                     });
    });
    finishFloat(compiler, target);
    return true;
}

namespace {

// Several columns at a time: y = e^(x - max) / sum, or x - max - log sum.
void softmaxColumns(float* y, const float* x, std::int64_t extent, std::int64_t inner, std::int64_t n, bool logarithm) {
    float top[kReducedColumns], sum[kReducedColumns], power[kReducedColumns];
    reduceColumns(ReduceKind::Max, top, x, extent, inner, n);
    std::fill(sum, sum + n, 0.0F);
    for (std::int64_t i = 0; i < extent; ++i) {
        auto* to = y + i * inner;
        apply(MapKind::Sub, to, x + i * inner, top, n);
        auto* e = logarithm ? power : to;
        apply(MapKind::Exp, e, to, nullptr, n);
        apply(MapKind::Add, sum, sum, e, n);
    }
    if (logarithm) apply(MapKind::Log, sum, sum, nullptr, n);
    for (std::int64_t i = 0; i < extent; ++i)
        apply(logarithm ? MapKind::Sub : MapKind::Div, y + i * inner, y + i * inner, sum, n);
}

void logSoftmaxRow(float* y, const float* x, std::int64_t n) {
    const auto& kernel = kernels().array;
    const float top = kernel.maximum(x, n);
    apply(MapKind::Scale, y, x, nullptr, n, 1, -top);
    float sum = 0, part[kReducedColumns];
    for (std::int64_t i = 0; i < n; i += kReducedColumns) {
        const auto length = std::min(kReducedColumns, n - i);
        apply(MapKind::Exp, part, y + i, nullptr, length);
        sum += kernel.sum(part, length);
    }
    apply(MapKind::Scale, y, y, nullptr, n, 1, -std::log(sum));
}

}  // namespace

bool emitSoftmaxAlong(Compiler& compiler, const ArrayOperands& all, const model::SoftmaxAlong& layer) {
    if (!all.allFloat()) return false;
    const AlongAxis along(all.shape, layer.axis);
    if (along.inner == 1 && !layer.logarithm) {
        const auto x = compiler.plainValue(all.op->inputs[0]);
        const auto y = compiler.define(all.op->output, compiler.plainDescOf(all.op->output));
        withElementType(y.desc, [&]<class T>(T) {
            arrayTask(compiler, "softmax", {x}, {y}, [=](const StepState&) {
                parallelRows(along.outer, along.extent * 4, [&](std::int64_t begin, std::int64_t end) {
                    for (auto r = begin; r < end; ++r)
                        kernels().pointwise<T>().softmax(y.as<T>() + r * along.extent, x.as<T>() + r * along.extent,
                                                         along.extent);
                });
            });
        });
        return true;
    }
    const auto x = floatOperand(compiler, all.op->inputs[0]);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    arrayTask(compiler, "softmax", {x}, {y}, [=, logarithm = layer.logarithm](const StepState&) {
        const auto strips = blocks(along.inner, kReducedColumns);
        parallelRows(
            along.outer * strips, along.extent * std::min(along.inner, kReducedColumns) * 4,
            [&](std::int64_t begin, std::int64_t end) {
                for (auto unit = begin; unit < end; ++unit) {
                    const auto first = unit / strips * along.extent * along.inner + unit % strips * kReducedColumns;
                    auto* to = y.as<float>() + first;
                    const auto* from = x.as<float>() + first;
                    if (along.inner == 1) {
                        logSoftmaxRow(to, from, along.extent);
                    } else {
                        softmaxColumns(to, from, along.extent, along.inner,
                                       std::min(kReducedColumns, along.inner - unit % strips * kReducedColumns),
                                       logarithm);
                    }
                }
            });
    });
    finishFloat(compiler, target);
    return true;
}

namespace {

// Instance and group: mean and deviation over a group's channels; scale and offset per channel.
bool emitGroupNorm(Compiler& compiler, const ArrayOperands& all, const model::Normalise& layer) {
    const auto& shape = all.shape;
    const auto groups = layer.kind == model::NormaliseKind::Group ? layer.groups : shape[1];
    const auto inGroup = shape[1] / groups;
    const auto pixels = model::elementCount(shape) / (shape[0] * shape[1]);
    const auto size = inGroup * pixels;
    const auto inputs = floatOperands(compiler, *all.op);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    const double epsilon = layer.epsilon;
    const auto batch = shape[0];
    arrayTask(compiler, "group_norm", inputs, {y}, [=](const StepState&) {
        const auto* scale = inputs.size() > 2 ? inputs[1].as<float>() : nullptr;
        const auto* offset = inputs.size() > 2 ? inputs[2].as<float>() : nullptr;
        parallelRows(batch * groups, size, [&](std::int64_t begin, std::int64_t end) {
            const auto& kernel = kernels().array;
            for (auto r = begin; r < end; ++r) {
                const auto* from = inputs[0].as<float>() + r * size;
                const float mean = kernel.sum(from, size) / static_cast<float>(size);
                const auto variance =
                    static_cast<double>(kernel.sumOfSquares(from, mean, size)) / static_cast<double>(size);
                const auto factor = static_cast<float>(1 / std::sqrt(variance + epsilon));
                for (std::int64_t c = 0; c < inGroup; ++c) {
                    const auto channel = r % groups * inGroup + c;
                    const float a = (scale != nullptr ? scale[channel] : 1.0F) * factor;
                    const float b = (offset != nullptr ? offset[channel] : 0.0F) - mean * a;
                    apply(MapKind::Scale, y.as<float>() + r * size + c * pixels, from + c * pixels, nullptr, pixels, a,
                          b);
                }
            }
        });
    });
    finishFloat(compiler, target);
    return true;
}

// Over the dimensions from an axis on, which scale and offset have.
bool emitRowNorm(Compiler& compiler, const ArrayOperands& all, const model::Normalise& layer) {
    const auto size = model::elementCount(model::Shape(all.shape.begin() + layer.axis, all.shape.end()));
    for (std::size_t i = 1; i < all.shapes.size(); ++i)
        if (model::elementCount(all.shapes[i]) != size) return false;
    const auto rows = model::elementCount(all.shape) / size;
    const auto inputs = floatOperands(compiler, *all.op);
    const auto target = floatResult(compiler, all.op->output);
    const auto y = target.value;
    const double epsilon = layer.epsilon;
    const bool centred = layer.kind == model::NormaliseKind::Layer;
    arrayTask(compiler, centred ? "layer_norm" : "rms_norm", inputs, {y}, [=](const StepState&) {
        parallelRows(rows, size, [&](std::int64_t begin, std::int64_t end) {
            const auto& kernel = kernels().array;
            for (auto r = begin; r < end; ++r) {
                const auto* from = inputs[0].as<float>() + r * size;
                auto* to = y.as<float>() + r * size;
                const float mean = centred ? kernel.sum(from, size) / static_cast<float>(size) : 0.0F;
                const auto variance =
                    static_cast<double>(kernel.sumOfSquares(from, mean, size)) / static_cast<double>(size);
                const auto factor = static_cast<float>(1 / std::sqrt(variance + epsilon));
                apply(MapKind::Scale, to, from, nullptr, size, factor, -mean * factor);
                if (inputs.size() > 1) apply(MapKind::Mul, to, to, inputs[1].as<float>(), size);
                if (inputs.size() > 2) apply(MapKind::Add, to, to, inputs[2].as<float>(), size);
            }
        });
    });
    finishFloat(compiler, target);
    return true;
}

// x (bias + alpha / size sum of x^2 over `size` channels)^-beta, over several channel planes at a time.
bool emitResponseNorm(Compiler& compiler, const ArrayOperands& all, const model::Normalise& layer) {
    const AlongAxis along(all.shape, 1);
    const auto inputs = floatOperands(compiler, *all.op);
    const auto target = floatResult(compiler, all.op->output);
    const auto x = inputs[0], y = target.value;
    const auto before = (layer.size - 1) / 2, after = layer.size - 1 - before;
    const auto factor = static_cast<float>(layer.alpha / static_cast<double>(layer.size));
    const auto bias = static_cast<float>(layer.bias), power = static_cast<float>(-layer.beta);
    arrayTask(compiler, "response_norm", inputs, {y}, [=](const StepState&) {
        const auto strips = blocks(along.inner, kReducedColumns);
        parallelRows(along.outer * strips, along.extent * std::min(along.inner, kReducedColumns) * 8,
                     [&](std::int64_t begin, std::int64_t end) {
                         float sum[kReducedColumns], square[kReducedColumns];
                         for (auto unit = begin; unit < end; ++unit) {
                             const auto first = unit % strips * kReducedColumns;
                             const auto n = std::min(kReducedColumns, along.inner - first);
                             const auto* from = x.as<float>() + unit / strips * along.extent * along.inner + first;
                             auto* to = y.as<float>() + unit / strips * along.extent * along.inner + first;
                             for (std::int64_t c = 0; c < along.extent; ++c) {
                                 std::fill(sum, sum + n, 0.0F);
                                 const auto last = std::min(along.extent - 1, c + after);
                                 for (auto k = std::max<std::int64_t>(0, c - before); k <= last; ++k) {
                                     apply(MapKind::Mul, square, from + k * along.inner, from + k * along.inner, n);
                                     apply(MapKind::Add, sum, sum, square, n);
                                 }
                                 apply(MapKind::Scale, sum, sum, nullptr, n, factor, bias);
                                 apply(MapKind::Log, sum, sum, nullptr, n);
                                 apply(MapKind::Scale, sum, sum, nullptr, n, power);
                                 apply(MapKind::Exp, sum, sum, nullptr, n);
                                 apply(MapKind::Mul, to + c * along.inner, from + c * along.inner, sum, n);
                             }
                         }
                     });
    });
    finishFloat(compiler, target);
    return true;
}

// The library supports centred windows, in any image layout.
bool emitLibraryResponseNorm(Compiler& compiler, const ArrayOperands& all, const model::Normalise& layer) {
    if (all.shape.size() != 4 || layer.size % 2 == 0) return false;
    const auto x = compiler.value(all.op->inputs[0]);
    if (dimsOf(x.desc) != Dims(all.shape.begin(), all.shape.end())) return false;
    try {
        const auto description = describeResponseNorm(compiler.engine(), compiler.attributes(), x.desc, layer.size,
                                                      static_cast<float>(layer.alpha), static_cast<float>(layer.beta),
                                                      static_cast<float>(layer.bias));
        if (isReference(description.impl_info_str())) return false;
        const auto y = compiler.define(all.op->output, description.dst_desc());
        compiler.primitive(dnnl::lrn_forward(description), description, {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
        return true;
    } catch (const dnnl::error&) {
        return false;  // no implementation for this layout
    }
}

}  // namespace

bool emitNormalise(Compiler& compiler, const ArrayOperands& all, const model::Normalise& layer) {
    using K = model::NormaliseKind;
    if (!all.allFloat()) return false;
    switch (layer.kind) {
        case K::Instance:
        case K::Group:
            return all.shape.size() > 1 && emitGroupNorm(compiler, all, layer);
        case K::Layer:
        case K::RootMeanSquare:
            return emitRowNorm(compiler, all, layer);
        case K::LocalResponse:
            return emitLibraryResponseNorm(compiler, all, layer) || emitResponseNorm(compiler, all, layer);
        default:
            return false;
    }
}

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks, float32. What moves values, elementwise operations, reductions, look-ups, products,
// softmax, convolutions, normalisations and recurrent passes of the usual form have loops of their own; the rest is
// computed by the naive loops of engine/model/array, which are slow, run on one thread and allocate: their kernel is
// called "naive".
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

using model::MapKind;
using model::Shape;

std::int64_t countOf(const Shape& shape) {
    return model::elementCount(shape);
}

// Operands and result of one operation, row-major.
struct Operands {
    std::vector<Value> inputs;
    std::vector<Shape> shapes;
    std::vector<bool> integers;
    Value output;
    Shape shape;
    bool integerOutput = false;

    [[nodiscard]] std::vector<Value> uses() const {
        auto all = inputs;
        all.push_back(output);
        return all;
    }
    [[nodiscard]] bool allFloat() const {
        return !integerOutput && std::find(integers.begin(), integers.end(), true) == integers.end();
    }
};

Operands operandsOf(Compiler& compiler, const plan::Operation& op) {
    Operands result;
    for (auto id : op.inputs) {
        const auto& tensor = compiler.tensor(id);
        result.inputs.push_back(tensor.role == plan::TensorRole::Weight
                                    ? compiler.weight(id, compiler.plainDescOf(id))
                                    : compiler.plainValue(id));
        result.shapes.push_back(tensor.dims);
        result.integers.push_back(tensor.type == model::DataType::Int32);
    }
    const auto& tensor = compiler.tensor(op.output);
    result.output = compiler.define(op.output, compiler.plainDescOf(op.output));
    result.shape = tensor.dims;
    result.integerOutput = tensor.type == model::DataType::Int32;
    return result;
}

template <class Function>
void addTask(Compiler& compiler, const std::string& name, const std::vector<Value>& uses, Function function) {
    compiler.task("array:" + name, std::span<const Value>(uses), std::move(function));
}

// ---- by the naive loops

void emitNaive(Compiler& compiler, const Operands& all, const model::ArrayOperation& operation) {
    addTask(compiler, fmt::format("{} (naive)", model::arrayKindName(operation)), all.uses(),
            [all, operation](const StepState&) {
                std::vector<std::vector<double>> values(all.inputs.size());
                std::vector<model::ArrayView> views;
                for (std::size_t i = 0; i < all.inputs.size(); ++i) {
                    const auto count = static_cast<std::size_t>(countOf(all.shapes[i]));
                    if (all.integers[i]) {
                        values[i].assign(all.inputs[i].as<std::int32_t>(), all.inputs[i].as<std::int32_t>() + count);
                    } else {
                        values[i].assign(all.inputs[i].as<float>(), all.inputs[i].as<float>() + count);
                    }
                    views.push_back({all.shapes[i], values[i].data()});
                }
                std::vector<double> result;
                if (!model::evaluateArray(operation, views, all.shape, result))
                    std::fill(result.begin(), result.end(), std::numeric_limits<double>::quiet_NaN());
                for (std::size_t i = 0; i < result.size(); ++i) {
                    if (all.integerOutput) {
                        all.output.as<std::int32_t>()[i] =
                            std::isnan(result[i])
                                ? 0
                                : static_cast<std::int32_t>(std::clamp(result[i], -2147483648.0, 2147483647.0));
                    } else {
                        all.output.as<float>()[i] = static_cast<float>(result[i]);
                    }
                }
            });
}

// ---- elementwise

Shape stridesIn(const Shape& operand, const Shape& result) {
    Shape strides(result.size(), 0);
    const auto lead = result.size() - operand.size();
    std::int64_t next = 1;
    for (std::size_t i = operand.size(); i-- > 0;) {
        strides[lead + i] = operand[i] == 1 ? 0 : next;
        next *= operand[i];
    }
    return strides;
}

// Loops over a result whose neighbouring dimensions were joined where all operands allow it.
struct Walk {
    Shape extents;
    std::vector<Shape> strides;  // by operand

    Walk(const Shape& shape, const std::vector<Shape>& operands) {
        std::vector<Shape> all;
        for (const auto& operand : operands) all.push_back(stridesIn(operand, shape));
        strides.resize(operands.size());
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (shape[d] == 1) continue;
            bool joins = !extents.empty();
            for (std::size_t k = 0; k < all.size() && joins; ++k) joins = strides[k].back() == all[k][d] * shape[d];
            if (joins) {
                extents.back() *= shape[d];
                for (std::size_t k = 0; k < all.size(); ++k) strides[k].back() = all[k][d];
            } else {
                extents.push_back(shape[d]);
                for (std::size_t k = 0; k < all.size(); ++k) strides[k].push_back(all[k][d]);
            }
        }
        if (extents.empty()) {
            extents = {1};
            for (auto& list : strides) list = {0};
        }
    }
    [[nodiscard]] std::int64_t inner() const { return extents.back(); }
    [[nodiscard]] std::int64_t outer() const { return countOf(extents) / inner(); }
    [[nodiscard]] std::int64_t offset(std::size_t operand, std::int64_t row) const {
        std::int64_t result = 0;
        for (std::size_t d = extents.size() - 1; d-- > 0; row /= extents[d])
            result += row % extents[d] * strides[operand][d];
        return result;
    }
};

// y[i] = f(x[i s], z[i t]) for strides of 0 and 1, which are what broadcasting leaves innermost.
template <class Function>
void binaryRow(float* y, const float* x, std::int64_t s, const float* z, std::int64_t t, std::int64_t from,
               std::int64_t to, const Function& f) {
    if (s == 1 && t == 1) {
        for (auto i = from; i < to; ++i) y[i] = f(x[i], z[i]);
    } else if (s == 1) {
        const float b = z[0];
        for (auto i = from; i < to; ++i) y[i] = f(x[i], b);
    } else if (t == 1) {
        const float a = x[0];
        for (auto i = from; i < to; ++i) y[i] = f(a, z[i]);
    } else {
        const float value = f(x[0], z[0]);
        std::fill(y + from, y + to, value);
    }
}

template <class Function>
void emitBinary(Compiler& compiler, const Operands& all, MapKind kind, Function f) {
    const Walk walk(all.shape, all.shapes);
    addTask(compiler, std::string(toString(kind)), all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<float>();
        const auto* z = all.inputs[1].as<float>();
        auto* y = all.output.as<float>();
        const auto inner = walk.inner(), outer = walk.outer();
        const auto s = walk.strides[0].back(), t = walk.strides[1].back();
        if (outer == 1) {
            parallelRanges(inner, [&](auto from, auto to) { binaryRow(y, x, s, z, t, from, to, f); });
            return;
        }
        parallelRows(outer, inner, [&](auto begin, auto end) {
            for (auto r = begin; r < end; ++r)
                binaryRow(y + r * inner, x + walk.offset(0, r), s, z + walk.offset(1, r), t, 0, inner, f);
        });
    });
}

template <class Function>
void emitUnary(Compiler& compiler, const Operands& all, MapKind kind, Function f) {
    const auto count = countOf(all.shape);
    addTask(compiler, std::string(toString(kind)), all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<float>();
        auto* y = all.output.as<float>();
        parallelRanges(count, [&](auto from, auto to) {
            for (auto i = from; i < to; ++i) y[i] = f(x[i]);
        });
    });
}

float sigmoid(float x) {
    return 1 / (1 + std::exp(-x));
}

bool emitUnaryMap(Compiler& compiler, const Operands& all, const model::Map& map) {
    using K = MapKind;
    const auto a = static_cast<float>(map.alpha), b = static_cast<float>(map.beta);
    const auto with = [&](auto f) {
        emitUnary(compiler, all, map.kind, f);
        return true;
    };
    switch (map.kind) {
        case K::Identity:
            return with([](float x) { return x; });
        case K::Neg:
            return with([](float x) { return -x; });
        case K::Abs:
            return with([](float x) { return std::abs(x); });
        case K::Exp:
            return with([](float x) { return std::exp(x); });
        case K::Log:
            return with([](float x) { return std::log(x); });
        case K::Sqrt:
            return with([](float x) { return std::sqrt(x); });
        case K::Reciprocal:
            return with([](float x) { return 1 / x; });
        case K::Erf:
            return with([](float x) { return std::erf(x); });
        case K::Floor:
            return with([](float x) { return std::floor(x); });
        case K::Ceil:
            return with([](float x) { return std::ceil(x); });
        case K::Round:
            return with([](float x) { return std::nearbyint(x); });
        case K::Sin:
            return with([](float x) { return std::sin(x); });
        case K::Cos:
            return with([](float x) { return std::cos(x); });
        case K::Tanh:
            return with([](float x) { return std::tanh(x); });
        case K::Sigmoid:
            return with([](float x) { return sigmoid(x); });
        case K::Relu:
            return with([](float x) { return x < 0 ? 0 : x; });
        case K::Gelu:
            return with([](float x) { return 0.5F * x * std::erfc(-x * (1 / std::numbers::sqrt2_v<float>)); });
        case K::Softplus:
            return with([](float x) { return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x))); });
        case K::Elu:
            return with([=](float x) { return x < 0 ? a * std::expm1(x) : x; });
        case K::LeakyRelu:
            return with([=](float x) { return x < 0 ? a * x : x; });
        case K::HardSigmoid:
            return with([=](float x) { return std::min(std::max(a * x + b, 0.0F), 1.0F); });
        case K::HardSwish:
            return with([](float x) { return x * std::min(std::max(x * (1.0F / 6) + 0.5F, 0.0F), 1.0F); });
        case K::Clip:
            return with([=](float x) { return std::min(std::max(x, a), b); });
        case K::Scale:
            return with([=](float x) { return a * x + b; });
        default:
            return false;
    }
}

bool emitBinaryMap(Compiler& compiler, const Operands& all, MapKind kind) {
    using K = MapKind;
    const auto with = [&](auto f) {
        emitBinary(compiler, all, kind, f);
        return true;
    };
    switch (kind) {
        case K::Add:
            return with([](float x, float z) { return x + z; });
        case K::Sub:
            return with([](float x, float z) { return x - z; });
        case K::Mul:
            return with([](float x, float z) { return x * z; });
        case K::Div:
            return with([](float x, float z) { return x / z; });
        case K::Pow:
            return with([](float x, float z) { return std::pow(x, z); });
        case K::Max:
            return with([](float x, float z) { return std::isnan(x) ? x : z > x || std::isnan(z) ? z : x; });
        case K::Min:
            return with([](float x, float z) { return std::isnan(x) ? x : z < x || std::isnan(z) ? z : x; });
        case K::PRelu:
            return with([](float x, float z) { return x < 0 ? x * z : x; });
        default:
            return false;
    }
}

bool emitMap(Compiler& compiler, const Operands& all, const model::Map& map) {
    if (!all.allFloat()) return false;
    if (all.inputs.size() == 1) return emitUnaryMap(compiler, all, map);
    return all.inputs.size() == 2 && emitBinaryMap(compiler, all, map.kind);
}

// ---- moves, in words of four bytes whatever the type

bool emitRearrange(Compiler& compiler, const Operands& all, const model::Rearrange& layer) {
    // Neighbouring dimensions that lie behind each other are one.
    Shape extents, strides;
    for (std::size_t d = 0; d < layer.extents.size(); ++d) {
        if (layer.extents[d] == 1) continue;
        if (!extents.empty() && strides.back() == layer.strides[d] * layer.extents[d]) {
            extents.back() *= layer.extents[d];
            strides.back() = layer.strides[d];
        } else {
            extents.push_back(layer.extents[d]);
            strides.push_back(layer.strides[d]);
        }
    }
    if (extents.empty()) {
        extents = {1};
        strides = {0};
    }
    const auto offset = layer.offset;
    addTask(compiler, "rearrange", all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<std::uint32_t>() + offset;
        auto* y = all.output.as<std::uint32_t>();
        const auto inner = extents.back(), stride = strides.back();
        const auto rows = countOf(extents) / inner;
        parallelRows(rows, inner, [&](auto begin, auto end) {
            for (auto r = begin; r < end; ++r) {
                const auto* from = x;
                auto rest = r;
                for (std::size_t d = extents.size() - 1; d-- > 0; rest /= extents[d])
                    from += rest % extents[d] * strides[d];
                auto* to = y + r * inner;
                if (stride == 1) {
                    std::memcpy(to, from, static_cast<std::size_t>(inner) * sizeof *to);
                } else {
                    for (std::int64_t i = 0; i < inner; ++i) to[i] = from[i * stride];
                }
            }
        });
    });
    return true;
}

struct Along {
    std::int64_t outer = 1, extent = 1, inner = 1;
    Along(const Shape& shape, std::int64_t axis) {
        for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d)
            (d < axis ? outer : d == axis ? extent : inner) *= shape[static_cast<std::size_t>(d)];
    }
};

bool emitJoin(Compiler& compiler, const Operands& all, const model::JoinArrays& layer) {
    const Along whole(all.shape, layer.axis);
    addTask(compiler, "join", all.uses(), [=](const StepState&) {
        std::int64_t first = 0;
        for (std::size_t k = 0; k < all.inputs.size(); ++k) {
            const auto length = Along(all.shapes[k], layer.axis).extent * whole.inner;
            const auto* x = all.inputs[k].as<std::uint32_t>();
            auto* y = all.output.as<std::uint32_t>() + first;
            parallelRows(whole.outer, length, [&](auto begin, auto end) {
                for (auto o = begin; o < end; ++o)
                    std::memcpy(y + o * whole.extent * whole.inner, x + o * length,
                                static_cast<std::size_t>(length) * sizeof *x);
            });
            first += length;
        }
    });
    return true;
}

bool emitLookUp(Compiler& compiler, const Operands& all, const model::LookUp& layer) {
    if (layer.kind != model::LookUpKind::Axis || !all.integers[1] || all.integers[0] != all.integerOutput) return false;
    const Along along(all.shapes[0], layer.axis);
    const auto count = countOf(all.shapes[1]);
    addTask(compiler, "look_up", all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<std::uint32_t>();
        const auto* indices = all.inputs[1].as<std::int32_t>();
        auto* y = all.output.as<std::uint32_t>();
        parallelRows(along.outer * count, along.inner, [&](auto begin, auto end) {
            for (auto r = begin; r < end; ++r) {
                const auto given = static_cast<std::int64_t>(indices[r % count]);
                const auto index = given < 0 ? given + along.extent : given;
                auto* to = y + r * along.inner;
                if (index < 0 || index >= along.extent) {
                    std::memset(to, 0xff, static_cast<std::size_t>(along.inner) * sizeof *to);  // not a number
                    continue;
                }
                std::memcpy(to, x + (r / count * along.extent + index) * along.inner,
                            static_cast<std::size_t>(along.inner) * sizeof *to);
            }
        });
    });
    return true;
}

// ---- reductions, softmax, normalisations

// Over trailing axes, or over one axis with others behind it.
bool emitReduce(Compiler& compiler, const Operands& all, const model::Reduce& layer) {
    using K = model::ReduceKind;
    if (!all.allFloat() || (layer.kind != K::Sum && layer.kind != K::Mean && layer.kind != K::Max &&
                            layer.kind != K::Min && layer.kind != K::L2 && layer.kind != K::SumSquare))
        return false;
    auto axes = layer.axes;
    std::sort(axes.begin(), axes.end());
    for (std::size_t i = 1; i < axes.size(); ++i)
        if (axes[i] != axes[i - 1] + 1) return false;
    if (axes.empty()) return false;
    Along along(all.shapes[0], axes.front());
    for (auto axis : axes) {
        if (axis == axes.front()) continue;
        const auto extent = all.shapes[0][static_cast<std::size_t>(axis)];
        along.extent *= extent;
        along.inner /= extent;
    }
    const auto kind = layer.kind;
    addTask(compiler, "reduce", all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<float>();
        auto* y = all.output.as<float>();
        const bool squares = kind == K::L2 || kind == K::SumSquare;
        parallelRows(along.outer * along.inner, along.extent, [&](auto begin, auto end) {
            for (auto r = begin; r < end; ++r) {
                const auto* from = x + r / along.inner * along.extent * along.inner + r % along.inner;
                if (kind == K::Max || kind == K::Min) {
                    float best = from[0];
                    for (std::int64_t i = 1; i < along.extent; ++i) {
                        const float value = from[i * along.inner];
                        best = std::isnan(value) || (kind == K::Max ? value > best : value < best) ? value : best;
                    }
                    y[r] = best;
                    continue;
                }
                double sum = 0;
                for (std::int64_t i = 0; i < along.extent; ++i) {
                    const auto value = static_cast<double>(from[i * along.inner]);
                    sum += squares ? value * value : value;
                }
                if (kind == K::Mean) sum /= static_cast<double>(along.extent);
                y[r] = static_cast<float>(kind == K::L2 ? std::sqrt(sum) : sum);
            }
        });
    });
    return true;
}

bool emitSoftmaxAlong(Compiler& compiler, const Operands& all, const model::SoftmaxAlong& layer) {
    const Along along(all.shape, layer.axis);
    addTask(compiler, "softmax", all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<float>();
        auto* y = all.output.as<float>();
        parallelRows(along.outer * along.inner, along.extent, [&](auto begin, auto end) {
            for (auto r = begin; r < end; ++r) {
                const auto first = r / along.inner * along.extent * along.inner + r % along.inner;
                const auto* from = x + first;
                auto* to = y + first;
                float top = from[0];
                for (std::int64_t i = 1; i < along.extent; ++i) top = std::max(top, from[i * along.inner]);
                float sum = 0;
                for (std::int64_t i = 0; i < along.extent; ++i) {
                    const float value = from[i * along.inner] - top;
                    const float power = std::exp(value);
                    sum += power;
                    to[i * along.inner] = layer.logarithm ? value : power;
                }
                const float shift = layer.logarithm ? std::log(sum) : 0, factor = layer.logarithm ? 1 : 1 / sum;
                for (std::int64_t i = 0; i < along.extent; ++i)
                    to[i * along.inner] = to[i * along.inner] * factor - shift;
            }
        });
    });
    return true;
}

bool emitNormalise(Compiler& compiler, const Operands& all, const model::Normalise& layer) {
    using K = model::NormaliseKind;
    const bool channels = layer.kind == K::Instance || layer.kind == K::Group;
    const bool rows = layer.kind == K::Layer || layer.kind == K::RootMeanSquare;
    if (!all.allFloat() || (!channels && !rows)) return false;
    const auto& shape = all.shape;
    const auto groups = layer.kind == K::Group ? layer.groups : channels ? shape[1] : 1;
    const auto size =
        channels ? countOf(shape) / (shape[0] * groups) : countOf(Shape(shape.begin() + layer.axis, shape.end()));
    const auto pixels = channels ? countOf(shape) / (shape[0] * shape[1]) : 1;
    if (rows)
        for (std::size_t i = 1; i < all.shapes.size(); ++i)
            if (countOf(all.shapes[i]) != size) return false;
    const auto channelsPerGroup = channels ? shape[1] / groups : size;
    addTask(compiler, "normalise", all.uses(), [=](const StepState&) {
        const auto* x = all.inputs[0].as<float>();
        const auto* scale = all.inputs.size() > 1 ? all.inputs[1].as<float>() : nullptr;
        const auto* offset = all.inputs.size() > 2 ? all.inputs[2].as<float>() : nullptr;
        auto* y = all.output.as<float>();
        parallelRows(countOf(shape) / size, size, [&](auto begin, auto end) {
            for (auto r = begin; r < end; ++r) {
                const auto* from = x + r * size;
                auto* to = y + r * size;
                double mean = 0, squares = 0;
                if (layer.kind != K::RootMeanSquare) {
                    for (std::int64_t i = 0; i < size; ++i) mean += static_cast<double>(from[i]);
                    mean /= static_cast<double>(size);
                }
                for (std::int64_t i = 0; i < size; ++i) {
                    const auto apart = static_cast<double>(from[i]) - mean;
                    squares += apart * apart;
                }
                const auto factor =
                    static_cast<float>(1 / std::sqrt(squares / static_cast<double>(size) + layer.epsilon));
                const auto middle = static_cast<float>(mean);
                const auto first = channels ? r % groups * channelsPerGroup : 0;
                for (std::int64_t c = 0; c < channelsPerGroup; ++c) {
                    const float a = (scale != nullptr ? scale[first + c] : 1) * factor;
                    const float b = offset != nullptr ? offset[first + c] : 0;
                    for (auto i = c * pixels; i < (c + 1) * pixels; ++i) to[i] = (from[i] - middle) * a + b;
                }
            }
        });
    });
    return true;
}

// ---- products

bool emitMatrixProduct(Compiler& compiler, const Operands& all) {
    auto a = all.shapes[0], b = all.shapes[1];
    if (!all.allFloat() || a.size() < 2 || b.size() < 2) return false;
    const Product product{a[a.size() - 2], b.back(), a.back()};
    const Shape lead(all.shape.begin(), all.shape.end() - 2);
    auto aStrides = stridesIn(Shape(a.begin(), a.end() - 2), lead);
    auto bStrides = stridesIn(Shape(b.begin(), b.end() - 2), lead);
    addTask(compiler, "matmul", all.uses(), [=](const StepState&) {
        const auto batch = countOf(lead);
        const auto one = [&](std::int64_t i) {
            std::int64_t left = 0, right = 0;
            auto rest = i;
            for (std::size_t d = lead.size(); d-- > 0; rest /= lead[d]) {
                left += rest % lead[d] * aStrides[d];
                right += rest % lead[d] * bStrides[d];
            }
            blasProduct(BlasLibrary::OpenBlas, product, 1, all.inputs[0].as<float>() + left * product.m * product.k,
                        all.inputs[1].as<float>() + right * product.k * product.n, 0,
                        all.output.as<float>() + i * product.m * product.n);
        };
        // Several products at a time where there are enough; the library is single-threaded inside.
        if (batch >= omp_get_max_threads()) {
            parallelRows(batch, product.m * product.n * product.k, [&](auto begin, auto end) {
                for (auto i = begin; i < end; ++i) one(i);
            });
        } else {
            for (std::int64_t i = 0; i < batch; ++i) one(i);
        }
    });
    return true;
}

// Direct: for every output channel the input rows that reach it, a kernel tap at a time. One spatial dimension is an
// image of one row.
bool emitConvolve(Compiler& compiler, const Operands& all, const model::ConvolveNd& layer) {
    if (!all.allFloat() || layer.kernel.size() > 2) return false;
    const auto wide = [](Shape list, std::int64_t fill) {
        if (list.size() == 1) list.insert(list.begin(), fill);
        return list;
    };
    const auto kernel = wide(layer.kernel, 1), stride = wide(layer.stride, 1), dilation = wide(layer.dilation, 1),
               before = wide(layer.before, 0);
    const auto& x = all.shapes[0];
    const Shape in = wide(Shape(x.begin() + 2, x.end()), 1),
                out = wide(Shape(all.shape.begin() + 2, all.shape.end()), 1);
    const auto inChannels = x[1], outChannels = all.shape[1], batch = x[0];
    const auto inGroup = inChannels / layer.groups, outGroup = outChannels / layer.groups;
    const bool transposed = layer.transposed, biased = all.inputs.size() == 3;
    addTask(compiler, transposed ? "transposed_convolution" : "convolution", all.uses(), [=](const StepState&) {
        const auto* input = all.inputs[0].as<float>();
        const auto* weight = all.inputs[1].as<float>();
        const auto* bias = biased ? all.inputs[2].as<float>() : nullptr;
        auto* output = all.output.as<float>();
        const auto inPixels = in[0] * in[1], outPixels = out[0] * out[1], taps = kernel[0] * kernel[1];
        // First and last column of the walked side whose counterpart lies inside the other.
        const auto bounded = [&](std::int64_t shift, std::int64_t walked, std::int64_t reached) {
            const auto low = shift >= 0 ? 0 : (-shift + stride[1] - 1) / stride[1];
            const auto high = reached - 1 - shift < 0 ? 0 : (reached - 1 - shift) / stride[1] + 1;
            return std::pair(std::min(low, walked), std::min(high, walked));
        };
        parallelRows(batch * outChannels, outPixels * inGroup * taps, [&](auto begin, auto end) {
            for (auto unit = begin; unit < end; ++unit) {
                const auto b = unit / outChannels, k = unit % outChannels, group = k / outGroup;
                auto* to = output + unit * outPixels;
                std::fill(to, to + outPixels, bias != nullptr ? bias[k] : 0.0F);
                for (std::int64_t c = 0; c < inGroup; ++c) {
                    const auto channel = group * inGroup + c;
                    const auto* from = input + (b * inChannels + channel) * inPixels;
                    const auto* tap =
                        weight + (transposed ? channel * outGroup + k % outGroup : k * inGroup + c) * taps;
                    for (std::int64_t kh = 0; kh < kernel[0]; ++kh) {
                        for (std::int64_t kw = 0; kw < kernel[1]; ++kw) {
                            const float w = tap[kh * kernel[1] + kw];
                            const auto shift = kw * dilation[1] - before[1];
                            const auto [low, high] =
                                transposed ? bounded(shift, in[1], out[1]) : bounded(shift, out[1], in[1]);
                            for (std::int64_t row = 0; row < (transposed ? in[0] : out[0]); ++row) {
                                const auto other = row * stride[0] + kh * dilation[0] - before[0];
                                if (other < 0 || other >= (transposed ? out[0] : in[0])) continue;
                                if (transposed) {
                                    auto* target = to + other * out[1] + shift;
                                    const auto* source = from + row * in[1];
                                    for (auto i = low; i < high; ++i) target[i * stride[1]] += w * source[i];
                                } else if (stride[1] == 1) {
                                    auto* target = to + row * out[1];
                                    const auto* source = from + other * in[1] + shift;
                                    for (auto i = low; i < high; ++i) target[i] += w * source[i];
                                } else {
                                    auto* target = to + row * out[1];
                                    const auto* source = from + other * in[1] + shift;
                                    for (auto i = low; i < high; ++i) target[i] += w * source[i * stride[1]];
                                }
                            }
                        }
                    }
                }
            }
        });
    });
    return true;
}

// ---- recurrent passes with the usual activations

struct PassPlan {
    std::int64_t steps = 0, batch = 0, features = 0, units = 0, gates = 0, directions = 1;
    bool lstm = false;
};

void lstmCells(const PassPlan& p, float* gates, const float* recurrent, float* c, float* h) {
    const auto units = p.units;
    parallelRows(p.batch, 4 * units * 20, [&](auto begin, auto end) {
        for (auto b = begin; b < end; ++b) {
            auto* g = gates + b * 4 * units;
            const auto* r = recurrent + b * 4 * units;
            for (std::int64_t u = 0; u < units; ++u) {
                const float i = sigmoid(g[u] + r[u]), o = sigmoid(g[units + u] + r[units + u]);
                const float f = sigmoid(g[2 * units + u] + r[2 * units + u]);
                const float n = std::tanh(g[3 * units + u] + r[3 * units + u]);
                auto& cell = c[b * units + u];
                cell = f * cell + i * n;
                h[b * units + u] = o * std::tanh(cell);
            }
        }
    });
}

// linear_before_reset: the candidate's recurrent part, with its bias, is multiplied by the reset gate.
void gruCells(const PassPlan& p, float* gates, const float* recurrent, const float* innerBias, float* h) {
    const auto units = p.units;
    parallelRows(p.batch, 3 * units * 20, [&](auto begin, auto end) {
        for (auto b = begin; b < end; ++b) {
            auto* g = gates + b * 3 * units;
            const auto* r = recurrent + b * 3 * units;
            for (std::int64_t u = 0; u < units; ++u) {
                const float z = sigmoid(g[u] + r[u]), reset = sigmoid(g[units + u] + r[units + u]);
                const float inner = r[2 * units + u] + (innerBias != nullptr ? innerBias[u] : 0);
                const float n = std::tanh(g[2 * units + u] + reset * inner);
                h[b * units + u] = (1 - z) * n + z * h[b * units + u];
            }
        }
    });
}

bool emitPass(Compiler& compiler, const Operands& all, const model::RecurrentPass& layer) {
    const bool gru = layer.cell == model::PassCell::Gru, lstm = layer.cell == model::PassCell::Lstm;
    if (!all.allFloat() || layer.hasLengths || layer.hasPeepholes || !layer.activations.empty() || layer.clip != 0 ||
        layer.inputForget || (!lstm && !(gru && layer.linearBeforeReset)))
        return false;
    PassPlan p;
    p.steps = all.shapes[0][0];
    p.batch = all.shapes[0][1];
    p.features = all.shapes[0][2];
    p.units = layer.units;
    p.gates = lstm ? 4 : 3;
    p.directions = layer.direction == model::PassDirection::Bidirectional ? 2 : 1;
    p.lstm = lstm;
    const auto width = p.gates * p.units;
    const auto bytes = [](std::int64_t floats) { return floats * static_cast<std::int64_t>(sizeof(float)); };
    const auto gates = compiler.scratch(bytes(p.steps * p.batch * width));
    const auto recurrent = compiler.scratch(bytes(p.batch * width));
    auto uses = all.uses();
    uses.push_back(gates);
    uses.push_back(recurrent);
    addTask(compiler, lstm ? "lstm" : "gru", uses, [=](const StepState&) {
        std::size_t next = 3;
        const float* bias = layer.hasBias ? all.inputs[next++].as<float>() : nullptr;
        const float* hidden = layer.hasHidden ? all.inputs[next++].as<float>() : nullptr;
        const float* cell = layer.hasCell ? all.inputs[next++].as<float>() : nullptr;
        auto* y = all.output.as<float>();
        const auto state = p.batch * p.units;
        auto* lastHidden = y + p.steps * p.directions * state;
        auto* lastCell = lastHidden + p.directions * state;
        for (std::int64_t d = 0; d < p.directions; ++d) {
            blasProduct(BlasLibrary::OpenBlas, {p.steps * p.batch, width, p.features, false, true}, 1,
                        all.inputs[0].as<float>(), all.inputs[1].as<float>() + d * width * p.features, 0,
                        gates.as<float>());
            const float* own = bias == nullptr ? nullptr : bias + d * 2 * width;
            if (own != nullptr) {
                // The candidate's recurrent bias of a Gru stays inside, behind the reset gate.
                const auto outside = p.lstm ? width : 2 * p.units;
                parallelRows(p.steps * p.batch, width, [&](auto begin, auto end) {
                    for (auto r = begin; r < end; ++r) {
                        auto* g = gates.as<float>() + r * width;
                        for (std::int64_t i = 0; i < width; ++i) g[i] += own[i] + (i < outside ? own[width + i] : 0.0F);
                    }
                });
            }
            float* h = lastHidden + d * state;
            float* c = lastCell + d * state;
            if (hidden != nullptr) {
                std::copy(hidden + d * state, hidden + (d + 1) * state, h);
            } else {
                std::fill(h, h + state, 0.0F);
            }
            if (p.lstm && cell != nullptr) {
                std::copy(cell + d * state, cell + (d + 1) * state, c);
            } else if (p.lstm) {
                std::fill(c, c + state, 0.0F);
            }
            const bool reverse = layer.direction == model::PassDirection::Reverse || d == 1;
            for (std::int64_t s = 0; s < p.steps; ++s) {
                const auto t = reverse ? p.steps - 1 - s : s;
                blasProduct(BlasLibrary::OpenBlas, {p.batch, width, p.units, false, true}, 1, h,
                            all.inputs[2].as<float>() + d * width * p.units, 0, recurrent.as<float>());
                auto* g = gates.as<float>() + t * p.batch * width;
                if (p.lstm) {
                    lstmCells(p, g, recurrent.as<float>(), c, h);
                } else {
                    gruCells(p, g, recurrent.as<float>(), own == nullptr ? nullptr : own + width + 2 * p.units, h);
                }
                std::copy(h, h + state, y + (t * p.directions + d) * state);
            }
        }
    });
    return true;
}

}  // namespace

Result<void> emitArray(Compiler& compiler, const plan::Operation& op) {
    const auto& operation = std::get<model::ArrayLayer>(op.layer).operation;
    const auto all = operandsOf(compiler, op);
    bool emitted = false;
    if (const auto* map = std::get_if<model::Map>(&operation)) emitted = emitMap(compiler, all, *map);
    if (const auto* move = std::get_if<model::Rearrange>(&operation)) emitted = emitRearrange(compiler, all, *move);
    if (const auto* join = std::get_if<model::JoinArrays>(&operation)) emitted = emitJoin(compiler, all, *join);
    if (const auto* lookUp = std::get_if<model::LookUp>(&operation)) emitted = emitLookUp(compiler, all, *lookUp);
    if (const auto* reduce = std::get_if<model::Reduce>(&operation)) emitted = emitReduce(compiler, all, *reduce);
    if (const auto* softmax = std::get_if<model::SoftmaxAlong>(&operation); softmax != nullptr && all.allFloat())
        emitted = emitSoftmaxAlong(compiler, all, *softmax);
    if (const auto* layer = std::get_if<model::Normalise>(&operation)) emitted = emitNormalise(compiler, all, *layer);
    if (std::holds_alternative<model::MatrixProduct>(operation)) emitted = emitMatrixProduct(compiler, all);
    if (const auto* layer = std::get_if<model::ConvolveNd>(&operation)) emitted = emitConvolve(compiler, all, *layer);
    if (const auto* pass = std::get_if<model::RecurrentPass>(&operation)) emitted = emitPass(compiler, all, *pass);
    if (!emitted) emitNaive(compiler, all, operation);
    return {};
}

}  // namespace steelyard::compute::cpu

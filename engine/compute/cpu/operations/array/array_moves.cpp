// SPDX-License-Identifier: Apache-2.0
// Data movement of imported networks, by element width regardless of type.
#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"
#include "engine/model/array/strided_view.h"

namespace steelyard::compute::cpu {
namespace {

using model::Shape;
using model::StridedView;

// The operand converted to the result's type, so that elements can be copied unchanged.
Value movedOperand(Compiler& compiler, TensorId id, TensorId output) {
    const auto& tensor = compiler.tensor(id);
    const auto kind = dataKind(compiler.tensor(output).type);
    const auto desc = plainDesc(Dims(tensor.dims.begin(), tensor.dims.end()), kind);
    const bool parameter = tensor.role == plan::TensorRole::Weight || tensor.role == plan::TensorRole::State;
    if (parameter) return compiler.weight(id, desc);
    const auto own = compiler.plainValue(id);
    return kindOf(own.desc) == kind ? own : compiler.valueAs(id, desc);
}

template <class Function>
void withWidth(DataKind kind, Function function) {
    if (dnnl::memory::data_type_size(kind) == 2) return function(std::uint16_t{});
    function(std::uint32_t{});
}

// y in the order of a view of x. If y's innermost dimension is strided in x and another one is contiguous there, copies
// small tiles of the two.
template <class T>
void rearrange(T* y, const T* x, const StridedView& view) {
    const auto& extents = view.extents;
    const auto& strides = view.strides;
    const auto inner = extents.back(), stride = strides.back();
    const auto dimensions = extents.size();
    if (stride == 1 || dimensions == 1 || inner == 1) {
        parallelRows(model::elementCount(extents) / inner, inner, [&](std::int64_t begin, std::int64_t end) {
            for (auto r = begin; r < end; ++r) {
                const auto* from = x + view.offset;
                auto rest = r;
                for (std::size_t d = dimensions - 1; d-- > 0; rest /= extents[d])
                    from += rest % extents[d] * strides[d];
                auto* to = y + r * inner;
                if (stride == 1) {
                    if (inner < 16) {
                        for (std::int64_t i = 0; i < inner; ++i) to[i] = from[i];
                    } else {
                        std::memcpy(to, from, static_cast<std::size_t>(inner) * sizeof(T));
                    }
                } else {
                    for (std::int64_t i = 0; i < inner; ++i) to[i] = from[i * stride];
                }
            }
        });
        return;
    }
    constexpr std::int64_t kSquare = 32;
    std::size_t near = dimensions;  // a dimension that is contiguous in x
    for (std::size_t d = 0; d + 1 < dimensions; ++d)
        if (strides[d] == 1) near = d;
    if (near == dimensions) near = dimensions - 2;
    std::int64_t between = 1;  // stride of `near` in y
    for (std::size_t d = near + 1; d < dimensions; ++d) between *= extents[d];
    const auto rows = extents[near], columns = inner;
    const auto rowSquares = blocks(rows, kSquare), columnSquares = blocks(columns, kSquare);
    std::int64_t others = 1;
    for (std::size_t d = 0; d + 1 < dimensions; ++d) others *= d == near ? 1 : extents[d];
    const auto work = rowSquares * columnSquares;
    parallelRows(others * work, kSquare * kSquare, [&](std::int64_t begin, std::int64_t end) {
        for (auto unit = begin; unit < end; ++unit) {
            auto rest = unit / work;
            const auto square = unit % work;
            std::int64_t from = view.offset, to = 0, skipped = inner;
            for (std::size_t d = dimensions - 1; d-- > 0;) {
                if (d != near) {
                    const auto at = rest % extents[d];
                    rest /= extents[d];
                    from += at * strides[d];
                    to += at * skipped;
                }
                skipped *= extents[d];
            }
            const auto r0 = square / columnSquares * kSquare, c0 = square % columnSquares * kSquare;
            const auto r1 = std::min(rows, r0 + kSquare), c1 = std::min(columns, c0 + kSquare);
            for (auto r = r0; r < r1; ++r) {
                const auto* source = x + from + r * strides[near];
                auto* target = y + to + r * between;
                for (auto c = c0; c < c1; ++c) target[c] = source[c * stride];
            }
        }
    });
}

// Source index for each index of a dimension of the result; -1: outside.
std::vector<std::int64_t> paddedPlaces(const model::PadArray& l, std::int64_t from, std::int64_t to,
                                       std::int64_t before) {
    std::vector<std::int64_t> places(static_cast<std::size_t>(to));
    for (std::int64_t i = 0; i < to; ++i) {
        auto place = i - before;
        if (place < 0 || place >= from) {
            switch (l.mode) {
                case model::PadMode::Constant:
                    place = -1;
                    break;
                case model::PadMode::Edge:
                    place = std::clamp<std::int64_t>(place, 0, from - 1);
                    break;
                case model::PadMode::Reflect:
                    place = place < 0 ? -place : 2 * (from - 1) - place;
                    break;
                case model::PadMode::Wrap:
                    place = ((place % from) + from) % from;
                    break;
            }
        }
        places[static_cast<std::size_t>(i)] = place;
    }
    return places;
}

template <class T>
T paddingOf(double value, DataKind kind) {
    if (kind == DataKind::s32) return static_cast<T>(static_cast<std::int32_t>(value));
    const auto wide = static_cast<float>(value);
    if constexpr (sizeof(T) == 2) {
        BFloat16 narrow;
        kernels().rows<BFloat16>().fromF32(&narrow, &wide, 1);
        return narrow.bits;
    } else {
        return __builtin_bit_cast(T, wide);
    }
}

}  // namespace

bool emitRearrange(Compiler& compiler, const plan::Operation& op, const model::Rearrange& layer) {
    const auto view = model::simplified({layer.extents, layer.strides, layer.offset});
    const auto x = movedOperand(compiler, op.inputs[0], op.output);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    withWidth(kindOf(y.desc), [&]<class T>(T) {
        arrayTask(compiler, "rearrange", {x}, {y},
                  [x, y, view](const StepState&) { rearrange(y.as<T>(), x.as<T>(), view); });
    });
    return true;
}

bool emitPadArray(Compiler& compiler, const ArrayOperands& all, const model::PadArray& layer) {
    const auto& from = all.shapes[0];
    const auto& shape = all.shape;
    std::vector<std::vector<std::int64_t>> places;
    for (std::size_t d = 0; d < shape.size(); ++d)
        places.push_back(paddedPlaces(layer, from[d], shape[d], layer.before[d]));
    const auto x = movedOperand(compiler, all.op->inputs[0], all.op->output);
    const auto y = compiler.define(all.op->output, compiler.plainDescOf(all.op->output));
    const auto strides = broadcastStrides(from, from);
    withWidth(kindOf(y.desc), [&]<class T>(T) {
        const auto padding = paddingOf<T>(layer.value, kindOf(y.desc));
        arrayTask(compiler, "pad", {x}, {y}, [=](const StepState&) {
            const auto inner = shape.back();
            const auto& columns = places.back();
            parallelRows(model::elementCount(shape) / inner, inner, [&](std::int64_t begin, std::int64_t end) {
                for (auto r = begin; r < end; ++r) {
                    const auto* source = x.as<T>();
                    bool inside = true;
                    auto rest = r;
                    for (std::size_t d = shape.size() - 1; d-- > 0; rest /= shape[d]) {
                        const auto place = places[d][static_cast<std::size_t>(rest % shape[d])];
                        inside = inside && place >= 0;
                        source += std::max<std::int64_t>(0, place) * (from[d] == 1 ? 0 : strides[d]);
                    }
                    auto* to = y.as<T>() + r * inner;
                    for (std::int64_t i = 0; i < inner; ++i) {
                        const auto place = columns[static_cast<std::size_t>(i)];
                        to[i] = inside && place >= 0 ? source[place] : padding;
                    }
                }
            });
        });
    });
    return true;
}

bool emitJoin(Compiler& compiler, const ArrayOperands& all, const model::JoinArrays& layer) {
    std::vector<Value> parts;
    for (auto id : all.op->inputs) parts.push_back(movedOperand(compiler, id, all.op->output));
    const auto y = compiler.define(all.op->output, compiler.plainDescOf(all.op->output));
    const AlongAxis whole(all.shape, layer.axis);
    std::vector<std::int64_t> lengths;
    for (const auto& shape : all.shapes) lengths.push_back(AlongAxis(shape, layer.axis).extent * whole.inner);
    const auto width = static_cast<std::int64_t>(dnnl::memory::data_type_size(kindOf(y.desc)));
    arrayTask(compiler, "join", parts, {y}, [=](const StepState&) {
        std::int64_t first = 0;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const auto bytes = lengths[k] * width;
            const auto* x = parts[k].as<std::byte>();
            auto* to = y.as<std::byte>() + first;
            parallelRows(whole.outer, lengths[k], [&](std::int64_t begin, std::int64_t end) {
                for (auto o = begin; o < end; ++o)
                    std::memcpy(to + o * whole.extent * whole.inner * width, x + o * bytes,
                                static_cast<std::size_t>(bytes));
            });
            first += bytes;
        }
    });
    return true;
}

// An index out of range gives NaN, or zero for integers.
bool emitLookUp(Compiler& compiler, const ArrayOperands& all, const model::LookUp& layer) {
    if (layer.kind != model::LookUpKind::Axis || !all.integers[1] || all.integers[0] != all.integerOutput) return false;
    const AlongAxis along(all.shapes[0], layer.axis);
    const auto count = model::elementCount(all.shapes[1]);
    const auto x = movedOperand(compiler, all.op->inputs[0], all.op->output);
    const auto indices = arrayOperand(compiler, all.op->inputs[1]);
    const auto y = compiler.define(all.op->output, compiler.plainDescOf(all.op->output));
    const bool integers = all.integerOutput;
    withWidth(kindOf(y.desc), [&]<class T>(T) {
        const auto nothing = paddingOf<T>(integers ? 0 : std::numeric_limits<double>::quiet_NaN(), kindOf(y.desc));
        arrayTask(compiler, "look_up", {x, indices}, {y}, [=](const StepState&) {
            parallelRows(along.outer * count, along.inner, [&](std::int64_t begin, std::int64_t end) {
                for (auto r = begin; r < end; ++r) {
                    const auto given = static_cast<std::int64_t>(indices.as<std::int32_t>()[r % count]);
                    const auto index = given < 0 ? given + along.extent : given;
                    auto* to = y.as<T>() + r * along.inner;
                    if (index < 0 || index >= along.extent) {
                        std::fill(to, to + along.inner, nothing);
                        continue;
                    }
                    std::memcpy(to, x.as<T>() + (r / count * along.extent + index) * along.inner,
                                static_cast<std::size_t>(along.inner) * sizeof(T));
                }
            });
        });
    });
    return true;
}

}  // namespace steelyard::compute::cpu

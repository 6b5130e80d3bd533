// SPDX-License-Identifier: Apache-2.0
// Chains of element-wise functions (Fusion::steps), a block of elements at a time: operands are converted to contiguous
// float32 in the cache if necessary, each step processes the block, and the last one writes the result.
#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

using model::Shape;

constexpr std::int64_t kBlock = 1024;   // elements at a time
constexpr std::int64_t kLongRow = 256;  // minimum row length for blocks within rows
constexpr std::int64_t kStepCost = 4;   // of one step per element, in elements copied

struct MapOperand {
    Value value;
    DataKind kind = DataKind::f32;
    Shape strides;       // in Chain::extents
    bool whole = false;  // same shape as the result
    bool single = false;
    int slot = -1;  // slot of the copied block; -1: read in place
};

// Operand of a step: a slot, or an operand in place.
struct MapSource {
    int operand = -1;
    int slot = -1;
};

struct PlannedStep {
    model::Map map;
    std::vector<MapSource> sources;
    int slot = -1;  // -1: the result
};

struct Chain {
    Shape extents;
    std::vector<MapOperand> operands;
    std::vector<PlannedStep> steps;
    Value output;
    DataKind kind = DataKind::f32;
    int slots = 0;
    int resultSlot = -1;  // output slot of the last step, if not the result

    [[nodiscard]] std::int64_t inner() const { return extents.back(); }
    [[nodiscard]] std::int64_t elements() const { return model::elementCount(extents); }
    // Offset in an operand of the row that starts with an element.
    [[nodiscard]] std::int64_t rowAt(const MapOperand& operand, std::int64_t row) const {
        std::int64_t place = 0;
        for (std::size_t d = extents.size() - 1; d-- > 0; row /= extents[d])
            place += row % extents[d] * operand.strides[d];
        return place;
    }
};

// Merges neighbouring dimensions if all operands permit it.
void joinDimensions(Chain& chain) {
    Shape extents;
    std::vector<Shape> strides(chain.operands.size());
    for (std::size_t d = 0; d < chain.extents.size(); ++d) {
        const auto extent = chain.extents[d];
        if (extent == 1) continue;
        bool joins = !extents.empty();
        for (std::size_t k = 0; k < strides.size() && joins; ++k)
            joins = strides[k].back() == chain.operands[k].strides[d] * extent;
        if (joins) {
            extents.back() *= extent;
            for (std::size_t k = 0; k < strides.size(); ++k) strides[k].back() = chain.operands[k].strides[d];
        } else {
            extents.push_back(extent);
            for (std::size_t k = 0; k < strides.size(); ++k) strides[k].push_back(chain.operands[k].strides[d]);
        }
    }
    if (extents.empty()) {
        extents = {1};
        for (auto& list : strides) list = {0};
    }
    chain.extents = std::move(extents);
    for (std::size_t k = 0; k < strides.size(); ++k) chain.operands[k].strides = std::move(strides[k]);
}

// Slots for copied operands and for results of steps, reused after the last read.
void assignSlots(Chain& chain, const std::vector<MapStep>& steps) {
    std::vector<int> lastUse(steps.size(), -1);
    for (std::size_t s = 0; s < steps.size(); ++s)
        for (int operand : steps[s].operands)
            if (operand < 0) lastUse[static_cast<std::size_t>(~operand)] = static_cast<int>(s);
    for (auto& operand : chain.operands) {
        const bool lies = operand.kind == DataKind::f32 && (operand.whole || operand.single);
        const bool rows = operand.kind == DataKind::f32 && chain.inner() >= kLongRow && operand.strides.back() <= 1;
        if (!lies && !rows) operand.slot = chain.slots++;
    }
    std::vector<int> free, slotOf(steps.size(), -1);
    for (std::size_t s = 0; s < steps.size(); ++s) {
        PlannedStep step{steps[s].map, {}, -1};
        for (int operand : steps[s].operands) {
            if (operand >= 0) {
                step.sources.push_back({operand, chain.operands[static_cast<std::size_t>(operand)].slot});
            } else {
                step.sources.push_back({-1, slotOf[static_cast<std::size_t>(~operand)]});
            }
        }
        std::vector<int> released;
        for (int operand : steps[s].operands) {
            if (operand >= 0) continue;
            const auto from = static_cast<std::size_t>(~operand);
            if (lastUse[from] == static_cast<int>(s) &&
                std::find(released.begin(), released.end(), slotOf[from]) == released.end())
                released.push_back(slotOf[from]);
        }
        free.insert(free.end(), released.begin(), released.end());  // a step may overwrite its operands
        if (s + 1 == steps.size() && chain.kind == DataKind::f32) {
            chain.steps.push_back(std::move(step));
            break;
        }
        if (free.empty()) free.push_back(chain.slots++);
        step.slot = slotOf[s] = free.back();
        free.pop_back();
        if (s + 1 == steps.size()) chain.resultSlot = step.slot;
        chain.steps.push_back(std::move(step));
    }
}

void toFloats(float* y, const MapOperand& operand, std::int64_t from, std::int64_t count) {
    if (operand.kind == DataKind::s32) {
        kernels().array.fromInt32(y, operand.value.as<std::int32_t>() + from, count);
    } else if (operand.kind == DataKind::bf16) {
        kernels().rows<BFloat16>().toF32(y, operand.value.as<BFloat16>() + from, count);
    } else {
        std::memcpy(y, operand.value.as<float>() + from, static_cast<std::size_t>(count) * sizeof *y);
    }
}

// Copies elements [begin, begin + count) of one operand, in the result's order.
void gatherOperand(const Chain& chain, const MapOperand& operand, float* y, std::int64_t begin, std::int64_t count) {
    if (operand.whole) return toFloats(y, operand, begin, count);
    const auto inner = chain.inner(), stride = operand.strides.back();
    auto row = begin / inner, column = begin % inner;
    while (count > 0) {
        const auto length = std::min(count, inner - column);
        const auto place = chain.rowAt(operand, row) + column * stride;
        if (stride == 1) {
            toFloats(y, operand, place, length);
        } else if (stride == 0) {
            toFloats(y, operand, place, 1);
            std::fill(y + 1, y + length, y[0]);
        } else {
            for (std::int64_t i = 0; i < length; ++i) toFloats(y + i, operand, place + i * stride, 1);
        }
        y += length;
        count -= length;
        column = 0;
        ++row;
    }
}

void runBlock(const Chain& chain, float* memory, std::int64_t begin, std::int64_t count) {
    const auto slot = [&](int index) { return memory + index * kBlock; };
    for (const auto& operand : chain.operands)
        if (operand.slot >= 0) {
            if (operand.single) {
                toFloats(slot(operand.slot), operand, 0, 1);
            } else {
                gatherOperand(chain, operand, slot(operand.slot), begin, count);
            }
        }
    const auto row = begin / chain.inner(), column = begin % chain.inner();
    for (const auto& step : chain.steps) {
        MapRow arguments;
        arguments.kind = step.map.kind;
        arguments.alpha = static_cast<float>(step.map.alpha);
        arguments.beta = static_cast<float>(step.map.beta);
        arguments.n = count;
        arguments.y = step.slot >= 0 ? slot(step.slot) : chain.output.as<float>() + begin;
        const float** pointers[] = {&arguments.a, &arguments.b, &arguments.c};
        bool* repeats[] = {&arguments.repeatsA, &arguments.repeatsB, &arguments.repeatsC};
        for (std::size_t k = 0; k < step.sources.size(); ++k) {
            const auto& source = step.sources[k];
            if (source.slot >= 0) {
                *pointers[k] = slot(source.slot);
                *repeats[k] = source.operand >= 0 && chain.operands[static_cast<std::size_t>(source.operand)].single;
                continue;
            }
            const auto& operand = chain.operands[static_cast<std::size_t>(source.operand)];
            const auto* data = operand.value.as<float>();
            if (operand.single) {
                *pointers[k] = data;
                *repeats[k] = true;
            } else if (operand.whole) {
                *pointers[k] = data + begin;
            } else {
                *pointers[k] = data + chain.rowAt(operand, row) + column * operand.strides.back();
                *repeats[k] = operand.strides.back() == 0;
            }
        }
        kernels().array.map(arguments);
    }
    if (chain.kind == DataKind::bf16)
        kernels().rows<BFloat16>().fromF32(chain.output.as<BFloat16>() + begin, slot(chain.resultSlot), count);
    if (chain.kind == DataKind::s32)
        kernels().array.toInt32(chain.output.as<std::int32_t>() + begin, slot(chain.resultSlot), count);
}

void runChain(const Chain& chain, const Value& scratch) {
    const auto inner = chain.inner();
    const bool within = inner >= kLongRow;
    const auto perRow = within ? blocks(inner, kBlock) : 0;
    const auto pieces = within ? perRow * (chain.elements() / inner) : blocks(chain.elements(), kBlock);
    const auto cost = kStepCost * static_cast<std::int64_t>(chain.steps.size()) * std::min(kBlock, chain.elements());
    parallelRows(pieces, cost, [&](std::int64_t first, std::int64_t last) {
        auto* memory = scratch ? scratch.as<float>() + omp_get_thread_num() * chain.slots * kBlock : nullptr;
        for (auto piece = first; piece < last; ++piece) {
            if (within) {
                const auto start = piece % perRow * kBlock;
                runBlock(chain, memory, piece / perRow * inner + start, std::min(kBlock, inner - start));
            } else {
                runBlock(chain, memory, piece * kBlock, std::min(kBlock, chain.elements() - piece * kBlock));
            }
        }
    });
}

// Strides of a per-channel operand, or one value per channel and sample, in the coordinates of a channel layout.
std::optional<Shape> channelStrides(const Shape& operand, const Shape& image, const ChannelLayout& layout) {
    Shape shape = operand;
    shape.insert(shape.begin(), image.size() - shape.size(), 1);
    if (shape[2] != 1 || shape[3] != 1 || (shape[1] != 1 && shape[1] != image[1])) return std::nullopt;
    const bool channels = shape[1] != 1, samples = shape[0] != 1;
    return Shape{samples ? shape[1] : 0, channels ? layout.block : 0, 0, channels ? 1 : 0};
}

// The layout of the first operand that is a blocked image, if all others can be read in it.
std::optional<Desc> imageLayout(Compiler& compiler, const plan::Operation& op) {
    const auto& shape = compiler.tensor(op.output).dims;
    if (shape.size() != 4) return std::nullopt;
    for (auto id : op.inputs) {
        const auto& tensor = compiler.tensor(id);
        if (tensor.dims != shape || tensor.role == plan::TensorRole::Weight || tensor.role == plan::TensorRole::State)
            continue;
        const auto desc = compiler.value(id).desc;
        const auto layout = channelLayout(desc);
        if (!layout || layout->block == 1 || dimsOf(desc) != Dims(shape.begin(), shape.end()) ||
            layout->channels % layout->block != 0)
            continue;
        for (auto other : op.inputs) {
            const auto& operand = compiler.tensor(other);
            if (operand.dims == shape || operand.elements() == 1) continue;
            if (operand.dims.size() > 4 || !channelStrides(operand.dims, shape, *layout)) return std::nullopt;
        }
        return desc;
    }
    return std::nullopt;
}

}  // namespace

void emitMapChain(Compiler& compiler, const plan::Operation& op) {
    const auto& shape = compiler.tensor(op.output).dims;
    const auto image = imageLayout(compiler, op);
    const auto layout = image ? channelLayout(*image) : std::nullopt;
    const auto outputKind = dataKind(compiler.tensor(op.output).type);
    Chain chain;
    chain.kind = outputKind;
    chain.extents = layout ? Shape{layout->batch, layout->blocks, layout->pixels, layout->block} : shape;
    std::vector<Value> uses;
    for (auto id : op.inputs) {
        const auto& tensor = compiler.tensor(id);
        MapOperand operand;
        operand.single = tensor.elements() == 1 && compiler.tensor(op.output).elements() != 1;
        operand.whole = tensor.elements() == compiler.tensor(op.output).elements();
        const bool parameter = tensor.role == plan::TensorRole::Weight || tensor.role == plan::TensorRole::State;
        const auto kind = dataKind(tensor.type);
        if (operand.whole && layout) {
            const auto desc = withKind(*image, kind);
            operand.value = parameter ? compiler.weight(id, desc) : compiler.valueAs(id, desc);
        } else {
            operand.value = arrayOperand(compiler, id);
        }
        operand.kind = kind;
        if (operand.whole) {
            operand.strides = broadcastStrides(chain.extents, chain.extents);
        } else if (operand.single) {
            operand.strides.assign(chain.extents.size(), 0);
        } else {
            operand.strides =
                layout ? *channelStrides(tensor.dims, shape, *layout) : broadcastStrides(tensor.dims, shape);
        }
        uses.push_back(operand.value);
        chain.operands.push_back(std::move(operand));
    }
    joinDimensions(chain);
    assignSlots(chain, compiler.fusion().steps);
    chain.output = compiler.define(op.output, layout ? withKind(*image, outputKind) : compiler.plainDescOf(op.output));
    Value scratch;
    if (chain.slots > 0) {
        scratch = compiler.scratch(compiler.options().threads * chain.slots * kBlock *
                                   static_cast<std::int64_t>(sizeof(float)));
        uses.push_back(scratch);
    }
    arrayTask(compiler, "map", uses, {chain.output}, [chain, scratch](const StepState&) { runChain(chain, scratch); });
}

}  // namespace steelyard::compute::cpu

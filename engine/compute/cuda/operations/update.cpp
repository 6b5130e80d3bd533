// SPDX-License-Identifier: Apache-2.0
// After the backward passes: clipping, loss scaling and the optimizer's update, for all parameters in one launch each.
#include <cstring>

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

constexpr std::int32_t kGrowthSteps = 2000;  // good steps before the loss scale is doubled

template <class T>
std::vector<std::byte> bytesOfAll(const std::vector<T>& items) {
    std::vector<std::byte> bytes(items.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
    return bytes;
}

// Locations of a parameter's tensors; becomes a kernels::ParameterBlock once addresses are known.
struct Block {
    Value weight, gradient, state1, state2, halfCopy, rows;
    std::int64_t rowLength = 1, count = 0;
};

// The embedding whose table is only updated in the rows of the batch; a tied layer gives every row a gradient.
const plan::Operation* sparseReader(const Compiler& compiler, TensorId weight) {
    const plan::Operation* found = nullptr;
    for (const auto& op : compiler.plan().operations) {
        if (op.pass != plan::Pass::Forward || op.parameters.empty() || op.parameters[0] != weight) continue;
        const auto* embedding = std::get_if<model::Embedding>(&op.layer);
        if (embedding == nullptr || !embedding->sparseUpdate) return nullptr;
        found = &op;
    }
    return found;
}

Value markedRows(Compiler& compiler, const plan::Operation& lookUp, Value mask) {
    const auto vocabulary = std::get<model::Embedding>(lookUp.layer).vocabulary;
    if (!mask) {
        mask = compiler.scratch(vocabulary);
        compiler.clear(mask, vocabulary);
    }
    const auto ids = compiler.value(lookUp.inputs[0]);
    compiler.kernel("native:mark_rows", {ids, mask}, [=, tokens = compiler.elements(lookUp.inputs[0])](Stream stream) {
        return kernels::markRows(stream, ids.as<std::int32_t>(), tokens, mask.as<std::uint8_t>());
    });
    return mask;
}

Block blockOf(Compiler& compiler, const plan::Operation& op) {
    Block block;
    const auto weight = op.parameters[0];
    block.weight = compiler.value(weight);
    block.gradient = compiler.value(op.parameterGradients[0]);
    block.state1 = compiler.valueOf(op.states, 0);
    block.state2 = compiler.valueOf(op.states, 1);
    block.halfCopy = compiler.halfCopyOf(weight);
    block.count = compiler.elements(weight);
    if (sparseReader(compiler, weight) == nullptr) return block;
    for (const auto& reader : compiler.plan().operations)
        if (reader.pass == plan::Pass::Forward && !reader.parameters.empty() && reader.parameters[0] == weight)
            block.rows = markedRows(compiler, reader, block.rows);
    block.rowLength = compiler.dims(weight)[1];
    return block;
}

// The list in the kernels' form, in device memory.
struct List {
    Value blocks, chunks;
    std::int64_t chunkCount = 0;
    std::vector<Value> uses;

    [[nodiscard]] kernels::ParameterList get() const {
        return {blocks.as<const kernels::ParameterBlock>(), chunks.as<const kernels::Chunk>(), chunkCount};
    }
};

List listOf(Compiler& compiler, const std::vector<Block>& blocks) {
    List list;
    std::vector<std::int64_t> counts;
    for (const auto& b : blocks) {
        counts.push_back(b.count);
        for (const auto& value : {b.weight, b.gradient, b.state1, b.state2, b.halfCopy, b.rows})
            if (value) list.uses.push_back(value);
    }
    const auto chunks = kernels::chunksOf(counts);
    list.chunkCount = static_cast<std::int64_t>(chunks.size());
    list.chunks = compiler.persistent(list.chunkCount * static_cast<std::int64_t>(sizeof(kernels::Chunk)),
                                      MemoryKind::Workspace, [chunks] { return bytesOfAll(chunks); });
    const auto bytes = static_cast<std::int64_t>(blocks.size() * sizeof(kernels::ParameterBlock));
    list.blocks = compiler.persistent(bytes, MemoryKind::Workspace, [blocks] {
        std::vector<kernels::ParameterBlock> all;
        for (const auto& b : blocks)
            all.push_back({b.weight.as<float>(), b.gradient.as<float>(), b.state1.as<float>(), b.state2.as<float>(),
                           b.halfCopy.data(), b.rows.as<const std::uint8_t>(), b.rowLength, b.count});
        return bytesOfAll(all);
    });
    return list;
}

// The gradient factor, if it is not simply 1; otherwise empty.
Value emitFactor(Compiler& compiler, const List& list) {
    const auto& optimizer = compiler.plan().options.optimizer;
    const auto lossScale = compiler.lossScale();
    if (!optimizer.clipNorm && !lossScale) return {};
    const auto factor = compiler.scratch(sizeof(kernels::GradientFactor));
    const auto squares = compiler.scratch(list.chunkCount * 4);
    auto uses = list.uses;
    uses.push_back(squares);
    compiler.kernel("native:gradient_squares", uses,
                    [=](Stream stream) { return kernels::gradientSquares(stream, list.get(), squares.as<float>()); });
    compiler.kernel("native:gradient_factor", {squares, factor},
                    [=, clip = static_cast<float>(optimizer.clipNorm.value_or(0))](Stream stream) {
                        return kernels::gradientFactor(stream, squares.as<float>(), list.chunkCount, clip,
                                                       lossScale.as<kernels::LossScale>(), kGrowthSteps,
                                                       factor.as<kernels::GradientFactor>());
                    });
    if (!compiler.keepsGradients()) {
        compiler.gradientsStayScaled();
        return factor;
    }
    uses = list.uses;
    uses.push_back(factor);
    compiler.kernel("native:scale_gradients", uses, [=](Stream stream) {
        return kernels::scaleGradients(stream, list.get(), factor.as<kernels::GradientFactor>());
    });
    // Gradients are scaled now; whether the step is skipped is kept.
    compiler.kernel("native:fill", {factor}, [=](Stream stream) {
        return kernels::fill(stream, ElementType::F32, &factor.as<kernels::GradientFactor>()->factor, 1, 1.0F);
    });
    return factor;
}

}  // namespace

Result<void> emitUpdates(Compiler& compiler, const plan::Operation&) {
    std::vector<Block> blocks;
    for (const auto* op : compiler.takeRun())
        if (op->kind == plan::OperationKind::Update) blocks.push_back(blockOf(compiler, *op));
    const auto list = listOf(compiler, blocks);
    const auto factor = emitFactor(compiler, list);
    const auto control = compiler.control();
    auto uses = list.uses;
    uses.push_back(factor);
    compiler.kernel("native:update", std::move(uses),
                    [=, optimizer = compiler.plan().options.optimizer, type = compiler.type()](Stream stream) {
                        return kernels::updateParameters(stream, optimizer, list.get(),
                                                         control.as<kernels::StepControl>(),
                                                         factor.as<const kernels::GradientFactor>(), type);
                    });
    return {};
}

}  // namespace steelyard::compute::cuda

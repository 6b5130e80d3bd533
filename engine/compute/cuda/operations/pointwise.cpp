// SPDX-License-Identifier: Apache-2.0
// Elementwise: activations, dropout, sums of tensors and of learned embeddings.
#include <algorithm>

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {

Result<void> emitActivation(Compiler& compiler, const plan::Operation& op) {
    const auto kind = kernels::activationOf(std::get<model::Activation>(op.layer).kind);
    if (op.pass == plan::Pass::Forward) {
        const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
        compiler.kernel("native:activation", {x, y},
                        [=, type = compiler.type(), n = compiler.elements(op.output)](Stream stream) {
                            return kernels::activationForward(stream, type, kind, x.data(), y.data(), n);
                        });
        return {};
    }
    if (Result<void> result; tryReluBatchNormBackward(compiler, op, result)) return result;
    const auto from = compiler.value(kernels::slopeNeedsInput(kind) ? op.inputs[0] : op.output);
    const auto dy = compiler.value(op.outputGradient), dx = compiler.value(op.inputGradients[0]);
    compiler.kernel("native:activation", {from, dy, dx},
                    [=, type = compiler.type(), n = compiler.elements(op.outputGradient),
                     add = static_cast<bool>(op.accumulate[0])](Stream stream) {
                        return kernels::activationBackward(stream, type, kind, from.data(), dy.data(), dx.data(), n,
                                                           add);
                    });
    return {};
}

Result<void> emitDropout(Compiler& compiler, const plan::Operation& op) {
    const bool isForward = op.pass == plan::Pass::Forward;
    const auto from = compiler.value(isForward ? op.inputs[0] : op.outputGradient);
    const auto to = compiler.value(isForward ? op.output : op.inputGradients[0]);
    const auto layout = compiler.imageLayout(compiler.dims(isForward ? op.output : op.outputGradient));
    const auto control = compiler.control();
    const auto rate = static_cast<float>(std::get<model::Dropout>(op.layer).rate);
    compiler.kernel("native:dropout", {from, to},
                    [=, type = compiler.type(), node = static_cast<std::uint64_t>(op.node),
                     add = !isForward && op.accumulate[0]](Stream stream) {
                        const kernels::DropoutMask mask{control.as<kernels::StepControl>(), node, rate, layout};
                        return kernels::dropout(stream, type, mask, from.data(), to.data(), add);
                    });
    return {};
}

namespace {

// y = first + the others, as many per launch as possible; an operand that y overwrites comes first.
Result<void> addForward(Compiler& compiler, const plan::Operation& op) {
    const auto y = compiler.value(op.output);
    std::vector<Value> inputs;
    for (auto id : op.inputs) inputs.push_back(compiler.value(id));
    std::stable_partition(inputs.begin(), inputs.end(), [&](const Value& v) { return v.buffer == y.buffer; });
    const auto* relu = compiler.onlyActivationOf(op.output);
    const bool fused = relu != nullptr &&
                       std::get<model::Activation>(relu->layer).kind == model::ActivationKind::Relu &&
                       inputs.size() <= kernels::kMostAddends;
    const auto to = fused ? compiler.value(relu->output) : y;
    if (fused) compiler.takeNext();
    for (std::size_t first = 0; first < inputs.size();) {
        std::vector<Value> some;
        if (first > 0) some.push_back(to);
        while (first < inputs.size() && some.size() < kernels::kMostAddends) some.push_back(inputs[first++]);
        auto uses = some;
        uses.push_back(to);
        compiler.kernel("native:add", std::move(uses),
                        [=, type = compiler.type(), n = compiler.elements(op.output)](Stream stream) {
                            std::vector<const void*> from;
                            for (const auto& value : some) from.push_back(value.data());
                            return kernels::add(stream, type, from.data(), static_cast<int>(from.size()), fused,
                                                to.data(), n);
                        });
    }
    return {};
}

// Adds dy to a gradient, or copies it; no-op if both are the same memory.
void passOn(Compiler& compiler, Value dy, Value dx, std::int64_t elements, bool accumulate) {
    if (dx.buffer == dy.buffer) return;
    if (!accumulate) return compiler.copy(dx, dy, elements * compiler.typeBytes());
    compiler.kernel("native:accumulate", {dy, dx}, [=, type = compiler.type()](Stream stream) {
        return kernels::accumulate(stream, type, dy.data(), dx.data(), elements);
    });
}

// The parameter's rows start at `first`; `period` values repeat `rows` times.
struct Addend {
    std::int64_t first = 0, period = 0, rows = 0;
};
Addend addendOf(const plan::Operation& op, const model::Shape& dims) {
    if (const auto* position = std::get_if<model::PositionEmbedding>(&op.layer))
        return {position->offset * dims[2], dims[1] * dims[2], dims[0]};
    return {0, dims[2], dims[0] * dims[1]};
}

}  // namespace

Result<void> emitAdd(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) return addForward(compiler, op);
    const auto dy = compiler.value(op.outputGradient);
    for (std::size_t k = 0; k < op.inputGradients.size(); ++k)
        if (op.inputGradients[k] != kNoTensor)
            passOn(compiler, dy, compiler.value(op.inputGradients[k]), compiler.elements(op.outputGradient),
                   op.accumulate[k]);
    return {};
}

Result<void> emitAddParameter(Compiler& compiler, const plan::Operation& op) {
    const bool isForward = op.pass == plan::Pass::Forward;
    const auto whole = isForward ? op.output : op.outputGradient;
    const auto a = addendOf(op, compiler.dims(whole));
    if (isForward) {
        const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
        const auto row = compiler.f32Weight(op.parameters[0]);
        compiler.kernel("native:add_row", {x, row, y}, [=, type = compiler.type()](Stream stream) {
            return kernels::addRow(stream, type, x.data(), row.as<const float>() + a.first, y.data(), a.rows, a.period);
        });
        return {};
    }
    const auto dy = compiler.value(op.outputGradient);
    const auto sums = compiler.value(op.parameterGradients[0]);
    const kernels::ChannelAxes axes{a.rows, a.period, 1};
    const auto workspace = compiler.scratch(kernels::sumChannelsWorkspace(axes));
    const auto count = compiler.elements(op.parameterGradients[0]);
    if (!op.accumulateParameters && count != a.period) compiler.clear(sums, count * 4);
    compiler.kernel("native:sum_channels", {dy, sums, workspace},
                    [=, type = compiler.type(), add = op.accumulateParameters](Stream stream) {
                        return kernels::sumChannels(stream, type, dy.data(), axes, sums.as<float>() + a.first, add,
                                                    workspace.data());
                    });
    if (op.inputGradients[0] != kNoTensor)
        passOn(compiler, dy, compiler.value(op.inputGradients[0]), compiler.elements(whole), op.accumulate[0]);
    return {};
}

}  // namespace steelyard::compute::cuda

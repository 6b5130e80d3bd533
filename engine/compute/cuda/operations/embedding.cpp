// SPDX-License-Identifier: Apache-2.0
// Table rows selected by token ids; the gradient of a row is the sum over the tokens that selected it.
#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {

Result<void> emitEmbedding(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Embedding>(op.layer);
    const auto ids = compiler.value(op.inputs[0]);
    const auto tokens = compiler.elements(op.inputs[0]);
    const auto type = compiler.type();
    if (op.pass == plan::Pass::Forward) {
        // A table that is trained is read directly: copying all of it after each update costs more than reading float32
        // rows.
        const bool is16Bit = compiler.is16Bit() && compiler.isConstant(op.parameters[0]);
        const auto table = is16Bit ? compiler.weight(op.parameters[0]) : compiler.f32Weight(op.parameters[0]);
        const auto y = compiler.value(op.output);
        compiler.kernel("native:embedding", {ids, table, y}, [=, units = layer.units](Stream stream) {
            return kernels::embeddingForward(stream, is16Bit ? type : ElementType::F32, table.data(), type,
                                             ids.as<const std::int32_t>(), y.data(), tokens, units);
        });
        return {};
    }
    const auto dy = compiler.value(op.outputGradient), gradient = compiler.value(op.parameterGradients[0]);
    const bool rowsOnly = layer.sparseUpdate && !compiler.keepsGradients();
    if (!op.accumulateParameters && !rowsOnly) compiler.clear(gradient, layer.vocabulary * layer.units * 4);
    const auto workspace = compiler.scratch(kernels::embeddingWorkspace(tokens, layer.units));
    compiler.kernel("native:embedding", {ids, dy, gradient, workspace},
                    [=, clears = rowsOnly && !op.accumulateParameters](Stream stream) {
                        if (clears)
                            if (const auto status = kernels::clearRows(stream, ids.as<const std::int32_t>(), tokens,
                                                                       gradient.as<float>(), layer.units);
                                status != kernels::kOk)
                                return status;
                        return kernels::embeddingBackward(stream, type, dy.data(), ids.as<const std::int32_t>(),
                                                          gradient.as<float>(), tokens, layer.units, layer.vocabulary,
                                                          workspace.data());
                    });
    return {};
}

}  // namespace steelyard::compute::cuda

// SPDX-License-Identifier: Apache-2.0
// Layers of language models with native kernels: RMS norm, rotary embedding, gated activation, scaling. Formulas:
// engine/compute/reference/decoder_layers.cpp and pointwise.cpp. Grouped attention: attention.cpp.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

Result<void> rmsNormForward(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
    const auto scale = compiler.f32Weight(op.parameters[0]);
    const auto inverse = compiler.valueOf(op.saved, 0);
    const auto features = compiler.elements(op.parameters[0]), rows = compiler.elements(op.output) / features;
    const auto epsilon = static_cast<float>(std::get<model::RmsNorm>(op.layer).epsilon);
    compiler.kernel("native:rms_norm", {x, y, scale, inverse}, [=, type = compiler.type()](Stream stream) {
        return kernels::rmsNormForward(stream, type, x.data(), scale.as<const float>(), epsilon, y.data(),
                                       inverse.as<float>(), rows, features);
    });
    return {};
}

// A frozen scale has no gradient.
Result<void> rmsNormBackward(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.value(op.inputs[0]), dy = compiler.value(op.outputGradient);
    const auto dx = compiler.value(op.inputGradients[0]);
    const auto scale = compiler.f32Weight(op.parameters[0]);
    const auto inverse = compiler.value(op.saved[0]);
    const auto dScale = compiler.valueOf(op.parameterGradients, 0);
    const auto features = compiler.elements(op.parameters[0]);
    const auto rows = compiler.elements(op.outputGradient) / features;
    const auto workspace = dScale ? compiler.scratch(kernels::rmsNormWorkspace(rows, features)) : Value{};
    compiler.kernel("native:rms_norm", {x, dy, dx, scale, inverse, dScale, workspace},
                    [=, type = compiler.type(), add = static_cast<bool>(op.accumulate[0]),
                     addParameters = op.accumulateParameters](Stream stream) {
                        const kernels::RmsNormGradients g{.x = x.data(),
                                                          .dy = dy.data(),
                                                          .dx = dx.data(),
                                                          .accumulate = add,
                                                          .accumulateParameters = addParameters,
                                                          .scale = scale.as<const float>(),
                                                          .savedInverse = inverse.as<const float>(),
                                                          .dScale = dScale.as<float>()};
                        return kernels::rmsNormBackward(stream, type, g, rows, features, workspace.data());
                    });
    return {};
}

// Cosines and sines of all positions, [tokens, 2, pairs]: once for all layers that rotate alike.
Value rotaryTable(Compiler& compiler, const model::RotaryEmbedding& layer, std::int64_t tokens) {
    const auto frequencies = model::rotaryFrequencies(layer);
    const auto pairs = static_cast<std::int64_t>(frequencies.size());
    const auto key =
        fmt::format("rotary {} {} {} {} {}", tokens, 2 * pairs, layer.theta, layer.factor, layer.llama3Context);
    return compiler.constant(key, tokens * 2 * pairs * 4, [frequencies, tokens] {
        std::vector<float> table;
        for (std::int64_t t = 0; t < tokens; ++t) {
            for (const double f : frequencies)
                table.push_back(static_cast<float>(std::cos(static_cast<double>(t) * f)));
            for (const double f : frequencies)
                table.push_back(static_cast<float>(std::sin(static_cast<double>(t) * f)));
        }
        std::vector<std::byte> bytes(table.size() * sizeof(float));
        std::memcpy(bytes.data(), table.data(), bytes.size());
        return bytes;
    });
}

}  // namespace

Result<void> emitRmsNorm(Compiler& compiler, const plan::Operation& op) {
    return op.pass == plan::Pass::Forward ? rmsNormForward(compiler, op) : rmsNormBackward(compiler, op);
}

// The gradient is rotated back.
Result<void> emitRotaryEmbedding(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::RotaryEmbedding>(op.layer);
    const bool back = op.pass != plan::Pass::Forward;
    const auto x = compiler.value(back ? op.outputGradient : op.inputs[0]);
    const auto y = compiler.value(back ? op.inputGradients[0] : op.output);
    const auto& dims = compiler.dims(back ? op.outputGradient : op.output);
    const auto table = rotaryTable(compiler, layer, dims[1]);
    const kernels::RotaryShape shape{.rows = dims[0] * dims[1],
                                     .tokens = dims[1],
                                     .heads = dims[2] / layer.headWidth,
                                     .width = layer.headWidth,
                                     .pairs = (layer.rotated > 0 ? layer.rotated : layer.headWidth) / 2,
                                     .neighbours = layer.neighbours};
    compiler.kernel("native:rotary_embedding", {x, y, table},
                    [=, type = compiler.type(), add = back && op.accumulate[0]](Stream stream) {
                        return kernels::rotate(stream, type, shape, table.as<const float>(), back, x.data(), y.data(),
                                               add);
                    });
    return {};
}

Result<void> emitGatedActivation(Compiler& compiler, const plan::Operation& op) {
    const auto kind = kernels::activationOf(std::get<model::GatedActivation>(op.layer).kind);
    const auto gate = compiler.value(op.inputs[0]), up = compiler.value(op.inputs[1]);
    if (op.pass == plan::Pass::Forward) {
        const auto y = compiler.value(op.output);
        compiler.kernel("native:gated_activation", {gate, up, y},
                        [=, type = compiler.type(), n = compiler.elements(op.output)](Stream stream) {
                            return kernels::gateForward(stream, type, kind, gate.data(), up.data(), y.data(), n);
                        });
        return {};
    }
    const auto dy = compiler.value(op.outputGradient);
    const auto dGate = compiler.value(op.inputGradients[0]), dUp = compiler.value(op.inputGradients[1]);
    compiler.kernel(
        "native:gated_activation", {gate, up, dy, dGate, dUp},
        [=, type = compiler.type(), n = compiler.elements(op.outputGradient),
         addGate = static_cast<bool>(op.accumulate[0]), addUp = static_cast<bool>(op.accumulate[1])](Stream stream) {
            const kernels::GateGradients g{.gate = gate.data(),
                                           .up = up.data(),
                                           .dy = dy.data(),
                                           .dGate = dGate.data(),
                                           .dUp = dUp.data(),
                                           .accumulateGate = addGate,
                                           .accumulateUp = addUp};
            return kernels::gateBackward(stream, type, kind, g, n);
        });
    return {};
}

Result<void> emitScale(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Scale>(op.layer);
    const auto factor = static_cast<float>(layer.factor), cap = static_cast<float>(layer.cap);
    const bool back = op.pass != plan::Pass::Forward;
    const auto x = compiler.value(back ? op.outputGradient : op.inputs[0]);
    const auto to = compiler.value(back ? op.inputGradients[0] : op.output);
    const auto y = back ? compiler.value(op.output) : Value{};  // only with a cap
    compiler.kernel("native:scale", {x, to, y},
                    [=, type = compiler.type(), n = compiler.elements(back ? op.outputGradient : op.output),
                     add = back && op.accumulate[0]](Stream stream) {
                        if (!(cap > 0)) return kernels::scale(stream, type, x.data(), to.data(), n, factor, add);
                        if (!back) return kernels::cappedScale(stream, type, x.data(), to.data(), n, factor, cap);
                        return kernels::cappedScaleBackward(stream, type, y.data(), x.data(), to.data(), n, factor, cap,
                                                            add);
                    });
    return {};
}

}  // namespace steelyard::compute::cuda

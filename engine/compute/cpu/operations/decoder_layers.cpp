// SPDX-License-Identifier: Apache-2.0
// Layers of language models with native kernels: RMS norm, rotary embedding, gated activation, scaling. Formulas:
// compute/reference/decoder_layers.cpp and pointwise.cpp. Grouped attention: attention/.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

// The gradient of input i, or scratch memory if it is not wanted.
GradientTarget gradientOrScratch(Compiler& compiler, const plan::Operation& op, std::size_t i, const Desc& desc) {
    if (op.inputGradients[i] == kNoTensor) return {kNoTensor, compiler.scratch(desc)};
    return compiler.inputGradient(op, i, desc);
}

void emitRmsForward(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.plainValue(op.inputs[0]);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto features = compiler.tensor(op.parameters[0]).elements();
    const auto rows = compiler.tensor(op.output).elements() / features;
    const auto epsilon = static_cast<float>(std::get<model::RmsNorm>(op.layer).epsilon);
    const auto scale = compiler.weight(op.parameters[0], plainDesc(Dims{features}, DataKind::f32));
    Value inverse;
    if (!op.saved.empty()) inverse = compiler.define(op.saved[0], plainDesc(Dims{rows}, DataKind::f32));
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:rms_norm", {x, y, scale, inverse}, [=](const StepState&) {
            parallelRows(rows, features, [&](std::int64_t begin, std::int64_t end) {
                RmsRows<T> part;
                part.y = y.as<T>() + begin * features;
                part.x = x.as<T>() + begin * features;
                part.scale = scale.as<float>();
                part.inverse = inverse ? inverse.as<float>() + begin : nullptr;
                part.epsilon = epsilon;
                part.rows = end - begin;
                part.features = features;
                kernels().rows<T>().rmsNorm(part);
            });
        });
    });
}

// Each thread sums its rows separately; the threads' sums are added in order.
void emitRmsBackward(Compiler& compiler, const plan::Operation& op) {
    const auto features = compiler.tensor(op.parameters[0]).elements();
    const auto rows = compiler.tensor(op.outputGradient).elements() / features;
    const auto threads = compiler.options().threads;
    const auto vector = plainDesc(Dims{features}, DataKind::f32);
    const auto x = compiler.plainValue(op.inputs[0]);
    const auto dy = compiler.plainValue(op.outputGradient);
    const auto scale = compiler.weight(op.parameters[0], vector);
    const auto inverse = compiler.value(op.saved[0]);
    const auto target = gradientOrScratch(compiler, op, 0, compiler.plainDescOf(op.outputGradient));
    const auto dx = target.value;
    const bool learns = !op.parameterGradients.empty();  // not if frozen
    GradientTarget scaleTarget;
    Value sums;
    if (learns) {
        scaleTarget = compiler.parameterGradient(op, 0, vector);
        sums = compiler.scratch(threads * features * static_cast<std::int64_t>(sizeof(float)));
    }
    const auto dScale = scaleTarget.value;
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:rms_norm_gradient", {x, dy, dx, scale, inverse, dScale, sums}, [=](const StepState&) {
            auto* all = learns ? sums.as<float>() : nullptr;
            if (learns) std::fill(all, all + threads * features, 0.0F);
            parallelRows(rows, features, [&](std::int64_t begin, std::int64_t end) {
                RmsRows<T> part;
                part.y = dx.as<T>() + begin * features;
                part.x = x.as<T>() + begin * features;
                part.dy = dy.as<T>() + begin * features;
                part.scale = scale.as<float>();
                part.inverse = inverse.as<float>() + begin;
                part.scaleSums = learns ? all + omp_get_thread_num() * features : nullptr;
                part.rows = end - begin;
                part.features = features;
                kernels().rows<T>().rmsNormGradient(part);
            });
            for (std::int64_t f = 0; learns && f < features; ++f) {
                float sum = 0;
                for (int t = 0; t < threads; ++t) sum += all[t * features + f];
                dScale.as<float>()[f] = sum;
            }
        });
    });
    compiler.finishGradient(target);
    if (learns) compiler.finishGradient(scaleTarget);
}

// Cosines and sines of all positions: [tokens, pairs] each.
struct RotaryTable {
    std::vector<float> cosine, sine;
};

std::shared_ptr<const RotaryTable> rotaryTable(const model::RotaryEmbedding& layer, std::int64_t tokens, bool back) {
    auto table = std::make_shared<RotaryTable>();
    const auto frequencies = model::rotaryFrequencies(layer);
    for (std::int64_t t = 0; t < tokens; ++t)
        for (const double frequency : frequencies) {
            const double angle = (back ? -1 : 1) * static_cast<double>(t) * frequency;
            table->cosine.push_back(static_cast<float>(std::cos(angle)));
            table->sine.push_back(static_cast<float>(std::sin(angle)));
        }
    return table;
}

// The gradient is rotated back.
void emitRotation(Compiler& compiler, const plan::Operation& op, const Value& x, const Value& y) {
    const auto layer = std::get<model::RotaryEmbedding>(op.layer);
    const bool forward = op.pass == plan::Pass::Forward;
    const auto& dims = compiler.tensor(forward ? op.output : op.outputGradient).dims;
    const auto tokens = dims[1], features = dims[2], rows = dims[0] * tokens;
    const auto head = layer.headWidth, pairs = (layer.rotated > 0 ? layer.rotated : head) / 2;
    const auto distance = layer.neighbours ? 1 : pairs, stride = layer.neighbours ? 2 : std::int64_t{1};
    const auto table = rotaryTable(layer, tokens, !forward);
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:rotary_embedding", {x, y}, [=](const StepState&) {
            parallelRows(rows, features, [&](std::int64_t begin, std::int64_t end) {
                for (auto row = begin; row < end; ++row) {
                    const auto* cosine = table->cosine.data() + row % tokens * pairs;
                    const auto* sine = table->sine.data() + row % tokens * pairs;
                    for (std::int64_t first = 0; first < features; first += head) {
                        const auto* from = x.as<T>() + row * features + first;
                        auto* to = y.as<T>() + row * features + first;
                        kernels().rows<T>().rotate(to, from, cosine, sine, pairs, distance, stride);
                        if (to != from) std::copy(from + 2 * pairs, from + head, to + 2 * pairs);
                    }
                }
            });
        });
    });
}

}  // namespace

Result<void> emitRmsNorm(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitRmsForward(compiler, op);
    } else {
        emitRmsBackward(compiler, op);
    }
    return {};
}

Result<void> emitRotaryEmbedding(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        const auto x = compiler.plainValue(op.inputs[0]);
        emitRotation(compiler, op, x, compiler.define(op.output, compiler.plainDescOf(op.output)));
        return {};
    }
    const auto dy = compiler.plainValue(op.outputGradient);
    const auto target = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    emitRotation(compiler, op, dy, target.value);
    compiler.finishGradient(target);
    return {};
}

Result<void> emitGatedActivation(Compiler& compiler, const plan::Operation& op) {
    const auto kind = std::get<model::GatedActivation>(op.layer).kind;
    const auto gate = compiler.value(op.inputs[0]);
    const auto up = compiler.valueAs(op.inputs[1], gate.desc);
    const auto count = paddedElements(gate.desc);
    if (op.pass == plan::Pass::Forward) {
        const auto y = compiler.define(op.output, gate.desc);
        withElementType(gate.desc, [&]<class T>(T) {
            compiler.task("native:gated_activation", {gate, up, y}, [=](const StepState&) {
                parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                    kernels().pointwise<T>().gate(kind, y.as<T>() + begin, gate.as<T>() + begin, up.as<T>() + begin,
                                                  end - begin);
                });
            });
        });
        return {};
    }
    const auto dy = compiler.valueAs(op.outputGradient, gate.desc);
    const auto gateTarget = gradientOrScratch(compiler, op, 0, gate.desc);
    const auto upTarget = gradientOrScratch(compiler, op, 1, gate.desc);
    const auto dGate = gateTarget.value, dUp = upTarget.value;
    withElementType(gate.desc, [&]<class T>(T) {
        compiler.task("native:gated_activation_gradient", {gate, up, dy, dGate, dUp}, [=](const StepState&) {
            parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                kernels().pointwise<T>().gateGradient(kind, dGate.as<T>() + begin, dUp.as<T>() + begin,
                                                      dy.as<T>() + begin, gate.as<T>() + begin, up.as<T>() + begin,
                                                      end - begin);
            });
        });
    });
    compiler.finishGradient(gateTarget);
    compiler.finishGradient(upTarget);
    return {};
}

Result<void> emitScale(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Scale>(op.layer);
    const auto factor = static_cast<float>(layer.factor), cap = static_cast<float>(layer.cap);
    if (op.pass == plan::Pass::Forward) {
        const auto x = compiler.value(op.inputs[0]);
        const auto y = compiler.define(op.output, x.desc);
        const auto count = paddedElements(x.desc);
        withElementType(x.desc, [&]<class T>(T) {
            compiler.task("native:scale", {x, y}, [=](const StepState&) {
                parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                    kernels().pointwise<T>().scale(y.as<T>() + begin, x.as<T>() + begin, factor, cap, end - begin);
                });
            });
        });
        return {};
    }
    const auto y = op.output == kNoTensor ? Value() : compiler.value(op.output);
    const auto dy = y ? compiler.valueAs(op.outputGradient, y.desc) : compiler.value(op.outputGradient);
    const auto target = compiler.inputGradient(op, 0, dy.desc);
    const auto dx = target.value;
    const auto count = paddedElements(dy.desc);
    withElementType(dy.desc, [&]<class T>(T) {
        compiler.task("native:scale_gradient", {y, dy, dx}, [=](const StepState&) {
            parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                kernels().pointwise<T>().scaleGradient(dx.as<T>() + begin, dy.as<T>() + begin,
                                                       y ? y.as<T>() + begin : nullptr, factor, cap, end - begin);
            });
        });
    });
    compiler.finishGradient(target);
    return {};
}

}  // namespace steelyard::compute::cpu

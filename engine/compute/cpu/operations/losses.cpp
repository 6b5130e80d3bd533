// SPDX-License-Identifier: Apache-2.0
// Softmax and sigmoid heads, with their losses in training.
#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

void emitProbabilities(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.plainValue(op.inputs[0]);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto columns = compiler.tensor(op.inputs[0]).dims.back();
    const auto rows = compiler.tensor(op.inputs[0]).elements() / columns;
    const bool softmax = op.kind == plan::OperationKind::Softmax;
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task(softmax ? "native:softmax" : "native:sigmoid", {x, y}, [=](const StepState&) {
            const auto& kernel = kernels().pointwise<T>();
            parallelRows(rows, columns, [&](std::int64_t begin, std::int64_t end) {
                for (auto row = begin; row < end; ++row) {
                    const auto offset = row * columns;
                    (softmax ? kernel.softmax : kernel.sigmoid)(y.as<T>() + offset, x.as<T>() + offset, columns);
                }
            });
        });
    });
}

// Gradient of the logits and the loss. Row losses are summed in order, so that the sum does not depend on the number of
// threads.
void emitLoss(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.plainValue(op.inputs[0]);
    const auto labels = compiler.value(op.inputs[1]);
    const auto gradient = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto loss = compiler.define(op.saved[0], compiler.plainDescOf(op.saved[0]));
    const auto elements = compiler.tensor(op.inputs[0]).elements();
    const bool softmax = op.kind == plan::OperationKind::SoftmaxCrossEntropy;
    const auto columns = softmax ? compiler.tensor(op.inputs[0]).dims.back() : 1;
    const auto rows = elements / columns;
    const auto scale = static_cast<float>(op.lossWeight / static_cast<double>(rows));
    const auto rowLosses = compiler.scratch(rows * static_cast<std::int64_t>(sizeof(float)));
    withElementType(x.desc, [&]<class T>(T) {
        const auto task = [=](const StepState&) {
            const auto& kernel = kernels().pointwise<T>();
            auto* losses = rowLosses.as<float>();
            const auto* truth = labels.as<std::int32_t>();
            parallelRows(rows, columns, [&](std::int64_t begin, std::int64_t end) {
                for (auto row = begin; row < end; ++row) {
                    auto* target = gradient.as<T>() + row * columns;
                    const auto* source = x.as<T>() + row * columns;
                    losses[row] = softmax ? kernel.softmaxCrossEntropy(target, source, truth[row], scale, columns)
                                          : kernel.sigmoidCrossEntropy(target, source, truth + row, scale, columns);
                }
            });
            double sum = 0;
            for (std::int64_t row = 0; row < rows; ++row) sum += static_cast<double>(losses[row]);
            *loss.as<float>() = static_cast<float>(sum / static_cast<double>(rows));
        };
        compiler.task(softmax ? "native:softmax_cross_entropy" : "native:sigmoid_cross_entropy",
                      {x, labels, gradient, loss, rowLosses}, task);
    });
}

}  // namespace

Result<void> emitHead(Compiler& compiler, const plan::Operation& op) {
    if (op.kind == plan::OperationKind::Softmax || op.kind == plan::OperationKind::Sigmoid) {
        emitProbabilities(compiler, op);
        return {};
    }
    if (op.pass == plan::Pass::Forward && compiler.fusion().computesGradient) {
        emitLoss(compiler, op);
        return {};
    }
    return fail(ErrorKind::Unsupported, op.name, messages::twoLosses());
}

}  // namespace steelyard::compute::cpu

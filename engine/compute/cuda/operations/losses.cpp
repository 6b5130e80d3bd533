// SPDX-License-Identifier: Apache-2.0
// Softmax and sigmoid heads, alone or with cross-entropy.
#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

struct Rows {
    std::int64_t rows = 0, classes = 1;
};
Rows rowsOf(const Compiler& compiler, TensorId logits, bool softmax) {
    const auto& dims = compiler.dims(logits);
    const auto classes = softmax ? dims.back() : 1;
    return {model::elementCount(dims) / classes, classes};
}

Result<void> lossForward(Compiler& compiler, const plan::Operation& op, bool softmax) {
    const auto r = rowsOf(compiler, op.output, softmax);
    const auto logits = compiler.value(op.inputs[0]), labels = compiler.value(op.inputs[1]);
    const auto probabilities = compiler.value(op.output), loss = compiler.value(op.saved[0]);
    const auto rowLosses = compiler.scratch(r.rows * 4);
    compiler.kernel("native:cross_entropy", {logits, labels, probabilities, rowLosses},
                    [=, type = compiler.type()](Stream stream) {
                        const kernels::CrossEntropy c{.logits = logits.data(),
                                                      .labels = labels.as<std::int32_t>(),
                                                      .probabilities = probabilities.data(),
                                                      .rowLosses = rowLosses.as<float>(),
                                                      .rows = r.rows,
                                                      .classes = r.classes};
                        return softmax ? kernels::softmaxCrossEntropy(stream, type, c)
                                       : kernels::sigmoidCrossEntropy(stream, type, c);
                    });
    compiler.kernel("native:mean_loss", {rowLosses, loss}, [=](Stream stream) {
        return kernels::meanLoss(stream, rowLosses.as<float>(), r.rows, loss.as<float>(), nullptr, 1, false);
    });
    return {};
}

Result<void> lossBackward(Compiler& compiler, const plan::Operation& op, bool softmax) {
    const auto r = rowsOf(compiler, op.output, softmax);
    const auto labels = compiler.value(op.inputs[1]);
    const auto probabilities = compiler.value(op.output), gradient = compiler.value(op.inputGradients[0]);
    const auto lossScale = compiler.lossScale();
    compiler.kernel(
        "native:cross_entropy", {labels, probabilities, gradient},
        [=, type = compiler.type(), add = static_cast<bool>(op.accumulate[0]), scale = op.lossWeight](Stream stream) {
            const kernels::CrossEntropy c{.labels = labels.as<std::int32_t>(),
                                          .probabilities = probabilities.data(),
                                          .gradient = gradient.data(),
                                          .accumulate = add,
                                          .gradientScale = static_cast<float>(scale / static_cast<double>(r.rows)),
                                          .lossScale = lossScale.as<kernels::LossScale>(),
                                          .rows = r.rows,
                                          .classes = r.classes};
            return kernels::crossEntropyBackward(stream, type, c);
        });
    return {};
}

}  // namespace

Result<void> emitSoftmax(Compiler& compiler, const plan::Operation& op) {
    if (op.pass != plan::Pass::Forward) return lossBackward(compiler, op, true);
    if (!op.saved.empty()) return lossForward(compiler, op, true);
    const auto r = rowsOf(compiler, op.output, true);
    const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
    compiler.kernel("native:softmax", {x, y}, [=, type = compiler.type()](Stream stream) {
        return kernels::softmaxForward(stream, type, x.data(), y.data(), r.rows, r.classes);
    });
    return {};
}

Result<void> emitSigmoid(Compiler& compiler, const plan::Operation& op) {
    if (op.pass != plan::Pass::Forward) return lossBackward(compiler, op, false);
    if (!op.saved.empty()) return lossForward(compiler, op, false);
    const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
    compiler.kernel(
        "native:activation", {x, y}, [=, type = compiler.type(), n = compiler.elements(op.output)](Stream stream) {
            return kernels::activationForward(stream, type, kernels::Activation::Sigmoid, x.data(), y.data(), n);
        });
    return {};
}

}  // namespace steelyard::compute::cuda

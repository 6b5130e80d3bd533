// SPDX-License-Identifier: Apache-2.0
// Softmax and sigmoid heads, alone or with cross-entropy, forward and backward. A row is one sample, or one step of a
// sequence; the loss is the mean over the rows, and its gradient includes the head's weight.
#include <cmath>

#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

using Row = std::span<const float>;

// log sum exp of a row, relative to the maximum to avoid overflow.
double logSumExp(Row row) {
    const double largest = static_cast<double>(*std::max_element(row.begin(), row.end()));
    double sum = 0;
    for (auto value : row) sum += std::exp(static_cast<double>(value) - largest);
    return largest + std::log(sum);
}

// -log sigmoid(x) for label 1, -log(1 - sigmoid(x)) for label 0, without overflow.
double sigmoidLoss(double x, std::int32_t label) {
    const double towards = label == 1 ? x : -x;
    return std::max(-towards, 0.0) + std::log1p(std::exp(-std::abs(towards)));
}

// The mean over the rows, if the operation has a loss (training).
void storeLoss(StepRun& run, const Operation& op, double sum) {
    if (op.saved.empty()) return;
    const double mean = sum / static_cast<double>(run.tensors.integers(op.inputs[1]).size());
    run.saved(op)[0] = static_cast<float>(mean);
    run.loss += op.lossWeight * mean;
}

void softmaxForward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    const auto classes = static_cast<std::size_t>(run.dims(op.output).back());
    double sum = 0;
    for (std::size_t first = 0; first < x.size(); first += classes) {
        const auto row = x.subspan(first, classes);
        const double total = logSumExp(row);
        for (std::size_t v = 0; v < classes; ++v)
            y[first + v] = static_cast<float>(std::exp(static_cast<double>(row[v]) - total));
        if (op.saved.empty()) continue;
        const auto label = static_cast<std::size_t>(run.tensors.integers(op.inputs[1])[first / classes]);
        sum += total - static_cast<double>(row[label]);
    }
    storeLoss(run, op, sum);
}

void softmaxBackward(StepRun& run, const Operation& op) {
    const auto y = run.output(op);
    const auto labels = run.tensors.integers(op.inputs[1]);
    const auto dx = run.inputGradient(op);
    const auto classes = dx.size() / labels.size();
    const double scale = op.lossWeight / static_cast<double>(labels.size());
    for (std::size_t i = 0; i < dx.size(); ++i) {
        const double target = labels[i / classes] == static_cast<std::int32_t>(i % classes) ? 1 : 0;
        dx[i] += static_cast<float>(scale * (static_cast<double>(y[i]) - target));
    }
}

void sigmoidForward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto value = static_cast<double>(x[i]);
        y[i] = static_cast<float>(1 / (1 + std::exp(-value)));
        if (!op.saved.empty()) sum += sigmoidLoss(value, run.tensors.integers(op.inputs[1])[i]);
    }
    storeLoss(run, op, sum);
}

void sigmoidBackward(StepRun& run, const Operation& op) {
    const auto y = run.output(op);
    const auto labels = run.tensors.integers(op.inputs[1]);
    const auto dx = run.inputGradient(op);
    const double scale = op.lossWeight / static_cast<double>(labels.size());
    for (std::size_t i = 0; i < dx.size(); ++i)
        dx[i] += static_cast<float>(scale * (static_cast<double>(y[i]) - static_cast<double>(labels[i])));
}

}  // namespace

void runSoftmax(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? softmaxForward(run, op) : softmaxBackward(run, op);
}

void runSigmoid(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? sigmoidForward(run, op) : sigmoidBackward(run, op);
}

}  // namespace steelyard::compute::reference

// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/gradient_check.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/core/random.h"

namespace steelyard::compute {
namespace {

// The loss at the current weights; a learning rate of zero does not change them.
double lossOf(Executable& executable, const std::vector<std::pair<plan::TensorId, std::vector<float>>>& states) {
    for (const auto& [id, values] : states) require(executable.write(id, values));
    return executable.step({.index = 0, .learningRateScale = 0}).value().loss.value();
}

double norm(const std::vector<double>& values) {
    double squares = 0;
    for (auto value : values) squares += value * value;
    return std::sqrt(squares);
}

}  // namespace

void require(const Result<void>& result) {
    if (!result) throw std::runtime_error(describe(result.error()));
}

std::vector<float> readTensor(Executable& executable, plan::TensorId tensor) {
    std::vector<float> values(static_cast<std::size_t>(executable.plan().tensor(tensor).elements()));
    require(executable.read(tensor, values));
    return values;
}

void writeRandomStep(Executable& executable, std::uint64_t seed, double spread) {
    const auto& plan = executable.plan();
    require(writeInitialValues(executable, seed));
    require(writeSyntheticBatch(executable, seed));
    for (const auto& tensor : plan.tensors) {
        const bool carried = tensor.role == plan::TensorRole::State &&
                             std::find(plan.parameterTensors.begin(), plan.parameterTensors.end(), tensor.id) ==
                                 plan.parameterTensors.end();
        if (tensor.role != plan::TensorRole::Weight && !carried) continue;
        auto values = readTensor(executable, tensor.id);
        const RandomStream noise(seed, 0x3000U + static_cast<std::uint64_t>(tensor.id));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] += static_cast<float>(spread) * noise.normal(static_cast<std::uint32_t>(i));
        require(executable.write(tensor.id, values));
    }
}

GradientError checkGradients(const model::Graph& graph, const GradientCheckOptions& options) {
    const auto plan = std::make_shared<plan::Plan>(
        plan::lower(graph, {plan::Mode::Train, options.batch, plan::Precision::Fp32, {}}).value());
    const auto backend = makeReferenceBackend();
    const auto executable = backend->compile(plan, {.seed = options.seed}).value();
    writeRandomStep(*executable, options.seed, options.spread);

    std::vector<std::pair<plan::TensorId, std::vector<float>>> states;
    for (const auto& tensor : plan->tensors)
        if (tensor.role == plan::TensorRole::State && tensor.type != model::DataType::Int32)
            states.emplace_back(tensor.id, readTensor(*executable, tensor.id));

    lossOf(*executable, states);
    std::vector<std::vector<float>> gradients;
    double squares = 0;
    for (auto id : plan->gradientTensors) {
        gradients.push_back(id == plan::kNoTensor ? std::vector<float>{} : readTensor(*executable, id));
        for (auto g : gradients.back()) squares += static_cast<double>(g) * static_cast<double>(g);
    }
    GradientError result;
    result.gradientNorm = std::sqrt(squares);
    for (std::size_t p = 0; p < gradients.size(); ++p) {
        const auto& gradient = gradients[p];
        if (gradient.empty()) continue;
        auto weight = readTensor(*executable, plan->parameterTensors[p]);
        const auto stride = std::max<std::size_t>(1, weight.size() / static_cast<std::size_t>(options.probes));
        std::vector<double> expected, difference;
        for (std::size_t i = 0; i < weight.size(); i += stride) {
            const float original = weight[i];
            double side[2];
            double ends[2];
            for (int s = 0; s < 2; ++s) {
                weight[i] = original + static_cast<float>(s == 0 ? options.step : -options.step);
                ends[s] = static_cast<double>(weight[i]);
                require(executable->write(plan->parameterTensors[p], weight));
                side[s] = lossOf(*executable, states);
            }
            weight[i] = original;
            require(executable->write(plan->parameterTensors[p], weight));
            expected.push_back((side[0] - side[1]) / (ends[0] - ends[1]));
            difference.push_back(expected.back() - static_cast<double>(gradient[i]));
        }
        // For a parameter whose gradient vanishes (a bias before a normalisation) the error is relative to the others.
        const double scale = std::max(norm(expected), 1e-2 * result.gradientNorm);
        const double error = norm(difference) / scale;
        if (!(error <= result.relative)) result.relative = error, result.parameter = plan->parameters[p].name;
    }
    return result;
}

}  // namespace steelyard::compute

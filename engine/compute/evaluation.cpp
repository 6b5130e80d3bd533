// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/compute/step_values.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

constexpr std::int64_t kLargestFile = std::int64_t{1} << 31;

Result<NamedArray> readArray(const std::string& path) {
    ASSIGN(const auto bytes, readFile(path, kLargestFile));
    ASSIGN(const auto tensor, model::onnx::readTensorBytes(bytes, path));
    ASSIGN(auto values, model::onnx::tensorValues(tensor, path));
    return NamedArray{tensor.name, tensor.shape, std::move(values)};
}

Result<std::vector<NamedArray>> readArrays(const std::string& folder, const char* what) {
    std::vector<NamedArray> arrays;
    for (int i = 0;; ++i) {
        const auto path = fmt::format("{}/{}_{}.pb", folder, what, i);
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) return arrays;
        ASSIGN(auto array, readArray(path));
        arrays.push_back(std::move(array));
    }
}

bool matches(double computed, double expected, const Tolerance& tolerance) {
    if (std::isnan(expected) || std::isnan(computed)) return std::isnan(expected) && std::isnan(computed);
    if (std::isinf(expected) || std::isinf(computed)) return expected == computed;
    return std::abs(computed - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

Result<void> writeInput(Executable& executable, plan::TensorId id, const NamedArray& input) {
    if (executable.plan().tensor(id).type == model::DataType::Int32) {
        std::vector<std::int32_t> integers;
        for (const double v : input.values) {
            if (!(v >= -2147483648.0 && v <= 2147483647.0))
                return fail(ErrorKind::InvalidArgument, input.name, messages::moreThan32Bits(v));
            integers.push_back(static_cast<std::int32_t>(v));
        }
        return executable.write(id, integers);
    }
    std::vector<float> values;
    for (const double v : input.values) values.push_back(static_cast<float>(v));
    return executable.write(id, values);
}

}  // namespace

Result<EvaluationCase> readEvaluationCase(const model::onnx::File& file, const std::string& folder,
                                          const model::onnx::ImportOptions& options,
                                          const std::vector<std::string>& constants) {
    EvaluationCase result;
    result.options = options;
    ASSIGN(auto inputs, readArrays(folder, "input"));
    ASSIGN(result.expected, readArrays(folder, "output"));
    std::vector<std::string> names;
    for (const auto& info : file.graph.inputs) {
        const auto& known = file.graph.initializers;
        if (std::none_of(known.begin(), known.end(), [&](const auto& tensor) { return tensor.name == info.name; }))
            names.push_back(info.name);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (i >= names.size())
            return fail(ErrorKind::InvalidArgument, folder, messages::inputCount(inputs.size(), names.size()));
        // By name where the data have one that the network knows, else by position.
        const bool known = std::find(names.begin(), names.end(), inputs[i].name) != names.end();
        if (!known) inputs[i].name = names[i];
        const auto& name = inputs[i].name;
        if (std::find(constants.begin(), constants.end(), name) != constants.end()) {
            result.options.values.emplace(name, inputs[i].values);
        } else if (!inputs[i].shape.empty()) {
            result.options.shapes.emplace(name, inputs[i].shape);
        }
    }
    result.inputs = std::move(inputs);
    return result;
}

OutputError compareOutput(const NamedArray& computed, const NamedArray& expected, const Tolerance& tolerance) {
    OutputError error{computed.name, 0, 0, computed.values.size() == expected.values.size()};
    if (!error.within) {
        error.absolute = error.relative = std::numeric_limits<double>::infinity();
        return error;
    }
    for (std::size_t i = 0; i < computed.values.size(); ++i) {
        const double difference = std::abs(computed.values[i] - expected.values[i]);
        if (!matches(computed.values[i], expected.values[i], tolerance)) error.within = false;
        if (std::isnan(difference)) continue;
        error.absolute = std::max(error.absolute, difference);
        if (expected.values[i] != 0)
            error.relative = std::max(error.relative, difference / std::abs(expected.values[i]));
    }
    return error;
}

Result<std::vector<NamedArray>> evaluate(Backend& backend, const model::onnx::Imported& network,
                                         const std::vector<NamedArray>& inputs, plan::Precision precision,
                                         const CompileOptions& options) {
    ASSIGN(auto lowered, plan::lower(network.graph, {plan::Mode::Infer, network.batch, precision, {}}));
    const auto plan = std::make_shared<const plan::Plan>(std::move(lowered));
    ASSIGN(const auto executable, backend.compile(plan, options));
    TRY(writeInitialValues(*executable, options.seed));
    for (const auto id : plan->inputs) {
        const auto& tensor = plan->tensor(id);
        const auto found =
            std::find_if(inputs.begin(), inputs.end(), [&](const auto& input) { return input.name == tensor.name; });
        if (found == inputs.end()) return fail(ErrorKind::InvalidArgument, tensor.name, messages::inputWithoutValue());
        TRY(writeInput(*executable, id, *found));
    }
    TRY(executable->step({}));
    std::vector<NamedArray> outputs;
    for (std::size_t i = 0; i < plan->heads.size(); ++i) {
        const auto id = plan->heads[i].probabilities;
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(id).elements()));
        TRY(executable->read(id, values));
        outputs.push_back({network.outputs[i].name, network.outputs[i].shape, {values.begin(), values.end()}});
    }
    return outputs;
}

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/compute/step_values.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/compute.h"
#include "engine/model/onnx/exporter.h"

namespace steelyard::compute {
namespace {

constexpr std::int64_t kLargestFile = std::int64_t{1} << 31;

// `declared`: the type of this value in the graph. NumPy has no bfloat16, so that its bits are often stored as
// unsigned integers.
Result<NamedArray> readArray(const std::string& path, model::onnx::ElementType declared) {
    ASSIGN(const auto bytes, readFile(path, kLargestFile));
    ASSIGN(auto tensor, model::onnx::readTensorBytes(bytes, path));
    ASSIGN(auto values, model::onnx::tensorValues(tensor, path));
    if (declared == model::onnx::ElementType::BFloat16 && tensor.type == model::onnx::ElementType::Uint16)
        for (auto& value : values)
            value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16));
    return NamedArray{tensor.name, tensor.shape, std::move(values)};
}

Result<std::vector<NamedArray>> readArrays(const std::string& folder, const char* what,
                                           const std::vector<model::onnx::ElementType>& declared) {
    std::vector<NamedArray> arrays;
    for (std::size_t i = 0;; ++i) {
        const auto path = fmt::format("{}/{}_{}.pb", folder, what, i);
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) return arrays;
        ASSIGN(auto array, readArray(path, i < declared.size() ? declared[i] : model::onnx::ElementType::Undefined));
        arrays.push_back(std::move(array));
    }
}

bool matches(double computed, double expected, const Tolerance& tolerance) {
    if (std::isnan(expected) || std::isnan(computed)) return std::isnan(expected) && std::isnan(computed);
    if (std::isinf(expected) || std::isinf(computed)) return expected == computed;
    return std::abs(computed - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

// The nearest that an output of this type holds.
float asBfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return value;
    return std::bit_cast<float>((bits + 0x7fffU + ((bits >> 16) & 1U)) & 0xffff0000U);
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
    std::vector<std::string> names;
    std::vector<model::onnx::ElementType> types, outputTypes;
    for (const auto& info : file.graph.inputs) {
        const auto& known = file.graph.initializers;
        if (std::any_of(known.begin(), known.end(), [&](const auto& tensor) { return tensor.name == info.name; }))
            continue;
        names.push_back(info.name);
        types.push_back(info.type);
    }
    for (const auto& info : file.graph.outputs) outputTypes.push_back(info.type);
    ASSIGN(auto inputs, readArrays(folder, "input", types));
    ASSIGN(result.expected, readArrays(folder, "output", outputTypes));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (i >= names.size())
            return fail(ErrorKind::InvalidArgument, folder, messages::inputCount(inputs.size(), names.size()));
        // By name where the data have one that the network knows, else by position.
        const bool known = std::find(names.begin(), names.end(), inputs[i].name) != names.end();
        if (!known) inputs[i].name = names[i];
        const auto& name = inputs[i].name;
        if (std::find(constants.begin(), constants.end(), name) != constants.end()) {
            result.options.values.emplace(name, inputs[i].values);
        }
        if (!inputs[i].shape.empty()) {
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
        if (network.outputs[i].type == model::onnx::ElementType::BFloat16)
            for (auto& value : values) value = asBfloat16(value);
        outputs.push_back({network.outputs[i].name, network.outputs[i].shape, {values.begin(), values.end()}});
    }
    return outputs;
}

namespace {

Result<Evaluation> evaluateWith(Backend& backend, const std::shared_ptr<const model::onnx::File>& file,
                                const EvaluationRequest& request, const std::vector<std::string>& constants) {
    ASSIGN(auto known, readEvaluationCase(*file, request.folder, request.options, constants));
    ASSIGN(const auto network, model::onnx::import(file, known.options));
    ASSIGN(auto outputs, evaluate(backend, network, known.inputs, request.precision, request.compile));
    return Evaluation{std::move(outputs), std::move(known.expected)};
}

}  // namespace

Result<Evaluation> evaluateFolder(Backend& backend, std::shared_ptr<const model::onnx::File> file,
                                  const EvaluationRequest& request) {
    auto result = evaluateWith(backend, file, request, request.constants);
    if (result || !request.bindInputsOnDemand) return result;
    auto constants = request.constants;
    for (std::size_t i = file->graph.inputs.size(); i-- > 0;) {
        constants.push_back(file->graph.inputs[i].name);
        if (auto again = evaluateWith(backend, file, request, constants)) return again;
    }
    return result;
}

Result<void> writeArray(const NamedArray& array, const std::string& path) {
    std::vector<float> values;
    for (const double v : array.values) values.push_back(static_cast<float>(v));
    return writeFileAtomically(path, model::onnx::tensorBytes(array.name, array.shape, values));
}

}  // namespace steelyard::compute

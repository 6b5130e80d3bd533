// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "engine/compute/eight_bit.h"
#include "engine/compute/step_values.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/compute.h"
#include "engine/core/npy.h"
#include "engine/model/onnx/exporter.h"

namespace steelyard::compute {
namespace {

constexpr std::int64_t kLargestFile = std::int64_t{1} << 31;
constexpr double kTimesRounding = 2;      // the emulation rounds at other places and sums in another order
constexpr double kLargestRounding = 0.5;  // of the largest magnitude expected

using model::onnx::ElementType;

// A value of the graph that a file of the folder may hold.
struct Place {
    std::string name;
    ElementType type = ElementType::Undefined;
};

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Result<NamedArray> readArray(const std::string& path, const Place& place) {
    ASSIGN(const auto bytes, readFile(path, kLargestFile));
    NamedArray array{place.name, {}, {}, place.type};
    bool hasBits = false;  // 16-bit integers
    if (path.ends_with(".npy")) {
        ASSIGN(auto stored, readNpy(bytes, path));
        array.shape = std::move(stored.shape);
        array.values = std::move(stored.values);
        hasBits = stored.type == "<u2";
    } else {
        ASSIGN(auto tensor, model::onnx::readTensorBytes(bytes, path));
        ASSIGN(array.values, model::onnx::tensorValues(tensor, path));
        array.name = std::move(tensor.name);
        array.shape = std::move(tensor.shape);
        hasBits = tensor.type == ElementType::Uint16;
    }
    // NumPy has no bfloat16, so that its bits are often stored as unsigned integers.
    if (place.type == ElementType::BFloat16 && hasBits)
        for (auto& value : array.values)
            value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16));
    return array;
}

// The file of the value at position `i`: by its position, or as a NumPy array by its name. Empty: there is none.
Result<std::string> fileOf(const std::string& folder, const char* what, std::size_t i, const std::string& name) {
    std::vector<std::string> names{fmt::format("{}_{}.pb", what, i), fmt::format("{}_{}.npy", what, i)};
    // A name with a slash names no file here.
    if (!name.empty() && name.find('/') == std::string::npos && names[1] != name + ".npy")
        names.push_back(name + ".npy");
    std::erase_if(names, [&](const auto& file) { return !exists(folder + "/" + file); });
    if (names.size() > 1) return fail(ErrorKind::InvalidArgument, folder, messages::storedTwice(names[0], names[1]));
    return names.empty() ? std::string() : folder + "/" + names.front();
}

Result<std::vector<std::optional<NamedArray>>> readArrays(const std::string& folder, const char* what,
                                                          const std::vector<Place>& places, bool& fromNpy) {
    std::vector<std::optional<NamedArray>> arrays(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        ASSIGN(const auto file, fileOf(folder, what, i, places[i].name));
        if (file.empty()) continue;
        ASSIGN(arrays[i], readArray(file, places[i]));
        fromNpy = fromNpy || file.ends_with(".npy");
    }
    return arrays;
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
    std::vector<Place> places, outputs;
    for (const auto& info : file.graph.inputs) {
        const auto& known = file.graph.initializers;
        if (std::any_of(known.begin(), known.end(), [&](const auto& tensor) { return tensor.name == info.name; }))
            continue;
        places.push_back({info.name, info.type});
    }
    for (const auto& name : options.outputs) outputs.push_back({name});
    if (outputs.empty())
        for (const auto& info : file.graph.outputs) outputs.push_back({info.name, info.type});
    ASSIGN(auto inputs, readArrays(folder, "input", places, result.fromNpy));
    bool ignored = false;
    ASSIGN(result.expected, readArrays(folder, "output", outputs, ignored));
    ASSIGN(const auto beyond, fileOf(folder, "input", places.size(), {}));
    if (!beyond.empty())
        return fail(ErrorKind::InvalidArgument, folder, messages::inputCount(places.size() + 1, places.size()));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i]) continue;
        auto& input = *inputs[i];
        // By name where the data have one that the network knows, else by position.
        if (std::ranges::find(places, input.name, &Place::name) == places.end()) input.name = places[i].name;
        if (std::ranges::find(constants, input.name) != constants.end())
            result.options.values.emplace(input.name, input.values);
        if (!input.shape.empty()) result.options.shapes.emplace(input.name, input.shape);
        result.inputs.push_back(std::move(input));
    }
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

OutputError compareRoundedOutput(const NamedArray& computed, const NamedArray& rounded, const NamedArray& expected,
                                 const Tolerance& tolerance) {
    const auto rounding = compareOutput(rounded, expected, tolerance).absolute;
    double largest = 0;
    for (const double value : expected.values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    auto widened = tolerance;
    if (rounding <= kLargestRounding * largest)
        widened.absolute = std::max(tolerance.absolute, kTimesRounding * rounding);
    auto error = compareOutput(computed, expected, widened);
    error.rounding = rounding;
    return error;
}

Result<std::vector<NamedArray>> evaluate(Backend& backend, const model::onnx::Imported& network,
                                         const std::vector<NamedArray>& inputs, plan::Precision precision,
                                         const CompileOptions& options, Backend* calibrating) {
    const plan::PlanOptions step{plan::Mode::Infer, network.batch, precision, {}};
    ASSIGN(auto lowered, plan::lower(network.graph, step));
    if (precision == plan::Precision::Int8) {
        if (calibrating == nullptr)
            return fail(ErrorKind::Unsupported, "precision", messages::noPrecision("evaluate", toString(precision)));
        TRY(supportsPlan(backend, lowered));
        ASSIGN(lowered, lowerCalibrated(*calibrating, backend, network.graph, step,
                                        {.seed = options.seed, .threads = options.threads}));
    }
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
        const auto& output = network.outputs[i];
        outputs.push_back({output.name, output.shape, {values.begin(), values.end()}, output.type});
    }
    return outputs;
}

namespace {

Result<Evaluation> evaluateWith(Backend& backend, const std::shared_ptr<const model::onnx::File>& file,
                                const EvaluationRequest& request, const std::vector<std::string>& constants) {
    ASSIGN(auto known, readEvaluationCase(*file, request.folder, request.options, constants));
    ASSIGN(const auto network, model::onnx::import(file, known.options));
    ASSIGN(auto outputs,
           evaluate(backend, network, known.inputs, request.precision, request.compile, request.calibrating));
    known.expected.resize(outputs.size());
    return Evaluation{std::move(outputs), std::move(known.expected), known.fromNpy};
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

bool hasArrays(const std::string& folder) {
    return exists(folder + "/input_0.pb") || exists(folder + "/input_0.npy");
}

namespace {

std::string_view npyTypeOf(ElementType type) {
    switch (type) {
        case ElementType::Float16:
            return "<f2";
        case ElementType::Double:
            return "<f8";
        case ElementType::Int8:
            return "|i1";
        case ElementType::Int16:
            return "<i2";
        case ElementType::Int32:
            return "<i4";
        case ElementType::Int64:
            return "<i8";
        case ElementType::Uint8:
            return "|u1";
        case ElementType::Uint16:
            return "<u2";
        case ElementType::Uint32:
            return "<u4";
        case ElementType::Uint64:
            return "<u8";
        case ElementType::Bool:
            return "|b1";
        case ElementType::Undefined:
        case ElementType::Float:
        case ElementType::String:
        case ElementType::Complex64:
        case ElementType::Complex128:
        case ElementType::BFloat16:
            break;
    }
    return "<f4";
}

}  // namespace

Result<void> writeArrays(const std::vector<NamedArray>& arrays, const std::string& folder, ArrayFormat format) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail(ErrorKind::IoFailed, folder, Message(error.message()));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto& array = arrays[i];
        if (format == ArrayFormat::Npy) {
            TRY(writeFileAtomically(fmt::format("{}/output_{}.npy", folder, i),
                                    npyBytes(npyTypeOf(array.type), array.shape, array.values)));
            continue;
        }
        std::vector<float> values;
        for (const double v : array.values) values.push_back(static_cast<float>(v));
        TRY(writeFileAtomically(fmt::format("{}/output_{}.pb", folder, i),
                                model::onnx::tensorBytes(array.name, array.shape, values)));
    }
    return {};
}

}  // namespace steelyard::compute

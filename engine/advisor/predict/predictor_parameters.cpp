// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/predictor_parameters.h"

#include <algorithm>
#include <array>

#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/messages/core.h"

namespace steelyard::advisor {
namespace {

constexpr std::array kFields{
    ConstantField{"conv1x1_on_16_bit", &Constants::conv1x1On16, 0.05, 1.0},
    ConstantField{"conv_on_16_bit", &Constants::convOn16, 0.05, 1.0},
    ConstantField{"conv3x3_on_16_bit", &Constants::conv3x3On16, 0.05, 1.0},
    ConstantField{"matmul_on_16_bit", &Constants::matMulOn16, 0.05, 1.0},
    ConstantField{"batched_matmul_on_16_bit", &Constants::batchedOn16, 0.05, 1.0},
    ConstantField{"conv1x1_on_fp32", &Constants::conv1x1On32, 0.05, 1.0},
    ConstantField{"conv_on_fp32", &Constants::convOn32, 0.05, 1.0},
    ConstantField{"conv3x3_on_fp32", &Constants::conv3x3On32, 0.05, 2.25},
    ConstantField{"matmul_on_fp32", &Constants::matMulOn32, 0.05, 1.0},
    ConstantField{"batched_matmul_on_fp32", &Constants::batchedOn32, 0.05, 1.0},
    ConstantField{"recurrent", &Constants::recurrent, 0.02, 1.0},
    ConstantField{"tf32_ratio", &Constants::tf32Ratio, 0.5, 1.5},
    ConstantField{"elementwise_bandwidth", &Constants::elementwiseBandwidth, 0.2, 1.0},
    ConstantField{"matrix_bandwidth", &Constants::matrixBandwidth, 0.2, 1.0},
    ConstantField{"depthwise_bandwidth", &Constants::depthwiseBandwidth, 0.1, 1.0},
    ConstantField{"launch_seconds", &Constants::launchSeconds, 5e-7, 5e-5},
    ConstantField{"launch_per_multiprocessor", &Constants::launchPerMultiprocessor, 1e-3, 1.0},
    ConstantField{"eager_dispatch_seconds", &Constants::eagerDispatchSeconds, 1e-6, 2e-4},
    ConstantField{"graph_dispatch_seconds", &Constants::graphDispatchSeconds, 4e-7, 1e-4},
    ConstantField{"power_exponent", &Constants::powerExponent, 1e-3, 1.0},
    ConstantField{"half_channels", &Constants::halfChannels, 1.0, 200.0},
    ConstantField{"half_reduction", &Constants::halfReduction, 1.0, 400.0},
    ConstantField{"fused_traffic", &Constants::fusedTraffic, 0.05, 1.0},
};

constexpr std::array kProcessorFields{
    ProcessorField{"conv", &ProcessorConstants::conv, 0.1, 2.0},
    ProcessorField{"depthwise", &ProcessorConstants::depthwise, 0.02, 1.0},
    ProcessorField{"matmul", &ProcessorConstants::matMul, 0.1, 1.0},
    ProcessorField{"recurrent", &ProcessorConstants::recurrent, 0.02, 1.0},
    ProcessorField{"bandwidth", &ProcessorConstants::bandwidth, 0.2, 1.0},
    ProcessorField{"half_reduction", &ProcessorConstants::halfReduction, 2, 300},
    ProcessorField{"operation_seconds", &ProcessorConstants::operationSeconds, 1e-6, 3e-4},
    ProcessorField{"operation_seconds_per_thread", &ProcessorConstants::operationSecondsPerThread, 1e-8, 1e-4},
};

constexpr std::array<std::pair<BandClass, std::string_view>, 10> kBandNames{{
    {BandClass::SameGenerationTransfer, "same_generation_transfer"},
    {BandClass::MedianTransfer, "median_transfer"},
    {BandClass::OtherGenerationTransfer, "other_generation_transfer"},
    {BandClass::Anchored, "anchored"},
    {BandClass::KnownStack, "known_stack"},
    {BandClass::LaunchBound, "launch_bound"},
    {BandClass::UnknownStack, "unknown_stack"},
    {BandClass::Unmeasured, "unmeasured"},
    {BandClass::OtherProcessor, "other_processor"},
    {BandClass::Uncalibrated, "uncalibrated"},
}};

std::optional<Dispatch> dispatchFromString(std::string_view name) {
    if (name == "eager") return Dispatch::Eager;
    if (name == "graph") return Dispatch::Graph;
    if (name == "captured") return Dispatch::Captured;
    return std::nullopt;
}

Band readBand(JsonReader& reader) {
    Band band;
    reader.requirePositive("low", band.low);
    reader.read("median", band.median);
    reader.requirePositive("high", band.high);
    if (!(band.low <= band.high)) reader.refuse("high", messages::belowLow());
    return band;
}

SoftwareStack readStack(JsonReader& reader) {
    SoftwareStack stack;
    reader.require("name", stack.name);
    reader.require("title", stack.title);
    reader.requirePositive("factor", stack.factor);
    reader.readName("dispatch", stack.dispatch, dispatchFromString);
    reader.read("fused", stack.fused);
    reader.read("fused_attention", stack.fusedAttention);
    reader.read("fitted", stack.fitted);
    reader.eachObject("sources", [&](JsonReader& source) {
        std::string text, date;
        source.require("text", text);
        source.read("date", date);
        stack.sources.push_back(date.empty() ? text : text + " (" + date + ")");
    });
    return stack;
}

void readAll(JsonReader& file, PredictorParameters& parameters) {
    file.require("source", parameters.source);
    file.require("date", parameters.date);
    file.object("constants", [&](JsonReader& reader) {
        for (const auto& field : kFields) reader.requirePositive(field.name, parameters.constants.*field.member);
    });
    file.object("processor", [&](JsonReader& reader) {
        for (const auto& field : kProcessorFields)
            reader.requirePositive(field.name, parameters.processor.*field.member);
    });
    file.requirePositive("decode_bandwidth", parameters.decodeBandwidth);
    file.eachObject("stacks", [&](JsonReader& reader) { parameters.stacks.push_back(readStack(reader)); });
    file.eachObject("generations", [&](JsonReader& reader) {
        Generation generation;
        reader.require("name", generation.name);
        reader.requirePositive("fp32_flops_per_watt", generation.fp32FlopsPerWatt);
        parameters.generations.push_back(std::move(generation));
    });
    file.object("bands", [&](JsonReader& reader) {
        for (const auto& [value, name] : kBandNames) {
            if (!reader.has(name)) reader.refuse(name, steelyard::messages::isMissing());
            reader.object(
                name, [&, value = value](JsonReader& band) { parameters.bands.emplace_back(value, readBand(band)); });
        }
    });
    file.eachObject("parallel", [&](JsonReader& reader) {
        ParallelEfficiency entry;
        reader.require("devices", entry.devices);
        reader.object("convolutional", [&](JsonReader& band) { entry.convolutional = readBand(band); });
        reader.object("transformer", [&](JsonReader& band) { entry.transformer = readBand(band); });
        parameters.parallel.push_back(entry);
    });
    if (!file.failed() && parameters.findStack(kThisEngine) == nullptr) file.refuse("stacks", messages::noEngine());
}

}  // namespace

std::span<const ConstantField> constantFields() {
    return kFields;
}

std::span<const ProcessorField> processorFields() {
    return kProcessorFields;
}

std::string_view toString(BandClass value) {
    for (const auto& [key, name] : kBandNames)
        if (key == value) return name;
    return "unknown";
}

const SoftwareStack* PredictorParameters::findStack(std::string_view name) const {
    const auto found = std::ranges::find(stacks, name, &SoftwareStack::name);
    return found == stacks.end() ? nullptr : &*found;
}

const Generation* PredictorParameters::findGeneration(std::string_view name) const {
    const auto found = std::ranges::find(generations, name, &Generation::name);
    return found == generations.end() ? nullptr : &*found;
}

Band PredictorParameters::band(BandClass value) const {
    const auto found = std::ranges::find(bands, value, &std::pair<BandClass, Band>::first);
    return found == bands.end() ? Band{} : found->second;
}

Result<PredictorParameters> predictorParametersFromJson(std::string_view name, std::string_view text) {
    ASSIGN(const auto json, parseJson(text, std::string(name)));
    std::optional<Error> error;
    JsonReader file(json, std::string(name), error);
    file.requireFormat("steelyard-predictor", 1);
    PredictorParameters parameters;
    if (!error) readAll(file, parameters);
    if (error) return Failure(std::move(*error));
    return parameters;
}

Result<PredictorParameters> loadPredictorParameters(const std::filesystem::path& file) {
    ASSIGN(const auto text, readFile(file, 1 << 24));
    return predictorParametersFromJson(file.string(), text);
}

}  // namespace steelyard::advisor

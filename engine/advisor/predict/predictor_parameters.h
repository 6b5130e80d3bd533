// SPDX-License-Identifier: Apache-2.0
// Parameters of the predictor: constants of the step model, factors of software stacks, intervals. Read from
// resources/catalog/predictor_parameters.json; fitted by tests/performance/fit/fit_predictor. Plain values.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::advisor {

// Efficiencies are fractions of a peak, times are seconds. "16 bit" holds for TF32, too.
struct Constants {
    double conv1x1On16 = 0, convOn16 = 0, conv3x3On16 = 0, matMulOn16 = 0, batchedOn16 = 0;
    double conv1x1On32 = 0, convOn32 = 0, conv3x3On32 = 0, matMulOn32 = 0, batchedOn32 = 0;
    double recurrent = 0;
    double tf32Ratio = 0;
    double elementwiseBandwidth = 0, matrixBandwidth = 0, depthwiseBandwidth = 0;
    double launchSeconds = 0;            // on the device
    double launchPerMultiprocessor = 0;  // growth of it for matrix-like work
    double eagerDispatchSeconds = 0;     // on the host, a launch of a framework that runs operation by operation
    double graphDispatchSeconds = 0;     // of one that runs a prepared graph
    double powerExponent = 0;
    double halfChannels = 0, halfReduction = 0;  // N and K at which half the rate is reached
    double fusedTraffic = 0;                     // fraction of elementwise traffic left after fusion
};
struct ConstantField {
    std::string_view name;
    double Constants::*member;
    double low, high;  // limits of a fit
};
[[nodiscard]] std::span<const ConstantField> constantFields();

enum class Dispatch { Eager, Graph, Captured };  // Captured: replayed by the device, nothing for the host to do

struct SoftwareStack {
    std::string name;   // "ngc22"
    std::string title;  // "PyTorch, NVIDIA containers, 2022-25"
    double factor = 1;  // of the time on the device
    Dispatch dispatch = Dispatch::Eager;
    bool fused = false;  // elementwise operations are joined with their neighbours
    bool fusedAttention = false;
    bool fitted = true;  // false: nothing was measured with it yet
    std::vector<std::string> sources;
};
inline constexpr std::string_view kThisEngine = "steelyard";
// What most people train with: PyTorch as in the vendor's containers, the stack with the most published speeds.
inline constexpr std::string_view kUsualSoftware = "ngc22";

struct Generation {
    std::string name;
    double fp32FlopsPerWatt = 0;
};

// P10, median and P90 of measured / predicted.
struct Band {
    double low = 1, median = 1, high = 1;
    friend bool operator==(const Band&, const Band&) = default;
};
enum class BandClass {
    SameGenerationTransfer,
    MedianTransfer,
    OtherGenerationTransfer,
    Anchored,  // two or more networks of the same stack measured on the device
    KnownStack,
    LaunchBound,
    UnknownStack,  // a published stack whose factor is not known
    Unmeasured,    // this program, or devices of a vendor, without any measurement
    OtherProcessor,
    Uncalibrated,  // TPUs and accelerators without published speeds of their software
};
[[nodiscard]] std::string_view toString(BandClass value);

// A processor's constants; see step_model.h.
struct ProcessorConstants {
    double conv = 0, depthwise = 0, matMul = 0, recurrent = 0;  // fractions of the fp32 peak
    double bandwidth = 0;
    double halfReduction = 0;
    double operationSeconds = 0, operationSecondsPerThread = 0;
};

struct ProcessorField {
    std::string_view name;
    double ProcessorConstants::*member;
    double low, high;  // limits of a fit
};
[[nodiscard]] std::span<const ProcessorField> processorFields();

// Published speed-up of n devices over one, divided by n.
struct ParallelEfficiency {
    int devices = 2;
    Band convolutional, transformer;  // low: the worst tenth
};

struct PredictorParameters {
    std::string source, date;
    Constants constants;
    ProcessorConstants processor;
    std::vector<SoftwareStack> stacks;
    std::vector<Generation> generations;
    std::vector<std::pair<BandClass, Band>> bands;
    std::vector<ParallelEfficiency> parallel;
    double decodeBandwidth = 0;  // fraction of the bandwidth that token-by-token decoding reaches

    [[nodiscard]] const SoftwareStack* findStack(std::string_view name) const;
    [[nodiscard]] const Generation* findGeneration(std::string_view name) const;
    [[nodiscard]] Band band(BandClass value) const;
};

[[nodiscard]] Result<PredictorParameters> predictorParametersFromJson(std::string_view name, std::string_view text);
[[nodiscard]] Result<PredictorParameters> loadPredictorParameters(const std::filesystem::path& file);

}  // namespace steelyard::advisor

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

// Efficiencies are fractions of a peak, times are seconds. "16 bit" includes TF32.
struct Constants {
    double conv1x1On16 = 0, convOn16 = 0, conv3x3On16 = 0, matMulOn16 = 0, batchedOn16 = 0;
    double conv1x1On32 = 0, convOn32 = 0, conv3x3On32 = 0, matMulOn32 = 0, batchedOn32 = 0;
    double recurrent = 0;
    double tf32Ratio = 0;
    double elementwiseBandwidth = 0, matrixBandwidth = 0, depthwiseBandwidth = 0;
    double launchSeconds = 0;            // on the device
    double launchPerMultiprocessor = 0;  // additional launch time per multiprocessor for matrix-like operations
    double eagerDispatchSeconds = 0;     // on the host per launch, eager execution
    double graphDispatchSeconds = 0;     // on the host per launch, graph execution
    double powerExponent = 0;
    double halfChannels = 0, halfReduction = 0;  // N and K at which half of the rate is reached
    double fusedTraffic = 0;                     // fraction of elementwise traffic remaining after fusion
};
struct ConstantField {
    std::string_view name;
    double Constants::*member;
    double low, high;  // bounds of the fit
};
[[nodiscard]] std::span<const ConstantField> constantFields();

enum class Dispatch { Eager, Graph, Captured };  // Captured: replayed by the device, without host work

struct SoftwareStack {
    std::string name;   // "ngc22"
    std::string title;  // "PyTorch, NVIDIA containers, 2022-25"
    double factor = 1;  // on the device's time
    Dispatch dispatch = Dispatch::Eager;
    bool fused = false;  // elementwise operations are fused with their neighbours
    bool fusedAttention = false;
    bool fitted = true;  // false: no measurements yet
    std::vector<std::string> sources;
};
inline constexpr std::string_view kThisEngine = "steelyard";
// The default: PyTorch as in the vendor's containers, the stack with the most published speeds.
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
    Anchored,  // two or more networks measured on the device with the same stack
    KnownStack,
    LaunchBound,
    UnknownStack,  // a published stack with an unknown factor
    Unmeasured,    // this program, or a vendor's devices, without any measurement
    OtherProcessor,
    Uncalibrated,  // TPUs and accelerators without published speeds
};
[[nodiscard]] std::string_view toString(BandClass value);

// Constants of processors; see step_model.h.
struct ProcessorConstants {
    double conv = 0, depthwise = 0, matMul = 0, recurrent = 0;  // fractions of the fp32 peak
    double bandwidth = 0;
    double halfReduction = 0;
    double operationSeconds = 0, operationSecondsPerThread = 0;
};

struct ProcessorField {
    std::string_view name;
    double ProcessorConstants::*member;
    double low, high;  // bounds of the fit
};
[[nodiscard]] std::span<const ProcessorField> processorFields();

// Published speed-up of n devices divided by n.
struct ParallelEfficiency {
    int devices = 2;
    Band convolutional, transformer;  // low: 10th percentile
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

// SPDX-License-Identifier: Apache-2.0
// Estimates the duration of a case from its plan and the known speed of the machine, including verification, process
// starts and slow first steps.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "engine/bench/measure/verification.h"
#include "engine/bench/protocol/stopping_rule.h"
#include "engine/bench/suite/suite.h"
#include "engine/compute/kernel_memory.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/decoder/language_workload.h"
#include "engine/model/resolve.h"
#include "engine/plan/plan.h"

namespace steelyard::bench {
namespace {

// An average core and graphics card of the last ten years; replaced by measured rates if available.
constexpr double kCoreFlops = 60e9, kCoreBytes = 6e9;
constexpr int kGuessedCores = 2;
constexpr double kCardFlops = 6e12, kCardBytes = 300e9;
constexpr double kReferenceBytes = 2e9;  // per core; the reference favours clarity over speed
// Fraction of the matrix-product rate that layers reach; speedup of narrow formats on a GPU.
constexpr double kMatrixEfficiency = 0.8, kNarrowGain = 3;
constexpr double kCpuStart = 4e-6, kCardLaunch = 8e-6;  // s, per operation

constexpr double kProcessSeconds = 0.25;   // starting a process, hardware detection, pre-flight (0.2 s)
constexpr double kPreflightSeconds = 0.2;  // of that, first visit only
constexpr double kProbeSeconds = 0.4;      // the probes of peak rate and bandwidth
constexpr double kWarmUpSeconds = 0.45;
constexpr double kLaterWarmUpSeconds = 0.2;     // of later visits
constexpr double kLeastSamplingSeconds = 0.25;  // one window between two probes of the machine state
constexpr double kDefaultNoise = 0.02;          // default
constexpr double kNoiseOfSteps = 0.02;          // additional noise of a network's steps compared with a large product
constexpr double kCompileSeconds = 0.001;       // per operation
constexpr double kValuesPerSecond = 250e6;      // weights and inputs, initialized
constexpr double kCheckedSteps = 12;            // of the backend: one compared, eleven for the loss
constexpr double kReferenceSteps = 1;           // plus two if a narrow precision is emulated
constexpr double kEmulatedSteps = 2;
constexpr double kTrialRuns = 36;            // over all candidates for one product
constexpr double kConvolutionTrialRuns = 8;  // of 3x3 convolutions, by Winograd or directly

struct Speed {
    double flops = 0, bytes = 0, start = 0;
};

const DeviceRates& ratesOf(const std::string& device, const AssumedRates& rates) {
    static const DeviceRates nothing;
    const auto found = rates.devices.find(device);
    return found == rates.devices.end() ? nothing : found->second;
}

Speed speedOf(const Case& spec, const AssumedRates& rates) {
    const auto& known = ratesOf(spec.device, rates);
    if (spec.device != "cpu" && spec.device != "reference") {
        const double gain = spec.precision == plan::Precision::Fp32 ? 1 : kNarrowGain;
        return {known.flopsPerSecond.value_or(kCardFlops) * gain * kMatrixEfficiency,
                known.bytesPerSecond.value_or(kCardBytes), kCardLaunch};
    }
    const double cores = rates.cores > 0 ? rates.cores : kGuessedCores;
    if (spec.device == "reference")
        return {known.flopsPerSecond.value_or(kReferenceFlopsPerSecond * cores),
                known.bytesPerSecond.value_or(kReferenceBytes * cores), 0};
    const double threads = spec.threads.value_or(static_cast<int>(cores));
    // Part of the cores; beyond their number each doubling doubles the time.
    const double share = threads <= cores ? threads / cores : cores / threads;
    return {known.flopsPerSecond.value_or(kCoreFlops * cores) * share * kMatrixEfficiency,
            known.bytesPerSecond.value_or(kCoreBytes * cores) * std::sqrt(share), kCpuStart};
}

double operationSeconds(const plan::Operation& op, const Speed& speed) {
    const double compute = 2 * op.macs / speed.flops;
    return std::max(compute, op.bytes / speed.bytes) + speed.start * static_cast<double>(op.sequentialSteps);
}

double stepSeconds(const plan::Plan& plan, const Speed& speed) {
    double sum = 0;
    for (const auto& op : plan.operations) sum += operationSeconds(op, speed);
    return sum;
}

// Most other convolutions are left to the library.
bool hasWinograd(const plan::Operation& op) {
    const auto* layer = std::get_if<model::Conv2d>(&op.layer);
    return layer != nullptr && layer->kernel == model::Size2d{3, 3} && layer->stride == model::Size2d{1, 1} &&
           layer->groups == 1;
}

double trialRuns(const plan::Operation& op) {
    switch (op.kind) {
        case plan::OperationKind::MatMul:
        case plan::OperationKind::Product:
            return kTrialRuns;
        case plan::OperationKind::Convolution:
            return hasWinograd(op) ? kConvolutionTrialRuns : 0;
        default:
            return 0;
    }
}

// One per shape, identified by its work.
double trialSeconds(const plan::Plan& plan, const Speed& speed) {
    std::set<std::tuple<plan::OperationKind, plan::Pass, double, double>> shapes;
    double sum = 0;
    for (const auto& op : plan.operations) {
        const double runs = trialRuns(op);
        if (runs > 0 && shapes.emplace(op.kind, op.pass, op.macs, op.bytes).second)
            sum += runs * operationSeconds(op, speed);
    }
    return sum;
}

// Selection time for steps whose fastest kernels are not cached.
double unknownTrialSeconds(const plan::Plan& plan, const Case& spec, const Speed& speed, const AssumedRates& rates) {
    const auto& known = ratesOf(spec.device, rates).knownSteps;
    const int threads = spec.threads.value_or(rates.cores > 0 ? rates.cores : kGuessedCores);
    if (!known || known->contains(compute::stepName(plan, threads, spec.kernels.value_or("auto")))) return 0;
    return trialSeconds(plan, speed);
}

// Initialization before the first step.
double initialSeconds(const plan::Plan& plan, const model::Graph& graph, const DeviceRates& rates) {
    auto values = static_cast<double>(graph.trainableParameters());
    for (const auto input : plan.inputs) values += static_cast<double>(plan.tensor(input).elements());
    return values / rates.valuesPerSecond.value_or(kValuesPerSecond);
}

double compileSeconds(const plan::Plan& plan, const model::Graph& graph, const DeviceRates& rates) {
    return kCompileSeconds * static_cast<double>(plan.operations.size()) + initialSeconds(plan, graph, rates);
}

double checkSeconds(const model::Graph& graph, plan::PlanOptions options, const Case& spec, const Speed& speed,
                    const AssumedRates& rates) {
    const auto batch = checkedBatch(graph, options, rates.cores > 0 ? rates.cores : kGuessedCores);
    if (!batch) return 0;  // not verified
    options.batch = *batch;
    const auto reduced = plan::lower(graph, options);
    if (!reduced) return 0;
    Case reference;
    reference.device = "reference";
    const double steps = options.mode == plan::Mode::Train ? kCheckedSteps : 1;
    const double references = kReferenceSteps + (options.precision == plan::Precision::Fp32 ? 0 : kEmulatedSteps);
    return references * stepSeconds(*reduced, speedOf(reference, rates)) + steps * stepSeconds(*reduced, speed) +
           6 * initialSeconds(*reduced, graph, ratesOf(spec.device, rates)) +
           kCompileSeconds * static_cast<double>(reduced->operations.size()) +
           unknownTrialSeconds(*reduced, spec, speed, rates);
}

// Until the interval is narrow or the noise is known; the current sample at the cap is completed.
double samplingSeconds(const Protocol& protocol, double step, std::optional<double> noise) {
    const double cap = protocol.timeCap.value() / std::max(1, protocol.visits);
    if (protocol.sustained) return std::max(cap, step);
    const StoppingLimits limits;
    const double sample = std::max(step, kMinimumSampleSeconds);
    const double halfWidth = protocol.precise ? kPreciseHalfWidth : limits.relativeHalfWidth;
    const double noiseOfStep = std::hypot(noise.value_or(kDefaultNoise), kNoiseOfSteps);
    const double precise = samplesUntilPrecise(noiseOfStep, halfWidth) * sample;
    const double stable = std::max(kSamplesUntilStable * sample, cap / 4);
    const double least = static_cast<double>(limits.minimumSamples) * sample;
    return std::min(std::max({least, kLeastSamplingSeconds, std::min(precise, stable)}), cap + step);
}

// Size and work of a language model's step.
struct LanguageSize {
    double weights = 1.2e9, head = 2.6e8, layers = 16;  // counts; weights include the head
    double bytes = 0.7e9;                               // as stored
    double stepFlops = 0, stepBytes = 0;
};

std::optional<LanguageSize> sizeOf(const Case& spec, const model::DecoderTable* decoders) {
    const auto name = model::parseLanguageName(spec.workload);
    if (!name) return std::nullopt;
    static const model::DecoderTable none;
    const auto known = model::resolveDecoder(decoders != nullptr ? *decoders : none, name->model);
    LanguageSize size;
    double read = size.bytes, cachePerToken = 32e3;
    if (known) {
        const auto& model = known->spec;
        const auto* scheme = name->isFile() ? nullptr : model::findWeightScheme(name->weights);
        const auto counts = model::parametersOf(model);
        size.head = static_cast<double>(model.vocabulary) * static_cast<double>(model.width);
        size.weights = counts.activeMatrices + size.head;
        size.layers = static_cast<double>(model.layers);
        if (scheme != nullptr) {
            const auto bytes = model::weightBytes(model, *scheme);
            size.bytes = bytes.total;
            read = bytes.readPerToken;
        } else {
            size.bytes = known->fileWeightBytes.value_or(size.bytes);
            read = known->fileReadPerToken.value_or(size.bytes);
        }
        cachePerToken = model::cacheBytesPerToken(model, name->cache);
    }
    const auto batch = static_cast<double>(spec.batch), prompt = static_cast<double>(name->prompt);
    const double perToken = 2 * size.weights * batch;
    const auto decode = [&](double steps, double context) {
        size.stepFlops += steps * perToken;
        size.stepBytes += steps * (read + batch * context * cachePerToken);
    };
    if (name->task == model::LanguageTask::Decode) {
        decode(1, static_cast<double>(name->context));
        return size;
    }
    size.stepFlops += prompt * perToken;
    size.stepBytes += read;
    if (name->task == model::LanguageTask::Generate) decode(static_cast<double>(name->tokens), prompt);
    return size;
}

CaseEstimate estimateLanguage(const Case& spec, const Protocol& protocol, const AssumedRates& rates) {
    constexpr double kDrawingSeconds = 0.4, kRepackedBytesPerSecond = 1.5e9;  // with two cores
    // The exact decoder: weights per second, and passes over the verified layers per sequence.
    constexpr double kExactWeights = 250e6, kExactPasses = 2, kCheckedWeights = 0.3e9, kFewestLayers = 2;
    constexpr double kReadingSeconds = 0.05;  // of the bandwidth, before and after the windows
    constexpr double kWideGain = 1.5;         // speedup of 8-bit products over float32
    const auto size = sizeOf(spec, rates.decoders.get());
    if (!size) return {};
    const auto speed = speedOf(spec, rates);
    CaseEstimate result;
    result.start = kProcessSeconds + kProbeSeconds;
    const double repacking = size->bytes / kRepackedBytesPerSecond;
    result.compile = kDrawingSeconds + repacking;
    const double perLayer = (size->weights - size->head) / size->layers;
    const double layers =
        std::clamp(std::floor((kCheckedWeights - size->head) / perLayer), kFewestLayers, size->layers);
    const double sequences = spec.batch > 1 ? 2 : 1;
    if (protocol.verify) result.check = sequences * kExactPasses * (size->head + layers * perLayer) / kExactWeights;
    result.step = std::max(size->stepFlops / (kWideGain * speed.flops), size->stepBytes / speed.bytes);
    result.warmUp = std::max(3 * result.step, std::min(kWarmUpSeconds, std::max(0.3, protocol.timeCap.value() / 5)));
    result.sampling = samplingSeconds(protocol, result.step, {});
    if (spec.device == "cpu") result.sampling += 2 * kReadingSeconds;
    result.laterVisits =
        std::max(0, protocol.visits - 1) * (kProcessSeconds - kPreflightSeconds + kDrawingSeconds + repacking +
                                            std::max(3 * result.step, kLaterWarmUpSeconds) + result.sampling);
    if (protocol.profile) result.sampling += std::max(4 * result.step, std::min(2.0, protocol.timeCap.value()));
    return result;
}

}  // namespace

CaseEstimate estimateCase(const Case& spec, const Protocol& protocol, const AssumedRates& rates) {
    const auto workload = model::resolveWorkload(spec.workload);
    if (!workload) return {};
    if (model::isLanguageName(spec.workload)) return estimateLanguage(spec, protocol, rates);
    const auto graph = workload->build();
    if (!graph) return {};
    const plan::PlanOptions options{spec.mode, spec.batch, spec.precision, workload->optimizer};
    const auto plan = plan::lower(*graph, options);
    if (!plan) return {};

    CaseEstimate result;
    result.start = kProcessSeconds;
    const double cap = protocol.timeCap.value();
    if (spec.part == Part::Pipeline) {  // nothing is compiled
        result.warmUp = kWarmUpSeconds;
        result.sampling = cap / std::max(1, protocol.visits) / 4;
        result.laterVisits = std::max(0, protocol.visits - 1) * (result.start + result.warmUp + result.sampling);
        return result;
    }
    const auto& known = ratesOf(spec.device, rates);
    if (known.memoryBytes && plan->memory.total().value() > *known.memoryBytes) return result;  // fails at once
    result.start += kProbeSeconds;
    const auto speed = speedOf(spec, rates);
    result.step = stepSeconds(*plan, speed);
    const double compile = compileSeconds(*plan, *graph, known);
    result.compile = compile + unknownTrialSeconds(*plan, spec, speed, rates);
    if (protocol.verify && spec.device != "reference") result.check = checkSeconds(*graph, options, spec, speed, rates);
    // At least three steps and 0.3 s, then until two windows agree; at most a fifth of the cap, or the first steps.
    result.warmUp = std::max(3 * result.step, std::min(kWarmUpSeconds, std::max(0.3, cap / 5)));
    result.sampling = samplingSeconds(protocol, result.step, known.noise);
    // No verification, probes or kernel selection.
    const double laterWarmUp = std::max(3 * result.step, kLaterWarmUpSeconds);
    result.laterVisits = std::max(0, protocol.visits - 1) *
                         (kProcessSeconds - kPreflightSeconds + compile + laterWarmUp + result.sampling);
    if (protocol.profile) result.sampling += compile + std::max(4 * result.step, std::min(2.0, cap));
    return result;
}

double estimateSeconds(const Case& spec, const Protocol& protocol, const AssumedRates& rates) {
    return estimateCase(spec, protocol, rates).total();
}

double estimateSeconds(const std::vector<Case>& cases, std::optional<Seconds> timeBudget, const Protocol& protocol,
                       const AssumedRates& rates) {
    double sum = 0, omissible = 0;
    for (const auto& spec : cases) {
        const auto estimate = estimateCase(spec, protocol, rates);
        sum += estimate.total();
        if (protocol.visits > kLeastVisits)
            omissible += estimate.laterVisits * (protocol.visits - kLeastVisits) / (protocol.visits - 1);
    }
    if (!timeBudget) return sum;
    return std::clamp(timeBudget->value(), sum - omissible, sum);
}

}  // namespace steelyard::bench

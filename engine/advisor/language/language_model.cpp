// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/advisor/language/language_anchors.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/messages/core.h"
#include "engine/core/messages/model.h"
#include "engine/model/nearest_name.h"

namespace steelyard::advisor {
namespace {

using catalog::HardwareClass;
using catalog::HardwareSpec;
using model::WeightCost;

constexpr double kGib = 1073741824;
// llama.cpp's compute buffer: a micro-batch of 512 tokens, fp32 logits and states (log lines: 258.5 MiB for Llama 3 8B,
// 70.5 for Llama 2 7B).
constexpr double kPieceBytes = 512 * 4;
// CUDA context and library handles on a card, as shown by nvidia-smi for an idle process; an assumption.
constexpr double kDriverBytes = 0.4 * kGib;
// Maximum FLOPs per core and cycle; wider units lower their clock (the fit's rule).
constexpr double kWidestCycle = 32;
constexpr std::string_view kLlamaCpp = "llamacpp";
constexpr double kMostContext = 1 << 24, kMostBatch = 1 << 16;

double figureOr0(const std::optional<catalog::Figure>& figure) {
    return figure ? figure->value : 0;
}

bool has(const std::optional<std::string>& text, std::string_view part) {
    return text && text->find(part) != std::string::npos;
}

std::optional<LanguageDeviceClass> classOf(const HardwareSpec& spec) {
    const bool hbm = has(spec.memoryType, "HBM");
    const bool shared = spec.hardwareClass == HardwareClass::UnifiedSoc ||
                        spec.hardwareClass == HardwareClass::EdgeSoc ||
                        spec.hardwareClass == HardwareClass::IntegratedGpu;
    if (spec.hardwareClass == HardwareClass::Tpu || spec.hardwareClass == HardwareClass::DatacenterAccelerator)
        return std::nullopt;
    // A processor, by instruction set; the figures of Snapdragon are those of its CPU.
    if (spec.isCpu() || (shared && has(spec.simd, "NEON")))
        return has(spec.simd, "NEON") || has(spec.simd, "SVE") ? LanguageDeviceClass::CpuArm
                                                               : LanguageDeviceClass::CpuX86;
    if (spec.vendor == "Apple") return LanguageDeviceClass::Apple;
    if (spec.vendor == "NVIDIA")
        return shared ? LanguageDeviceClass::NvidiaUnified
               : hbm  ? LanguageDeviceClass::NvidiaHbm
                      : LanguageDeviceClass::NvidiaGddr;
    if (spec.vendor == "AMD")
        return shared ? LanguageDeviceClass::Apu : hbm ? LanguageDeviceClass::AmdHbm : LanguageDeviceClass::Amd;
    if (spec.vendor == "Intel") return shared ? LanguageDeviceClass::Apu : LanguageDeviceClass::Intel;
    return std::nullopt;
}

// "Apple M4 Max 40-core GPU": 4.
int appleGeneration(std::string_view name) {
    const auto at = name.find("Apple M");
    if (at == std::string_view::npos || at + 7 >= name.size()) return 0;
    const char digit = name[at + 7];
    return digit >= '1' && digit <= '9' ? digit - '0' : 0;
}

void readProcessor(const HardwareSpec& spec, LanguageDevice& device) {
    device.cores = device.threads = figureOr0(spec.cores);
    const double base = figureOr0(spec.baseHertz), boost = figureOr0(spec.boostHertz);
    double rate = figureOr0(spec.fp32Flops);
    double cycle = kWidestCycle;
    if (base > 0 && device.cores > 0) {
        const double clock = boost > base ? base + (boost - base) / 3 : base;
        cycle = rate > 0 ? rate / (device.cores * base) : kWidestCycle;
        rate = device.cores * clock * cycle;
    }
    device.fp32Flops = rate;
    device.matrixFlops = rate * std::min(1.0, kWidestCycle / cycle);
}

void readNvidia(const HardwareSpec& spec, LanguageDevice& device) {
    const auto& capability = spec.computeCapability;
    device.halfLanes = capability == "7.0" || capability == "7.5" || capability == "8.0";
    device.noDot4 = capability == "6.0";
    const auto& chip = spec.architecture;
    device.oldChip = !device.noDot4 && (chip == "Pascal" || chip == "Maxwell" || chip == "Kepler");
    device.noPowerCap = capability == "8.0";
    double number = 0;
    const auto* end = capability ? capability->data() + capability->size() : nullptr;
    if (capability && std::from_chars(capability->data(), end, number).ptr == end) device.capability = number;
}

// The largest context (or batch) allowed by `needed`, by bisection: it is monotonic.
template <typename Needed>
double largest(double available, double most, const Needed& needed) {
    if (needed(1) > available) return 0;
    double low = 1, high = most;
    if (needed(high) <= available) return high;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (needed(middle) <= available ? low : high) = middle;
    }
    return low;
}

// What fits into the given memory.
void judgeMemory(const LanguageJob& job, bool isDiscreteGpu, const std::optional<double>& usable,
                 LanguagePrediction& result) {
    result.memory = languageMemory(job, isDiscreteGpu);
    result.availableBytes = usable;
    if (!usable) return;
    const auto needed = result.memory.total();
    result.fits = needed <= *usable ? Fits::Yes : Fits::No;
    result.largestContext = largest(*usable, kMostContext, [&](double context) {
        auto other = job;
        other.context = context;
        other.depth = 0;
        return languageMemory(other, isDiscreteGpu).total();
    });
    result.largestBatch = largest(*usable, kMostBatch, [&](double batch) {
        auto other = job;
        other.batch = batch;
        return languageMemory(other, isDiscreteGpu).total();
    });
    const auto layers = static_cast<double>(job.model.spec.layers);
    const double fixed = result.memory.working + result.memory.context;
    const double each = (result.memory.weights + result.memory.cache) / layers;
    result.layersOnDevice = std::clamp(std::floor((*usable - fixed) / each), 0.0, layers);
}

}  // namespace

std::string_view toString(LanguageMode mode) {
    return mode == LanguageMode::Decode ? "decode" : "prefill";
}

std::string_view toString(LanguageRefusal refusal) {
    switch (refusal) {
        case LanguageRefusal::None:
            return "none";
        case LanguageRefusal::NotAModelledDevice:
            return "not_a_modelled_device";
        case LanguageRefusal::ComputeRateUnknown:
            return "compute_rate_unknown";
        case LanguageRefusal::BandwidthUnknown:
            return "bandwidth_unknown";
        case LanguageRefusal::StackNotForDevice:
            return "software_not_for_device";
        case LanguageRefusal::CardTooOld:
            return "card_too_old";
        case LanguageRefusal::NoPrefillRows:
            return "no_prefill_rows";
        case LanguageRefusal::ThisEngine:
            return "this_engine";
    }
    return "none";
}

Message messageOf(LanguageRefusal refusal) {
    switch (refusal) {
        case LanguageRefusal::None:
            return {};
        case LanguageRefusal::NotAModelledDevice:
            return messages::languageAccelerator();
        case LanguageRefusal::ComputeRateUnknown:
            return messages::languageNoRate();
        case LanguageRefusal::BandwidthUnknown:
            return messages::languageNoBandwidth();
        case LanguageRefusal::StackNotForDevice:
            return messages::languageOtherDevice();
        case LanguageRefusal::CardTooOld:
            return messages::languageCardTooOld();
        case LanguageRefusal::NoPrefillRows:
            return messages::languageNoPrefill();
        case LanguageRefusal::ThisEngine:
            return messages::languageThisEngine();
    }
    return {};
}

std::string englishText(LanguageRefusal refusal) {
    return messageOf(refusal).text;
}

LanguageJob sized(LanguageJob job) {
    job.countedBytes = job.weightBytes();
    job.countedMatrices = model::parametersOf(job.model.spec).activeMatrices;
    return job;
}

model::WeightBytes LanguageJob::weightBytes() const {
    if (countedBytes) return *countedBytes;
    // A file has a single format; requesting another one would be a conversion.
    const bool asStored = model.fileWeightBytes && (model.fileScheme.empty() || model.fileScheme == weights->name);
    if (asStored)
        return {*model.fileWeightBytes, model.fileReadPerToken.value_or(0), model.fileExpertsPerToken.value_or(0)};
    return model::weightBytes(model.spec, *weights);
}

Result<const model::WeightScheme*> weightsOfJob(const model::ResolvedDecoder& model, std::string_view weights) {
    if (weights.empty()) weights = model.fileScheme.empty() ? std::string_view("q4_k_m") : model.fileScheme;
    if (const auto* scheme = model::findWeightScheme(weights)) return scheme;
    std::string known;
    for (const auto& scheme : model::weightSchemes()) known += (known.empty() ? "" : ", ") + std::string(scheme.name);
    return fail(ErrorKind::InvalidArgument, "--weights", model::messages::unknownWeights(weights, known));
}

LanguageMemory languageMemory(const LanguageJob& job, bool isDiscreteGpu) {
    LanguageMemory memory;
    const auto& spec = job.model.spec;
    memory.weights = job.weightBytes().total;
    memory.cache = job.batch * model::cacheBytes(spec, job.context + job.depth, job.cache);
    memory.working = kPieceBytes * static_cast<double>(spec.vocabulary + spec.width);
    memory.context = driverBytes(isDiscreteGpu);
    return memory;
}

double driverBytes(bool isDiscreteGpu) {
    return isDiscreteGpu ? kDriverBytes : 0;
}

std::optional<LanguageTarget> languageTarget(const HardwareSpec& spec, LanguageRefusal& refusal) {
    const auto refuse = [&](LanguageRefusal why) {
        refusal = why;
        return std::nullopt;
    };
    const auto deviceClass = classOf(spec);
    if (!deviceClass) return refuse(LanguageRefusal::NotAModelledDevice);
    LanguageTarget target;
    target.id = target.deviceId = spec.id;
    target.name = spec.name;
    target.lowTrust = spec.lowTrust;
    auto& device = target.device;
    device.deviceClass = *deviceClass;
    device.architecture = isCpu(*deviceClass)                      ? ""
                          : spec.architecture == "Blackwell Ultra" ? "Blackwell"
                                                                   : spec.architecture;
    device.bytesPerSecond = figureOr0(spec.memoryBytesPerSecond);
    device.tdpWatts = figureOr0(spec.tdpWatts);
    if (isCpu(*deviceClass)) {
        readProcessor(spec, device);
    } else {
        device.fp32Flops = figureOr0(spec.fp32Flops);
        device.matrixFlops = figureOr0(spec.fp16AccumulateFp16Flops);
        if (device.matrixFlops == 0)
            device.matrixFlops = std::max(figureOr0(spec.fp16Flops), figureOr0(spec.bf16Flops));
        if (device.matrixFlops == 0 || *deviceClass == LanguageDeviceClass::Apple)
            device.matrixFlops = device.fp32Flops;
        device.trainingFlops = std::max({figureOr0(spec.bf16Flops), figureOr0(spec.fp16Flops), device.fp32Flops});
        if (*deviceClass == LanguageDeviceClass::Apple) device.trainingFlops = device.fp32Flops;
        if (isNvidia(*deviceClass)) readNvidia(spec, device);
        device.appleM3 = *deviceClass == LanguageDeviceClass::Apple && appleGeneration(spec.name) >= 3;
    }
    if (device.fp32Flops == 0) return refuse(LanguageRefusal::ComputeRateUnknown);
    if (device.bytesPerSecond == 0) return refuse(LanguageRefusal::BandwidthUnknown);
    const bool shared = isCpu(*deviceClass) || *deviceClass == LanguageDeviceClass::Apple ||
                        *deviceClass == LanguageDeviceClass::Apu || *deviceClass == LanguageDeviceClass::NvidiaUnified;
    target.isDiscreteGpu = !shared;
    if (spec.memoryBytes) setMemory(target, spec.memoryBytes->value);
    return target;
}

void setMemory(LanguageTarget& target, double bytes) {
    target.memoryBytes = bytes;
    target.usableBytes = bytes * (target.isDiscreteGpu ? 1 : bytes <= 36 * kGib ? 2.0 / 3 : 0.75);
}

LanguageWork languageWork(const LanguageJob& job, const LanguageParameters& parameters) {
    const auto& spec = job.model.spec;
    const auto bytes = job.weightBytes();
    LanguageWork work;
    work.readBytes = bytes.readPerToken;
    work.expertBytes = bytes.expertsPerToken;
    work.activeWeights = job.countedMatrices ? *job.countedMatrices : model::parametersOf(spec).activeMatrices;
    work.cacheBytesPerToken = model::cacheBytesPerToken(spec, job.cache);
    work.layers = work.cacheLayers = static_cast<double>(spec.layers);
    work.heads = static_cast<double>(spec.heads);
    work.kvHeads = static_cast<double>(spec.kvHeads);
    work.headDimension = spec.isLatent()
                             ? static_cast<double>(spec.latentPlain + spec.latentRotary + spec.latentValue) / 2
                             : static_cast<double>(spec.headDimension);
    work.window = static_cast<double>(spec.window);
    work.globalShare = static_cast<double>(spec.globalLayers()) / work.layers;
    work.experts = static_cast<double>(spec.experts);
    work.activeExperts = static_cast<double>(spec.activeExperts);
    const auto& scheme = *job.weights;
    work.cost = scheme.cost;
    work.slowOnCpu = std::ranges::find(parameters.slowOnCpuWeights, scheme.name) != parameters.slowOnCpuWeights.end();
    work.isBf16 = scheme.name == "bf16";
    work.isNf4 = scheme.name.starts_with("nf4");
    work.isDequantised = scheme.name == "int8" || scheme.name == "awq4";
    return work;
}

std::string_view usualStack(LanguageDeviceClass value) {
    switch (value) {
        case LanguageDeviceClass::NvidiaGddr:
        case LanguageDeviceClass::NvidiaHbm:
        case LanguageDeviceClass::NvidiaUnified:
            return "llamacpp_cuda";
        case LanguageDeviceClass::Amd:
        case LanguageDeviceClass::AmdHbm:
            return "llamacpp_rocm";
        case LanguageDeviceClass::Intel:
            return "llamacpp_sycl";
        case LanguageDeviceClass::Apu:
            return "llamacpp_vulkan";
        case LanguageDeviceClass::Apple:
            return "llamacpp_metal";
        case LanguageDeviceClass::CpuX86:
        case LanguageDeviceClass::CpuArm:
            return "llamacpp_cpu";
    }
    return "llamacpp_cuda";
}

Result<const LanguageStack*> languageStack(const LanguageParameters& parameters, std::string_view software) {
    if (software.empty() || software == kLlamaCpp) return nullptr;
    if (const auto* stack = parameters.findStack(software)) return stack;
    std::vector<std::string_view> known{kLlamaCpp};
    for (const auto& entry : parameters.stacks) known.push_back(entry.id);
    return fail(ErrorKind::InvalidArgument, "--software",
                messages::unknownLanguageSoftware(software, model::nearestName(software, known)));
}

LanguagePrediction predictOn(const LanguageJob& job, const LanguageTarget& target, const LanguageStack& stack,
                             const LanguageParameters& parameters) {
    LanguagePrediction result;
    result.id = target.id;
    result.name = target.name;
    result.software = stack.id;
    result.memory = languageMemory(job, target.isDiscreteGpu);
    judgeMemory(job, target.isDiscreteGpu, target.usableBytes, result);
    const bool prefill = job.mode == LanguageMode::Prefill;
    const auto refuse = [&](LanguageRefusal why) {
        result.refusal = why;
        return result;
    };
    if (stack.isTooOld(target.device)) return refuse(LanguageRefusal::CardTooOld);
    if (!stack.runsOn(target.device))
        return refuse(stack.id == kThisEngine ? LanguageRefusal::ThisEngine : LanguageRefusal::StackNotForDevice);
    if (prefill && !stack.prefillShare) return refuse(LanguageRefusal::NoPrefillRows);

    const auto work = languageWork(job, parameters);
    LanguageConditions conditions;
    conditions.batch = prefill ? 1 : job.batch;
    if (prefill) {
        conditions.prompt = job.context;
        conditions.depth = job.depth;
        result.parts = prefillParts(parameters, stack, target.device, work, conditions);
    } else {
        conditions.context = job.context;
        result.parts = decodeParts(parameters, stack, target.device, work, conditions);
    }
    const double tokens = prefill ? job.context : job.batch;
    const double speed = tokens / result.parts.seconds;
    result.boundTokensPerSecond = tokens / result.parts.bound;
    // No rows with latent attention were fitted.
    const bool latent = job.model.spec.isLatent();
    result.band = latent ? "stack_unknown" : languageBandName(target.device.deviceClass, stack, prefill);
    const auto& bands = prefill ? parameters.prefillBands : parameters.decodeBands;
    const auto band = bands.at(result.band);
    result.tokensPerSecond = {
        .low = speed * std::min(1.0, band.low),
        .median = speed,
        .high = std::min(speed * std::max(1.0, band.high), std::max(speed, result.boundTokensPerSecond))};
    const bool otherMaker = result.band == "amd_intel" || result.band == "apu";
    result.lowConfidence = target.lowTrust || result.band == "stack_unknown" || stack.devicesSeen < 2 ||
                           (prefill && (isCpu(target.device.deviceClass) || otherMaker)) ||
                           (conditions.batch > 1);  // shown on one device only
    return result;
}

Result<ChosenDevices> chosenDevices(const catalog::Catalog& catalog, const std::vector<std::string>& only,
                                    const std::vector<LanguageTarget>& own) {
    ChosenDevices chosen;
    if (only.empty()) {
        for (const auto& target : own) chosen.own.push_back(&target);
        for (const auto& spec : catalog.hardware) chosen.catalogued.push_back(&spec);
        return chosen;
    }
    for (const auto& id : only) {
        const auto named = std::ranges::find(own, id, &LanguageTarget::id);
        if (named != own.end()) {
            chosen.own.push_back(&*named);
            continue;
        }
        const auto* spec = catalog.findHardware(id);
        if (spec == nullptr) {
            std::vector<std::string_view> known;
            for (const auto& entry : own) known.push_back(entry.id);
            for (const auto& entry : catalog.hardware) known.push_back(entry.id);
            return fail(ErrorKind::NotFound, id, messages::unknownDevice(id, model::nearestName(id, known)));
        }
        chosen.catalogued.push_back(spec);
    }
    return chosen;
}

namespace {

LanguagePrediction refusedPrediction(const LanguageJob& job, const HardwareSpec& spec, LanguageRefusal refusal,
                                     const LanguageRequest& request) {
    LanguagePrediction refused;
    refused.id = spec.id;
    refused.name = spec.name;
    refused.refusal = refusal;
    std::optional<double> memory = request.memoryBytes;
    if (!memory && spec.memoryBytes) memory = spec.memoryBytes->value;
    if (memory) memory = *memory * request.count;
    judgeMemory(job, spec.isGpu(), memory, refused);
    return refused;
}

}  // namespace

Result<std::vector<LanguagePrediction>> predictLanguage(const LanguageJob& uncounted, const catalog::Catalog& catalog,
                                                        const LanguageParameters& parameters,
                                                        const LanguageRequest& request) {
    const auto job = sized(uncounted);
    ASSIGN(const auto* stack, languageStack(parameters, request.software));
    ASSIGN(const auto chosen, chosenDevices(catalog, request.only, request.own));
    std::vector<LanguagePrediction> predictions;
    predictions.reserve(chosen.own.size() + chosen.catalogued.size());
    const auto predict = [&](LanguageTarget target, const LanguageStack& software) {
        if (request.memoryBytes) target.memoryBytes = target.usableBytes = request.memoryBytes;
        if (target.usableBytes) target.usableBytes = *target.usableBytes * request.count;
        if (request.bytesPerSecond) target.device.bytesPerSecond = *request.bytesPerSecond;
        auto& prediction = predictions.emplace_back(predictOn(job, target, software, parameters));
        if (prediction.hasSpeed()) applyAnchors(job, target, software, parameters, request.anchors, prediction);
    };
    const auto usualOf = [&](const LanguageTarget& target) -> const LanguageStack& {
        return stack != nullptr ? *stack : *parameters.findStack(usualStack(target.device.deviceClass));
    };
    for (const auto* own : chosen.own) {
        const bool here = request.software.empty() && isCpu(own->device.deviceClass);
        const auto* engine = here ? parameters.findStack(kThisEngine) : nullptr;
        predict(*own, engine != nullptr ? *engine : usualOf(*own));
    }
    for (const auto* spec : chosen.catalogued) {
        auto refusal = LanguageRefusal::None;
        if (auto target = languageTarget(*spec, refusal))
            predict(*target, usualOf(*target));
        else
            predictions.push_back(refusedPrediction(job, *spec, refusal, request));
    }
    return predictions;
}

FineTuningMemory fineTuningMemory(const model::DecoderSpec& spec, const FineTuning& tuning) {
    using Method = FineTuning::Method;
    FineTuningMemory memory;
    const auto counts = model::parametersOf(spec);
    const bool full = tuning.method == Method::Full || tuning.method == Method::FullBf16;
    memory.trained = full ? counts.total : model::loraParameters(spec, tuning.rank, tuning.targets);
    memory.optimiser = memory.trained * (tuning.method == Method::FullBf16 ? 8 : 16);
    if (tuning.method == Method::Lora) memory.base = 2 * counts.total;
    if (tuning.method == Method::Qlora)
        memory.base = model::weightBytes(spec, *model::findWeightScheme("nf4_double")).total;
    const auto layers = static_cast<double>(spec.layers), width = static_cast<double>(spec.width);
    // Elements of two bytes that a layer keeps for a token: its input, and without checkpointing also both norms,
    // query, key, value, attention's output, and gate, up and product of the feed-forward part.
    const auto inner = static_cast<double>(
        spec.hasExperts() ? spec.activeExperts * spec.expertWidth + spec.sharedExpertWidth : spec.feedForward);
    const auto heads = static_cast<double>(spec.headDimension) *
                       (2 * static_cast<double>(spec.heads) + 2 * static_cast<double>(spec.kvHeads));
    const double kept = 3 * width + heads + 4 * inner;
    memory.activations = 2 * tuning.tokens * (tuning.checkpointing ? layers * width + kept : layers * kept);
    memory.logits = 14 * static_cast<double>(spec.vocabulary) * tuning.tokens;
    return memory;
}

}  // namespace steelyard::advisor

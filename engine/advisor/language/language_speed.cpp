// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_speed.h"

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {
namespace {

using model::WeightCost;

constexpr double kMicro = 1e-6;
// For a stack unknown to the fit.
constexpr double kUnknownLayerMicroseconds = 80, kUnknownPrefillShare = 0.5;
// Fraction of the specified memory bandwidth reached by reads on servers and desktop machines (STREAM).
constexpr double kReadOfPaper = 0.8;
// llama.cpp's micro-batch of prompt tokens.
constexpr double kPiece = 512;

const DecodeFamily& decodeFamily(const LanguageParameters& p, LanguageDeviceClass value) {
    if (value == LanguageDeviceClass::Apple) return p.metal;
    return isCpu(value) ? p.cpu : p.gpu;
}

const PrefillFamily& prefillFamily(const LanguageParameters& p, LanguageDeviceClass value) {
    if (value == LanguageDeviceClass::Apple) return p.prefillMetal;
    if (isCpu(value)) return p.prefillCpu;
    return isNvidia(value) ? p.prefillCuda : p.prefillOther;
}

bool isHbm(LanguageDeviceClass value) {
    return value == LanguageDeviceClass::NvidiaHbm || value == LanguageDeviceClass::AmdHbm;
}

// Attended tokens, averaged over layers with and without a window.
double seen(const LanguageWork& work, double context) {
    if (work.window <= 0) return context;
    return context * work.globalShare + std::min(context, work.window) * (1 - work.globalShare);
}

double threadShare(const LanguageDevice& device) {
    return isCpu(device.deviceClass) && device.cores > 0 ? device.threads / device.cores : 1;
}

double launchSeconds(const LanguageParameters& p, const LanguageStack& stack, const LanguageDevice& device,
                     const LanguageWork& work) {
    double seconds = 0;
    if (isCpu(device.deviceClass)) {
        seconds = work.layers * p.cpuLayerMicroseconds * kMicro * std::pow(device.threads / 16, p.cpuThreadExponent);
    } else {
        seconds = work.layers * stack.layerMicroseconds.value_or(kUnknownLayerMicroseconds) * kMicro;
        if (isHbm(device.deviceClass) && !stack.hostBound) seconds *= p.hbmLayers;
        if (stack.hostBound && work.isNf4) seconds *= p.transformersNf4;
        if (stack.hostBound && work.isDequantised) seconds *= p.transformersDequantised;
    }
    return work.experts > 0 ? seconds * p.expertLayers : seconds;
}

double unpackingCost(const LanguageParameters& p, const LanguageStack& stack, const LanguageDevice& device,
                     const LanguageWork& work) {
    double cost = decodeFamily(p, device.deviceClass).weightCost[static_cast<std::size_t>(work.cost)];
    if (isCpu(device.deviceClass) && work.slowOnCpu) cost = p.slowOnCpu;
    cost *= stack.decodeCost;
    if (device.halfLanes) cost *= p.halfLanes;
    if (device.oldChip && work.cost != WeightCost::Bits16) cost *= p.oldChips;
    if (device.noDot4 && stack.isLlamaCpp()) cost *= p.noDot4;
    if (device.appleM3) cost *= p.appleM3;
    return cost;
}

double cacheSeconds(const LanguageParameters& p, const LanguageStack& stack, const LanguageDevice& device,
                    const LanguageWork& work, const LanguageConditions& conditions) {
    const auto& family = decodeFamily(p, device.deviceClass);
    double bytes = work.cacheBytesPerToken * seen(work, conditions.context) * conditions.batch;
    if (!isCpu(device.deviceClass) && !conditions.flashAttention) bytes *= work.heads / work.kvHeads;
    const double share = stack.cacheShare            ? *stack.cacheShare
                         : stack.isIk()              ? p.cacheShareIk
                         : conditions.flashAttention ? family.cacheShareFlash
                                                     : family.cacheShare;
    return bytes / (device.bytesPerSecond * share);
}

// Additional expert weights read by several streams compared with one.
double expertGrowth(const LanguageParameters& p, const LanguageWork& work, double batch) {
    if (work.experts <= 0 || batch <= 1) return 1;
    const double touched = work.experts * (1 - std::pow(1 - work.activeExperts / work.experts, batch));
    return std::pow(std::max(1.0, touched / work.activeExperts), p.expertOverlap);
}

// Factor of x for the cost of quantised weights.
double quantisedFactor(const LanguageParameters& p, const LanguageStack& stack, const LanguageDevice& device,
                       const LanguageWork& work) {
    if (work.cost == WeightCost::Bits16) return 1;
    if (!isCpu(device.deviceClass)) {
        // All their rows have four bits: it is part of their share.
        if (stack.id == "mlx" || stack.id == "exllama") return 1;
        return prefillFamily(p, device.deviceClass).quantisedFactor;
    }
    if (stack.isIk()) return p.cpuIk;
    if (stack.isTuned()) return p.cpuTuned;
    if (work.slowOnCpu) return device.deviceClass == LanguageDeviceClass::CpuX86 ? p.cpuSlowX86 : p.cpuSlowArm;
    if (work.cost == WeightCost::Bits8) return p.cpuBits8;
    return work.cost == WeightCost::Bits4Simple ? p.cpuBits4Simple : p.cpuBits4Nested;
}

}  // namespace

LanguageParts decodeParts(const LanguageParameters& p, const LanguageStack& stack, const LanguageDevice& device,
                          const LanguageWork& work, const LanguageConditions& conditions) {
    LanguageParts parts;
    const auto found = p.bandwidthShare.find(device.deviceClass);
    double share = (found == p.bandwidthShare.end() ? 1 : found->second) * stack.bandwidthFactor;
    if (device.deviceClass == LanguageDeviceClass::NvidiaHbm && stack.isLlamaCpp()) share *= p.llamaCppHbm;
    if (device.measuredBandwidth) share = stack.readShare.value_or(std::min(1.0, share / kReadOfPaper));
    const double bytes = work.readBytes + work.expertBytes * (expertGrowth(p, work, conditions.batch) - 1);
    parts.memory = bytes / (device.bytesPerSecond * share);
    parts.compute =
        work.activeWeights * unpackingCost(p, stack, device, work) / (device.fp32Flops * threadShare(device));
    parts.cache = cacheSeconds(p, stack, device, work, conditions);
    parts.launch = launchSeconds(p, stack, device, work);
    const double weights = std::hypot(parts.memory, parts.compute) + parts.cache;
    parts.seconds =
        stack.hostBound ? std::pow(std::pow(weights, 4) + std::pow(parts.launch, 4), 0.25) : weights + parts.launch;
    if (conditions.batch > 1) {
        auto prompt = conditions;
        prompt.prompt = kPiece;
        prompt.depth = 0;
        parts.seconds +=
            p.beta * (conditions.batch - 1) * prefillParts(p, stack, device, work, prompt).seconds / kPiece;
    }
    parts.bound = bytes / device.bytesPerSecond;
    parts.seconds = std::max(parts.seconds, parts.bound);
    return parts;
}

LanguageParts prefillParts(const LanguageParameters& p, const LanguageStack& stack, const LanguageDevice& device,
                           const LanguageWork& work, const LanguageConditions& conditions) {
    const auto& family = prefillFamily(p, device.deviceClass);
    const bool quantised = work.cost != WeightCost::Bits16, cpu = isCpu(device.deviceClass);
    double peak = device.matrixFlops * threadShare(device);
    // Pascal's dot product of four bytes (dp4a).
    if (device.architecture == "Pascal" && !device.noDot4 && quantised) peak *= 2;

    double slower =
        std::pow(peak / family.referenceFlops, family.rateExponent) / stack.prefillShare.value_or(kUnknownPrefillShare);
    slower *= quantisedFactor(p, stack, device, work);
    if (isNvidia(device.deviceClass) && device.tdpWatts > 0 && !device.noPowerCap)
        if (const auto found = p.teraflopsPerWatt.find(device.architecture); found != p.teraflopsPerWatt.end())
            slower *= std::pow(std::max(1.0, peak / 1e12 / device.tdpWatts / found->second), p.powerExponent);
    if (stack.id == "llamacpp_cuda" && conditions.year < 2024.2) slower *= family.earlyFactor;
    if (stack.id == "llamacpp_cpu" && conditions.year < 2024.3 && !conditions.llamafile) slower *= family.earlyFactor;
    if (device.architecture == "Volta") slower *= p.volta;
    if (&family == &p.prefillOther && work.isBf16) slower *= p.bf16Other;

    LanguageParts parts;
    const bool experts = work.experts > 0;
    const double pieces = std::ceil(conditions.prompt / kPiece);
    const double products = 2 * work.activeWeights * conditions.prompt / peak;
    parts.compute = products * slower * (experts ? family.expertsFactor : 1);
    parts.memory = 2 * work.activeWeights * pieces * (experts ? work.experts / work.activeExperts : 1) *
                   family.weightTokens * slower / peak;
    const double share = cpu && stack.isIk()         ? family.attentionShareIk
                         : conditions.flashAttention ? family.attentionShareFlash
                                                     : family.attentionShare;
    parts.cache = 4 * work.cacheLayers * work.heads * work.headDimension * conditions.prompt *
                  seen(work, conditions.depth + conditions.prompt / 2) / (peak * share);
    parts.launch = work.layers * pieces * family.layerMicroseconds * kMicro;
    // Eight-bit units are at most twice as fast, a processor's four times; it has twice the rate for 16-bit products.
    double bound = 1;
    if (quantised) bound = isNvidia(device.deviceClass) ? 0.5 : cpu ? 0.25 : 1;
    if (!quantised && cpu) bound = 0.5;
    parts.bound = products * bound;
    parts.seconds = std::max(parts.bound, parts.compute + parts.memory + parts.cache + parts.launch);
    return parts;
}

std::string languageBandName(LanguageDeviceClass deviceClass, const LanguageStack& stack, bool prefill) {
    const bool known = prefill ? stack.prefillShare.has_value() : stack.devicesSeen > 0;
    if (!known || stack.devicesSeen < 2) return "stack_unknown";
    switch (deviceClass) {
        case LanguageDeviceClass::NvidiaGddr:
            return "nvidia_gddr";
        case LanguageDeviceClass::NvidiaHbm:
            return "nvidia_hbm";
        case LanguageDeviceClass::NvidiaUnified:
            // A single device, whose predicted prefill is too slow.
            return prefill ? "all" : "nvidia_unified";
        case LanguageDeviceClass::Amd:
        case LanguageDeviceClass::AmdHbm:
        case LanguageDeviceClass::Intel:
            return "amd_intel";
        case LanguageDeviceClass::Apu:
            return "apu";
        case LanguageDeviceClass::Apple:
            return "apple";
        case LanguageDeviceClass::CpuX86:
        case LanguageDeviceClass::CpuArm:
            return "cpu";
    }
    return "all";
}

}  // namespace steelyard::advisor

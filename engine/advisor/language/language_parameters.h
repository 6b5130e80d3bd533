// SPDX-License-Identifier: Apache-2.0
// Parameters of the language model speed model (language_speed.h) and its bands, read from
// resources/models/language_predictor.json. Plain values, loaded once; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/advisor/predict/predictor_parameters.h"
#include "engine/core/error.h"
#include "engine/model/decoder/weight_format.h"

namespace steelyard::advisor {

// Devices that share an efficiency: by vendor and kind of memory. Apu: an x86 processor's GPU on main memory.
enum class LanguageDeviceClass {
    NvidiaGddr,
    NvidiaHbm,
    NvidiaUnified,
    Amd,
    AmdHbm,
    Intel,
    Apu,
    Apple,
    CpuX86,
    CpuArm,
};
[[nodiscard]] std::string_view toString(LanguageDeviceClass value);
[[nodiscard]] std::optional<LanguageDeviceClass> fromName(std::type_identity<LanguageDeviceClass>,
                                                          std::string_view name);
[[nodiscard]] bool isCpu(LanguageDeviceClass value);
[[nodiscard]] bool isNvidia(LanguageDeviceClass value);
// "nvidia", "amd", "intel", "apple", "apu", "cpu": the vendor whose software a device needs.
[[nodiscard]] std::string_view makerOf(LanguageDeviceClass value);

struct LanguageDevice;  // language_speed.h

// Software that runs language models; llama.cpp once per backend.
struct LanguageStack {
    std::string id;                    // "llamacpp_cuda", as --software takes it
    std::string title;                 // "llama.cpp CUDA"
    std::vector<std::string> makers;   // vendors of supported devices: nvidia, amd, intel, apple, apu, cpu
    std::vector<std::string> seenOn;   // vendors of the devices in its rows
    std::vector<std::string> formats;  // names of the weight schemes that it loads; "gguf": all of GGUF
    std::int64_t devicesSeen = 0;      // with published rows; 1: stack and device constants cannot be separated
    // If absent, unknown; then 80 is assumed (order of magnitude of llama.cpp).
    std::optional<double> layerMicroseconds;
    double bandwidthFactor = 1, decodeCost = 1;
    std::optional<double> readShare;     // of a measured read bandwidth; absent: the class's, over the specified one
    std::optional<double> cacheShare;    // of the bandwidth when reading keys and values; absent: the family's
    std::optional<double> prefillShare;  // of the peak; absent: no published prefill rows
    bool hostBound = false;              // the host launches one operation at a time
    // NVIDIA: the lowest compute capability of its releases, and where and when that was stated.
    std::optional<double> leastCapability;
    std::string capabilitySource, capabilityDate;

    // Whether it supports devices of that vendor, and this card is not too old for it.
    [[nodiscard]] bool runsOn(const LanguageDevice& device) const;
    [[nodiscard]] bool isTooOld(const LanguageDevice& device) const;
    // Speeds on a device of this vendor are published.
    [[nodiscard]] bool isSeenOn(LanguageDeviceClass device) const;
    [[nodiscard]] bool loads(const model::WeightScheme& scheme) const;
    [[nodiscard]] bool isLlamaCpp() const { return id.starts_with("llamacpp"); }
    [[nodiscard]] bool isIk() const { return id.starts_with("ik_"); }
    [[nodiscard]] bool isTuned() const { return id.ends_with("_tuned"); }
};

struct DecodeFamily {
    std::array<double, 4> weightCost{};          // by WeightCost: operations per weight, at the fp32 rate
    double cacheShare = 0, cacheShareFlash = 0;  // of the bandwidth when reading keys and values
};

struct PrefillFamily {
    double referenceFlops = 0, rateExponent = 0, expertsFactor = 1;
    double weightTokens = 0;  // fixed cost of each pass over the weights, in tokens
    double layerMicroseconds = 0;
    double attentionShare = 0, attentionShareFlash = 0, attentionShareIk = 0;
    double quantisedFactor = 1, earlyFactor = 1;
};

struct LanguageParameters {
    std::string source, date;
    std::map<LanguageDeviceClass, double> bandwidthShare;
    DecodeFamily gpu, metal, cpu;
    double slowOnCpu = 0, cpuLayerMicroseconds = 0, cpuThreadExponent = 0, cacheShareIk = 0, llamaCppHbm = 1;
    double hbmLayers = 1, expertLayers = 1, oldChips = 1, noDot4 = 1, halfLanes = 1, appleM3 = 1;
    double transformersNf4 = 1, transformersDequantised = 1;

    PrefillFamily prefillCuda, prefillMetal, prefillCpu, prefillOther;
    double volta = 1, bf16Other = 1, powerExponent = 0;
    double cpuBits8 = 1, cpuBits4Simple = 1, cpuBits4Nested = 1, cpuIk = 1, cpuTuned = 1, cpuSlowX86 = 1,
           cpuSlowArm = 1;
    std::map<std::string, double, std::less<>> teraflopsPerWatt;  // by architecture

    double beta = 0, expertOverlap = 0;         // of batching
    std::vector<std::string> slowOnCpuWeights;  // names of weight schemes
    std::vector<LanguageStack> stacks;
    std::map<std::string, Band, std::less<>> decodeBands, prefillBands;

    [[nodiscard]] const LanguageStack* findStack(std::string_view id) const;
};

[[nodiscard]] Result<LanguageParameters> languageParametersFromJson(std::string_view name, std::string_view text);
// models/language_predictor.json in the resources.
[[nodiscard]] Result<LanguageParameters> loadLanguageParameters(const std::filesystem::path& resources);
[[nodiscard]] std::string toJson(const LanguageParameters& parameters);

}  // namespace steelyard::advisor

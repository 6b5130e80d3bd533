// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_parameters.h"

#include <algorithm>
#include <utility>

#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"

namespace steelyard::advisor {
namespace {

constexpr std::array<std::pair<LanguageDeviceClass, std::string_view>, 10> kLanguageClasses{{
    {LanguageDeviceClass::NvidiaGddr, "nvidia_gddr"},
    {LanguageDeviceClass::NvidiaHbm, "nvidia_hbm"},
    {LanguageDeviceClass::NvidiaUnified, "nvidia_unified"},
    {LanguageDeviceClass::Amd, "amd"},
    {LanguageDeviceClass::AmdHbm, "amd_hbm"},
    {LanguageDeviceClass::Intel, "intel"},
    {LanguageDeviceClass::Apu, "apu"},
    {LanguageDeviceClass::Apple, "apple"},
    {LanguageDeviceClass::CpuX86, "cpu_x86"},
    {LanguageDeviceClass::CpuArm, "cpu_arm"},
}};

void readDecodeFamily(JsonReader& families, std::string_view name, DecodeFamily& family) {
    if (!families.has(name)) families.refuse(name, steelyard::messages::isMissing());
    families.object(name, [&](JsonReader& reader) {
        constexpr std::array kCosts{"bits16", "bits8", "bits4_simple", "bits4_nested"};
        for (std::size_t i = 0; i < kCosts.size(); ++i) reader.requirePositive(kCosts[i], family.weightCost[i]);
        reader.requirePositive("cache_share", family.cacheShare);
        reader.requirePositive("cache_share_flash", family.cacheShareFlash);
    });
}

void readPrefillFamily(JsonReader& families, std::string_view name, PrefillFamily& family) {
    if (!families.has(name)) families.refuse(name, steelyard::messages::isMissing());
    families.object(name, [&](JsonReader& reader) {
        reader.requirePositive("reference_flops", family.referenceFlops);
        reader.requirePositive("rate_exponent", family.rateExponent);
        reader.requirePositive("experts_factor", family.expertsFactor);
        reader.requirePositive("weight_tokens", family.weightTokens);
        reader.requirePositive("layer_microseconds", family.layerMicroseconds);
        reader.requirePositive("attention_share", family.attentionShare);
        reader.requirePositive("attention_share_flash", family.attentionShareFlash);
        family.attentionShareIk = family.attentionShare;
        reader.read("attention_share_ik", family.attentionShareIk);
        reader.read("quantised_factor", family.quantisedFactor);
        reader.read("early_factor", family.earlyFactor);
    });
}

void readDecode(JsonReader& reader, LanguageParameters& p) {
    reader.object("bandwidth_share", [&](JsonReader& shares) {
        for (const auto& [key, name] : kLanguageClasses) shares.requirePositive(name, p.bandwidthShare[key]);
    });
    reader.object("families", [&](JsonReader& families) {
        readDecodeFamily(families, "gpu", p.gpu);
        readDecodeFamily(families, "metal", p.metal);
        readDecodeFamily(families, "cpu", p.cpu);
    });
    for (const auto& [name, target] : {
             std::pair{"slow_on_cpu", &p.slowOnCpu},
             std::pair{"cpu_layer_microseconds", &p.cpuLayerMicroseconds},
             std::pair{"cpu_thread_exponent", &p.cpuThreadExponent},
             std::pair{"cache_share_ik", &p.cacheShareIk},
             std::pair{"llamacpp_hbm", &p.llamaCppHbm},
             std::pair{"hbm_layers", &p.hbmLayers},
             std::pair{"expert_layers", &p.expertLayers},
             std::pair{"old_chips", &p.oldChips},
             std::pair{"no_dot4", &p.noDot4},
             std::pair{"half_lanes", &p.halfLanes},
             std::pair{"apple_m3", &p.appleM3},
             std::pair{"transformers_nf4", &p.transformersNf4},
             std::pair{"transformers_dequantised", &p.transformersDequantised},
         })
        reader.requirePositive(name, *target);
}

void readPrefill(JsonReader& reader, LanguageParameters& p) {
    reader.object("families", [&](JsonReader& families) {
        readPrefillFamily(families, "cuda", p.prefillCuda);
        readPrefillFamily(families, "metal", p.prefillMetal);
        readPrefillFamily(families, "cpu", p.prefillCpu);
        readPrefillFamily(families, "other", p.prefillOther);
    });
    for (const auto& [name, target] : {
             std::pair{"volta", &p.volta},
             std::pair{"bf16_other", &p.bf16Other},
             std::pair{"power_exponent", &p.powerExponent},
             std::pair{"cpu_bits8", &p.cpuBits8},
             std::pair{"cpu_bits4_simple", &p.cpuBits4Simple},
             std::pair{"cpu_bits4_nested", &p.cpuBits4Nested},
             std::pair{"cpu_ik", &p.cpuIk},
             std::pair{"cpu_tuned", &p.cpuTuned},
             std::pair{"cpu_slow_x86", &p.cpuSlowX86},
             std::pair{"cpu_slow_arm", &p.cpuSlowArm},
         })
        reader.requirePositive(name, *target);
    if (const auto* table = reader.find("teraflops_per_watt"); table != nullptr && table->is_object())
        for (const auto& [name, value] : table->items()) reader.convert(name, value, p.teraflopsPerWatt[name]);
}

LanguageStack readLanguageStack(JsonReader& reader) {
    LanguageStack stack;
    reader.require("id", stack.id);
    reader.require("title", stack.title);
    reader.require("makers", stack.makers);
    reader.require("devices_seen", stack.devicesSeen);
    reader.read("layer_microseconds", stack.layerMicroseconds);
    reader.read("bandwidth_factor", stack.bandwidthFactor);
    reader.read("decode_cost", stack.decodeCost);
    reader.read("read_share", stack.readShare);
    reader.read("cache_share", stack.cacheShare);
    reader.read("prefill_share", stack.prefillShare);
    reader.read("host_bound", stack.hostBound);
    return stack;
}

void readBands(JsonReader& bands, std::string_view mode, std::map<std::string, Band, std::less<>>& target) {
    const auto* table = bands.demand(mode);
    if (table == nullptr || !table->is_object()) return;
    for (const auto& [name, value] : table->items()) {
        auto reader = bands.of(value, bands.pathOf(name));
        auto& band = target[name];
        reader.requirePositive("low", band.low);
        reader.requirePositive("median", band.median);
        reader.requirePositive("high", band.high);
    }
    if (!bands.failed() && (!target.contains("all") || !target.contains("stack_unknown")))
        bands.refuse(mode, steelyard::messages::isMissing());
}

}  // namespace

std::string_view toString(LanguageDeviceClass value) {
    for (const auto& [key, name] : kLanguageClasses)
        if (key == value) return name;
    return "unknown";
}

std::optional<LanguageDeviceClass> fromName(std::type_identity<LanguageDeviceClass>, std::string_view name) {
    for (const auto& [key, known] : kLanguageClasses)
        if (known == name) return key;
    return std::nullopt;
}

bool isCpu(LanguageDeviceClass value) {
    return value == LanguageDeviceClass::CpuX86 || value == LanguageDeviceClass::CpuArm;
}

bool isNvidia(LanguageDeviceClass value) {
    return makerOf(value) == "nvidia";
}

std::string_view makerOf(LanguageDeviceClass value) {
    switch (value) {
        case LanguageDeviceClass::NvidiaGddr:
        case LanguageDeviceClass::NvidiaHbm:
        case LanguageDeviceClass::NvidiaUnified:
            return "nvidia";
        case LanguageDeviceClass::Amd:
        case LanguageDeviceClass::AmdHbm:
            return "amd";
        case LanguageDeviceClass::Intel:
            return "intel";
        case LanguageDeviceClass::Apu:
            return "apu";
        case LanguageDeviceClass::Apple:
            return "apple";
        case LanguageDeviceClass::CpuX86:
        case LanguageDeviceClass::CpuArm:
            return "cpu";
    }
    return "";
}

bool LanguageStack::runsOn(LanguageDeviceClass device) const {
    return std::ranges::find(makers, makerOf(device)) != makers.end();
}

const LanguageStack* LanguageParameters::findStack(std::string_view id) const {
    const auto found = std::ranges::find(stacks, id, &LanguageStack::id);
    return found == stacks.end() ? nullptr : &*found;
}

Result<LanguageParameters> languageParametersFromJson(std::string_view name, std::string_view text) {
    ASSIGN(const auto json, parseJson(text, std::string(name)));
    std::optional<Error> error;
    JsonReader file(json, std::string(name), error);
    file.requireFormat("steelyard-language-predictor", 1);
    LanguageParameters p;
    file.require("source", p.source);
    file.require("date", p.date);
    for (const auto* part : {"decode", "prefill", "batch", "bands"}) (void)file.demand(part);
    file.object("decode", [&](JsonReader& reader) { readDecode(reader, p); });
    file.object("prefill", [&](JsonReader& reader) { readPrefill(reader, p); });
    file.object("batch", [&](JsonReader& reader) {
        reader.requirePositive("beta", p.beta);
        reader.requirePositive("expert_overlap", p.expertOverlap);
    });
    file.read("slow_on_cpu", p.slowOnCpuWeights);
    file.eachObject("stacks", [&](JsonReader& reader) { p.stacks.push_back(readLanguageStack(reader)); });
    file.object("bands", [&](JsonReader& reader) {
        readBands(reader, "decode", p.decodeBands);
        readBands(reader, "prefill", p.prefillBands);
    });
    if (error) return Failure(std::move(*error));
    return p;
}

Result<LanguageParameters> loadLanguageParameters(const std::filesystem::path& resources) {
    const auto file = resources / "models" / "language_predictor.json";
    ASSIGN(const auto text, readFile(file, 1 << 22));
    return languageParametersFromJson(file.string(), text);
}

}  // namespace steelyard::advisor

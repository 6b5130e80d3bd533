// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_parameters.h"

#include <algorithm>
#include <utility>

#include "engine/advisor/language/language_speed.h"
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

template <typename Owner>
struct LanguageConstant {
    std::string_view name;
    double Owner::*member;
};

constexpr std::array kWeightCosts{"bits16", "bits8", "bits4_simple", "bits4_nested"};

constexpr std::array<LanguageConstant<LanguageParameters>, 13> kDecodeConstants{{
    {"slow_on_cpu", &LanguageParameters::slowOnCpu},
    {"cpu_layer_microseconds", &LanguageParameters::cpuLayerMicroseconds},
    {"cpu_thread_exponent", &LanguageParameters::cpuThreadExponent},
    {"cache_share_ik", &LanguageParameters::cacheShareIk},
    {"llamacpp_hbm", &LanguageParameters::llamaCppHbm},
    {"hbm_layers", &LanguageParameters::hbmLayers},
    {"expert_layers", &LanguageParameters::expertLayers},
    {"old_chips", &LanguageParameters::oldChips},
    {"no_dot4", &LanguageParameters::noDot4},
    {"half_lanes", &LanguageParameters::halfLanes},
    {"apple_m3", &LanguageParameters::appleM3},
    {"transformers_nf4", &LanguageParameters::transformersNf4},
    {"transformers_dequantised", &LanguageParameters::transformersDequantised},
}};

constexpr std::array<LanguageConstant<LanguageParameters>, 10> kPrefillConstants{{
    {"volta", &LanguageParameters::volta},
    {"bf16_other", &LanguageParameters::bf16Other},
    {"power_exponent", &LanguageParameters::powerExponent},
    {"cpu_bits8", &LanguageParameters::cpuBits8},
    {"cpu_bits4_simple", &LanguageParameters::cpuBits4Simple},
    {"cpu_bits4_nested", &LanguageParameters::cpuBits4Nested},
    {"cpu_ik", &LanguageParameters::cpuIk},
    {"cpu_tuned", &LanguageParameters::cpuTuned},
    {"cpu_slow_x86", &LanguageParameters::cpuSlowX86},
    {"cpu_slow_arm", &LanguageParameters::cpuSlowArm},
}};

constexpr std::array<LanguageConstant<PrefillFamily>, 7> kPrefillFamilyConstants{{
    {"reference_flops", &PrefillFamily::referenceFlops},
    {"rate_exponent", &PrefillFamily::rateExponent},
    {"experts_factor", &PrefillFamily::expertsFactor},
    {"weight_tokens", &PrefillFamily::weightTokens},
    {"layer_microseconds", &PrefillFamily::layerMicroseconds},
    {"attention_share", &PrefillFamily::attentionShare},
    {"attention_share_flash", &PrefillFamily::attentionShareFlash},
}};

constexpr std::array<std::pair<std::string_view, DecodeFamily LanguageParameters::*>, 3> kDecodeFamilies{{
    {"gpu", &LanguageParameters::gpu},
    {"metal", &LanguageParameters::metal},
    {"cpu", &LanguageParameters::cpu},
}};

constexpr std::array<std::pair<std::string_view, PrefillFamily LanguageParameters::*>, 4> kPrefillFamilies{{
    {"cuda", &LanguageParameters::prefillCuda},
    {"metal", &LanguageParameters::prefillMetal},
    {"cpu", &LanguageParameters::prefillCpu},
    {"other", &LanguageParameters::prefillOther},
}};

// The members of a family; refused if the family is missing.
template <typename Read>
void readFamily(JsonReader& families, std::string_view name, const Read& read) {
    if (!families.has(name)) families.refuse(name, steelyard::messages::isMissing());
    families.object(name, read);
}

void readDecode(JsonReader& reader, LanguageParameters& p) {
    reader.object("bandwidth_share", [&](JsonReader& shares) {
        for (const auto& [key, name] : kLanguageClasses) shares.requirePositive(name, p.bandwidthShare[key]);
    });
    reader.object("families", [&](JsonReader& families) {
        for (const auto& [name, member] : kDecodeFamilies)
            readFamily(families, name, [&, member = member](JsonReader& one) {
                auto& family = p.*member;
                for (std::size_t i = 0; i < kWeightCosts.size(); ++i)
                    one.requirePositive(kWeightCosts[i], family.weightCost[i]);
                one.requirePositive("cache_share", family.cacheShare);
                one.requirePositive("cache_share_flash", family.cacheShareFlash);
            });
    });
    for (const auto& [name, member] : kDecodeConstants) reader.requirePositive(name, p.*member);
}

void readPrefill(JsonReader& reader, LanguageParameters& p) {
    reader.object("families", [&](JsonReader& families) {
        for (const auto& [name, member] : kPrefillFamilies)
            readFamily(families, name, [&, member = member](JsonReader& one) {
                auto& family = p.*member;
                for (const auto& [key, constant] : kPrefillFamilyConstants) one.requirePositive(key, family.*constant);
                family.attentionShareIk = family.attentionShare;
                one.read("attention_share_ik", family.attentionShareIk);
                one.read("quantised_factor", family.quantisedFactor);
                one.read("early_factor", family.earlyFactor);
            });
    });
    for (const auto& [name, member] : kPrefillConstants) reader.requirePositive(name, p.*member);
    if (const auto* table = reader.find("teraflops_per_watt"); table != nullptr && table->is_object())
        for (const auto& [name, value] : table->items()) reader.convert(name, value, p.teraflopsPerWatt[name]);
}

LanguageStack readLanguageStack(JsonReader& reader) {
    LanguageStack stack;
    reader.require("id", stack.id);
    reader.require("title", stack.title);
    reader.require("makers", stack.makers);
    reader.require("seen_on", stack.seenOn);
    reader.require("formats", stack.formats);
    reader.require("devices_seen", stack.devicesSeen);
    reader.read("layer_microseconds", stack.layerMicroseconds);
    reader.read("bandwidth_factor", stack.bandwidthFactor);
    reader.read("decode_cost", stack.decodeCost);
    reader.read("read_share", stack.readShare);
    reader.read("cache_share", stack.cacheShare);
    reader.read("prefill_share", stack.prefillShare);
    reader.read("host_bound", stack.hostBound);
    reader.read("least_capability", stack.leastCapability);
    reader.read("capability_source", stack.capabilitySource);
    reader.read("capability_date", stack.capabilityDate);
    return stack;
}

Json decodeJson(const LanguageParameters& p) {
    Json json;
    for (const auto& [key, name] : kLanguageClasses) {
        const auto found = p.bandwidthShare.find(key);
        if (found != p.bandwidthShare.end()) json["bandwidth_share"][std::string(name)] = found->second;
    }
    for (const auto& [name, member] : kDecodeFamilies) {
        const auto& family = p.*member;
        auto& one = json["families"][std::string(name)];
        for (std::size_t i = 0; i < kWeightCosts.size(); ++i) one[kWeightCosts[i]] = family.weightCost[i];
        one["cache_share"] = family.cacheShare;
        one["cache_share_flash"] = family.cacheShareFlash;
    }
    for (const auto& [name, member] : kDecodeConstants) json[std::string(name)] = p.*member;
    return json;
}

Json prefillJson(const LanguageParameters& p) {
    Json json;
    for (const auto& [name, member] : kPrefillFamilies) {
        const auto& family = p.*member;
        auto& one = json["families"][std::string(name)];
        for (const auto& [key, constant] : kPrefillFamilyConstants) one[std::string(key)] = family.*constant;
        if (family.attentionShareIk != family.attentionShare) one["attention_share_ik"] = family.attentionShareIk;
        if (family.quantisedFactor != 1) one["quantised_factor"] = family.quantisedFactor;
        if (family.earlyFactor != 1) one["early_factor"] = family.earlyFactor;
    }
    for (const auto& [name, member] : kPrefillConstants) json[std::string(name)] = p.*member;
    for (const auto& [name, value] : p.teraflopsPerWatt) json["teraflops_per_watt"][name] = value;
    return json;
}

Json stackJson(const LanguageStack& stack) {
    Json json{{"id", stack.id},          {"title", stack.title},     {"makers", stack.makers},
              {"seen_on", stack.seenOn}, {"formats", stack.formats}, {"devices_seen", stack.devicesSeen}};
    if (stack.layerMicroseconds) json["layer_microseconds"] = *stack.layerMicroseconds;
    if (stack.bandwidthFactor != 1) json["bandwidth_factor"] = stack.bandwidthFactor;
    if (stack.decodeCost != 1) json["decode_cost"] = stack.decodeCost;
    if (stack.readShare) json["read_share"] = *stack.readShare;
    if (stack.cacheShare) json["cache_share"] = *stack.cacheShare;
    if (stack.prefillShare) json["prefill_share"] = *stack.prefillShare;
    if (stack.hostBound) json["host_bound"] = true;
    if (stack.leastCapability) {
        json["least_capability"] = *stack.leastCapability;
        json["capability_source"] = stack.capabilitySource;
        json["capability_date"] = stack.capabilityDate;
    }
    return json;
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

bool LanguageStack::runsOn(const LanguageDevice& device) const {
    return std::ranges::find(makers, makerOf(device.deviceClass)) != makers.end() && !isTooOld(device);
}

bool LanguageStack::isTooOld(const LanguageDevice& device) const {
    return leastCapability && device.capability && *device.capability < *leastCapability;
}

bool LanguageStack::isSeenOn(LanguageDeviceClass device) const {
    return std::ranges::find(seenOn, makerOf(device)) != seenOn.end();
}

bool LanguageStack::loads(const model::WeightScheme& scheme) const {
    return std::ranges::any_of(
        formats, [&](const std::string& format) { return format == scheme.name || (format == "gguf" && scheme.gguf); });
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

std::string toJson(const LanguageParameters& p) {
    Json json;
    json["format"] = "steelyard-language-predictor";
    json["version"] = 1;
    json["source"] = p.source;
    json["date"] = p.date;
    json["decode"] = decodeJson(p);
    json["prefill"] = prefillJson(p);
    json["batch"] = {{"beta", p.beta}, {"expert_overlap", p.expertOverlap}};
    json["slow_on_cpu"] = p.slowOnCpuWeights;
    auto& stacks = json["stacks"] = Json::array();
    for (const auto& stack : p.stacks) stacks.push_back(stackJson(stack));
    for (const auto& [mode, bands] : {std::pair{"decode", &p.decodeBands}, std::pair{"prefill", &p.prefillBands}})
        for (const auto& [name, band] : *bands)
            json["bands"][mode][name] = {{"low", band.low}, {"median", band.median}, {"high", band.high}};
    return dumpJson(json, 1) + "\n";
}

}  // namespace steelyard::advisor

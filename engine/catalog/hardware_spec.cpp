// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/hardware_spec.h"

#include <array>
#include <utility>

namespace steelyard::catalog {
namespace {

constexpr std::array<std::pair<HardwareClass, std::string_view>, 10> kClasses{{
    {HardwareClass::ConsumerGpu, "consumer_gpu"},
    {HardwareClass::WorkstationGpu, "workstation_gpu"},
    {HardwareClass::DatacenterGpu, "datacenter_gpu"},
    {HardwareClass::DatacenterAccelerator, "datacenter_accel"},
    {HardwareClass::Tpu, "tpu"},
    {HardwareClass::AppleGpu, "apple_gpu"},
    {HardwareClass::UnifiedSoc, "unified_soc"},
    {HardwareClass::EdgeSoc, "edge_soc"},
    {HardwareClass::IntegratedGpu, "integrated_gpu"},
    {HardwareClass::Cpu, "cpu"},
}};

constexpr std::array kFields{
    FigureField{"fp32_flops", &HardwareSpec::fp32Flops},
    FigureField{"sustained_fp32_flops", &HardwareSpec::sustainedFp32Flops},
    FigureField{"tf32_flops", &HardwareSpec::tf32Flops},
    FigureField{"bf16_flops", &HardwareSpec::bf16Flops},
    FigureField{"fp16_flops", &HardwareSpec::fp16Flops},
    FigureField{"fp16_accumulate_fp16_flops", &HardwareSpec::fp16AccumulateFp16Flops},
    FigureField{"fp8_flops", &HardwareSpec::fp8Flops},
    FigureField{"int8_ops", &HardwareSpec::int8Ops},
    FigureField{"memory_bytes", &HardwareSpec::memoryBytes},
    FigureField{"memory_bytes_per_second", &HardwareSpec::memoryBytesPerSecond},
    FigureField{"l2_bytes", &HardwareSpec::l2Bytes},
    FigureField{"last_level_cache_bytes", &HardwareSpec::lastLevelCacheBytes},
    FigureField{"tdp_watts", &HardwareSpec::tdpWatts},
    FigureField{"pcie_bytes_per_second", &HardwareSpec::pcieBytesPerSecond},
    FigureField{"link_bytes_per_second_both_ways", &HardwareSpec::linkBytesPerSecondBothWays},
    FigureField{"launch_price_usd", &HardwareSpec::launchPriceUsd},
    FigureField{"street_price_usd", &HardwareSpec::streetPriceUsd},
    FigureField{"multiprocessors", &HardwareSpec::multiprocessors},
    FigureField{"cores", &HardwareSpec::cores},
    FigureField{"threads", &HardwareSpec::threads},
    FigureField{"base_hertz", &HardwareSpec::baseHertz},
    FigureField{"boost_hertz", &HardwareSpec::boostHertz},
    FigureField{"memory_channels", &HardwareSpec::memoryChannels},
};

}  // namespace

std::string_view toString(HardwareClass value) {
    for (const auto& [key, name] : kClasses)
        if (key == value) return name;
    return "unknown";
}

std::optional<HardwareClass> hardwareClassFromString(std::string_view name) {
    for (const auto& [key, known] : kClasses)
        if (known == name) return key;
    return std::nullopt;
}

std::span<const FigureField> figureFields() {
    return kFields;
}

}  // namespace steelyard::catalog

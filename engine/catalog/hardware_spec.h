// SPDX-License-Identifier: Apache-2.0
// Published figures of a device: rates, memory, power, price. Plain values; each figure has a source and the source's
// date, and an unpublished one is absent, never 0. Nothing here can fail.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace steelyard::catalog {

struct Figure {
    double value = 0;    // SI base unit, or US dollars
    std::string source;  // publisher of the figure
    std::string date;    // of the source, "2025-06-16" or "2025-06"; of the collection where the source has none

    friend bool operator==(const Figure&, const Figure&) = default;
};

enum class HardwareClass {
    ConsumerGpu,
    WorkstationGpu,
    DatacenterGpu,
    DatacenterAccelerator,
    Tpu,
    AppleGpu,
    UnifiedSoc,     // processor and GPU sharing memory: DGX Spark, Strix Halo
    EdgeSoc,        // the same for embedded use: Jetson
    IntegratedGpu,  // of a processor
    Cpu,
};
[[nodiscard]] std::string_view toString(HardwareClass value);  // "consumer_gpu"
[[nodiscard]] std::optional<HardwareClass> hardwareClassFromString(std::string_view name);

struct HardwareSpec {
    std::string id;      // "rtx3090"
    std::string vendor;  // "NVIDIA"
    std::string name;    // "GeForce RTX 3090"
    HardwareClass hardwareClass = HardwareClass::ConsumerGpu;
    std::string architecture;  // "Ampere"
    std::optional<std::string>
        generation;  // devices that share power figures and tuning, "GA10x"; unknown: a chip of its own
    std::optional<std::string> releaseDate;        // "2020-09-24", "2019-Q4"
    std::optional<std::string> computeCapability;  // "8.6"
    std::optional<std::string> memoryType;
    std::optional<std::string> pcie;  // "4.0 x16"
    std::optional<std::string> simd;  // of a processor: "AVX2+FMA"
    // Has matrix units for 16-bit types; otherwise such products run at the fp32 rate.
    std::optional<bool> matrixUnits;
    // GeForce: matrix units accumulate into fp32 at half the fp16 accumulation rate; a product limit, not an
    // efficiency.
    bool halfRateFp32Accumulation = false;
    bool lowTrust = false;  // an estimate, not a vendor's figure
    std::string notes;

    // Dense rates in FLOP/s, accumulated into fp32 unless the name says otherwise.
    std::optional<Figure> fp32Flops, sustainedFp32Flops, tf32Flops, bf16Flops, fp16Flops, fp16AccumulateFp16Flops,
        fp8Flops, int8Ops;
    std::optional<Figure> memoryBytes, memoryBytesPerSecond, l2Bytes, lastLevelCacheBytes;
    std::optional<Figure> tdpWatts;
    std::optional<Figure> pcieBytesPerSecond;          // one direction
    std::optional<Figure> linkBytesPerSecondBothWays;  // NVLink, ICI: sum of both directions
    std::optional<Figure> launchPriceUsd, streetPriceUsd;
    std::optional<Figure> multiprocessors;
    std::optional<Figure> cores, threads, baseHertz, boostHertz, memoryChannels;  // of a processor

    [[nodiscard]] bool isCpu() const { return hardwareClass == HardwareClass::Cpu; }
    [[nodiscard]] bool isGpu() const {
        return hardwareClass == HardwareClass::ConsumerGpu || hardwareClass == HardwareClass::WorkstationGpu ||
               hardwareClass == HardwareClass::DatacenterGpu || hardwareClass == HardwareClass::AppleGpu;
    }
    friend bool operator==(const HardwareSpec&, const HardwareSpec&) = default;
};

// Every figure with its name in files: one list for readers, writers, tables and checks.
struct FigureField {
    std::string_view name;  // "fp32_flops"
    std::optional<Figure> HardwareSpec::*member;
};
[[nodiscard]] std::span<const FigureField> figureFields();

}  // namespace steelyard::catalog

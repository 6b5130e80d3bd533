// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/device_model.h"

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {
namespace {

using catalog::Figure;
using catalog::HardwareClass;

double valueOf(const std::optional<Figure>& figure) {
    return figure ? figure->value : 0;
}

// If the count is not published: SMs with 128 fp32 lanes at 1.7 GHz, typical for 2017-25.
constexpr double kFlopsPerMultiprocessor = 2 * 128 * 1.7e9;
// A quarter of a server processor's cores saturates its memory.
constexpr double kCoresForBandwidth = 0.25;

DeviceKind kindOf(HardwareClass value) {
    switch (value) {
        case HardwareClass::Cpu:
            return DeviceKind::Processor;
        case HardwareClass::Tpu:
        case HardwareClass::DatacenterAccelerator:
            return DeviceKind::Accelerator;
        default:
            return DeviceKind::Gpu;
    }
}

void readRates(const catalog::HardwareSpec& spec, DeviceModel& device) {
    device.peakVectorFlops = valueOf(spec.fp32Flops);
    device.vectorFlops = spec.sustainedFp32Flops ? spec.sustainedFp32Flops->value : device.peakVectorFlops;
    device.bf16Flops = valueOf(spec.bf16Flops);
    if (spec.matrixUnits.value_or(false)) {
        device.matrix16Flops = std::max(valueOf(spec.fp16Flops), device.bf16Flops);
        device.tf32Flops = valueOf(spec.tf32Flops);
        device.halfRateAccumulation = spec.halfRateFp32Accumulation;
    }
    // TPUs publish no fp32 rate: fp32 products run as several bf16 ones.
    if (device.vectorFlops == 0 && device.kind == DeviceKind::Accelerator)
        device.vectorFlops = device.peakVectorFlops = device.matrix16Flops / 6;
}

}  // namespace

std::optional<DeviceModel> deviceModel(const catalog::HardwareSpec& spec, const PredictorParameters& parameters,
                                       MissingFigure* missing) {
    const auto refuse = [&](MissingFigure figure) {
        if (missing != nullptr) *missing = figure;
        return std::nullopt;
    };
    DeviceModel device;
    device.id = spec.id;
    device.name = spec.name;
    device.kind = kindOf(spec.hardwareClass);
    device.generation = spec.generation;
    readRates(spec, device);
    device.bytesPerSecond = valueOf(spec.memoryBytesPerSecond);
    if (device.vectorFlops == 0) return refuse(MissingFigure::ComputeRate);
    if (device.bytesPerSecond == 0) return refuse(MissingFigure::Bandwidth);
    device.cacheBytes = valueOf(device.kind == DeviceKind::Processor ? spec.lastLevelCacheBytes : spec.l2Bytes);
    if (spec.memoryBytes) device.memoryBytes = spec.memoryBytes->value;
    device.multiprocessors = spec.multiprocessors ? spec.multiprocessors->value
                                                  : std::round(device.peakVectorFlops / kFlopsPerMultiprocessor);
    device.cores = device.threadsUsed = valueOf(spec.cores);
    const auto* generation = spec.generation ? parameters.findGeneration(*spec.generation) : nullptr;
    if (generation != nullptr && spec.tdpWatts)
        device.powerRatio = std::max(1.0, device.vectorFlops / spec.tdpWatts->value / generation->fp32FlopsPerWatt);
    if (spec.linkBytesPerSecondBothWays) {
        device.linkBytesPerSecond = spec.linkBytesPerSecondBothWays->value / 2;
    } else if (spec.pcieBytesPerSecond) {
        device.linkBytesPerSecond = spec.pcieBytesPerSecond->value;
    }
    device.lowTrust = spec.lowTrust;
    device.fittedVendor = spec.vendor == "NVIDIA" || device.kind == DeviceKind::Processor;
    return device;
}

DeviceModel partOf(const DeviceModel& processor, double cores) {
    if (processor.cores <= 0 || cores <= 0) return processor;
    DeviceModel part = processor;
    const double fraction = cores / processor.cores;
    part.vectorFlops *= fraction;
    part.peakVectorFlops *= fraction;
    part.bf16Flops *= fraction;
    part.matrix16Flops *= fraction;
    part.cacheBytes *= std::min(1.0, fraction);
    part.bytesPerSecond *= std::clamp(fraction / kCoresForBandwidth, 0.0, std::max(1.0, std::ceil(fraction)));
    part.cores = part.threadsUsed = cores;
    return part;
}

}  // namespace steelyard::advisor

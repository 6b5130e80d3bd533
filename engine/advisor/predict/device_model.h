// SPDX-License-Identifier: Apache-2.0
// Device figures used by the step model, complete or refused. Plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/advisor/predict/predictor_parameters.h"
#include "engine/catalog/hardware_spec.h"

namespace steelyard::advisor {

enum class DeviceKind { Gpu, Processor, Accelerator };  // Accelerator: TPUs and similar devices, never fitted

struct DeviceModel {
    std::string id, name;
    DeviceKind kind = DeviceKind::Gpu;
    std::optional<std::string>
        generation;              // unknown: treated as a generation of its own, without transfer from related devices
    double vectorFlops = 0;      // fp32 on the general-purpose units
    double peakVectorFlops = 0;  // specified peak; vectorFlops may be the sustained rate
    double matrix16Flops = 0, tf32Flops = 0, bf16Flops = 0;  // accumulated into fp32; 0: no such units
    bool halfRateAccumulation = false;  // GeForce: the units run twice as fast with fp16 accumulation
    double bytesPerSecond = 0;
    double cacheBytes = 0;  // shared on-chip cache
    double multiprocessors = 0;
    double powerRatio = 1;  // FLOP/s per watt relative to the generation, at least 1
    std::optional<double> memoryBytes;
    double cores = 0, threadsUsed = 0;         // of a processor
    std::optional<double> linkBytesPerSecond;  // one direction, to another device in the same machine
    bool lowTrust = false;
    bool fittedVendor = true;  // constants were fitted on NVIDIA devices only
};

enum class MissingFigure { None, ComputeRate, Bandwidth };

// Refused if a required rate is not published; sets `missing`.
[[nodiscard]] std::optional<DeviceModel> deviceModel(const catalog::HardwareSpec& spec,
                                                     const PredictorParameters& parameters,
                                                     MissingFigure* missing = nullptr);

// Part of a processor with `cores` dedicated cores. Rates scale with the cores; a fraction of the cores reaches the
// bandwidth of a socket (kCoresForBandwidth).
[[nodiscard]] DeviceModel partOf(const DeviceModel& processor, double cores);

}  // namespace steelyard::advisor

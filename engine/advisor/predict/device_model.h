// SPDX-License-Identifier: Apache-2.0
// A device as the step model sees it: the figures of its specification that matter, complete or refused. Plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/advisor/predict/predictor_parameters.h"
#include "engine/catalog/hardware_spec.h"

namespace steelyard::advisor {

enum class DeviceKind { Gpu, Processor, Accelerator };  // Accelerator: TPUs and their like, never fitted

struct DeviceModel {
    std::string id, name;
    DeviceKind kind = DeviceKind::Gpu;
    std::optional<std::string>
        generation;              // unknown: a chip of its own, so nothing is transferred to it as to a relative
    double vectorFlops = 0;      // fp32 on the plain units
    double peakVectorFlops = 0;  // of the data sheet; vectorFlops may be what is sustained
    double matrix16Flops = 0, tf32Flops = 0, bf16Flops = 0;  // accumulated into fp32; 0: no such units
    bool halfRateAccumulation = false;                       // GeForce: the units themselves are twice as fast
    double bytesPerSecond = 0;
    double cacheBytes = 0;  // shared, on the chip
    double multiprocessors = 0;
    double powerRatio = 1;  // FLOP/s per watt over that of its generation, at least 1
    std::optional<double> memoryBytes;
    double cores = 0, threadsUsed = 0;         // of a processor
    std::optional<double> linkBytesPerSecond;  // one direction to another device of the same machine
    bool lowTrust = false;
    bool fittedVendor = true;  // the constants are from NVIDIA devices
};

enum class MissingFigure { None, ComputeRate, Bandwidth };

// Refused when a rate that the model needs is not published: in `missing`.
[[nodiscard]] std::optional<DeviceModel> deviceModel(const catalog::HardwareSpec& spec,
                                                     const PredictorParameters& parameters,
                                                     MissingFigure* missing = nullptr);

// A part of a processor: `cores` of its own. Rates go with the cores; the bandwidth of a socket is reached by a share
// of them (kCoresForBandwidth).
[[nodiscard]] DeviceModel partOf(const DeviceModel& processor, double cores);

}  // namespace steelyard::advisor

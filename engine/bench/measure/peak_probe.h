// SPDX-License-Identifier: Apache-2.0
// What a device really reaches, measured here and now with the same backend, threads and precision as a case: the base
// of its utilisation, instead of a datasheet's figure.
#pragma once

#include <cstdint>
#include <string>

#include "engine/bench/suite/suite.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::bench {

// MiB of an array of a probe of the bandwidth of this device: on a CPU four times the last-level caches of the whole
// machine, because they hold a part of what is smaller, at least 256 and at most 1,024; on a GPU the 64 that a probe
// begins with. Less where the memory that is free does not hold twice three of them, but never less than 64.
[[nodiscard]] std::int64_t probeMebibytes(const std::string& device, const hardware::HardwareProfile& profile);

// byte/s: the best of several sums of two arrays into a third. Takes about 0.1 s beside writing the arrays; they are
// doubled up to 1 GiB each while a sum takes less than a millisecond. OutOfMemory where a control group leaves less.
[[nodiscard]] Result<double> measurePeakBytes(compute::Backend& backend, std::int64_t mebibytes,
                                              const compute::CompileOptions& options, const Clock& clock);

// byte/s of reading alone, which is faster; as measurePeakBytes() where the backend measures no reading.
struct BandwidthPeak {
    double bytesPerSecond = 0;
    bool ofReading = false;
};
[[nodiscard]] Result<BandwidthPeak> measureReadBytes(compute::Backend& backend, std::int64_t mebibytes,
                                                     const compute::CompileOptions& options, const Clock& clock);

// FLOP/s: the best of several products of square matrices, as large as keep the device busy. Takes about 0.2 s, and
// longer where several sizes are tried (a GPU).
[[nodiscard]] Result<double> measureProductFlops(compute::Backend& backend, plan::Precision precision,
                                                 const compute::CompileOptions& options, const Clock& clock);

// The peak of arithmetic: of multiply-adds in registers (compute/arithmetic_peak.h) where the backend can say, which no
// kernel exceeds that does all of its operations; of matrix products elsewhere (a GPU, AMX).
struct ComputePeak {
    double flopsPerSecond = 0;
    bool ofRegisters = false;
};
[[nodiscard]] Result<ComputePeak> measurePeakFlops(compute::Backend& backend, plan::Precision precision,
                                                   const compute::CompileOptions& options, const Clock& clock);

// Both, and for which steps the fastest kernels are known, for estimates of durations; what cannot be measured stays
// unknown. Takes about half a second.
[[nodiscard]] DeviceRates probeRates(compute::Backend& backend, const compute::CompileOptions& options,
                                     const Clock& clock);

// What the reference, which cases are checked against, computes a second here and now, in a step of a small network:
// for the same estimates, as the device "reference". Takes about 0.1 s.
[[nodiscard]] DeviceRates probeReference(compute::Backend& reference, const compute::CompileOptions& options,
                                         const Clock& clock);

}  // namespace steelyard::bench

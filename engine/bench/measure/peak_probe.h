// SPDX-License-Identifier: Apache-2.0
// Measured peak rates of a device, with the same backend, threads and precision as a case: the reference for its
// utilization instead of data-sheet figures.
#pragma once

#include <cstdint>
#include <string>

#include "engine/bench/suite/suite.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::bench {

// Array size in MiB for the bandwidth probe: on a CPU four times all last-level caches, since they would hold part of
// smaller arrays, between 256 and 1,024; on a GPU the initial 64. Reduced if free memory does not hold twice three such
// arrays, but at least 64.
[[nodiscard]] std::int64_t probeMebibytes(const std::string& device, const hardware::HardwareProfile& profile);

// byte/s: best of several sums of two arrays into a third. Takes about 0.1 s plus initialization; array size doubles up
// to 1 GiB while a sum takes less than a millisecond. Errors: OutOfMemory if a control group does not allow it.
[[nodiscard]] Result<double> measurePeakBytes(compute::Backend& backend, std::int64_t mebibytes,
                                              const compute::CompileOptions& options, const Clock& clock);

// FLOP/s: best of several products of square matrices that are large enough to saturate the device. Takes about 0.2 s,
// longer if several sizes are tried (GPU).
[[nodiscard]] Result<double> measureProductFlops(compute::Backend& backend, plan::Precision precision,
                                                 const compute::CompileOptions& options, const Clock& clock);

// Arithmetic peak: multiply-adds in registers (compute/arithmetic_peak.h) if the backend supports it, an upper bound
// for kernels that perform all their operations; otherwise matrix products (GPU, AMX).
struct ComputePeak {
    double flopsPerSecond = 0;
    bool ofRegisters = false;
};
[[nodiscard]] Result<ComputePeak> measurePeakFlops(compute::Backend& backend, plan::Precision precision,
                                                   const compute::CompileOptions& options, const Clock& clock);

// Both peaks, and the steps whose fastest kernels are known, for duration estimates; what cannot be measured stays
// unset. Takes about half a second.
[[nodiscard]] DeviceRates probeRates(compute::Backend& backend, const compute::CompileOptions& options,
                                     const Clock& clock);

// Speed of the reference backend on this computer in a step of a small network, for duration estimates (device
// "reference"). Takes about 0.1 s.
[[nodiscard]] DeviceRates probeReference(compute::Backend& reference, const compute::CompileOptions& options,
                                         const Clock& clock);

}  // namespace steelyard::bench

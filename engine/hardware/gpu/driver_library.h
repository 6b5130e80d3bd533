// SPDX-License-Identifier: Apache-2.0
// Interfaces of the two libraries of an NVIDIA driver, so that tests can simulate any driver: libcuda.so.1 (devices)
// and libnvidia-ml.so.1 (their state). Both are opened at run time with this project's declarations and never closed;
// nothing is linked. Status codes are those of the libraries: 0 is success. Not thread-safe per object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::hardware {

// CUdevice_attribute values of the driver API (cuda.h) that are used here.
enum class DeviceAttribute : int {
    ClockKhz = 13,
    MultiprocessorCount = 16,
    MemoryClockKhz = 36,
    MemoryBusBits = 37,
    L2CacheBytes = 38,
    ComputeCapabilityMajor = 75,
    ComputeCapabilityMinor = 76,
};

class DriverLibrary {
public:
    virtual ~DriverLibrary() = default;
    // Loads the library and resolves its functions. BackendUnavailable with the loader's message.
    [[nodiscard]] virtual Result<void> open() = 0;
    [[nodiscard]] virtual int initialize() = 0;
    [[nodiscard]] virtual int version(int& version) = 0;  // 1000 x major + 10 x minor
    [[nodiscard]] virtual int deviceCount(int& count) = 0;
    [[nodiscard]] virtual int deviceName(int device, std::string& name) = 0;
    [[nodiscard]] virtual int attribute(DeviceAttribute attribute, int device, int& value) = 0;
    [[nodiscard]] virtual int totalMemory(int device, std::int64_t& bytes) = 0;
    [[nodiscard]] virtual int pciBusId(int device, std::string& id) = 0;
    // "CUDA_ERROR_NO_DEVICE", or the number if the library does not know it.
    [[nodiscard]] virtual std::string errorName(int status) = 0;
};

// The state of one GPU from NVML; not set if the card or the driver does not report it.
struct GpuReading {
    std::optional<double> mhz;  // of the multiprocessors
    std::optional<double> memoryMhz;
    std::optional<double> celsius;
    std::optional<double> watts;
    std::optional<double> powerLimitWatts;
    std::optional<double> loadFraction;
    std::optional<std::int64_t> memoryUsedBytes;
    std::optional<int> pcieGeneration;  // maximum supported by card and slot
    std::optional<int> pcieWidth;
    std::optional<int> currentPcieGeneration;  // current; lower on an idle link
    std::optional<int> currentPcieWidth;
    std::optional<std::vector<std::int64_t>> computeProcessIds;
    std::optional<std::uint64_t> throttleReasons;  // nvmlClocksEventReasons bit mask
    std::optional<double> energyJoules;            // since the driver was loaded
};

class ManagementLibrary {
public:
    virtual ~ManagementLibrary() = default;
    [[nodiscard]] virtual Result<void> open() = 0;  // loads and initialises; calling it again is cheap
    [[nodiscard]] virtual std::optional<std::string> driverVersion() = 0;
    // Not set if there is no such GPU. `pciBusId` as in GpuInfo.
    [[nodiscard]] virtual std::optional<GpuReading> read(const std::string& pciBusId) = 0;
};

[[nodiscard]] std::shared_ptr<DriverLibrary> openDriverLibrary();
// name: as resolved by the loader; tests pass the path of a stub library.
[[nodiscard]] std::shared_ptr<ManagementLibrary> openManagementLibrary(std::string name = "libnvidia-ml.so.1");

// The throttle reasons as messages; idle and application clocks are ignored.
[[nodiscard]] std::vector<Message> throttleReasonNames(std::uint64_t bits);

}  // namespace steelyard::hardware

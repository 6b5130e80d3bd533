// SPDX-License-Identifier: Apache-2.0
// A simulated NVIDIA driver: its devices, its results, and which call fails.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/hardware/gpu/driver_library.h"

namespace steelyard::hardware::testing {

struct FakeDevice {
    std::string name = "NVIDIA H100 80GB HBM3";
    std::string busId = "0000:21:00.0";
    int major = 9;
    int minor = 0;
    std::int64_t bytes = std::int64_t{80} << 30;
};

class FakeDriver final : public DriverLibrary {
public:
    bool present = true;
    int driverVersion = 13000;
    std::vector<FakeDevice> devices;
    std::map<std::string, int> failures;  // call -> status
    int deviceCalls = 0;

    Result<void> open() override {
        if (present) return {};
        return fail(ErrorKind::BackendUnavailable, "libcuda.so.1",
                    Message("libcuda.so.1: cannot open shared object file"));
    }
    int initialize() override { return failureOf("cuInit"); }
    int version(int& version) override {
        version = driverVersion;
        return failureOf("cuDriverGetVersion");
    }
    int deviceCount(int& count) override {
        count = static_cast<int>(devices.size());
        return failureOf("cuDeviceGetCount");
    }
    int deviceName(int device, std::string& name) override {
        ++deviceCalls;
        name = at(device).name;
        return failureOf("cuDeviceGetName");
    }
    int attribute(DeviceAttribute attribute, int device, int& value) override {
        const std::map<DeviceAttribute, int> values{{DeviceAttribute::ComputeCapabilityMajor, at(device).major},
                                                    {DeviceAttribute::ComputeCapabilityMinor, at(device).minor},
                                                    {DeviceAttribute::MultiprocessorCount, 132},
                                                    {DeviceAttribute::ClockKhz, 1'980'000},
                                                    {DeviceAttribute::MemoryClockKhz, 2'619'000},
                                                    {DeviceAttribute::MemoryBusBits, 5120}};
        value = values.at(attribute);
        return failureOf("cuDeviceGetAttribute");
    }
    int totalMemory(int device, std::int64_t& bytes) override {
        bytes = at(device).bytes;
        return failureOf("cuDeviceTotalMem");
    }
    int pciBusId(int device, std::string& id) override {
        id = at(device).busId;
        return failureOf("cuDeviceGetPCIBusId");
    }
    std::string errorName(int status) override { return "CUDA_ERROR_" + std::to_string(status); }

private:
    int failureOf(const std::string& call) const {
        const auto found = failures.find(call);
        return found != failures.end() ? found->second : 0;
    }
    const FakeDevice& at(int device) const { return devices.at(static_cast<std::size_t>(device)); }
};

class FakeManagement final : public ManagementLibrary {
public:
    bool present = true;
    std::optional<std::string> version = "580.65.06";
    std::map<std::string, GpuReading> readings;

    Result<void> open() override {
        if (present) return {};
        return fail(ErrorKind::BackendUnavailable, "libnvidia-ml.so.1", Message("cannot open shared object file"));
    }
    std::optional<std::string> driverVersion() override { return version; }
    std::optional<GpuReading> read(const std::string& pciBusId) override {
        const auto found = readings.find(pciBusId);
        return found != readings.end() ? std::optional(found->second) : std::nullopt;
    }
};

}  // namespace steelyard::hardware::testing

// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/gpu/dynamic_library.h"

namespace steelyard::hardware {
namespace {

// Constants, structs and signatures of NVML from its reference manual (NVML API Reference Guide; checked against
// NVIDIA's Python bindings for CUDA 13); a status is an int, 0 is success.
using Device = void*;
constexpr int kSuccess = 0;
constexpr int kTooSmall = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int kClockSm = 1;   // nvmlClockType_t
constexpr int kClockMemory = 2;
constexpr int kSensorOfChip = 0;  // nvmlTemperatureSensors_t

struct MemoryRecord {
    unsigned long long total, free, used;
};
struct LoadRecord {
    unsigned gpu, memory;  // percent
};
struct ProcessRecord {  // nvmlProcessInfo_t, of the _v3 functions
    unsigned pid;
    unsigned long long usedBytes;
    unsigned gpuInstance, computeInstance;
};

class NvmlLibrary final : public ManagementLibrary {
public:
    explicit NvmlLibrary(std::string name) : m_name(std::move(name)) {}

    Result<void> open() override {
        if (m_opened) return {};
        ASSIGN(const auto library, DynamicLibrary::open(m_name));
        if (!library.find("nvmlInit_v2", m_init) ||
            !library.find("nvmlDeviceGetHandleByPciBusId_v2", m_handleByBusId)) {
            return fail(ErrorKind::BackendUnavailable, m_name, messages::missingEntryPoint());
        }
        // Values missing in older drivers are unknown.
        library.find("nvmlSystemGetDriverVersion", m_driverVersion);
        library.find("nvmlDeviceGetClockInfo", m_clock);
        library.find("nvmlDeviceGetTemperature", m_temperature);
        library.find("nvmlDeviceGetPowerUsage", m_power);
        library.find("nvmlDeviceGetEnforcedPowerLimit", m_powerLimit);
        library.find("nvmlDeviceGetUtilizationRates", m_load);
        library.find("nvmlDeviceGetMemoryInfo", m_memory);
        library.find("nvmlDeviceGetMaxPcieLinkGeneration", m_linkGeneration);
        library.find("nvmlDeviceGetMaxPcieLinkWidth", m_linkWidth);
        library.find("nvmlDeviceGetCurrPcieLinkGeneration", m_currentLinkGeneration);
        library.find("nvmlDeviceGetCurrPcieLinkWidth", m_currentLinkWidth);
        library.find("nvmlDeviceGetTotalEnergyConsumption", m_energy);
        library.find("nvmlDeviceGetComputeRunningProcesses_v3", m_processes);
        // The older name of the function; drivers of CUDA 13 have both.
        if (!library.find("nvmlDeviceGetCurrentClocksEventReasons", m_throttleReasons))
            library.find("nvmlDeviceGetCurrentClocksThrottleReasons", m_throttleReasons);
        const int status = m_init();
        if (status != kSuccess) {
            return fail(ErrorKind::BackendUnavailable, m_name,
                        messages::callReturned("nvmlInit", std::to_string(status)));
        }
        m_opened = true;
        return {};
    }

    std::optional<std::string> driverVersion() override {
        std::array<char, 96> text{};
        if (m_driverVersion == nullptr ||
            m_driverVersion(text.data(), static_cast<unsigned>(text.size()) - 1) != kSuccess) {
            return std::nullopt;
        }
        return std::string(text.data());
    }

    std::optional<GpuReading> read(const std::string& pciBusId) override {
        Device device = nullptr;
        if (!m_opened || m_handleByBusId(pciBusId.c_str(), &device) != kSuccess) return std::nullopt;
        GpuReading reading;
        reading.mhz = number([&](unsigned* out) { return m_clock ? m_clock(device, kClockSm, out) : -1; });
        reading.memoryMhz = number([&](unsigned* out) { return m_clock ? m_clock(device, kClockMemory, out) : -1; });
        reading.celsius =
            number([&](unsigned* out) { return m_temperature ? m_temperature(device, kSensorOfChip, out) : -1; });
        reading.watts = number([&](unsigned* out) { return m_power ? m_power(device, out) : -1; }, 1e-3);
        reading.powerLimitWatts =
            number([&](unsigned* out) { return m_powerLimit ? m_powerLimit(device, out) : -1; }, 1e-3);
        reading.pcieGeneration =
            count([&](unsigned* out) { return m_linkGeneration ? m_linkGeneration(device, out) : -1; });
        reading.pcieWidth = count([&](unsigned* out) { return m_linkWidth ? m_linkWidth(device, out) : -1; });
        reading.currentPcieGeneration =
            count([&](unsigned* out) { return m_currentLinkGeneration ? m_currentLinkGeneration(device, out) : -1; });
        reading.currentPcieWidth =
            count([&](unsigned* out) { return m_currentLinkWidth ? m_currentLinkWidth(device, out) : -1; });
        unsigned long long millijoules = 0;
        if (m_energy != nullptr && m_energy(device, &millijoules) == kSuccess)
            reading.energyJoules = static_cast<double>(millijoules) * 1e-3;
        LoadRecord load{};
        if (m_load != nullptr && m_load(device, &load) == kSuccess) reading.loadFraction = load.gpu / 100.0;
        MemoryRecord memory{};
        if (m_memory != nullptr && m_memory(device, &memory) == kSuccess) {
            reading.memoryUsedBytes = static_cast<std::int64_t>(memory.used);
        }
        unsigned long long reasons = 0;
        if (m_throttleReasons != nullptr && m_throttleReasons(device, &reasons) == kSuccess) {
            reading.throttleReasons = reasons;
        }
        reading.computeProcessIds = processes(device);
        return reading;
    }

private:
    template <typename Call>
    static std::optional<double> number(Call&& call, double unit = 1) {
        unsigned value = 0;
        if (call(&value) != kSuccess) return std::nullopt;
        return value * unit;
    }
    template <typename Call>
    static std::optional<int> count(Call&& call) {
        unsigned value = 0;
        if (call(&value) != kSuccess || value == 0 || value > 1024) return std::nullopt;
        return static_cast<int>(value);
    }

    std::optional<std::vector<std::int64_t>> processes(Device device) {
        std::array<ProcessRecord, 64> records{};
        unsigned found = static_cast<unsigned>(records.size());
        const int status = m_processes != nullptr ? m_processes(device, &found, records.data()) : -1;
        if (status != kSuccess && status != kTooSmall) return std::nullopt;
        std::vector<std::int64_t> ids;
        // The buffer is too small: nothing was written, but there are many.
        if (status == kSuccess) {
            for (unsigned i = 0; i < found && i < records.size(); ++i) ids.push_back(records[i].pid);
        } else {
            ids.assign(found, -1);
        }
        return ids;
    }

    std::string m_name;
    bool m_opened = false;
    int (*m_init)() = nullptr;
    int (*m_handleByBusId)(const char* id, Device* device) = nullptr;
    int (*m_driverVersion)(char* text, unsigned size) = nullptr;
    int (*m_clock)(Device device, int type, unsigned* mhz) = nullptr;
    int (*m_temperature)(Device device, int sensor, unsigned* celsius) = nullptr;
    int (*m_power)(Device device, unsigned* milliwatts) = nullptr;
    int (*m_powerLimit)(Device device, unsigned* milliwatts) = nullptr;
    int (*m_load)(Device device, LoadRecord* load) = nullptr;
    int (*m_memory)(Device device, MemoryRecord* memory) = nullptr;
    int (*m_linkGeneration)(Device device, unsigned* generation) = nullptr;
    int (*m_linkWidth)(Device device, unsigned* width) = nullptr;
    int (*m_currentLinkGeneration)(Device device, unsigned* generation) = nullptr;
    int (*m_currentLinkWidth)(Device device, unsigned* width) = nullptr;
    int (*m_energy)(Device device, unsigned long long* millijoules) = nullptr;
    int (*m_processes)(Device device, unsigned* count, ProcessRecord* records) = nullptr;
    int (*m_throttleReasons)(Device device, unsigned long long* reasons) = nullptr;
};

}  // namespace

std::shared_ptr<ManagementLibrary> openManagementLibrary(std::string name) {
    return std::make_shared<NvmlLibrary>(std::move(name));
}

std::vector<Message> throttleReasonNames(std::uint64_t bits) {
    struct Bit {
        std::uint64_t mask;
        MessagePattern<0> name;
    };
    // nvmlClocksEventReasons; 0x1 is idle, 0x2 and 0x100 are clocks set by the user.
    constexpr std::array<Bit, 6> kBits{{{0x04, messages::powerCap},
                                        {0x08, messages::hardwareSlowdown},
                                        {0x10, messages::syncBoost},
                                        {0x20, messages::softwareThermalSlowdown},
                                        {0x40, messages::hardwareThermalSlowdown},
                                        {0x80, messages::powerBrake}}};
    std::vector<Message> names;
    for (const auto& [mask, name] : kBits) {
        if ((bits & mask) != 0) names.push_back(name());
    }
    return names;
}

}  // namespace steelyard::hardware

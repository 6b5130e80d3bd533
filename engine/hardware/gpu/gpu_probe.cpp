// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/gpu/gpu_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/device_id.h"
#include "engine/core/messages/hardware.h"
#include "engine/hardware/gpu/pci_scan.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr const char* kCuda = "libcuda.so.1";
constexpr const char* kNvml = "libnvidia-ml.so.1";
constexpr const char* kPci = "/sys/bus/pci/devices";
constexpr int kMostDevices = 256;

// CUresult: the driver works, but shows no device.
constexpr int kNoDevice = 100;

// Results of the driver before any device is queried.
struct DriverState {
    bool ready = false;
    GpuStatus status = GpuStatus::DriverMissing;
    Message reason;
    std::optional<int> version;
    int devices = 0;
};

Message withVisibleDevices(Message reason, const GpuSources& from) {
    const auto visible = from.readVariable("CUDA_VISIBLE_DEVICES");
    return visible ? messages::hiddenByVariable(std::move(reason), *visible) : reason;
}

// The versions of kernel module and library may differ in containers started without GPU support.
Message missingLibraryReason(const GpuSources& from, const Error& error) {
    return from.files.exists("/proc/driver/nvidia/version") ? messages::driverLibraryMissing(error.detail)
                                                            : messages::driverNotInstalled(error.detail);
}

DriverState askDriver(const GpuSources& from) {
    DriverState state;
    if (const auto opened = from.driver.open(); !opened) {
        state.reason = missingLibraryReason(from, opened.error());
        return state;
    }
    const auto failed = [&](GpuStatus status, const char* call, int code) {
        state.status = status;
        state.reason = messages::driverFailed(call, from.driver.errorName(code));
    };
    int version = 0;
    if (const int code = from.driver.version(version); code != 0) {
        failed(GpuStatus::DriverFailed, "cuDriverGetVersion", code);
        return state;
    }
    state.version = version;
    if (version < kNeededCudaVersion) {
        state.status = GpuStatus::DriverTooOld;
        state.reason = messages::driverTooOld(cudaVersionText(version), cudaVersionText(kNeededCudaVersion));
        return state;
    }
    const int initialized = from.driver.initialize();
    if (initialized != 0 && initialized != kNoDevice) {
        failed(GpuStatus::DriverFailed, "cuInit", initialized);
        return state;
    }
    int count = 0;
    const int counted = initialized == 0 ? from.driver.deviceCount(count) : kNoDevice;
    if (counted != 0 && counted != kNoDevice) {
        failed(GpuStatus::DriverFailed, "cuDeviceGetCount", counted);
        return state;
    }
    if (counted == kNoDevice || count <= 0) {
        state.status = GpuStatus::NotVisible;
        state.reason = withVisibleDevices(messages::noDevice(), from);
        return state;
    }
    state.ready = true;
    state.devices = std::min(count, kMostDevices);
    return state;
}

// Facts of one device -----------------------------------------------------------------------------------------------

template <typename T, typename Call>
Fact<T> ask(DriverLibrary& driver, const char* name, Call&& call) {
    T value{};
    const int code = call(value);
    if (code == 0) return known(std::move(value), kCuda);
    return unknown<T>(messages::callReturned(name, driver.errorName(code)), kCuda);
}

Fact<int> askAttribute(DriverLibrary& driver, int device, DeviceAttribute attribute) {
    return ask<int>(driver, "cuDeviceGetAttribute",
                    [&](int& value) { return driver.attribute(attribute, device, value); });
}

void readCapability(DriverLibrary& driver, int device, int least, GpuInfo& gpu) {
    const auto major = askAttribute(driver, device, DeviceAttribute::ComputeCapabilityMajor);
    const auto minor = askAttribute(driver, device, DeviceAttribute::ComputeCapabilityMinor);
    if (!major.value || !minor.value) {
        gpu.computeCapability = unknown<std::string>(major.value ? minor.reason : major.reason, kCuda);
        gpu.status = GpuStatus::DriverFailed;
        gpu.reason = messages::noComputeCapability(gpu.computeCapability.reason);
        return;
    }
    gpu.computeCapability = known(fmt::format("{}.{}", *major.value, *minor.value), kCuda);
    if (*major.value * 10 + *minor.value < least) {
        gpu.status = GpuStatus::TooOld;
        gpu.reason =
            messages::capabilityTooOld(*gpu.computeCapability.value, fmt::format("{}.{}", least / 10, least % 10));
    }
}

void readClocks(DriverLibrary& driver, int device, GpuInfo& gpu) {
    const auto kilohertz = askAttribute(driver, device, DeviceAttribute::ClockKhz);
    if (kilohertz.value && *kilohertz.value > 0) {
        gpu.maxMhz = known(*kilohertz.value / 1000.0, kCuda);
    } else {
        gpu.maxMhz = unknown<double>(kilohertz.value ? messages::driverReportsZero() : kilohertz.reason, kCuda);
    }
    const auto memoryClock = askAttribute(driver, device, DeviceAttribute::MemoryClockKhz);
    const auto bits = askAttribute(driver, device, DeviceAttribute::MemoryBusBits);
    if (memoryClock.value && bits.value && *memoryClock.value > 0 && *bits.value > 0) {
        // Two transfers a clock (double data rate), eight bits a byte.
        gpu.memoryBytesPerSecond = known(2.0 * *memoryClock.value * 1000.0 * *bits.value / 8.0, kCuda);
    } else {
        gpu.memoryBytesPerSecond = unknown<double>(messages::noMemoryClock(), kCuda);
    }
}

GpuInfo describeDevice(const GpuSources& from, const DriverState& state, int device) {
    DriverLibrary& driver = from.driver;
    GpuInfo gpu;
    gpu.id = DeviceId::ofGpu(device).name;
    gpu.vendor = "NVIDIA";
    gpu.status = GpuStatus::Usable;
    gpu.name =
        ask<std::string>(driver, "cuDeviceGetName", [&](std::string& name) { return driver.deviceName(device, name); });
    gpu.pciBusId =
        ask<std::string>(driver, "cuDeviceGetPCIBusId", [&](std::string& id) { return driver.pciBusId(device, id); });
    gpu.memoryBytes = ask<std::int64_t>(driver, "cuDeviceTotalMem",
                                        [&](std::int64_t& bytes) { return driver.totalMemory(device, bytes); });
    gpu.multiprocessors = askAttribute(driver, device, DeviceAttribute::MultiprocessorCount);
    gpu.cudaVersion = known(cudaVersionText(*state.version), kCuda);
    readClocks(driver, device, gpu);
    readCapability(driver, device, from.minimumComputeCapability, gpu);
    return gpu;
}

// Other sources -----------------------------------------------------------------------------------------------------

template <typename T>
Fact<T> factOr(const std::optional<T>& value, const char* source, const Message& reason) {
    return value ? known(*value, source) : unknown<T>(reason, source);
}

Fact<std::string> driverVersion(const GpuSources& from, bool managed) {
    if (managed) {
        if (auto version = from.management.driverVersion()) return known(*std::move(version), kNvml);
    }
    if (const auto text = from.files.read("/proc/driver/nvidia/version")) {
        std::string version = parseKernelModuleVersion(*text);
        if (!version.empty()) return known(std::move(version), "/proc/driver/nvidia/version");
    }
    if (auto line = from.files.readLine("/sys/module/nvidia/version")) {
        return known(*std::move(line), "/sys/module/nvidia/version");
    }
    return unknown<std::string>(messages::noDriverLoaded());
}

void addPciFacts(const PciCard* card, GpuInfo& gpu) {
    const auto notReported = messages::notByKernel();
    const PciCard none;
    const PciCard& pci = card != nullptr ? *card : none;
    gpu.pcieGeneration = factOr(pci.pcieGeneration, kPci, notReported);
    gpu.pcieWidth = factOr(pci.pcieWidth, kPci, notReported);
    gpu.numaNode = factOr(pci.numaNode, kPci, notReported);
}

void addManagedFacts(const std::optional<GpuReading>& reading, const Message& whyNot, GpuInfo& gpu) {
    const GpuReading now = reading.value_or(GpuReading{});
    gpu.memoryUsedBytes = factOr(now.memoryUsedBytes, kNvml, whyNot);
    gpu.powerLimitWatts = factOr(now.powerLimitWatts, kNvml, whyNot);
    if (now.pcieGeneration) gpu.pcieGeneration = known(*now.pcieGeneration, kNvml);
    if (now.pcieWidth) gpu.pcieWidth = known(*now.pcieWidth, kNvml);
}

// A card unknown to any driver: bus information only.
GpuInfo describeCard(const PciCard& card, GpuStatus status, Message reason) {
    GpuInfo gpu;
    gpu.id = "pci:" + card.busId;
    gpu.vendor = card.vendor == kVendorNvidia ? "NVIDIA" : card.vendor == kVendorAmd ? "AMD" : "Intel";
    gpu.status = status;
    gpu.reason = std::move(reason);
    const auto without = messages::onlyByDriver();
    if (card.name.empty()) {
        gpu.name =
            unknown<std::string>(messages::unknownPciDevice(fmt::format("{:04x}:{:04x}", card.vendor, card.device)));
    } else {
        gpu.name = known(card.name, "pci.ids");
    }
    gpu.pciBusId = known(card.busId, kPci);
    gpu.computeCapability = unknown<std::string>(without);
    gpu.memoryBytes = factOr(card.memoryBytes, "mem_info_vram_total", without);
    gpu.memoryUsedBytes = unknown<std::int64_t>(without);
    gpu.driver = card.driver.empty() ? unknown<std::string>(messages::noKernelDriver(), kPci)
                                     : known(card.driver, std::string(kPci) + "/driver");
    gpu.cudaVersion = unknown<std::string>(without);
    gpu.multiprocessors = unknown<int>(without);
    gpu.maxMhz = unknown<double>(without);
    gpu.memoryBytesPerSecond = unknown<double>(without);
    gpu.powerLimitWatts = unknown<double>(without);
    addPciFacts(&card, gpu);
    return gpu;
}

// The last stage: a working card also needs the program's backend. Skipped if the backend registry was not passed.
void judgeBackend(const std::vector<BackendInfo>& backends, GpuInfo& gpu) {
    if (gpu.status != GpuStatus::Usable || backends.empty()) return;
    const auto cuda = std::find_if(backends.begin(), backends.end(),
                                   [](const BackendInfo& backend) { return backend.name == "cuda"; });
    if (cuda != backends.end() && cuda->loaded) return;
    gpu.status = GpuStatus::BackendMissing;
    gpu.reason = cuda != backends.end() && !cuda->reason.empty() ? messages::backendNotLoaded(cuda->reason)
                                                                 : messages::backendNotInstalled();
}

const PciCard* cardAt(const std::vector<PciCard>& cards, const Fact<std::string>& busId) {
    const auto found = std::find_if(cards.begin(), cards.end(), [&](const PciCard& card) {
        return busId.value && normalizedBusId(card.busId) == *busId.value;
    });
    return found != cards.end() ? &*found : nullptr;
}

void addDevices(const GpuSources& from, const DriverState& state, const std::vector<PciCard>& cards,
                GpuReport& report) {
    const auto managed = from.management.open();
    const auto driver = driverVersion(from, managed.has_value());
    for (int device = 0; device < state.devices; ++device) {
        GpuInfo gpu = describeDevice(from, state, device);
        gpu.driver = driver;
        addPciFacts(cardAt(cards, gpu.pciBusId), gpu);
        const bool readable = managed && gpu.pciBusId.isKnown();
        const auto reading = readable ? from.management.read(*gpu.pciBusId.value) : std::nullopt;
        addManagedFacts(reading, managed ? messages::notByDriver() : messages::libraryUnusable(kNvml), gpu);
        judgeBackend(from.backends, gpu);
        report.gpus.push_back(std::move(gpu));
    }
}

bool isListed(const GpuReport& report, const PciCard& card) {
    return std::any_of(report.gpus.begin(), report.gpus.end(), [&](const GpuInfo& gpu) {
        return gpu.pciBusId.value && *gpu.pciBusId.value == normalizedBusId(card.busId);
    });
}

}  // namespace

std::string cudaVersionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string parseKernelModuleVersion(std::string_view text) {
    // "... Kernel Module  580.65.06  Sun Jul 27" or "... Kernel Module for x86_64  580.65.06  Release Build": the first
    // word after "Kernel Module" that is a version.
    const auto at = text.find("Kernel Module");
    if (at == std::string_view::npos) return {};
    for (std::string_view word : splitText(text.substr(at, text.find('\n', at) - at), ' ')) {
        const bool digits =
            std::all_of(word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
        if (digits && word.find('.') != std::string_view::npos) return std::string(word);
    }
    return {};
}

GpuReport probeGpus(const GpuSources& from) {
    GpuReport report;
    const auto cards = scanPciCards(from.files);
    // The driver is queried even if the bus shows no card: WSL and some sandboxes hide the bus, not the card.
    const DriverState state = askDriver(from);
    if (state.ready) addDevices(from, state, cards, report);
    for (const auto& card : cards) {
        if (card.vendor != kVendorNvidia) {
            report.gpus.push_back(describeCard(card, GpuStatus::UnsupportedVendor, messages::unsupportedVendor()));
        } else if (!state.ready) {
            const bool other = !card.driver.empty() && card.driver != "nvidia";
            GpuInfo gpu = describeCard(card, state.status,
                                       other ? messages::kernelDriverInUse(state.reason, card.driver) : state.reason);
            if (state.version) gpu.cudaVersion = known(cudaVersionText(*state.version), kCuda);
            report.gpus.push_back(std::move(gpu));
        } else if (!isListed(report, card)) {
            report.gpus.push_back(
                describeCard(card, GpuStatus::NotVisible, withVisibleDevices(messages::deviceNotReported(), from)));
        }
    }
    if (report.gpus.empty()) {
        report.reason = from.files.exists(kPci) ? messages::noGpuOnBus() : messages::pciNotVisible();
    }
    return report;
}

}  // namespace steelyard::hardware

// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/gpu/driver_library.h"

#include <array>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/gpu/dynamic_library.h"
#include "engine/hardware/gpu/pci_scan.h"

namespace steelyard::hardware {
namespace {

constexpr const char* kName = "libcuda.so.1";

// The CUDA driver API functions used here, as in its reference manual: all return a CUresult (an int, 0 is success),
// and a CUdevice is an int.
class CudaDriverLibrary final : public DriverLibrary {
public:
    Result<void> open() override {
        if (m_opened) return {};
        ASSIGN(const auto library, DynamicLibrary::open(kName));
        const bool complete =
            library.find("cuInit", m_init) && library.find("cuDriverGetVersion", m_version) &&
            library.find("cuDeviceGet", m_device) && library.find("cuDeviceGetCount", m_count) &&
            library.find("cuDeviceGetName", m_name) && library.find("cuDeviceGetAttribute", m_attribute) &&
            library.find("cuDeviceTotalMem_v2", m_memory) && library.find("cuDeviceGetPCIBusId", m_busId);
        if (!complete) return fail(ErrorKind::BackendUnavailable, kName, messages::missingEntryPoint());
        library.find("cuGetErrorName", m_errorName);
        m_opened = true;
        return {};
    }

    int initialize() override { return m_init(0); }
    int version(int& version) override { return m_version(&version); }
    int deviceCount(int& count) override { return m_count(&count); }

    int deviceName(int device, std::string& name) override {
        std::array<char, 256> text{};
        const int status = onDevice(
            device, [&](int handle) { return m_name(text.data(), static_cast<int>(text.size()) - 1, handle); });
        if (status == 0) name = text.data();
        return status;
    }

    int attribute(DeviceAttribute attribute, int device, int& value) override {
        return onDevice(device, [&](int handle) { return m_attribute(&value, static_cast<int>(attribute), handle); });
    }

    int totalMemory(int device, std::int64_t& bytes) override {
        std::size_t size = 0;
        const int status = onDevice(device, [&](int handle) { return m_memory(&size, handle); });
        if (status == 0) bytes = static_cast<std::int64_t>(size);
        return status;
    }

    int pciBusId(int device, std::string& id) override {
        std::array<char, 64> text{};
        const int status = onDevice(
            device, [&](int handle) { return m_busId(text.data(), static_cast<int>(text.size()) - 1, handle); });
        if (status == 0) id = normalizedBusId(text.data());
        return status;
    }

    std::string errorName(int status) override {
        const char* name = nullptr;
        if (m_errorName != nullptr && m_errorName(status, &name) == 0 && name != nullptr) return name;
        return std::to_string(status);
    }

private:
    // Devices are indexed from 0; a handle is a different number.
    template <typename Call>
    int onDevice(int device, Call&& call) {
        int handle = 0;
        const int status = m_device(&handle, device);
        return status != 0 ? status : call(handle);
    }

    bool m_opened = false;
    int (*m_init)(unsigned flags) = nullptr;
    int (*m_version)(int* version) = nullptr;
    int (*m_device)(int* handle, int ordinal) = nullptr;
    int (*m_count)(int* count) = nullptr;
    int (*m_name)(char* name, int size, int handle) = nullptr;
    int (*m_attribute)(int* value, int attribute, int handle) = nullptr;
    int (*m_memory)(std::size_t* bytes, int handle) = nullptr;
    int (*m_busId)(char* id, int size, int handle) = nullptr;
    int (*m_errorName)(int status, const char** name) = nullptr;
};

}  // namespace

std::shared_ptr<DriverLibrary> openDriverLibrary() {
    return std::make_shared<CudaDriverLibrary>();
}

}  // namespace steelyard::hardware

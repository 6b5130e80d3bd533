// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/device_runtime.h"

#include <utility>

namespace steelyard::compute::cuda {

Result<DeviceMemory> DeviceMemory::allocate(DeviceRuntime& runtime, std::int64_t bytes) {
    DeviceMemory memory;
    if (bytes == 0) return memory;
    ASSIGN(const auto data, runtime.allocate(bytes));
    memory.m_runtime = &runtime;
    memory.m_data = static_cast<std::byte*>(data);
    memory.m_bytes = bytes;
    return memory;
}

Result<DeviceMemory> DeviceMemory::allocatePinned(DeviceRuntime& runtime, std::int64_t bytes) {
    DeviceMemory memory;
    ASSIGN(const auto data, runtime.allocatePinned(bytes));
    memory.m_runtime = &runtime;
    memory.m_data = static_cast<std::byte*>(data);
    memory.m_bytes = bytes;
    memory.m_pinned = true;
    return memory;
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept {
    *this = std::move(other);
}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
    std::swap(m_runtime, other.m_runtime);
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    std::swap(m_pinned, other.m_pinned);
    return *this;
}

void DeviceMemory::reset() {
    if (m_data == nullptr) return;
    if (m_pinned)
        m_runtime->releasePinned(m_data);
    else
        m_runtime->release(m_data);
    m_data = nullptr;
    m_bytes = 0;
}

}  // namespace steelyard::compute::cuda

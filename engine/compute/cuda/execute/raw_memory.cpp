// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/raw_memory.h"

#include "engine/compute/cuda/execute/executable.h"

namespace steelyard::compute::cuda {
namespace {

class CudaRawMemory final : public RawMemory {
public:
    CudaRawMemory(std::shared_ptr<DeviceSet> device, DeviceMemory memory)
        : m_device(std::move(device)), m_memory(std::move(memory)) {}

    [[nodiscard]] std::int64_t bytes() const override { return m_memory.bytes(); }
    [[nodiscard]] Result<void> write(std::int64_t offset, std::span<const std::byte> values) override {
        auto& r = *m_device->runtime;
        TRY(r.makeCurrent());
        TRY(r.copyToDevice(m_memory.data() + offset, values.data(), static_cast<std::int64_t>(values.size()),
                           r.stream()));
        return r.synchronize(r.stream());
    }
    [[nodiscard]] Result<void> read(std::int64_t offset, std::span<std::byte> values) override {
        auto& r = *m_device->runtime;
        TRY(r.makeCurrent());
        TRY(r.copyToHost(values.data(), m_memory.data() + offset, static_cast<std::int64_t>(values.size()),
                         r.stream()));
        return r.synchronize(r.stream());
    }

private:
    std::shared_ptr<DeviceSet> m_device;  // must outlive the allocation
    DeviceMemory m_memory;
};

}  // namespace

Result<std::unique_ptr<RawMemory>> makeRawMemory(std::shared_ptr<DeviceSet> device, Bytes bytes) {
    TRY(device->runtime->makeCurrent());
    ASSIGN(auto memory, DeviceMemory::allocate(*device->runtime, bytes.value()));
    return std::make_unique<CudaRawMemory>(std::move(device), std::move(memory));
}

}  // namespace steelyard::compute::cuda

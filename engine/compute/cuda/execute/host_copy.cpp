// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/host_copy.h"

#include <cstring>
#include <vector>

#include "engine/compute/cuda/execute/executable.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

// Aperiodic, so that wrong offsets are detected.
void fillPattern(std::byte* bytes, std::int64_t count) {
    std::uint32_t state = 1;
    for (std::int64_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = static_cast<std::byte>(state >> 24);
    }
}

class CudaHostCopy final : public HostCopy {
public:
    CudaHostCopy(std::shared_ptr<DeviceSet> device, const CopyRequest& request)
        : m_device(std::move(device)), m_bytes(request.bytes.value()), m_toDevice(request.toDevice) {}

    Result<void> prepare(bool pinned) {
        auto& r = runtime();
        if (auto ok = r.makeCurrent(); !ok) return ok;
        ASSIGN(auto onDevice, DeviceMemory::allocate(r, m_bytes));
        m_onDevice = std::move(onDevice);
        if (pinned) {
            ASSIGN(auto host, DeviceMemory::allocatePinned(r, m_bytes));
            m_pinned = std::move(host);
            m_host = m_pinned.data();
        } else {
            m_pageable.resize(static_cast<std::size_t>(m_bytes));
            m_host = m_pageable.data();
        }
        for (auto* event : {&m_first, &m_last}) {
            ASSIGN(auto made, OwnedEvent::create(r));
            *event = std::move(made);
        }
        fillPattern(m_host, m_bytes);
        m_expected.assign(m_host, m_host + m_bytes);
        if (m_toDevice) return {};
        if (auto ok = r.copyToDevice(m_onDevice.data(), m_host, m_bytes, r.stream()); !ok) return ok;
        if (auto ok = r.synchronize(r.stream()); !ok) return ok;
        std::memset(m_host, 0, static_cast<std::size_t>(m_bytes));
        return {};
    }

    [[nodiscard]] Result<std::optional<double>> run() override {
        auto& r = runtime();
        const auto stream = r.stream();
        TRY(r.makeCurrent());
        TRY(r.record(m_first.get(), stream));
        TRY(m_toDevice ? r.copyToDevice(m_onDevice.data(), m_host, m_bytes, stream)
                       : r.copyToHost(m_host, m_onDevice.data(), m_bytes, stream));
        TRY(r.record(m_last.get(), stream));
        TRY(r.synchronize(stream));
        ASSIGN(const auto seconds, r.secondsBetween(m_first.get(), m_last.get()));
        return std::optional<double>(seconds);
    }

    [[nodiscard]] Result<void> check() override {
        auto& r = runtime();
        if (auto ok = r.makeCurrent(); !ok) return ok;
        std::vector<std::byte> found(m_host, m_host + m_bytes);
        if (m_toDevice) {
            if (auto ok = r.copyToHost(found.data(), m_onDevice.data(), m_bytes, r.stream()); !ok) return ok;
            if (auto ok = r.synchronize(r.stream()); !ok) return ok;
        }
        if (found == m_expected) return {};
        return fail(ErrorKind::Internal, {}, messages::copyDiffers());
    }

private:
    [[nodiscard]] DeviceRuntime& runtime() const { return *m_device->runtime; }

    std::shared_ptr<DeviceSet> m_device;  // must outlive its allocations
    std::int64_t m_bytes;
    bool m_toDevice;
    DeviceMemory m_onDevice, m_pinned;
    std::vector<std::byte> m_pageable, m_expected;
    std::byte* m_host = nullptr;
    OwnedEvent m_first, m_last;
};

}  // namespace

Result<std::unique_ptr<HostCopy>> makeHostCopy(std::shared_ptr<DeviceSet> device, const CopyRequest& request) {
    if (request.bytes.value() < 1) return fail(ErrorKind::InvalidArgument, "bytes", messages::nothingToCopy());
    auto copy = std::make_unique<CudaHostCopy>(std::move(device), request);
    TRY(copy->prepare(request.pinned));
    return copy;
}

}  // namespace steelyard::compute::cuda

// SPDX-License-Identifier: Apache-2.0
// An owned event of a device. Movable; must not outlive the runtime.
#pragma once

#include <utility>

#include "engine/compute/cuda/execute/device_runtime.h"

namespace steelyard::compute::cuda {

class OwnedEvent {
public:
    OwnedEvent() = default;
    [[nodiscard]] static Result<OwnedEvent> create(DeviceRuntime& runtime) {
        ASSIGN(const auto event, runtime.createEvent());
        OwnedEvent owned;
        owned.m_runtime = &runtime;
        owned.m_event = event;
        return owned;
    }
    OwnedEvent(OwnedEvent&& other) noexcept { *this = std::move(other); }
    OwnedEvent& operator=(OwnedEvent&& other) noexcept {
        std::swap(m_runtime, other.m_runtime);
        std::swap(m_event, other.m_event);
        return *this;
    }
    OwnedEvent(const OwnedEvent&) = delete;
    OwnedEvent& operator=(const OwnedEvent&) = delete;
    ~OwnedEvent() {
        if (m_event != nullptr) m_runtime->destroyEvent(m_event);
    }
    [[nodiscard]] Event get() const { return m_event; }

private:
    DeviceRuntime* m_runtime = nullptr;
    Event m_event = nullptr;
};

}  // namespace steelyard::compute::cuda

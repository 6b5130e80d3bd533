// SPDX-License-Identifier: Apache-2.0
// Reads sensors periodically on its own thread during its lifetime and passes each reading to a callback on that
// thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/clock.h"
#include "engine/hardware/system/sensors.h"

namespace steelyard::bench {

// Energy and duration of the recording: of the GPU under test, otherwise of the processor packages.
struct EnergyUse {
    double joules = 0, seconds = 0;
    bool ofGpu = false;
};

class SensorRecorder {
public:
    // perSecond <= 0: no recording.
    SensorRecorder(hardware::SensorOptions options, double perSecond, const Clock& clock,
                   std::function<void(const SensorReading&)> onReading);
    ~SensorRecorder();
    SensorRecorder(const SensorRecorder&) = delete;
    SensorRecorder& operator=(const SensorRecorder&) = delete;

    // Stops the thread and returns the readings, oldest first. Call once.
    [[nodiscard]] std::vector<SensorReading> finish();
    // Call after finish(). Unset if an interval has no energy reading or the recording is too short for the counters.
    [[nodiscard]] std::optional<EnergyUse> energy() const;
    // Call after finish(): distinct reasons for GPU throttling.
    [[nodiscard]] const std::vector<Message>& throttleReasons() const { return m_throttleReasons; }

private:
    // Written by the thread until it is joined.
    std::vector<SensorReading> m_readings;
    std::vector<Message> m_throttleReasons;
    EnergyUse m_energy;
    bool m_energyKnown = true;

    void note(const hardware::SensorSample& sample, double seconds, bool ofGpu);
    std::jthread m_thread;
};

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Reads the sensors a few times a second on a thread of its own while an object lives, and hands each reading to a
// callback on that thread.
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

// Joules over some seconds of the recording: of the GPU under test, or else of the processor packages.
struct EnergyUse {
    double joules = 0, seconds = 0;
    bool ofGpu = false;
};

class SensorRecorder {
public:
    // perSecond <= 0: records nothing.
    SensorRecorder(hardware::SensorOptions options, double perSecond, const Clock& clock,
                   std::function<void(const SensorReading&)> onReading);
    ~SensorRecorder();
    SensorRecorder(const SensorRecorder&) = delete;
    SensorRecorder& operator=(const SensorRecorder&) = delete;

    // Stops the thread and returns what was read, oldest first. Once.
    [[nodiscard]] std::vector<SensorReading> finish();
    // After finish(). Unset unless every interval told its energy, or when all of it is too short for the counters.
    [[nodiscard]] std::optional<EnergyUse> energy() const;
    // After finish(): why the GPU ran slower, in words; each reason once.
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

// SPDX-License-Identifier: Apache-2.0
// Reads the sensors a few times a second on a thread of its own while an object lives, and hands each reading to a
// callback on that thread.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "engine/bench/record.h"
#include "engine/core/clock.h"
#include "engine/hardware/sensors.h"

namespace steelyard::bench {

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

private:
    std::vector<SensorReading> m_readings;  // written by the thread until it is joined
    std::jthread m_thread;
};

}  // namespace steelyard::bench

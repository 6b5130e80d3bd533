// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/sensor_recorder.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace steelyard::bench {
namespace {

SensorReading readingOf(const hardware::SensorSample& sample, double atSeconds) {
    SensorReading reading;
    reading.atSeconds = atSeconds;
    reading.cpuLoadFraction = sample.cpuLoadFraction;
    reading.cpuMhz = sample.cpuMhz;
    reading.cpuCelsius = sample.cpuCelsius;
    reading.gpuMhz = sample.gpuMhz;
    reading.gpuCelsius = sample.gpuCelsius;
    reading.gpuWatts = sample.gpuWatts;
    reading.gpuLoadFraction = sample.gpuLoadFraction;
    reading.memoryUsedBytes = sample.residentBytes;
    reading.deviceMemoryUsedBytes = sample.gpuMemoryUsedBytes;
    reading.throttled = sample.throttled();
    return reading;
}

}  // namespace

SensorRecorder::SensorRecorder(hardware::SensorOptions options, double perSecond, const Clock& clock,
                               std::function<void(const SensorReading&)> onReading) {
    if (perSecond <= 0) return;
    m_thread = std::jthread([this, options = std::move(options), perSecond, &clock, onReading = std::move(onReading)](std::stop_token stop) {
        hardware::Sensors sensors(options);
        (void)sensors.sample();  // loads are differences: the first sample has none
        const auto start = clock.nowNanoseconds();
        const auto interval = std::chrono::duration<double>(1.0 / perSecond);
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, stop, interval, [] { return false; }) && !stop.stop_requested()) {
            m_readings.push_back(readingOf(sensors.sample(), secondsBetween(start, clock.nowNanoseconds()).value()));
            if (onReading) onReading(m_readings.back());
        }
    });
}

SensorRecorder::~SensorRecorder() = default;

std::vector<SensorReading> SensorRecorder::finish() {
    if (m_thread.joinable()) {
        m_thread.request_stop();
        m_thread.join();
    }
    return std::move(m_readings);
}

}  // namespace steelyard::bench

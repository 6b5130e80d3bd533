// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/sensor_recorder.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

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
    m_thread = std::jthread([this, options = std::move(options), perSecond, &clock,
                             onReading = std::move(onReading)](std::stop_token stop) {
        hardware::Sensors sensors(options);
        (void)sensors.sample();  // loads are differences; the first sample has none
        const auto start = clock.nowNanoseconds();
        const auto interval = std::chrono::duration<double>(1.0 / perSecond);
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        double last = 0;
        const auto take = [&] {
            const auto sample = sensors.sample();
            const double now = secondsBetween(start, clock.nowNanoseconds()).value();
            note(sample, now - std::exchange(last, now), !options.gpuPciBusId.empty());
            return readingOf(sample, now);
        };
        while (!wake.wait_for(lock, stop, interval, [] { return false; }) && !stop.stop_requested()) {
            m_readings.push_back(take());
            if (onReading) onReading(m_readings.back());
        }
        (void)take();  // the energy of the last, shorter interval
    });
}

SensorRecorder::~SensorRecorder() = default;

void SensorRecorder::note(const hardware::SensorSample& sample, double seconds, bool ofGpu) {
    const auto& joules = ofGpu ? sample.gpuJoules : sample.cpuJoules;
    m_energyKnown = m_energyKnown && joules;
    m_energy.joules += joules.value_or(0);
    m_energy.seconds += seconds;
    m_energy.ofGpu = ofGpu;
    for (const auto& reason : sample.gpuThrottleReasons) {
        if (std::ranges::find(m_throttleReasons, reason) == m_throttleReasons.end())
            m_throttleReasons.push_back(reason);
    }
}

std::optional<EnergyUse> SensorRecorder::energy() const {
    constexpr double kShortest = 0.2;  // GPU counters are updated a few dozen times per second
    if (!m_energyKnown || m_energy.seconds < kShortest) return std::nullopt;
    return m_energy;
}

std::vector<SensorReading> SensorRecorder::finish() {
    if (m_thread.joinable()) {
        m_thread.request_stop();
        m_thread.join();
    }
    return std::move(m_readings);
}

}  // namespace steelyard::bench

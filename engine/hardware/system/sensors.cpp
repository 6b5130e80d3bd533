// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/sensors.h"

#include <algorithm>
#include <utility>

#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/system/control_groups.h"
#include "engine/hardware/system/sensor_readings.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr std::size_t kMostThrottleFiles = 8;

// Incremented by the kernel when a core or package overheats; available on Intel processors.
std::vector<std::string> findThrottleCounters(const SystemFiles& files, const std::vector<int>& cpus) {
    std::vector<std::string> paths;
    const std::size_t step = std::max<std::size_t>(1, cpus.size() / (kMostThrottleFiles / 2));
    for (std::size_t i = 0; i < cpus.size() && paths.size() < kMostThrottleFiles; i += step) {
        const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpus[i]) + "/thermal_throttle/";
        for (const char* name : {"core_throttle_count", "package_throttle_count"}) {
            if (files.exists(folder + name)) paths.push_back(folder + name);
        }
    }
    return paths;
}

std::optional<std::int64_t> sumOf(const SystemFiles& files, const std::vector<std::string>& paths) {
    std::optional<std::int64_t> sum;
    for (const auto& path : paths) {
        if (const auto value = files.readInteger(path)) sum = sum.value_or(0) + *value;
    }
    return sum;
}

std::optional<std::int64_t> quotaStops(const SystemFiles& files, const std::vector<std::string>& paths) {
    std::optional<std::int64_t> sum;
    for (const auto& path : paths) {
        const auto text = files.read(path);
        const auto value = text ? valueOfKey(*text, "nr_throttled", ' ') : std::nullopt;
        const auto count = value ? parseInteger(*value) : std::nullopt;
        if (count) sum = sum.value_or(0) + *count;
    }
    return sum;
}

// Whether a counter increased since the last reading, which is replaced; not set without two readings.
std::optional<bool> rose(std::optional<std::int64_t>& last, std::optional<std::int64_t> now) {
    const auto before = std::exchange(last, now);
    if (!before || !now) return std::nullopt;
    return *now > *before;
}

}  // namespace

bool SensorSample::throttled() const {
    return cpuThrottled.value_or(false) || quotaThrottled.value_or(false) || !gpuThrottleReasons.empty();
}

struct Sensors::State {
    SensorOptions options;
    bool countsCycles = false;
    bool managed = false;
    std::vector<std::string> thermometers;
    std::vector<std::string> throttleCounters;
    std::vector<std::string> cpuStatPaths;
    std::optional<CpuTimes> lastTimes;
    std::optional<std::int64_t> lastThrottles;
    std::optional<std::int64_t> lastQuotaStops;
    std::vector<EnergyCounter> energyCounters;
    std::vector<std::optional<std::int64_t>> lastEnergies;  // one per counter

    std::optional<double> lastGpuEnergy;

    void readCpu(SensorSample& sample);
    void readEnergy(SensorSample& sample);
    void readProcess(SensorSample& sample) const;
    void readGpu(SensorSample& sample);
};

Sensors::Sensors(SensorOptions options) : m_state(std::make_unique<State>()) {
    State& state = *m_state;
    state.options = std::move(options);
    const SystemFiles& files = state.options.files;
    if (state.options.cpus.empty()) {
        state.options.cpus =
            parseCpuList(files.readLine("/sys/devices/system/cpu/online").value_or("")).value_or(std::vector<int>{});
    }
    const auto text = files.read("/proc/cpuinfo");
    state.countsCycles = text && parseCpuInfo(*text).countsCycles;
    state.thermometers = findCpuThermometers(files);
    state.throttleCounters = findThrottleCounters(files, state.options.cpus);
    state.energyCounters = findEnergyCounters(files);
    state.lastEnergies.resize(state.energyCounters.size());
    state.cpuStatPaths = readControlGroups(files).cpuStatPaths;
    state.managed = state.options.management && !state.options.gpuPciBusId.empty() && state.options.management->open();
}

Sensors::~Sensors() = default;
Sensors::Sensors(Sensors&&) noexcept = default;
Sensors& Sensors::operator=(Sensors&&) noexcept = default;

void Sensors::State::readCpu(SensorSample& sample) {
    const SystemFiles& files = options.files;
    const auto times = readCpuTimes(files, options.cpus);
    if (times && lastTimes) sample.cpuLoadFraction = busyFraction(*lastTimes, *times);
    lastTimes = times;
    sample.cpuMhz = readCurrentMhz(files, options.cpus, countsCycles);
    sample.cpuCelsius = readHottest(files, thermometers);
    sample.cpuThrottled = rose(lastThrottles, sumOf(files, throttleCounters));
    sample.quotaThrottled = rose(lastQuotaStops, quotaStops(files, cpuStatPaths));
    if (const auto line = files.readLine("/proc/loadavg")) {
        sample.loadAverage = parseReal(std::string_view(*line).substr(0, line->find(' ')));
    }
    if (const auto text = files.read("/proc/pressure/cpu")) sample.pressureFraction = parsePressure(*text);
}

// Not set unless every package has both readings: a partial sum would look like a saving.
void Sensors::State::readEnergy(SensorSample& sample) {
    double joules = 0;
    bool all = !energyCounters.empty();
    for (std::size_t i = 0; i < energyCounters.size(); ++i) {
        const auto now = options.files.readInteger(energyCounters[i].path);
        const auto before = std::exchange(lastEnergies[i], now);
        all = all && before && now;
        if (all) joules += joulesBetween(*before, *now, energyCounters[i].range);
    }
    if (all) sample.cpuJoules = joules;
}

void Sensors::State::readProcess(SensorSample& sample) const {
    if (const auto status = options.files.read("/proc/self/status")) {
        sample.residentBytes = kibibytesOfKey(*status, "VmRSS");
        sample.peakResidentBytes = kibibytesOfKey(*status, "VmHWM");
    }
    if (const auto memory = options.files.read("/proc/meminfo")) {
        sample.availableBytes = kibibytesOfKey(*memory, "MemAvailable");
    }
}

void Sensors::State::readGpu(SensorSample& sample) {
    const auto reading = managed ? options.management->read(options.gpuPciBusId) : std::nullopt;
    if (!reading) return;
    sample.gpuMhz = reading->mhz;
    sample.gpuCelsius = reading->celsius;
    sample.gpuWatts = reading->watts;
    sample.gpuMemoryMhz = reading->memoryMhz;
    const auto before = std::exchange(lastGpuEnergy, reading->energyJoules);
    // A reloaded driver restarts at 0.
    if (before && reading->energyJoules && *reading->energyJoules >= *before)
        sample.gpuJoules = *reading->energyJoules - *before;
    sample.gpuLoadFraction = reading->loadFraction;
    sample.gpuMemoryUsedBytes = reading->memoryUsedBytes;
    if (reading->throttleReasons) sample.gpuThrottleReasons = throttleReasonNames(*reading->throttleReasons);
}

SensorSample Sensors::sample() {
    SensorSample sample;
    m_state->readCpu(sample);
    m_state->readEnergy(sample);
    m_state->readProcess(sample);
    m_state->readGpu(sample);
    return sample;
}

}  // namespace steelyard::hardware

// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/state_probe.h"

#include <algorithm>

#include "engine/compute/machine_probe.h"

namespace steelyard::bench {
namespace {

// nvmlClocksEventReasons. Idle, application clocks and the power limit, which a loaded card usually reaches, are
// normal; thermal slowdown, power brake and hardware slowdown are not.
constexpr std::uint64_t kSlowdowns = 0x08 | 0x20 | 0x40 | 0x80;

}  // namespace

StateProbe::StateProbe(compute::Backend& backend, StateProbeOptions options)
    : m_backend(backend), m_options(std::move(options)), m_load(m_options.files, m_options.cpus, m_options.threads) {}

MachineReading StateProbe::read() {
    MachineReading reading;
    // Before the probe, which itself loads the processors.
    const auto load = m_load.sample();
    reading.stolenCpus = load.stolenCpus;
    reading.otherCpus = load.otherCpus;
    reading.involuntarySwitches = load.involuntarySwitches;
    readGpu(reading);
    if (auto* machine = compute::machineProbeOf(m_backend)) {
        const auto rates = machine->probeMachine(m_options.threads);
        reading.roundTripSeconds = rates.roundTripSeconds;
        reading.slowestRoundTripSeconds = rates.slowestRoundTripSeconds;
        reading.arithmeticRate = rates.arithmeticRate;
        reading.bandwidth = rates.bandwidth;
    }
    return reading;
}

void StateProbe::readGpu(MachineReading& reading) {
    if (!m_options.management || m_options.gpuPciBusId.empty() || !m_options.management->open()) return;
    const auto gpu = m_options.management->read(m_options.gpuPciBusId);
    if (!gpu) return;
    reading.gpuMhz = gpu->mhz;
    reading.gpuCelsius = gpu->celsius;
    if (gpu->throttleReasons) reading.gpuThrottled = (*gpu->throttleReasons & kSlowdowns) != 0;
    if (gpu->computeProcessIds)
        reading.gpuOtherProcesses =
            static_cast<int>(std::count_if(gpu->computeProcessIds->begin(), gpu->computeProcessIds->end(),
                                           [this](std::int64_t process) { return process != m_options.processId; }));
}

}  // namespace steelyard::bench

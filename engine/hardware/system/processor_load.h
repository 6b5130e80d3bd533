// SPDX-License-Identifier: Apache-2.0
// Load by other processes on the processors that this process may use, between two readings: by the kernel's accounting
// of this process (how long its threads were runnable without a processor) and by the busy time of the processors.
// Reads files that everybody may read; one reading costs about ten microseconds a thread. An object belongs to one
// thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hardware/system/sensor_readings.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

struct LoadCounters {
    double seconds = 0;                    // by a steady clock
    std::optional<CpuTimes> times;         // of the allowed processors, from /proc/stat
    std::optional<std::int64_t> waitedNs;  // ready but without a processor: all threads, /proc/self/task/*/schedstat
    std::optional<double> ownSeconds;      // processor time of this process
    std::optional<std::int64_t> ownInvoluntary;  // context switches that this process did not ask for
};

// Between two readings; unset where one of them is.
struct LoadOfOthers {
    std::optional<double> stolenCpus;  // processors' worth of time that the hypervisor gave to other guests
    // Processors' worth of time that other processes kept this one from: the waiting of its threads; or, where that is
    // more by more than the ticks' resolution, what others were busy beyond the processors that this process leaves
    // spare.
    std::optional<double> otherCpus;
    std::optional<std::int64_t> involuntarySwitches;
};

// threads: that this process computes with. More of them than processors wait for each other, so that their waiting
// says nothing of others.
[[nodiscard]] LoadOfOthers loadBetween(const LoadCounters& before, const LoadCounters& after, int threads);

class ProcessorLoad {
public:
    // cpus: those that this process may use; empty: all.
    ProcessorLoad(SystemFiles files, std::vector<int> cpus, int threads);
    // Since the call before; everything is unset in the first.
    [[nodiscard]] LoadOfOthers sample();

private:
    [[nodiscard]] LoadCounters read() const;

    SystemFiles m_files;
    std::vector<int> m_cpus;
    int m_threads;
    std::optional<LoadCounters> m_before;
};

}  // namespace steelyard::hardware

// SPDX-License-Identifier: Apache-2.0
// Load by other processes on the CPUs available to this process, between two samples: from the kernel's accounting of
// this process (how long its threads were runnable without a CPU) and from the busy time of the CPUs. Reads
// world-readable files; a sample takes about 10 microseconds per thread. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hardware/system/sensor_readings.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

struct LoadCounters {
    double seconds = 0;                          // by a steady clock
    std::optional<CpuTimes> times;               // of the allowed processors, from /proc/stat
    std::optional<std::int64_t> waitedNs;        // runnable but not running: all threads, /proc/self/task/*/schedstat
    std::optional<double> ownSeconds;            // CPU time of this process
    std::optional<std::int64_t> ownInvoluntary;  // involuntary context switches
};

// Between two samples; not set if either lacks the value.
struct LoadOfOthers {
    std::optional<double> stolenCpus;  // CPU time taken by other guests of the hypervisor, in CPUs
    // CPU time withheld from this process by others, in CPUs: the waiting time of its threads; or, if larger by more
    // than the tick resolution, the busy time of others beyond the CPUs left idle by this process.
    std::optional<double> otherCpus;
    std::optional<std::int64_t> involuntarySwitches;
};

// threads: compute threads of this process. More threads than CPUs wait for each other, so their waiting does not
// indicate other load.
[[nodiscard]] LoadOfOthers loadBetween(const LoadCounters& before, const LoadCounters& after, int threads);

class ProcessorLoad {
public:
    // cpus: those available to this process; empty: all.
    ProcessorLoad(SystemFiles files, std::vector<int> cpus, int threads);
    // Since the previous call; nothing is set in the first.
    [[nodiscard]] LoadOfOthers sample();

private:
    [[nodiscard]] LoadCounters read() const;

    SystemFiles m_files;
    std::vector<int> m_cpus;
    int m_threads;
    std::optional<LoadCounters> m_before;
};

}  // namespace steelyard::hardware

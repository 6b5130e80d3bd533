// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/processor_load.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr double kTicksOfDoubt = 2;  // per CPU, for both ends of an interval together

// "cpu-time waiting-time timeslices" of each thread, in nanoseconds (Documentation/scheduler/sched-stats.rst).
std::optional<std::int64_t> readWaiting(const SystemFiles& files) {
    std::optional<std::int64_t> sum;
    for (const auto& thread : files.list("/proc/self/task")) {
        const auto line = files.readLine("/proc/self/task/" + thread + "/schedstat");
        if (!line) continue;
        const auto words = splitText(*line, ' ');
        if (words.size() < 2) continue;
        if (const auto waited = parseInteger(words[1])) sum = sum.value_or(0) + *waited;
    }
    return sum;
}

// Busy time of others beyond the idle CPUs, within tick resolution.
std::optional<double> busyOthers(const LoadCounters& before, const LoadCounters& after, double seconds, int threads) {
    if (!before.times || !after.times || !before.ownSeconds || !after.ownSeconds) return std::nullopt;
    const auto ticks = static_cast<double>(after.times->total - before.times->total);
    if (ticks <= 0 || after.times->cpus < 1) return std::nullopt;
    const auto cpus = static_cast<double>(after.times->cpus);
    const auto busyTicks =
        static_cast<double>((after.times->busy - after.times->stolen) - (before.times->busy - before.times->stolen));
    const double doubt = kTicksOfDoubt * cpus / ticks * cpus;
    const double others = busyTicks / ticks * cpus - (*after.ownSeconds - *before.ownSeconds) / seconds;
    const double beyond = others - std::max(0.0, cpus - threads);
    return beyond > doubt ? beyond : 0;
}

}  // namespace

LoadOfOthers loadBetween(const LoadCounters& before, const LoadCounters& after, int threads) {
    LoadOfOthers load;
    const double seconds = after.seconds - before.seconds;
    if (!(seconds > 0)) return load;
    if (before.times && after.times && after.times->total > before.times->total)
        load.stolenCpus =
            std::max(0.0, static_cast<double>(after.times->stolen - before.times->stolen) /
                              static_cast<double>(after.times->total - before.times->total) * after.times->cpus);
    const bool hasRoom = !after.times || threads <= after.times->cpus;
    if (before.waitedNs && after.waitedNs && hasRoom)
        load.otherCpus = std::max(0.0, static_cast<double>(*after.waitedNs - *before.waitedNs) * 1e-9 / seconds);
    if (const auto busy = busyOthers(before, after, seconds, threads))
        load.otherCpus = std::max(load.otherCpus.value_or(0), *busy);
    if (before.ownInvoluntary && after.ownInvoluntary)
        load.involuntarySwitches = *after.ownInvoluntary - *before.ownInvoluntary;
    return load;
}

ProcessorLoad::ProcessorLoad(SystemFiles files, std::vector<int> cpus, int threads)
    : m_files(std::move(files)), m_cpus(std::move(cpus)), m_threads(threads) {}

LoadCounters ProcessorLoad::read() const {
    LoadCounters counters;
    counters.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    counters.times = readCpuTimes(m_files, m_cpus);
    counters.waitedNs = readWaiting(m_files);
    rusage use{};
    if (::getrusage(RUSAGE_SELF, &use) != 0) return counters;
    const auto secondsOf = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    counters.ownSeconds = secondsOf(use.ru_utime) + secondsOf(use.ru_stime);
    counters.ownInvoluntary = use.ru_nivcsw;
    return counters;
}

LoadOfOthers ProcessorLoad::sample() {
    const auto now = read();
    const auto load = m_before ? loadBetween(*m_before, now, m_threads) : LoadOfOthers{};
    m_before = now;
    return load;
}

}  // namespace steelyard::hardware

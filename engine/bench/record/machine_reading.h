// SPDX-License-Identifier: Apache-2.0
// Machine readings taken while a case was sampled, and the result based on them. Plain values that are copied between
// threads and processes. Times are seconds, rates per second; an empty std::optional means "could not be read", never
// 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace steelyard::bench {

// One probe of the machine state, taking a few milliseconds (measure/state_probe.h).
struct MachineReading {
    // Cache-line round trip between neighbouring computing threads: median and maximum over the pairs.
    std::optional<double> roundTripSeconds;
    std::optional<double> slowestRoundTripSeconds;
    std::optional<double> arithmeticRate;  // multiply-adds in registers per second, all threads
    std::optional<double> bandwidth;       // bytes per second streamed by all threads
    // Likewise, of the weights of a language model in place (compute/language/language_decoder.h).
    std::optional<double> weightBandwidth;
    // Since the last probe, over the CPUs available to this process:
    std::optional<double> stolenCpus;  // CPUs given to other guests by the hypervisor (steal time / time)
    std::optional<double> otherCpus;   // CPUs kept busy by other processes beyond the spare ones
    std::optional<std::int64_t> involuntarySwitches;  // involuntary context switches of this process
    // GPU only:
    std::optional<double> gpuMhz;
    std::optional<double> gpuCelsius;
    std::optional<bool> gpuThrottled;
    std::optional<int> gpuOtherProcesses;

    friend bool operator==(const MachineReading&, const MachineReading&) = default;
};

// Consecutive samples between two probes, about a quarter of a second. `after` contains the load of others during the
// window.
struct SamplingWindow {
    std::int64_t samples = 0;  // number of samples, following those of the previous window
    MachineReading before;
    MachineReading after;

    friend bool operator==(const SamplingWindow&, const SamplingWindow&) = default;
};

// One process's measurement of a case.
struct Visit {
    std::int64_t startedUnixMs = 0;
    std::vector<SamplingWindow> windows;

    friend bool operator==(const Visit&, const Visit&) = default;
};

// Time per step in one machine state.
struct StateFigure {
    std::optional<double> roundTripSeconds;  // of the state; unset: not readable, all windows count as one state
    double medianSeconds = 0;                // over the medians of the windows
    double meanSeconds = 0;                  // over all samples of the windows, for rates
    std::int64_t windows = 0;
    std::optional<double> arithmeticRate;  // medians over the probes, as in MachineReading
    std::optional<double> bandwidth;
    std::vector<double> visitSeconds;  // medians of the visits with windows in this state, in order

    friend bool operator==(const StateFigure&, const StateFigure&) = default;
};

// The result of a case (protocol/figure.h).
struct Figure {
    StateFigure main;                 // the most frequent machine state
    std::vector<StateFigure> others;  // other states, most windows first
    // 95 % interval for a repetition with the same number of visits; unset with one visit.
    std::optional<double> low, high;
    std::optional<double> deviation;       // standard deviation of the visits' logarithms, after shrinkage: 0.02 is 2 %
    std::optional<double> degrees;         // of freedom of `deviation`
    std::optional<double> priorDeviation;  // prior that it was shrunk toward
    std::optional<double> priorDegrees;    // weight of the prior
    std::optional<double> runDeviation;    // of the run effect (protocol/visit_variance.h), likewise
    std::optional<double> runDegrees;      // of freedom of `runDeviation`
    std::int64_t tornWindows = 0;          // the machine state changed during the window
    std::int64_t disturbedWindows = 0;     // others used CPU time, or the GPU was throttled
    bool disturbed = false;                // all windows are torn or disturbed: the result is unreliable
    std::optional<double> worstOtherCpus;  // most CPUs used by others in a window

    friend bool operator==(const Figure&, const Figure&) = default;
};

}  // namespace steelyard::bench

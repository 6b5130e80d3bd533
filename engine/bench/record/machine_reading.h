// SPDX-License-Identifier: Apache-2.0
// What was read of the machine while a case was sampled, and the figure made of it. Plain values that cross threads and
// processes by copy. Times are seconds, rates per second; an empty std::optional means "could not be read", never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace steelyard::bench {

// One probe of the machine's state, a few milliseconds long (measure/state_probe.h).
struct MachineReading {
    // Round trip of a cache line between neighbouring computing threads: of all pairs the median and the largest.
    std::optional<double> roundTripSeconds;
    std::optional<double> slowestRoundTripSeconds;
    std::optional<double> arithmeticRate;  // multiply-adds in registers per second, all threads together
    std::optional<double> bandwidth;       // bytes per second, streamed by all threads together
    // Since the probe before, over the CPUs that this process may use:
    std::optional<double> stolenCpus;  // processors that the hypervisor gave to other guests (steal time / time)
    std::optional<double> otherCpus;   // processors that other processes kept busy beyond those that were spare
    std::optional<std::int64_t> involuntarySwitches;  // context switches of this process that it did not ask for
    // Of a GPU:
    std::optional<double> gpuMhz;
    std::optional<double> gpuCelsius;
    std::optional<bool> gpuThrottled;
    std::optional<int> gpuOtherProcesses;

    friend bool operator==(const MachineReading&, const MachineReading&) = default;
};

// Consecutive samples between two probes, about a quarter of a second. The load of others during the window is what
// `after` reports.
struct SamplingWindow {
    std::int64_t samples = 0;  // how many; they follow those of the window before
    MachineReading before;
    MachineReading after;

    friend bool operator==(const SamplingWindow&, const SamplingWindow&) = default;
};

// What one process measured of a case.
struct Visit {
    std::int64_t startedUnixMs = 0;
    std::vector<SamplingWindow> windows;

    friend bool operator==(const Visit&, const Visit&) = default;
};

// Time per step in one state of the machine.
struct StateFigure {
    std::optional<double> roundTripSeconds;  // of the state; unset: it could not be read, all windows are one state
    double medianSeconds = 0;                // median of the windows' medians
    double meanSeconds = 0;                  // of all samples of the windows, for rates
    std::int64_t windows = 0;
    std::optional<double> arithmeticRate;  // medians of the probes, as in MachineReading
    std::optional<double> bandwidth;
    std::vector<double> visitSeconds;  // medians of the visits that have windows in this state, in order

    friend bool operator==(const StateFigure&, const StateFigure&) = default;
};

// The figure of a case (protocol/figure.h).
struct Figure {
    StateFigure main;                 // of the state that the machine was in most
    std::vector<StateFigure> others;  // of the other states, most windows first
    // Where a repetition with as many visits is expected to lie, 95 %; unset with one visit.
    std::optional<double> low, high;
    std::optional<double> deviation;       // of the logarithms of the visits, after shrinkage: 0.02 is 2 %
    std::optional<double> degrees;         // of freedom of `deviation`
    std::optional<double> priorDeviation;  // what it was shrunk toward
    std::optional<double> priorDegrees;    // how much that counts
    std::optional<double> runDeviation;    // of the run effect (protocol/visit_variance.h), likewise
    std::optional<double> runDegrees;      // of freedom of `runDeviation`
    std::int64_t tornWindows = 0;          // the machine changed its state
    std::int64_t disturbedWindows = 0;     // others took processor time, or the GPU was throttled
    bool disturbed = false;                // nothing but such windows: the figure says little about the machine
    std::optional<double> worstOtherCpus;  // most processors that others took in a window

    friend bool operator==(const Figure&, const Figure&) = default;
};

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Machine states, from readings at both ends of each sampling window. A virtual machine whose two CPUs the host moves
// between one and two core complexes has two states, lasting seconds to minutes, in which step times differ by up to a
// factor of 1.6; the core-to-core latency differs by a factor of 6 (guide, "Machine states"). Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/bench/record/machine_reading.h"

namespace steelyard::bench {

// Readings within one state differ by less than this factor.
inline constexpr double kStateFactor = 1.3;
// Minimum gap between states, as a multiple of the spread of the readings next to it, in logarithms.
inline constexpr double kStateGap = 3;
// CPU time used by others, per computing CPU, above which a window counts as disturbed.
inline constexpr double kDisturbedShare = 0.05;

struct MachineState {
    double low = 0;  // cache-line round trip, seconds: minimum, median and maximum
    double median = 0;
    double high = 0;

    friend bool operator==(const MachineState&, const MachineState&) = default;
};

// States in ascending order of the round trip: single-linkage clusters of the logarithms, split where neighbouring
// readings are kStateFactor apart and the gap is kStateGap times the spread (median distance from the cluster's median)
// on both sides. Readings that are not positive and finite are ignored. A single outlier is no state (an interrupt
// during the probe): a cluster needs two readings and 5 % of all.
[[nodiscard]] std::vector<MachineState> findStates(std::span<const double> roundTrips);

// The state whose range, extended by a factor of sqrt(kStateFactor), contains the reading.
[[nodiscard]] std::optional<std::size_t> stateOf(std::span<const MachineState> states, double roundTrip);

// Input of `findStates`: the slowest pair of each reading.
[[nodiscard]] std::vector<double> roundTripsOf(std::span<const Visit> visits);

enum class WindowUse {
    Counted,
    Torn,       // its two readings belong to different states, or to none
    Disturbed,  // others used CPU time, or the GPU was throttled or shared
};

struct WindowState {
    WindowUse use = WindowUse::Counted;
    std::optional<std::size_t> state;  // unset: torn, or no reading
};

// Whether all windows of the visit were disturbed.
[[nodiscard]] bool isDisturbed(const Visit& visit, int threads);

// `threads`: number of computing threads, which scales the permitted load of others.
[[nodiscard]] WindowState classify(const SamplingWindow& window, std::span<const MachineState> states, int threads);

}  // namespace steelyard::bench

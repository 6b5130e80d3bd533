// SPDX-License-Identifier: Apache-2.0
// States of a machine, from readings at the two ends of each window of sampling. A virtual machine whose two CPUs the
// host moves between one chip of cores and two has two states, seconds to minutes long, in which a step takes up to 1.6
// times as long; the round trip of a cache line between the computing threads tells them apart by a factor of 6 (guide,
// "Machine states"). Pure functions of recorded readings; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/bench/record/machine_reading.h"

namespace steelyard::bench {

// Two readings of one state differ by less than this factor.
inline constexpr double kStateFactor = 1.3;
// A gap between states is so many times as wide as the spread of the readings beside it, in logarithms.
inline constexpr double kStateGap = 3;
// Processors that others may take, of each computing one, before a window counts as disturbed.
inline constexpr double kDisturbedShare = 0.05;

struct MachineState {
    double low = 0;  // round trips of a cache line, seconds: smallest, median and largest reading
    double median = 0;
    double high = 0;

    friend bool operator==(const MachineState&, const MachineState&) = default;
};

// States in ascending order of the round trip: single-linkage clusters of the readings' logarithms, cut where
// neighbouring readings are kStateFactor apart and this gap is kStateGap times the spread within (the median distance
// from the cluster's median) of both sides. Readings that are not positive and finite are left out. A lone reading is
// no state (an interrupt during the probe): a cluster needs two readings and a twentieth of all.
[[nodiscard]] std::vector<MachineState> findStates(std::span<const double> roundTrips);

// The state within whose range, or a factor of sqrt(kStateFactor) of it, the reading lies.
[[nodiscard]] std::optional<std::size_t> stateOf(std::span<const MachineState> states, double roundTrip);

// What `findStates` takes of a reading: the slowest pair.
[[nodiscard]] std::vector<double> roundTripsOf(std::span<const Visit> visits);

enum class WindowUse {
    Counted,
    Torn,       // the readings at its ends belong to different states, or one to none or unread
    Disturbed,  // others took processor time, or the GPU was throttled or computed for others
};

struct WindowState {
    WindowUse use = WindowUse::Counted;
    std::optional<std::size_t> state;  // unset: torn, or the round trip could not be read
};

// Others took processor time in every window of the visit.
[[nodiscard]] bool isDisturbed(const Visit& visit, int threads);

// `threads`: that the case computes with; what others may take grows with it.
[[nodiscard]] WindowState classify(const SamplingWindow& window, std::span<const MachineState> states, int threads);

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// What state a machine is in: how far its computing threads lie from each other, and what they compute and move just
// now. A Backend may implement MachineProbe beside Backend; whoever wants it asks with machineProbeOf(). Nothing of it
// is needed to run a plan.
#pragma once

#include <optional>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Unset: it could not be measured (one thread has no neighbour, another program held a processor meanwhile).
struct MachineRates {
    std::optional<double> roundTripSeconds;         // of a cache line between neighbouring threads, median of the pairs
    std::optional<double> slowestRoundTripSeconds;  // of the slowest pair
    std::optional<double> arithmeticRate;           // FLOP/s of multiply-adds in registers, all threads together
    std::optional<double> bandwidth;                // byte/s read by all threads together, from memory or a large cache
};

class MachineProbe {
public:
    MachineProbe() = default;
    MachineProbe(const MachineProbe&) = delete;
    MachineProbe& operator=(const MachineProbe&) = delete;
    virtual ~MachineProbe() = default;
    // Takes three to five milliseconds on the calling thread and the backend's others, which are pinned to processors
    // of their own meanwhile. Not while a step runs.
    [[nodiscard]] virtual MachineRates probeMachine(int threads) = 0;
};

// Null where the backend has none.
[[nodiscard]] inline MachineProbe* machineProbeOf(Backend& backend) {
    return dynamic_cast<MachineProbe*>(&backend);
}

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// State of a machine: latency between its computing threads, and their current compute and memory rates. Optional
// interface of a Backend, obtained with machineProbeOf(); not needed to run a plan.
#pragma once

#include <optional>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Unset: could not be measured (single thread, or another program used a processor).
struct MachineRates {
    std::optional<double> roundTripSeconds;         // cache line between neighbouring threads, median over the pairs
    std::optional<double> slowestRoundTripSeconds;  // slowest pair
    std::optional<double> arithmeticRate;           // FLOP/s of multiply-adds in registers, all threads
    std::optional<double> bandwidth;                // byte/s read by all threads, from memory or a large cache
};

class MachineProbe {
public:
    MachineProbe() = default;
    MachineProbe(const MachineProbe&) = delete;
    MachineProbe& operator=(const MachineProbe&) = delete;
    virtual ~MachineProbe() = default;
    // Takes three to five milliseconds on the calling thread and the backend's others, which are pinned to different
    // processors meanwhile. Not while a step runs.
    [[nodiscard]] virtual MachineRates probeMachine(int threads) = 0;
};

// Null if the backend does not implement it.
[[nodiscard]] inline MachineProbe* machineProbeOf(Backend& backend) {
    return dynamic_cast<MachineProbe*>(&backend);
}

}  // namespace steelyard::compute

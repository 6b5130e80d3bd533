// SPDX-License-Identifier: Apache-2.0
// The processor's side of MachineProbe (engine/compute/machine_probe.h). An object belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/compute/machine_probe.h"

namespace steelyard::compute::cpu {

class CpuMachineProbe {
public:
    [[nodiscard]] MachineRates probe(int threads);

private:
    [[nodiscard]] std::optional<double> bandwidth(int threads);

    std::vector<std::vector<std::uint64_t>> m_streams;  // one a thread, written by it; allocated at the first probe
    std::size_t m_next = 0;                             // where the next pass over them begins
};

}  // namespace steelyard::compute::cpu

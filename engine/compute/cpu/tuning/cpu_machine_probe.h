// SPDX-License-Identifier: Apache-2.0
// MachineProbe for the CPU (engine/compute/machine_probe.h). One thread at a time.
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

    std::vector<std::vector<std::uint64_t>> m_streams;  // one per thread, written by it; allocated at the first probe
    std::size_t m_next = 0;                             // start of the next pass
};

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Reads the machine's state before and after each window of sampling: the computing threads' distance and rates by the
// backend's own probe, what others took of the processors since the probe before, and of a GPU what its driver reports.
// A few milliseconds; needs no privileges; what cannot be read is unset. One thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/bench/record/machine_reading.h"
#include "engine/compute/backend.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/system/processor_load.h"

namespace steelyard::bench {

struct StateProbeOptions {
    hardware::SystemFiles files;
    std::vector<int> cpus;  // that this process may use; empty: all
    int threads = 1;
    std::shared_ptr<hardware::ManagementLibrary> management;  // unset: no GPU is asked
    std::string gpuPciBusId;                                  // of the GPU that computes; empty: none
    std::int64_t processId = 0;                               // this one, which is no other process on the GPU
};

class StateProbe {
public:
    // `backend` outlives the object.
    StateProbe(compute::Backend& backend, StateProbeOptions options);
    [[nodiscard]] MachineReading read();

private:
    void readGpu(MachineReading& reading);

    compute::Backend& m_backend;
    StateProbeOptions m_options;
    hardware::ProcessorLoad m_load;
};

}  // namespace steelyard::bench

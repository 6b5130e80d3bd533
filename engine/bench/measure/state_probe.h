// SPDX-License-Identifier: Apache-2.0
// Reads the machine state before and after each sampling window: core-to-core latency and compute rates by the
// backend's probe, CPU time taken by others since the last probe, and GPU state as reported by its driver. Takes a few
// milliseconds; needs no privileges; what cannot be read is unset. One thread.
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
    std::vector<int> cpus;  // available to this process; empty: all
    int threads = 1;
    std::shared_ptr<hardware::ManagementLibrary> management;  // unset: GPUs are not queried
    std::string gpuPciBusId;                                  // of the GPU under test; empty: none
    std::int64_t processId = 0;  // this process, which does not count as another user of the GPU
};

class StateProbe {
public:
    // `backend` must outlive the object.
    StateProbe(compute::Backend& backend, StateProbeOptions options);
    [[nodiscard]] MachineReading read();

private:
    void readGpu(MachineReading& reading);

    compute::Backend& m_backend;
    StateProbeOptions m_options;
    hardware::ProcessorLoad m_load;
};

}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Runs cases on several nodes. This process, started by mpirun or srun, is one rank and measures in-process, one visit
// per case. All ranks run the same cases in the same order; rank 0 has the records. Cases of fewer nodes ("cpu",
// "cpu+cpu") use the first ranks while the others wait. A lost process or connection ends the run; finished cases have
// been passed to onRecord. One thread; does not throw.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/multi_device/network_probe.h"
#include "engine/compute/parallel/host_communicator.h"

namespace steelyard::bench {

struct NodeServices {
    compute::HostCommunicator& ranks;
    compute::Backend& backend;  // its executables share steps
    compute::Backend& reference;
    const hardware::HardwareProfile& profile;
    Clock& clock;
    std::function<void(const Event&)> onEvent;  // rank 0 only
    std::function<bool()> cancelled;
    std::function<void(const CaseRecord&)> onRecord;  // rank 0 only, after each case
};

// `run` as for runSuite. Returns an error if the group was lost or the run cancelled; the run then contains the
// finished records, and finishedUnixMs is unset.
[[nodiscard]] Result<void> runOnNodes(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
                                      const NodeServices& services);

// Measured gradient exchange and its prediction from the measured network. `records`: of all ranks, in rank order.
[[nodiscard]] NodesUse nodesUse(const ParallelUse& shared, const std::vector<CaseRecord>& records,
                                const compute::Link& link);

}  // namespace steelyard::bench

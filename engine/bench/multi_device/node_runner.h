// SPDX-License-Identifier: Apache-2.0
// Runs a list of cases on several nodes, of which this process is one: all of it in this process, which mpirun or srun
// started and which is the rank of its group, one visit a case. Every rank runs the same cases in the same order; rank
// 0 has the records. Cases of fewer nodes ("cpu", "cpu+cpu") take the first ranks, while the others wait. A lost
// process or network ends the run; what is finished has been handed to onRecord. One thread; nothing is thrown.
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
    compute::Backend& backend;  // whose executables share steps
    compute::Backend& reference;
    const hardware::HardwareProfile& profile;
    Clock& clock;
    std::function<void(const Event&)> onEvent;  // in rank 0
    std::function<bool()> cancelled;
    std::function<void(const CaseRecord&)> onRecord;  // in rank 0, each case at once
};

// `run` as runSuite takes it. An error when the group was lost or the run was cancelled: its records are those that
// were finished, and finishedUnixMs is unset.
[[nodiscard]] Result<void> runOnNodes(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
                                      const NodeServices& services);

// What the exchange was expected to do by the measured network, and did. records: of all ranks, by rank.
[[nodiscard]] NodesUse nodesUse(const ParallelUse& shared, const std::vector<CaseRecord>& records,
                                const compute::Link& link);

}  // namespace steelyard::bench

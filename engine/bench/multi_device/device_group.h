// SPDX-License-Identifier: Apache-2.0
// Several devices as the device of one case. "cuda:0+cuda:1": data parallel, each takes part of the batch and gradients
// are averaged. "cuda:0/cuda:1": an independent job on each at the same time. The case's batch is the total over all
// devices. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"

namespace steelyard::bench {

struct DeviceGroup {
    std::vector<std::string> ids;  // a single one for an ordinary case
    bool sideBySide = false;       // independent jobs

    [[nodiscard]] bool isShared() const { return ids.size() > 1; }
    [[nodiscard]] int count() const { return static_cast<int>(ids.size()); }
};

[[nodiscard]] DeviceGroup deviceGroup(std::string_view device);
[[nodiscard]] std::string deviceName(const DeviceGroup& devices);

// The case of one rank: its device and its part of the batch. InvalidArgument if the batch is not divisible, or for
// real data, which only one process can read.
[[nodiscard]] Result<Case> caseOfRank(const Case& spec, int rank);

// Merges the records of all ranks, in rank order: samples and verification of rank 0, work and rates summed, and
// per-rank values where they differ.
[[nodiscard]] CaseRecord mergedRecord(const Case& spec, const std::vector<CaseRecord>& ofRanks);

}  // namespace steelyard::bench

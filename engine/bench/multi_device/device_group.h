// SPDX-License-Identifier: Apache-2.0
// Several devices as the device of one case. "cuda:0+cuda:1" share each step: a part of the batch each, gradients
// averaged. "cuda:0/cuda:1" do an experiment each at the same time, with nothing between them. The case's batch counts
// all devices together. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"

namespace steelyard::bench {

struct DeviceGroup {
    std::vector<std::string> ids;  // one: an ordinary case
    bool sideBySide = false;       // an experiment each

    [[nodiscard]] bool isShared() const { return ids.size() > 1; }
    [[nodiscard]] int count() const { return static_cast<int>(ids.size()); }
};

[[nodiscard]] DeviceGroup deviceGroup(std::string_view device);
[[nodiscard]] std::string deviceName(const DeviceGroup& devices);

// What one of them is to do: its device and its part of the batch. InvalidArgument where the batch cannot be shared
// evenly, or there are real data, which are read by one process only.
[[nodiscard]] Result<Case> caseOfRank(const Case& spec, int rank);

// One record of those of all ranks, rank 0's first, whose samples and verification it has: work and rates added up,
// what was not the same of the others kept.
[[nodiscard]] CaseRecord mergedRecord(const Case& spec, const std::vector<CaseRecord>& ofRanks);

}  // namespace steelyard::bench

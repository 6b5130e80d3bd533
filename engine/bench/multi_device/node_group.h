// SPDX-License-Identifier: Apache-2.0
// Collective operations between nodes other than gradient exchange: texts and readiness. Errors: the communicator's;
// the group is unusable afterwards.
#pragma once

#include <string>
#include <vector>

#include "engine/compute/parallel/host_communicator.h"
#include "engine/core/error.h"

namespace steelyard::bench {

// Gathers one text from each rank on all ranks.
[[nodiscard]] Result<std::vector<std::string>> gatherTexts(compute::HostCommunicator& ranks, const std::string& own);
// Broadcasts rank 0's text.
[[nodiscard]] Result<std::string> broadcastText(compute::HostCommunicator& ranks, const std::string& own);
// Ok if all ranks are ok. Otherwise this rank's error, or (Failed) the message of another rank's.
[[nodiscard]] Result<void> allReady(compute::HostCommunicator& ranks, const Result<void>& own);

}  // namespace steelyard::bench

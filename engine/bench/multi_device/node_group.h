// SPDX-License-Identifier: Apache-2.0
// What processes on several nodes tell each other beside the gradients: texts, and whether all are ready. Every rank
// makes the same calls. Errors: the communicator's; afterwards the group is lost.
#pragma once

#include <string>
#include <vector>

#include "engine/compute/parallel/host_communicator.h"
#include "engine/core/error.h"

namespace steelyard::bench {

// Of each rank, in all of them.
[[nodiscard]] Result<std::vector<std::string>> gatherTexts(compute::HostCommunicator& ranks, const std::string& own);
// Rank 0's, in all of them.
[[nodiscard]] Result<std::string> textOfFirst(compute::HostCommunicator& ranks, const std::string& own);
// Ok when it is in every rank. Otherwise a rank's own error, or (Failed) another's words.
[[nodiscard]] Result<void> allReady(compute::HostCommunicator& ranks, const Result<void>& own);

}  // namespace steelyard::bench

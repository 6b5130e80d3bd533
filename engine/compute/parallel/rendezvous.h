// SPDX-License-Identifier: Apache-2.0
// Distributes the id created by rank 0 to the ranks of one machine: a file in a private folder of the run. It is
// written atomically (temporary file and rename) and readable by its owner only.
#pragma once

#include <filesystem>
#include <functional>

#include "engine/compute/parallel/nccl_library.h"
#include "engine/compute/rank_group.h"
#include "engine/core/units.h"

namespace steelyard::compute {

// InvalidArgument if the folder already has an id (of another run); IoFailed with the system's message.
[[nodiscard]] Result<void> publishId(const std::filesystem::path& folder, const NcclId& id, int size);

// Polls a few times per second. Errors: TimedOut; Cancelled; CorruptData if the file is no id or is for another number
// of ranks.
[[nodiscard]] Result<NcclId> awaitId(const std::filesystem::path& folder, int size, Seconds timeout,
                                     const std::function<bool()>& cancelled);

// Complete rendezvous: rank 0 creates and publishes the id, the others wait for it, and all join. TimedOut if a rank is
// missing after two minutes.
[[nodiscard]] Result<std::unique_ptr<Communicator>> initCommunicator(const NcclTable& table, const RankGroup& group);

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// How the ranks of one machine learn the id that rank 0 made: a file in a folder that belongs to the run alone. It
// appears whole (written beside and renamed), readable by its owner only.
#pragma once

#include <filesystem>
#include <functional>

#include "engine/compute/parallel/nccl_library.h"
#include "engine/compute/rank_group.h"
#include "engine/core/units.h"

namespace steelyard::compute {

// InvalidArgument where the folder has an id already (of another run), IoFailed with the system's words.
[[nodiscard]] Result<void> publishId(const std::filesystem::path& folder, const NcclId& id, int size);

// Looks a few times a second. TimedOut, Cancelled; CorruptData where the file is no such id or of another number of
// ranks.
[[nodiscard]] Result<NcclId> awaitId(const std::filesystem::path& folder, int size, Seconds timeout,
                                     const std::function<bool()>& cancelled);

// All of it: rank 0 makes and publishes the id, the others wait for it, and all join. TimedOut where one does not come
// within two minutes.
[[nodiscard]] Result<std::unique_ptr<Communicator>> meetRanks(const NcclTable& table, const RankGroup& group);

}  // namespace steelyard::compute

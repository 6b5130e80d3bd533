// SPDX-License-Identifier: Apache-2.0
// NCCL among threads of one process: every call waits for all ranks, as the real one does on its stream, and the sums
// are real. One thread a rank.
#pragma once

#include "engine/compute/parallel/nccl_library.h"

namespace steelyard::compute::testing {

// failAllReduce: that call answers 3 (ncclInternalError) on every rank.
[[nodiscard]] NcclTable fakeNccl(bool failAllReduce = false);

// How many communicators there were, and how they ended, since the process began.
struct FakeNcclCounts {
    int created = 0, destroyed = 0, aborted = 0;
};
[[nodiscard]] FakeNcclCounts fakeNcclCounts();

}  // namespace steelyard::compute::testing

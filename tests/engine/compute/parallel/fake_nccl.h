// SPDX-License-Identifier: Apache-2.0
// NCCL emulated between threads of one process: every call waits for all ranks, as the real one does on its stream, and
// computes real sums. One thread per rank.
#pragma once

#include "engine/compute/parallel/nccl_library.h"

namespace steelyard::compute::testing {

// failAllReduce: that call returns 3 (ncclInternalError) on every rank.
[[nodiscard]] NcclTable fakeNccl(bool failAllReduce = false);

// Number of communicators created, destroyed and aborted since the process started.
struct FakeNcclCounts {
    int created = 0, destroyed = 0, aborted = 0;
};
[[nodiscard]] FakeNcclCounts fakeNcclCounts();

}  // namespace steelyard::compute::testing

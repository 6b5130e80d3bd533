// SPDX-License-Identifier: Apache-2.0
// Internal to the CPU backend: OpenBLAS, loaded with the backend rather than with the program. Its initialization
// reserves a large part of the address space and hangs if a limit (ulimit -v) denies it; commands that compute nothing
// must not depend on that.
#pragma once

#include <cblas.h>

#include "engine/core/error.h"

namespace steelyard::compute::cpu {

struct OpenBlas {
    decltype(&cblas_sgemm) sgemm = nullptr;
    decltype(&openblas_get_num_threads) threads = nullptr;
    decltype(&openblas_set_num_threads) setThreads = nullptr;
    decltype(&openblas_get_config) config = nullptr;
    decltype(&openblas_get_parallel) parallel = nullptr;
};

// Null if it cannot be loaded. The first call loads it; any thread.
[[nodiscard]] const OpenBlas* openBlas();

// Checks that it is loaded and that its buffers for that many threads fit in the address space; otherwise OutOfMemory
// or BackendUnavailable.
[[nodiscard]] Result<void> requireOpenBlas(int threads);

}  // namespace steelyard::compute::cpu

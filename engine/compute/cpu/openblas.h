// SPDX-License-Identifier: Apache-2.0
// Private to the CPU backend: OpenBLAS, loaded when the backend is made rather than with the program. Its start takes a
// large piece of the address space and waits for ever where a limit (ulimit -v) refuses it; commands that compute
// nothing must not depend on that.
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

// Null where it could not be loaded. The first call loads it; any thread.
[[nodiscard]] const OpenBlas* openBlas();

// That it is loaded and that its buffers for so many threads fit into the address space: OutOfMemory or
// BackendUnavailable otherwise.
[[nodiscard]] Result<void> requireOpenBlas(int threads);

}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// The CPU backend: oneDNN for most operations, OpenBLAS where it is faster, native kernels for the rest. Float32
// everywhere, bfloat16 where the processor has instructions for it.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct CpuOptions {
    // Where to remember which kernels are fastest (cpu/tuning/kernel_cache.h); empty: each process tries again.
    std::filesystem::path kernelCacheFolder;
};

[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend(const CpuOptions& options = {});

}  // namespace steelyard::compute

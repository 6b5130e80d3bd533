// SPDX-License-Identifier: Apache-2.0
// The CPU backend: oneDNN for most operations, OpenBLAS where it is faster, native kernels for the rest. Float32 on all
// processors, bfloat16 and int8 if the processor has instructions for them.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct CpuOptions {
    // Folder of the kernel cache (cpu/tuning/kernel_cache.h); empty: each process tries kernels again.
    std::filesystem::path kernelCacheFolder;
};

[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend(const CpuOptions& options = {});

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// The fast CPU backend: oneDNN for most, OpenBLAS where it is faster, own loops for the rest. Float32 everywhere,
// bfloat16 where the processor has instructions for it.
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

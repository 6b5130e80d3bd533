// SPDX-License-Identifier: Apache-2.0
// A language model on the CPU: weights are repacked once into panels; products use 8-bit activations for block formats
// and float32 for the others; the KV cache is in binary16 or float32. OpenMP threads; products are split by rows, and
// attention of a single token by positions, so that each thread reads a contiguous stream. The tokens of several
// sequences are processed together. process() does not allocate.
#pragma once

#include <memory>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/compute/language/language_backend.h"

namespace steelyard::compute {

struct CpuDecoderOptions {
    std::int64_t context = 4096;  // KV-cache size per sequence, in tokens
    int threads = 1;
    std::int64_t sequences = 1;
    bool exactCache = false;                        // KV cache in float32 instead of binary16
    const cpu::LanguageKernels* kernels = nullptr;  // null: the fastest that run here
};

// Computed without allocating or reading weights.
[[nodiscard]] DecoderMemory cpuDecoderMemory(const DecoderWeights& weights, const CpuDecoderOptions& options);
// OutOfMemory if repacked weights, KV cache or buffers do not fit.
[[nodiscard]] Result<std::unique_ptr<LanguageDecoder>> makeCpuDecoder(DecoderWeights weights,
                                                                      const CpuDecoderOptions& options);

}  // namespace steelyard::compute

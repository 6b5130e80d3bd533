// SPDX-License-Identifier: Apache-2.0
// A language model on the CPU: weights repacked once into panels, products on 8-bit activations for formats in blocks
// and on float32 for the others, the cache in binary16 or float32. The threads of OpenMP; every product is split by
// rows, and attention for one token by positions, so that each thread reads its own stream. The tokens of several
// sequences pass through the weights together. process() allocates nothing.
#pragma once

#include <memory>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/compute/language/language_backend.h"

namespace steelyard::compute {

struct CpuDecoderOptions {
    std::int64_t context = 4096;  // tokens of a sequence that the cache holds
    int threads = 1;
    std::int64_t sequences = 1;
    bool exactCache = false;                        // keys and values in float32 instead of binary16
    const cpu::LanguageKernels* kernels = nullptr;  // null: the fastest that run here
};

// Without allocating or reading any weight.
[[nodiscard]] DecoderMemory cpuDecoderMemory(const DecoderWeights& weights, const CpuDecoderOptions& options);
// OutOfMemory: the repacked weights, the cache or the buffers do not fit.
[[nodiscard]] Result<std::unique_ptr<LanguageDecoder>> makeCpuDecoder(DecoderWeights weights,
                                                                      const CpuDecoderOptions& options);

}  // namespace steelyard::compute

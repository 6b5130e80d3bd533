// SPDX-License-Identifier: Apache-2.0
// A language model on the CPU: weights are repacked once into panels; products use 8-bit activations for block formats
// and float32 for the others, or bfloat16 for several tokens with AMX; the KV cache is in binary16, float32 or 8-bit
// blocks (attention then uses 8-bit queries). OpenMP threads; products are split by rows, the output and down products
// of few tokens by columns if possible, and attention of a single token by heads or positions, so that each thread
// reads a contiguous stream. The tokens of several sequences are processed together. process() does not allocate.
#pragma once

#include <memory>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/compute/language/language_backend.h"

namespace steelyard::compute {

// Computed without allocating or reading weights. Unsupported if the dimension of a head is not a multiple of the block
// of a cache in q8_0.
[[nodiscard]] Result<DecoderMemory> cpuDecoderMemory(const DecoderWeights& weights, const DecoderOptions& options);
// `kernels` null: the fastest that run here. OutOfMemory if repacked weights, KV cache or buffers do not fit;
// Unsupported as above.
[[nodiscard]] Result<std::unique_ptr<LanguageDecoder>> makeCpuDecoder(DecoderWeights weights,
                                                                      const DecoderOptions& options,
                                                                      const cpu::LanguageKernels* kernels = nullptr);

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// A language model on a CUDA device. Weights stay in the formats of the file (kernels/language/stored_weights.h). Up to
// eight tokens: row products that read the weights once, with 8-bit activations for block formats, attention split over
// positions, the whole step captured as a graph. More: matrices are dequantised to 16 bits one after the other for
// products of the matrix library, attention by products. Keys and values in binary16 or float32. Experts are computed
// token by token, in prompts as well.
#pragma once

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"
#include "engine/compute/language/language_backend.h"

namespace steelyard::compute::cuda {

// Computed without a device's memory. Unsupported for a cache in 8-bit blocks.
[[nodiscard]] Result<DecoderMemory> cudaDecoderMemory(const DecoderWeights& weights, const DecoderOptions& options,
                                                      const DeviceFacts& facts);
// The device must be current. OutOfMemory if weights, KV cache and buffers do not fit; Unsupported as above, or without
// the matrix library for heads that only it supports.
[[nodiscard]] Result<std::unique_ptr<LanguageDecoder>> makeCudaDecoder(DecoderWeights weights,
                                                                       const DecoderOptions& options,
                                                                       std::shared_ptr<DeviceSet> device);

}  // namespace steelyard::compute::cuda

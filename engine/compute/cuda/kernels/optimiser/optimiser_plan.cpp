// SPDX-License-Identifier: Apache-2.0
// Host part of an update, common to both libraries.
#include <cmath>

#include "engine/compute/cuda/kernels/optimiser/optimiser.h"

namespace steelyard::compute::cuda::kernels {

std::vector<Chunk> chunksOf(std::span<const std::int64_t> counts) {
    std::vector<Chunk> chunks;
    for (std::size_t p = 0; p < counts.size(); ++p)
        for (std::int64_t first = 0; first < counts[p]; first += kChunkElements)
            chunks.push_back({static_cast<std::int32_t>(p), 0, first});
    return chunks;
}

float stepRate(const model::Optimizer& optimizer, double learningRate, std::int64_t step) {
    if (optimizer.kind != model::OptimizerKind::Adam) return static_cast<float>(learningRate);
    const auto t = static_cast<double>(step + 1);
    return static_cast<float>(learningRate * std::sqrt(1 - std::pow(optimizer.beta2, t)) /
                              (1 - std::pow(optimizer.beta1, t)));
}

}  // namespace steelyard::compute::cuda::kernels

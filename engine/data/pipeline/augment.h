// SPDX-License-Identifier: Apache-2.0
// Random changes to training images, and the random order of an epoch. Pure functions of their seed and key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/dataset.h"

namespace steelyard::data {

// For images [C, H, W]. The picture is shifted by a whole number of pixels drawn uniformly from +- shiftFraction of its
// size (uncovered pixels repeat the border), and mirrored left to right with probability 1/2.
struct Augmentation {
    double shiftFraction = 0;  // in [0, 1)
    bool horizontalFlip = false;
    [[nodiscard]] bool any() const { return shiftFraction > 0 || horizontalFlip; }
};

struct AugmentKey {
    std::uint64_t seed = 0;
    std::int64_t epoch = 0;
    std::int64_t index = 0;  // of the sample in its set, below 2^32
};

// Changes one image in place. `scratch` is reused between calls.
void augmentImage(std::span<float> image, const Shape& shape, const Augmentation& how, const AugmentKey& key,
                  std::vector<float>& scratch);

// Order of the samples in `epoch`: 0 .. count - 1, shuffled (Fisher-Yates) when asked for. At most 2^32 - 1 samples.
[[nodiscard]] std::vector<std::int64_t> epochOrder(std::int64_t count, bool shuffle, std::uint64_t seed,
                                                   std::int64_t epoch);

}  // namespace steelyard::data

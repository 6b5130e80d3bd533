// SPDX-License-Identifier: Apache-2.0
// Augmentation of training images, and shuffling. Pure functions of seed and key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/dataset.h"

namespace steelyard::data {

// For images [C, H, W]. The image is shifted by a whole number of pixels, uniform in +- shiftFraction of its size (the
// border is replicated), and mirrored horizontally with probability 1/2.
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

// Modifies one image in place. `scratch` is reused between calls.
void augmentImage(std::span<float> image, const Shape& shape, const Augmentation& how, const AugmentKey& key,
                  std::vector<float>& scratch);

// Order of the samples in `epoch`: 0 .. count - 1, optionally shuffled (Fisher-Yates). At most 2^32 - 1 samples.
[[nodiscard]] std::vector<std::int64_t> epochOrder(std::int64_t count, bool shuffle, std::uint64_t seed,
                                                   std::int64_t epoch);

}  // namespace steelyard::data

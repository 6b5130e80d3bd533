// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pipeline/augment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/random.h"

namespace steelyard::data {
namespace {

constexpr std::uint64_t kAugmentPurpose = 0x6175676d656e74;  // "augment": apart from the shuffle of the same seed
constexpr std::uint64_t kShufflePurpose = 0x73687566666c65;  // "shuffle"

std::int64_t drawShift(const RandomStream& stream, std::uint32_t draw, double fraction, std::int64_t size) {
    return std::lround((2.0 * stream.uniform(draw) - 1.0) * fraction * static_cast<double>(size));
}

}  // namespace

void augmentImage(std::span<float> image, const Shape& shape, const Augmentation& how, const AugmentKey& key,
                  std::vector<float>& scratch) {
    const auto channels = shape[0];
    const auto height = shape[1];
    const auto width = shape[2];
    const RandomStream stream(key.seed ^ kAugmentPurpose,
                              (static_cast<std::uint64_t>(key.epoch) << 32) | static_cast<std::uint64_t>(key.index));
    const auto down = drawShift(stream, 0, how.shiftFraction, height);
    const auto right = drawShift(stream, 1, how.shiftFraction, width);
    const bool flip = how.horizontalFlip && stream.uniform(2) < 0.5F;
    if (down == 0 && right == 0 && !flip) return;

    scratch.assign(image.begin(), image.end());
    auto* out = image.data();
    for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t y = 0; y < height; ++y) {
            const auto fromY = std::clamp<std::int64_t>(y - down, 0, height - 1);
            const auto* row = scratch.data() + (c * height + fromY) * width;
            for (std::int64_t x = 0; x < width; ++x) {
                const auto fromX = std::clamp<std::int64_t>(x - right, 0, width - 1);
                *out++ = row[flip ? width - 1 - fromX : fromX];
            }
        }
    }
}

std::vector<std::int64_t> epochOrder(std::int64_t count, bool shuffle, std::uint64_t seed, std::int64_t epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    if (!shuffle) return order;
    const RandomStream stream(seed ^ kShufflePurpose, static_cast<std::uint64_t>(epoch));
    for (auto left = static_cast<std::size_t>(count); left > 1; --left) {
        const auto draw = static_cast<std::uint32_t>(left - 1);
        const auto other = stream.below(draw, static_cast<std::uint32_t>(left));
        std::swap(order[left - 1], order[other]);
    }
    return order;
}

}  // namespace steelyard::data

// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers: value i of stream s is a pure function of (seed, s, i). Every backend therefore
// generates the same initial weights, synthetic data and dropout masks, in any order and with any number of threads.
#pragma once

#include <cstdint>
#include <span>

namespace steelyard {

// 32 random bits. The mixing is the finaliser of "lowbias32" (C. Wellons, Prospecting for Hash Functions, 2018) applied
// to the counter and the key in turn; all 32-bit operations, so that it vectorises.
[[nodiscard]] constexpr std::uint32_t mixBits(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return x;
}

struct RandomStream {
    std::uint32_t key = 0;

    constexpr RandomStream(std::uint64_t seed, std::uint64_t stream)
        : key(mixBits(static_cast<std::uint32_t>(seed) ^
                      mixBits(static_cast<std::uint32_t>(seed >> 32) +
                              mixBits(static_cast<std::uint32_t>(stream) ^
                                      mixBits(static_cast<std::uint32_t>(stream >> 32) + 0x9e3779b9U))))) {}

    [[nodiscard]] constexpr std::uint32_t bits(std::uint32_t index) const {
        return mixBits(mixBits(index ^ key) + key);
    }
    // Uniform in [0, 1), 24 bits.
    [[nodiscard]] constexpr float uniform(std::uint32_t index) const {
        return static_cast<float>(bits(index) >> 8) * 0x1p-24F;
    }
    // Standard normal by Box-Muller (G. Box, M. Muller, 1958): sqrt(-2 ln u) cos(2 pi v) of counters 2 index and
    // 2 index + 1.
    [[nodiscard]] float normal(std::uint32_t index) const;
    // Uniform integer in [0, count), count > 0.
    [[nodiscard]] constexpr std::uint32_t below(std::uint32_t index, std::uint32_t count) const {
        return static_cast<std::uint32_t>((static_cast<std::uint64_t>(bits(index)) * count) >> 32);
    }
};

// Bulk versions, vectorised and much faster: values[i] is normal(i) * deviation, (uniform(i) - 0.5) * width, below(i,
// count). The index wraps after 2^32.
void fillNormal(std::span<float> values, RandomStream stream, float deviation = 1);
void fillUniform(std::span<float> values, RandomStream stream, float width);
void fillBelow(std::span<std::int32_t> values, RandomStream stream, std::uint32_t count);

}  // namespace steelyard

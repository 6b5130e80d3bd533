// SPDX-License-Identifier: Apache-2.0
// Compiled without contraction to fused multiply-add (CMakeLists.txt), so that every machine generates identical
// numbers. The loops contain no library calls, so that they vectorise.
#include "engine/core/random.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/every_machine.h"

namespace steelyard {
namespace {

using std::uint32_t;

// ln u for 0 < u <= 1. With u = m 2^e and m in [sqrt(1/2), sqrt 2), ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + ...)
// where s = (m - 1) / (m + 1), |s| < 0.172: after five terms the truncation error is below the rounding error.
[[gnu::always_inline]] inline float logarithm(float u) {
    constexpr uint32_t kSqrtHalf = 0x3f3504f3U;  // its bit pattern
    const auto bits = std::bit_cast<uint32_t>(u);
    const auto exponent = static_cast<std::int32_t>(bits - kSqrtHalf) >> 23;
    const float m = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23));
    const float s = (m - 1) / (m + 1);
    const float square = s * s;
    const float sum = ((((1.0F / 9) * square + 1.0F / 7) * square + 1.0F / 5) * square + 1.0F / 3) * square;
    return static_cast<float>(exponent) * 0.693147181F + 2 * (s + s * sum);
}

// cos 2 pi v for 0 <= v < 1, as the sine of x = pi/2 - 2 pi min(v, 1 - v): x - x^3/3! + ... - x^11/11!.
[[gnu::always_inline]] inline float cosineOfTurn(float v) {
    const float x = (0.25F - std::min(v, 1 - v)) * 6.28318530718F;
    const float square = x * x;
    const float sum =
        ((((-square / 39916800 + 1.0F / 362880) * square - 1.0F / 5040) * square + 1.0F / 120) * square - 1.0F / 6) *
        square;
    return x + x * sum;
}

[[gnu::always_inline]] inline float normalOf(const RandomStream& stream, uint32_t index) {
    const float u = (static_cast<float>(stream.bits(2 * index) >> 8) + 0.5F) * 0x1p-24F;
    const float v = static_cast<float>(stream.bits(2 * index + 1) >> 8) * 0x1p-24F;
    return std::sqrt(-2 * logarithm(u)) * cosineOfTurn(v);
}

// In blocks, because a loop with a 64-bit index and 32-bit arithmetic does not vectorise well.
constexpr int kBlock = 1024;

template <typename Value, typename Draw>
[[gnu::always_inline]] inline void fillBlocks(std::span<Value> values, const Draw& draw) {
    for (std::size_t first = 0; first < values.size(); first += kBlock) {
        const auto base = static_cast<uint32_t>(first);
        const int count = static_cast<int>(std::min<std::size_t>(kBlock, values.size() - first));
        Value* block = values.data() + first;
        for (int i = 0; i < count; ++i) block[i] = draw(base + static_cast<uint32_t>(i));
    }
}

}  // namespace

float RandomStream::normal(uint32_t index) const {
    return normalOf(*this, index);
}

STEELYARD_EVERY_MACHINE void fillNormal(std::span<float> values, RandomStream stream, float deviation) {
    fillBlocks(values, [=](uint32_t i) { return normalOf(stream, i) * deviation; });
}

STEELYARD_EVERY_MACHINE void fillUniform(std::span<float> values, RandomStream stream, float width) {
    fillBlocks(values, [=](uint32_t i) { return (stream.uniform(i) - 0.5F) * width; });
}

STEELYARD_EVERY_MACHINE void fillBelow(std::span<std::int32_t> values, RandomStream stream, uint32_t count) {
    fillBlocks(values, [=](uint32_t i) { return static_cast<std::int32_t>(stream.below(i, count)); });
}

}  // namespace steelyard

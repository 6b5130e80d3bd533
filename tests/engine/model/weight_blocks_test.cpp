// SPDX-License-Identifier: Apache-2.0
// Blocks written bit by bit, and their values; then quantisation round trips within half a step.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/core/random.h"
#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::model {
namespace {

// 1, 0.5 and -2 in binary16, low byte first.
constexpr std::uint8_t kOne[] = {0x00, 0x3C}, kHalf[] = {0x00, 0x38}, kMinusTwo[] = {0x00, 0xC0};

class Block {
public:
    explicit Block(TensorType type)
        : m_type(type), m_bytes(static_cast<std::size_t>(formatOf(type).blockBytes), std::byte{0}) {}
    Block& set(std::size_t index, int value) {
        m_bytes.at(index) = static_cast<std::byte>(value);
        return *this;
    }
    Block& half(std::size_t index, const std::uint8_t (&bytes)[2]) {
        return set(index, bytes[0]).set(index + 1, bytes[1]);
    }
    [[nodiscard]] std::vector<float> values() const {
        std::vector<float> values(static_cast<std::size_t>(formatOf(m_type).blockWeights));
        dequantise(m_type, m_bytes.data(), values);
        return values;
    }

private:
    TensorType m_type;
    std::vector<std::byte> m_bytes;
};

TEST(WeightBlocks, HalvesFollowTheStandard) {
    EXPECT_EQ(fromHalf(0x3C00), 1);
    EXPECT_EQ(fromHalf(0xC000), -2);
    EXPECT_EQ(fromHalf(0x7BFF), 65504);
    EXPECT_EQ(fromHalf(0x0001), 0x1p-24F);
    EXPECT_EQ(fromHalf(0x0400), 0x1p-14F);
    EXPECT_TRUE(std::isinf(fromHalf(0x7C00)));
    EXPECT_TRUE(std::isnan(fromHalf(0x7E01)));
    // Representable numbers are preserved, and others rounded to nearest, ties to even.
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if (std::isnan(fromHalf(half))) continue;
        EXPECT_EQ(toHalf(fromHalf(half)), half);
    }
    EXPECT_EQ(toHalf(1 + 0x1p-11F), 0x3C00);
    EXPECT_EQ(toHalf(1 + 0x1.8p-10F), 0x3C02);
    EXPECT_EQ(toHalf(1 + 0x1.01p-11F), 0x3C01);
    EXPECT_EQ(toHalf(65519), 0x7BFF);
    EXPECT_EQ(toHalf(65520), 0x7C00);
    EXPECT_EQ(toHalf(0x1p-25F), 0);
    EXPECT_EQ(toHalf(-0x1.8p-24F), 0x8002);
    EXPECT_EQ(fromBfloat16(0x3F80), 1);
    EXPECT_EQ(toBfloat16(1 + 0x1p-8F), 0x3F80);
    EXPECT_EQ(toBfloat16(1 + 0x1.8p-7F), 0x3F82);
    EXPECT_TRUE(std::isnan(fromBfloat16(toBfloat16(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(WeightBlocks, FourBitBlocks) {
    // Byte 3 holds weight 3 (low half) and weight 19 (high half).
    const auto q4 = Block(TensorType::Q4_0).half(0, kHalf).set(2 + 3, 0xF1).values();
    EXPECT_EQ(q4[0], -4);
    EXPECT_EQ(q4[3], (1 - 8) * 0.5F);
    EXPECT_EQ(q4[19], (15 - 8) * 0.5F);
    const auto q41 = Block(TensorType::Q4_1).half(0, kHalf).half(2, kMinusTwo).set(4 + 3, 0xF1).values();
    EXPECT_EQ(q41[0], -2);
    EXPECT_EQ(q41[3], 0.5F - 2);
    EXPECT_EQ(q41[19], 15 * 0.5F - 2);
    const auto levels = Block(TensorType::Iq4Nl).half(0, kOne).set(2 + 3, 0xF0).values();
    EXPECT_EQ(levels[3], -127);
    EXPECT_EQ(levels[19], 113);
    // A scale of 2^(128 - 127); 7 is 6, 9 is -0.5.
    const auto mx = Block(TensorType::Mxfp4).set(0, 128).set(1 + 3, 0x97).values();
    EXPECT_EQ(mx[3], 12);
    EXPECT_EQ(mx[19], -1);
    EXPECT_EQ(mx[0], 0);
}

TEST(WeightBlocks, FiveBitBlocks) {
    // The fifth bits of weights 3 and 19.
    const auto q5 = Block(TensorType::Q5_0).half(0, kOne).set(2, 8).set(4, 8).set(6 + 3, 0xF1).values();
    EXPECT_EQ(q5[0], -16);
    EXPECT_EQ(q5[3], 1);
    EXPECT_EQ(q5[19], 15);
    const auto q51 = Block(TensorType::Q5_1).half(0, kOne).half(2, kHalf).set(4, 8).set(8 + 3, 0xF1).values();
    EXPECT_EQ(q51[3], 17.5F);
    EXPECT_EQ(q51[19], 15.5F);
}

TEST(WeightBlocks, EightBitBlocks) {
    const auto q8 = Block(TensorType::Q8_0).half(0, kHalf).set(2, 0x80).set(2 + 31, 127).values();
    EXPECT_EQ(q8[0], -64);
    EXPECT_EQ(q8[31], 63.5F);
}

TEST(WeightBlocks, NestedScales) {
    // Sub-blocks 0 to 3: six bits in bytes 0 to 3 and 4 to 7. 4 to 7: four bits in bytes 8 to 11, two above the former.
    std::array<std::uint8_t, 12> scales{};
    scales[1] = 0x80 | 33;  // factor of 1 is 33; upper bits of factor 5 are 2
    scales[5] = 0x40 | 7;   // minimum of 1 is 7; upper bits of minimum 5 are 1
    scales[9] = 0xA5;       // lower bits of 5: factor 5, minimum 10
    EXPECT_EQ(nestedScale(scales.data(), 1).factor, 33);
    EXPECT_EQ(nestedScale(scales.data(), 1).minimum, 7);
    EXPECT_EQ(nestedScale(scales.data(), 5).factor, 2 * 16 + 5);
    EXPECT_EQ(nestedScale(scales.data(), 5).minimum, 16 + 10);
    EXPECT_EQ(nestedScale(scales.data(), 4).factor, 0);
}

TEST(WeightBlocks, LargeBlocksOfFourAndFiveBits) {
    // Factor 3 and minimum 2 for sub-block 2, which has the low halves of the second 32 bytes; factor 5 for
    // sub-block 3.
    auto q4 = Block(TensorType::Q4K);
    q4.half(0, kHalf).half(2, kOne).set(4 + 2, 3).set(4 + 6, 2).set(4 + 3, 5).set(16 + 32 + 9, 0xB4);
    const auto values = q4.values();
    EXPECT_EQ(values[64 + 9], 0.5F * 3 * 4 - 2);
    EXPECT_EQ(values[96 + 9], 0.5F * 5 * 11);
    EXPECT_EQ(values[64 + 8], -2);
    EXPECT_EQ(values[0], 0);
    auto q5 = Block(TensorType::Q5K);
    // Bit 3 of byte 9 of the fifth bits belongs to weight 9 of sub-block 3.
    q5.half(0, kHalf)
        .half(2, kOne)
        .set(4 + 2, 3)
        .set(4 + 6, 2)
        .set(4 + 3, 5)
        .set(16 + 9, 1 << 3)
        .set(48 + 32 + 9, 0xB4);
    EXPECT_EQ(q5.values()[64 + 9], 0.5F * 3 * 4 - 2);
    EXPECT_EQ(q5.values()[96 + 9], 0.5F * 5 * 27);
}

TEST(WeightBlocks, LargeBlocksOfTwoBits) {
    // Second half, group 1, weight 20: i = 128 + 32 + 20, with scale number 11 (factor 3, minimum 5).
    auto q2 = Block(TensorType::Q2K);
    q2.half(80, kHalf).half(82, kMinusTwo).set(11, 0x53).set(16 + 32 + 20, 2 << 2);
    const auto values = q2.values();
    EXPECT_EQ(values[128 + 32 + 20], 0.5F * 3 * 2 + 2 * 5);
    EXPECT_EQ(values[128 + 32 + 21], 2 * 5);
    EXPECT_EQ(values[0], 0);
}

TEST(WeightBlocks, LargeBlocksOfThreeBits) {
    // Second half, group 1, weight 20, with scale number 11: low bits in the upper half of byte 3, upper bits at 4 of
    // byte 8 + 3. The third bit is bit 4 + 1 of byte 20.
    auto q3 = Block(TensorType::Q3K);
    q3.half(108, kHalf).set(96 + 3, 0x70).set(96 + 8 + 3, 2 << 4).set(32 + 32 + 20, 2 << 2).set(20, 1 << 5);
    const auto values = q3.values();
    EXPECT_EQ(values[128 + 32 + 20], 0.5F * (7 + 32 - 32) * 2);
    EXPECT_EQ(values[128 + 32 + 21], 0.5F * 7 * -4);
    EXPECT_EQ(values[0], 0.5F * -32 * -4);
}

TEST(WeightBlocks, LargeBlocksOfFourBitLevels) {
    // Sub-block 3: lower bits in the upper half of byte 1, upper bits at 6.
    auto iq4 = Block(TensorType::Iq4Xs);
    iq4.half(0, kHalf).set(2, 0xC0).set(4 + 1, 0x50).set(8 + 3 * 16 + 4, 0xF0);
    const auto values = iq4.values();
    EXPECT_EQ(values[96 + 4], 0.5F * (5 + 48 - 32) * -127);
    EXPECT_EQ(values[96 + 20], 0.5F * 21 * 113);
    EXPECT_EQ(values[0], 0.5F * -32 * -127);
}

TEST(WeightBlocks, LargeBlocksOfSixBits) {
    // Second half, group 3 (high halves of the second 32 bytes), weight 5: i = 128 + 96 + 5. Its scale is number 14.
    auto q6 = Block(TensorType::Q6K);
    q6.half(208, kHalf).set(64 + 32 + 5, 0xD0).set(128 + 32 + 5, 2 << 6).set(192 + 14, 0xFD);
    const auto values = q6.values();
    EXPECT_EQ(values[128 + 96 + 5], 0.5F * -3 * (13 + 32 - 32));
    EXPECT_EQ(values[128 + 96 + 6], 0.5F * -3 * -32);
    EXPECT_EQ(values[0], 0);
}

// The maximum error of a format: half a step of its levels over the range of a block.
TEST(WeightBlocks, QuantisedValuesComeBack) {
    struct Expectation {
        TensorType type;
        double relativeToLargest;
    };
    for (const auto& [type, bound] :
         {Expectation{TensorType::F32, 0}, Expectation{TensorType::F16, 0x1p-11}, Expectation{TensorType::Bf16, 0x1p-8},
          Expectation{TensorType::Q8_0, 0.6 / 127}, Expectation{TensorType::Q4_0, 1.1 / 8},
          Expectation{TensorType::Q4K, 1.4 / 15}, Expectation{TensorType::Q6K, 1.2 / 32}}) {
        ASSERT_TRUE(canQuantise(type));
        std::vector<float> values(2048), back(values.size());
        fillNormal(values, RandomStream(33, 1), 0.02F);
        const auto& format = formatOf(type);
        std::vector<std::byte> bytes(values.size() / static_cast<std::size_t>(format.blockWeights) *
                                     static_cast<std::size_t>(format.blockBytes));
        quantise(type, values, bytes.data());
        dequantise(type, bytes.data(), back);
        const auto block = static_cast<std::size_t>(format.blockWeights);
        for (std::size_t first = 0; first < values.size(); first += block) {
            float largest = 0;
            const double least = type == TensorType::F16 ? 0x1p-25 : 0;  // half a step of the smallest halves
            for (std::size_t i = first; i < first + block; ++i) largest = std::max(largest, std::abs(values[i]));
            for (std::size_t i = first; i < first + block; ++i)
                EXPECT_NEAR(back[i], values[i], bound * static_cast<double>(largest) + least)
                    << format.name << " " << i;
        }
        // Zeros are preserved, and a second round trip does not change formats without nested scales.
        std::ranges::fill(values, 0.0F);
        quantise(type, values, bytes.data());
        dequantise(type, bytes.data(), back);
        EXPECT_EQ(back, values) << format.name;
    }
    EXPECT_FALSE(canQuantise(TensorType::Iq4Nl));
    EXPECT_FALSE(hasBlocks(TensorType::Nf4));
}

}  // namespace
}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/pointwise/pointwise.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

TEST(Half, EveryValueSurvivesTheWayToFloatAndBack) {
    for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
        const auto narrow = static_cast<std::uint16_t>(bits);
        const float wide = halfValue(narrow);
        if (std::isnan(wide)) {
            EXPECT_TRUE(std::isnan(halfValue(halfBits(wide))));
            continue;
        }
        ASSERT_EQ(halfBits(wide), narrow) << wide;
    }
}

// Neighbours of every boundary between two halves, and random values: the reference's rounding.
TEST(Half, RoundsAsTheReferenceDoes) {
    for (std::uint32_t bits = 0; bits < 0x7bffU; ++bits) {
        const float low = halfValue(static_cast<std::uint16_t>(bits)),
                    high = halfValue(static_cast<std::uint16_t>(bits + 1));
        const float middle = low + (high - low) / 2;
        for (const float value : {middle, std::nextafter(middle, low), std::nextafter(middle, high), -middle})
            ASSERT_EQ(halfValue(halfBits(value)), rounded(ElementType::F16, value)) << value;
    }
    for (const float value : {65504.0F, 65519.99F, 65520.0F, 1e10F, 0x1p-25F, 0x1.8p-25F, 0x1p-26F, 0.0F, -0.0F})
        EXPECT_EQ(halfValue(halfBits(value)), rounded(ElementType::F16, value)) << value;
    EXPECT_TRUE(std::isinf(halfValue(halfBits(HUGE_VALF))));
    EXPECT_TRUE(std::isnan(halfValue(halfBits(NAN))));
}

TEST(Bfloat16, RoundsAsTheReferenceDoes) {
    for (std::uint32_t bits = 0; bits < 0x7f7fU; ++bits) {
        const float low = toFloat(Bfloat16{static_cast<std::uint16_t>(bits)});
        const float middle = std::bit_cast<float>((bits << 16) | 0x8000U);
        for (const float value :
             {low, middle, std::nextafter(middle, 0.0F), std::nextafter(middle, HUGE_VALF), -middle})
            ASSERT_EQ(toFloat(Bfloat16{bfloat16Bits(value)}), rounded(ElementType::Bf16, value)) << value;
    }
    EXPECT_TRUE(std::isnan(toFloat(Bfloat16{bfloat16Bits(std::bit_cast<float>(0x7f800001U))})));
}

TEST(Convert, BetweenAllTypesAtEveryLengthAndAlignment) {
    for (const auto from : kTypes)
        for (const auto to : kTypes)
            for (const std::int64_t n : {0, 1, 3, 8, 37, 4099})
                for (const std::int64_t shift : {0, 1}) {
                    const auto values = rounded(from, normals(n, 7, 100));
                    Typed x(from, values, shift), y(to, n, shift);
                    ASSERT_EQ(convert({}, from, x.data(), to, y.data(), n), kOk);
                    EXPECT_EQ(y.floats(), rounded(to, values)) << n;
                }
}

// Sizes beyond 32 bits are split without loss; nothing of that size is allocated.
TEST(Indices, AreSplitBeyond32Bits) {
    for (const std::int64_t a : {std::int64_t{0}, std::int64_t{5}, std::int64_t{1} << 31, (std::int64_t{1} << 32) - 1,
                                 std::int64_t{1} << 32, (std::int64_t{1} << 33) + 5, std::int64_t{1} << 43})
        for (const std::int64_t b : {std::int64_t{1}, std::int64_t{3}, std::int64_t{1000}, (std::int64_t{1} << 31) + 1,
                                     (std::int64_t{1} << 32) + 1}) {
            const auto [quotient, rest] = split(a, b);
            EXPECT_EQ(quotient, a / b);
            EXPECT_EQ(rest, a % b);
        }
    EXPECT_EQ((ImageLayout{1 << 12, 1 << 10, 1 << 6, 1 << 6, true}.elements()), std::int64_t{1} << 34);
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels

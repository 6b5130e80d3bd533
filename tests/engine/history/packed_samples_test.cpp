// SPDX-License-Identifier: Apache-2.0
#include "engine/history/packed_samples.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/core/random.h"

namespace steelyard::history {
namespace {

TEST(PackedSamples, AreLittleEndianDoubles) {
    const auto packed = packSamples(std::vector{1.0, -2.5});
    EXPECT_EQ(packed.encoding, "f64le");
    EXPECT_EQ(packed.count, 2);
    // 1.0 is 0x3ff0000000000000, -2.5 is 0xc004000000000000.
    EXPECT_EQ(packed.data, std::string("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0", 16));
}

TEST(PackedSamples, EveryValueComesBackBitByBit) {
    std::vector<double> samples{0.0, -0.0, std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::max(), 0.1};
    const RandomStream stream(5, 6);
    for (std::uint32_t i = 0; i < 1000; ++i) samples.push_back(stream.normal(i));
    EXPECT_EQ(unpackSamples(packSamples(samples)), samples);
    EXPECT_EQ(unpackSamples(packSamples({})), std::vector<double>{});
}

TEST(PackedSamples, AreCompressedWhereThatIsSmaller) {
    const std::vector<double> regular(1000, 0.25);
    const auto packed = packSamples(regular);
    EXPECT_EQ(packed.encoding, "f64le+zlib");
    EXPECT_LT(packed.data.size(), 200U);
    EXPECT_EQ(unpackSamples(packed), regular);
}

TEST(PackedSamples, DamageIsNoticed) {
    for (const auto& good : {packSamples(std::vector{1.0, 2.0, 3.7}), packSamples(std::vector<double>(1000, 0.25))}) {
        const auto refuses = [&good](auto change) {
            auto bad = good;
            change(bad);
            const auto result = unpackSamples(bad);
            return !result && result.error().kind == ErrorKind::CorruptData;
        };
        const auto samples = unpackSamples(good);
        for (std::size_t i = 0; i < good.data.size(); ++i) {
            auto bad = good;
            bad.data[i] = static_cast<char>(bad.data[i] ^ 0x10);
            const auto result = unpackSamples(bad);
            // A few bits of a compressed block are unused; a wrong value is never returned.
            EXPECT_TRUE(result ? result == samples : result.error().kind == ErrorKind::CorruptData) << i;
        }
        EXPECT_TRUE(refuses([](PackedSamples& p) { p.data.pop_back(); }));
        EXPECT_TRUE(refuses([](PackedSamples& p) { ++p.count; }));
        EXPECT_TRUE(refuses([](PackedSamples& p) { p.count = -1; }));
        EXPECT_TRUE(refuses([](PackedSamples& p) { p.count = std::int64_t{1} << 60; }));
        EXPECT_TRUE(refuses([](PackedSamples& p) { p.encoding = "f32"; }));
        EXPECT_TRUE(refuses([](PackedSamples& p) { p.crc32 ^= 1; }));
    }
}

}  // namespace
}  // namespace steelyard::history

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/core/units.h"

namespace steelyard {
namespace {

TEST(Error, NamesRoundTrip) {
    for (auto kind : {ErrorKind::InvalidArgument, ErrorKind::CorruptData, ErrorKind::Locked, ErrorKind::Internal}) {
        EXPECT_EQ(errorKindFromString(toString(kind)), kind);
    }
    EXPECT_FALSE(errorKindFromString("nonsense"));
}

TEST(Error, OutOfMemorySaysWhatItNeedsAndHas) {
    Error error{ErrorKind::OutOfMemory, "vgg16", {}, {}, std::int64_t{12} << 30, std::int64_t{8} << 30};
    EXPECT_EQ(describe(error), "vgg16 does not fit into memory: needs 12.0 GiB, has 8.00 GiB");
}

TEST(Error, ErrnoMapsToKind) {
    EXPECT_EQ(errorFromErrno(ENOSPC, "x").kind, ErrorKind::DiskFull);
    EXPECT_EQ(errorFromErrno(EROFS, "x").kind, ErrorKind::PermissionDenied);
    EXPECT_EQ(errorFromErrno(EIO, "x").kind, ErrorKind::IoFailed);
}

TEST(Units, Format) {
    EXPECT_EQ(formatBytes(Bytes(512)), "512 B");
    EXPECT_EQ(formatBytes(Bytes(1536)), "1.50 KiB");
    EXPECT_EQ(formatSeconds(Seconds(0.01234)), "12.3 ms");
    EXPECT_EQ(formatSeconds(Seconds(3780)), "1 h 03 min");
    EXPECT_EQ(formatFlops(Flops(2.46e11)), "246 GFLOP");
    EXPECT_EQ(formatNumber(12.345), "12.3");
    EXPECT_EQ(formatNumber(0.00123456), "0.00123");
    EXPECT_EQ(formatNumber(12345.6), "12346");
    EXPECT_EQ(formatNumber(999.7), "1000");
    EXPECT_EQ(formatRate(5.193e11, "FLOP/s"), "519 GFLOP/s");
    EXPECT_EQ(formatRate(3.12e10, "B/s"), "31.2 GB/s");
    EXPECT_EQ(formatRate(19112.4, "samples/s"), "19112 samples/s");
    EXPECT_EQ(formatRate(12.345, "tokens/s"), "12.3 tokens/s");
    EXPECT_EQ(Bytes(3) + Bytes(4), Bytes(7));
    EXPECT_DOUBLE_EQ(Seconds(3) / Seconds(2), 1.5);
}

TEST(Clock, IsoTime) {
    EXPECT_EQ(formatIsoTime(1'000'000'000'000), "2001-09-09T01:46:40Z");
}

TEST(RandomStream, IsReproducibleAndSpread) {
    const RandomStream a(1, 2);
    const RandomStream b(1, 3);
    EXPECT_EQ(a.bits(7), RandomStream(1, 2).bits(7));
    EXPECT_NE(a.bits(7), b.bits(7));
    double sum = 0;
    double squares = 0;
    constexpr int kCount = 100'000;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const double x = a.normal(i);
        sum += x;
        squares += x * x;
    }
    EXPECT_NEAR(sum / kCount, 0.0, 0.02);
    EXPECT_NEAR(squares / kCount, 1.0, 0.03);
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < 1000; ++i) seen.insert(a.below(i, 10));
    EXPECT_EQ(seen.size(), 10U);
}

// Compared with the library's double precision functions, including both tails.
TEST(RandomStream, NormalIsBoxMuller) {
    const RandomStream stream(5, 6);
    double largest = 0;
    for (std::uint32_t i = 0; i < 1'000'000; ++i) {
        const auto u = static_cast<double>((static_cast<float>(stream.bits(2 * i) >> 8) + 0.5F) * 0x1p-24F);
        const double v = static_cast<double>(stream.bits(2 * i + 1) >> 8) * 0x1p-24;
        const double expected = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
        ASSERT_NEAR(stream.normal(i), expected, 1e-6 + 1e-6 * std::abs(expected)) << i;
        largest = std::max(largest, std::abs(expected));
    }
    EXPECT_GT(largest, 4.5);
}

TEST(RandomStream, ManyAtOnceAreTheSameBitForBit) {
    const RandomStream stream(7, 8);
    for (const std::size_t count : {0U, 1U, 15U, 1024U, 1025U, 5000U}) {
        std::vector<float> normal(count);
        std::vector<float> uniform(count);
        std::vector<std::int32_t> below(count);
        fillNormal(normal, stream, 0.5F);
        fillUniform(uniform, stream, 3);
        fillBelow(below, stream, 17);
        for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_EQ(normal[i], stream.normal(i) * 0.5F) << i;
            ASSERT_EQ(uniform[i], (stream.uniform(i) - 0.5F) * 3) << i;
            ASSERT_EQ(below[i], static_cast<std::int32_t>(stream.below(i, 17))) << i;
        }
    }
}

}  // namespace
}  // namespace steelyard

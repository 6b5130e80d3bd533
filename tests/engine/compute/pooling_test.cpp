// SPDX-License-Identifier: Apache-2.0
// Maximum and average pooling by native kernels: every element type and instruction set compared with a search of each
// window, and in networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/core/random.h"
#include "engine/model/graph.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/support/backend_suite.h"
#include "tests/support/eight_bit_suite.h"

namespace steelyard::compute::cpu {
namespace {

struct Set {
    const char* name;
    CpuIsa isa;
};

struct PooledImage {
    std::int64_t height = 0, width = 0, channels = 0;
    std::int64_t kernelHeight = 0, kernelWidth = 0, strideHeight = 1, strideWidth = 1, top = 0, left = 0;
    std::int64_t outHeight = 0, outWidth = 0;
};

std::vector<PooledImage> images() {
    std::vector<PooledImage> all;
    for (const std::int64_t channels : {1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 128, 200, 257}) {
        all.push_back({7, 9, channels, 3, 3, 2, 2, 1, 1, 4, 5});
        all.push_back({5, 6, channels, 2, 2, 2, 2, 0, 0, 3, 3});    // rounded up
        all.push_back({4, 11, channels, 1, 5, 1, 1, 0, 2, 4, 11});  // along rows only
        all.push_back({2, 2, channels, 3, 3, 1, 1, 2, 2, 4, 4});
        all.push_back({1, 1, channels, 1, 1, 7, 7, 7, 7, 3, 3});  // most windows in the padding alone
    }
    return all;
}

std::string described(const PooledImage& i) {
    return testing::PrintToString(std::vector<std::int64_t>{i.height, i.width, i.channels, i.kernelHeight,
                                                            i.kernelWidth, i.strideHeight, i.strideWidth, i.top, i.left,
                                                            i.outHeight, i.outWidth});
}

template <class T>
std::vector<T> elements(std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    const RandomStream random(7, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto bits = random.bits(static_cast<std::uint32_t>(i));
        if constexpr (std::is_same_v<T, float>) {
            values[i] = static_cast<float>(static_cast<std::int32_t>(bits)) * 1e-9F;
        } else if constexpr (std::is_same_v<T, BFloat16>) {
            const float value = static_cast<float>(static_cast<std::int32_t>(bits)) * 1e-9F;
            values[i].bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
        } else {
            values[i] = static_cast<T>(bits);
        }
    }
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, BFloat16>) {
        const auto spread = [&](std::size_t first, std::size_t step, float value) {
            for (std::size_t i = first; i < values.size(); i += step) {
                if constexpr (std::is_same_v<T, float>)
                    values[i] = value;
                else
                    values[i].bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
            }
        };
        spread(0, 13, std::numeric_limits<float>::quiet_NaN());
        spread(1, 11, -std::numeric_limits<float>::infinity());
        spread(2, 17, std::numeric_limits<float>::infinity());
    }
    return values;
}

float valueOf(float value) {
    return value;
}
float valueOf(BFloat16 value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
float valueOf(std::int8_t value) {
    return static_cast<float>(value);
}
float valueOf(std::uint8_t value) {
    return static_cast<float>(value);
}

// Calls visit(element) for those of a window inside the image, in order.
template <class T, class Visit>
void forEachElement(const PooledImage& image, const std::vector<T>& x, std::int64_t row, std::int64_t pixel,
                    std::int64_t channel, const Visit& visit) {
    for (std::int64_t i = 0; i < image.kernelHeight; ++i)
        for (std::int64_t j = 0; j < image.kernelWidth; ++j) {
            const auto h = row * image.strideHeight - image.top + i, w = pixel * image.strideWidth - image.left + j;
            if (h < 0 || h >= image.height || w < 0 || w >= image.width) continue;
            visit(x[static_cast<std::size_t>((h * image.width + w) * image.channels + channel)]);
        }
}

// As compute/reference/pooling.cpp.
template <class T>
T maximumOf(const PooledImage& image, const std::vector<T>& x, std::int64_t row, std::int64_t pixel,
            std::int64_t channel) {
    std::optional<T> best;
    forEachElement(image, x, row, pixel, channel, [&](T value) {
        if (!best || valueOf(value) > valueOf(*best)) best = value;
    });
    return best.value_or(T{});
}

class PoolingKernelsTest : public testing::TestWithParam<Set> {
protected:
    void SetUp() override {
        if (!runsHere(GetParam().isa)) GTEST_SKIP() << "needs " << GetParam().name;
        auto table = std::make_unique<Kernels>(kernels());
        fillKernels(GetParam().isa, *table);
        m_pooling = table->pooling;
    }

    // pool: computes a PooledRow. expect(image, row, i, value): for each element i of each row.
    template <class T, class Pool, class Expect>
    static void expectRows(const PooledImage& image, const std::vector<T>& x, std::int64_t divisor, const Pool& pool,
                           const Expect& expect) {
        const auto rowSize = image.outWidth * image.channels;
        for (std::int64_t row = 0; row < image.outHeight; ++row) {
            const auto top = row * image.strideHeight - image.top, first = std::max<std::int64_t>(top, 0);
            std::vector<T> y(static_cast<std::size_t>(rowSize + 1));
            std::memset(static_cast<void*>(y.data()), 0x5a, y.size() * sizeof(T));
            const auto beyond = y.back();
            pool(PooledRow<T>{.y = y.data(),
                              .x = x.data() + first * image.width * image.channels,
                              .rows = std::min(top + image.kernelHeight, image.height) - first,
                              .width = image.width,
                              .channels = image.channels,
                              .pixels = image.outWidth,
                              .kernel = image.kernelWidth,
                              .stride = image.strideWidth,
                              .left = image.left,
                              .divisor = divisor});
            for (std::int64_t i = 0; i < rowSize; ++i) expect(row, i, y[static_cast<std::size_t>(i)]);
            ASSERT_EQ(std::memcmp(&y.back(), &beyond, sizeof(T)), 0) << described(image);
        }
    }

    template <class T>
    void expectMaxima() const {
        for (const auto& image : images()) {
            const auto x = elements<T>(image.height * image.width * image.channels);
            expectRows(
                image, x, 0, [&](const PooledRow<T>& row) { m_pooling.maximum(row); },
                [&](std::int64_t row, std::int64_t i, T value) {
                    const auto expected = maximumOf(image, x, row, i / image.channels, i % image.channels);
                    ASSERT_EQ(std::memcmp(&value, &expected, sizeof(T)), 0)
                        << described(image) << ": row " << row << ", element " << i << " is " << valueOf(value)
                        << ", not " << valueOf(expected);
                });
        }
    }

    // tolerance: of the mean of magnitudes.
    template <class T>
    void expectAverages(double tolerance) const {
        for (const auto& image : images())
            for (const std::int64_t divisor : {std::int64_t{0}, image.kernelHeight * image.kernelWidth}) {
                auto x = elements<T>(image.height * image.width * image.channels);
                for (auto& value : x)
                    if (!std::isfinite(valueOf(value))) value = T{};
                expectRows(
                    image, x, divisor, [&](const PooledRow<T>& row) { m_pooling.average(row); },
                    [&](std::int64_t row, std::int64_t i, T value) {
                        double sum = 0, magnitude = 0;
                        std::int64_t count = 0;
                        forEachElement(image, x, row, i / image.channels, i % image.channels, [&](T term) {
                            sum += static_cast<double>(valueOf(term));
                            magnitude += std::abs(static_cast<double>(valueOf(term)));
                            ++count;
                        });
                        const auto terms =
                            static_cast<double>(std::max<std::int64_t>(1, divisor > 0 ? divisor : count));
                        ASSERT_NEAR(static_cast<double>(valueOf(value)), sum / terms, tolerance * magnitude / terms)
                            << described(image) << ": row " << row << ", element " << i;
                    });
            }
    }

    PoolingKernels m_pooling{};
};

TEST_P(PoolingKernelsTest, MaximumOfFloats) {
    expectMaxima<float>();
}
TEST_P(PoolingKernelsTest, MaximumOfBfloat16) {
    expectMaxima<BFloat16>();
}
TEST_P(PoolingKernelsTest, MaximumOfSignedBytes) {
    expectMaxima<std::int8_t>();
}
TEST_P(PoolingKernelsTest, MaximumOfUnsignedBytes) {
    expectMaxima<std::uint8_t>();
}
TEST_P(PoolingKernelsTest, AverageOfFloats) {
    expectAverages<float>(1e-6);
}
// Rounded to eight bits, once.
TEST_P(PoolingKernelsTest, AverageOfBfloat16) {
    expectAverages<BFloat16>(1.0 / 256);
}
INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, PoolingKernelsTest,
                         testing::Values(Set{"baseline", CpuIsa::baseline}, Set{"AVX2", CpuIsa::avx2},
                                         Set{"AVX512", CpuIsa::avx512}),
                         [](const auto& one) { return one.param.name; });

// Pools between convolutions, which choose the layouts. Compared in training as well, where the library keeps the
// positions of maxima.
model::Graph network(std::int64_t channels, bool rectify) {
    model::GraphBuilder g("pools");
    auto x = g.conv(g.input({16, 19, 17}), model::square(channels, 3, 1, 1));
    if (rectify) x = g.relu(x);
    x = g.conv(g.maxPool(x, 3, 2, 1), model::square(channels, 3, 1, 1));
    x = g.add(model::Pool2d{model::PoolKind::Max, {2, 3}, {1, 2}, {1, 0, 0, 1}, true, false}, {x});
    x = g.conv(x, model::square(channels, 1));
    for (const bool counts : {false, true})
        x = g.conv(g.add(model::Pool2d{model::PoolKind::Average, {3, 3}, {1, 1}, {1, 1, 1, 1}, false, counts}, {x}),
                   model::square(channels, 1));
    g.head(g.dense(g.flatten(x), 5));
    return std::move(g).build().value();
}

// Averages are the library's in blocks of few channels, such as those of its convolutions with AVX2.
void expectNativePools(plan::Precision precision, double tolerance) {
    bool averages = false;
    for (const std::int64_t channels : {16, 48})
        for (const bool rectify : {false, true})
            for (const int threads : {1, 2}) {
                SCOPED_TRACE(testing::Message() << channels << " channels, " << threads << " threads");
                ChosenKernels backend([](KernelChoices&) {});
                steelyard::test::BackendCheck check;
                check.precision = precision;
                check.tolerance = tolerance;
                check.compile.threads = threads;
                expectEqualsReference(backend, network(channels, rectify), check);
                EXPECT_GT(backend.tasks("native:maximum"), 0);
                if (backend.tasks("native:average") > 0) averages = true;
            }
    EXPECT_TRUE(averages || !runsHere(CpuIsa::avx512));
}

TEST(Pooling, InNetworksOfFloats) {
    expectNativePools(plan::Precision::Fp32, 1e-5);
}

TEST(Pooling, InNetworksOfBfloat16) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    expectNativePools(plan::Precision::Bf16, 2e-2);
}

TEST(Pooling, InNetworksOfBytes) {
    for (const bool rectify : {false, true}) {
        ChosenKernels backend([](KernelChoices&) {});
        const auto plan = steelyard::test::calibratedPlan(*makeCpuBackend(), network(48, rectify), 3);
        EXPECT_LT(steelyard::test::eightBitDistances(backend, "cpu", plan).sameGrid, 0.02) << rectify;
        EXPECT_GT(backend.tasks("native:maximum"), 0);
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// int8 inference: the kernels of every supported instruction set, and networks on the CPU compared with the reference
// on the same grids.
#include "engine/compute/eight_bit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/core/random.h"
#include "engine/model/zoo/zoo.h"
#include "tests/support/eight_bit_suite.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute {
namespace {

using cpu::CpuIsa;
using cpu::StoredAs;

struct Set {
    const char* name;
    CpuIsa isa;
};
class EightBitKernelsTest : public testing::TestWithParam<Set> {
protected:
    void SetUp() override {
        if (!cpu::runsHere(GetParam().isa)) GTEST_SKIP() << "needs " << GetParam().name;
        auto table = std::make_unique<cpu::Kernels>(cpu::kernels());
        cpu::fillKernels(GetParam().isa, *table);
        m_kernels = table->eightBit;
    }
    cpu::EightBitKernels m_kernels;
};

// Values far outside the range, ties and ordinary ones.
std::vector<float> mixedValues(std::size_t count) {
    std::vector<float> values(count);
    fillNormal(values, RandomStream(5, 1), 60);
    for (std::size_t i = 0; i < count; i += 5) values[i] = static_cast<float>(static_cast<int>(i) - 50) + 0.5F;
    for (std::size_t i = 3; i < count; i += 11) values[i] *= 1e6F;
    return values;
}

TEST_P(EightBitKernelsTest, StoresTheNearestByte) {
    for (const std::int64_t n : {1, 7, 15, 16, 17, 33, 64, 127, 1000}) {
        const auto x = mixedValues(static_cast<std::size_t>(n));
        const auto nearest = [&](std::size_t i, float low, float high) {
            return std::clamp(std::nearbyintf(x[i] * 0.5F), low, high);
        };
        for (const bool rectify : {false, true}) {
            std::vector<std::int8_t> bytes(x.size() + 1, 99);
            m_kernels.store(bytes.data(), StoredAs::Signed, x.data(), 0.5F, rectify, n);
            for (std::size_t i = 0; i < x.size(); ++i)
                ASSERT_EQ(static_cast<float>(bytes[i]), nearest(i, rectify ? 0 : -127, 127)) << n << " " << i;
            EXPECT_EQ(bytes.back(), 99);
            std::vector<std::uint8_t> unsignedBytes(x.size() + 1, 99);
            m_kernels.store(unsignedBytes.data(), StoredAs::Unsigned, x.data(), 0.5F, rectify, n);
            for (std::size_t i = 0; i < x.size(); ++i)
                ASSERT_EQ(static_cast<float>(unsignedBytes[i]), nearest(i, 0, 255)) << n << " " << i;
            EXPECT_EQ(unsignedBytes.back(), 99);
            std::vector<float> floats(x.size());
            m_kernels.store(floats.data(), StoredAs::Float, x.data(), 0.5F, rectify, n);
            for (std::size_t i = 0; i < x.size(); ++i)
                ASSERT_EQ(floats[i], rectify ? std::max(0.0F, x[i] * 0.5F) : x[i] * 0.5F);
        }
    }
}

TEST_P(EightBitKernelsTest, AddsWhatBytesStandFor) {
    for (const std::int64_t n : {1, 15, 17, 64, 301}) {
        std::vector<std::int8_t> a(static_cast<std::size_t>(n));
        std::vector<std::uint8_t> b(a.size());
        std::vector<float> c(a.size()), sum(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = static_cast<std::int8_t>(static_cast<int>(i * 37 % 255) - 127);
            b[i] = static_cast<std::uint8_t>(i * 91 % 256);
            c[i] = static_cast<float>(i);
        }
        m_kernels.addScaled(sum.data(), a.data(), StoredAs::Signed, 0.25F, true, n);
        m_kernels.addScaled(sum.data(), b.data(), StoredAs::Unsigned, 0.5F, false, n);
        m_kernels.addScaled(sum.data(), c.data(), StoredAs::Float, 2, false, n);
        for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_EQ(sum[i], static_cast<float>(a[i]) * 0.25F + static_cast<float>(b[i]) * 0.5F + c[i] * 2) << i;
    }
}

TEST_P(EightBitKernelsTest, AveragesPixels) {
    for (const std::int64_t channels : {1, 3, 16, 33, 511, 513, 1100})
        for (const std::int64_t pixels : {1, 9, 49}) {
            std::vector<std::uint8_t> x(static_cast<std::size_t>(channels * pixels));
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i * 113 % 251);
            std::vector<float> y(static_cast<std::size_t>(channels)), z(y.size());
            m_kernels.meanOfPixels(y.data(), x.data(), StoredAs::Unsigned, pixels, channels, 0.125F);
            m_kernels.meanOfPixels(z.data(), x.data(), StoredAs::Signed, pixels, channels, 0.125F);
            for (std::int64_t c = 0; c < channels; ++c) {
                int sum = 0, ofSigned = 0;
                for (std::int64_t p = 0; p < pixels; ++p) {
                    const auto byte = x[static_cast<std::size_t>(p * channels + c)];
                    sum += byte;
                    ofSigned += static_cast<std::int8_t>(byte);
                }
                ASSERT_EQ(y[static_cast<std::size_t>(c)], static_cast<float>(sum) * 0.125F) << channels << " " << c;
                ASSERT_EQ(z[static_cast<std::size_t>(c)], static_cast<float>(ofSigned) * 0.125F)
                    << channels << " " << c;
            }
        }
}

TEST_P(EightBitKernelsTest, InterleavesPlanes) {
    for (const std::int64_t stride : {1, 3})
        for (const std::int64_t n : {1, 15, 16, 17, 100}) {
            std::vector<std::uint8_t> planes(static_cast<std::size_t>(4 * n));
            for (std::size_t i = 0; i < planes.size(); ++i) planes[i] = static_cast<std::uint8_t>(37 * i + 200);
            std::vector<std::uint32_t> words(static_cast<std::size_t>(n * stride));
            const auto* plane = planes.data();
            m_kernels.interleave(words.data(), stride, plane, plane + n, plane + 2 * n, plane + 3 * n, n);
            for (std::int64_t i = 0; i < n * stride; ++i) {
                std::uint32_t expected = 0;
                for (std::int64_t c = 0; c < 4 && i % stride == 0; ++c)
                    expected |= std::uint32_t{plane[c * n + i / stride]} << (8 * c);
                ASSERT_EQ(words[static_cast<std::size_t>(i)], expected) << i << " of " << n << ", stride " << stride;
            }
        }
}
INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, EightBitKernelsTest,
                         testing::Values(Set{"baseline", CpuIsa::baseline}, Set{"AVX2", CpuIsa::avx2},
                                         Set{"AVX-512", CpuIsa::avx512}),
                         [](const auto& one) {
                             std::string name = one.param.name;
                             std::erase(name, '-');
                             return name;
                         });

TEST(EightBit, WeightsAreRoundedRowByRow) {
    const std::vector<float> weights{1, -0.5F, 0.25F, 0, 0, 0, -4, 2, std::numeric_limits<float>::quiet_NaN()};
    std::vector<std::int8_t> rounded(weights.size());
    std::vector<float> steps(3);
    roundWeightRows(weights, {}, 127, rounded, steps);
    EXPECT_EQ(rounded, (std::vector<std::int8_t>{127, -64, 32, 0, 0, 0, -127, 64, 0}));
    EXPECT_FLOAT_EQ(steps[0], 1.0F / 127);
    EXPECT_EQ(steps[1], 1);
    EXPECT_FLOAT_EQ(steps[2], 4.0F / 127);
    roundWeightRows(weights, {}, 63, rounded, steps);
    EXPECT_EQ(rounded[0], 63);
    // Declared steps are used for rows within 128 of them, with all levels.
    const std::vector<float> declared{1.0F / 128, 0.5F, 4.0F / 129};
    roundWeightRows(weights, declared, 127, rounded, steps);
    EXPECT_EQ(steps, (std::vector<float>{declared[0], declared[1], 4.0F / 127}));
    EXPECT_EQ(rounded, (std::vector<std::int8_t>{127, -64, 32, 0, 0, 0, -127, 64, 0}));
    roundWeightRows(weights, declared, 63, rounded, steps);
    EXPECT_FLOAT_EQ(steps[0], 1.0F / 63);
}

// Error of the CPU; skipped: depthwise convolutions without VNNI.
struct Distances : test::EightBitDistances {
    bool skipped = false;
};
Distances distancesOf(const model::Graph& graph) {
    const auto backend = makeCpuBackend({});
    const auto plan = test::calibratedPlan(*backend, graph, 3);
    if (!cpu::runsHere(CpuIsa::avx512_vnni) && !supportsPlan(*backend, *plan)) return {.skipped = true};
    return {test::eightBitDistances(*backend, "cpu", plan)};
}

class EightBitLayers : public testing::TestWithParam<test::LayerCase> {};

// One product, with exact sums; a layer without products is not computed in int8.
TEST_P(EightBitLayers, EqualTheReferenceOnTheSameGrids) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto distances = distancesOf(GetParam().graph(seed));
        if (distances.skipped) continue;
        EXPECT_LT(distances.sameGrid, 0.01) << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(Layers, EightBitLayers, testing::ValuesIn(test::layerCases()),
                         [](const auto& one) { return one.param.name; });

TEST(EightBit, NetworksEqualTheReferenceOnTheSameGrids) {
    for (const std::int64_t channels : {4, 8, 19, 24}) {
        const auto distances = distancesOf(test::everyKindInBytes(channels));
        EXPECT_EQ(distances.skipped, channels % 8 != 0 && !cpu::runsHere(CpuIsa::avx512_vnni)) << channels;
        if (distances.skipped) continue;
        EXPECT_LT(distances.sameGrid, 0.02) << channels;
        EXPECT_GT(distances.fp32, 1e-4) << channels << ": bytes leave a trace";
        EXPECT_LT(distances.fp32, 0.2) << channels;
    }
}

TEST(EightBit, SpecialNetworksEqualTheReference) {
    for (const auto& [name, graph] : test::specialEightBitNetworks())
        EXPECT_LT(distancesOf(graph).sameGrid, 0.01) << name;
}

TEST(EightBit, WeightsCanBeWrittenAgain) {
    test::expectWeightsCanBeWrittenAgain(*makeCpuBackend({}), "cpu");
}

TEST(EightBit, NothingToComputeInBytesIsSaid) {
    model::GraphBuilder g("no_product");
    g.head(g.flatten(g.maxPool(g.input({3, 4, 4}), 2, 2)));
    const auto graph = std::move(g).build().value();
    const auto backend = makeCpuBackend({});
    const auto plan = plan::lower(graph, {plan::Mode::Infer, 2, plan::Precision::Int8, {}}).value();
    const auto able = supportsPlan(*backend, plan);
    ASSERT_FALSE(able);
    EXPECT_EQ(able.error().kind, ErrorKind::Unsupported);
}

// Allocations of a step: one byte per weight, without a Float32 copy.
TEST(EightBit, PlannedMemoryCountsBytes) {
    const auto graph = model::findWorkload("resnet18").value()->build().value();
    const auto backend = makeCpuBackend({});
    const auto figures = [&](plan::Precision precision) {
        const auto plan = plan::lower(graph, {plan::Mode::Infer, 4, precision, {}}).value();
        return backend->plannedMemory(plan, {.device = "cpu", .threads = 1}).value();
    };
    const auto bytes = figures(plan::Precision::Int8), floats = figures(plan::Precision::Fp32);
    EXPECT_LT(bytes.weights.value(), 0.35 * static_cast<double>(floats.weights.value()));
    EXPECT_LT(bytes.peak.value(), 0.5 * static_cast<double>(floats.peak.value()));
}

}  // namespace
}  // namespace steelyard::compute

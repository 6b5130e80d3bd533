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

#include "engine/compute/backend_comparison.h"
#include "engine/compute/comparison_values.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/core/random.h"
#include "engine/model/zoo/blocks.h"
#include "engine/model/zoo/zoo.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute {
namespace {

using cpu::CpuIsa;
using cpu::StoredAs;
using model::ActivationKind;
using model::square;

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

std::shared_ptr<const plan::Plan> calibrated(Backend& backend, const model::Graph& graph, std::int64_t batch) {
    const auto reference = makeReferenceBackend();
    auto plan = lowerCalibrated(*reference, backend, graph, {plan::Mode::Infer, batch, plan::Precision::Int8, {}},
                                {.seed = 1, .threads = 2, .write = writeComparedValues});
    if (!plan) throw std::runtime_error(describe(plan.error()));
    return std::make_shared<const plan::Plan>(std::move(*plan));
}

// Error of the CPU relative to the reference on the same grids, by norm; and the error relative to fp32.
struct Distances {
    double sameGrid = 0, fp32 = 0;
    bool skipped = false;  // depthwise convolutions without VNNI
};
Distances distancesOf(const model::Graph& graph, std::int64_t batch = 3) {
    const auto backend = makeCpuBackend({});
    const auto plan = calibrated(*backend, graph, batch);
    if (!cpu::runsHere(CpuIsa::avx512_vnni) && !supportsPlan(*backend, *plan)) return {.skipped = true};
    const CompileOptions options{.device = "cpu", .threads = 2, .seed = 1};
    const auto grids = makeReferenceBackend({.emulatePrecision = true}), exact = makeReferenceBackend();
    Distances distances;
    for (const auto& [reference, distance] :
         {std::pair{grids.get(), &distances.sameGrid}, {exact.get(), &distances.fp32}}) {
        const auto comparison = compareBackends(*backend, *reference, plan, options, {.seed = 1, .steps = 1});
        if (!comparison) throw std::runtime_error(describe(comparison.error()));
        EXPECT_TRUE(comparison->unusable.empty()) << comparison->unusable.text;
        *distance = comparison->largestOf(Quantity::Output);
    }
    return distances;
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

model::Graph everyKind(std::int64_t channels) {
    model::GraphBuilder g("every_kind");
    auto x = g.input({3, 11, 9});
    x = g.relu(g.add(model::BatchNorm{}, {g.conv(x, square(channels, 3, 2, 1))}));
    const auto shortcut = g.add(model::BatchNorm{}, {g.conv(x, square(2 * channels, 1))});
    auto y = g.activation(g.conv(x, square(channels, 3, 1, 1)), ActivationKind::Relu6);
    auto depthwise = square(channels, 3, 1, 1);
    depthwise.groups = channels;
    y = g.relu(g.conv(y, depthwise));
    y = g.relu(g.add(model::Add{}, {shortcut, g.conv(y, square(2 * channels, 3, 1, 1))}));
    const auto pooled = g.maxPool(y, 3, 1, 1);
    y = g.add(model::Concat{}, {g.relu(g.conv(y, square(5, 1))), pooled});
    y = g.activation(g.conv(y, square(7, 1)), ActivationKind::Swish);
    y = g.add(model::Add{}, {g.conv(y, square(7, 3, 1, 1)), y});
    const auto flat = g.relu(g.dense(g.flatten(y), 19));
    g.head(g.dense(flat, 6));
    return std::move(g).build().value();
}

TEST(EightBit, NetworksEqualTheReferenceOnTheSameGrids) {
    for (const std::int64_t channels : {4, 8, 19, 24}) {
        const auto distances = distancesOf(everyKind(channels));
        EXPECT_EQ(distances.skipped, channels % 8 != 0 && !cpu::runsHere(CpuIsa::avx512_vnni)) << channels;
        if (distances.skipped) continue;
        EXPECT_LT(distances.sameGrid, 0.02) << channels;
        EXPECT_GT(distances.fp32, 1e-4) << channels << ": bytes leave a trace";
        EXPECT_LT(distances.fp32, 0.2) << channels;
    }
}

// Pixels are stored as words where the native product is faster, which it is for these sizes with AVX-512 VNNI.
TEST(EightBit, ImagesOfFewChannelsEqualTheReference) {
    for (const std::int64_t channels : {1, 3, 6}) {
        model::GraphBuilder g("few_channels");
        const auto x = g.relu(g.conv(g.input({channels, 64, 60}), square(64, 7, 2, 3)));
        g.head(g.dense(g.flatten(g.maxPool(x, 4, 4)), 5));
        EXPECT_LT(distancesOf(std::move(g).build().value()).sameGrid, 0.01) << channels;
    }
}

// Squeeze-and-excitation with few channels, and a shortcut of pixels.
TEST(EightBit, ConvolutionsOfPixelsEqualTheReference) {
    for (const std::int64_t channels : {2, 3, 8, 70}) {
        model::GraphBuilder g("pixels");
        const auto x = g.relu(g.conv(g.input({8, 6, 6}), square(16, 6)));
        const auto squeezed = g.relu(g.conv(x, square(channels, 1)));
        const auto excited = g.add(model::BatchNorm{}, {g.conv(squeezed, square(16, 1))});
        const auto sum = g.relu(g.add(model::Add{}, {x, excited}));
        g.head(g.dense(g.flatten(g.conv(sum, square(4, 1))), 5));
        EXPECT_LT(distancesOf(std::move(g).build().value()).sameGrid, 0.01) << channels;
    }
}

TEST(EightBit, FlattenedImagesEqualTheReference) {
    model::GraphBuilder g("flattened");
    const auto x = g.relu(g.flatten(g.conv(g.input({3, 9, 7}), square(8, 3))));
    g.head(g.dense(x, 5));
    EXPECT_LT(distancesOf(std::move(g).build().value()).sameGrid, 0.01);
}

TEST(EightBit, WeightsCanBeWrittenAgain) {
    const auto graph = everyKind(8);
    const auto backend = makeCpuBackend({});
    const auto plan = calibrated(*backend, graph, 2);
    const auto executable = backend->compile(plan, {.device = "cpu", .threads = 1, .seed = 1}).value();
    const auto outputs = [&] {
        EXPECT_TRUE(executable->step({}));
        const auto id = plan->heads[0].probabilities;
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(id).elements()));
        EXPECT_TRUE(executable->read(id, values));
        return values;
    };
    ASSERT_TRUE(writeSyntheticState(*executable, 1));
    const auto first = outputs();
    ASSERT_TRUE(writeInitialValues(*executable, 2));
    EXPECT_NE(outputs(), first);
    ASSERT_TRUE(writeInitialValues(*executable, 1));
    EXPECT_EQ(outputs(), first);
    std::vector<float> weight(static_cast<std::size_t>(plan->tensor(plan->parameterTensors[0]).elements()));
    EXPECT_FALSE(executable->read(plan->parameterTensors[0], weight)) << "there are bytes only";
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

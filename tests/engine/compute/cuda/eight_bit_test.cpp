// SPDX-License-Identifier: Apache-2.0
// Int8 inference on the GPU under test (gpu_under_test.h) compared with the reference on the same grids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compute/step_values.h"
#include "engine/model/zoo/blocks.h"
#include "engine/model/zoo/zoo.h"
#include "engine/plan/quantisation.h"
#include "tests/engine/compute/cuda/gpu_under_test.h"
#include "tests/support/eight_bit_suite.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute::cuda {
namespace {

using steelyard::test::calibratedPlan;
using steelyard::test::eightBitDistances;
using test::gpuUnderTest;
using test::Script;
using ::testing::HasSubstr;

double distanceOf(const model::Graph& graph, std::int64_t batch = 3) {
    const auto backend = gpuUnderTest();
    return eightBitDistances(*backend, "cuda:0", calibratedPlan(*backend, graph, batch)).sameGrid;
}

class CudaEightBitLayers : public ::testing::TestWithParam<steelyard::test::LayerCase> {};

// One product, with exact sums.
TEST_P(CudaEightBitLayers, EqualTheReferenceOnTheSameGrids) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_LT(distanceOf(GetParam().graph(seed)), 0.01) << seed;
}
INSTANTIATE_TEST_SUITE_P(Layers, CudaEightBitLayers, ::testing::ValuesIn(steelyard::test::layerCases()),
                         [](const auto& one) { return one.param.name; });

TEST(CudaEightBit, NetworksEqualTheReferenceOnTheSameGrids) {
    const auto backend = gpuUnderTest();
    for (const std::int64_t channels : {4, 8, 19, 24}) {
        const auto plan = calibratedPlan(*backend, steelyard::test::everyKindInBytes(channels), 3);
        const auto distances = eightBitDistances(*backend, "cuda:0", plan);
        EXPECT_LT(distances.sameGrid, 0.02) << channels;
        EXPECT_GT(distances.fp32, 1e-4) << channels << ": bytes leave a trace";
        EXPECT_LT(distances.fp32, 0.2) << channels;
    }
}

TEST(CudaEightBit, SpecialNetworksEqualTheReference) {
    for (const auto& [name, graph] : steelyard::test::specialEightBitNetworks())
        EXPECT_LT(distanceOf(graph), 0.01) << name;
}

// The sum is stored over an operand that the convolution reads.
TEST(CudaEightBit, ShortcutsAroundOneConvolutionEqualTheReference) {
    model::GraphBuilder g("short_shortcut");
    auto x = g.relu(g.conv(g.input({3, 8, 8}), model::square(16, 3, 1, 1)));
    for (int i = 0; i < 2; ++i) x = g.relu(g.add(model::Add{}, {x, g.conv(x, model::square(16, 3, 1, 1))}));
    g.head(g.dense(g.flatten(x), 5));
    EXPECT_LT(distanceOf(std::move(g).build().value()), 0.01);
}

// More addends than one kernel takes, and groups of several channels.
TEST(CudaEightBit, LongSumsAndGroupsEqualTheReference) {
    model::GraphBuilder g("long_sum");
    const auto x = g.input({12, 5, 5});
    std::vector<model::NodeId> terms;
    for (int i = 0; i < 10; ++i) {
        auto layer = model::square(12, 3, 1, 1);
        layer.groups = i % 2 == 0 ? 3 : 1;
        terms.push_back(g.relu(g.conv(x, layer)));
    }
    g.head(g.dense(g.flatten(g.relu(g.add(model::Add{}, terms))), 5));
    EXPECT_LT(distanceOf(std::move(g).build().value()), 0.01);
}

// Products of arrays of four dimensions need images with channels first: convolutions turn theirs.
TEST(CudaEightBit, ImagesBesideProductsOfArraysEqualTheReference) {
    model::GraphBuilder g("beside_arrays");
    const auto x = g.relu(g.add(model::BatchNorm{}, {g.conv(g.input({3, 6, 6}), model::square(20, 3, 1, 1))}));
    auto depthwise = model::square(20, 3, 1, 1);
    depthwise.groups = 20;
    const auto y = g.relu(g.add(model::Add{}, {x, g.relu(g.conv(x, depthwise))}));
    const auto pooled = g.maxPool(g.add(model::Concat{}, {y, x}), 3, 1, 1);
    const auto left = g.conv(pooled, model::square(4, 1)), right = g.conv(y, model::square(4, 1));
    const auto product = g.add(model::ArrayLayer{model::MatrixProduct{}}, {left, right});
    const auto z = g.add(model::BatchNorm{}, {product});
    const auto both = g.add(model::Concat{}, {g.relu(g.conv(z, model::square(5, 1))), g.relu(z)});
    g.head(g.dense(g.flatten(both), 5));
    EXPECT_LT(distanceOf(std::move(g).build().value()), 0.01);
}

class CudaEightBitWorkloads : public ::testing::TestWithParam<const char*> {};

TEST_P(CudaEightBitWorkloads, EqualTheReferenceOnTheSameGrids) {
    EXPECT_LT(distanceOf((*model::findWorkload(GetParam()))->build().value(), 2), 0.02);
}
INSTANTIATE_TEST_SUITE_P(Zoo, CudaEightBitWorkloads,
                         ::testing::Values("mnist_mlp", "mnist_cnn", "cifar10_cnn", "text_lstm", "text_generator"),
                         [](const auto& one) { return std::string(one.param); });

TEST(CudaEightBit, WeightsCanBeWrittenAgain) {
    steelyard::test::expectWeightsCanBeWrittenAgain(*gpuUnderTest(), "cuda:0");
}

std::shared_ptr<const plan::Plan> uncalibrated(const model::Graph& graph, plan::Precision precision) {
    return std::make_shared<const plan::Plan>(plan::lower(graph, {plan::Mode::Infer, 4, precision, {}}).value());
}

// One byte per weight, without a Float32 copy.
TEST(CudaEightBit, MemoryCountsBytes) {
    const auto graph = model::findWorkload("mnist_mlp").value()->build().value();
    const auto backend = gpuUnderTest();
    const auto figures = [&](plan::Precision precision) {
        return backend->compile(uncalibrated(graph, precision), {.device = "cuda:0"}).value()->memory();
    };
    const auto bytes = figures(plan::Precision::Int8), floats = figures(plan::Precision::Fp32);
    EXPECT_LT(bytes.weights.value(), 0.3 * static_cast<double>(floats.weights.value()));
    EXPECT_LT(bytes.peak.value(), 0.5 * static_cast<double>(floats.peak.value()));
}

TEST(CudaEightBit, LibrariesAreNotNeededForProducts) {
    if (test::isRealGpu()) GTEST_SKIP() << "needs a simulated device without libraries";
    const auto backend = makeCudaBackend(std::make_shared<test::SimulatedProvider>(
        Script{.whyNoMatrices = Message("no cuBLAS"), .whyNoNetworks = Message("no cuDNN")}));
    const auto plan = uncalibrated(steelyard::test::everyKindInBytes(8), plan::Precision::Int8);
    EXPECT_TRUE(supportsPlan(*backend, *plan));
    EXPECT_TRUE(backend->compile(plan, {.device = "cuda:0"}));
}

TEST(CudaEightBit, WhatIsMissingIsSaid) {
    model::GraphBuilder g("no_product");
    g.head(g.flatten(g.maxPool(g.input({3, 4, 4}), 2, 2)));
    const auto nothing = uncalibrated(std::move(g).build().value(), plan::Precision::Int8);
    const auto able = supportsPlan(*gpuUnderTest(), *nothing);
    ASSERT_FALSE(able);
    EXPECT_EQ(able.error().kind, ErrorKind::Unsupported);
    if (test::isRealGpu()) return;
    const auto old = makeCudaBackend(std::make_shared<test::SimulatedProvider>(
        Script{.devices = {{"Simulated V100", std::int64_t{1} << 30, 7, 0, 80}}}));
    const auto plan = uncalibrated(steelyard::test::everyKindInBytes(8), plan::Precision::Int8);
    const auto refused = supportsPlan(*old, *plan);
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("int8 requires compute capability 7.5"));
    const auto compiled = old->compile(plan, {.device = "cuda:0"});
    ASSERT_FALSE(compiled);
    EXPECT_THAT(describe(compiled.error()), HasSubstr("this device has 7.0"));
}

}  // namespace
}  // namespace steelyard::compute::cuda

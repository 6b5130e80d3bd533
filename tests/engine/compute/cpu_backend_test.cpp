// SPDX-License-Identifier: Apache-2.0
// The CPU backend against the reference backend: every kind of layer, and whole networks of the zoo.
#include "engine/compute/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include "engine/model/zoo/zoo.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

constexpr double kTolerance = 1e-4;  // relative to the norm, float32

// Of a whole network: a value next to zero may fall on the other side of a rectifier, or another pixel be the largest,
// and a wrong layout or a lost term is far beyond this. Batch normalisation over few values makes it worse (1.1e-2
// seen).
constexpr double kKinkTolerance = 3e-2;

class CpuLayers : public ::testing::TestWithParam<test::LayerCase> {};

TEST_P(CpuLayers, EqualTheReference) {
    const auto backend = makeCpuBackend();
    test::expectEqualsReference(*backend, GetParam(),
                                {.optimizer = {.kind = model::OptimizerKind::Momentum},
                                 .seeds = 3,
                                 .tolerance = kTolerance,
                                 .compile = {.threads = 1}});
    test::expectEqualsReference(*backend, GetParam(),
                                {.optimizer = {.kind = model::OptimizerKind::Adam},
                                 .seeds = 2,
                                 .tolerance = kTolerance,
                                 .compile = {.threads = 2}});
}

INSTANTIATE_TEST_SUITE_P(Fp32, CpuLayers, ::testing::ValuesIn(test::layerCases()), test::nameOfParam);

class CpuNetworks : public ::testing::TestWithParam<const char*> {};

TEST_P(CpuNetworks, EqualTheReference) {
    const auto workload = model::findWorkload(GetParam());
    ASSERT_TRUE(workload.has_value());
    const auto graph = (*workload)->build();
    ASSERT_TRUE(graph.has_value());
    const auto backend = makeCpuBackend();
    test::expectEqualsReference(
        *backend, *graph,
        {.optimizer = (*workload)->optimizer, .batch = 3, .tolerance = kKinkTolerance, .compile = {.threads = 2}});
}

// What the layer cases do not have: fused chains, shared memory over long lives, Winograd's algorithm, carried state.
INSTANTIATE_TEST_SUITE_P(Fp32, CpuNetworks,
                         ::testing::Values("mnist_mlp", "mnist_cnn", "fcn_r", "alexnet_r", "cifar10_cnn", "resnet56",
                                           "mobilenet_v2", "text_lstm", "text_generator", "imdb_bilstm", "lstm_ptb"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace steelyard::compute

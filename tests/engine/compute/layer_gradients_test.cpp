// SPDX-License-Identifier: Apache-2.0
// Every kind of layer: the gradients equal central differences of the loss. Random shapes and values, several per
// layer.
#include <gtest/gtest.h>

#include "tests/engine/compute/gradient_check.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute {
namespace {

class LayerGradients : public ::testing::TestWithParam<test::LayerCase> {};

TEST_P(LayerGradients, EqualCentralDifferences) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const auto graph = GetParam().graph(seed);
        const auto batch = static_cast<std::int64_t>(2 + seed % 3);
        const auto error = checkGradients(graph, {.batch = batch, .seed = seed, .step = GetParam().differenceStep});
        EXPECT_LT(error.relative, 1e-2) << "seed " << seed << ": " << error.parameter;
        EXPECT_GT(error.gradientNorm, 1e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(Reference, LayerGradients, ::testing::ValuesIn(test::layerCases()),
                         [](const auto& one) { return one.param.name; });
INSTANTIATE_TEST_SUITE_P(Decoder, LayerGradients, ::testing::ValuesIn(test::decoderLayerCases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// Chains of convolutions around a depthwise one, which inference runs for a few images at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/model/graph.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kBatch = 6;

struct Chain {
    std::string name;
    std::int64_t stride = 1;
    bool third = true, shortcut = false, normalised = true;
};
void PrintTo(const Chain& chain, std::ostream* out) {
    *out << chain.name;
}

// The expanded images take 3.2 MB each.
model::Graph network(const Chain& chain) {
    constexpr std::int64_t kChannels = 16, kExpanded = 64;
    model::GraphBuilder g("chain");
    const auto normalised = [&](model::NodeId x) { return chain.normalised ? g.add(model::BatchNorm{}, {x}) : x; };
    const auto limited = [&](model::NodeId x) { return g.activation(normalised(x), model::ActivationKind::Relu6); };
    const auto input =
        g.conv(g.input({3, 112, 112}), {.filters = kChannels, .kernel = {3, 3}, .padding = {1, 1, 1, 1}});
    auto x = limited(g.conv(input, {.filters = kExpanded, .kernel = {1, 1}, .bias = !chain.normalised}));
    x = limited(g.conv(x, {.filters = kExpanded,
                           .kernel = {3, 3},
                           .stride = {chain.stride, chain.stride},
                           .padding = {1, 1, 1, 1},
                           .groups = kExpanded,
                           .bias = !chain.normalised}));
    if (chain.third) x = normalised(g.conv(x, {.filters = kChannels, .kernel = {1, 1}, .bias = !chain.normalised}));
    if (chain.shortcut) x = g.add(model::Add{}, {x, input});
    g.head(g.dense(g.add(model::GlobalAveragePool{}, {x}), 5));
    return std::move(g).build().value();
}

class ConvolutionChainTest : public testing::TestWithParam<Chain> {
protected:
    // Candidates: 0: one operation after the other; 1, 2: parts of the batch.
    static void expectEqual(plan::Precision precision, double tolerance, std::vector<int> candidates) {
        const auto plan = plan::lower(network(GetParam()), {plan::Mode::Infer, kBatch, precision, {}}).value();
        std::size_t separate = 0;
        for (const int candidate : candidates) {
            SCOPED_TRACE(candidate);
            int chains = 0;
            ChosenKernels backend([&](KernelChoices& choices) {
                for (auto& [key, choice] : choices) {
                    if (!key.starts_with("chain ")) continue;
                    choice.index = candidate;
                    ++chains;
                }
            });
            const auto comparison = steelyard::test::compareWithReference(backend, plan, {.threads = 2});
            ASSERT_NE(comparison.largest(), nullptr);
            EXPECT_LT(comparison.largest()->relative, tolerance);
            if (chains == 0) GTEST_SKIP() << "this version of the library has other layouts for each";
            if (candidate == 0)
                separate = backend.tasksOfLast();
            else
                EXPECT_GT(backend.tasksOfLast(), separate);
        }
    }
};

TEST_P(ConvolutionChainTest, EqualsTheReferenceInFloat32) {
    expectEqual(plan::Precision::Fp32, 1e-5, {0, 1, 2});
}

TEST_P(ConvolutionChainTest, EqualsTheReferenceInBfloat16) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    expectEqual(plan::Precision::Bf16, 2e-2, {0, 1});
}

// Chains that start at the convolutions of a plan after fusion.
std::vector<std::size_t> chainsOf(const model::Graph& graph, plan::Mode mode) {
    const auto fused = fuse(plan::lower(graph, {mode, 2, plan::Precision::Fp32, {}}).value(), {});
    std::vector<std::size_t> chains;
    for (std::size_t i = 0; i < fused.plan.operations.size(); ++i)
        if (fused.plan.operations[i].kind == plan::OperationKind::Convolution &&
            fused.plan.operations[i].pass == plan::Pass::Forward)
            chains.push_back(fused.fusion[i].chain);
    return chains;
}

TEST(ConvolutionChains, AreMarkedForInference) {
    using ::testing::ElementsAre;
    EXPECT_THAT(chainsOf(network({"three", 1, true, false}), plan::Mode::Infer), ElementsAre(0, 3, 0));
    EXPECT_THAT(chainsOf(network({"shortcut", 1, true, true}), plan::Mode::Infer), ElementsAre(0, 3, 0));
    EXPECT_THAT(chainsOf(network({"two", 1, false, false}), plan::Mode::Infer), ElementsAre(0, 2));
    EXPECT_THAT(chainsOf(network({"training", 1, true, false}), plan::Mode::Train), ElementsAre(0, 0, 0));
}

// The results in between must not be read by anything else.
TEST(ConvolutionChains, EndAtAResultThatIsReadTwice) {
    const auto chains = [](int readTwice) {
        model::GraphBuilder g("forked");
        const auto first = g.conv(g.input({4, 8, 8}), {.filters = 4, .kernel = {1, 1}});
        const auto second = g.conv(first, {.filters = 4, .kernel = {3, 3}, .padding = {1, 1, 1, 1}, .groups = 4});
        const auto third = g.conv(second, {.filters = 4, .kernel = {1, 1}});
        const auto tanh = g.activation(third, model::ActivationKind::Tanh);
        const auto other = readTwice == 0 ? third : readTwice == 1 ? first : second;
        const auto both = g.activation(g.add(model::Add{}, {tanh, other}), model::ActivationKind::Tanh);
        g.head(g.dense(g.add(model::GlobalAveragePool{}, {both}), 5));
        return chainsOf(std::move(g).build().value(), plan::Mode::Infer);
    };
    using ::testing::ElementsAre;
    EXPECT_THAT(chains(0), ElementsAre(3, 0));
    EXPECT_THAT(chains(1), ElementsAre(0, 0));
    EXPECT_THAT(chains(2), ElementsAre(2, 0));
}

INSTANTIATE_TEST_SUITE_P(Chains, ConvolutionChainTest,
                         testing::Values(Chain{"strided", 2}, Chain{"biased", 1, false, false, false},
                                         Chain{"shortcut", 1, true, true}),
                         steelyard::test::nameOfParam);

}  // namespace
}  // namespace steelyard::compute::cpu

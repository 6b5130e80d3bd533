// SPDX-License-Identifier: Apache-2.0
// Losses, dropout, clipping and the optimisers' updates, compared with formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "engine/core/random.h"
#include "tests/engine/compute/tiny_network.h"

namespace steelyard::compute {
namespace {

using Values = std::vector<float>;
using model::OptimizerKind;

// x (two features, all one) -> dense without bias -> loss.
TinyNetwork classifier(const model::Optimizer& optimizer, std::int64_t batch = 1) {
    model::GraphBuilder g("classifier");
    g.head(g.add(model::Dense{2, false}, {g.input({2})}, "dense"));
    TinyNetwork network(std::move(g), {plan::Mode::Train, batch, plan::Precision::Fp32, optimizer});
    network.write("input_1", Values(static_cast<std::size_t>(2 * batch), 1.0F));
    return network;
}

TEST(Losses, SoftmaxCrossEntropyAndItsGradient) {
    auto network = classifier({.learningRate = 0});
    network.write("dense.weight", {0, 0, std::log(3.0F), 0});  // logits 0 and ln 3
    network.writeIntegers("head.labels", {0});
    EXPECT_NEAR(network.step().loss.value(), std::log(4.0), 1e-6);
    EXPECT_THAT(network.read("dense.weight.gradient"),
                ::testing::Pointwise(::testing::FloatNear(1e-6F), {-0.75F, -0.75F, 0.75F, 0.75F}));
    network.writeIntegers("head.labels", {1});
    EXPECT_NEAR(network.step().loss.value(), std::log(4.0 / 3), 1e-6);
}

TEST(Losses, AreAveragedOverTheBatch) {
    auto network = classifier({.learningRate = 0}, 2);
    network.write("dense.weight", {0, 0, std::log(3.0F), 0});
    network.writeIntegers("head.labels", {0, 1});
    EXPECT_NEAR(network.step().loss.value(), (std::log(4.0) + std::log(4.0 / 3)) / 2, 1e-6);
    // (-0.75 + 0.25) / 2 for class 0
    EXPECT_THAT(network.read("dense.weight.gradient"),
                ::testing::Pointwise(::testing::FloatNear(1e-6F), {-0.25F, -0.25F, 0.25F, 0.25F}));
}

TEST(Losses, OfASequenceAreAveragedOverItsStepsToo) {
    model::GraphBuilder g("sequence");
    g.head(g.add(model::Dense{2, false}, {g.input({3, 1})}, "dense"));
    TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Fp32, {}});
    network.write("dense.weight", {0, std::log(3.0F)});
    network.write("input_1", {1, 1, 0});
    network.writeIntegers("head.labels", {0, 1, 1});
    EXPECT_NEAR(network.step().loss.value(), (std::log(4.0) + std::log(4.0 / 3) + std::log(2.0)) / 3, 1e-6);
}

TEST(Losses, SigmoidCrossEntropyAndHeadWeights) {
    model::GraphBuilder g("two");
    const auto x = g.input({1});
    const auto a = g.add(model::Dense{1, false}, {x}, "a");
    const auto b = g.add(model::Dense{1, false}, {x}, "b");
    g.head(a, model::LossKind::SigmoidCrossEntropy);
    g.head(b, model::LossKind::SigmoidCrossEntropy, 0.2);
    TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Fp32, {.learningRate = 0}});
    network.write("input_1", {1});
    network.write("a.weight", {std::log(3.0F)});
    network.write("b.weight", {std::log(3.0F)});
    network.writeIntegers("head_1.labels", {1});
    network.writeIntegers("head_2.labels", {0});
    EXPECT_NEAR(network.step().loss.value(), std::log(4.0 / 3) + 0.2 * std::log(4.0), 1e-6);
    EXPECT_FLOAT_EQ(network.read("head_2.loss")[0], static_cast<float>(std::log(4.0)));
    EXPECT_NEAR(network.read("a.weight.gradient")[0], -0.25F, 1e-6F);
    EXPECT_NEAR(network.read("b.weight.gradient")[0], 0.15F, 1e-6F);
    // No overflow for large values.
    network.write("a.weight", {-200});
    network.write("b.weight", {200});
    EXPECT_NEAR(network.step().loss.value(), 240, 1e-3);
}

// ---- dropout ----

Values masked(double rate, std::uint64_t seed, std::int64_t step) {
    constexpr std::int64_t kCount = 20'000;
    model::GraphBuilder g("dropout");
    const auto x = g.add(model::Dropout{rate}, {g.add(model::LayerNorm{}, {g.input({kCount})})}, "dropout");
    g.head(x);
    TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Fp32, {}}, {.seed = seed});
    network.write("layer_norm_1.scale", Values(kCount, 0.0F));
    network.write("layer_norm_1.offset", Values(kCount, 1.0F));
    network.write("input_1", Values(kCount, 1.0F));
    network.step({.index = step});
    return network.read("dropout");
}

TEST(Dropout, KeepsTheRightShareAndScalesIt) {
    for (const double rate : {0.2, 0.5}) {
        const auto values = masked(rate, 1, 0);
        double sum = 0;
        std::int64_t dropped = 0;
        for (auto value : values) {
            dropped += value == 0;
            sum += static_cast<double>(value);
            EXPECT_TRUE(value == 0 || std::abs(static_cast<double>(value) - 1 / (1 - rate)) < 1e-6);
        }
        const auto count = static_cast<double>(values.size());
        const double deviation = std::sqrt(rate * (1 - rate) / count);
        EXPECT_NEAR(static_cast<double>(dropped) / count, rate, 5 * deviation);
        EXPECT_NEAR(sum / count, 1, 5 * deviation / (1 - rate));
    }
}

TEST(Dropout, IsAFunctionOfSeedAndStep) {
    const auto first = masked(0.5, 1, 0);
    EXPECT_EQ(first, masked(0.5, 1, 0));
    EXPECT_NE(first, masked(0.5, 1, 1));
    EXPECT_NE(first, masked(0.5, 2, 0));
    const RandomStream stream(dropoutSeed(1, 0), 2);  // the layer is node 2
    for (std::uint32_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i] != 0, stream.uniform(i) >= 0.5F) << i;
}

// ---- optimisers ----

struct Scalar {
    double p = 0, s1 = 0, s2 = 0;
};
using Rule = std::function<void(Scalar&, double g, double rate, int t)>;

// Three steps: applying the rule to the gradient of the step must give the resulting weights.
void expectRule(const model::Optimizer& optimizer, const Rule& rule) {
    auto network = classifier(optimizer);
    network.write("dense.weight", {0.3F, -0.2F, 0.1F, 0.4F});
    const int states = model::stateTensors(optimizer.kind);
    std::vector<Scalar> expected;
    for (auto p : network.read("dense.weight")) expected.push_back({static_cast<double>(p)});
    for (int t = 1; t <= 3; ++t) {
        network.writeIntegers("head.labels", {t % 2});
        network.step({.index = t - 1});
        const auto gradient = network.read("dense.weight.gradient");
        const auto weight = network.read("dense.weight");
        const double rate = optimizer.learningRate / (1 + optimizer.decay * (t - 1));
        for (std::size_t i = 0; i < weight.size(); ++i) {
            EXPECT_NE(gradient[i], 0);
            rule(expected[i], static_cast<double>(gradient[i]), rate, t);
            EXPECT_NEAR(static_cast<double>(weight[i]), expected[i].p, 2e-7) << "step " << t;
            for (int k = 0; k < states; ++k) {
                const auto state = network.read("dense.weight.state_" + std::to_string(k + 1));
                EXPECT_NEAR(static_cast<double>(state[i]), k == 0 ? expected[i].s1 : expected[i].s2, 1e-7);
            }
        }
    }
}

TEST(Optimizers, Sgd) {
    expectRule({.kind = OptimizerKind::Sgd, .learningRate = 0.5, .decay = 0.1, .weightDecay = 0.01},
               [](Scalar& s, double g, double rate, int) { s.p = s.p - rate * (g + 0.01 * s.p); });
}

TEST(Optimizers, Momentum) {
    expectRule({.kind = OptimizerKind::Momentum, .learningRate = 0.5, .momentum = 0.9, .weightDecay = 0.01},
               [](Scalar& s, double g, double rate, int) {
                   s.s1 = 0.9 * s.s1 + g + 0.01 * s.p;
                   s.p = s.p - rate * s.s1;
               });
}

TEST(Optimizers, RmsProp) {
    expectRule({.kind = OptimizerKind::RmsProp, .learningRate = 0.01, .rho = 0.8, .epsilon = 1e-3, .weightDecay = 9},
               [](Scalar& s, double g, double rate, int) {
                   s.s1 = 0.8 * s.s1 + 0.2 * g * g;
                   s.p = s.p - rate * g / (std::sqrt(s.s1) + 1e-3);
               });
}

TEST(Optimizers, Adadelta) {
    expectRule({.kind = OptimizerKind::Adadelta, .learningRate = 1, .rho = 0.95, .epsilon = 1e-6},
               [](Scalar& s, double g, double rate, int) {
                   s.s1 = 0.95 * s.s1 + 0.05 * g * g;
                   const double u = g * std::sqrt(s.s2 + 1e-6) / std::sqrt(s.s1 + 1e-6);
                   s.p = s.p - rate * u;
                   s.s2 = 0.95 * s.s2 + 0.05 * u * u;
               });
}

TEST(Optimizers, Adam) {
    expectRule({.kind = OptimizerKind::Adam, .learningRate = 0.01, .decay = 0.5},
               [](Scalar& s, double g, double rate, int t) {
                   s.s1 = 0.9 * s.s1 + 0.1 * g;
                   s.s2 = 0.999 * s.s2 + 0.001 * g * g;
                   const double corrected = rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
                   s.p = s.p - corrected * s.s1 / (std::sqrt(s.s2) + 1e-8);
               });
}

TEST(Optimizers, AdamsFirstStepIsTheLearningRate) {
    auto network = classifier({.kind = OptimizerKind::Adam, .learningRate = 0.125});
    network.write("dense.weight", {0, 0, 0, 0});
    network.writeIntegers("head.labels", {0});
    network.step();
    EXPECT_THAT(network.read("dense.weight"),
                ::testing::Pointwise(::testing::FloatNear(1e-6F), {0.125F, 0.125F, -0.125F, -0.125F}));
}

TEST(Optimizers, TheScaleOfTheStepMultipliesTheLearningRate) {
    auto network = classifier({.learningRate = 0.5});
    network.write("dense.weight", {0, 0, 0, 0});
    network.writeIntegers("head.labels", {0});
    network.step({.index = 0, .learningRateScale = 0.25});
    EXPECT_FLOAT_EQ(network.read("dense.weight")[0], 0.5F * 0.25F * 0.5F);  // the gradient is -0.5
}

TEST(Clipping, ScalesAllGradientsByTheirJointNorm) {
    const auto gradients = [](std::optional<double> limit) {
        model::GraphBuilder g("clip");
        g.head(g.add(model::Dense{2, true}, {g.input({1})}, "dense"));
        TinyNetwork network(std::move(g),
                            {plan::Mode::Train, 1, plan::Precision::Fp32, {.learningRate = 1, .clipNorm = limit}});
        network.write("input_1", {2});
        network.write("dense.weight", {0, 0});
        network.writeIntegers("head.labels", {0});
        network.step();
        auto all = network.read("dense.weight.gradient");
        const auto bias = network.read("dense.bias.gradient");
        all.insert(all.end(), bias.begin(), bias.end());
        EXPECT_FLOAT_EQ(network.read("dense.bias")[0], -bias[0]);  // the update used it
        return all;
    };
    // Gradients -1, 1 and -0.5, 0.5: their norm is sqrt(2.5).
    const auto scaled = static_cast<float>(1 / std::sqrt(2.5));
    EXPECT_THAT(gradients(std::nullopt), ::testing::ElementsAre(-1, 1, -0.5, 0.5));
    EXPECT_THAT(gradients(2), ::testing::ElementsAre(-1, 1, -0.5, 0.5));
    EXPECT_THAT(gradients(1),
                ::testing::Pointwise(::testing::FloatNear(1e-6F), {-scaled, scaled, -scaled / 2, scaled / 2}));
}

TEST(Accumulation, TiedWeightsGetTheSumOfBothGradients) {
    const auto gradient = [](bool tied) {
        model::GraphBuilder g("tied");
        const auto rows = g.add(model::Embedding{3, 2, false}, {g.ids(2, 3)}, "rows");
        g.head(tied ? g.tiedDense(rows, rows) : g.add(model::Dense{3, false}, {rows}, "out"));
        TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Fp32, {.learningRate = 0}});
        const Values table{0.1F, -0.4F, 0.3F, 0.2F, -0.5F, 0.6F};
        network.write("rows.table", table);
        if (!tied) network.write("out.weight", table);
        network.writeIntegers("input_1", {2, 1});
        network.writeIntegers("head.labels", {0, 1});
        network.step();
        auto result = network.read("rows.table.gradient");
        if (tied) return result;
        const auto other = network.read("out.weight.gradient");
        for (std::size_t i = 0; i < result.size(); ++i) result[i] += other[i];
        return result;
    };
    EXPECT_THAT(gradient(true), ::testing::Pointwise(::testing::FloatNear(1e-7F), gradient(false)));
}

TEST(SparseUpdate, LeavesRowsAloneThatDoNotOccur) {
    for (const bool sparse : {false, true}) {
        model::GraphBuilder g("sparse");
        const auto rows = g.add(model::Embedding{3, 1, sparse}, {g.ids(1, 3)}, "rows");
        g.head(g.add(model::Dense{2, false}, {g.flatten(rows)}, "dense"));
        TinyNetwork network(
            std::move(g),
            {plan::Mode::Train, 1, plan::Precision::Fp32, {.kind = OptimizerKind::Adam, .learningRate = 0.1}});
        network.write("rows.table", {1, 1, 1});
        network.write("dense.weight", {1, -1});
        network.writeIntegers("input_1", {0});
        network.step({.index = 0});
        const auto once = network.read("rows.table");
        EXPECT_NE(once[0], 1);
        EXPECT_EQ(once[1], 1);
        network.writeIntegers("input_1", {2});
        network.step({.index = 1});
        const auto twice = network.read("rows.table");
        EXPECT_EQ(twice[0] == once[0], sparse);  // dense Adam continues to move it
        EXPECT_EQ(twice[1], 1);
        EXPECT_NE(twice[2], 1);
    }
}

}  // namespace
}  // namespace steelyard::compute

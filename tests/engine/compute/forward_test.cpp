// SPDX-License-Identifier: Apache-2.0
// The forward pass of each layer, compared with manually calculated values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/random.h"
#include "tests/engine/compute/tiny_network.h"

namespace steelyard::compute {
namespace {

using ::testing::Pointwise;
using Values = std::vector<float>;

MATCHER_P(Near, tolerance, "") {
    return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= tolerance;
}
auto equals(const Values& values) {
    return Pointwise(Near(1e-5F), values);
}

Values range(int count, float first = 1) {
    Values values;
    for (int i = 0; i < count; ++i) values.push_back(first + static_cast<float>(i));
    return values;
}

model::Pool2d pool(model::PoolKind kind, std::int64_t kernel, std::int64_t stride) {
    return {kind, {kernel, kernel}, {stride, stride}, {}, false, false};
}

TEST(Forward, Dense) {
    const OneLayer one{model::Dense{3, true}, {2}, {{"weight", {1, -1, 2, 0.5F, 0, 3}}, {"bias", {0.5F, 0, -1}}}};
    EXPECT_THAT(outputOf(one, {1, 2, 0, -1}), equals({-0.5F, 3, 5, 1.5F, -0.5F, -4}));
}

TEST(Forward, ConvolutionIsACrossCorrelation) {
    const OneLayer one{model::square(1, 2), {1, 3, 3}, {{"weight", {1, 2, 3, 4}}, {"bias", {10}}}};
    // 1 + 4 + 12 + 20 + 10, and so on.
    EXPECT_THAT(outputOf(one, range(9)), equals({47, 57, 77, 87}));
}

TEST(Forward, ConvolutionPadsEachSideByItself) {
    model::Conv2d conv{1, {2, 2}, {2, 1}, {1, 0, 0, 1}, 1, false};  // top 1, right 1
    const OneLayer one{conv, {1, 3, 3}, {{"weight", {1, 2, 3, 4}}}};
    EXPECT_THAT(outputOf(one, range(9)), equals({11, 18, 9, 67, 77, 33}));
}

TEST(Forward, ConvolutionSumsOverTheChannelsOfItsGroup) {
    model::Conv2d conv = model::square(2, 1);
    conv.bias = false;
    EXPECT_THAT(outputOf({conv, {2, 1, 2}, {{"weight", {1, 10, -1, 2}}}}, {1, 2, 3, 4}), equals({31, 42, 5, 6}));
    conv.groups = 2;
    EXPECT_THAT(outputOf({conv, {2, 1, 2}, {{"weight", {2, 3}}}}, {1, 2, 3, 4}), equals({2, 4, 9, 12}));
    conv.filters = 4;
    EXPECT_THAT(outputOf({conv, {2, 1, 2}, {{"weight", {2, 3, 4, 5}}}}, {1, 2, 3, 4}),
                equals({2, 4, 3, 6, 12, 16, 15, 20}));
}

TEST(Forward, MaxPool) {
    EXPECT_THAT(outputOf({pool(model::PoolKind::Max, 2, 2), {1, 2, 4}, {}}, {1, 5, 2, 0, -1, 3, 7, 2}), equals({5, 7}));
    auto padded = pool(model::PoolKind::Max, 2, 2);
    padded.padding = {1, 1, 0, 0};  // padding does not take part, rather than being zero
    EXPECT_THAT(outputOf({padded, {1, 1, 3}, {}}, {-1, -2, -3}), equals({-1, -2}));
    auto up = pool(model::PoolKind::Max, 2, 2);
    up.roundUp = true;
    EXPECT_THAT(outputOf({up, {1, 2, 3}, {}}, {1, 2, 3, 4, 5, 6}), equals({5, 6}));
}

TEST(Forward, AveragePoolCountsPaddingWhenAsked) {
    auto average = pool(model::PoolKind::Average, 2, 2);
    average.padding = {1, 1, 0, 0};
    EXPECT_THAT(outputOf({average, {1, 1, 3}, {}}, {4, 6, 8}), equals({4, 7}));
    average.countPadding = true;
    EXPECT_THAT(outputOf({average, {1, 1, 3}, {}}, {4, 6, 8}), equals({1, 3.5F}));
}

TEST(Forward, GlobalAveragePoolOfImagesAndOfTokens) {
    EXPECT_THAT(outputOf({model::GlobalAveragePool{}, {2, 1, 2}, {}}, {1, 3, 5, 8}), equals({2, 6.5F}));
    EXPECT_THAT(outputOf({model::GlobalAveragePool{}, {2, 2}, {}}, {1, 3, 5, 8}), equals({3, 5.5F}));
}

Values activated(model::ActivationKind kind, const Values& values) {
    return outputOf({model::Activation{kind}, {static_cast<std::int64_t>(values.size())}, {}}, values);
}

TEST(Forward, Activations) {
    using K = model::ActivationKind;
    EXPECT_THAT(activated(K::Relu, {-1, 0, 2}), equals({0, 0, 2}));
    EXPECT_THAT(activated(K::Relu6, {-1, 5, 7}), equals({0, 5, 6}));
    EXPECT_THAT(activated(K::Sigmoid, {0, 1.0986123F, -1.0986123F}), equals({0.5F, 0.75F, 0.25F}));
    EXPECT_THAT(activated(K::Tanh, {0, 0.5493061F}), equals({0, 0.5F}));
    EXPECT_THAT(activated(K::Gelu, {0, 1, -1}), equals({0, 0.8413447F, -0.1586553F}));
    EXPECT_THAT(activated(K::GeluTanh, {0, 1, -1}), equals({0, 0.8411920F, -0.1588080F}));
    EXPECT_THAT(activated(K::Swish, {0, 1, -1}), equals({0, 0.7310586F, -0.2689414F}));
}

TEST(Forward, BatchNormInfersWithRunningStatistics) {
    const OneLayer one{model::BatchNorm{0, 0.1},
                       {2},
                       {{"scale", {2, 1}}, {"offset", {1, 0}}, {"running_mean", {1, 0}}, {"running_variance", {4, 1}}}};
    EXPECT_THAT(outputOf(one, {3, 5, -1, 7}), equals({3, 5, -1, 7}));
}

TEST(Forward, BatchNormTrainsWithTheBatchAndMovesTheRunningStatistics) {
    model::GraphBuilder g("norm");
    const auto x = g.add(model::BatchNorm{0, 0.25}, {g.input({1, 1, 2})}, "norm");
    g.head(g.dense(g.flatten(x), 2));
    TinyNetwork network(std::move(g), {plan::Mode::Train, 2, plan::Precision::Fp32, {}});
    network.write("input_1", {1, 3, 5, 7});  // mean 4, biased variance 5
    network.write("norm.scale", {2});
    network.write("norm.offset", {1});
    network.write("norm.running_mean", {8});
    network.write("norm.running_variance", {1});
    network.step();
    const auto root = std::sqrt(5.0F);
    EXPECT_THAT(network.read("norm"), equals({1 - 6 / root, 1 - 2 / root, 1 + 2 / root, 1 + 6 / root}));
    EXPECT_THAT(network.read("norm.running_mean"), equals({7}));
    EXPECT_THAT(network.read("norm.running_variance"), equals({2}));
}

TEST(Forward, LayerNormOverTheLastDimension) {
    const OneLayer one{model::LayerNorm{0}, {2, 2}, {{"scale", {2, 3}}, {"offset", {0, 1}}}};
    EXPECT_THAT(outputOf(one, {1, 3, 10, 4}), equals({-2, 4, 2, -2}));
}

TEST(Forward, JoinsAndShapes) {
    model::GraphBuilder g("joins");
    const auto a = g.input({1, 1, 2});
    const auto b = g.input({2, 1, 2});
    g.head(g.flatten(g.add(model::Concat{}, {a, b, a}, "concat")));
    TinyNetwork network(std::move(g), {plan::Mode::Infer, 2, plan::Precision::Fp32, {}});
    network.write("input_1", {1, 2, 3, 4});
    network.write("input_2", range(8, 10));
    network.step();
    EXPECT_THAT(network.read("concat"), equals({1, 2, 10, 11, 12, 13, 1, 2, 3, 4, 14, 15, 16, 17, 3, 4}));

    model::GraphBuilder sum("sum");
    const auto x = sum.input({2});
    const auto y = sum.input({2});
    sum.head(sum.add(model::Add{}, {x, y, y}, "sum"));
    TinyNetwork adder(std::move(sum), {plan::Mode::Infer, 1, plan::Precision::Fp32, {}});
    adder.write("input_1", {1, 2});
    adder.write("input_2", {10, 20});
    adder.step();
    EXPECT_THAT(adder.read("sum"), equals({21, 42}));
}

TEST(Forward, TokensOutOfImagesAndBack) {
    EXPECT_THAT(outputOf({model::ToTokens{}, {2, 1, 3}, {}}, range(6)), equals({1, 4, 2, 5, 3, 6}));
    EXPECT_THAT(outputOf({model::ClassToken{}, {1, 2}, {{"class_token", {8, 9}}}}, {1, 2, 3, 4}),
                equals({8, 9, 1, 2, 8, 9, 3, 4}));
    EXPECT_THAT(outputOf({model::SelectStep{-2}, {3, 2}, {}}, range(6)), equals({3, 4}));
    EXPECT_THAT(outputOf({model::SelectStep{2}, {3, 2}, {}}, range(6)), equals({5, 6}));
}

TEST(Forward, LearnedEmbeddingsAreAdded) {
    EXPECT_THAT(
        outputOf({model::PositionEmbedding{4, 1}, {2, 2}, {{"position", range(8)}}}, {10, 20, 30, 40, 0, 0, 0, 0}),
        equals({13, 24, 35, 46, 3, 4, 5, 6}));
    EXPECT_THAT(outputOf({model::TokenTypeEmbedding{2}, {2, 2}, {{"token_type", {1, 2, 100, 200}}}}, {10, 20, 30, 40}),
                equals({11, 22, 31, 42}));
}

TEST(Forward, AProductTakesItsOperandsAsTheyLieOrTransposed) {
    // A = [1 2; 3 4; 5 6], B = [1 0 2; 0 1 3]; the same numbers stored transposed give the same product.
    struct Form {
        model::Product layer;
        std::vector<float> a, b;
    };
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, aTransposed{1, 3, 5, 2, 4, 6};
    const std::vector<float> b{1, 0, 2, 0, 1, 3}, bTransposed{1, 0, 0, 1, 2, 3};
    for (const auto& form :
         {Form{{false, false}, a, b}, Form{{true, false}, aTransposed, b}, Form{{false, true}, a, bTransposed}}) {
        model::GraphBuilder g("product");
        const auto left = g.input(form.layer.transposeA ? model::Shape{2, 3} : model::Shape{3, 2});
        const auto right = g.input(form.layer.transposeB ? model::Shape{3, 2} : model::Shape{2, 3});
        g.head(g.add(form.layer, {left, right}), model::LossKind::None);
        const auto graph = std::move(g).build().value();
        const auto plan = std::make_shared<const plan::Plan>(
            plan::lower(graph, {plan::Mode::Infer, 1, plan::Precision::Fp32, {}}).value());
        EXPECT_EQ(plan->stepFlops(), 2.0 * 3 * 3 * 2);
        const auto backend = makeReferenceBackend();
        auto executable = backend->compile(plan, {.device = "reference"}).value();
        ASSERT_TRUE(executable->write(plan->inputs[0], std::span<const float>(form.a)));
        ASSERT_TRUE(executable->write(plan->inputs[1], std::span<const float>(form.b)));
        ASSERT_TRUE(executable->step({}));
        std::vector<float> c(9);
        ASSERT_TRUE(executable->read(plan->heads.front().probabilities, c));
        EXPECT_EQ(c, (std::vector<float>{1, 2, 8, 3, 4, 18, 5, 6, 28}));
        EXPECT_EQ(plan::lower(graph, {plan::Mode::Train, 1, plan::Precision::Fp32, {}}).error().subject, "mode");
    }
}

TEST(Forward, ShortcutPadTakesEveryStrideThPixel) {
    EXPECT_THAT(outputOf({model::ShortcutPad{3, 2}, {1, 3, 3}, {}}, range(9)),
                equals({0, 0, 0, 0, 1, 3, 7, 9, 0, 0, 0, 0}));
}

TEST(Forward, EmbeddingLooksRowsUp) {
    model::GraphBuilder g("lookup");
    g.head(g.add(model::Embedding{3, 2, false}, {g.ids(2, 3)}, "rows"));
    TinyNetwork network(std::move(g), {plan::Mode::Infer, 2, plan::Precision::Fp32, {}});
    network.write("rows.table", range(6));
    network.writeIntegers("input_1", {2, 0, 1, 1});
    network.step();
    EXPECT_THAT(network.read("rows"), equals({5, 6, 1, 2, 3, 4, 3, 4}));
}

TEST(Forward, SoftmaxAndSigmoidOfTheAnswer) {
    model::GraphBuilder g("answer");
    g.head(g.flatten(g.input({2})));
    TinyNetwork network(std::move(g), {plan::Mode::Infer, 2, plan::Precision::Fp32, {}});
    network.write("input_1", {1000, 1000 + std::log(3.0F), -5, -5});
    network.step();
    EXPECT_THAT(network.read("head.probabilities"), Pointwise(Near(1e-4F), {0.25F, 0.75F, 0.5F, 0.5F}));

    model::GraphBuilder s("answer");
    s.head(s.flatten(s.input({1})), model::LossKind::SigmoidCrossEntropy);
    TinyNetwork sigmoid(std::move(s), {plan::Mode::Infer, 2, plan::Precision::Fp32, {}});
    sigmoid.write("input_1", {std::log(3.0F), 0});
    sigmoid.step();
    EXPECT_THAT(sigmoid.read("head.probabilities"), equals({0.75F, 0.5F}));
}

TEST(Forward, AttentionWeighsValuesByTheirKeys) {
    // One head of width 1: Q K V side by side for two tokens. Token 1: scores 0 and ln 3; token 2: twice that.
    const float score = std::log(3.0F);
    const Values input{1, 0, 8, 2, score, 16};
    EXPECT_THAT(outputOf({model::Attention{1, false, 0}, {2, 3}, {}}, input),
                equals({0.25F * 8 + 0.75F * 16, 0.1F * 8 + 0.9F * 16}));
    EXPECT_THAT(outputOf({model::Attention{1, true, 0}, {2, 3}, {}}, input), equals({8, 0.1F * 8 + 0.9F * 16}));
}

TEST(Forward, AttentionHeadsAreSeparateAndScaledByTheirWidth) {
    // Two heads of width 4, attending to one token each: a head's output is its own V.
    Values input = range(24);
    EXPECT_THAT(outputOf({model::Attention{2, false, 0}, {1, 24}, {}}, input), equals(range(8, 17)));
    // Scores are divided by sqrt(4): Q = 2 K-difference gives exp(ln 3).
    Values two(24, 0.0F);
    two[0] = 2 * std::log(3.0F);  // Q of token 1, first feature
    two[12 + 4] = 1;              // K of token 2
    two[8] = 4;                   // V of token 1
    two[12 + 8] = 8;              // V of token 2
    EXPECT_FLOAT_EQ(outputOf({model::Attention{1, false, 0}, {2, 12}, {}}, two)[0], 0.25F * 4 + 0.75F * 8);
}

// Attention over T tokens at once, and token T with a cache of the T - 1 previous ones, give the same result.
TEST(Forward, CachedAttentionEqualsFullAttentionOnTheLastToken) {
    constexpr std::int64_t kTokens = 7, kFeatures = 12, kBatch = 2, kCached = kTokens - 1;
    const RandomStream stream(3, 0);
    Values full(kBatch * kTokens * 3 * kFeatures);
    for (std::size_t i = 0; i < full.size(); ++i) full[i] = stream.normal(static_cast<std::uint32_t>(i));
    const auto expected = outputOf({model::Attention{3, true, 0}, {kTokens, 3 * kFeatures}, {}}, full);

    Values last, keys, values;
    for (std::int64_t b = 0; b < kBatch; ++b)
        for (std::int64_t t = 0; t < kTokens; ++t) {
            const auto row = full.begin() + (b * kTokens + t) * 3 * kFeatures;
            if (t == kCached) last.insert(last.end(), row, row + 3 * kFeatures);
            if (t == kCached) continue;
            keys.insert(keys.end(), row + kFeatures, row + 2 * kFeatures);
            values.insert(values.end(), row + 2 * kFeatures, row + 3 * kFeatures);
        }
    model::GraphBuilder g("decode");
    g.head(g.add(model::Attention{3, true, kCached}, {g.input({1, 3 * kFeatures})}, "layer"));
    TinyNetwork network(std::move(g), {plan::Mode::Infer, kBatch, plan::Precision::Fp32, {}});
    network.write("input_1", last);
    network.write("layer.cached_keys", keys);
    network.write("layer.cached_values", values);
    network.step();
    const auto got = network.read("layer");
    for (std::int64_t b = 0; b < kBatch; ++b)
        for (std::int64_t f = 0; f < kFeatures; ++f)
            EXPECT_NEAR(got[static_cast<std::size_t>(b * kFeatures + f)],
                        expected[static_cast<std::size_t>((b * kTokens + kCached) * kFeatures + f)], 1e-6F);
}

}  // namespace
}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <cmath>

#include "engine/model/graph.h"

namespace steelyard::model {
namespace {

Shape shapeOf(const Layer& layer, const std::vector<Shape>& inputs) {
    auto shape = outputShape(layer, inputs);
    return shape ? *shape : Shape{};
}

TEST(ShapeRules, ConvolutionAndPooling) {
    EXPECT_EQ(shapeOf(square(96, 11, 4, 2), {{3, 224, 224}}), (Shape{96, 55, 55}));
    EXPECT_EQ(shapeOf(Pool2d{PoolKind::Max, {3, 3}, {2, 2}, {}, false, false}, {{96, 55, 55}}), (Shape{96, 27, 27}));
    EXPECT_EQ(shapeOf(Pool2d{PoolKind::Max, {3, 3}, {2, 2}, {}, true, false}, {{1, 32, 32}}), (Shape{1, 16, 16}));
    EXPECT_FALSE(outputShape(square(8, 5), {{3, 4, 4}}));
    EXPECT_FALSE(outputShape(Conv2d{8, {3, 3}, {1, 1}, {}, 2, true}, {{3, 8, 8}}));
}

TEST(ShapeRules, SamePaddingPutsTheOddPixelLast) {
    EXPECT_EQ(samePadding({3, 32, 32}, 3, 2), (Padding2d{0, 0, 1, 1}));
    EXPECT_EQ(samePadding({3, 32, 32}, 5, 1), (Padding2d{2, 2, 2, 2}));
}

TEST(ShapeRules, SequencesAndTokens) {
    EXPECT_EQ(shapeOf(Embedding{100, 16, false}, {{40}}), (Shape{40, 16}));
    EXPECT_EQ(shapeOf(Recurrent{RecurrentCell::Lstm, 64, true, false, 1.0, false}, {{100, 128}}), (Shape{128}));
    EXPECT_EQ(shapeOf(Attention{12, false, 0}, {{128, 2304}}), (Shape{128, 768}));
    EXPECT_EQ(shapeOf(ClassToken{}, {{196, 768}}), (Shape{197, 768}));
    EXPECT_EQ(shapeOf(ToTokens{}, {{768, 14, 14}}), (Shape{196, 768}));
    EXPECT_EQ(shapeOf(SelectStep{-1}, {{128, 768}}), (Shape{768}));
    EXPECT_FALSE(outputShape(SelectStep{128}, {{128, 768}}));
}

TEST(ShapeRules, JoinsRefuseWhatDoesNotMatch) {
    EXPECT_EQ(shapeOf(Concat{}, {{64, 8, 8}, {32, 8, 8}}), (Shape{96, 8, 8}));
    EXPECT_FALSE(outputShape(Concat{}, {{64, 8, 8}, {32, 8, 7}}));
    EXPECT_FALSE(outputShape(Add{}, {{64, 8, 8}, {32, 8, 8}}));
    EXPECT_EQ(shapeOf(Product{false, true}, {{5, 7}, {3, 7}}), (Shape{5, 3}));
    EXPECT_EQ(shapeOf(Product{true, false}, {{7, 5}, {7, 3}}), (Shape{5, 3}));
    EXPECT_FALSE(outputShape(Product{}, {{5, 7}, {3, 7}}));
    EXPECT_FALSE(outputShape(Product{}, {{5, 7}}));
    EXPECT_EQ(shapeOf(ShortcutPad{32, 2}, {{16, 32, 32}}), (Shape{32, 16, 16}));
}

TEST(ShapeRules, LayersOfLanguageModels) {
    const Shape queries{7, 24}, keys{7, 8};
    EXPECT_EQ(outputShape(RmsNorm{1e-5, 8}, {queries}).value(), queries);
    EXPECT_FALSE(outputShape(RmsNorm{1e-5, 5}, {queries}));
    EXPECT_EQ(parametersOf(RmsNorm{1e-5, 8}, {queries})[0].shape, (Shape{8}));
    EXPECT_EQ(parametersOf(RmsNorm{}, {queries})[0].shape, (Shape{24}));
    EXPECT_EQ(outputShape(RotaryEmbedding{.headWidth = 8, .rotated = 4}, {queries}).value(), queries);
    for (const auto& layer :
         {RotaryEmbedding{.headWidth = 7}, RotaryEmbedding{.headWidth = 8, .rotated = 10},
          RotaryEmbedding{.headWidth = 8, .rotated = 3}, RotaryEmbedding{.headWidth = 8, .theta = 0}})
        EXPECT_FALSE(outputShape(layer, {queries}));
    EXPECT_EQ(outputShape(GroupedAttention{3, 1}, {queries, keys, keys}).value(), queries);
    EXPECT_FALSE(outputShape(GroupedAttention{3, 1}, {queries, keys}));
    EXPECT_FALSE(outputShape(GroupedAttention{3, 2}, {queries, keys, keys}));
    EXPECT_FALSE(outputShape(GroupedAttention{3, 3}, {queries, keys, keys}));
    EXPECT_FALSE(outputShape(GroupedAttention{3, 1, false, 4}, {queries, keys, keys})) << "a window without a mask";
    EXPECT_EQ(outputShape(GatedActivation{}, {keys, keys}).value(), keys);
    EXPECT_FALSE(outputShape(GatedActivation{}, {keys, queries}));
    EXPECT_FALSE(outputShape(GatedActivation{ActivationKind::Relu}, {keys, keys}));
    EXPECT_FALSE(outputShape(Scale{1, -1}, {keys}));
}

TEST(RotaryFrequencies, FollowTheirScaling) {
    const auto plain = rotaryFrequencies({.headWidth = 128, .theta = 5e5});
    ASSERT_EQ(plain.size(), 64U);
    EXPECT_DOUBLE_EQ(plain[0], 1);
    EXPECT_NEAR(plain[63], std::pow(5e5, -63.0 / 64), 1e-12);
    const auto linear = rotaryFrequencies({.headWidth = 128, .theta = 5e5, .factor = 8});
    // Llama 3.1: wavelengths below 2,048 tokens are unchanged, those above 8,192 are eight times as long.
    const auto scaled = rotaryFrequencies({.headWidth = 128, .theta = 5e5, .factor = 8, .llama3Context = 8192});
    int between = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_DOUBLE_EQ(linear[i], plain[i] / 8);
        const double wavelength = 2 * std::numbers::pi / plain[i];
        if (wavelength < 2048) {
            EXPECT_DOUBLE_EQ(scaled[i], plain[i]);
        } else if (wavelength > 8192) {
            EXPECT_DOUBLE_EQ(scaled[i], plain[i] / 8);
        } else {
            ++between;
            EXPECT_LT(scaled[i], plain[i]);
            EXPECT_GT(scaled[i], plain[i] / 8);
        }
    }
    EXPECT_GT(between, 2);
}

TEST(GraphBuilder, FreezesWhatCanBeFrozen) {
    GraphBuilder g("adapted");
    g.freeze(true);
    const auto x = g.dense(g.input({4}), 3);
    g.freeze(false);
    g.head(g.add(Add{}, {x, g.dense(x, 3, false)}));
    const auto graph = std::move(g).build().value();
    EXPECT_EQ(graph.frozenParameters(), 4 * 3 + 3);
    EXPECT_EQ(graph.trainableParameters(), 9);
    EXPECT_EQ(graph.stateParameters(), 0);
    GraphBuilder norms("norms");
    norms.freeze(true);
    norms.head(norms.add(LayerNorm{}, {norms.input({4})}));
    EXPECT_EQ(std::move(norms).build().error().kind, ErrorKind::InvalidArgument);
}

TEST(GraphBuilder, KeepsTheFirstErrorAndNamesTheLayer) {
    GraphBuilder g("bad");
    g.head(g.dense(g.input({3, 8, 8}), 10));
    const auto graph = std::move(g).build();
    ASSERT_FALSE(graph);
    EXPECT_NE(graph.error().detail.text.find("layer \"dense_1\" of bad"), std::string::npos);
}

TEST(GraphBuilder, TiedWeightsAreCountedOnce) {
    GraphBuilder g("tied");
    const auto embedded = g.add(Embedding{50, 8, false}, {g.ids(4, 50)});
    g.head(g.tiedDense(embedded, embedded));
    const auto graph = std::move(g).build();
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->trainableParameters(), 400);
}

TEST(Initialize, GlorotStaysInItsRangeAndForgetBiasIsSet) {
    Parameter weight{0, "w", {"weight", {64, 32}, {InitKind::GlorotUniform, 0, 32, 64}, true}, 0};
    std::vector<float> values;
    initialize(weight, 1, values);
    const float limit = std::sqrt(6.0F / 96.0F);
    double sum = 0;
    for (float v : values) {
        EXPECT_LE(std::fabs(v), limit);
        sum += v;
    }
    EXPECT_NEAR(sum / static_cast<double>(values.size()), 0, 0.01);
    Parameter bias{1, "b", {"bias", {8}, {InitKind::LstmBias, 1.0, 1, 1}, true}, 0};
    initialize(bias, 1, values);
    EXPECT_EQ(values, (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace steelyard::model

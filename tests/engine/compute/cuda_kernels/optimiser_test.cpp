// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/kernels/optimiser/optimiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/compute/update_rule.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using Floats = std::vector<float>;

// Several parameters of odd sizes, updated together.
struct Parameters {
    std::vector<Floats> weights, gradients, states1, states2;
    std::vector<std::vector<std::uint16_t>> narrow;
    std::vector<ParameterBlock> blocks;
    std::vector<Chunk> chunks;

    explicit Parameters(std::vector<std::int64_t> counts) {
        for (std::size_t p = 0; p < counts.size(); ++p) {
            weights.push_back(normals(counts[p], 10 + p));
            gradients.push_back(normals(counts[p], 20 + p));
            states1.push_back(normals(counts[p], 30 + p, 0.1F));
            states2.push_back(normals(counts[p], 40 + p, 0.1F));
            for (auto* states : {&states1.back(), &states2.back()})
                for (auto& value : *states) value = std::abs(value);
            narrow.emplace_back(static_cast<std::size_t>(counts[p]));
        }
        for (std::size_t p = 0; p < counts.size(); ++p)
            blocks.push_back({weights[p].data(), gradients[p].data(), states1[p].data(), states2[p].data(),
                              narrow[p].data(), nullptr, 1, counts[p]});
        chunks = chunksOf(counts);
    }
    [[nodiscard]] ParameterList list() const {
        return {blocks.data(), chunks.data(), static_cast<std::int64_t>(chunks.size())};
    }
};

const std::vector<std::int64_t> kCounts{0, 1, 4, 33, kChunkElements, kChunkElements + 1, 2 * kChunkElements + 7};

model::Optimizer rule(model::OptimizerKind kind) {
    model::Optimizer optimizer;
    optimizer.kind = kind;
    optimizer.learningRate = 0.02;
    optimizer.weightDecay = 0.03;
    return optimizer;
}

TEST(Chunks, CoverEveryElementOnce) {
    std::vector<std::int64_t> seen(kCounts.size());
    for (const auto& chunk : chunksOf(kCounts)) {
        const auto p = static_cast<std::size_t>(chunk.parameter);
        EXPECT_EQ(chunk.first, seen[p]);
        seen[p] = std::min(kCounts[p], chunk.first + kChunkElements);
    }
    EXPECT_EQ(seen, kCounts);
}

TEST(Update, OfManyParametersIsTheRuleOfEach) {
    using K = model::OptimizerKind;
    for (const auto kind : {K::Sgd, K::Momentum, K::RmsProp, K::Adadelta, K::Adam}) {
        const auto optimizer = rule(kind);
        Parameters expected(kCounts), found(kCounts);
        for (std::size_t p = 0; p < kCounts.size(); ++p)
            applyUpdate(optimizer, 0.02, 4,
                        {expected.weights[p], expected.gradients[p], expected.states1[p], expected.states2[p]});
        const Placed<StepControl> control(StepControl{0, stepRate(optimizer, 0.02, 4), 0});
        ASSERT_EQ(updateParameters({}, optimizer, found.list(), control.get(), nullptr, ElementType::Bf16), kOk);
        for (std::size_t p = 0; p < kCounts.size(); ++p) {
            EXPECT_LT(difference(expected.weights[p], found.weights[p]), 1e-6) << toString(kind);
            if (model::stateTensors(kind) > 0) {
                EXPECT_LT(difference(expected.states1[p], found.states1[p]), 1e-6);
            }
            if (model::stateTensors(kind) > 1) {
                EXPECT_LT(difference(expected.states2[p], found.states2[p]), 1e-6);
            }
            for (std::size_t i = 0; i < found.narrow[p].size(); ++i)
                ASSERT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(found.narrow[p][i]) << 16),
                          rounded(ElementType::Bf16, found.weights[p][i]));
        }
    }
}

TEST(Update, OfSomeRowsLeavesTheOthers) {
    Parameters all({6 * 10});
    const auto weights = all.weights[0], states = all.states1[0];
    const std::vector<std::uint8_t> rows{0, 1, 0, 0, 1, 0};
    all.blocks[0].rows = rows.data();
    all.blocks[0].rowLength = 10;
    const Placed<StepControl> control(StepControl{0, 0.02F, 0});
    ASSERT_EQ(updateParameters({}, rule(model::OptimizerKind::Momentum), all.list(), control.get(), nullptr,
                               ElementType::F16),
              kOk);
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_EQ(all.weights[0][i] != weights[i], rows[i / 10] != 0) << i;
        EXPECT_EQ(all.states1[0][i] != states[i], rows[i / 10] != 0) << i;
    }
}

struct Clipped {
    Parameters parameters{kCounts};
    Placed<GradientFactor> placed{GradientFactor{}};
    GradientFactor& factor = *placed;
    double norm = 0;

    explicit Clipped(float limit, LossScale* scale = nullptr, std::int32_t growth = 1000) {
        Floats squares(parameters.chunks.size());
        EXPECT_EQ(gradientSquares({}, parameters.list(), squares.data()), kOk);
        EXPECT_EQ(gradientFactor({}, squares.data(), static_cast<std::int64_t>(squares.size()), limit, scale, growth,
                                 &factor),
                  kOk);
        for (const auto& gradient : parameters.gradients)
            for (auto g : gradient) norm += static_cast<double>(g) * static_cast<double>(g);
        norm = std::sqrt(norm);
    }
};

TEST(Clipping, BringsTheJointNormToTheLimit) {
    Clipped c(2.0F);
    EXPECT_NEAR(static_cast<double>(c.factor.norm), c.norm, 1e-4 * c.norm);
    EXPECT_NEAR(static_cast<double>(c.factor.factor), 2 / c.norm, 1e-5);
    ASSERT_EQ(scaleGradients({}, c.parameters.list(), &c.factor), kOk);
    double after = 0;
    for (const auto& gradient : c.parameters.gradients)
        for (auto g : gradient) after += static_cast<double>(g) * static_cast<double>(g);
    EXPECT_NEAR(std::sqrt(after), 2, 1e-4);
}

TEST(Clipping, LeavesSmallGradientsAlone) {
    EXPECT_EQ(Clipped(1e6F).factor.factor, 1.0F);
    EXPECT_EQ(Clipped(0.0F).factor.factor, 1.0F);
}

TEST(LossScaling, UnscalesBeforeItClips) {
    const Placed<LossScale> placedScale(LossScale{8, 0, 0, 0});
    auto& scale = *placedScale;
    const Clipped c(1.0F, &scale);
    EXPECT_NEAR(static_cast<double>(c.factor.norm), c.norm / 8, 1e-4 * c.norm);
    EXPECT_NEAR(static_cast<double>(c.factor.factor), 1 / c.norm, 1e-6);  // 1 / 8 * 1 / (norm / 8)
    EXPECT_EQ(scale.goodSteps, 1);
    EXPECT_EQ(scale.scale, 8.0F);
}

TEST(LossScaling, DoublesAfterGoodStepsHalvesAndSkipsAfterABadOne) {
    const Placed<LossScale> placedScale(LossScale{8, 1, 0, 0});
    auto& scale = *placedScale;
    Clipped good(0.0F, &scale, 2);
    EXPECT_EQ(scale.scale, 16.0F);
    EXPECT_EQ(scale.goodSteps, 0);
    for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        Parameters p({40});
        p.gradients[0][17] = bad;
        const auto weights = p.weights[0];
        Floats squares(1);
        const Placed<GradientFactor> placed(GradientFactor{});
        auto& factor = *placed;
        scale = {8, 1, 3, 0};
        ASSERT_EQ(gradientSquares({}, p.list(), squares.data()), kOk);
        ASSERT_EQ(gradientFactor({}, squares.data(), 1, 0, &scale, 2, &factor), kOk);
        EXPECT_EQ(factor.skip, 1);
        EXPECT_EQ(scale.scale, 4.0F);
        EXPECT_EQ(scale.skipped, 4);
        EXPECT_EQ(scale.goodSteps, 0);
        const Placed<StepControl> control(StepControl{0, 0.02F, 0});
        ASSERT_EQ(
            updateParameters({}, rule(model::OptimizerKind::Sgd), p.list(), control.get(), &factor, ElementType::F16),
            kOk);
        EXPECT_EQ(p.weights[0], weights);
    }
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels

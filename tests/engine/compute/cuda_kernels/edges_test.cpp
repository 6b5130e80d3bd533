// SPDX-License-Identifier: Apache-2.0
// Sizes beyond the networks of operations_test.cpp: long rows and many rows (teams of every size, several slices),
// packs with remainders, unaligned memory, empty input, accumulation, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/compute/backend.h"
#include "engine/compute/cuda/kernels/kernels.h"
#include "engine/core/random.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using Floats = std::vector<float>;

TEST(Packs, AddAndActivateAtEveryLengthAndAlignment) {
    for (const auto type : kTypes)
        for (const std::int64_t n : {0, 1, 7, 8, 9, 64, 1001})
            for (const std::int64_t shift : {0, 1}) {
                const auto a = rounded(type, normals(n, 1)), b = rounded(type, normals(n, 2));
                Typed ta(type, a, shift), tb(type, b, shift), y(type, n, shift);
                const void* inputs[] = {ta.data(), tb.data()};
                ASSERT_EQ(add({}, type, inputs, 2, true, y.data(), n), kOk);
                Floats expected(a.size());
                for (std::size_t i = 0; i < a.size(); ++i) expected[i] = rounded(type, std::max(0.0F, a[i] + b[i]));
                EXPECT_EQ(y.floats(), expected) << n;
            }
}

TEST(BiasActivation, BothOrdersBothWays) {
    const ChannelAxes orders[] = {{6, 16, 1}, {6, 5, 1}, {3, 4, 16}, {3, 4, 7}};
    for (const auto type : kTypes)
        for (const auto& axes : orders) {
            const auto x = rounded(type, normals(axes.elements(), 3)), dy = rounded(type, normals(axes.elements(), 4));
            const auto bias = normals(axes.channels, 5);
            Typed tx(type, x), before(type, axes.elements()), y(type, axes.elements());
            ASSERT_EQ(biasActivationForward({}, type, Activation::Tanh, axes, tx.data(), bias.data(), before.data(),
                                            y.data()),
                      kOk);
            Floats expected(x.size()), sums(bias.size()), dx(x.size()), dBias(bias.size(), 1.0F);
            const auto outputs = y.floats();
            for (std::size_t i = 0; i < x.size(); ++i) {
                const auto c = i / static_cast<std::size_t>(axes.inner) % bias.size();
                expected[i] = std::tanh(x[i] + bias[c]);
                dx[i] = rounded(type, dy[i] * (1 - outputs[i] * outputs[i]));
                sums[c] += dx[i];
            }
            EXPECT_LT(difference(expected, outputs), toleranceOf(type));
            Typed tdy(type, dy);
            std::vector<float> room(static_cast<std::size_t>(biasBackwardWorkspace(axes) / 4));
            ASSERT_EQ(biasActivationBackward({}, type, Activation::Tanh, axes, y.data(), tdy.data(), tdy.data(),
                                             dBias.data(), true, room.data()),
                      kOk);
            EXPECT_LT(difference(dx, tdy.floats()), toleranceOf(type));
            for (auto& sum : sums) sum += 1;
            EXPECT_LT(difference(sums, dBias), 1e-2);
            if (type == ElementType::F32) {
                EXPECT_LT(difference(sums, dBias), 1e-5);
            }
        }
}

TEST(SumChannels, OfManyRowsInSlices) {
    for (const ChannelAxes& axes :
         {ChannelAxes{5000, 3, 1}, ChannelAxes{7, 2, 4001}, ChannelAxes{1, 1, 1}, ChannelAxes{0, 4, 1}}) {
        const auto x = normals(axes.elements(), 6);
        Floats sums(static_cast<std::size_t>(axes.channels), 5.0F),
            room(static_cast<std::size_t>(sumChannelsWorkspace(axes) / 4 + 1));
        std::vector<double> expected(sums.size(), 5.0);
        for (std::size_t i = 0; i < x.size(); ++i)
            expected[i / static_cast<std::size_t>(axes.inner) % sums.size()] += static_cast<double>(x[i]);
        ASSERT_EQ(sumChannels({}, ElementType::F32, x.data(), axes, sums.data(), true, room.data()), kOk);
        for (std::size_t c = 0; c < sums.size(); ++c) EXPECT_NEAR(static_cast<double>(sums[c]), expected[c], 1e-3);
    }
}

TEST(SumRows, LeavesOutWhatIsBetweenThem) {
    const Floats x{1, 2, 99, 3, 4, 99, 5, 6, 99};
    Floats sums(2), room(static_cast<std::size_t>(sumChannelsWorkspace({3, 2, 1}) / 4));
    ASSERT_EQ(sumRows({}, ElementType::F32, x.data(), 3, 2, 3, sums.data(), false, room.data()), kOk);
    EXPECT_EQ(sums, (Floats{9, 12}));
}

// Large offsets: a naive sum of squares in Float32 would lose the variance.
TEST(Moments, KeepASmallSpreadAroundALargeMean) {
    const ChannelAxes axes{3000, 2, 1};
    auto x = normals(axes.elements(), 8);
    for (auto& value : x) value = 4096 + 0.5F * value;
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < x.size(); i += 2) mean += static_cast<double>(x[i]) / 3000;
    for (std::size_t i = 0; i < x.size(); i += 2) square += std::pow(static_cast<double>(x[i]) - mean, 2) / 3000;
    Floats scale{1, 1}, offset{0, 0}, savedMean(2), savedInverse(2), y(x.size()),
        room(static_cast<std::size_t>(batchNormWorkspace(axes) / 4));
    ASSERT_EQ(batchNormForward({}, ElementType::F32, axes, x.data(), {scale.data(), offset.data(), 0.0F}, 0.1F, nullptr,
                               nullptr, savedMean.data(), savedInverse.data(), nullptr, false, y.data(), room.data()),
              kOk);
    EXPECT_NEAR(static_cast<double>(savedMean[0]), mean, 1e-3);
    EXPECT_NEAR(static_cast<double>(savedInverse[0]), 1 / std::sqrt(square), 1e-3);
}

TEST(BatchNorm, AddsAResidualAndSendsItsGradientBack) {
    const ChannelAxes axes{12, 8, 1};
    const auto n = axes.elements();
    const auto x = normals(n, 1), residual = normals(n, 2), dy = normals(n, 3), scale = normals(8, 4),
               offset = normals(8, 5);
    Floats mean(8), inverse(8), y(x.size()), plain(x.size()),
        room(static_cast<std::size_t>(batchNormWorkspace(axes) / 4));
    const BatchNormParameters p{scale.data(), offset.data(), 1e-5F};
    ASSERT_EQ(batchNormForward({}, ElementType::F32, axes, x.data(), p, 0, nullptr, nullptr, mean.data(),
                               inverse.data(), nullptr, false, plain.data(), room.data()),
              kOk);
    ASSERT_EQ(batchNormForward({}, ElementType::F32, axes, x.data(), p, 0, nullptr, nullptr, mean.data(),
                               inverse.data(), residual.data(), true, y.data(), room.data()),
              kOk);
    Floats masked(dy);
    for (std::size_t i = 0; i < y.size(); ++i) {
        EXPECT_NEAR(y[i], std::max(0.0F, plain[i] + residual[i]), 1e-5F);
        if (!(y[i] > 0)) masked[i] = 0;
    }
    Floats dx(x.size()), dResidual(x.size(), 1.0F), expected(x.size()), dScale(8), dOffset(8), dScale2(8), dOffset2(8);
    BatchNormGradients g;
    g.x = x.data(), g.y = y.data(), g.dy = dy.data(), g.dx = dx.data(), g.dResidual = dResidual.data();
    g.relu = true, g.accumulateResidual = true;
    g.scale = scale.data(), g.savedMean = mean.data(), g.savedInverse = inverse.data(), g.dScale = dScale.data(),
    g.dOffset = dOffset.data();
    ASSERT_EQ(batchNormBackward({}, ElementType::F32, axes, g, room.data()), kOk);
    g.relu = false, g.dy = masked.data(), g.dx = expected.data(), g.dResidual = nullptr, g.dScale = dScale2.data(),
    g.dOffset = dOffset2.data();
    ASSERT_EQ(batchNormBackward({}, ElementType::F32, axes, g, room.data()), kOk);
    EXPECT_EQ(dx, expected);
    EXPECT_EQ(dScale, dScale2);
    EXPECT_EQ(dOffset, dOffset2);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_FLOAT_EQ(dResidual[i], 1 + masked[i]);
}

// Rows for a warp, a block, a large block; with and without packs.
TEST(Softmax, OfRowsOfEveryLength) {
    for (const std::int64_t classes : {1, 5, 1000, 1024, 3001, 8192, 8200, 26752}) {
        auto x = normals(2 * classes, 9, 10);
        x[0] = 80;
        Floats y(x.size());
        ASSERT_EQ(softmaxForward({}, ElementType::F32, x.data(), y.data(), 2, classes), kOk);
        for (std::int64_t row = 0; row < 2; ++row) {
            double sum = 0;
            for (std::int64_t c = 0; c < classes; ++c)
                sum += std::exp(static_cast<double>(x[static_cast<std::size_t>(row * classes + c)]) - 80);
            for (std::int64_t c = 0; c < classes; c += 1 + classes / 50) {
                const auto at = static_cast<std::size_t>(row * classes + c);
                EXPECT_NEAR(static_cast<double>(y[at]), std::exp(static_cast<double>(x[at]) - 80) / sum, 1e-5)
                    << classes;
            }
        }
    }
}

TEST(CrossEntropy, GivesLossProbabilitiesAndScaledGradientInOnePassAndInPlace) {
    for (const auto type : kTypes) {
        const std::int64_t rows = 3, classes = 16;
        const auto x = rounded(type, normals(rows * classes, 10, 3));
        const std::vector<std::int32_t> labels{0, 15, 7};
        Typed logits(type, x), probabilities(type, rows * classes);
        Floats losses(3);
        const Placed<LossScale> loss(LossScale{4, 0, 0, 0});
        CrossEntropy c;
        c.logits = logits.data(), c.labels = labels.data(), c.probabilities = probabilities.data(),
        c.gradient = logits.data();
        c.rowLosses = losses.data(), c.gradientScale = 0.5F, c.lossScale = loss.get(), c.rows = rows,
        c.classes = classes;
        ASSERT_EQ(softmaxCrossEntropy({}, type, c), kOk);
        const auto p = probabilities.floats(), g = logits.floats();
        Floats expected(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            double sum = 0;
            for (std::size_t k = 0; k < 16; ++k) sum += std::exp(static_cast<double>(x[i / 16 * 16 + k]));
            const double probability = std::exp(static_cast<double>(x[i])) / sum;
            const bool chosen = static_cast<std::size_t>(labels[i / 16]) == i % 16;
            EXPECT_NEAR(static_cast<double>(p[i]), probability, toleranceOf(type));
            EXPECT_NEAR(static_cast<double>(g[i]), 2 * (probability - (chosen ? 1 : 0)), 2 * toleranceOf(type));
            if (chosen) {
                EXPECT_NEAR(static_cast<double>(losses[i / 16]), -std::log(probability), 1e-4);
            }
        }
        Floats mean{0}, total{1};
        ASSERT_EQ(meanLoss({}, losses.data(), rows, mean.data(), total.data(), 2, true), kOk);
        EXPECT_NEAR(mean[0], (losses[0] + losses[1] + losses[2]) / 3, 1e-5);
        EXPECT_FLOAT_EQ(total[0], 1 + 2 * mean[0]);
    }
}

// Many long rows use smaller teams than few; narrow types use the fast exponential.
TEST(CrossEntropy, OfManyLongRows) {
    const std::int64_t rows = 260, classes = 10000;
    for (const auto type : {ElementType::F32, ElementType::Bf16}) {
        const auto x = rounded(type, normals(rows * classes, 14, 3));
        std::vector<std::int32_t> labels(static_cast<std::size_t>(rows));
        for (std::size_t r = 0; r < labels.size(); ++r) labels[r] = static_cast<std::int32_t>(r * 37 % 10000);
        Typed logits(type, x), probabilities(type, rows * classes), gradient(type, rows * classes),
            apart(type, rows * classes);
        Floats losses(labels.size());
        CrossEntropy c;
        c.logits = logits.data(), c.labels = labels.data(), c.probabilities = probabilities.data(),
        c.gradient = gradient.data();
        c.rowLosses = losses.data(), c.gradientScale = 0.5F, c.rows = rows, c.classes = classes;
        ASSERT_EQ(softmaxCrossEntropy({}, type, c), kOk);
        for (std::size_t r = 0; r < labels.size(); ++r) {
            double sum = 0;
            for (std::size_t k = 0; k < 10000; ++k) sum += std::exp(static_cast<double>(x[r * 10000 + k]));
            const double chosen = static_cast<double>(x[r * 10000 + static_cast<std::size_t>(labels[r])]);
            EXPECT_NEAR(static_cast<double>(losses[r]), std::log(sum) - chosen, 2e-5);
        }
        c.gradient = apart.data();
        ASSERT_EQ(crossEntropyBackward({}, type, c), kOk);
        EXPECT_LT(difference(gradient.floats(), apart.floats()), toleranceOf(type));
        const auto before = apart.floats();
        c.accumulate = true;
        ASSERT_EQ(crossEntropyBackward({}, type, c), kOk);
        auto twice = before;
        for (auto& value : twice) value *= 2;
        EXPECT_LT(difference(twice, apart.floats()), toleranceOf(type));
    }
}

// A network that is certain of its samples: next to the largest logit's 1, the sum of the others would be rounded away.
TEST(CrossEntropy, KnowsSmallLosses) {
    for (const float gap : {10.0F, 19.3F, 60.0F}) {
        const Floats x{3, 3 - gap, -70, 3 - gap};
        const std::vector<std::int32_t> labels{0};
        Floats losses(1);
        CrossEntropy c;
        c.logits = x.data(), c.labels = labels.data(), c.rowLosses = losses.data(), c.rows = 1, c.classes = 4;
        ASSERT_EQ(softmaxCrossEntropy({}, ElementType::F32, c), kOk);
        const double others = 2 * std::exp(-static_cast<double>(gap));
        EXPECT_NEAR(static_cast<double>(losses[0]), std::log1p(others), 1e-5 * others);
    }
}

TEST(CrossEntropy, OfASigmoidDoesNotOverflow) {
    const Floats x{200, -200, 200};
    const std::vector<std::int32_t> labels{1, 1, 0};
    Floats losses(3), p(3);
    CrossEntropy c;
    c.logits = x.data(), c.labels = labels.data(), c.probabilities = p.data(), c.rowLosses = losses.data(), c.rows = 3;
    ASSERT_EQ(sigmoidCrossEntropy({}, ElementType::F32, c), kOk);
    EXPECT_NEAR(losses[0], 0, 1e-6);
    EXPECT_NEAR(losses[1], 200, 1e-3);
    EXPECT_NEAR(losses[2], 200, 1e-3);
    EXPECT_EQ(p[0], 1);
}

TEST(Embedding, AddsManyTokensOfOneIdInAFixedOrder) {
    const std::int64_t units = 3, vocabulary = 50;
    for (const std::int64_t tokens : {0, 1, 31, 32, 33, 64, 65, 1000}) {
        std::vector<std::int32_t> ids(static_cast<std::size_t>(tokens));
        const RandomStream random(1, 2);
        for (std::size_t t = 0; t < ids.size(); ++t)  // two thirds are one id, like padding
            ids[t] = t % 3 != 0 ? 0 : static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(t), 50));
        const auto dy = normals(tokens * units, 11);
        Floats gradient(static_cast<std::size_t>(vocabulary * units), 1.0F);
        std::vector<double> expected(gradient.size(), 1.0);
        for (std::size_t t = 0; t < ids.size(); ++t)
            for (std::size_t u = 0; u < 3; ++u)
                expected[static_cast<std::size_t>(ids[t]) * 3 + u] += static_cast<double>(dy[t * 3 + u]);
        std::vector<std::uint64_t> room(static_cast<std::size_t>(embeddingWorkspace(tokens, units) / 8 + 1));
        ASSERT_EQ(embeddingBackward({}, ElementType::F32, dy.data(), ids.data(), gradient.data(), tokens, units,
                                    vocabulary, room.data()),
                  kOk);
        for (std::size_t i = 0; i < gradient.size(); ++i)
            EXPECT_NEAR(static_cast<double>(gradient[i]), expected[i], 1e-4) << tokens;
    }
}

TEST(Embedding, LooksUpByPacksAndWithout) {
    const std::vector<std::int32_t> ids{4, 0, 4, 2, 3};
    for (const auto from : kTypes)
        for (const auto to : kTypes)
            for (const std::int64_t units : {5, 16})
                for (const std::int64_t shift : {0, 1}) {
                    const auto table = rounded(from, normals(5 * units, 16));
                    Typed t(from, table, shift), y(to, 5 * units, shift);
                    ASSERT_EQ(embeddingForward({}, from, t.data(), to, ids.data(), y.data(), 5, units), kOk);
                    Floats expected;
                    for (const auto id : ids)
                        for (std::int64_t u = 0; u < units; ++u)
                            expected.push_back(rounded(to, table[static_cast<std::size_t>(id * units + u)]));
                    EXPECT_EQ(y.floats(), expected);
                }
}

TEST(Embedding, MarksAndClearsTheRowsOfABatch) {
    const std::vector<std::int32_t> ids{2, 0, 2};
    std::vector<std::uint8_t> mask(4);
    Floats gradient(8, 1.0F);
    ASSERT_EQ(markRows({}, ids.data(), 3, mask.data()), kOk);
    ASSERT_EQ(clearRows({}, ids.data(), 3, gradient.data(), 2), kOk);
    EXPECT_EQ(mask, (std::vector<std::uint8_t>{1, 0, 1, 0}));
    EXPECT_EQ(gradient, (Floats{0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(Accumulate, AddsToWhatIsThere) {
    const auto x = normals(40, 12), dy = normals(40, 13);
    for (const auto type : kTypes) {
        Typed from(type, x), flow(type, dy), plain(type, 40), twice(type, 40);
        ASSERT_EQ(activationBackward({}, type, Activation::Swish, from.data(), flow.data(), plain.data(), 40, false),
                  kOk);
        ASSERT_EQ(activationBackward({}, type, Activation::Swish, from.data(), flow.data(), twice.data(), 40, false),
                  kOk);
        ASSERT_EQ(activationBackward({}, type, Activation::Swish, from.data(), flow.data(), twice.data(), 40, true),
                  kOk);
        auto doubled = plain.floats();
        for (auto& value : doubled) value *= 2;
        EXPECT_LT(difference(doubled, twice.floats()), toleranceOf(type));
    }
    Floats means(40, 1.0F);
    ASSERT_EQ(meanBackward({}, ElementType::F32, {2, 4, 5}, x.data(), means.data(), true), kOk);
    EXPECT_FLOAT_EQ(means[5], 1 + x[0] / 4);
}

TEST(Dropout, HasOneMaskInBothOrders) {
    const std::int64_t batch = 2, channels = 3, pixels = 10;
    const Placed<StepControl> control(StepControl{dropoutSeed(7, 3), 0, 0});
    const Floats ones(static_cast<std::size_t>(batch * channels * pixels), 1.0F);
    Floats first(ones.size()), last(ones.size()), turned(ones.size());
    DropoutMask mask{control.get(), 5, 0.4, {batch, channels, 2, 5, false}};
    ASSERT_EQ(dropout({}, ElementType::F32, mask, ones.data(), first.data(), false), kOk);
    mask.layout.channelsLast = true;
    ASSERT_EQ(dropout({}, ElementType::F32, mask, ones.data(), last.data(), false), kOk);
    ASSERT_EQ(transpose({}, ElementType::F32, last.data(), turned.data(), batch, pixels, channels, false), kOk);
    EXPECT_EQ(turned, first);
    EXPECT_NE(last, first);
    const RandomStream stream(dropoutSeed(7, 3), 5);
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool kept = static_cast<double>(stream.uniform(static_cast<std::uint32_t>(i))) >= 0.4;
        EXPECT_EQ(first[i], kept ? static_cast<float>(1 / (1 - 0.4)) : 0.0F);
    }
}

TEST(MaxPool, TakesTheFirstOfEqualMaxima) {
    const PoolWindow w{{1, 1, 4, 4}, {1, 1, 2, 2}, 2, 2, 2, 2};
    const Floats x(16, 3.0F), dy{1, 2, 3, 4};
    Floats y(4), dx(16);
    std::vector<std::uint8_t> indices(4, 9);
    ASSERT_EQ(maxPoolForward({}, ElementType::F32, w, x.data(), y.data(), indices.data()), kOk);
    EXPECT_EQ(indices, (std::vector<std::uint8_t>{0, 0, 0, 0}));
    ASSERT_EQ(maxPoolBackward({}, ElementType::F32, w, dy.data(), indices.data(), dx.data(), false), kOk);
    EXPECT_EQ(dx, (Floats{1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0}));
}

TEST(Refusals, AreStatuses) {
    float one = 1;
    EXPECT_EQ(add({}, ElementType::F32, nullptr, 0, false, &one, 1), kInvalidValue);
    EXPECT_EQ(add({}, ElementType::F32, nullptr, kMostAddends + 1, false, &one, 1), kInvalidValue);
    EXPECT_EQ(softmaxForward({}, ElementType::F32, &one, &one, 1, 0), kInvalidValue);
    EXPECT_EQ(convert({}, ElementType::F32, &one, ElementType::F16, &one, -1), kInvalidValue);
    PoolWindow large{{1, 1, 20, 20}, {1, 1, 1, 1}, 20, 20};
    std::uint8_t index = 0;
    EXPECT_EQ(maxPoolForward({}, ElementType::F32, large, &one, &one, &index), kInvalidValue);
    EXPECT_EQ(dropout({}, ElementType::F32, {nullptr, 0, 1.0, {}}, &one, &one, false), kInvalidValue);
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels

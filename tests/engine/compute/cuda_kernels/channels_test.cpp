// SPDX-License-Identifier: Apache-2.0
// Per-channel kernels compared with loops in double precision: sums and batch normalisation in both orders, with and
// without packs, with many and few rows, unaligned, accumulating; biases, means, masks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/compute/backend.h"
#include "engine/compute/cuda/kernels/kernels.h"
#include "engine/core/random.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

std::size_t channelOf(const ChannelAxes& axes, std::size_t i) {
    return i / static_cast<std::size_t>(axes.inner) % static_cast<std::size_t>(axes.channels);
}

std::vector<ChannelAxes> allAxes() {
    return {{3000, 8, 1},  {700, 64, 1}, {5, 264, 1}, {50, 24, 1},  {900, 5, 1}, {1, 16, 1},
            {40, 2056, 1}, {3, 4, 64},   {7, 3, 49},  {2, 2, 4104}, {6, 5, 8}};
}

TEST(ChannelSums, OfEveryShapeTypeAndAlignment) {
    for (const auto type : kTypes)
        for (const auto& axes : allAxes())
            for (const std::int64_t shift : {0, 1}) {
                const auto x = rounded(type, normals(axes.elements(), 6));
                Typed values(type, x, shift);
                Floats sums(static_cast<std::size_t>(axes.channels), 5.0F),
                    room(static_cast<std::size_t>(sumChannelsWorkspace(axes) / 4));
                Doubles expected(sums.size(), 5.0);
                for (std::size_t i = 0; i < x.size(); ++i) expected[channelOf(axes, i)] += static_cast<double>(x[i]);
                ASSERT_EQ(sumChannels({}, type, values.data(), axes, sums.data(), true, room.data()), kOk);
                for (std::size_t c = 0; c < sums.size(); ++c)
                    ASSERT_NEAR(static_cast<double>(sums[c]), expected[c], 5e-4)
                        << axes.outer << ' ' << axes.channels << ' ' << axes.inner << " channel " << c;
            }
}

TEST(ChannelSums, OfPacksInRowsThatDoNotTouch) {
    const std::int64_t rows = 600, columns = 24;
    for (const auto type : kTypes)
        for (const std::int64_t pitch : {27, 32}) {
            const auto x = rounded(type, normals(rows * pitch, 7));
            Typed values(type, x);
            Floats sums(static_cast<std::size_t>(columns)),
                room(static_cast<std::size_t>(sumChannelsWorkspace({rows, columns, 1}) / 4));
            ASSERT_EQ(sumRows({}, type, values.data(), rows, columns, pitch, sums.data(), false, room.data()), kOk);
            for (std::int64_t c = 0; c < columns; ++c) {
                double sum = 0;
                for (std::int64_t r = 0; r < rows; ++r)
                    sum += static_cast<double>(x[static_cast<std::size_t>(r * pitch + c)]);
                ASSERT_NEAR(static_cast<double>(sums[static_cast<std::size_t>(c)]), sum, 5e-4);
            }
        }
}

// One batch normalisation with ReLU and residual, forward and backward.
class Normalised {
public:
    Normalised(ElementType type, const ChannelAxes& axes, float shiftOfMean)
        : m_type(type), m_axes(axes), m_n(axes.elements()) {
        x = normals(m_n, 1);
        for (auto& value : x) value += shiftOfMean;
        x = rounded(type, x);
        residual = rounded(type, normals(m_n, 2)), dy = rounded(type, normals(m_n, 3));
        scale = normals(axes.channels, 4), offset = normals(axes.channels, 5);
        moments();
    }

    void checkForward(std::int64_t shift) const {
        Typed tx(m_type, x, shift), tr(m_type, residual, shift), y(m_type, m_n, shift), again(m_type, m_n, shift);
        Floats savedMean(scale.size()), savedInverse(scale.size()), runningMean(scale.size(), 1.0F),
            runningVariance(scale.size(), 1.0F), room = workspace();
        const BatchNormParameters p{scale.data(), offset.data(), kEpsilon};
        ASSERT_EQ(batchNormForward({}, m_type, m_axes, tx.data(), p, 0.5F, runningMean.data(), runningVariance.data(),
                                   savedMean.data(), savedInverse.data(), tr.data(), true, y.data(), room.data()),
                  kOk);
        EXPECT_LT(difference(expectedForward(), y.floats()), toleranceOf(m_type));
        Floats means(scale.size()), variances(scale.size());
        for (std::size_t c = 0; c < scale.size(); ++c) {
            EXPECT_NEAR(static_cast<double>(savedMean[c]), mean[c], 2e-6 * (1 + std::abs(mean[c])));
            EXPECT_NEAR(static_cast<double>(savedInverse[c]) * std::sqrt(variance[c] + kEpsilon), 1, 2e-5);
            EXPECT_NEAR(static_cast<double>(runningVariance[c]), 0.5 + 0.5 * variance[c], 1e-4);
            means[c] = static_cast<float>(mean[c]), variances[c] = static_cast<float>(variance[c]);
        }
        ASSERT_EQ(batchNormApply({}, m_type, m_axes, tx.data(), p, means.data(), variances.data(), tr.data(), true,
                                 again.data()),
                  kOk);
        EXPECT_LT(difference(expectedForward(), again.floats()), toleranceOf(m_type));
    }

    void checkBackward(std::int64_t shift, bool relu) const {
        const auto outputs = rounded(m_type, expectedForward());
        Typed tx(m_type, x, shift), ty(m_type, outputs, shift), tdy(m_type, dy, shift),
            dx(m_type, Floats(x.size(), 1.0F), shift);
        Floats savedMean(scale.size()), savedInverse(scale.size()), dScale(scale.size(), 2.0F), dOffset(scale.size()),
            room = workspace();
        for (std::size_t c = 0; c < scale.size(); ++c) {
            savedMean[c] = static_cast<float>(mean[c]);
            savedInverse[c] = static_cast<float>(1 / std::sqrt(variance[c] + kEpsilon));
        }
        BatchNormGradients g;
        g.x = tx.data(), g.y = ty.data(), g.dy = tdy.data(), g.dx = dx.data();
        g.relu = relu, g.accumulate = true, g.scale = scale.data();
        g.savedMean = savedMean.data(), g.savedInverse = savedInverse.data(), g.dScale = dScale.data(),
        g.dOffset = dOffset.data();
        ASSERT_EQ(batchNormBackward({}, m_type, m_axes, g, room.data()), kOk);
        Doubles plain(scale.size()), weighted(scale.size());
        const auto flow = [&](std::size_t i) { return relu && !(outputs[i] > 0) ? 0.0 : static_cast<double>(dy[i]); };
        for (std::size_t i = 0; i < x.size(); ++i) {
            plain[channelOf(m_axes, i)] += flow(i);
            weighted[channelOf(m_axes, i)] += flow(i) * normal(i);
        }
        Floats expected(x.size());
        const auto count = static_cast<double>(m_axes.perChannel());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto c = channelOf(m_axes, i);
            const double inverse = 1 / std::sqrt(variance[c] + kEpsilon);
            expected[i] = static_cast<float>(1 + static_cast<double>(scale[c]) * inverse *
                                                     (flow(i) - plain[c] / count - normal(i) * weighted[c] / count));
        }
        EXPECT_LT(difference(expected, dx.floats()), toleranceOf(m_type));
        for (std::size_t c = 0; c < scale.size(); ++c) {
            EXPECT_NEAR(static_cast<double>(dScale[c]), weighted[c], 1e-3);
            EXPECT_NEAR(static_cast<double>(dOffset[c]), plain[c], 1e-3);
        }
    }

    Floats x, residual, dy, scale, offset;
    Doubles mean, variance;

private:
    static constexpr float kEpsilon = 1e-3F;

    void moments() {
        mean.assign(scale.size(), 0), variance.assign(scale.size(), 0);
        const auto count = static_cast<double>(m_axes.perChannel());
        for (std::size_t i = 0; i < x.size(); ++i) mean[channelOf(m_axes, i)] += static_cast<double>(x[i]) / count;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto c = channelOf(m_axes, i);
            variance[c] += std::pow(static_cast<double>(x[i]) - mean[c], 2) / count;
        }
    }
    [[nodiscard]] double normal(std::size_t i) const {
        const auto c = channelOf(m_axes, i);
        return (static_cast<double>(x[i]) - mean[c]) / std::sqrt(variance[c] + static_cast<double>(kEpsilon));
    }
    [[nodiscard]] Floats expectedForward() const {
        Floats y(x.size());
        for (std::size_t i = 0; i < y.size(); ++i) {
            const auto c = channelOf(m_axes, i);
            const double value = static_cast<double>(scale[c]) * normal(i) + static_cast<double>(offset[c]) +
                                 static_cast<double>(residual[i]);
            y[i] = static_cast<float>(std::max(0.0, value));
        }
        return y;
    }
    [[nodiscard]] Floats workspace() const { return Floats(static_cast<std::size_t>(batchNormWorkspace(m_axes) / 4)); }

    ElementType m_type;
    ChannelAxes m_axes;
    std::int64_t m_n;
};

TEST(BatchNorm, OfEveryShapeTypeAndAlignment) {
    for (const auto type : kTypes)
        for (const auto& axes : allAxes()) {
            const Normalised one(type, axes, type == ElementType::F32 ? 3.0F : 0.5F);
            for (const std::int64_t shift : {0, 1}) {
                SCOPED_TRACE(testing::Message() << axes.outer << ' ' << axes.channels << ' ' << axes.inner << " shift "
                                                << shift << " type " << static_cast<int>(type));
                one.checkForward(shift);
                one.checkBackward(shift, false);
                one.checkBackward(shift, true);
            }
        }
}

// Parameters not aligned for packs of 16 bytes.
TEST(BatchNorm, TakesUnalignedParameters) {
    const ChannelAxes axes{20, 8, 1};
    const auto x = normals(axes.elements(), 1);
    Floats values(33, 1.0F), y(x.size());
    const BatchNormParameters p{values.data() + 1, values.data() + 9, 0.0F};
    ASSERT_EQ(batchNormApply({}, ElementType::F32, axes, x.data(), p, values.data() + 17, values.data() + 25, nullptr,
                             false, y.data()),
              kOk);
    EXPECT_LT(difference(x, y), 1e-6);
}

TEST(BiasActivation, OfEveryKindByPacksOfChannels) {
    using K = Activation;
    const ChannelAxes axes{100, 24, 1};
    const auto bias = normals(axes.channels, 5);
    for (const auto kind : {K::None, K::Relu, K::Relu6, K::Sigmoid, K::Tanh, K::Gelu, K::GeluTanh, K::Swish})
        for (const auto type : kTypes) {
            const auto x = rounded(type, normals(axes.elements(), 3, 3));
            Typed tx(type, x), y(type, axes.elements()), before(type, axes.elements()), apart(type, axes.elements());
            ASSERT_EQ(biasActivationForward({}, type, kind, axes, tx.data(), bias.data(), before.data(), y.data()),
                      kOk);
            Floats sums(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) sums[i] = x[i] + bias[i % 24];
            EXPECT_LT(difference(sums, before.floats()), toleranceOf(type));
            Floats wide(x.size());
            ASSERT_EQ(activationForward({}, ElementType::F32, kind, sums.data(), wide.data(), axes.elements()), kOk);
            EXPECT_LT(difference(wide, y.floats()), toleranceOf(type)) << static_cast<int>(kind);
            ASSERT_EQ(biasActivationForward({}, type, kind, axes, tx.data(), nullptr, nullptr, apart.data()), kOk);
            ASSERT_EQ(activationForward({}, ElementType::F32, kind, x.data(), wide.data(), axes.elements()), kOk);
            EXPECT_LT(difference(wide, apart.floats()), toleranceOf(type)) << static_cast<int>(kind);
        }
}

TEST(Dropout, HasOneMaskForPacksOfChannels) {
    const std::int64_t batch = 2, channels = 16, pixels = 6;
    const Placed<StepControl> control(StepControl{dropoutSeed(7, 3), 0, 0});
    const Floats ones(static_cast<std::size_t>(batch * channels * pixels), 1.0F);
    const DropoutMask mask{control.get(), 5, 0.4, {batch, channels, 2, 3, true}};
    Typed x(ElementType::Bf16, ones), y(ElementType::Bf16, batch * channels * pixels);
    Floats wide(ones.size());
    ASSERT_EQ(dropout({}, ElementType::Bf16, mask, x.data(), y.data(), false), kOk);
    ASSERT_EQ(dropout({}, ElementType::F32, mask, ones.data(), wide.data(), false), kOk);
    const RandomStream stream(dropoutSeed(7, 3), 5);
    const auto narrow = y.floats();
    for (std::size_t i = 0; i < wide.size(); ++i) {
        const auto b = i / 96, pixel = i / 16 % 6, c = i % 16;
        const bool kept =
            static_cast<double>(stream.uniform(static_cast<std::uint32_t>((b * 16 + c) * 6 + pixel))) >= 0.4;
        EXPECT_EQ(wide[i] != 0, kept);
        EXPECT_EQ(narrow[i] != 0, kept);
    }
}

TEST(Mean, BackByPacksInBothOrders) {
    for (const auto type : kTypes)
        for (const MeanAxes& axes : {MeanAxes{3, 5, 16}, MeanAxes{3, 16, 1}, MeanAxes{3, 5, 3}, MeanAxes{3, 49, 1}}) {
            const auto dy = rounded(type, normals(axes.outer * axes.inner, 15));
            const auto n = axes.outer * axes.middle * axes.inner;
            Typed flow(type, dy), dx(type, Floats(static_cast<std::size_t>(n), 1.0F));
            ASSERT_EQ(meanBackward({}, type, axes, flow.data(), dx.data(), true), kOk);
            Floats expected(static_cast<std::size_t>(n));
            for (std::int64_t i = 0; i < n; ++i) {
                const auto from = i / (axes.middle * axes.inner) * axes.inner + i % axes.inner;
                expected[static_cast<std::size_t>(i)] =
                    1 + dy[static_cast<std::size_t>(from)] / static_cast<float>(axes.middle);
            }
            EXPECT_LT(difference(expected, dx.floats()), toleranceOf(type));
        }
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// One-dimensional convolutions by the float microkernels, compared with sums in double precision: remainders of
// filters, columns and depth, strides, dilations, groups, and padding beyond the window. Neither side may be read
// outside its elements, which NaNs around the source and a marker around the result reveal.
#include "engine/compute/cpu/operations/array/convolution_1d.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/threads.h"
#include "tests/engine/compute/random_values.h"

namespace steelyard::compute::cpu {

void PrintTo(const Convolution1d& c, std::ostream* out) {
    *out << c.batch << "x" << c.inChannels << "x" << c.in << " to " << c.outChannels << "x" << c.out << ", " << c.taps
         << " taps, stride " << c.stride << ", dilation " << c.dilation << ", " << c.before << " before, " << c.groups
         << " groups";
}

namespace {

constexpr float kOutside = -123456;
constexpr std::size_t kMargin = 80;

std::vector<float> surrounded(const std::vector<float>& values, float by) {
    std::vector<float> result(values.size() + 2 * kMargin, by);
    std::ranges::copy(values, result.begin() + kMargin);
    return result;
}

class Convolution1dTest : public ::testing::TestWithParam<Convolution1d> {
protected:
    void SetUp() override {
        if (!Convolution1d::runsHere()) GTEST_SKIP() << "needs AVX2";
        m_x = randomValues(m_c.batch * m_c.inChannels * m_c.in, 1);
        m_weights = randomValues(m_c.outChannels * m_c.depth(), 2);
        m_bias = randomValues(m_c.outChannels, 3);
    }

    // weights[filter, tap, channel], as weightsDesc() lays them out.
    [[nodiscard]] double sum(std::int64_t b, std::int64_t k, std::int64_t o, double& magnitude) const {
        const auto channels = m_c.inChannels / m_c.groups, group = k / (m_c.outChannels / m_c.groups);
        double result = 0;
        for (std::int64_t t = 0; t < m_c.taps; ++t) {
            const auto place = o * m_c.stride + t * m_c.dilation - m_c.before;
            if (place < 0 || place >= m_c.in) continue;
            for (std::int64_t channel = 0; channel < channels; ++channel) {
                const auto from = (b * m_c.inChannels + group * channels + channel) * m_c.in + place;
                const double term = static_cast<double>(m_x[static_cast<std::size_t>(from)]) *
                                    m_weights[static_cast<std::size_t>((k * m_c.taps + t) * channels + channel)];
                result += term;
                magnitude += std::abs(term);
            }
        }
        return result;
    }

    void expectRight(bool biased) {
        const ThreadScope scope(m_c.threads);
        const auto x = surrounded(m_x, NAN), weights = surrounded(m_weights, NAN), bias = surrounded(m_bias, NAN);
        const std::vector<float> nothing(static_cast<std::size_t>(m_c.batch * m_c.outChannels * m_c.out), NAN);
        auto y = surrounded(nothing, kOutside);
        constexpr std::size_t kLine = 64;
        std::vector<float> memory(static_cast<std::size_t>(m_c.scratchBytes()) / sizeof(float) + kLine, NAN);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        auto* scratch = reinterpret_cast<std::byte*>(memory.data()) + (kLine - address % kLine) % kLine;
        m_c.run(x.data() + kMargin, weights.data() + kMargin, biased ? bias.data() + kMargin : nullptr,
                y.data() + kMargin, scratch);
        for (std::size_t i = 0; i < kMargin; ++i) {
            ASSERT_EQ(y[i], kOutside);
            ASSERT_EQ(y[y.size() - 1 - i], kOutside);
        }
        std::size_t index = kMargin;
        for (std::int64_t b = 0; b < m_c.batch; ++b)
            for (std::int64_t k = 0; k < m_c.outChannels; ++k)
                for (std::int64_t o = 0; o < m_c.out; ++o) {
                    double magnitude = 1;
                    double expected = sum(b, k, o, magnitude);
                    if (biased) expected += m_bias[static_cast<std::size_t>(k)];
                    if (m_c.activation == model::ActivationKind::Relu) expected = std::max(expected, 0.0);
                    if (m_c.activation == model::ActivationKind::Gelu)
                        expected *= 0.5 * std::erfc(-expected / std::sqrt(2.0));
                    ASSERT_NEAR(y[index++], expected, 1e-6 * magnitude) << b << ", " << k << ", " << o;
                }
    }

    Convolution1d m_c = GetParam();
    std::vector<float> m_x, m_weights, m_bias;
};

TEST_P(Convolution1dTest, SumsWithAndWithoutBias) {
    expectRight(false);
    expectRight(true);
}

TEST_P(Convolution1dTest, DividesTheWorkAmongThreads) {
    for (const int threads : {2, 5}) {
        m_c.threads = threads;
        expectRight(true);
    }
}

TEST_P(Convolution1dTest, Activates) {
    m_c.threads = 2;
    for (const auto kind : {model::ActivationKind::Relu, model::ActivationKind::Gelu}) {
        m_c.activation = kind;
        expectRight(true);
    }
}

Convolution1d line(std::int64_t batch, std::int64_t groups, std::int64_t inChannels, std::int64_t outChannels,
                   std::int64_t in, std::int64_t taps, std::int64_t stride, std::int64_t dilation, std::int64_t before,
                   std::int64_t after) {
    const auto out = (in + before + after - (taps - 1) * dilation - 1) / stride + 1;
    return {.batch = batch,
            .groups = groups,
            .inChannels = inChannels,
            .outChannels = outChannels,
            .in = in,
            .out = out,
            .taps = taps,
            .stride = stride,
            .dilation = dilation,
            .before = before};
}

INSTANTIATE_TEST_SUITE_P(Shapes, Convolution1dTest,
                         ::testing::Values(line(1, 1, 1, 1, 1, 1, 1, 1, 0, 0),          // one product
                                           line(2, 1, 3, 5, 70, 3, 1, 1, 1, 1),         // padded on both sides
                                           line(1, 1, 9, 32, 128, 5, 1, 2, 4, 4),       //
                                           line(1, 1, 130, 103, 64, 3, 1, 1, 0, 0),     // depth 390, in four parts
                                           line(1, 1, 40, 200, 130, 3, 1, 7, 0, 5),     // three blocks of filters
                                           line(3, 1, 5, 13, 100, 4, 3, 2, 2, 7),       // strides
                                           line(1, 1, 64, 51, 500, 5, 5, 1, 0, 0),      //
                                           line(2, 4, 12, 28, 77, 3, 1, 1, 2, 0),       // groups
                                           line(1, 2, 16, 24, 90, 2, 2, 3, 1, 1),       //
                                           line(1, 1, 7, 19, 30, 3, 1, 100, 100, 100),  // two taps see only padding
                                           line(1, 1, 2, 17, 5, 3, 1, 1, 90, 90),       // panels of padding only
                                           line(1, 1, 4, 6, 33, 2, 40, 30, 20, 40),     // strides beyond the window
                                           line(1, 1, 200, 150, 129, 1, 1, 1, 0, 0)));  // a plain product

TEST(Convolution1d, IsForTheInstructionSetsOfItsProducts) {
    EXPECT_EQ(Convolution1d::runsHere(), kernels().f32Gemm.multiply != nullptr);
}

}  // namespace
}  // namespace steelyard::compute::cpu

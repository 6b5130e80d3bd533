// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/distributions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace steelyard::bench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Gamma, DerivativesAtKnownPoints) {
    EXPECT_NEAR(digamma(1), -0.57721566490153286, 1e-12);  // Euler's constant
    EXPECT_NEAR(digamma(0.5), -0.57721566490153286 - 2 * std::numbers::ln2, 1e-12);
    EXPECT_NEAR(trigamma(1), std::numbers::pi * std::numbers::pi / 6, 1e-12);
    EXPECT_NEAR(trigamma(0.5), std::numbers::pi * std::numbers::pi / 2, 1e-12);
    EXPECT_NEAR(digamma(100), std::log(100) - 0.005 - 1.0 / 120'000, 1e-9);
    EXPECT_TRUE(std::isnan(digamma(0)));
    EXPECT_TRUE(std::isnan(trigamma(-1)));
}

TEST(Gamma, InverseUndoesTrigamma) {
    for (const double x : {1e-3, 0.1, 0.5, 1.0, 3.7, 50.0, 1e4}) EXPECT_NEAR(inverseTrigamma(trigamma(x)) / x, 1, 1e-6);
    EXPECT_TRUE(std::isnan(inverseTrigamma(0)));
}

TEST(Student, TailsAreThoseOfTheTables) {
    EXPECT_NEAR(studentQuantile(0.05, 1), 12.7062, 1e-3);
    EXPECT_NEAR(studentQuantile(0.05, 2), 4.30265, 1e-4);
    EXPECT_NEAR(studentQuantile(0.05, 4), 2.77645, 1e-4);
    EXPECT_NEAR(studentQuantile(0.01, 10), 3.16927, 1e-4);
    EXPECT_NEAR(studentQuantile(0.05, 1e9), 1.959964, 1e-5);
    EXPECT_NEAR(studentTwoSided(2, 10), 0.0733880, 1e-6);
    EXPECT_NEAR(studentTwoSided(-2, 10), 0.0733880, 1e-6);
    EXPECT_DOUBLE_EQ(studentTwoSided(0, 3), 1);
    EXPECT_DOUBLE_EQ(studentTwoSided(std::numeric_limits<double>::infinity(), 3), 0);
    // One degree is the Cauchy distribution.
    EXPECT_NEAR(studentTwoSided(1, 1), 0.5, 1e-12);
    EXPECT_TRUE(std::isnan(studentTwoSided(1, 0)));
    EXPECT_TRUE(std::isnan(studentQuantile(0, 3)));
}

TEST(BenjaminiHochberg, AdjustsAsRDoes) {
    // p.adjust(c(0.01, 0.04, 0.03, 0.005), "BH") = 0.02, 0.04, 0.04, 0.02
    EXPECT_THAT(benjaminiHochberg(std::vector{0.01, 0.04, 0.03, 0.005}),
                ElementsAre(DoubleNear(0.02, 1e-12), DoubleNear(0.04, 1e-12), DoubleNear(0.04, 1e-12),
                            DoubleNear(0.02, 1e-12)));
    EXPECT_THAT(benjaminiHochberg(std::vector{0.9}), ElementsAre(0.9));
    EXPECT_THAT(benjaminiHochberg({}), IsEmpty());
}

TEST(TwoStageBenjaminiHochberg, EstimatesHowManyAreTrue) {
    // At q / (1 + q) = 0.0476 the first four of 0.012, 0.012, 0.012, 0.015, 0.48, 0.5 are rejected: two are true.
    const std::vector pValues{0.0020, 0.0040, 0.0060, 0.0100, 0.4000, 0.5000};
    const auto adjusted = twoStageBenjaminiHochberg(pValues, 0.05);
    const auto once = benjaminiHochberg(pValues);
    for (std::size_t i = 0; i < pValues.size(); ++i) EXPECT_NEAR(adjusted[i], once[i] * 1.05 * 2 / 6, 1e-12) << i;
    EXPECT_THAT(twoStageBenjaminiHochberg(std::vector{0.9, 0.95}, 0.05),
                ElementsAre(DoubleNear(0.9975, 1e-4), DoubleNear(0.9975, 1e-4)));
    // One hypothesis is rejected at q / (1 + q); none at all is nothing.
    EXPECT_THAT(twoStageBenjaminiHochberg(std::vector{0.0477}, 0.05), ElementsAre(testing::Gt(0.05)));
    EXPECT_THAT(twoStageBenjaminiHochberg(std::vector{0.0476}, 0.05), ElementsAre(testing::Le(0.05)));
    EXPECT_THAT(twoStageBenjaminiHochberg({}, 0.05), IsEmpty());
}

}  // namespace
}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// Efficiency on several devices: limits of the model, and published rows of sources excluded from the fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/advisor/evidence/scaling_evidence.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::advisor {
namespace {

const std::filesystem::path kResources = STEELYARD_SOURCE_DIR "/resources";

ScalingJob job(int nodes) {
    ScalingJob job;
    job.stepSeconds = 0.1;
    job.gradientBytes = Bytes(100'000'000);
    job.inside = {0, 1e11};
    job.between = {0, 1e10};
    job.wanted = {nodes, nodes};
    return job;
}

TEST(ScalingModel, LosesWhatTheExchangeTakesAndMoreOnSlowerLinks) {
    const ScalingConstants constants{.exposure = 1, .reach = 0.5};
    EXPECT_EQ(predictedLoss(job(1), constants), 0) << "nothing is exchanged";
    EXPECT_NEAR(predictedLoss(job(2), constants), 0.1, 1e-12) << "10 ms beside 100 ms";
    auto slow = job(2);
    slow.between.bytesPerSecond /= 10;
    EXPECT_NEAR(predictedLoss(slow, constants), 1, 1e-12);
    const auto efficiency = predictedEfficiency(slow, constants);
    EXPECT_NEAR(efficiency.expected, 0.5, 1e-12);
    EXPECT_LT(efficiency.low, efficiency.expected);
    EXPECT_GT(efficiency.high, efficiency.expected);
    auto fromTwo = slow;
    fromTwo.base = {2, 2};
    EXPECT_EQ(predictedLoss(fromTwo, constants), 0) << "against itself";
}

// Requirement: with its source left out, four of five rows are in the band.
TEST(PublishedScaling, OfASourceThatWasLeftOutIsInsideTheBand) {
    const auto rows = loadPublishedScaling(kResources);
    ASSERT_TRUE(rows) << describe(rows.error());
    EXPECT_GE(rows->size(), 200U);
    const auto report = scalingBacktest(*rows);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->rows, rows->size());
    EXPECT_GE(report->sources.size(), 4U);
    EXPECT_GE(static_cast<double>(report->inBand), 0.8 * static_cast<double>(report->rows));
    // An unlimited band would be useless.
    const auto constants = fitScaling(*rows);
    ASSERT_TRUE(constants);
    EXPECT_LT(constants->reach, 2);
    for (const auto& row : *rows) {
        const auto band = predictedEfficiency(row.job, *constants);
        EXPECT_GT(band.low, 0);
        EXPECT_LE(band.high, 1);
    }
}

TEST(PublishedScaling, NamesTheLineThatIsWrong) {
    test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "backtest");
    std::ofstream(folder / "backtest/scaling_rows.csv") << "source,efficiency\na,0.9\n";
    const auto rows = loadPublishedScaling(folder.path());
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().kind, ErrorKind::CorruptData);
    EXPECT_THAT(rows.error().subject, ::testing::HasSubstr("scaling_rows.csv:2"));
    EXPECT_FALSE(fitScaling({})) << "no source to leave out";
}

}  // namespace
}  // namespace steelyard::advisor

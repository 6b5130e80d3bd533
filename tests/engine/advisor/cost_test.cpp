// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/cost/cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/zoo/zoo.h"

namespace steelyard::advisor {
namespace {

TEST(Cost, RoundsUpByTheBillingRule) {
    EXPECT_EQ(billedSeconds(61.2, {.granularitySeconds = 1, .minimumSeconds = 60}), 62);
    EXPECT_EQ(billedSeconds(5, {.granularitySeconds = 1, .minimumSeconds = 60}), 60);
    EXPECT_EQ(billedSeconds(3601, {.granularitySeconds = 3600}), 7200);
    EXPECT_EQ(billedSeconds(7200, {.granularitySeconds = 3600}), 7200);
    EXPECT_EQ(billedSeconds(0, {.granularitySeconds = 60}), 0);
}

TEST(Cost, AddsStartUpTransferAndRounding) {
    RentalOptions options;
    options.startUpSeconds = 100;
    options.transferBytes = 1e9;
    options.transferBytesPerSecond = 1e7;
    const auto cost = rentalCost(3400, 2.0, false, {.granularitySeconds = 3600}, options);
    EXPECT_DOUBLE_EQ(cost.totalSeconds(), 3600);
    EXPECT_DOUBLE_EQ(cost.usd, 2.0);
    EXPECT_EQ(cost.interruptions, 0);
    options.priceFactor = 0.7;
    options.egressUsd = 0.5;
    options.storageUsdPerHour = 0.1;
    EXPECT_DOUBLE_EQ(rentalCost(3400, 2.0, false, {.granularitySeconds = 3600}, options).usd, 1.4 + 0.1 + 0.5);
}

TEST(Cost, ExpectsSpotMachinesToBeTakenAway) {
    RentalOptions options;
    options.startUpSeconds = 0;
    options.interruptionsPerHour = 0.1;
    options.spotLifeHours = 24;
    options.checkpointSeconds = 1200;
    options.restartSeconds = 300;
    // 50 hours: five by chance and two by the limit of a day; each costs half a checkpoint interval and a restart.
    const auto cost = rentalCost(50 * 3600.0, 0.5, true, {}, options);
    EXPECT_DOUBLE_EQ(cost.interruptions, 7);
    EXPECT_DOUBLE_EQ(cost.interruptionSeconds, 7 * 900);
    EXPECT_DOUBLE_EQ(cost.usd, 0.5 * (50 + 7 * 0.25));
}

// A V100 at $2.14 an hour against a desktop of $2,200 that draws 450 W, used 15 % of the time at $0.12 per kWh.
TEST(Cost, BreaksEvenAfterThreeHundredDays) {
    const OwnedMachine desktop{.purchaseUsd = 2200, .years = 4, .watts = 450, .utilization = 0.15, .usdPerKwh = 0.12};
    EXPECT_NEAR(kilowattHoursPerYear(desktop), 591, 0.5);
    EXPECT_NEAR(electricityUsdPerYear(desktop), 71, 0.5);
    EXPECT_NEAR(rentedUsdUntil(2.14, 0.15, 300), 2311, 0.5);
    EXPECT_NEAR(ownedUsdUntil(desktop, 365), 2270, 1.5);  // the first year's electricity counted in full
    const auto comparison = buyOrRent(desktop, 2.14);
    ASSERT_TRUE(comparison.breakEvenDay);
    EXPECT_GT(*comparison.breakEvenDay, 290);
    EXPECT_LE(*comparison.breakEvenDay, 300);
    EXPECT_GT(rentedUsdUntil(2.14, 0.15, 300), ownedUsdUntil(desktop, 300));
    EXPECT_EQ(comparison.days.size(), comparison.ownedUsd.size());
    EXPECT_DOUBLE_EQ(comparison.ownedUsd.front(), 2200);
    EXPECT_DOUBLE_EQ(comparison.rentedUsd.front(), 0);
}

TEST(Cost, NeverBreaksEvenWhenHardlyUsed) {
    OwnedMachine desktop{.purchaseUsd = 2200, .watts = 450, .utilization = 0.01};
    EXPECT_FALSE(buyOrRent(desktop, 2.14).breakEvenDay);
    desktop.utilization = 1;
    EXPECT_LT(*buyOrRent(desktop, 2.14).breakEvenDay, 50);
    // Half as fast as the rented machine: an hour of it replaces half an hour of rent.
    EXPECT_NEAR(*buyOrRent(desktop, 2.14, 0.5).breakEvenDay, 2200 / (0.5 * 2.14 * 24 - 0.45 * 24 * 0.12), 1e-6);
}

TEST(Cost, SpreadsWearOverTheHoursThatCompute) {
    const OwnedMachine machine{.purchaseUsd = 1000,
                               .hostUsd = 500,
                               .resaleUsd = 300,
                               .years = 2,
                               .watts = 400,
                               .utilization = 0.5,
                               .usdPerKwh = 0.25};
    EXPECT_NEAR(ownedUsdPerHour(machine), 1200 / 8760.0 + 0.1, 1e-12);
}

// A TPU at $8.00 an hour against a P100 at $1.46.
TEST(Cost, FasterPaysOffWhenItsSpeedExceedsItsPrice) {
    const double price = 8.00 / 1.46;
    EXPECT_NEAR(price, 5.48, 0.005);
    EXPECT_EQ(worthOfUpgrade(3.5, price), Worth::OnlyIfTimeComesFirst);
    EXPECT_EQ(worthOfUpgrade(7, price), Worth::Pays);
    EXPECT_EQ(worthOfUpgrade(0.9, 2), Worth::Never);
}

// FCN-R on four devices exchanging gradients over one PCIe link of 8 GB/s: about 26 ms in a step of about 100 ms.
TEST(Exchange, TakesAQuarterOfTheStepOfAWideNetwork) {
    const double gradients = 14'205'962 * 4.0;
    const double seconds = exchangeSeconds(gradients, 4, 8e9, ExchangePath::Central);
    EXPECT_NEAR(seconds, 0.026, 0.003);
    EXPECT_GT(seconds / 0.1, 0.25);  // scales badly
    EXPECT_DOUBLE_EQ(exchangeSeconds(gradients, 4, 8e9, ExchangePath::Ring), gradients * 1.5 / 8e9);
    EXPECT_EQ(exchangeSeconds(gradients, 1, 8e9, ExchangePath::Ring), 0);
}

// Seconds of a step on one and on four K40m with the total batch constant (FCN-5, batch 8192): Caffe, CNTK, TensorFlow,
// Torch.
TEST(Exchange, HasThePublishedEfficiencies) {
    const double one[] = {0.221, 0.236, 0.240, 0.229}, four[] = {0.085, 0.072, 0.087, 0.121},
                 known[] = {0.65, 0.82, 0.69, 0.47};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(parallelEfficiency(one[i], four[i], 4), known[i], 0.0051);
}

}  // namespace
}  // namespace steelyard::advisor

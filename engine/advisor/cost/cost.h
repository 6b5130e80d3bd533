// SPDX-License-Identifier: Apache-2.0
// The cost of a job on rented or owned hardware. Pure functions; US dollars and seconds.
#pragma once

#include <optional>
#include <vector>

#include "engine/advisor/predict/predictor.h"
#include "engine/catalog/offer.h"

namespace steelyard::advisor {

struct RentalOptions {
    double startUpSeconds = 120;           // until the job starts: provisioning, driver, software
    double transferBytes = 0;              // data set upload
    double transferBytesPerSecond = 50e6;  // lower on a home or office line, higher from storage of the same cloud
    double priceFactor = 1;                // discount: 0.8 is 20 % off
    double storageUsdPerHour = 0;
    double egressUsd = 0;
    // Spot: interruption rate, maximum lifetime, checkpoint interval of the job, and the time of a restart.
    double interruptionsPerHour = 0.05;
    std::optional<double> spotLifeHours;
    double checkpointSeconds = 1800;
    double restartSeconds = 300;
};

struct RentalCost {
    double jobSeconds = 0;           // the job itself
    double overheadSeconds = 0;      // start-up and transfer
    double interruptions = 0;        // expected
    double interruptionSeconds = 0;  // repeated work and restarts
    double billedSeconds = 0;
    double usd = 0;
    [[nodiscard]] double totalSeconds() const { return jobSeconds + overheadSeconds + interruptionSeconds; }
};

// Rounded up according to the billing rule.
[[nodiscard]] double billedSeconds(double seconds, const catalog::Billing& billing);
[[nodiscard]] RentalCost rentalCost(double jobSeconds, double usdPerHour, bool spot, const catalog::Billing& billing,
                                    const RentalOptions& options);

struct OwnedMachine {
    double purchaseUsd = 0;
    double hostUsd = 0;    // share of case, power supply and processor
    double resaleUsd = 0;  // after `years`
    double years = 4;
    double watts = 0;
    double utilization = 0.15;  // fraction of time spent computing
    double usdPerKwh = 0.12;
};
[[nodiscard]] double kilowattHoursPerYear(const OwnedMachine& machine);
[[nodiscard]] double electricityUsdPerYear(const OwnedMachine& machine);
// Per hour of computing: depreciation spread over the hours in use, and electricity.
[[nodiscard]] double ownedUsdPerHour(const OwnedMachine& machine);

// Cumulative cost up to a day: owned is the purchase price plus electricity; rented is charged only for hours in use.
[[nodiscard]] double ownedUsdUntil(const OwnedMachine& machine, double days);
[[nodiscard]] double rentedUsdUntil(double usdPerHour, double utilization, double days);

struct BuyOrRent {
    std::vector<double> days, ownedUsd, rentedUsd;  // curves for a chart
    std::optional<double> breakEvenDay;             // absent: renting stays cheaper over the machine's lifetime
};
// `speedRatio`: seconds rented / seconds owned; 1 when both are the same device.
[[nodiscard]] BuyOrRent buyOrRent(const OwnedMachine& machine, double usdPerHour, double speedRatio = 1,
                                  int points = 60);

// Whether the more expensive of two machines is worth its price: `speedUp` times faster at `priceRatio` times the
// hourly price.
enum class Worth { Pays, OnlyIfTimeComesFirst, Never };
[[nodiscard]] Worth worthOfUpgrade(double speedUp, double priceRatio);

}  // namespace steelyard::advisor

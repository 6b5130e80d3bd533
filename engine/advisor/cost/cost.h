// SPDX-License-Identifier: Apache-2.0
// The cost of a job on rented hardware or on one's own. Pure functions; dollars and seconds.
#pragma once

#include <optional>
#include <vector>

#include "engine/advisor/predict/predictor.h"
#include "engine/catalog/offer.h"

namespace steelyard::advisor {

struct RentalOptions {
    double startUpSeconds = 120;           // until the job begins: the machine, the driver, the software
    double transferBytes = 0;              // data set, to the machine
    double transferBytesPerSecond = 50e6;  // a home or office line is slower, a bucket of the same cloud faster
    double priceFactor = 1;                // a discount: 0.8 is a fifth off
    double storageUsdPerHour = 0;
    double egressUsd = 0;
    // Spot: rate of interruptions, maximum lifetime, interval of checkpoints of the job, and the time that a restart
    // takes.
    double interruptionsPerHour = 0.05;
    std::optional<double> spotLifeHours;
    double checkpointSeconds = 1800;
    double restartSeconds = 300;
};

struct RentalCost {
    double jobSeconds = 0;           // the job itself
    double overheadSeconds = 0;      // start-up and transfer
    double interruptions = 0;        // expected
    double interruptionSeconds = 0;  // work done twice, and restarts
    double billedSeconds = 0;
    double usd = 0;
    [[nodiscard]] double totalSeconds() const { return jobSeconds + overheadSeconds + interruptionSeconds; }
};

// Rounded up by the billing rule.
[[nodiscard]] double billedSeconds(double seconds, const catalog::Billing& billing);
[[nodiscard]] RentalCost rentalCost(double jobSeconds, double usdPerHour, bool spot, const catalog::Billing& billing,
                                    const RentalOptions& options);

struct OwnedMachine {
    double purchaseUsd = 0;
    double hostUsd = 0;    // part of case, power supply, processor
    double resaleUsd = 0;  // after `years`
    double years = 4;
    double watts = 0;
    double utilization = 0.15;  // fraction of the time it computes
    double usdPerKwh = 0.12;
};
[[nodiscard]] double kilowattHoursPerYear(const OwnedMachine& machine);
[[nodiscard]] double electricityUsdPerYear(const OwnedMachine& machine);
// Per hour of computing: depreciation spread over the hours it computes, and electricity.
[[nodiscard]] double ownedUsdPerHour(const OwnedMachine& machine);

// Paid until a day: the purchase at the start, electricity along the way; rent for the fraction of the time that is
// used.
[[nodiscard]] double ownedUsdUntil(const OwnedMachine& machine, double days);
[[nodiscard]] double rentedUsdUntil(double usdPerHour, double utilization, double days);

struct BuyOrRent {
    std::vector<double> days, ownedUsd, rentedUsd;  // a curve for a chart
    std::optional<double> breakEvenDay;             // absent: renting stays cheaper for the machine's whole life
};
// `speedRatio`: seconds rented / seconds owned; 1 when both are the same device.
[[nodiscard]] BuyOrRent buyOrRent(const OwnedMachine& machine, double usdPerHour, double speedRatio = 1,
                                  int points = 60);

// Whether the more expensive of two machines is worth its price. It does the job `speedUp` times faster at `priceRatio`
// times the price per hour.
enum class Worth { Pays, OnlyIfTimeComesFirst, Never };
[[nodiscard]] Worth worthOfUpgrade(double speedUp, double priceRatio);

}  // namespace steelyard::advisor

// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/cost/cost.h"

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {
namespace {

constexpr double kHour = 3600, kHoursPerDay = 24, kDaysPerYear = 365, kHoursPerYear = 8760;

double dailyElectricity(const OwnedMachine& machine) {
    return electricityUsdPerYear(machine) / kDaysPerYear;
}

}  // namespace

double billedSeconds(double seconds, const catalog::Billing& billing) {
    const double least = std::max(seconds, billing.minimumSeconds);
    // An excess this small is rounding error of the sum, not another unit.
    return std::ceil(least / billing.granularitySeconds - 1e-9) * billing.granularitySeconds;
}

RentalCost rentalCost(double jobSeconds, double usdPerHour, bool spot, const catalog::Billing& billing,
                      const RentalOptions& options) {
    RentalCost cost;
    cost.jobSeconds = jobSeconds;
    cost.overheadSeconds = options.startUpSeconds + options.transferBytes / options.transferBytesPerSecond;
    if (spot) {
        const double hours = jobSeconds / kHour;
        cost.interruptions = hours * options.interruptionsPerHour;
        if (options.spotLifeHours) cost.interruptions += std::floor(hours / *options.spotLifeHours);
        cost.interruptionSeconds = cost.interruptions * (options.checkpointSeconds / 2 + options.restartSeconds);
    }
    cost.billedSeconds = billedSeconds(cost.totalSeconds(), billing);
    const double hours = cost.billedSeconds / kHour;
    cost.usd = hours * (usdPerHour * options.priceFactor + options.storageUsdPerHour) + options.egressUsd;
    return cost;
}

double kilowattHoursPerYear(const OwnedMachine& machine) {
    return machine.watts * machine.utilization * kHoursPerYear / 1000;
}

double electricityUsdPerYear(const OwnedMachine& machine) {
    return kilowattHoursPerYear(machine) * machine.usdPerKwh;
}

double ownedUsdPerHour(const OwnedMachine& machine) {
    const double wear = machine.purchaseUsd + machine.hostUsd - machine.resaleUsd;
    const double hours = machine.years * kHoursPerYear * machine.utilization;
    return (hours > 0 ? wear / hours : 0) + machine.watts / 1000 * machine.usdPerKwh;
}

double ownedUsdUntil(const OwnedMachine& machine, double days) {
    return machine.purchaseUsd + machine.hostUsd + dailyElectricity(machine) * days;
}

double rentedUsdUntil(double usdPerHour, double utilization, double days) {
    return usdPerHour * kHoursPerDay * utilization * days;
}

BuyOrRent buyOrRent(const OwnedMachine& machine, double usdPerHour, double speedRatio, int points) {
    BuyOrRent result;
    const double last = machine.years * kDaysPerYear;
    const double rate = usdPerHour * speedRatio;  // for the work of one owned hour
    for (int i = 0; i <= points; ++i) {
        const double day = last * i / points;
        result.days.push_back(day);
        result.ownedUsd.push_back(ownedUsdUntil(machine, day));
        result.rentedUsd.push_back(rentedUsdUntil(rate, machine.utilization, day));
    }
    const double saved = rentedUsdUntil(rate, machine.utilization, 1) - dailyElectricity(machine);
    const double day = saved > 0 ? (machine.purchaseUsd + machine.hostUsd) / saved : last + 1;
    if (day <= last) result.breakEvenDay = day;
    return result;
}

Worth worthOfUpgrade(double speedUp, double priceRatio) {
    if (speedUp <= 1) return Worth::Never;
    return speedUp > priceRatio ? Worth::Pays : Worth::OnlyIfTimeComesFirst;
}

}  // namespace steelyard::advisor

// SPDX-License-Identifier: Apache-2.0
// Buying a card for a job against renting the machine that an advice ranks first: the same work on both, paid over
// time. Used by the command line, the window and the report. Pure functions over values.
#pragma once

#include <string>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

struct PurchaseRequest {
    std::string card;      // id of the catalogue; empty: usualCard()
    double hostUsd = 900;  // the rest of the desktop
    double hostWatts = 150;
    double utilization = 0.15;  // fraction of the time it computes
    double usdPerKwh = 0.12;
    double years = 4;

    friend bool operator==(const PurchaseRequest&, const PurchaseRequest&) = default;
};

struct Purchase {
    CardToBuy card;
    OwnedMachine machine;
    std::string rented;  // id of the candidate it is compared with
    std::string rentedTitle;
    double usdPerHour = 0;         // of that one
    Interval speedRatio{1, 1, 1};  // seconds rented / seconds owned, predicted
    Interval jobHours;             // of the job on the card
    BuyOrRent paid;                // at the median; rent is proportional to the ratio
    // Days at the ends of the interval of the speed ratio; absent where renting stays cheaper there.
    std::optional<double> soonestBreakEvenDay, latestBreakEvenDay;
};

// The first machine of an advice that is rented at a price and can do the job; nullptr when there is none.
[[nodiscard]] const Candidate* rentedFirst(const Advice& advice);
// It has a predicted time, and the job fits.
[[nodiscard]] bool canDoJob(const CardToBuy& card);

// The card that a person would weigh first: the one in this computer; else the one that is rented, or the consumer card
// of its generation that is nearest to it in speed; else the best for its price. nullptr: none can do the job.
[[nodiscard]] const CardToBuy* usualCard(const std::vector<CardToBuy>& cards, const Advice& advice);

// `cards` as cardsToBuy() orders them for the advice's job.
// InvalidArgument: a card that is not known, has no price, or that the job does not fit or cannot be predicted on.
// NotFound: nothing to rent can do the job, or no card can.
[[nodiscard]] Result<Purchase> weighPurchase(const PurchaseRequest& request, const std::vector<CardToBuy>& cards,
                                             const Advice& advice);

}  // namespace steelyard::advisor

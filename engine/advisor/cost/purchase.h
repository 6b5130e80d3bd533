// SPDX-License-Identifier: Apache-2.0
// Buying a card for a job compared with renting the best rented machine of the advice: the same work on both, cost over
// time. Used by the command line, the window and the report. Pure functions of values.
#pragma once

#include <string>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

struct PurchaseRequest {
    std::string card;      // catalogue id; empty: usualCard()
    double hostUsd = 900;  // the rest of the desktop computer
    double hostWatts = 150;
    double utilization = 0.15;  // fraction of time spent computing
    double usdPerKwh = 0.12;
    double years = 4;

    friend bool operator==(const PurchaseRequest&, const PurchaseRequest&) = default;
};

struct Purchase {
    CardToBuy card;
    OwnedMachine machine;
    std::string rented;  // id of the rented candidate
    std::string rentedTitle;
    double usdPerHour = 0;         // of the rented candidate
    Interval speedRatio{1, 1, 1};  // seconds rented / seconds owned, predicted
    Interval jobHours;             // of the job on the card
    BuyOrRent paid;                // at the median; rent scales with the ratio
    // Break-even days at the ends of the interval of the speed ratio; absent if renting stays cheaper there.
    std::optional<double> soonestBreakEvenDay, latestBreakEvenDay;
};

// The best-ranked candidate that is rented at a price and can run the job; nullptr if there is none.
[[nodiscard]] const Candidate* rentedFirst(const Advice& advice);
// It has a predicted time and the job fits.
[[nodiscard]] bool canDoJob(const CardToBuy& card);

// The default card: the one in this computer; else the rented one, or the consumer card of its generation closest in
// speed; else the best value for money. nullptr: no card can run the job.
[[nodiscard]] const CardToBuy* usualCard(const std::vector<CardToBuy>& cards, const Advice& advice);

// `cards`: from cardsToBuy() for the advice's job. InvalidArgument: an unknown card, one without a price, or one that
// the job does not fit or cannot be predicted on. NotFound: no rented machine or no card can run the job.
[[nodiscard]] Result<Purchase> weighPurchase(const PurchaseRequest& request, const std::vector<CardToBuy>& cards,
                                             const Advice& advice);

}  // namespace steelyard::advisor

// SPDX-License-Identifier: Apache-2.0
// Buying a card for a job against renting the machine that an advice ranks first: the same work on both, paid over
// time. Pure function over values.
#pragma once

#include <string>

#include "engine/advisor/ranking.h"

namespace steelyard::advisor {

struct PurchaseRequest {
    std::string card;      // id of the catalogue; empty: the best for its price that the job fits
    double hostUsd = 900;  // the rest of the desktop
    double hostWatts = 150;
    double utilization = 0.15;  // share of the time it computes
    double usdPerKwh = 0.12;
    double years = 4;
};

struct Purchase {
    CardToBuy card;
    OwnedMachine machine;
    std::string rented;  // id of the candidate it is weighed against
    std::string rentedTitle;
    double usdPerHour = 0;  // of that one
    double speedRatio = 1;  // seconds rented / seconds owned, predicted
    BuyOrRent paid;
};

// InvalidArgument: a card that is not known, has no price, or that the job does not fit or cannot be predicted on.
// NotFound: nothing to rent can do the job, or no card can.
[[nodiscard]] Result<Purchase> weighPurchase(const PurchaseRequest& request, const AdviceRequest& job,
                                             const Advice& advice, const catalog::Catalog& catalog,
                                             const Predictor& predictor);

}  // namespace steelyard::advisor

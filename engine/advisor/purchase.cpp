// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/purchase.h"

#include <algorithm>

namespace steelyard::advisor {
namespace {

bool canDoIt(const CardToBuy& card) {
    return card.prediction.hasTime() && card.prediction.fits != Fits::No;
}

Result<CardToBuy> cardOf(const PurchaseRequest& request, std::vector<CardToBuy> cards) {
    if (request.card.empty()) {
        const auto best = std::ranges::find_if(cards, canDoIt);
        if (best == cards.end()) return fail(ErrorKind::NotFound, "--buy", "no card with a price can do this job");
        return std::move(*best);
    }
    const auto named = std::ranges::find(cards, request.card, &CardToBuy::hardware);
    if (named == cards.end())
        return fail(ErrorKind::InvalidArgument, "--buy",
                    "'" + request.card + "' is no card of the catalogue with a price (see: list hardware)");
    if (!canDoIt(*named))
        return fail(ErrorKind::InvalidArgument, "--buy",
                    named->name + " cannot do this job: it does not fit or has no time");
    return std::move(*named);
}

}  // namespace

Result<Purchase> weighPurchase(const PurchaseRequest& request, const AdviceRequest& job, const Advice& advice,
                               const catalog::Catalog& catalog, const Predictor& predictor) {
    auto cards = cardsToBuy(job.job, catalog, predictor, job.software);
    if (!cards) return Failure(std::move(cards.error()));
    auto card = cardOf(request, std::move(*cards));
    if (!card) return Failure(std::move(card.error()));
    const auto rented =
        std::ranges::find_if(advice.candidates, [](const Candidate& c) { return !c.own && c.isViable(); });
    if (rented == advice.candidates.end())
        return fail(ErrorKind::NotFound, "--buy", "there is nothing to rent that can do this job");
    Purchase result;
    const auto* spec = catalog.findHardware(card->hardware);
    const double cardWatts = spec != nullptr && spec->tdpWatts ? spec->tdpWatts->value : 0;
    result.machine = {.purchaseUsd = card->priceUsd,
                      .hostUsd = request.hostUsd,
                      .years = request.years,
                      .watts = cardWatts + request.hostWatts,
                      .utilization = request.utilization,
                      .usdPerKwh = request.usdPerKwh};
    result.rented = rented->id;
    result.rentedTitle = rented->title;
    result.usdPerHour = rented->usdPerHour.value_or(0);
    result.speedRatio = rented->prediction.seconds.median / card->prediction.seconds.median;
    result.paid = buyOrRent(result.machine, result.usdPerHour, result.speedRatio);
    result.card = std::move(*card);
    return result;
}

}  // namespace steelyard::advisor

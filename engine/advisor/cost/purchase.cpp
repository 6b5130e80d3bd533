// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/cost/purchase.h"

#include <algorithm>
#include <cmath>

#include "engine/core/messages/advisor.h"

namespace steelyard::advisor {
namespace {

Result<CardToBuy> cardOf(const PurchaseRequest& request, const std::vector<CardToBuy>& cards, const Advice& advice) {
    if (request.card.empty()) {
        const auto* usual = usualCard(cards, advice);
        if (usual == nullptr) return fail(ErrorKind::NotFound, "--buy", messages::noCardForJob());
        return *usual;
    }
    const auto named = std::ranges::find(cards, request.card, &CardToBuy::hardware);
    if (named == cards.end()) return fail(ErrorKind::InvalidArgument, "--buy", messages::notACard(request.card));
    if (!canDoJob(*named)) return fail(ErrorKind::InvalidArgument, "--buy", messages::cardCannot(named->name));
    return *named;
}

// The consumer card of the same generation as `rented` that is closest in speed.
const CardToBuy* consumerTwin(const std::vector<CardToBuy>& cards, const CardToBuy& rented) {
    const auto distance = [&](const CardToBuy& card) {
        return std::abs(std::log(card.prediction.seconds.median / rented.prediction.seconds.median));
    };
    const CardToBuy* twin = nullptr;
    for (const auto& card : cards) {
        if (!card.isConsumer || !canDoJob(card) || !card.generation || card.generation != rented.generation) continue;
        if (twin == nullptr || distance(card) < distance(*twin)) twin = &card;
    }
    return twin;
}

// Ratio of two predictions; their errors are assumed to be independent.
Interval ratioOf(const Interval& a, const Interval& b) {
    const double median = a.median / b.median;
    const double up = std::hypot(std::log(a.high / a.median), std::log(b.median / b.low));
    const double down = std::hypot(std::log(a.median / a.low), std::log(b.high / b.median));
    return {median * std::exp(-down), median, median * std::exp(up)};
}

}  // namespace

const Candidate* rentedFirst(const Advice& advice) {
    const auto found = std::ranges::find_if(advice.candidates,
                                            [](const Candidate& c) { return !c.own && c.isViable() && c.usdPerHour; });
    return found == advice.candidates.end() ? nullptr : &*found;
}

bool canDoJob(const CardToBuy& card) {
    return card.prediction.hasTime() && card.prediction.fits != Fits::No;
}

const CardToBuy* usualCard(const std::vector<CardToBuy>& cards, const Advice& advice) {
    const auto of = [&](const std::string& hardware) -> const CardToBuy* {
        const auto found = std::ranges::find(cards, hardware, &CardToBuy::hardware);
        return found == cards.end() || !canDoJob(*found) ? nullptr : &*found;
    };
    for (const auto& candidate : advice.candidates) {
        if (!candidate.own) continue;
        if (const auto* mine = of(candidate.hardware)) return mine;
    }
    if (const auto* rented = rentedFirst(advice)) {
        if (const auto* same = of(rented->hardware)) {
            if (same->isConsumer) return same;
            if (const auto* twin = consumerTwin(cards, *same)) return twin;
        }
    }
    const auto best = std::ranges::find_if(cards, canDoJob);
    return best == cards.end() ? nullptr : &*best;
}

Result<Purchase> weighPurchase(const PurchaseRequest& request, const std::vector<CardToBuy>& cards,
                               const Advice& advice) {
    auto card = cardOf(request, cards, advice);
    if (!card) return Failure(std::move(card.error()));
    const auto* rented = rentedFirst(advice);
    if (rented == nullptr) return fail(ErrorKind::NotFound, "--buy", messages::nothingToRent());
    Purchase result;
    result.machine = {.purchaseUsd = card->priceUsd,
                      .hostUsd = request.hostUsd,
                      .years = request.years,
                      .watts = card->watts.value_or(0) + request.hostWatts,
                      .utilization = request.utilization,
                      .usdPerKwh = request.usdPerKwh};
    result.rented = rented->id;
    result.rentedTitle = rented->title;
    result.usdPerHour = *rented->usdPerHour;
    result.speedRatio = ratioOf(rented->prediction.seconds, card->prediction.seconds);
    const auto& step = card->prediction.seconds;
    result.jobHours = {step.low * advice.steps / 3600, step.median * advice.steps / 3600,
                       step.high * advice.steps / 3600};
    result.paid = buyOrRent(result.machine, result.usdPerHour, result.speedRatio.median);
    const auto dayAt = [&](double ratio) { return buyOrRent(result.machine, result.usdPerHour, ratio).breakEvenDay; };
    result.soonestBreakEvenDay = dayAt(result.speedRatio.high);
    result.latestBreakEvenDay = dayAt(result.speedRatio.low);
    result.card = std::move(*card);
    return result;
}

}  // namespace steelyard::advisor

// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/serving_presenter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/presenters/advice/language_text.h"
#include "ui/text/message_text.h"

namespace steelyard::ui {
namespace {

using advisor::OfferKind;
using advisor::ServingOffer;

constexpr std::array kOfferKinds{OfferKind::Rent, OfferKind::Buy, OfferKind::Api};
constexpr double kDaysOfAMonth = 365.0 / 12;
constexpr int kMostReasonsOfServing = 3;

// "$10–$12"; empty if both ends are shown as the same amount, as for one machine that is rented for the whole month.
QString moneyBand(const advisor::Interval& usd) {
    return Format::money(usd.low) == Format::money(usd.high) ? QString() : Format::moneyRange(usd.low, usd.high);
}

}  // namespace

const ServingOffer* ServingPresenter::best(OfferKind kind) const {
    const auto& offers = m_answer.advice.offers;
    const auto found = std::find_if(offers.begin(), offers.end(),
                                    [&](const ServingOffer& one) { return one.kind == kind && one.possible(); });
    return found == offers.end() ? nullptr : &*found;
}

QString ServingPresenter::verdict() const {
    const auto& offers = m_answer.advice.offers;
    if (offers.empty() || !offers.front().possible())
        return tr("No machine and no API can do this: loosen a limit, or choose a smaller model or format.");
    const auto& first = offers.front();
    const auto band = moneyBand(first.usdPerMonth);
    const auto amount = Format::money(first.usdPerMonth.median);
    const auto month = band.isEmpty() ? tr("%1 a month").arg(amount) : tr("%1 a month (%2)").arg(amount, band);
    const auto million = Format::money(first.usdPerMillion);
    QStringList sentences;
    switch (first.kind) {
        case OfferKind::Buy:
            sentences << tr("Buy %1: about %2, %3 per million tokens, at about %4 tokens/s for each user.")
                             .arg(LanguageText::name(first), month, million, Format::number(first.userTokensPerSecond));
            break;
        case OfferKind::Rent:
            sentences << tr("Rent %1 (%5): about %2, %3 per million tokens, at about %4 tokens/s for each user.")
                             .arg(LanguageText::name(first), month, million, Format::number(first.userTokensPerSecond),
                                  LanguageText::hardware(m_answer, first));
            break;
        case OfferKind::Api:
            sentences << tr("Use the API of %1: about %2, %3 per million tokens.")
                             .arg(LanguageText::name(first), month, million);
            break;
    }
    for (const auto kind : kOfferKinds) {
        const auto* other = best(kind);
        if (kind == first.kind) continue;
        const auto cost = other == nullptr ? QString() : Format::money(other->usdPerMonth.median);
        switch (kind) {
            case OfferKind::Rent:
                sentences << (other == nullptr ? tr("No machine for rent can do it.")
                                               : tr("Renting costs from %1 a month.").arg(cost));
                break;
            case OfferKind::Buy:
                sentences << (other == nullptr ? tr("No device for sale can do it.")
                                               : tr("Buying costs from %1 a month.").arg(cost));
                break;
            case OfferKind::Api:
                sentences << (other == nullptr ? tr("No price of an API is known for this model.")
                                               : tr("An API costs from %1 a month.").arg(cost));
                break;
        }
    }
    return sentences.join(QLatin1Char(' '));
}

QString ServingPresenter::sensitivity() const {
    QStringList sentences;
    const auto& advice = m_answer.advice;
    if (best(OfferKind::Api) != nullptr) {
        const auto turn = [](double millions) { return Format::number(millions); };
        if (!advice.rentBeatsApi && !advice.buyBeatsApi)
            sentences << tr("The cheapest API costs less than a machine at any load that one machine can serve.");
        if (advice.rentBeatsApi)
            sentences << tr("One rented machine costs less than the cheapest API above %1 million tokens a month.")
                             .arg(turn(*advice.rentBeatsApi));
        if (advice.buyBeatsApi)
            sentences << tr("One bought machine costs less than the cheapest API above %1 million tokens a month.")
                             .arg(turn(*advice.buyBeatsApi));
    }
    const auto offerOf = [&](const std::string& id) {
        const auto found = std::find_if(advice.offers.begin(), advice.offers.end(),
                                        [&](const ServingOffer& one) { return one.id == id; });
        return found == advice.offers.end() ? plain(id) : LanguageText::name(*found);
    };
    const auto isFirst = [&](const std::string& id) {
        return !advice.offers.empty() && advice.offers.front().id == id;
    };
    if (isFirst(advice.cheapestAtTenth) && isFirst(advice.cheapestAtTenfold))
        sentences << tr("It stays the cheapest with a tenth of the tokens and with ten times as many.");
    else if (!advice.cheapestAtTenth.empty() && !advice.cheapestAtTenfold.empty())
        sentences << tr("Cheapest with a tenth of the tokens: %1; with ten times as many: %2.")
                         .arg(offerOf(advice.cheapestAtTenth), offerOf(advice.cheapestAtTenfold));
    return sentences.join(QLatin1Char(' '));
}

std::vector<ChoiceCard> ServingPresenter::choices() const {
    std::vector<ChoiceCard> cards;
    const auto& offers = m_answer.advice.offers;
    for (const auto& offer : offers) {
        if (!offer.possible() || best(offer.kind) != &offer) continue;
        ChoiceCard card;
        card.key = plain(offer.id);
        card.machine = LanguageText::name(offer);
        card.cost = tr("%1 a month").arg(Format::money(offer.usdPerMonth.median));
        const auto million = tr("%1 per million tokens").arg(Format::money(offer.usdPerMillion));
        card.chosen = &offer == &offers.front();
        if (offer.kind == OfferKind::Api) {
            card.heading = tr("API");
            card.costBand = million;
            card.time = Format::unknown();
            card.timeBand = tr("speed not published");
            card.label = tr("price from %1").arg(Format::isoDate(offer.priceDate));
        } else {
            card.heading = offer.kind == OfferKind::Rent ? tr("Rent") : tr("Buy");
            if (offer.kind == OfferKind::Rent) card.device = LanguageText::hardware(m_answer, offer);
            card.costBand = moneyBand(offer.usdPerMonth);
            if (card.costBand.isEmpty()) {
                card.costBand = million;
            } else {
                card.reasons << million;
            }
            card.time = tr("%1 tokens/s").arg(Format::number(offer.tokensPerSecond.median));
            card.timeBand = tr("%1, %2 users at once")
                                .arg(Format::range(offer.tokensPerSecond.low, offer.tokensPerSecond.high),
                                     Format::integer(std::llround(offer.users.value_or(0))));
            card.label = tr("estimate, price from %1").arg(Format::isoDate(offer.priceDate));
        }
        for (const auto& reason : offer.reasons)
            if (card.reasons.size() <= kMostReasonsOfServing) card.reasons << MessageText::text(reason);
        cards.push_back(std::move(card));
    }
    return cards;
}

TableContent ServingPresenter::offers(bool onlyPossible) const {
    TableContent content;
    content.columns = {{tr("Offer")},
                       {tr("Kind")},
                       {tr("%1 a month").arg(Format::currencySymbol()), true},
                       {tr("%1 per million tokens").arg(Format::currencySymbol()), true},
                       {tr("Tokens/s per user"), true, tr("predicted")},
                       {tr("Users at once"), true},
                       {tr("Machines"), true},
                       {tr("Device")},
                       {tr("Software")},
                       {tr("Why")}};
    for (const auto& offer : m_answer.advice.offers) {
        if (onlyPossible && !offer.possible()) continue;
        TableRow row;
        row.key = plain(offer.id);
        row.muted = !offer.possible();
        const bool machine = offer.kind != OfferKind::Api;
        row.cells.push_back({LanguageText::name(offer)});
        row.cells.push_back({machine ? offer.kind == OfferKind::Rent ? tr("Rent") : tr("Buy") : tr("API")});
        if (!offer.possible()) {
            for (int column = 0; column < 5; ++column) row.cells.push_back(LanguageText::missingCell());
        } else {
            row.cells.push_back(
                {Format::money(offer.usdPerMonth.median),
                 machine ? tr("80 % range: %1").arg(Format::moneyRange(offer.usdPerMonth.low, offer.usdPerMonth.high))
                         : QString(),
                 offer.usdPerMonth.median,
                 {}});
            row.cells.push_back(LanguageText::numberCell(Format::money(offer.usdPerMillion), offer.usdPerMillion));
            if (machine) {
                row.cells.push_back(
                    LanguageText::numberCell(Format::number(offer.userTokensPerSecond), offer.userTokensPerSecond));
                row.cells.push_back(LanguageText::countCell(offer.users));
                row.cells.push_back(LanguageText::countCell(offer.machines));
            } else {
                for (int column = 0; column < 3; ++column) row.cells.push_back(LanguageText::missingCell());
            }
        }
        row.cells.push_back({machine ? LanguageText::hardware(m_answer, offer) : QString()});
        row.cells.push_back({LanguageText::software(m_answer, offer.software)});
        const auto why = MessageText::text(joined(offer.possible() ? offer.reasons : offer.rejectedBecause));
        row.cells.push_back({why, why});
        content.rows.push_back(std::move(row));
    }
    return content;
}

ChartPoint ServingPresenter::point(const ServingOffer& offer) const {
    auto point = LanguageText::predictedPoint(Format::inCurrency(offer.usdPerMillion));
    point.x = offer.tokensPerSecond.median;
    point.xInterval = ChartInterval{offer.tokensPerSecond.low, offer.tokensPerSecond.high};
    const double millions = m_answer.request.tokensPerMonth / LanguageText::kMillion;
    point.interval = ChartInterval{Format::inCurrency(offer.usdPerMonth.low / millions),
                                   Format::inCurrency(offer.usdPerMonth.high / millions)};
    point.key = plain(offer.id);
    const bool isBest = best(offer.kind) == &offer;
    const auto title = LanguageText::title(m_answer, offer);
    if (isBest) {
        point.label = title;
    } else {
        point.note = title;
    }
    return point;
}

ChartSpec ServingPresenter::speedAgainstCost() const {
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Speed against cost");
    chart.subtitle = tr("%1 · predicted, 80 % prediction ranges").arg(LanguageText::model(m_answer));
    chart.emptyText = tr("No machine can do this.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Tokens per second per machine"), {}, ChartScale::Logarithmic, {}};
    chart.y = {tr("Cost per million tokens"), Format::currencySymbol(), ChartScale::Logarithmic, {}};
    ChartSeries rent{tr("cheapest to rent"), 0}, buy{tr("cheapest to buy"), 1};
    ChartSeries otherRent{tr("other machines for rent"), 0}, otherBuy{tr("other devices for sale"), 1};
    otherRent.faint = otherBuy.faint = true;
    for (const auto& offer : m_answer.advice.offers) {
        if (!offer.possible() || offer.kind == OfferKind::Api || offer.usdPerMillion <= 0) continue;
        const bool isBest = best(offer.kind) == &offer;
        auto& series = offer.kind == OfferKind::Rent ? (isBest ? rent : otherRent) : (isBest ? buy : otherBuy);
        series.points.push_back(point(offer));
    }
    for (auto* series : {&rent, &buy, &otherRent, &otherBuy})
        if (!series->points.empty()) chart.series.push_back(std::move(*series));
    if (const auto* api = best(OfferKind::Api); api != nullptr && api->usdPerMillion > 0)
        chart.references.push_back(
            {tr("API: %1").arg(LanguageText::name(*api)), Format::inCurrency(api->usdPerMillion)});
    return chart;
}

ChartSpec ServingPresenter::costByLoad() const {
    constexpr int kPoints = 49;
    constexpr double kDecades = 2;  // on either side of the requested load
    ChartSpec chart;
    chart.kind = ChartKind::Lines;
    chart.title = tr("Cost by load");
    chart.subtitle = tr("%1 · predicted, 80 % prediction ranges").arg(LanguageText::model(m_answer));
    chart.emptyText = tr("No machine and no API can do this.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Tokens per day"), {}, ChartScale::Logarithmic, {}};
    chart.y = {tr("Cost per month"), Format::currencySymbol(), ChartScale::Logarithmic, {}};
    const double asked = m_answer.request.tokensPerMonth;
    int colour = 0;
    for (const auto kind : kOfferKinds) {
        const auto* offer = best(kind);
        ++colour;
        if (offer == nullptr) continue;
        const auto words = kind == OfferKind::Rent  ? tr("rent: %1")
                           : kind == OfferKind::Buy ? tr("buy: %1")
                                                    : tr("API: %1");
        ChartSeries line{words.arg(LanguageText::name(*offer)), colour - 1};
        line.unmarked = true;
        for (int i = 0; i < kPoints; ++i) {
            const double tokens = asked * std::pow(10, kDecades * (2.0 * i / (kPoints - 1) - 1));
            const auto usd = advisor::usdPerMonthAt(*offer, tokens);
            auto point = LanguageText::predictedPoint(Format::inCurrency(usd.median));
            point.x = tokens / kDaysOfAMonth;
            if (kind != OfferKind::Api)
                point.interval = ChartInterval{Format::inCurrency(usd.low), Format::inCurrency(usd.high)};
            if (kind == OfferKind::Api) point.basis = Basis::Imported;
            line.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(line));
    }
    if (!chart.series.empty()) chart.references.push_back({tr("your load"), asked / kDaysOfAMonth, true});
    return chart;
}

}  // namespace steelyard::ui

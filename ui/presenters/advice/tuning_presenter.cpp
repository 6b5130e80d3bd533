// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/tuning_presenter.h"

#include <algorithm>
#include <cmath>

#include "ui/presenters/advice/language_text.h"
#include "ui/text/message_text.h"

namespace steelyard::ui {
namespace {

using advisor::Fits;
using advisor::OfferKind;
using advisor::TuningOffer;

constexpr int kMostReasonsOfTuning = 2;

}  // namespace

const advisor::FineTuningMemory* TuningPresenter::tuned() const {
    for (const auto& [one, memory] : m_answer.methods)
        if (one == m_answer.question.tuning.method) return &memory;
    return nullptr;
}

QString TuningPresenter::verdict() const {
    const auto* memory = tuned();
    if (memory == nullptr) return {};
    const auto need =
        tr("Fine-tuning %1 (%2) needs about %3 of memory and trains %4 parameters.")
            .arg(plain(m_answer.job.model.spec.title), LanguageText::method(m_answer.question.tuning.method),
                 LanguageText::bytes(memory->total()), Format::count(memory->trained));
    const auto* rent = m_answer.tuningAdvice.cheapest(OfferKind::Rent);
    const auto* buy = m_answer.tuningAdvice.cheapest(OfferKind::Buy);
    if (rent == nullptr && buy == nullptr)
        return need + QLatin1Char(' ') + tr("No machine for rent and no device for sale can do it.");
    const auto tokens = Format::count(m_answer.tuningRequest.tokens);
    QStringList sentences{need};
    if (rent != nullptr)
        sentences << tr("For %1 tokens, rent %2 (%3): about %4 (%5) and %6.")
                         .arg(tokens, LanguageText::name(*rent), LanguageText::hardware(m_answer, *rent),
                              LanguageText::wait(rent->hours.median), LanguageText::waitRange(rent->hours),
                              Format::money(rent->usd.median));
    if (buy != nullptr)
        sentences << tr("On %1, bought, it takes about %2 (%3) and %4 of its price and electricity.")
                         .arg(LanguageText::name(*buy), LanguageText::wait(buy->hours.median),
                              LanguageText::waitRange(buy->hours), Format::money(buy->usd.median));
    return sentences.join(QLatin1Char(' '));
}

const TuningOffer* TuningPresenter::fastest() const {
    for (const auto& offer : m_answer.tuningAdvice.offers)
        if (offer.possible() && offer.id == m_answer.tuningAdvice.fastest) return &offer;
    return nullptr;
}

QString TuningPresenter::sensitivity() const {
    QStringList sentences;
    if (const auto* found = fastest())
        sentences << tr("The fastest is %1: %2 for %3.")
                         .arg(LanguageText::name(*found), LanguageText::wait(found->hours.median),
                              Format::money(found->usd.median));
    if (const auto& jobs = m_answer.tuningAdvice.jobsUntilPurchasePays)
        sentences << tr("Buying costs less than renting after %1 such jobs.")
                         .arg(Format::integer(static_cast<std::int64_t>(std::ceil(std::min(*jobs, 1e15)))));
    return sentences.join(QLatin1Char(' '));
}

std::vector<ChoiceCard> TuningPresenter::choices() const {
    std::vector<ChoiceCard> cards;
    const auto add = [&](const QString& heading, const TuningOffer* offer) {
        if (offer == nullptr) return;
        ChoiceCard card;
        card.heading = heading;
        card.key = plain(offer->id);
        card.machine = LanguageText::name(*offer);
        if (offer->kind == OfferKind::Rent) card.device = LanguageText::hardware(m_answer, *offer);
        card.cost = Format::money(offer->usd.median);
        card.costBand = Format::moneyRange(offer->usd.low, offer->usd.high);
        card.time = LanguageText::wait(offer->hours.median);
        card.timeBand = LanguageText::waitRange(offer->hours);
        card.label = tr("estimate, price from %1").arg(Format::isoDate(offer->priceDate));
        card.chosen = offer == &m_answer.tuningAdvice.offers.front();
        card.reasons << tr("%1 tokens/s").arg(Format::number(offer->tokensPerSecond.median));
        if (offer->lowConfidence) card.reasons << tr("low confidence");
        for (const auto& reason : offer->reasons)
            if (card.reasons.size() <= kMostReasonsOfTuning) card.reasons << MessageText::text(reason);
        cards.push_back(std::move(card));
    };
    const auto* rent = m_answer.tuningAdvice.cheapest(OfferKind::Rent);
    const auto* buy = m_answer.tuningAdvice.cheapest(OfferKind::Buy);
    const auto* quickest = fastest();
    add(tr("Rent"), rent);
    add(tr("Buy"), buy);
    if (quickest != rent && quickest != buy) add(tr("Fastest"), quickest);
    std::ranges::stable_sort(cards, {}, [](const ChoiceCard& card) { return !card.chosen; });
    return cards;
}

TableContent TuningPresenter::offers(bool onlyPossible) const {
    TableContent content;
    content.columns = {{tr("Offer")},
                       {tr("Kind")},
                       {tr("Cost"), true, tr("of the job; of a purchase its share of the price, and electricity")},
                       {tr("Time"), true, tr("predicted")},
                       {tr("80 % range"), true},
                       {tr("Tokens/s"), true, tr("predicted")},
                       {tr("Device")},
                       {tr("Software")},
                       {tr("Why")}};
    for (const auto& offer : m_answer.tuningAdvice.offers) {
        if (onlyPossible && !offer.possible()) continue;
        TableRow row;
        row.key = plain(offer.id);
        row.muted = !offer.possible();
        row.cells.push_back({LanguageText::name(offer)});
        row.cells.push_back({offer.kind == OfferKind::Rent ? tr("Rent") : tr("Buy")});
        if (offer.possible()) {
            row.cells.push_back({Format::money(offer.usd.median),
                                 tr("80 % range: %1").arg(Format::moneyRange(offer.usd.low, offer.usd.high)),
                                 offer.usd.median,
                                 {}});
            row.cells.push_back(LanguageText::numberCell(LanguageText::wait(offer.hours.median), offer.hours.median));
            row.cells.push_back(LanguageText::numberCell(LanguageText::waitRange(offer.hours), offer.hours.median));
            auto speed =
                LanguageText::numberCell(Format::number(offer.tokensPerSecond.median), offer.tokensPerSecond.median);
            if (offer.lowConfidence) speed.hover = tr("low confidence");
            row.cells.push_back(std::move(speed));
        } else {
            row.cells.insert(row.cells.end(), 4, LanguageText::missingCell());
        }
        row.cells.push_back({LanguageText::hardware(m_answer, offer)});
        row.cells.push_back({LanguageText::software(m_answer, offer.software)});
        const auto why = MessageText::text(joined(offer.possible() ? offer.reasons : offer.rejectedBecause));
        row.cells.push_back({why, why});
        content.rows.push_back(std::move(row));
    }
    return content;
}

ChartSpec TuningPresenter::timeAgainstCost() const {
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Time against cost");
    chart.subtitle = tr("fine-tuning %1 · %2 tokens · predicted, 80 % prediction ranges")
                         .arg(plain(m_answer.job.model.spec.title), Format::count(m_answer.tuningRequest.tokens));
    chart.emptyText = tr("No machine can do this.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Job duration (hours)"), {}, ChartScale::Logarithmic, {}};
    chart.y = {tr("Job cost"), Format::currencySymbol(), ChartScale::Logarithmic, {}};
    ChartSeries rent{tr("cheapest to rent"), 0}, buy{tr("cheapest to buy"), 1};
    ChartSeries otherRent{tr("other machines for rent"), 0}, otherBuy{tr("other devices for sale"), 1};
    otherRent.faint = otherBuy.faint = true;
    for (const auto& offer : m_answer.tuningAdvice.offers) {
        if (!offer.possible() || offer.usd.median <= 0) continue;
        const bool isBest = m_answer.tuningAdvice.cheapest(offer.kind) == &offer;
        auto one = LanguageText::predictedPoint(Format::inCurrency(offer.usd.median));
        one.x = offer.hours.median;
        one.xInterval = ChartInterval{offer.hours.low, offer.hours.high};
        one.interval = ChartInterval{Format::inCurrency(offer.usd.low), Format::inCurrency(offer.usd.high)};
        one.key = plain(offer.id);
        const auto title = LanguageText::title(m_answer, offer);
        (isBest ? one.label : one.note) = title;
        auto& series = offer.kind == OfferKind::Rent ? (isBest ? rent : otherRent) : (isBest ? buy : otherBuy);
        series.points.push_back(std::move(one));
    }
    for (auto* series : {&rent, &buy, &otherRent, &otherBuy})
        if (!series->points.empty()) chart.series.push_back(std::move(*series));
    return chart;
}

TableContent TuningPresenter::holders() const {
    TableContent content;
    content.columns = {{tr("Device")},
                       {tr("Fits")},
                       {tr("Tokens/s"), true, tr("predicted")},
                       {tr("80 % range"), true},
                       {tr("Time"), true, tr("of the job; predicted")},
                       {tr("Usable"), true},
                       {tr("Software")}};
    auto sorted = m_answer.tuned;
    std::ranges::stable_sort(sorted, {}, [](const advisor::TuningPrediction& one) {
        return one.fits == Fits::Yes ? std::pair(0, -one.tokensPerSecond.median) : std::pair(1, -*one.availableBytes);
    });
    for (const auto& one : sorted) {
        TableRow row;
        row.key = plain(one.id);
        const bool fits = one.fits == Fits::Yes;
        row.muted = !fits;
        row.cells = {{LanguageText::deviceOf(one.id, one.name)},
                     LanguageText::fitsCell(fits, tr("needs %1").arg(LanguageText::bytes(one.neededBytes())))};
        const auto& speed = one.tokensPerSecond;
        if (fits && one.hasSpeed()) {
            auto cell = LanguageText::numberCell(Format::number(speed.median), speed.median);
            if (one.lowConfidence) cell.hover = tr("low confidence");
            row.cells.push_back(std::move(cell));
            row.cells.push_back(LanguageText::numberCell(Format::range(speed.low, speed.high), speed.median));
            const double hours = m_answer.tuningRequest.tokens / speed.median / LanguageText::kSecondsOfAnHour;
            row.cells.push_back(LanguageText::numberCell(LanguageText::wait(hours), hours));
        } else {
            const auto why = one.hasSpeed() ? tr("does not fit") : MessageText::text(advisor::messageOf(one.refusal));
            row.cells.insert(row.cells.end(), 3, LanguageText::missingCell(why));
        }
        row.cells.push_back(LanguageText::numberCell(LanguageText::bytes(*one.availableBytes), *one.availableBytes));
        row.cells.push_back({LanguageText::software(m_answer, one.software)});
        content.rows.push_back(std::move(row));
    }
    return content;
}

}  // namespace steelyard::ui

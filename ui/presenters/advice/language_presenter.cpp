// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/language_presenter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

using advisor::Fits;
using advisor::LanguagePrediction;
using advisor::OfferKind;
using advisor::ServingOffer;
using advisor::TuningOffer;
using Method = advisor::FineTuning::Method;

constexpr std::array kOfferKinds{OfferKind::Rent, OfferKind::Buy, OfferKind::Api};
constexpr double kGib = 1024.0 * 1024 * 1024, kMillion = 1e6;
constexpr double kDaysOfAMonth = 365.0 / 12;
constexpr double kSecondsOfAnHour = 3600;
constexpr std::size_t kMostCapacities = 5;
constexpr double kCapacityInSight = 1.4;  // relative to the largest bar
constexpr int kMostReasonsOfCard = 2;

QString byteText(double bytes) {
    return Format::bytes(static_cast<std::int64_t>(std::clamp(bytes, 0.0, 9.2e18)));
}

QString deviceName(const LanguagePrediction& one) {
    return one.id == "own/cpu" ? LanguagePresenter::tr("this computer's processor") : plain(one.name);
}

TableCell numberCell(const QString& text, double sortBy) {
    return {text, {}, sortBy, {}};
}

TableCell missingCell(const QString& reason = {}) {
    return {Format::unknown(), reason, {}, {}};
}

TableCell countCell(const std::optional<double>& count) {
    if (!count) return missingCell();
    return numberCell(Format::integer(static_cast<std::int64_t>(std::min(*count, 1e15))), *count);
}

TableCell fitsCell(bool fits, const QString& hover = {}) {
    return {fits ? LanguagePresenter::tr("yes") : LanguagePresenter::tr("no"), hover, fits ? 1.0 : 0.0,
            fits ? Tone::Good : Tone::Bad};
}

// Two cells: tokens per second and their range, if the model fits.
void addSpeed(TableRow& row, const LanguagePrediction& one) {
    const auto& speed = one.tokensPerSecond;
    if (one.fits == Fits::Yes && one.hasSpeed()) {
        auto cell = numberCell(Format::number(speed.median), speed.median);
        if (one.basis == advisor::Basis::Measured) cell.hover = LanguagePresenter::tr("measured on this computer");
        if (one.basis == advisor::Basis::Anchored)
            cell.hover = LanguagePresenter::tr("predicted from other language models measured on this computer");
        row.cells.push_back(std::move(cell));
        row.cells.push_back(numberCell(Format::range(speed.low, speed.high), speed.median));
        return;
    }
    const auto why =
        one.hasSpeed() ? LanguagePresenter::tr("does not fit") : MessageText::text(advisor::messageOf(one.refusal));
    row.cells.insert(row.cells.end(), 2, missingCell(why));
}

QString waitText(double hours) {
    return Format::wait(hours * kSecondsOfAnHour);
}

QString waitRangeText(const advisor::Interval& hours) {
    return Format::waitRangeBeside(hours.median * kSecondsOfAnHour, hours.low * kSecondsOfAnHour,
                                   hours.high * kSecondsOfAnHour);
}

ChartPoint predictedPoint(double y) {
    ChartPoint point;
    point.basis = Basis::Predicted;
    point.y = y;
    return point;
}

}  // namespace

QString LanguagePresenter::task(LanguageTask task) {
    switch (task) {
        case LanguageTask::Chat:
            return tr("Chat with a language model");
        case LanguageTask::Serve:
            return tr("Serve a language model");
        case LanguageTask::FineTune:
            return tr("Fine-tune a language model");
        case LanguageTask::Fit:
            return tr("Does it fit?");
    }
    return {};
}

QString LanguagePresenter::method(Method method) {
    switch (method) {
        case Method::Full:
            return tr("all weights, mixed precision");
        case Method::FullBf16:
            return tr("all weights, bf16");
        case Method::Lora:
            return QStringLiteral("LoRA");
        case Method::Qlora:
            return QStringLiteral("QLoRA");
    }
    return {};
}

QString LanguagePresenter::model() const {
    return tr("%1 as %2", "model, format of its weights")
        .arg(plain(m_answer.job.model.spec.title), plain(m_answer.job.weights->title));
}

const ServingOffer* LanguagePresenter::best(OfferKind kind) const {
    const auto& offers = m_answer.advice.offers;
    const auto found = std::find_if(offers.begin(), offers.end(),
                                    [&](const ServingOffer& one) { return one.kind == kind && one.possible(); });
    return found == offers.end() ? nullptr : &*found;
}

template <typename Offer>
QString LanguagePresenter::device(const Offer& offer) const {
    const auto found = m_answer.deviceNames.find(offer.hardware);
    const auto title = found == m_answer.deviceNames.end() ? plain(offer.hardware) : plain(found->second);
    return offer.devices > 1 ? QStringLiteral("%1 × %2").arg(Format::integer(static_cast<int>(offer.devices)), title)
                             : title;
}

template <typename Offer>
QString LanguagePresenter::name(const Offer& offer) const {
    if (offer.kind != OfferKind::Buy) return plain(offer.title);
    return offer.id.ends_with("+used") ? tr("%1, used").arg(plain(offer.title)) : plain(offer.title);
}

QString LanguagePresenter::verdict() const {
    switch (m_answer.question.task) {
        case LanguageTask::Chat:
        case LanguageTask::Serve:
            return servingVerdict();
        case LanguageTask::FineTune:
            return tuningVerdict();
        case LanguageTask::Fit:
            return fitVerdict();
    }
    return {};
}

QString LanguagePresenter::servingVerdict() const {
    const auto& offers = m_answer.advice.offers;
    if (offers.empty() || !offers.front().possible())
        return tr("No machine and no API can do this: loosen a limit, or choose a smaller model or format.");
    const auto& first = offers.front();
    const auto month = Format::money(first.usdPerMonth.median);
    const auto range = Format::moneyRange(first.usdPerMonth.low, first.usdPerMonth.high);
    const auto million = Format::money(first.usdPerMillion);
    QStringList sentences;
    switch (first.kind) {
        case OfferKind::Buy:
            sentences << tr("Buy %1: about %2 a month (%3), %4 per million tokens, at about %5 tokens/s for each user.")
                             .arg(name(first), month, range, million, Format::number(first.userTokensPerSecond));
            break;
        case OfferKind::Rent:
            sentences << tr("Rent %1 (%6): about %2 a month (%3), %4 per million tokens, at about %5 tokens/s for each "
                            "user.")
                             .arg(name(first), month, range, million, Format::number(first.userTokensPerSecond),
                                  device(first));
            break;
        case OfferKind::Api:
            sentences
                << tr("Use the API of %1: about %2 a month, %3 per million tokens.").arg(name(first), month, million);
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

QString LanguagePresenter::fitVerdict() const {
    const auto& devices = m_answer.devices;
    const auto fits = [](const LanguagePrediction& one) { return one.fits == Fits::Yes; };
    const auto count = std::count_if(devices.begin(), devices.end(), fits);
    // The driver also needs memory of a card; shared memory already excludes that of the system.
    const auto most = byteText(m_answer.memory.total());
    const auto least = byteText(m_answer.memory.total() - m_answer.memory.context);
    const auto context = Format::integer(static_cast<std::int64_t>(m_answer.job.context));
    const auto need =
        tr("%1 needs %2 at a context of %3 tokens, %4 on a graphics card.").arg(model(), least, context, most);
    const LanguagePrediction* smallest = nullptr;
    for (const auto& one : devices)
        if (fits(one) && (smallest == nullptr || *one.availableBytes < *smallest->availableBytes)) smallest = &one;
    if (smallest == nullptr) return need + QLatin1Char(' ') + tr("No device in the catalogue holds it alone.");
    return need + QLatin1Char(' ') +
           tr("It fits on %1 of %2 devices; the smallest is %3.")
               .arg(Format::integer(count), Format::integer(static_cast<std::int64_t>(devices.size())),
                    deviceName(*smallest));
}

const advisor::FineTuningMemory* LanguagePresenter::tuned() const {
    for (const auto& [one, memory] : m_answer.methods)
        if (one == m_answer.question.tuning.method) return &memory;
    return nullptr;
}

QString LanguagePresenter::tuningVerdict() const {
    const auto* memory = tuned();
    if (memory == nullptr) return {};
    const auto need = tr("Fine-tuning %1 (%2) needs about %3 of memory and trains %4 parameters.")
                          .arg(plain(m_answer.job.model.spec.title), method(m_answer.question.tuning.method),
                               byteText(memory->total()), Format::count(memory->trained));
    const auto* rent = m_answer.tuningAdvice.cheapest(OfferKind::Rent);
    const auto* buy = m_answer.tuningAdvice.cheapest(OfferKind::Buy);
    if (rent == nullptr && buy == nullptr)
        return need + QLatin1Char(' ') + tr("No machine for rent and no device for sale can do it.");
    const auto tokens = Format::count(m_answer.tuningRequest.tokens);
    QStringList sentences{need};
    if (rent != nullptr)
        sentences << tr("For %1 tokens, rent %2 (%3): about %4 (%5) and %6.")
                         .arg(tokens, name(*rent), device(*rent), waitText(rent->hours.median),
                              waitRangeText(rent->hours), Format::money(rent->usd.median));
    if (buy != nullptr)
        sentences << tr("On %1, bought, it takes about %2 (%3) and %4 of its price and electricity.")
                         .arg(name(*buy), waitText(buy->hours.median), waitRangeText(buy->hours),
                              Format::money(buy->usd.median));
    return sentences.join(QLatin1Char(' '));
}

const TuningOffer* LanguagePresenter::fastestTuning() const {
    for (const auto& offer : m_answer.tuningAdvice.offers)
        if (offer.possible() && offer.id == m_answer.tuningAdvice.fastest) return &offer;
    return nullptr;
}

QString LanguagePresenter::tuningSensitivity() const {
    QStringList sentences;
    if (const auto* fastest = fastestTuning())
        sentences << tr("The fastest is %1: %2 for %3.")
                         .arg(name(*fastest), waitText(fastest->hours.median), Format::money(fastest->usd.median));
    if (const auto& jobs = m_answer.tuningAdvice.jobsUntilPurchasePays)
        sentences << tr("Buying costs less than renting after %1 such jobs.")
                         .arg(Format::integer(static_cast<std::int64_t>(std::ceil(std::min(*jobs, 1e15)))));
    return sentences.join(QLatin1Char(' '));
}

QString LanguagePresenter::sensitivity() const {
    QStringList sentences;
    const auto& task = m_answer.question.task;
    if (m_answer.isBeyondTraining)
        sentences << tr("The model was trained for a context of %1 tokens.")
                         .arg(Format::integer(m_answer.job.model.spec.contextLength));
    if (!m_answer.unread.empty()) {
        QStringList names;
        for (const auto& one : m_answer.unread) names << plain(one);
        sentences << tr("Not used of the file: %1.").arg(names.join(QStringLiteral(", ")));
    }
    if (task == LanguageTask::FineTune) sentences << tuningSensitivity();
    if (task != LanguageTask::Chat && task != LanguageTask::Serve) return sentences.join(QLatin1Char(' '));
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
        return found == advice.offers.end() ? plain(id) : name(*found);
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

QString LanguagePresenter::footing() const {
    if (m_answer.question.task == LanguageTask::FineTune)
        return tr(
            "Memory is estimated from the shape of the model. Speeds are predicted from published ones of few "
            "devices, with 80 % prediction ranges; nothing was measured here.");
    const auto speeds = tr(
        "Every speed is predicted from published measurements, with 80 % prediction ranges; none was measured here.");
    if (m_answer.question.task == LanguageTask::Fit) {
        const bool known = std::ranges::any_of(m_answer.devices, [](const LanguagePrediction& one) {
            return one.hasSpeed() && one.basis != advisor::Basis::Extrapolated;
        });
        return known
                   ? tr("Speeds are predicted from published measurements, with 80 % prediction ranges; those of this "
                        "computer's processor also from what was measured here.")
                   : speeds;
    }
    std::string oldest, newest;
    for (const auto& offer : m_answer.advice.offers) {
        if (!offer.possible() || offer.priceDate.empty()) continue;
        if (oldest.empty() || offer.priceDate < oldest) oldest = offer.priceDate;
        newest = std::max(newest, offer.priceDate);
    }
    if (oldest.empty()) return speeds;
    return speeds + QLatin1Char(' ') +
           tr("Prices from %1 to %2: check them.").arg(Format::isoDate(oldest), Format::isoDate(newest));
}

std::vector<ChoiceCard> LanguagePresenter::tuningChoices() const {
    std::vector<ChoiceCard> cards;
    const auto add = [&](const QString& heading, const TuningOffer* offer) {
        if (offer == nullptr) return;
        ChoiceCard card;
        card.heading = heading;
        card.key = plain(offer->id);
        card.machine = name(*offer);
        if (offer->kind == OfferKind::Rent) card.device = device(*offer);
        card.cost = Format::money(offer->usd.median);
        card.costBand = Format::moneyRange(offer->usd.low, offer->usd.high);
        card.time = waitText(offer->hours.median);
        card.timeBand = waitRangeText(offer->hours);
        card.label = tr("estimate, price from %1").arg(Format::isoDate(offer->priceDate));
        card.chosen = offer == &m_answer.tuningAdvice.offers.front();
        card.reasons << tr("%1 tokens/s").arg(Format::number(offer->tokensPerSecond.median));
        if (offer->lowConfidence) card.reasons << tr("low confidence");
        for (const auto& reason : offer->reasons)
            if (card.reasons.size() <= kMostReasonsOfCard) card.reasons << MessageText::text(reason);
        cards.push_back(std::move(card));
    };
    const auto* rent = m_answer.tuningAdvice.cheapest(OfferKind::Rent);
    const auto* buy = m_answer.tuningAdvice.cheapest(OfferKind::Buy);
    const auto* fastest = fastestTuning();
    add(tr("Rent"), rent);
    add(tr("Buy"), buy);
    if (fastest != rent && fastest != buy) add(tr("Fastest"), fastest);
    std::ranges::stable_sort(cards, {}, [](const ChoiceCard& card) { return !card.chosen; });
    return cards;
}

std::vector<ChoiceCard> LanguagePresenter::choices() const {
    if (m_answer.question.task == LanguageTask::FineTune) return tuningChoices();
    std::vector<ChoiceCard> cards;
    const auto& offers = m_answer.advice.offers;
    for (const auto& offer : offers) {
        if (!offer.possible() || best(offer.kind) != &offer) continue;
        ChoiceCard card;
        card.key = plain(offer.id);
        card.machine = name(offer);
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
            if (offer.kind == OfferKind::Rent) card.device = device(offer);
            card.costBand = Format::moneyRange(offer.usdPerMonth.low, offer.usdPerMonth.high);
            card.reasons << million;
            card.time = tr("%1 tokens/s").arg(Format::number(offer.tokensPerSecond.median));
            card.timeBand = tr("%1, %2 users at once")
                                .arg(Format::range(offer.tokensPerSecond.low, offer.tokensPerSecond.high),
                                     Format::integer(std::llround(offer.users.value_or(0))));
            card.label = tr("estimate, price from %1").arg(Format::isoDate(offer.priceDate));
        }
        for (const auto& reason : offer.reasons)
            if (card.reasons.size() <= kMostReasonsOfCard) card.reasons << MessageText::text(reason);
        cards.push_back(std::move(card));
    }
    return cards;
}

TableContent LanguagePresenter::tuningOffers(bool onlyPossible) const {
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
        row.cells.push_back({name(offer)});
        row.cells.push_back({offer.kind == OfferKind::Rent ? tr("Rent") : tr("Buy")});
        if (offer.possible()) {
            row.cells.push_back({Format::money(offer.usd.median),
                                 tr("80 % range: %1").arg(Format::moneyRange(offer.usd.low, offer.usd.high)),
                                 offer.usd.median,
                                 {}});
            row.cells.push_back(numberCell(waitText(offer.hours.median), offer.hours.median));
            row.cells.push_back(numberCell(waitRangeText(offer.hours), offer.hours.median));
            auto speed = numberCell(Format::number(offer.tokensPerSecond.median), offer.tokensPerSecond.median);
            if (offer.lowConfidence) speed.hover = tr("low confidence");
            row.cells.push_back(std::move(speed));
        } else {
            row.cells.insert(row.cells.end(), 4, missingCell());
        }
        row.cells.push_back({device(offer)});
        row.cells.push_back({plain(offer.software)});
        const auto why = MessageText::text(joined(offer.possible() ? offer.reasons : offer.rejectedBecause));
        row.cells.push_back({why, why});
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent LanguagePresenter::offers(bool onlyPossible) const {
    if (m_answer.question.task == LanguageTask::FineTune) return tuningOffers(onlyPossible);
    TableContent content;
    content.columns = {{tr("Offer")},
                       {tr("Kind")},
                       {tr("$ a month"), true},
                       {tr("$ per million tokens"), true},
                       {tr("Tokens/s per user"), true, tr("predicted")},
                       {tr("Users at once"), true},
                       {tr("Machines"), true},
                       {tr("Device")},
                       {tr("Why")}};
    for (const auto& offer : m_answer.advice.offers) {
        if (onlyPossible && !offer.possible()) continue;
        TableRow row;
        row.key = plain(offer.id);
        row.muted = !offer.possible();
        const bool machine = offer.kind != OfferKind::Api;
        row.cells.push_back({name(offer)});
        row.cells.push_back({machine ? offer.kind == OfferKind::Rent ? tr("Rent") : tr("Buy") : tr("API")});
        if (!offer.possible()) {
            for (int column = 0; column < 5; ++column) row.cells.push_back(missingCell());
        } else {
            row.cells.push_back(
                {Format::money(offer.usdPerMonth.median),
                 machine ? tr("80 % range: %1").arg(Format::moneyRange(offer.usdPerMonth.low, offer.usdPerMonth.high))
                         : QString(),
                 offer.usdPerMonth.median,
                 {}});
            row.cells.push_back(numberCell(Format::money(offer.usdPerMillion), offer.usdPerMillion));
            if (machine) {
                row.cells.push_back(numberCell(Format::number(offer.userTokensPerSecond), offer.userTokensPerSecond));
                row.cells.push_back(countCell(offer.users));
                row.cells.push_back(countCell(offer.machines));
            } else {
                for (int column = 0; column < 3; ++column) row.cells.push_back(missingCell());
            }
        }
        row.cells.push_back({machine ? device(offer) : QString()});
        const auto why = MessageText::text(joined(offer.possible() ? offer.reasons : offer.rejectedBecause));
        row.cells.push_back({why, why});
        content.rows.push_back(std::move(row));
    }
    return content;
}

ChartPoint LanguagePresenter::point(const ServingOffer& offer) const {
    auto point = predictedPoint(offer.usdPerMillion);
    point.x = offer.tokensPerSecond.median;
    point.xInterval = ChartInterval{offer.tokensPerSecond.low, offer.tokensPerSecond.high};
    const double millions = m_answer.request.tokensPerMonth / kMillion;
    point.interval = ChartInterval{offer.usdPerMonth.low / millions, offer.usdPerMonth.high / millions};
    point.key = plain(offer.id);
    const bool isBest = best(offer.kind) == &offer;
    const auto title =
        offer.kind == OfferKind::Rent ? QStringLiteral("%1, %2").arg(name(offer), device(offer)) : name(offer);
    if (isBest) {
        point.label = title;
    } else {
        point.note = title;
    }
    return point;
}

ChartSpec LanguagePresenter::timeAgainstCost() const {
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Time against cost");
    chart.subtitle = tr("fine-tuning %1 · %2 tokens · predicted, 80 % prediction ranges")
                         .arg(plain(m_answer.job.model.spec.title), Format::count(m_answer.tuningRequest.tokens));
    chart.emptyText = tr("No machine can do this.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Job duration (hours)"), {}, ChartScale::Logarithmic, {}};
    chart.y = {tr("Job cost"), QStringLiteral("$"), ChartScale::Logarithmic, {}};
    ChartSeries rent{tr("cheapest to rent"), 0}, buy{tr("cheapest to buy"), 1};
    ChartSeries otherRent{tr("other machines for rent"), 0}, otherBuy{tr("other devices for sale"), 1};
    otherRent.faint = otherBuy.faint = true;
    for (const auto& offer : m_answer.tuningAdvice.offers) {
        if (!offer.possible() || offer.usd.median <= 0) continue;
        const bool isBest = m_answer.tuningAdvice.cheapest(offer.kind) == &offer;
        auto one = predictedPoint(offer.usd.median);
        one.x = offer.hours.median;
        one.xInterval = ChartInterval{offer.hours.low, offer.hours.high};
        one.interval = ChartInterval{offer.usd.low, offer.usd.high};
        one.key = plain(offer.id);
        const auto title =
            offer.kind == OfferKind::Rent ? QStringLiteral("%1, %2").arg(name(offer), device(offer)) : name(offer);
        (isBest ? one.label : one.note) = title;
        auto& series = offer.kind == OfferKind::Rent ? (isBest ? rent : otherRent) : (isBest ? buy : otherBuy);
        series.points.push_back(std::move(one));
    }
    for (auto* series : {&rent, &buy, &otherRent, &otherBuy})
        if (!series->points.empty()) chart.series.push_back(std::move(*series));
    return chart;
}

ChartSpec LanguagePresenter::speedAgainstCost() const {
    if (m_answer.question.task == LanguageTask::FineTune) return timeAgainstCost();
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Speed against cost");
    chart.subtitle = tr("%1 · predicted, 80 % prediction ranges").arg(model());
    chart.emptyText = tr("No machine can do this.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Tokens per second per machine"), {}, ChartScale::Logarithmic, {}};
    chart.y = {tr("Cost per million tokens"), QStringLiteral("$"), ChartScale::Logarithmic, {}};
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
        chart.references.push_back({tr("API: %1").arg(name(*api)), api->usdPerMillion});
    return chart;
}

ChartSpec LanguagePresenter::costByLoad() const {
    constexpr int kPoints = 49;
    constexpr double kDecades = 2;  // on either side of the requested load
    ChartSpec chart;
    chart.kind = ChartKind::Lines;
    chart.title = tr("Cost by load");
    chart.subtitle = tr("%1 · predicted, 80 % prediction ranges").arg(model());
    chart.emptyText = tr("No machine and no API can do this.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Tokens per day"), {}, ChartScale::Logarithmic, {}};
    chart.y = {tr("Cost per month"), QStringLiteral("$"), ChartScale::Logarithmic, {}};
    const double asked = m_answer.request.tokensPerMonth;
    int colour = 0;
    for (const auto kind : kOfferKinds) {
        const auto* offer = best(kind);
        ++colour;
        if (offer == nullptr) continue;
        const auto words = kind == OfferKind::Rent  ? tr("rent: %1")
                           : kind == OfferKind::Buy ? tr("buy: %1")
                                                    : tr("API: %1");
        ChartSeries line{words.arg(name(*offer)), colour - 1};
        line.unmarked = true;
        for (int i = 0; i < kPoints; ++i) {
            const double tokens = asked * std::pow(10, kDecades * (2.0 * i / (kPoints - 1) - 1));
            const auto usd = advisor::usdPerMonthAt(*offer, tokens);
            auto point = predictedPoint(usd.median);
            point.x = tokens / kDaysOfAMonth;
            if (kind != OfferKind::Api) point.interval = ChartInterval{usd.low, usd.high};
            if (kind == OfferKind::Api) point.basis = Basis::Imported;
            line.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(line));
    }
    if (!chart.series.empty()) chart.references.push_back({tr("your load"), asked / kDaysOfAMonth, true});
    return chart;
}

TableContent LanguagePresenter::devices() const {
    TableContent content;
    content.columns = {{tr("Device")},
                       {tr("Fits")},
                       {tr("Usable"), true},
                       {tr("Tokens/s"), true, tr("predicted, all sequences together")},
                       {tr("80 % range"), true},
                       {tr("Longest context"), true},
                       {tr("Most sequences"), true},
                       {tr("Layers on it"), true, tr("the rest in the computer's memory")},
                       {tr("Software")}};
    auto sorted = m_answer.devices;
    std::ranges::stable_sort(sorted, {}, [](const LanguagePrediction& one) {
        return std::pair(one.fits != Fits::Yes, one.fits == Fits::Yes ? *one.availableBytes : -*one.availableBytes);
    });
    for (const auto& one : sorted) {
        TableRow row;
        row.key = plain(one.id);
        const bool fits = one.fits == Fits::Yes;
        row.muted = !fits;
        row.cells.push_back({deviceName(one)});
        row.cells.push_back(fitsCell(fits, tr("needs %1").arg(byteText(one.memory.total()))));
        row.cells.push_back(numberCell(byteText(*one.availableBytes), *one.availableBytes));
        addSpeed(row, one);
        row.cells.push_back(countCell(one.largestContext));
        row.cells.push_back(countCell(one.largestBatch));
        row.cells.push_back(countCell(one.layersOnDevice));
        row.cells.push_back({plain(one.software)});
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent LanguagePresenter::models() const {
    TableContent content;
    content.columns = {{tr("Model")},
                       {tr("Parameters"), true},
                       {tr("Fits")},
                       {tr("Needs"), true},
                       {tr("Tokens/s"), true, tr("predicted, all sequences together")},
                       {tr("80 % range"), true},
                       {tr("Longest context"), true}};
    for (const auto& [model, one] : m_answer.models) {
        TableRow row;
        row.key = plain(model.id);
        const bool fits = one.fits == Fits::Yes;
        row.muted = !fits;
        row.cells.push_back({plain(model.title)});
        row.cells.push_back(numberCell(Format::count(model.parameters), model.parameters));
        row.cells.push_back(fitsCell(fits));
        row.cells.push_back(numberCell(byteText(one.memory.total()), one.memory.total()));
        addSpeed(row, one);
        row.cells.push_back(countCell(one.largestContext));
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent LanguagePresenter::holders() const {
    TableContent content;
    content.columns = {{tr("Device")},           {tr("Fits")},
                       {tr("Usable"), true},     {tr("Tokens/s"), true, tr("predicted")},
                       {tr("80 % range"), true}, {tr("Time"), true, tr("of the job; predicted")},
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
        row.cells = {{one.id == "own/cpu" ? tr("this computer's processor") : plain(one.name)},
                     fitsCell(fits, tr("needs %1").arg(byteText(one.neededBytes()))),
                     numberCell(byteText(*one.availableBytes), *one.availableBytes)};
        const auto& speed = one.tokensPerSecond;
        if (fits && one.hasSpeed()) {
            auto cell = numberCell(Format::number(speed.median), speed.median);
            if (one.lowConfidence) cell.hover = tr("low confidence");
            row.cells.push_back(std::move(cell));
            row.cells.push_back(numberCell(Format::range(speed.low, speed.high), speed.median));
            const double hours = m_answer.tuningRequest.tokens / speed.median / kSecondsOfAnHour;
            row.cells.push_back(numberCell(waitText(hours), hours));
        } else {
            const auto why = one.hasSpeed() ? tr("does not fit") : MessageText::text(advisor::messageOf(one.refusal));
            row.cells.insert(row.cells.end(), 3, missingCell(why));
        }
        row.cells.push_back({plain(one.software)});
        content.rows.push_back(std::move(row));
    }
    return content;
}

ChartSpec LanguagePresenter::memory() const {
    ChartSpec chart;
    chart.kind = ChartKind::StackedBars;
    chart.title = tr("Memory");
    chart.y = {tr("Memory"), QStringLiteral("GiB"), ChartScale::Linear, {}};
    double largest = 0;
    const auto stack = [&](const std::vector<std::pair<QString, std::vector<double>>>& parts) {
        int colour = 0;
        for (const auto& [words, values] : parts) {
            ChartSeries series{words, colour++};
            for (const double bytes : values) series.points.push_back(predictedPoint(bytes / kGib));
            chart.series.push_back(std::move(series));
        }
    };
    if (m_answer.question.task == LanguageTask::FineTune) {
        const auto& tuning = m_answer.question.tuning;
        chart.subtitle =
            tr("fine-tuning %1 · steps of %2 tokens · estimated")
                .arg(plain(m_answer.job.model.spec.title), Format::integer(static_cast<std::int64_t>(tuning.tokens)));
        std::vector<std::pair<QString, std::vector<double>>> parts{{tr("base weights"), {}},
                                                                   {tr("trained weights and optimiser"), {}},
                                                                   {tr("activations"), {}},
                                                                   {tr("logits"), {}}};
        for (const auto& [one, memory] : m_answer.methods) {
            chart.categories << method(one);
            const double values[] = {memory.base, memory.optimiser, memory.activations, memory.logits};
            for (std::size_t i = 0; i < parts.size(); ++i) parts[i].second.push_back(values[i]);
            largest = std::max(largest, memory.total());
        }
        stack(parts);
    } else {
        chart.subtitle = tr("%1 · context of %2 tokens · computed from the shape of the model")
                             .arg(plain(m_answer.job.model.spec.title),
                                  Format::integer(static_cast<std::int64_t>(m_answer.job.context)));
        std::vector<std::pair<QString, std::vector<double>>> parts{
            {tr("weights"), {}}, {tr("cache"), {}}, {tr("working space"), {}}, {tr("driver"), {}}};
        for (const auto& [format, memory] : m_answer.formats) {
            chart.categories << plain(format);
            const double values[] = {memory.weights, memory.cache, memory.working, memory.context};
            for (std::size_t i = 0; i < parts.size(); ++i) parts[i].second.push_back(values[i]);
            largest = std::max(largest, memory.total());
        }
        stack(parts);
    }
    // Memory of devices: always this computer's, and as many others as are distinguishable.
    std::vector<MemoryCapacity> shown;
    for (const auto& one : m_answer.capacities)
        if (!one.own && one.bytes <= kCapacityInSight * largest) shown.push_back(one);
    const auto gap = [&](std::size_t i) { return shown[i].bytes / shown[i - 1].bytes; };
    while (shown.size() > kMostCapacities) {  // drop the one closest to its smaller neighbour
        std::size_t closest = 1;
        for (std::size_t i = 2; i < shown.size(); ++i)
            if (gap(i) < gap(closest)) closest = i;
        shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(closest));
    }
    for (const auto& one : shown)
        chart.references.push_back(
            {QStringLiteral("%1, %2").arg(byteText(one.bytes), plain(one.name)), one.bytes / kGib});
    for (const auto& one : m_answer.capacities) {
        if (!one.own) continue;
        const auto label = one.name.empty() ? tr("this computer's memory: %1").arg(byteText(one.bytes))
                                            : tr("this computer's %2: %1").arg(byteText(one.bytes), plain(one.name));
        if (one.bytes <= kCapacityInSight * largest) {
            chart.references.push_back({label, one.bytes / kGib});
        } else {
            chart.subtitle += QStringLiteral(" · ") + label;
        }
    }
    return chart;
}

}  // namespace steelyard::ui

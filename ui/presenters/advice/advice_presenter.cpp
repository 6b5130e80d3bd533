// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/advice/advice_presenter.h"

#include <algorithm>
#include <map>

#include "engine/advisor/rank/headline.h"
#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {
namespace {

using advisor::Candidate;
using advisor::Interval;

constexpr std::size_t kMostReasons = 2;  // per card

QString wait(double hours) {
    return Format::wait(hours * 3600);
}
QString waitRange(const Interval& hours) {
    return Format::waitRangeBeside(hours.median * 3600, hours.low * 3600, hours.high * 3600);
}
QString moneyRange(const Interval& usd) {
    return Format::moneyRange(usd.low, usd.high);
}

bool isPriced(const Candidate& candidate) {
    return candidate.prediction.hasTime() && candidate.usdPerHour.has_value();
}

QString capitalised(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}
// For use within a sentence; no effect in Chinese.
QString lowered(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toLower();
    return text;
}

TableCell number(const QString& text, double sortBy) {
    return {text, {}, sortBy, {}};
}

TableCell unknownCell(const QString& reason) {
    return {Format::unknown(), reason, {}, {}};
}

}  // namespace

QString AdvicePresenter::job() const {
    const auto& q = m_answer.question;
    const auto title = m_answer.workloadTitle.empty() ? q.workload : m_answer.workloadTitle;
    return (q.mode == plan::Mode::Train ? tr("%1 %2, batch %3, %4") : tr("%1 with %2, batch %3, %4"))
        .arg(StatusText::mode(q.mode), plain(title), Format::integer(q.batch), plain(plan::toString(q.precision)));
}

QString AdvicePresenter::machine(const Candidate& candidate) const {
    return AdviceText::machine(candidate.title);
}

QString AdvicePresenter::device(const Candidate& candidate) const {
    const auto found = m_answer.deviceNames.find(candidate.hardware);
    if (candidate.own || found == m_answer.deviceNames.end()) return {};
    if (candidate.devices == 1) return plain(found->second);
    return QStringLiteral("%1 × %2").arg(QLocale().toString(candidate.devices, 'g', 4), plain(found->second));
}

const Candidate* AdvicePresenter::chosen() const {
    return m_advice.chosen ? &m_advice.candidates[*m_advice.chosen] : nullptr;
}

// The fastest of the user's devices that can do the job.
const Candidate* AdvicePresenter::own() const {
    const Candidate* best = nullptr;
    for (const auto& candidate : m_advice.candidates) {
        if (!candidate.own || !candidate.prediction.hasTime() || candidate.prediction.fits == advisor::Fits::No)
            continue;
        if (!best || candidate.hours.median < best->hours.median) best = &candidate;
    }
    return best;
}

// The rental compared with buying: the choice, or the best rental.
const Candidate* AdvicePresenter::rented() const {
    return advisor::rentedFirst(m_advice);
}

bool AdvicePresenter::isChoice(const Candidate& candidate) const {
    const auto is = [&](const std::optional<std::size_t>& index) {
        return index && &m_advice.candidates[*index] == &candidate;
    };
    return is(m_advice.choices.cheapest) || is(m_advice.choices.fastest) || is(m_advice.choices.balanced);
}

QString AdvicePresenter::noChoice() const {
    std::map<advisor::ReasonKind, int> counts;
    for (const auto& candidate : m_advice.candidates) {
        if (!candidate.rejectedBecause.empty()) ++counts[candidate.rejectedBecause.front().kind];
    }
    using Kind = advisor::ReasonKind;
    QStringList parts;
    const auto add = [&](Kind kind, const QString& text) {
        if (counts[kind] > 0) parts << text;
    };
    add(Kind::DoesNotFit, tr("%n lack(s) memory", nullptr, counts[Kind::DoesNotFit]));
    add(Kind::OverBudget, tr("%n is/are over the budget", nullptr, counts[Kind::OverBudget]));
    add(Kind::OverDeadline, tr("%n is/are too slow for the deadline", nullptr, counts[Kind::OverDeadline]));
    add(Kind::ProviderExcluded, tr("%n belong(s) to other providers", nullptr, counts[Kind::ProviderExcluded]));
    add(Kind::SpotExcluded, tr("%n is/are spot offers", nullptr, counts[Kind::SpotExcluded]));
    add(Kind::Refused, tr("%n cannot be predicted", nullptr, counts[Kind::Refused]));
    const auto list = parts.join(tr(", "));
    return tr("No machine can do this job within these limits: %1. Loosen a limit, or choose a smaller batch.")
        .arg(list);
}

QString AdvicePresenter::verdict() const {
    const auto* best = chosen();
    if (!best) return noChoice();
    const auto name = device(*best).isEmpty() ? machine(*best) : tr("%1 (%2)").arg(machine(*best), device(*best));
    const auto band = waitRange(best->hours);
    const auto cost = Format::money(best->costUsd.median);
    const auto costBand = moneyRange(best->costUsd);
    QString first;
    if (best->own && best->costUsd.median == 0) {
        first = tr("Use %1: %2 takes about %3 (%4) and there is nothing to pay.")
                    .arg(name, lowered(job()), wait(best->hours.median), band);
    } else if (best->own) {
        first = tr("Use %1: %2 takes about %3 (%4) and %5 (%6) of electricity.")
                    .arg(name, lowered(job()), wait(best->hours.median), band, cost, costBand);
    } else if (advisor::ownIsEnough(m_advice)) {
        first =
            tr("%1 %2", "two sentences")
                .arg(noNeedToRent(), tr("The best to rent is %1: %2 takes about %3 (%4) and costs %5 (%6).")
                                         .arg(name, lowered(job()), wait(best->hours.median), band, cost, costBand));
    } else {
        first = tr("Rent %1: %2 takes about %3 (%4) and costs %5 (%6).")
                    .arg(name, lowered(job()), wait(best->hours.median), band, cost, costBand);
    }
    const auto second = secondSentence();
    return second.isEmpty() ? first : tr("%1 %2", "two sentences").arg(first, second);
}

QString AdvicePresenter::noNeedToRent() const {
    const auto& own = *advisor::ownIsEnough(m_advice);
    const auto& instead = *own.instead;
    const auto& q = m_answer.question;
    const auto title = plain(m_answer.workloadTitle.empty() ? q.workload : m_answer.workloadTitle);
    const auto what = (q.mode == plan::Mode::Train ? tr("%1 %2", "training, network") : tr("%1 with %2"))
                          .arg(lowered(StatusText::mode(q.mode)), title);
    const auto text =
        instead.software == q.software
            ? tr("No need to rent for %1: %2 takes about %3 (%4), in %5, batch %6.")
            : tr("No need to rent for %1: %2 takes about %3 (%4), in %5, batch %6, with Steelyard itself.");
    return text.arg(what, machine(own), wait(instead.hours.median), waitRange(instead.hours),
                    plain(plan::toString(instead.precision)), Format::integer(instead.batch));
}

QString AdvicePresenter::secondSentence() const {
    const auto* best = chosen();
    if (advisor::ownIsEnough(m_advice)) return {};  // was said first
    if (best->own) {
        const auto& fastest = m_advice.choices.fastest;
        if (!fastest || m_advice.candidates[*fastest].own) return {};
        const auto& other = m_advice.candidates[*fastest];
        return tr("The fastest to rent, %1, would take %2 for %3.")
            .arg(machine(other), wait(other.hours.median), Format::money(other.costUsd.median));
    }
    if (!m_answer.question.ownComputer) return {};
    const auto* mine = own();
    if (!mine) return ownLeftOut();
    const double ratio = mine->hours.median / best->hours.median;
    if (ratio < 1) return tr("This computer would take %1.").arg(wait(mine->hours.median));
    return tr("This computer would take %1: %2 as long.").arg(wait(mine->hours.median), Format::times(ratio));
}

// Why the user's device is excluded, and what it would take otherwise.
QString AdvicePresenter::ownLeftOut() const {
    const auto found = std::ranges::find_if(m_advice.candidates,
                                            [](const Candidate& c) { return c.own && !c.rejectedBecause.empty(); });
    if (found == m_advice.candidates.end()) return {};
    const auto reason = AdviceText::reason(found->rejectedBecause.front());
    const auto name = capitalised(machine(*found));
    if (!found->instead) return tr("%1 is left out: %2.").arg(name, reason);
    const auto& instead = *found->instead;
    const auto basis = AdviceText::name(instead.prediction.basis);
    const auto how = tr("%1, batch %2", "precision, batch")
                         .arg(plain(plan::toString(instead.precision)), Format::integer(instead.batch));
    const auto otherwise = instead.software == m_answer.question.software
                               ? tr("in %1 it would take %2 (%3)")
                               : tr("with Steelyard itself, in %1, it would take %2 (%3)");
    return tr("%1 is left out (%2); %3.").arg(name, reason, otherwise.arg(how, wait(instead.hours.median), basis));
}

QString AdvicePresenter::sensitivity() const {
    if (!chosen()) return {};
    const auto& s = m_advice.sensitivity;
    QStringList parts;
    const auto other = [](const std::string& title) { return AdviceText::machine(title); };
    if (s.priceFactor) {
        parts << tr("its price rises more than %1 (then take %2)")
                     .arg(Format::percent(*s.priceFactor - 1), other(s.priceThen));
    }
    if (s.timeFactor) {
        parts << tr("it runs more than %1 slower than predicted (then take %2)")
                     .arg(Format::percent(*s.timeFactor - 1), other(s.timeThen));
    }
    if (parts.isEmpty()) return tr("It stays the best choice whatever its price or time.");
    return tr("It stays the best choice unless %1.").arg(parts.join(tr(" or ")));
}

QString AdvicePresenter::weights() const {
    const auto& s = m_advice.sensitivity;
    if (!chosen() || (!s.weightBelow && !s.weightAbove)) return {};
    const auto low = s.weightBelow ? Format::number(*s.weightBelow) : QStringLiteral("0");
    return s.weightAbove
               ? tr("The choice is the same for time weights from %1 to %2.").arg(low, Format::number(*s.weightAbove))
               : tr("The choice is the same for time weights above %1.").arg(low);
}

QString AdvicePresenter::footing() const {
    QStringList parts;
    parts << tr("Estimates; in brackets are 80 % prediction ranges.");
    parts << (m_answer.ownMeasurements > 0
                  ? tr("Calibrated with %n of your measurement(s).", nullptr,
                       static_cast<int>(m_answer.ownMeasurements))
                  : tr("No measurements by this program yet: run the benchmark to narrow the intervals."));
    if (const auto rate = Format::rateSentence(); !rate.isEmpty()) parts << rate;
    const auto* best = chosen();
    if (best && !best->own && !priceCaution().isEmpty()) return parts.join(QLatin1Char(' '));
    if (best && !best->own) {
        parts << tr("Price from %1.").arg(Format::isoDate(best->priceDate));
    } else {
        parts << tr("Prices collected on %1.").arg(Format::isoDate(m_answer.collected));
    }
    return parts.join(QLatin1Char(' '));
}

QString AdvicePresenter::priceCaution() const {
    const auto* best = chosen();
    if (!best || best->own || !best->priceAgeDays) return {};
    const int days = *best->priceAgeDays;
    if (days <= m_answer.request.oldPriceDays) return {};
    return tr("The price is from %1, %2 days ago: look it up before you decide.")
        .arg(Format::isoDate(best->priceDate), Format::integer(days));
}

QString AdvicePresenter::priceSource() const {
    const auto* best = chosen();
    if (!best || best->own || best->priceSource.empty()) return {};
    return tr("Source of the price: %1").arg(MessageText::text(best->priceSource));
}

std::vector<ChoiceCard> AdvicePresenter::choices() const {
    std::vector<ChoiceCard> cards;
    const std::pair<advisor::Priority, std::optional<std::size_t>> wanted[] = {
        {advisor::Priority::Cheapest, m_advice.choices.cheapest},
        {advisor::Priority::Balanced, m_advice.choices.balanced},
        {advisor::Priority::Fastest, m_advice.choices.fastest}};
    for (const auto& [priority, index] : wanted) {
        if (!index) continue;
        const auto& candidate = m_advice.candidates[*index];
        ChoiceCard card;
        card.heading = AdviceText::name(priority);
        card.machine = machine(candidate);
        card.device = device(candidate);
        card.time = wait(candidate.hours.median);
        card.timeBand = waitRange(candidate.hours);
        card.cost = Format::money(candidate.costUsd.median);
        card.costBand = moneyRange(candidate.costUsd);
        card.label = capitalised(AdviceText::name(candidate.prediction.basis));
        card.key = plain(candidate.id);
        card.chosen = m_advice.chosen == index;
        for (const auto& reason : candidate.reasons) {
            using Kind = advisor::ReasonKind;
            // Redundant with the heading and the interval; and each choice is on the front.
            const bool said = reason.kind == Kind::Cheapest || reason.kind == Kind::Fastest ||
                              reason.kind == Kind::BestBalance || reason.kind == Kind::UncertainPrediction ||
                              reason.kind == Kind::OnPareto;
            if (!said && static_cast<std::size_t>(card.reasons.size()) < kMostReasons)
                card.reasons << capitalised(AdviceText::reason(reason));
        }
        cards.push_back(std::move(card));
    }
    return cards;
}

QString AdvicePresenter::why(const Candidate& candidate, int most, const QString& between) const {
    QStringList parts;
    for (const auto& reason : candidate.rejectedBecause) parts << AdviceText::reason(reason);
    for (const auto& reason : candidate.reasons) parts << AdviceText::reason(reason);
    const auto text = parts.mid(0, most).join(between.isEmpty() ? tr("; ") : between);
    return between.isEmpty() || text.isEmpty() ? text : QStringLiteral("• ") + text;
}

TableContent AdvicePresenter::table(bool onlyPossible, int mostReasons) const {
    TableContent content;
    const auto band = tr("In brackets the 80 % prediction range");
    content.columns = {
        {tr("Machine"), false, {}},
        {tr("Time (estimate)"), true, tr("Whole job, including the machine's start-up.") + QLatin1Char('\n') + band},
        {tr("Cost (estimate)"), true, tr("Price times billed time.") + QLatin1Char('\n') + band},
        {tr("Device"), false, {}},
        {tr("Why"), false, {}},
        {tr("%1/h").arg(Format::currencySymbol()), true, {}},
        {tr("Price date"), false, {}},
        {tr("Basis"), false, {}}};
    // The user's device is always listed, at the top if it is excluded: readers look for it.
    std::vector<const Candidate*> shown;
    const auto isOwnLeftOut = [](const Candidate& c) { return c.own && !c.isViable(); };
    for (const auto& candidate : m_advice.candidates)
        if (isOwnLeftOut(candidate)) shown.push_back(&candidate);
    for (const auto& candidate : m_advice.candidates)
        if (!isOwnLeftOut(candidate) && (candidate.isViable() || !onlyPossible)) shown.push_back(&candidate);
    for (const auto* one : shown) {
        const auto& candidate = *one;
        TableRow row;
        row.key = plain(candidate.id);
        row.muted = !candidate.isViable();
        const auto reason = why(candidate, mostReasons);
        row.cells.push_back(
            {capitalised(machine(candidate)), {}, {}, isChoice(candidate) ? std::optional(Tone::Good) : std::nullopt});
        row.cells.push_back(candidate.prediction.hasTime()
                                ? number(tr("%1 (%2)").arg(wait(candidate.hours.median), waitRange(candidate.hours)),
                                         candidate.hours.median)
                                : unknownCell(reason));
        row.cells.push_back(isPriced(candidate) ? number(tr("%1 (%2)").arg(Format::money(candidate.costUsd.median),
                                                                           moneyRange(candidate.costUsd)),
                                                         candidate.costUsd.median)
                                                : unknownCell(reason));
        row.cells.push_back({device(candidate), {}, {}, {}});
        row.cells.push_back({reason, reason, {}, {}});
        row.cells.push_back(candidate.usdPerHour ? number(Format::money(*candidate.usdPerHour), *candidate.usdPerHour)
                                                 : unknownCell(tr("its price is not known")));
        row.cells.push_back({plain(candidate.priceDate), MessageText::text(candidate.priceSource), {}, {}});
        const auto& bandClass = candidate.prediction.bandClass;
        row.cells.push_back(
            {candidate.prediction.hasTime() ? AdviceText::name(candidate.prediction.basis) : Format::unknown(),
             bandClass ? AdviceText::bandClass(*bandClass) : QString(),
             {},
             {}});
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent AdvicePresenter::priceTable(const std::vector<const Candidate*>& candidates) const {
    TableContent content;
    content.columns = {{tr("Machine"), false, {}}, {tr("%1/h").arg(Format::currencySymbol()), true, {}},
                       {tr("Kind"), false, {}},    {tr("Age"), true, {}},
                       {tr("Date"), false, {}},    {tr("Region"), false, {}},
                       {tr("Source"), false, {}}};
    for (const auto* candidate : candidates) {
        if (candidate->own) continue;
        TableRow row;
        row.key = plain(candidate->id);
        row.cells.push_back({QStringLiteral("%1 %2").arg(plain(candidate->provider), plain(candidate->instance)),
                             device(*candidate),
                             {},
                             {}});
        row.cells.push_back(candidate->usdPerHour
                                ? number(Format::money(*candidate->usdPerHour), *candidate->usdPerHour)
                                : unknownCell(tr("its price is not known")));
        row.cells.push_back({candidate->spot ? tr("spot") : tr("on demand"), {}, {}, {}});
        if (candidate->priceAgeDays) {
            const int days = *candidate->priceAgeDays;
            const bool old = days > m_answer.request.oldPriceDays;
            row.cells.push_back({tr("%n day(s)", nullptr, days),
                                 old ? tr("An old price: look it up before you decide.") : QString(),
                                 static_cast<double>(days), old ? std::optional(Tone::Caution) : std::nullopt});
        } else {
            row.cells.push_back(unknownCell(tr("the date is unknown")));
        }
        row.cells.push_back({plain(candidate->priceDate), {}, {}, {}});
        row.cells.push_back({plain(candidate->region), {}, {}, {}});
        const auto source = MessageText::text(candidate->priceSource);
        row.cells.push_back({AdviceText::sourceName(source), source, {}, {}});
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent AdvicePresenter::prices() const {
    std::vector<const Candidate*> all;
    for (const auto& candidate : m_advice.candidates) all.push_back(&candidate);
    return priceTable(all);
}

TableContent AdvicePresenter::pricesInFront() const {
    std::vector<const Candidate*> some;
    for (const auto& candidate : m_advice.candidates) {
        if (isChoice(candidate) || candidate.onPareto) some.push_back(&candidate);
    }
    return priceTable(some);
}

std::vector<Detail> AdvicePresenter::details(const std::string& id) const {
    const auto* candidate = m_advice.find(id);
    if (!candidate) return {};
    std::vector<Detail> list{{tr("Machine"), machine(*candidate)}};
    const auto add = [&](const QString& label, const QString& value) {
        if (!value.isEmpty()) list.push_back({label, value});
    };
    add(tr("Device"), device(*candidate));
    add(tr("Region"), plain(candidate->region));
    const auto& prediction = candidate->prediction;
    if (prediction.hasTime()) {
        add(tr("Job duration"), tr("%1 (%2)").arg(wait(candidate->hours.median), waitRange(candidate->hours)));
        const auto unit = Format::secondsUnit(prediction.seconds.median);
        add(tr("Time per step"),
            tr("%1 %3 (%2 %3)")
                .arg(Format::number(prediction.seconds.median / unit.divisor),
                     Format::range(prediction.seconds.low / unit.divisor, prediction.seconds.high / unit.divisor),
                     unit.unit));
        add(tr("Physical limit"), Format::seconds(prediction.boundSeconds));
        add(tr("Basis"), AdviceText::name(prediction.basis));
        if (prediction.bandClass) add(tr("Band"), AdviceText::bandClass(*prediction.bandClass));
        add(tr("Limit"), AdviceText::limit(advisor::toString(prediction.limit)));
    }
    if (isPriced(*candidate)) {
        add(tr("Cost"), tr("%1 (%2)").arg(Format::money(candidate->costUsd.median), moneyRange(candidate->costUsd)));
        add(tr("Billed"), Format::duration(candidate->breakdown.billedSeconds));
    }
    if (prediction.availableBytes) {
        add(tr("Memory"), tr("%1 of %2")
                              .arg(Format::bytes(static_cast<std::int64_t>(prediction.neededBytes)),
                                   Format::bytes(static_cast<std::int64_t>(*prediction.availableBytes))));
    }
    if (candidate->scaling) add(tr("Scaling"), Format::percent(*candidate->scaling));
    if (candidate->usdPerHour) add(tr("Price per hour"), Format::money(*candidate->usdPerHour));
    add(tr("Price date"), Format::isoDate(candidate->priceDate));
    add(tr("Source"), MessageText::text(candidate->priceSource));
    add(candidate->isViable() ? tr("Why") : tr("Why not"), why(*candidate, kAllReasons, QStringLiteral("\n• ")));
    return list;
}

}  // namespace steelyard::ui

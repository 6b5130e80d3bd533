// SPDX-License-Identifier: Apache-2.0
// The charts of AdvicePresenter.
#include <algorithm>

#include "ui/presenters/advice/advice_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

using advisor::Candidate;

constexpr std::size_t kMostCompared = 8;
constexpr double kDaysPerMonth = 365.25 / 12;
constexpr int kChoiceColour = 0, kFrontColour = 1, kOwnColour = 2, kOtherColour = 6;

}  // namespace

std::vector<const Candidate*> AdvicePresenter::front() const {
    std::vector<const Candidate*> result;
    for (const auto& candidate : m_advice.candidates) {
        if (candidate.onPareto) result.push_back(&candidate);
    }
    std::sort(result.begin(), result.end(),
              [](const Candidate* a, const Candidate* b) { return a->hours.median < b->hours.median; });
    return result;
}

ChartPoint AdvicePresenter::point(const Candidate& candidate) const {
    ChartPoint point;
    const bool measured = candidate.prediction.basis == advisor::Basis::Measured;
    point.basis = measured ? Basis::Measured : Basis::Predicted;
    point.x = candidate.hours.median;
    point.xInterval = ChartInterval{candidate.hours.low, candidate.hours.high};
    point.y = Format::inCurrency(candidate.costUsd.median);
    point.interval =
        ChartInterval{Format::inCurrency(candidate.costUsd.low), Format::inCurrency(candidate.costUsd.high)};
    point.key = plain(candidate.id);
    point.label = machine(candidate);
    if (!candidate.rejectedBecause.empty()) point.note = AdviceText::reason(candidate.rejectedBecause.front());
    return point;
}

// Of the offers with a time and a price that cannot be taken: why, as far as it occurs.
QString AdvicePresenter::leftOutName() const {
    using Kind = advisor::ReasonKind;
    const std::pair<Kind, QString> names[] = {{Kind::OverBudget, tr("over budget")},
                                              {Kind::OverDeadline, tr("too slow")},
                                              {Kind::SpotExcluded, tr("spot")},
                                              {Kind::ProviderExcluded, tr("other provider")},
                                              {Kind::DoesNotFit, tr("too little memory")}};
    QStringList parts;
    for (const auto& [kind, name] : names) {
        const bool occurs = std::ranges::any_of(m_advice.candidates, [&, wanted = kind](const Candidate& candidate) {
            return candidate.prediction.hasTime() && candidate.usdPerHour && !candidate.isViable() &&
                   candidate.rejectedBecause.front().kind == wanted;
        });
        if (occurs) parts << name;
    }
    return parts.isEmpty() ? tr("left out") : parts.join(tr(", "));
}

ChartSpec AdvicePresenter::timeAgainstCost() const {
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Time against cost");
    chart.subtitle = tr("%1 · 80 % prediction ranges · better: lower left").arg(job());
    chart.emptyText = tr("No machine could be predicted for this job.");
    chart.intervalName = tr("interval");
    chart.x = {tr("Job duration"), tr("hours"), ChartScale::Logarithmic, {}};
    chart.y = {tr("Job cost"), Format::currencySymbol(), ChartScale::Logarithmic, {}};
    ChartSeries line{tr("no machine beats these on both time and price"), kFrontColour, false, {}, true};
    ChartSeries choices{tr("recommended"), kChoiceColour};
    ChartSeries others{tr("best trade-offs"), kFrontColour};
    ChartSeries mine{tr("this computer"), kOwnColour};
    ChartSeries possible{tr("other offers"), kOtherColour};
    ChartSeries outside{leftOutName(), 5};
    possible.faint = outside.faint = true;
    for (const auto* candidate : front()) {
        if (candidate->costUsd.median <= 0) continue;
        line.points.push_back(point(*candidate));
        line.points.back().label.clear();  // the mark itself has it
    }
    if (const auto& budget = m_answer.request.budgetUsd)
        chart.references.push_back(
            {tr("budget %1").arg(Format::money(*budget)), Format::inCurrency(*budget), false, true});
    if (const auto& deadline = m_answer.request.deadlineHours)
        chart.references.push_back({tr("deadline %1").arg(Format::wait(*deadline * 3600)), *deadline, true, true});
    for (const auto& candidate : m_advice.candidates) {
        if (!candidate.prediction.hasTime() || !candidate.usdPerHour) continue;
        if (candidate.costUsd.median <= 0) {  // free: cannot be shown on a logarithmic axis
            chart.references.push_back(
                {tr("%1: nothing to pay").arg(machine(candidate)), candidate.hours.median, true});
            continue;
        }
        auto one = point(candidate);
        const bool labelled = isChoice(candidate) || candidate.onPareto || candidate.own;
        if (!labelled) {
            one.note = one.note.isEmpty() ? one.label : QStringLiteral("%1; %2").arg(one.label, one.note);
            one.label.clear();
        }
        auto& series = isChoice(candidate)    ? choices
                       : candidate.own        ? mine
                       : candidate.onPareto   ? others
                       : candidate.isViable() ? possible
                                              : outside;
        series.points.push_back(std::move(one));
    }
    // Later series are drawn on top, and earlier labels are placed first: the choices come first.
    if (line.points.size() > 1) chart.series.push_back(std::move(line));
    for (auto* series : {&choices, &mine, &others, &possible, &outside}) {
        if (!series->points.empty()) chart.series.push_back(std::move(*series));
    }
    return chart;
}

std::vector<ChartSpec> AdvicePresenter::relative() const {
    ChartSpec time;
    time.kind = ChartKind::Dots;
    time.rows = true;
    time.emptyText = tr("No machine can do this job within these limits.");
    time.intervalName = tr("interval");
    auto cost = time;
    time.title = tr("Time, relative");
    cost.title = tr("Cost, relative");
    if (!m_advice.choices.cheapest) return {time, cost};
    // The first paid one of the front; a free one has no ratio.
    const auto& cheapest = m_advice.candidates[*m_advice.choices.cheapest];
    const Candidate* base = cheapest.costUsd.median > 0 ? &cheapest : rented();
    if (!base || base->costUsd.median <= 0) return {time, cost};
    auto compared = front();
    if (std::find(compared.begin(), compared.end(), base) == compared.end()) compared.push_back(base);
    // Thins out candidates that are no choice, evenly.
    while (compared.size() > kMostCompared) {
        const auto spare = std::find_if(compared.begin() + 1, compared.end(),
                                        [&](const Candidate* one) { return one != base && !isChoice(*one); });
        if (spare == compared.end()) break;
        compared.erase(spare);
    }
    time.series = {{tr("time"), 0}};
    cost.series = {{tr("cost"), 1}};
    for (const auto* candidate : compared) {
        auto one = point(*candidate);
        one.label.clear();
        one.xInterval.reset();
        one.x.reset();
        const auto add = [&](ChartSpec& chart, const advisor::Interval& value, double unit) {
            chart.categories << machine(*candidate);
            chart.series.front().points.push_back(one);
            auto& added = chart.series.front().points.back();
            added.y = value.median / unit;
            added.interval = ChartInterval{value.low / unit, value.high / unit};
            added.value = Format::times(*added.y);
        };
        add(time, candidate->hours, base->hours.median);
        add(cost, candidate->costUsd, base->costUsd.median);
        if (candidate->costUsd.median <= 0) {
            auto& free = cost.series.front().points.back();
            free.y.reset();
            free.interval.reset();
            free.value.clear();
            free.reason = tr("nothing to pay");
        }
    }
    // One below the other, they have the same rows and the same axis.
    ChartInterval span{1, 1};
    for (const auto* chart : {&time, &cost}) {
        for (const auto& one : chart->series.front().points) {
            if (!one.y) continue;
            span.low = std::min(span.low, one.interval->low > 0 ? one.interval->low : *one.y);
            span.high = std::max(span.high, one.interval->high);
        }
    }
    for (auto* chart : {&time, &cost}) {
        chart->subtitle = tr("%1 is 1 · predicted").arg(machine(*base));
        chart->y.title = tr("Relative to the cheapest, less is better");
        chart->y.unit = QStringLiteral("×");
        chart->y.scale = ChartScale::Logarithmic;
        chart->y.span = span;
        chart->references.push_back({{}, 1});
    }
    return {time, cost};
}

std::optional<advisor::Purchase> AdvicePresenter::trade(const advisor::PurchaseRequest& plan) const {
    auto weighed = advisor::weighPurchase(plan, m_answer.cards, m_advice);
    if (!weighed && !plan.card.empty()) {
        auto best = plan;
        best.card.clear();
        weighed = advisor::weighPurchase(best, m_answer.cards, m_advice);
    }
    if (!weighed) return std::nullopt;
    return std::move(*weighed);
}

QString AdvicePresenter::buyOrRentSentence(const advisor::PurchaseRequest& plan) const {
    const auto found = trade(plan);
    if (!found) return tr("There is no card to buy, or none to rent, that can do this job.");
    const auto card = plain(found->card.name);
    const auto price = Format::money(found->machine.purchaseUsd + found->machine.hostUsd);
    const auto rent =
        tr("%1 at %2 an hour").arg(machine(*m_advice.find(found->rented)), Format::money(found->usdPerHour));
    const auto use = Format::percent(plan.utilization);
    QStringList sentences;
    if (const auto& day = found->paid.breakEvenDay) {
        sentences << tr("Used %5 of the time, a PC with a %1 (%2) pays off after %3, compared with renting %4.")
                         .arg(card, price, Format::span(*day), rent, use);
        if (!found->latestBreakEvenDay) {
            sentences << tr("In the worst case renting stays cheaper.");
        } else if (found->soonestBreakEvenDay) {
            sentences << tr("Between the best and the worst case: after %1 to %2.")
                             .arg(Format::span(*found->soonestBreakEvenDay), Format::span(*found->latestBreakEvenDay));
        }
    } else {
        sentences << tr("Used %1 of the time, buying a PC with a %2 (%3) does not pay off within %4: renting %5 stays "
                        "cheaper.")
                         .arg(use, card, price, Format::span(found->machine.years * 365.25), rent);
        if (found->soonestBreakEvenDay) {
            sentences << tr("In the best case it pays off after %1.").arg(Format::span(*found->soonestBreakEvenDay));
        }
    }
    const auto& hours = found->jobHours;
    sentences << tr("On the card this job takes about %1 (%2).")
                     .arg(Format::wait(hours.median * 3600),
                          Format::waitRangeBeside(hours.median * 3600, hours.low * 3600, hours.high * 3600));
    return sentences.join(QLatin1Char(' '));
}

ChartSpec AdvicePresenter::buyOrRent(const advisor::PurchaseRequest& plan) const {
    ChartSpec chart;
    chart.kind = ChartKind::Lines;
    chart.title = tr("Buy or rent");
    chart.emptyText = tr("There is no card to buy, or none to rent, that can do this job.");
    const auto found = trade(plan);
    if (!found) return chart;
    chart.subtitle = tr("the same work on both; %1 for %2 (%3, source: %4)")
                         .arg(plain(found->card.name), Format::money(found->card.priceUsd),
                              Format::isoDate(found->card.priceDate), plain(found->card.priceSource));
    chart.intervalName = tr("interval");
    chart.x = {tr("Months"), {}, ChartScale::Linear, {}};
    chart.y = {tr("Total paid"), Format::currencySymbol(), ChartScale::Linear, {}};
    ChartSeries owned{tr("buy: %1").arg(plain(found->card.name)), 0};
    ChartSeries rentedLine{tr("rent: %1").arg(machine(*m_advice.find(found->rented))), 1};
    owned.unmarked = rentedLine.unmarked = true;
    const auto& ratio = found->speedRatio;
    for (std::size_t i = 0; i < found->paid.days.size(); ++i) {
        ChartPoint point;
        point.basis = Basis::Predicted;
        point.x = found->paid.days[i] / kDaysPerMonth;
        point.y = Format::inCurrency(found->paid.ownedUsd[i]);
        owned.points.push_back(point);
        point.y = Format::inCurrency(found->paid.rentedUsd[i]);
        point.interval = ChartInterval{*point.y * ratio.low / ratio.median, *point.y * ratio.high / ratio.median};
        rentedLine.points.push_back(point);
    }
    const auto mark = [&](const std::optional<double>& day, const QString& label) {
        if (day) chart.references.push_back({label.arg(Format::span(*day)), *day / kDaysPerMonth, true});
    };
    mark(found->paid.breakEvenDay, tr("pays off after %1"));
    mark(found->soonestBreakEvenDay, tr("best case: %1"));
    mark(found->latestBreakEvenDay, tr("worst case: %1"));
    chart.series = {std::move(owned), std::move(rentedLine)};
    return chart;
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/advisor/rank/candidates.h"
#include "engine/core/limits.h"
#include "engine/core/messages/advisor.h"

namespace steelyard::advisor {
namespace {

constexpr double kLeastCost = 0.01;  // one cent, so that free machines do not win at any time
constexpr double kSameMoney = 0.01;  // relative; closer prices count as equal
constexpr double kWideBand = 2.2;    // high over low
constexpr double kMuchStartUp = 0.2;
constexpr double kPoorScaling = 0.7;

double costOf(const Candidate& c) {
    return std::max(kLeastCost, c.costUsd.median);
}

// Cost ratio of two candidates; costs of less than a cent count as one cent.
double costRatio(const Candidate& c, const Candidate& over) {
    return over.costUsd.median > 0 ? c.costUsd.median / over.costUsd.median : costOf(c) / costOf(over);
}

double score(const Candidate& c, double weight) {
    return weight * std::log(c.hours.median) + std::log(costOf(c));
}

double metric(const Candidate& c, Priority priority, double weight) {
    switch (priority) {
        case Priority::Cheapest:
            return c.costUsd.median;
        case Priority::Fastest:
            return c.hours.median;
        case Priority::Balanced:
            return score(c, weight);
    }
    return 0;
}

// Total order: the metric, then the other two figures, then the name, so that the order of equal offers is stable. The
// name refers to the candidate, which must outlive the key.
auto key(const Candidate& c, Priority priority, double weight) {
    return std::tuple(metric(c, priority, weight), c.costUsd.median, c.hours.median, std::string_view(c.id));
}

// Eligible candidates, those beyond a limit, those without a time or a price.
int standing(const Candidate& c) {
    return c.isViable() ? 0 : c.prediction.hasTime() && c.usdPerHour ? 1 : 2;
}

bool overlap(const Interval& a, const Interval& b) {
    return a.low <= b.high && b.low <= a.high;
}

class Ranking {
public:
    Ranking(const AdviceRequest& request, std::vector<Candidate> candidates) : m_request(request) {
        m_advice.candidates = std::move(candidates);
    }

    Advice run() {
        for (auto& candidate : m_advice.candidates) filter(candidate);
        order();
        markPareto();
        choose();
        const auto own =
            std::ranges::find_if(m_advice.candidates, [](const Candidate& c) { return c.own && c.isViable(); });
        if (own != m_advice.candidates.end()) m_own = &*own;
        for (auto& candidate : m_advice.candidates) explain(candidate);
        explainChoice();
        if (m_advice.chosen) findSensitivity();
        return std::move(m_advice);
    }

private:
    [[nodiscard]] const Candidate& chosen() const { return m_advice.candidates[*m_advice.chosen]; }
    [[nodiscard]] bool isChosen(const Candidate& c) const { return m_advice.chosen && &c == &chosen(); }

    void filter(Candidate& c) const {
        const auto reject = [&](ReasonKind kind, std::string subject = {}, double a = 0, double b = 0) {
            c.rejectedBecause.push_back({kind, std::move(subject), a, b});
        };
        if (!c.prediction.hasTime()) reject(ReasonKind::Refused, std::string(toString(c.prediction.refusal)));
        if (c.prediction.fits == Fits::No)
            reject(ReasonKind::DoesNotFit, {}, c.prediction.neededBytes, c.prediction.availableBytes.value_or(0));
        if (!c.own && !m_request.providers.empty() &&
            std::ranges::find(m_request.providers, c.provider) == m_request.providers.end())
            reject(ReasonKind::ProviderExcluded, c.provider);
        if (c.spot && !m_request.spot) reject(ReasonKind::SpotExcluded);
        if (!c.usdPerHour) reject(ReasonKind::NoPrice);
        if (!c.prediction.hasTime() || !c.usdPerHour) return;
        if (m_request.budgetUsd && c.costUsd.median > *m_request.budgetUsd)
            reject(ReasonKind::OverBudget, {}, c.costUsd.median, *m_request.budgetUsd);
        if (m_request.deadlineHours && c.hours.median > *m_request.deadlineHours)
            reject(ReasonKind::OverDeadline, {}, c.hours.median, *m_request.deadlineHours);
    }

    // Candidates are large and there may be tens of thousands: small keys are sorted, each candidate moves once.
    void order() {
        using Key = decltype(key(std::declval<const Candidate&>(), Priority::Balanced, 1.0));
        auto& candidates = m_advice.candidates;
        std::vector<std::tuple<int, Key, std::size_t>> keys;
        keys.reserve(candidates.size());
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto& c = candidates[i];
            const int place = standing(c);
            keys.emplace_back(place, place == 2 ? Key{0, 0, 0, c.id} : key(c, m_request.priority, m_request.timeWeight),
                              i);
        }
        std::ranges::sort(keys);
        std::vector<Candidate> ordered;
        ordered.reserve(candidates.size());
        for (const auto& [place, unused, i] : keys) ordered.push_back(std::move(candidates[i]));
        candidates = std::move(ordered);
    }

    static bool dominates(const Candidate& a, const Candidate& b) {
        return a.hours.median <= b.hours.median && a.costUsd.median <= b.costUsd.median &&
               (a.hours.median < b.hours.median || a.costUsd.median < b.costUsd.median);
    }

    // In order of time: whatever is cheaper than everything before it is on the front.
    void markPareto() {
        std::vector<Candidate*> viable;
        for (auto& c : m_advice.candidates)
            if (c.isViable()) viable.push_back(&c);
        std::ranges::sort(viable, [](const Candidate* a, const Candidate* b) {
            return std::tuple(a->hours.median, a->costUsd.median, a->id) <
                   std::tuple(b->hours.median, b->costUsd.median, b->id);
        });
        double least = std::numeric_limits<double>::infinity();
        for (auto* c : viable) {
            c->onPareto = c->costUsd.median < least;
            if (!c->onPareto) continue;
            least = c->costUsd.median;
            m_front.push_back(c);
        }
    }

    void choose() {
        const auto best = [&](Priority priority) {
            std::optional<std::size_t> index;
            for (std::size_t i = 0; i < m_advice.candidates.size(); ++i) {
                const auto& c = m_advice.candidates[i];
                if (!c.isViable()) continue;
                if (!index || key(c, priority, m_request.timeWeight) <
                                  key(m_advice.candidates[*index], priority, m_request.timeWeight))
                    index = i;
            }
            return index;
        };
        m_advice.choices = {best(Priority::Cheapest), best(Priority::Fastest), best(Priority::Balanced)};
        m_advice.chosen = m_request.priority == Priority::Cheapest  ? m_advice.choices.cheapest
                          : m_request.priority == Priority::Fastest ? m_advice.choices.fastest
                                                                    : m_advice.choices.balanced;
    }

    void explain(Candidate& c) const {
        if (!c.prediction.hasTime()) return;
        const auto add = [&](ReasonKind kind, std::string subject = {}, double a = 0, double b = 0) {
            c.reasons.push_back({kind, std::move(subject), a, b});
        };
        const auto is = [&](std::optional<std::size_t> index) { return index && &m_advice.candidates[*index] == &c; };
        if (is(m_advice.choices.cheapest)) add(ReasonKind::Cheapest, {}, c.costUsd.median);
        if (is(m_advice.choices.fastest)) add(ReasonKind::Fastest, {}, c.hours.median);
        if (is(m_advice.choices.balanced)) add(ReasonKind::BestBalance, {}, m_request.timeWeight);
        if (c.isViable()) explainPlace(c);
        explainAgainstOwn(c);
        explainCaveats(c);
    }

    void explainPlace(Candidate& c) const {
        if (c.onPareto) c.reasons.push_back({ReasonKind::OnPareto, {}, 0, 0});
        if (isChosen(c)) return;
        const auto& best = chosen();
        if (!c.onPareto) {
            // The cheapest one of the front that is also faster; only candidates of the front are named.
            const Candidate* better = nullptr;
            for (const auto* f : m_front)
                if (dominates(*f, c) && (better == nullptr || f->costUsd.median < better->costUsd.median)) better = f;
            if (better != nullptr)
                c.reasons.push_back({ReasonKind::Dominated, better->title, c.hours.median / better->hours.median,
                                     costRatio(*better, c)});
        } else if (c.hours.median > best.hours.median) {
            c.reasons.push_back(
                {ReasonKind::SlowerThan, best.title, c.hours.median / best.hours.median, costRatio(c, best)});
        } else {
            c.reasons.push_back(
                {ReasonKind::MoreExpensiveThan, best.title, costRatio(c, best), best.hours.median / c.hours.median});
        }
        if (notDistinguishable(c, best)) c.reasons.push_back({ReasonKind::NotDistinguishable, best.title, 0, 0});
    }

    // Machines with the same device have the same prediction error: only the price differs, and that is known.
    [[nodiscard]] bool notDistinguishable(const Candidate& a, const Candidate& b) const {
        if (a.hardware == b.hardware && a.devices == b.devices && !a.own && !b.own)
            return std::abs(costRatio(a, b) - 1) < kSameMoney &&
                   std::abs(a.hours.median / b.hours.median - 1) < kSameMoney;
        switch (m_request.priority) {
            case Priority::Cheapest:
                return overlap(a.costUsd, b.costUsd);
            case Priority::Fastest:
                return overlap(a.hours, b.hours);
            case Priority::Balanced:
                return overlap(a.hours, b.hours) && overlap(a.costUsd, b.costUsd);
        }
        return false;
    }

    void explainAgainstOwn(Candidate& c) const {
        if (c.own || !c.usdPerHour || m_own == nullptr) return;
        const auto* own = m_own;
        const double speedUp = own->hours.median / c.hours.median;
        if (own->usdPerHour.value_or(0) <= 0) {
            if (speedUp <= 1) c.reasons.push_back({ReasonKind::SlowerAndMoreExpensive, own->title, speedUp, 0});
            return;
        }
        const double price = *c.usdPerHour / *own->usdPerHour;
        const auto kind = price <= 1 && speedUp >= 1                       ? ReasonKind::CheaperAndFaster
                          : worthOfUpgrade(speedUp, price) == Worth::Pays  ? ReasonKind::FasterPaysOff
                          : worthOfUpgrade(speedUp, price) == Worth::Never ? ReasonKind::SlowerAndMoreExpensive
                                                                           : ReasonKind::FasterOnlyForTime;
        if (kind != ReasonKind::SlowerAndMoreExpensive || price > 1)
            c.reasons.push_back({kind, own->title, speedUp, price});
    }

    void explainCaveats(Candidate& c) const {
        const auto add = [&](ReasonKind kind, std::string subject = {}, double a = 0, double b = 0) {
            c.reasons.push_back({kind, std::move(subject), a, b});
        };
        const auto& p = c.prediction;
        if (p.fits == Fits::Tight) add(ReasonKind::TightMemory, {}, p.neededBytes, p.availableBytes.value_or(0));
        if (p.bandClass && p.seconds.high / p.seconds.low > kWideBand)
            add(ReasonKind::UncertainPrediction, std::string(toString(*p.bandClass)), p.seconds.low / p.seconds.median,
                p.seconds.high / p.seconds.median);
        if (c.priceAgeDays && *c.priceAgeDays > m_request.oldPriceDays)
            add(ReasonKind::OldPrice, c.priceDate, *c.priceAgeDays);
        if (c.breakdown.interruptions > 0.05)
            add(ReasonKind::SpotInterruptions, {}, c.breakdown.interruptions, c.breakdown.interruptionSeconds / 3600);
        const double all = c.breakdown.totalSeconds();
        if (all > 0 && c.breakdown.overheadSeconds / all > kMuchStartUp)
            add(ReasonKind::StartUpShare, {}, c.breakdown.overheadSeconds / all);
        if (p.limit == Limit::Overhead || p.limit == Limit::Input)
            add(ReasonKind::Limited, std::string(toString(p.limit)));
        if (c.scaling && *c.scaling < kPoorScaling) add(ReasonKind::PoorScaling, {}, c.devices, *c.scaling);
    }

    void explainChoice() {
        if (!m_advice.chosen) return;
        auto& best = m_advice.candidates[*m_advice.chosen];
        for (const auto& c : m_advice.candidates) {
            if (!c.isViable() || &c == &best || !notDistinguishable(c, best)) continue;  // the first is the closest
            best.reasons.push_back({ReasonKind::NotDistinguishable, c.title, 0, 0});
            return;
        }
    }

    void findSensitivity() {
        auto& s = m_advice.sensitivity;
        const auto& best = chosen();
        const double a = m_request.timeWeight;
        for (const auto& c : m_advice.candidates) {
            if (!c.isViable() || &c == &best) continue;
            const double cost = costOf(c) / costOf(best), time = c.hours.median / best.hours.median;
            const double both = std::exp(score(c, a) - score(best, a));
            const auto closer = [&](std::optional<double>& known, std::string& who, double factor) {
                if (factor < 1 || (known && factor >= *known)) return;
                known = factor;
                who = c.title;
            };
            switch (m_request.priority) {
                case Priority::Cheapest:
                    closer(s.priceFactor, s.priceThen, cost);
                    closer(s.timeFactor, s.timeThen, cost);
                    break;
                case Priority::Fastest:
                    closer(s.timeFactor, s.timeThen, time);
                    break;
                case Priority::Balanced:
                    closer(s.priceFactor, s.priceThen, both);
                    closer(s.timeFactor, s.timeThen, std::pow(both, 1 / (a + 1)));  // a slower machine is rented longer
                    weighWeight(c, best);
                    break;
            }
        }
    }

    // The time weight at which `c` has the same score as the choice.
    void weighWeight(const Candidate& c, const Candidate& best) {
        auto& s = m_advice.sensitivity;
        const double time = std::log(best.hours.median / c.hours.median), cost = std::log(costOf(c) / costOf(best));
        if (time > 0 && cost > 0) {  // faster and more expensive: wins at higher time weights
            const double weight = cost / time;
            if (!s.weightAbove || weight < *s.weightAbove) {
                s.weightAbove = weight;
                s.weightAboveThen = c.title;
            }
        } else if (time < 0 && cost < 0) {
            const double weight = cost / time;
            if (!s.weightBelow || weight > *s.weightBelow) {
                s.weightBelow = weight;
                s.weightBelowThen = c.title;
            }
        }
    }

    const AdviceRequest& m_request;
    Advice m_advice;
    std::vector<const Candidate*> m_front;
    const Candidate* m_own = nullptr;  // the highest-ranked own device
};

}  // namespace

std::string_view toString(Priority priority) {
    switch (priority) {
        case Priority::Cheapest:
            return "cheapest";
        case Priority::Fastest:
            return "fastest";
        case Priority::Balanced:
            return "balanced";
    }
    return "balanced";
}

std::optional<Priority> priorityFromString(std::string_view name) {
    for (auto priority : {Priority::Cheapest, Priority::Fastest, Priority::Balanced})
        if (toString(priority) == name) return priority;
    return std::nullopt;
}

double stepsOf(double epochs, double samples, std::int64_t batch) {
    return epochs * std::ceil(samples / static_cast<double>(batch));
}

const Candidate* Advice::find(std::string_view id) const {
    const auto found = std::ranges::find(candidates, id, &Candidate::id);
    return found == candidates.end() ? nullptr : &*found;
}

Result<Advice> advise(const AdviceRequest& request, const catalog::Catalog& catalog, const Predictor& predictor) {
    if (!(request.steps > 0 && request.steps <= kMostSteps))
        return fail(ErrorKind::InvalidArgument, "steps", messages::stepsRange(kMostSteps));
    if (request.experiments < 1) return fail(ErrorKind::InvalidArgument, "experiments", messages::atLeastOne());
    if (!(request.timeWeight >= 0 && request.timeWeight <= kHighestTimeWeight))
        return fail(ErrorKind::InvalidArgument, "time-weight", messages::weightRange(kHighestTimeWeight));
    auto candidates = candidatesFor(request, catalog, predictor);
    if (!candidates) return Failure(std::move(candidates.error()));
    auto advice = Ranking(request, std::move(*candidates)).run();
    advice.steps = request.steps;
    return advice;
}

}  // namespace steelyard::advisor

// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/comparison.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/core/messages/campaign.h"
#include "engine/core/units.h"

namespace steelyard::campaign {
namespace {

constexpr double kLeastUsd = 0.01;    // as in the advice: free machines do not win at any time
constexpr double kSameSpeed = 0.005;  // relative; closer to the prediction counts as equal
constexpr double kMuchLonger = 2;     // from here on stated as a multiple instead of percent

struct Estimate {
    Band hours, usd;
};

Estimate believedNow(const Candidate& candidate) {
    const auto& forecast = *candidate.forecast;
    if (!candidate.measuredStepSeconds) return {forecast.hours, forecast.usd};
    const auto& measured = *candidate.measuredStepSeconds;
    const auto hoursAt = [&](double step) {
        return forecast.hours.median + forecast.jobHours * (step / forecast.stepSeconds.median - 1);
    };
    const Band hours{hoursAt(measured.low), hoursAt(measured.median), hoursAt(measured.high)};
    const auto usdAt = [&](double h) { return forecast.usd.median * h / forecast.hours.median; };
    return {hours, {usdAt(hours.low), usdAt(hours.median), usdAt(hours.high)}};
}

double metricOf(const Question& question, const Band& hours, const Band& usd) {
    if (question.priority == "cheapest") return usd.median;
    if (question.priority == "fastest") return hours.median;
    return question.timeWeight * std::log(hours.median) + std::log(std::max(kLeastUsd, usd.median));
}

using Ranked = std::vector<std::pair<double, std::size_t>>;

std::vector<std::optional<std::int64_t>> placesOf(Ranked ranked, std::size_t count) {
    std::ranges::stable_sort(ranked);
    std::vector<std::optional<std::int64_t>> places(count);
    std::int64_t place = 0;
    for (const auto& [metric, index] : ranked) places[index] = ++place;
    return places;
}

Message speedChange(const Candidate& candidate, double ratio) {
    const auto& step = candidate.forecast->stepSeconds;
    const Seconds measured(candidate.measuredStepSeconds->median), predicted(step.median);
    if (std::abs(ratio - 1) < kSameSpeed) return messages::asPredicted(candidate.title, measured);
    if (ratio < 1) return messages::fasterThanPredicted(candidate.title, Percent{1 / ratio - 1}, measured, predicted);
    if (ratio > kMuchLonger) return messages::timesAsLong(candidate.title, ratio, measured, predicted);
    return messages::slowerThanPredicted(candidate.title, Percent{ratio - 1}, measured, predicted);
}

const ComparedCandidate* atPlace(const std::vector<ComparedCandidate>& candidates, bool now) {
    const auto found = std::ranges::find_if(
        candidates, [&](const ComparedCandidate& c) { return (now ? c.placeNow : c.placeBefore) == std::int64_t{1}; });
    return found == candidates.end() ? nullptr : &*found;
}

// Both were measured, and their times and costs agree within the measurement intervals.
bool areAlike(const ComparedCandidate& a, const ComparedCandidate& b) {
    const auto overlap = [](const Band& x, const Band& y) { return x.low <= y.high && y.low <= x.high; };
    return a.measured && b.measured && overlap(a.hours, b.hours) && overlap(a.usd, b.usd);
}

// The choice first, then other candidates that moved.
void tellPlaces(Comparison& comparison) {
    const auto *before = atPlace(comparison.candidates, false), *now = atPlace(comparison.candidates, true);
    auto& changes = comparison.changes;
    const bool anyMeasured =
        std::ranges::any_of(comparison.candidates, [](const ComparedCandidate& c) { return c.measured; });
    if (before != nullptr && now == nullptr) changes.push_back(messages::noChoiceLeft(before->title));
    const bool isTie = before != nullptr && now != nullptr && before != now && areAlike(*before, *now);
    if (isTie) changes.push_back(messages::notDistinguishable(before->title, now->title));
    if (before != nullptr && now != nullptr && before != now && !isTie)
        changes.push_back(messages::otherChoice(now->title, before->title));
    if (before != nullptr && before == now && anyMeasured) changes.push_back(messages::sameChoice(now->title));
    for (const auto& candidate : comparison.candidates)
        if (candidate.placeBefore && candidate.placeNow && candidate.placeBefore != candidate.placeNow &&
            !(isTie && (&candidate == before || &candidate == now)))
            changes.push_back(messages::otherPlace(candidate.title, *candidate.placeBefore, *candidate.placeNow));
}

}  // namespace

Comparison compare(const Campaign& campaign) {
    Comparison comparison;
    if (!campaign.question) return comparison;
    const auto& question = *campaign.question;
    const auto& candidates = campaign.candidates;
    Ranked before, now;
    std::vector<Message> speeds, losses;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto& candidate = candidates[i];
        ComparedCandidate row{.id = candidate.id, .title = candidate.title};
        if (!candidate.forecast) {
            comparison.candidates.push_back(std::move(row));
            continue;
        }
        const auto& forecast = *candidate.forecast;
        const auto believed = believedNow(candidate);
        row.hours = believed.hours;
        row.usd = believed.usd;
        if (const auto& step = candidate.measuredStepSeconds) {
            row.measured = true;
            row.stepRatio = step->median / forecast.stepSeconds.median;
            row.insideBand = step->median >= forecast.stepSeconds.low && step->median <= forecast.stepSeconds.high;
            speeds.push_back(speedChange(candidate, *row.stepRatio));
            if (!candidate.reason.empty()) speeds.push_back(messages::measuredBut(candidate.title, candidate.reason));
            if (!*row.insideBand)
                speeds.push_back(messages::outsideBand(candidate.title, Seconds(forecast.stepSeconds.low),
                                                       Seconds(forecast.stepSeconds.high)));
        }
        before.emplace_back(metricOf(question, forecast.hours, forecast.usd), i);
        if (candidate.state == CandidateState::GivenUp) {
            losses.push_back(messages::outOfTheRanking(candidate.title, candidate.reason));
        } else if (question.deadlineHours && row.measured && row.hours.median > *question.deadlineHours) {
            losses.push_back(messages::missesDeadline(candidate.title, Seconds(row.hours.median * 3600),
                                                      Seconds(*question.deadlineHours * 3600)));
        } else if (question.budgetUsd && row.measured && row.usd.median > *question.budgetUsd) {
            losses.push_back(messages::missesBudget(candidate.title, Usd{row.usd.median}, Usd{*question.budgetUsd}));
        } else {
            now.emplace_back(metricOf(question, row.hours, row.usd), i);
        }
        if (candidate.state == CandidateState::Failed)
            losses.push_back(messages::notMeasured(candidate.title, candidate.reason));
        comparison.candidates.push_back(std::move(row));
    }
    const auto placesBefore = placesOf(std::move(before), candidates.size()),
               placesNow = placesOf(std::move(now), candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        comparison.candidates[i].placeBefore = placesBefore[i];
        comparison.candidates[i].placeNow = placesNow[i];
    }
    tellPlaces(comparison);
    for (auto* list : {&speeds, &losses}) std::ranges::move(*list, std::back_inserter(comparison.changes));
    std::ranges::stable_sort(comparison.candidates, {}, [](const ComparedCandidate& c) {
        return c.placeNow.value_or(std::numeric_limits<std::int64_t>::max());
    });
    return comparison;
}

}  // namespace steelyard::campaign

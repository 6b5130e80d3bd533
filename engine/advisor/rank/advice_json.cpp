// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/advice_json.h"

#include <map>

#include "engine/core/json/json_reader.h"

namespace steelyard::advisor {
namespace {

Json intervalJson(const Interval& interval) {
    return {{"low", orNull(interval.low)}, {"median", orNull(interval.median)}, {"high", orNull(interval.high)}};
}

Json predictionJson(const Prediction& p) {
    Json json;
    json["step_seconds"] = p.hasTime() ? intervalJson(p.seconds) : Json(nullptr);
    json["fits"] = p.fits == Fits::Unknown ? Json(nullptr) : Json(p.fits != Fits::No);
    json["memory"] = toString(p.fits);
    json["needs_bytes"] = p.neededBytes > 0 ? orNull(p.neededBytes) : Json(nullptr);
    json["available_bytes"] = orNull(p.availableBytes);
    json["bound"] = p.hasTime() ? Json(toString(p.limit)) : Json(nullptr);
    json["basis"] = p.hasTime() ? Json(toString(p.basis)) : Json(nullptr);
    json["band"] = p.hasTime() && p.bandClass ? Json(toString(*p.bandClass)) : Json(nullptr);
    json["strict_bound_seconds"] = p.hasTime() ? orNull(p.boundSeconds) : Json(nullptr);
    json["exchange_seconds"] = p.hasTime() ? orNull(p.exchangeSeconds) : Json(nullptr);
    json["software"] = p.software;
    json["refused_because"] =
        p.hasTime() ? Json(nullptr) : Json(englishText({ReasonKind::Refused, std::string(toString(p.refusal)), 0, 0}));
    return json;
}

Json reasonsJson(const std::vector<Reason>& reasons) {
    auto list = Json::array();
    for (const auto& reason : reasons)
        list.push_back({{"kind", toString(reason.kind)},
                        {"text", englishText(reason)},
                        {"subject", reason.subject},
                        {"a", orNull(reason.a)},
                        {"b", orNull(reason.b)}});
    return list;
}

Json jobJson(const JobModel& job) {
    return {{"workload", job.workload},
            {"mode", plan::toString(job.mode)},
            {"batch", job.batch},
            {"precision", plan::toString(job.precision)}};
}

Json candidateJson(const Candidate& c) {
    const bool timed = c.prediction.hasTime();
    Json json;
    json["offer"] = c.id;
    json["title"] = c.title;
    json["provider"] = c.own ? Json(nullptr) : Json(c.provider);
    json["instance"] = c.own ? Json(nullptr) : Json(c.instance);
    json["region"] = c.region.empty() ? Json(nullptr) : Json(c.region);
    json["hardware"] = c.hardware.empty() ? Json(nullptr) : Json(c.hardware);
    json["devices"] = orNull(c.devices);
    json["rounds"] = orNull(c.rounds);
    json["spot"] = c.spot;
    json["own"] = c.own;
    json["usd_per_hour"] = orNull(c.usdPerHour);
    json["price_date"] = c.priceDate.empty() ? Json(nullptr) : Json(c.priceDate);
    json["price_source"] = c.priceSource.empty() ? Json(nullptr) : Json(c.priceSource.text);
    json["price_age_days"] = orNull(c.priceAgeDays);
    json["hours"] = timed ? intervalJson(c.hours) : Json(nullptr);
    json["cost_usd"] = timed && c.usdPerHour ? intervalJson(c.costUsd) : Json(nullptr);
    json["billed_seconds"] = timed ? orNull(c.breakdown.billedSeconds) : Json(nullptr);
    json["on_pareto"] = c.onPareto;
    json["prediction"] = predictionJson(c.prediction);
    if (c.instead)
        json["instead"] = {{"software", c.instead->software},
                           {"precision", plan::toString(c.instead->precision)},
                           {"batch", c.instead->batch},
                           {"hours", intervalJson(c.instead->hours)},
                           {"prediction", predictionJson(c.instead->prediction)}};
    json["reasons"] = reasonsJson(c.reasons);
    json["rejected_because"] = reasonsJson(c.rejectedBecause);
    return json;
}

Json purchaseJson(const Purchase& p) {
    return {{"hardware", p.card.hardware},
            {"card_usd", orNull(p.card.priceUsd)},
            {"price_date", p.card.priceDate},
            {"price_source", p.card.priceSource},
            {"host_usd", orNull(p.machine.hostUsd)},
            {"watts", orNull(p.machine.watts)},
            {"utilization", orNull(p.machine.utilization)},
            {"years", orNull(p.machine.years)},
            {"electricity_usd_per_year", orNull(electricityUsdPerYear(p.machine))},
            {"owned_usd_per_hour", orNull(ownedUsdPerHour(p.machine))},
            {"job_hours", intervalJson(p.jobHours)},
            {"rented", p.rented},
            {"rented_usd_per_hour", orNull(p.usdPerHour)},
            {"speed_ratio", orNull(p.speedRatio.median)},
            {"speed_ratio_low", orNull(p.speedRatio.low)},
            {"speed_ratio_high", orNull(p.speedRatio.high)},
            {"break_even_day", orNull(p.paid.breakEvenDay)},
            {"break_even_day_soonest", orNull(p.soonestBreakEvenDay)},
            {"break_even_day_latest", orNull(p.latestBreakEvenDay)},
            {"days", p.paid.days},
            {"owned_usd", p.paid.ownedUsd},
            {"rented_usd", p.paid.rentedUsd}};
}

Json summaryJson(const ErrorSummary& s) {
    return {{"class", s.name},
            {"rows", s.rows},
            {"median_error", orNull(s.median)},
            {"mean_error", orNull(s.mean)},
            {"p90_error", orNull(s.p90)},
            {"coverage", orNull(s.coverage)},
            {"coverage_unseen", orNull(s.coverageUnseen)},
            {"band", s.bandClass ? Json(toString(*s.bandClass)) : Json(nullptr)},
            {"target_median_error", orNull(s.targetMedian)},
            {"target_p90_error", orNull(s.targetP90)}};
}

Json summariesJson(const std::vector<ErrorSummary>& summaries) {
    auto list = Json::array();
    for (const auto& s : summaries) list.push_back(summaryJson(s));
    return list;
}

Json cellJson(const StudyCell& cell, bool relative) {
    return {{"platform", cell.configuration.platform},
            {"variant", cell.configuration.variant},
            {"epoch_seconds", orNull(cell.epochSeconds)},
            {"price_usd_per_hour", orNull(cell.usdPerHour)},
            {"epoch_usd", orNull(cell.usdPerEpoch)},
            {"relative_time", relative ? orNull(cell.relativeTime) : Json(nullptr)},
            {"relative_cost", relative ? orNull(cell.relativeCost) : Json(nullptr)},
            {"break_even_multiplier", relative ? orNull(cell.breakEvenMultiplier) : Json(nullptr)},
            {"on_pareto", cell.onPareto}};
}

Json workloadJson(const WorkloadStudy& study) {
    const auto name = [&](std::size_t index) { return study.cells[index].configuration.name(); };
    auto cells = Json::array(), front = Json::array();
    for (const auto& cell : study.cells) {
        cells.push_back(cellJson(cell, study.baseline.has_value()));
        if (cell.onPareto) front.push_back(cell.configuration.name());
    }
    return {{"workload", study.workload},
            {"baseline", study.baseline ? Json(name(*study.baseline)) : Json(nullptr)},
            {"cheapest", name(study.cheapest)},
            {"fastest", name(study.fastest)},
            {"winner", name(study.winner)},
            {"pareto_front", front},
            {"rows", cells}};
}

const char* toString(VariantVerdict verdict) {
    switch (verdict) {
        case VariantVerdict::Pays:
            return "pays";
        case VariantVerdict::Costs:
            return "costs";
        case VariantVerdict::Undecided:
            return "undecided";
    }
    return "undecided";
}

}  // namespace

std::string predictionsJson(const JobModel& job, std::string_view software, const std::vector<PredictedTarget>& targets,
                            int indent) {
    auto json = jobJson(job);
    json["software"] = software;
    auto& list = json["targets"] = Json::array();
    for (const auto& target : targets) {
        auto entry = predictionJson(target.prediction);
        entry["hardware"] = target.id;
        entry["name"] = target.name;
        entry["own"] = target.own;
        list.push_back(std::move(entry));
    }
    return dumpJson(json, indent);
}

std::string adviceJson(const AdviceRequest& request, const Advice& advice, int indent, const Purchase* purchase) {
    auto json = jobJson(request.job);
    json["steps"] = orNull(advice.steps);
    json["experiments"] = request.experiments;
    json["software"] = request.software;
    json["priority"] = toString(request.priority);
    json["time_weight"] = orNull(request.timeWeight);
    json["budget_usd"] = orNull(request.budgetUsd);
    json["deadline_hours"] = orNull(request.deadlineHours);
    json["spot"] = request.spot;
    const auto choice = [&](std::optional<std::size_t> index) {
        return index ? Json(advice.candidates[*index].id) : Json(nullptr);
    };
    json["choices"] = {{"cheapest", choice(advice.choices.cheapest)},
                       {"fastest", choice(advice.choices.fastest)},
                       {"balanced", choice(advice.choices.balanced)}};
    json["chosen"] = choice(advice.chosen);
    const auto& s = advice.sensitivity;
    const auto change = [](const std::optional<double>& value, const std::string& then) {
        return value ? Json{{"factor", orNull(*value)}, {"then", then}} : Json(nullptr);
    };
    json["sensitivity"] = {{"price", change(s.priceFactor, s.priceThen)},
                           {"time", change(s.timeFactor, s.timeThen)},
                           {"time_weight_below", change(s.weightBelow, s.weightBelowThen)},
                           {"time_weight_above", change(s.weightAbove, s.weightAboveThen)}};
    if (purchase != nullptr) json["purchase"] = purchaseJson(*purchase);
    auto& offers = json["offers"] = Json::array();
    for (const auto& candidate : advice.candidates) offers.push_back(candidateJson(candidate));
    return dumpJson(json, indent);
}

std::string backtestJson(const BacktestReport& report, int indent) {
    Json json{{"date", report.date},
              {"method",
               "each row is predicted by a fit that left its chip, or its family of networks, out; transfer classes by "
               "the fit that ships, unseen_transfers by one without the chip"}};
    json["classes"] = summariesJson(report.classes);
    json["unseen_transfers"] = summariesJson(report.unseenTransfers);
    json["chips"] = summariesJson(report.chips);
    json["families"] = summariesJson(report.families);
    const double share =
        report.rankedPairs > 0 ? static_cast<double>(report.rankedRight) / static_cast<double>(report.rankedPairs) : 0;
    json["ranking"] = {{"pairs", report.rankedPairs},
                       {"right", report.rankedRight},
                       {"share", report.rankedPairs > 0 ? orNull(share) : Json(nullptr)},
                       {"target_share", 0.94}};
    json["below_strict_bound"] = {{"predicted", report.predictedBelowBound}, {"measured", report.measuredBelowBound}};
    return dumpJson(json, indent);
}

std::string studyJson(const Study& study, const StudyReport& report, const StudyOptions& options, int indent) {
    Json json{{"title", study.title},
              {"source", study.source},
              {"link", study.link},
              {"date", study.date},
              {"notes", study.notes}};
    json["time_weight"] = orNull(options.timeWeight);
    json["price_multipliers"] = Json(options.priceMultipliers);
    json["winner"] = report.winner ? Json(report.winner->name()) : Json(nullptr);
    auto& overall = json["winner_by_time_weight"] = Json::array();
    for (const auto& range : report.overall)
        overall.push_back({{"from", orNull(range.from)}, {"winner", range.winner.name()}});
    auto& variants = json["variants"] = Json::array();
    for (const auto& v : report.variants)
        variants.push_back({{"platform", v.platform},
                            {"variant", v.variant},
                            {"against", v.against},
                            {"median_speed_up", orNull(v.medianSpeedUp)},
                            {"workloads", v.workloads},
                            {"faster", v.faster},
                            {"verdict", toString(v.verdict)}});
    auto& workloads = json["workloads"] = Json::array();
    for (const auto& workload : report.workloads) workloads.push_back(workloadJson(workload));
    return dumpJson(json, indent);
}

std::string importJson(const catalog::SkyPilotImport& import, int indent) {
    Json json{{"files", import.files}, {"rows", import.rows}, {"offers", import.offers.size()}};
    std::map<std::string, std::size_t> counts;
    auto& rejected = json["rejected"] = Json::array();
    for (const auto& row : import.rejected) {
        ++counts[std::string(catalog::toString(row.reason))];
        rejected.push_back({{"file", row.file},
                            {"line", row.line},
                            {"reason", catalog::toString(row.reason)},
                            {"detail", row.detail},
                            {"whole_row", row.wholeRow}});
    }
    json["rejected_by_reason"] = Json(counts);
    return dumpJson(json, indent);
}

std::string problemsJson(const std::vector<catalog::Problem>& problems, int indent) {
    auto list = Json::array();
    for (const auto& p : problems)
        list.push_back(
            {{"kind", catalog::toString(p.kind)}, {"id", p.id}, {"subject", p.subject}, {"value", orNull(p.value)}});
    return dumpJson(Json{{"problems", list}}, indent);
}

}  // namespace steelyard::advisor

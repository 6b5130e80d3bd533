// SPDX-License-Identifier: Apache-2.0
#include "engine/report/advice_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/money.h"
#include "engine/core/units.h"

namespace steelyard::report {
namespace {

using advisor::Candidate;

constexpr std::size_t kRanked = 10;

std::string hoursText(double hours) {
    return formatNumber(hours);
}

std::vector<std::string> figuresOf(const Candidate& c, const ReportTexts& texts) {
    return {c.title,
            hoursText(c.hours.median),
            fillIn(texts.intervalValue, {hoursText(c.hours.low), hoursText(c.hours.high)}),
            moneyDigits(c.costUsd.median, texts.money),
            fillIn(texts.intervalValue,
                   {moneyDigits(c.costUsd.low, texts.money), moneyDigits(c.costUsd.high, texts.money)}),
            c.priceDate.empty() ? texts.unknown : c.priceDate,
            texts.nameOf(toString(c.prediction.basis))};
}

std::vector<ReportColumn> columnsOf(const std::string& first, const ReportTexts& texts) {
    return {{first},
            {texts.machine},
            {texts.hours, true},
            {texts.band},
            {fillIn(texts.cost, {toString(texts.money.currency)}), true},
            {texts.band},
            {texts.priceOf},
            {texts.basis},
            {texts.why}};
}

std::string reasonsOf(const Candidate& c, const ReasonText& reasonText) {
    std::string text;
    for (const auto* reasons : {&c.rejectedBecause, &c.reasons})
        for (const auto& reason : *reasons) text += (text.empty() ? "" : "; ") + reasonText(reason);
    return text;
}

// The user's device that cannot run the job as requested, with the reason.
std::vector<std::string> leftOut(const Candidate& c, std::size_t columns, const ReportTexts& texts,
                                 const ReasonText& reasonText) {
    std::vector<std::string> cells(columns, texts.unknown);
    cells[1] = c.title;
    cells.back() = reasonsOf(c, reasonText);
    return cells;
}

ReportTable choicesTable(const AdvisedJob& job, const ReportTexts& texts, const ReasonText& reasonText) {
    const auto& model = job.request.job;
    ReportTable table;
    table.title =
        fillIn(texts.recommendation, {texts.workloadName(model.workload), texts.nameOf(plan::toString(model.mode))});
    table.note = fillIn(texts.recommendationNote, {fmt::format("{:.0f}", job.advice.steps), std::to_string(model.batch),
                                                   plan::toString(model.precision), job.request.software});
    if (!job.headline.empty()) table.note = job.headline + " " + table.note;
    table.columns = columnsOf(texts.choice, texts);
    const auto& choices = job.advice.choices;
    const std::pair<std::string_view, std::optional<std::size_t>> named[] = {
        {"cheapest", choices.cheapest}, {"fastest", choices.fastest}, {"balanced", choices.balanced}};
    for (const auto& [name, index] : named) {
        std::vector<std::string> cells{texts.nameOf(name)};
        if (index) {
            const auto& candidate = job.advice.candidates[*index];
            std::ranges::move(figuresOf(candidate, texts), std::back_inserter(cells));
            cells.push_back(reasonsOf(candidate, reasonText));
        } else {
            cells.push_back(texts.nothingCanDoIt);
            cells.resize(table.columns.size(), texts.unknown);
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

ReportTable rankingTable(const AdvisedJob& job, const ReportTexts& texts, const ReasonText& reasonText) {
    const auto& model = job.request.job;
    ReportTable table;
    table.title = fillIn(texts.ranking, {texts.workloadName(model.workload), texts.nameOf(plan::toString(model.mode)),
                                         texts.nameOf(toString(job.request.priority))});
    table.note = texts.rankingNote;
    table.columns = columnsOf(texts.rank, texts);
    table.columns.front().isNumber = true;
    for (const auto& candidate : job.advice.candidates) {
        if (!candidate.isViable() || table.rows.size() == kRanked) break;
        std::vector<std::string> cells{std::to_string(table.rows.size() + 1)};
        std::ranges::move(figuresOf(candidate, texts), std::back_inserter(cells));
        cells.push_back(reasonsOf(candidate, reasonText));
        table.rows.push_back(std::move(cells));
    }
    for (const auto& candidate : job.advice.candidates)
        if (candidate.own && !candidate.isViable())
            table.rows.push_back(leftOut(candidate, table.columns.size(), texts, reasonText));
    return table;
}

}  // namespace

std::vector<ReportTable> adviceTables(std::span<const AdvisedJob> jobs, const ReportTexts& texts,
                                      const ReasonText& reasonText) {
    std::vector<ReportTable> tables;
    for (const auto& job : jobs) {
        tables.push_back(choicesTable(job, texts, reasonText));
        if (auto ranking = rankingTable(job, texts, reasonText); !ranking.rows.empty())
            tables.push_back(std::move(ranking));
    }
    return tables;
}

std::vector<ReportChart> adviceCharts(std::span<const AdvisedJob> jobs, const ReportTexts& texts) {
    std::vector<ReportChart> charts;
    for (const auto& job : jobs) {
        const auto& model = job.request.job;
        ReportChart chart;
        chart.title =
            fillIn(texts.costChart, {texts.workloadName(model.workload), texts.nameOf(plan::toString(model.mode))});
        for (const auto& c : job.advice.candidates) {
            if (!c.isViable() || chart.bars.size() == kRanked) break;
            chart.bars.push_back(
                {c.title, texts.money.of(c.costUsd.median), texts.money.of(c.costUsd.low),
                 texts.money.of(c.costUsd.high),
                 fmt::format("{}, {} h", moneyText(c.costUsd.median, texts.money), hoursText(c.hours.median)), 0});
        }
        if (!chart.bars.empty()) charts.push_back(std::move(chart));
    }
    return charts;
}

ReportTable backtestTable(const advisor::BacktestReport& backtest, const ReportTexts& texts) {
    ReportTable table{texts.backtest, texts.backtestNote, {}, {}};
    table.columns = {{texts.className},
                     {texts.rows, true},
                     {texts.medianError, true},
                     {texts.percentile90, true},
                     {texts.coverage, true}};
    for (const auto& summary : backtest.classes) {
        const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
        auto name = summary.name;
        std::ranges::replace(name, '_', ' ');
        const auto known = texts.names.find(summary.name);
        table.rows.push_back({known == texts.names.end() ? name : known->second, std::to_string(summary.rows),
                              percent(summary.median), percent(summary.p90),
                              summary.coverageUnseen ? percent(*summary.coverageUnseen) : texts.unknown});
    }
    return table;
}

}  // namespace steelyard::report

// SPDX-License-Identifier: Apache-2.0
#include "engine/report/report_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/bench/compare/run_comparison.h"
#include "engine/bench/protocol/statistics.h"
#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/language_figures.h"
#include "engine/bench/record/peak_fraction.h"
#include "engine/core/units.h"

namespace steelyard::report {
namespace {

using bench::CaseRecord;
using bench::RunRecord;
using bench::Status;
using bench::Summary;

bool isMeasured(const CaseRecord& record) {
    return record.status == Status::Ok && record.stepSeconds;
}

std::string deviceText(const CaseRecord& record) {
    if (record.deviceName.empty()) return record.spec.device;
    return fmt::format("{} ({})", record.spec.device, record.deviceName);
}

// By the name of the network if the report has names.
std::string caseText(const bench::Case& spec, const ReportTexts& texts) {
    if (!texts.ofWorkload) return bench::caseLabel(spec);
    auto text =
        fmt::format("{}, {}, {}, {}, {} {}", texts.workloadName(spec.workload), texts.nameOf(toString(spec.mode)),
                    spec.device, toString(spec.precision), texts.batchOf, spec.batch);
    if (spec.threads) text += fmt::format(", {} {}", texts.threads, *spec.threads);
    return text;
}

std::string threadsText(const CaseRecord& record, const ReportTexts& texts) {
    return record.spec.threads ? std::to_string(*record.spec.threads) : texts.unknown;
}

std::string stepTime(const Summary& summary) {
    return formatSeconds(Seconds(summary.median));
}

std::string intervalText(const Summary& summary, const ReportTexts& texts) {
    if (!summary.ci95Low || !summary.ci95High) return texts.unknown;
    return fillIn(texts.intervalValue,
                  {formatSeconds(Seconds(*summary.ci95Low)), formatSeconds(Seconds(*summary.ci95High))});
}

// "disturbed", or the state of the machine and the results of the other states: "52 ns (330 ns: 3.3 ms)".
std::string stateText(const CaseRecord& record, const ReportTexts& texts) {
    if (bench::wasDisturbed(record)) return texts.disturbedCase;
    if (!record.figure || !record.figure->main.roundTripSeconds) return texts.unknown;
    auto text = formatSeconds(Seconds(*record.figure->main.roundTripSeconds));
    for (const auto& other : record.figure->others)
        if (other.roundTripSeconds)
            text += fmt::format(" ({}: {})", formatSeconds(Seconds(*other.roundTripSeconds)),
                                formatSeconds(Seconds(other.medianSeconds)));
    return text;
}

std::string throughputText(const CaseRecord& record, const ReportTexts& texts) {
    const auto rate = bench::medianRate(record);
    return rate ? formatRate(*rate, record.throughput->unit) : texts.unknown;
}

std::string utilizationText(const CaseRecord& record, const ReportTexts& texts) {
    const auto share = bench::peakFraction(record);
    if (!share) return bench::peakWasDisturbed(record) ? texts.peakDisturbed : texts.unknown;
    return fmt::format("{:.1f} %", share->fraction * 100);
}

// "41.2 GB/s (93.0 %)"
std::string memoryReadText(const CaseRecord& record, const ReportTexts& texts) {
    if (!record.utilization || !record.utilization->achievedBytes) return texts.unknown;
    auto text = fmt::format("{:.1f} GB/s", *record.utilization->achievedBytes * 1e-9);
    const auto share = bench::peakFraction(record);
    if (share && share->kind == bench::PeakKind::Bandwidth) text += fmt::format(" ({:.1f} %)", share->fraction * 100);
    return text;
}

// The device's dedicated memory, otherwise the engine's allocation.
std::string memoryText(const CaseRecord& record, const ReportTexts& texts) {
    const auto& memory = record.memory;
    const auto bytes = memory.devicePeakBytes ? memory.devicePeakBytes : memory.enginePeakBytes;
    return bytes ? formatBytes(Bytes(*bytes)) : texts.unknown;
}

std::string verificationText(const CaseRecord& record, const ReportTexts& texts) {
    auto text = texts.nameOf(toString(record.verification.state));
    if (!record.verification.reason.empty()) text += ": " + texts.text(record.verification.reason);
    return text;
}

std::string stopText(const CaseRecord& record, const ReportTexts& texts) {
    return record.stopReason ? texts.nameOf(toString(*record.stopReason)) : texts.unknown;
}

// Why there is no "faster" or "slower"; otherwise empty.
std::string reasonText(const bench::Comparison& comparison, const RunRecord& base, const RunRecord& other,
                       const ReportTexts& texts) {
    using bench::Difference;
    switch (comparison.reason) {
        case bench::Reason::None:
            return {};
        case bench::Reason::SameWithinNoise:
            return fillIn(texts.withinNoise, {fmt::format("{:.2f}", comparison.test ? comparison.test->pValue : 1)});
        case bench::Reason::BelowPracticalDifference:
            return texts.tooClose;
        case bench::Reason::Disturbed:
            return texts.disturbed;
        case bench::Reason::TooFewVisits:
            return texts.tooFewVisits;
        case bench::Reason::OtherState:
            return texts.otherState;
        case bench::Reason::MachineMoved:
            return texts.machineMoved;
        case bench::Reason::DifferentThings:
            break;
    }
    std::string text;
    for (const auto& item : comparison.differences) {
        if (!text.empty()) text += "; ";
        if (item.what == Difference::BaseNotOk) {
            text += fillIn(texts.noResult, {base.id, texts.nameOf(item.base)});
        } else if (item.what == Difference::OtherNotOk) {
            text += fillIn(texts.noResult, {other.id, texts.nameOf(item.other)});
        } else {
            text += fillIn(texts.differs, {texts.nameOf(toString(item.what)), item.base, item.other});
        }
    }
    return text;
}

std::string listOf(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", value);
    return text;
}

}  // namespace

ReportTable resultsTable(const RunRecord& run, const ReportTexts& texts) {
    ReportTable table;
    table.title = texts.results;
    table.note = texts.resultsNote;
    table.columns = {
        {texts.workload},         {texts.mode},          {texts.device},           {texts.precision},
        {texts.batch, true},      {texts.threads, true}, {texts.stepTime, true},   {texts.interval, true},
        {texts.machineState},     {texts.samples, true}, {texts.throughput, true}, {texts.utilization, true},
        {texts.memoryPeak, true}, {texts.verification},  {texts.stopReason}};
    for (const auto& record : run.records) {
        if (!isMeasured(record)) continue;
        const auto& spec = record.spec;
        table.rows.push_back(
            {texts.workloadName(spec.workload), texts.nameOf(toString(spec.mode)), deviceText(record),
             std::string(toString(spec.precision)), std::to_string(spec.batch), threadsText(record, texts),
             stepTime(*record.stepSeconds), intervalText(*record.stepSeconds, texts), stateText(record, texts),
             std::to_string(record.stepSeconds->n), throughputText(record, texts), utilizationText(record, texts),
             memoryText(record, texts), verificationText(record, texts), stopText(record, texts)});
    }
    return table;
}

// Language models; columns without values in the run are omitted.
ReportTable languageTable(const RunRecord& run, const ReportTexts& texts) {
    std::vector<ReportColumn> columns{{texts.caseName},
                                      {texts.weights},
                                      {texts.cache, true},
                                      {texts.throughput, true},
                                      {texts.memoryRead, true},
                                      {texts.joulesPerToken, true},
                                      {texts.firstToken, true},
                                      {texts.betweenTokens, true},
                                      {texts.betweenTokens90, true},
                                      {texts.betweenTokens99, true}};
    std::vector<std::vector<std::string>> rows;
    const auto secondsText = [&](const std::optional<double>& seconds) {
        return seconds ? formatSeconds(Seconds(*seconds)) : texts.unknown;
    };
    for (const auto& record : run.records) {
        if (!record.language || !isMeasured(record)) continue;
        const auto& use = *record.language;
        const auto times = bench::tokenTimes(use);
        const auto joules = bench::joulesPerToken(record);
        rows.push_back(
            {caseText(record.spec, texts), fmt::format("{}, {}", use.weights, formatBytes(Bytes(use.weightBytes))),
             formatBytes(Bytes(use.cacheBytes)), throughputText(record, texts), memoryReadText(record, texts),
             joules ? formatNumber(*joules) : texts.unknown, secondsText(times.firstSeconds),
             secondsText(times.p50Seconds), secondsText(times.p90Seconds), secondsText(times.p99Seconds)});
    }
    ReportTable table;
    table.title = texts.languageModels;
    table.note = texts.languageNote;
    table.rows.resize(rows.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (std::ranges::all_of(rows, [&](const auto& row) { return row[c] == texts.unknown; })) continue;
        table.columns.push_back(columns[c]);
        for (std::size_t r = 0; r < rows.size(); ++r) table.rows[r].push_back(rows[r][c]);
    }
    return table;
}

ReportTable notMeasuredTable(const RunRecord& run, const ReportTexts& texts) {
    ReportTable table;
    table.title = texts.notMeasured;
    table.columns = {{texts.caseName}, {texts.status}, {texts.reason}};
    for (const auto& record : run.records) {
        if (isMeasured(record)) continue;
        table.rows.push_back({caseText(record.spec, texts), texts.nameOf(toString(record.status)),
                              record.reason.empty() ? texts.unknown : texts.text(record.reason)});
    }
    return table;
}

ReportTable conditionsTable(const RunRecord& run, const ReportTexts& texts) {
    // Conditions that differ between the cases of a run are listed with each value once.
    std::map<std::string, std::vector<std::string>> values;
    for (const auto& record : run.records) {
        for (const auto& [name, value] : record.conditions) {
            auto& seen = values[name];
            if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
        }
    }
    ReportTable table;
    table.title = texts.conditions;
    table.columns = {{texts.condition}, {texts.value}};
    for (const auto& [name, seen] : values) {
        std::string text;
        for (const auto& value : seen) text += (text.empty() ? "" : "; ") + value;
        table.rows.push_back({texts.conditionName(name), text});
    }
    return table;
}

// Each warning once, with its cases.
ReportTable warningsTable(const RunRecord& run, const ReportTexts& texts) {
    ReportTable table;
    table.title = texts.warnings;
    table.columns = {{texts.caseName}, {texts.warning}};
    std::vector<std::pair<std::string, std::vector<std::string>>> cases;
    for (const auto& record : run.records)
        for (const auto& warning : record.warnings) {
            const auto text = texts.text(warning);
            auto found = std::find_if(cases.begin(), cases.end(), [&](const auto& one) { return one.first == text; });
            if (found == cases.end()) found = cases.insert(cases.end(), {text, {}});
            found->second.push_back(caseText(record.spec, texts));
        }
    for (const auto& [warning, names] : cases) {
        const bool all = names.size() > 1 && names.size() == run.records.size();
        auto where = all ? fillIn(texts.allCases, {std::to_string(names.size())}) : std::string();
        for (const auto& name : names)
            if (!all) where += (where.empty() ? "" : "; ") + name;
        table.rows.push_back({where, warning});
    }
    return table;
}

ReportTable rawTable(const RunRecord& run, const ReportTexts& texts) {
    ReportTable table;
    table.title = fillIn("%1: %2", {texts.rawData, run.id});
    table.note = texts.rawNote;
    table.columns = {{texts.caseName}, {texts.stepsPerSample, true}, {texts.outliers, true}, {texts.samples}};
    table.isLong = true;
    for (const auto& record : run.records) {
        if (record.samplesSeconds.empty()) continue;
        const auto outliers = bench::tukeyOutliers(record.samplesSeconds);
        table.rows.push_back({caseText(record.spec, texts), std::to_string(record.stepsPerSample),
                              outliers.fences ? std::to_string(outliers.indices.size()) : texts.unknown,
                              listOf(record.samplesSeconds)});
    }
    return table;
}

ReportTable comparisonTable(const RunRecord& base, const RunRecord& other, const ReportTexts& texts,
                            const bench::Variance& betweenRuns) {
    ReportTable table;
    table.title = fillIn(texts.comparison, {base.id});
    table.note = texts.verdictMethod;
    table.columns = {{texts.caseName},    {texts.baseTime, true}, {texts.otherTime, true},
                     {texts.ratio, true}, {texts.verdict},        {texts.reason}};
    const auto timeOf = [&texts](const CaseRecord& record) {
        if (!record.stepSeconds) return texts.nameOf(toString(record.status));
        return fmt::format("{} ({})", stepTime(*record.stepSeconds), intervalText(*record.stepSeconds, texts));
    };
    for (const auto& pair : bench::compareRuns(base, other, betweenRuns)) {
        const auto& comparison = pair.comparison;
        table.rows.push_back({caseText(pair.base.spec, texts), timeOf(pair.base), timeOf(pair.other),
                              comparison.ratio ? fmt::format("{:.3f}", *comparison.ratio) : texts.unknown,
                              texts.nameOf(toString(comparison.verdict)), reasonText(comparison, base, other, texts)});
    }
    return table;
}

}  // namespace steelyard::report

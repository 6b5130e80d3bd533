// SPDX-License-Identifier: Apache-2.0
#include "engine/report/report_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/bench/record/disturbance.h"
#include "engine/core/clock.h"
#include "engine/core/units.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/report/report_tables.h"

namespace steelyard::report {
namespace {

using bench::CaseRecord;
using bench::RunRecord;

// "2026-11-26 18:36:14"; the label says UTC.
std::string utcText(std::int64_t unixMs) {
    auto text = formatIsoTime(unixMs);
    if (const auto at = text.find('T'); at != std::string::npos) text[at] = ' ';
    if (text.ends_with('Z')) text.pop_back();
    return text;
}

std::string computerText(const RunRecord& run, const ReportTexts& texts) {
    return run.computer.empty() ? texts.unnamedComputer : run.computer;
}

void addHardwareFacts(std::vector<ReportFact>& facts, const RunRecord& run, const ReportTexts& texts) {
    if (run.profileJson.empty()) return;
    const auto profile = hardware::profileFromJson(run.profileJson);
    if (!profile) return;  // from a newer version: omitted
    const auto numberOr = [&texts](const hardware::Fact<int>& fact) {
        return fact.value ? std::to_string(*fact.value) : texts.unknown;
    };
    const auto& cpu = profile->cpu;
    if (cpu.name.isKnown()) {
        facts.push_back({texts.processor, fillIn(texts.processorValue,
                                                 {*cpu.name.value, numberOr(cpu.cores), numberOr(cpu.allowedCores)})});
    }
    if (profile->memory.totalBytes.isKnown()) {
        facts.push_back({texts.memory, formatBytes(Bytes(*profile->memory.totalBytes.value))});
    }
    for (const auto& gpu : profile->gpus) {
        auto text = gpu.name.valueOr(gpu.id);
        if (gpu.memoryBytes.isKnown()) text += fmt::format(", {}", formatBytes(Bytes(*gpu.memoryBytes.value)));
        facts.push_back({texts.gpu, text});
    }
    if (profile->environment.os.isKnown()) {
        auto text = *profile->environment.os.value;
        if (profile->environment.kernel.isKnown()) text += ", " + *profile->environment.kernel.value;
        facts.push_back({texts.system, text});
    }
}

std::vector<ReportFact> factsOf(const RunRecord& run, const ReportTexts& texts) {
    std::vector<ReportFact> facts{
        {texts.runId, run.id},
        {texts.suite, fillIn(texts.suiteVersion, {run.suite.empty() ? texts.unknown : run.suite,
                                                  run.suiteVersion.empty() ? texts.unknown : run.suiteVersion})},
        {texts.program, run.gitRevision.empty() ? run.programVersion : run.programVersion + " " + run.gitRevision},
        {texts.started, utcText(run.startedUnixMs)},
        {texts.finished, run.finishedUnixMs ? utcText(*run.finishedUnixMs) : texts.notFinished},
        {texts.origin, texts.nameOf(run.origin)},
        {texts.seed, std::to_string(run.seed)}};
    if (!run.note.empty()) facts.push_back({texts.note, run.note});
    addHardwareFacts(facts, run, texts);
    return facts;
}

RunSection sectionOf(const RunRecord& run, const ReportTexts& texts) {
    RunSection section;
    section.heading = fillIn(texts.runHeading, {run.suite.empty() ? run.id : run.suite, computerText(run, texts)});
    const auto measured = std::count_if(run.records.begin(), run.records.end(),
                                        [](const CaseRecord& record) { return record.status == bench::Status::Ok; });
    section.summary = fillIn(texts.casesEndedOk, {std::to_string(measured), std::to_string(run.records.size())});
    if (const auto disturbed = bench::disturbedCount(run); disturbed > 0)
        section.summary += " " + fillIn(texts.disturbedRun, {std::to_string(disturbed)});
    section.facts = factsOf(run, texts);
    for (auto table : {resultsTable(run, texts), languageTable(run, texts), notMeasuredTable(run, texts),
                       warningsTable(run, texts), conditionsTable(run, texts)}) {
        if (!table.rows.empty()) section.tables.push_back(std::move(table));
    }
    return section;
}

std::string barLabel(const RunRecord& run, const CaseRecord& record, bool severalRuns) {
    const auto& spec = record.spec;
    auto label = fmt::format("{} {} b{}", spec.device, toString(spec.precision), spec.batch);
    if (spec.threads) label += fmt::format(" t{}", *spec.threads);
    if (spec.isa) label += " " + *spec.isa;
    if (severalRuns) label = fmt::format("{} {}: {}", run.computer, run.id.substr(0, 4), label);
    return label;
}

std::vector<ReportChart> chartsOf(std::span<const RunRecord> runs, const ReportTexts& texts) {
    std::vector<std::pair<std::pair<std::string, plan::Mode>, ReportChart>> charts;  // in order of appearance
    std::map<std::string, std::size_t> series;  // a device has the same colour on every chart
    for (const auto& run : runs) {
        for (const auto& record : run.records) {
            if (record.status != bench::Status::Ok || !record.stepSeconds || record.stepSeconds->median <= 0) continue;
            const std::pair key{record.spec.workload, record.spec.mode};
            auto chart = std::find_if(charts.begin(), charts.end(), [&key](const auto& e) { return e.first == key; });
            if (chart == charts.end()) {
                const auto title = fillIn(texts.chartTitle, {texts.workloadName(record.spec.workload),
                                                             texts.nameOf(toString(record.spec.mode))});
                charts.push_back({key, {title, {}}});
                chart = charts.end() - 1;
            }
            const auto& summary = *record.stepSeconds;
            const auto device = series.try_emplace(record.spec.device + record.deviceName, series.size()).first;
            chart->second.bars.push_back({barLabel(run, record, runs.size() > 1), summary.median, summary.ci95Low,
                                          summary.ci95High, formatSeconds(Seconds(summary.median)), device->second});
        }
    }
    std::vector<ReportChart> result;
    for (auto& [key, chart] : charts) result.push_back(std::move(chart));
    return result;
}

}  // namespace

std::string ReportTexts::nameOf(std::string_view name) const {
    const auto found = names.find(std::string(name));
    return found == names.end() ? std::string(name) : found->second;
}

std::string fillIn(std::string_view text, std::initializer_list<std::string_view> values) {
    std::string filled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '9';
        const auto number = isPlace ? static_cast<std::size_t>(text[i + 1] - '1') : values.size();
        if (number < values.size()) {
            filled += *(values.begin() + number);
            ++i;
        } else {
            filled += text[i];
        }
    }
    return filled;
}

ReportTable checkTable(const bench::CheckReport& check, const ReportTexts& texts) {
    ReportTable table;
    table.title = fillIn(texts.check, {utcText(check.startedUnixMs)});
    table.note = texts.text(bench::verdictMessage(check));
    table.columns = {{texts.checkPart}, {texts.device}, {texts.checkResult}, {texts.checkFinding}};
    for (const auto& part : check.parts) {
        auto finding = texts.text(part.finding);
        for (const auto& detail : part.details) finding += "; " + texts.text(detail);
        const bool isMain = part.device == bench::kMainMemoryDevice;
        table.rows.push_back({texts.nameOf(toString(part.kind)), isMain ? texts.mainMemory : part.device,
                              texts.nameOf(toString(part.state)), std::move(finding)});
    }
    return table;
}

ReportModel buildReport(std::span<const RunRecord> runs, const ReportStamp& stamp, const ReportTexts& texts,
                        const bench::Variance& betweenRuns) {
    ReportModel model;
    model.title = texts.title;
    model.writtenBy = fillIn(texts.writtenBy, {stamp.programVersion, utcText(stamp.writtenUnixMs) + " UTC"});
    model.charts = chartsOf(runs, texts);
    for (const auto& run : runs) {
        model.runs.push_back(sectionOf(run, texts));
        if (auto raw = rawTable(run, texts); !raw.rows.empty()) model.rawData.push_back(std::move(raw));
        if (&run == &runs.front()) continue;
        auto comparison = comparisonTable(runs.front(), run, texts, betweenRuns);
        if (!comparison.rows.empty()) model.comparisons.push_back(std::move(comparison));
    }
    return model;
}

}  // namespace steelyard::report

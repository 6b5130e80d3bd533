// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/records_presenter.h"

#include <string_view>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/language_figures.h"
#include "engine/bench/record/peak_fraction.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

TableCell numberCell(const std::optional<double>& value, double divisor, const QString& hover = {}) {
    if (!value) return {Format::unknown(), hover, {}, {}};
    return {Format::number(*value / divisor), hover, *value, {}};
}

std::optional<std::int64_t> peakOf(const bench::CaseRecord& record) {
    const auto& memory = record.memory;
    if (memory.devicePeakBytes) return memory.devicePeakBytes;
    return memory.enginePeakBytes ? memory.enginePeakBytes : memory.processPeakBytes;
}

// Text for the fraction of the peak, or why there is none.
QString peakText(const bench::CaseRecord& record, const std::optional<bench::PeakFraction>& share) {
    if (!share && bench::peakWasDisturbed(record))
        return RecordsPresenter::tr("The peak was measured while other programs used the device: run the case again.");
    if (!share) return RecordsPresenter::tr("The peak was not measured in this run, or says nothing about this case.");
    if (share->kind == bench::PeakKind::Bandwidth) return RecordsPresenter::tr("of the measured memory bandwidth");
    return share->fraction > 1 ? RecordsPresenter::tr(
                                     "More than 100 %: the algorithm (Winograd's) needs fewer operations than the "
                                     "definition, whose operations are counted.")
                               : QString();
}

// Units of networks and micro-benchmarks (model::throughputUnit).
constexpr std::string_view kSampleRate = "samples/s", kTokenRate = "tokens/s";
constexpr std::string_view kFlopRate = "FLOP/s", kByteRate = "B/s";

// Display unit of a rate: translated, scaled for FLOP and bytes.
ScaledUnit rateUnit(const std::string& unit, double rate) {
    if (unit == kSampleRate) return {1, RecordsPresenter::tr("samples/s")};
    if (unit == kTokenRate) return {1, RecordsPresenter::tr("tokens/s")};
    if (unit == kFlopRate) return Format::flopRateUnit(rate);
    if (unit == kByteRate) {
        const auto bytes = Format::bytesUnit(rate);
        return {bytes.divisor, bytes.unit + QStringLiteral("/s")};
    }
    return {1, plain(unit)};
}

QString rateText(double rate, const std::string& unit) {
    const auto scaled = rateUnit(unit, rate);
    return RecordsPresenter::tr("%1 %2").arg(Format::number(rate / scaled.divisor), scaled.unit);
}

TableRow rowOf(const bench::CaseRecord& record, std::size_t position, const WorkloadCatalogue& catalogue) {
    const auto& spec = record.spec;
    const auto& step = record.stepSeconds;
    const auto why = record.reason.empty() ? StatusText::name(record.status) : MessageText::text(record.reason);
    TableRow row;
    row.key = RecordsPresenter::keyOf(position);
    row.muted = record.status != bench::Status::Ok;
    const auto text = [&](const QString& value, const QString& hover = {}) {
        row.cells.push_back({value, hover, {}, {}});
    };
    text(plain(catalogue.titleOf(spec.workload)));
    text(StatusText::mode(spec.mode));
    text(StatusText::device(spec.device), plain(record.deviceName));
    const bool disturbed = bench::wasDisturbed(record);
    const auto hover = disturbed && record.status == bench::Status::Ok
                           ? DisturbancePresenter::remark(record)
                           : QStringLiteral("%1 %2").arg(why, StatusText::advice(record.status)).trimmed();
    row.cells.push_back({disturbed && record.status == bench::Status::Ok ? RecordsPresenter::tr("disturbed")
                                                                         : StatusText::name(record.status),
                         hover,
                         {},
                         DisturbancePresenter::moderated(StatusText::tone(record.status), disturbed)});
    row.cells.push_back(numberCell(step ? std::optional(step->median) : std::nullopt, kMillisecond, why));
    const bool interval = step && step->ci95Low && step->ci95High;
    row.cells.push_back(
        {interval ? Format::range(*step->ci95Low / kMillisecond, *step->ci95High / kMillisecond) : Format::unknown(),
         interval ? RecordsPresenter::tr("n = %1").arg(Format::integer(step->n)) : why,
         {},
         {}});
    const auto rate = bench::medianRate(record);
    row.cells.push_back({rate ? rateText(*rate, record.throughput->unit) : Format::unknown(), why, rate, {}});
    row.cells.push_back(numberCell(bench::medianFlops(record), 1e9));
    const auto share = bench::peakFraction(record);
    row.cells.push_back({share ? Format::percent(share->fraction) : Format::unknown(),
                         peakText(record, share),
                         share ? std::optional(share->fraction) : std::nullopt,
                         {}});
    const auto peak = peakOf(record);
    row.cells.push_back({Format::bytes(peak), {}, peak ? std::optional(static_cast<double>(*peak)) : std::nullopt, {}});
    text(plain(toString(spec.precision)));
    row.cells.push_back({Format::integer(spec.batch), {}, static_cast<double>(spec.batch), {}});
    row.cells.push_back(spec.threads
                            ? TableCell{Format::integer(*spec.threads), {}, static_cast<double>(*spec.threads), {}}
                            : TableCell{RecordsPresenter::tr("all"),
                                        RecordsPresenter::tr("All physical cores this process may use"),
                                        {},
                                        {}});
    const auto& check = record.verification;
    row.cells.push_back({StatusText::name(check.state),
                         MessageText::text(check.reason),
                         {},
                         DisturbancePresenter::moderated(StatusText::tone(check.state), disturbed)});
    return row;
}

}  // namespace

bool countsSamples(const bench::CaseRecord& record) {
    return !record.throughput || record.throughput->unit == kSampleRate || record.throughput->unit == kTokenRate;
}

std::optional<RateInterval> rateInterval(const bench::CaseRecord& record, double rate) {
    if (!record.stepSeconds || !record.stepSeconds->ci95Low || !record.stepSeconds->ci95High) return std::nullopt;
    const auto& summary = *record.stepSeconds;
    if (*summary.ci95Low <= 0 || *summary.ci95High <= 0) return std::nullopt;
    // A rate is inversely proportional to the step time, so its ends are swapped.
    return RateInterval{rate * summary.median / *summary.ci95High, rate * summary.median / *summary.ci95Low};
}

QString RecordsPresenter::keyOf(std::size_t position) {
    return QString::number(position);
}

int RecordsPresenter::positionOf(const QString& key, const bench::RunRecord& run) {
    bool isNumber = false;
    const int position = key.toInt(&isNumber);
    return isNumber && position >= 0 && position < static_cast<int>(run.records.size()) ? position : -1;
}

QString RecordsPresenter::title(const bench::CaseRecord& record, const WorkloadCatalogue& catalogue) {
    return StatusText::caseLabel(record.spec, plain(catalogue.titleOf(record.spec.workload)));
}

QString RecordsPresenter::headline(const bench::CaseRecord& record) {
    if (record.status != bench::Status::Ok || !record.stepSeconds) {
        const auto name = StatusText::name(record.status);
        return record.reason.empty() ? name : QStringLiteral("%1: %2").arg(name, MessageText::text(record.reason));
    }
    if (const auto rate = bench::medianRate(record)) {
        const auto text = rateText(*rate, record.throughput->unit);
        const auto interval = rateInterval(record, *rate / rateUnit(record.throughput->unit, *rate).divisor);
        return interval ? QStringLiteral("%1 (%2)").arg(text, Format::range(interval->low, interval->high)) : text;
    }
    return Format::seconds(record.stepSeconds->median);
}

TableContent RecordsPresenter::table(const bench::RunRecord& run, const WorkloadCatalogue& catalogue) {
    TableContent content;
    content.columns = {{tr("Workload"), false, {}},
                       {tr("Mode"), false, {}},
                       {tr("Device"), false, {}},
                       {tr("Status"), false, {}},
                       {tr("Step (ms)"), true, tr("Median time of one step")},
                       {tr("95 % interval (ms)"), true, {}},
                       {tr("Throughput"), true, {}},
                       {tr("GFLOP/s"), true, tr("At the median step")},
                       {tr("Of peak"), true,
                        tr("Share of the peak measured on this device and precision. Counted are the operations of the "
                           "definition: an algorithm that needs fewer may exceed 100 %.")},
                       {tr("Memory"), true, tr("Peak of what the engine allocated")},
                       {tr("Precision"), false, {}},
                       {tr("Batch"), true, {}},
                       {tr("Threads"), true, {}},
                       {tr("Correctness"), false, {}}};
    for (std::size_t position = 0; position < run.records.size(); ++position) {
        content.rows.push_back(rowOf(run.records[position], position, catalogue));
    }
    return content;
}

QString RecordsPresenter::markdown(const bench::RunRecord& run, const WorkloadCatalogue& catalogue) {
    constexpr std::size_t kUpToThroughput = 7;
    const auto heading =
        QStringLiteral("**Steelyard: %1, %2**").arg(StatusText::suite(run.suite), Format::dateTime(run.startedUnixMs));
    return QStringLiteral("%1\n\n%2").arg(heading, markdownOf(table(run, catalogue), kUpToThroughput));
}

TableContent RecordsPresenter::emptyLog() {
    TableContent content;
    content.columns = {{tr("Status"), false, {}},    {tr("Case"), false, {}},
                       {tr("Step (ms)"), true, {}},  {tr("95 % interval (ms)"), true, {}},
                       {tr("Throughput"), true, {}}, {tr("Correctness"), false, {}}};
    return content;
}

TableRow RecordsPresenter::logRow(const bench::CaseRecord& record, const WorkloadCatalogue& catalogue,
                                  const QString& key) {
    bench::RunRecord run;
    run.records.push_back(record);
    auto cells = table(run, catalogue).rows.front().cells;
    constexpr std::size_t kStatus = 3;
    constexpr std::size_t kStep = 4;
    constexpr std::size_t kInterval = 5;
    constexpr std::size_t kRate = 6;
    constexpr std::size_t kCheck = 13;
    TableRow row;
    row.key = key;
    row.cells = {cells[kStatus], {title(record, catalogue), {}, {}, {}}, cells[kStep], cells[kInterval], cells[kRate],
                 cells[kCheck]};
    return row;
}

TableRow RecordsPresenter::queuedRow(const bench::Case& spec, bool isRunning, const WorkloadCatalogue& catalogue) {
    TableRow row;
    row.muted = !isRunning;
    bench::CaseRecord record;
    record.spec = spec;
    row.cells = {{isRunning ? tr("running") : tr("queued"), {}, {}, {}}, {title(record, catalogue), {}, {}, {}}};
    return row;
}

namespace {

// Uncertainty of the result, and the machine state it applies to.
void addFigure(std::vector<Detail>& details, const bench::CaseRecord& record, const ScaledUnit& scaled) {
    const auto& figure = *record.figure;
    const auto counted = static_cast<int>(figure.main.visitSeconds.size());
    const auto all = static_cast<int>(record.visits.size());
    auto text = counted == all
                    ? Format::integer(all)
                    : RecordsPresenter::tr("%1 of %2 count").arg(Format::integer(counted), Format::integer(all));
    if (!figure.low) text += QStringLiteral(" (%1)").arg(RecordsPresenter::tr("no interval from a single visit"));
    details.push_back({RecordsPresenter::tr("Visits"), text});
    const auto nanoseconds = [](double seconds) { return Format::number(seconds * 1e9); };
    if (figure.main.roundTripSeconds)
        details.push_back({RecordsPresenter::tr("State of the machine"),
                           RecordsPresenter::tr("a cache line travels between the cores and back in %1 ns")
                               .arg(nanoseconds(*figure.main.roundTripSeconds))});
    for (const auto& state : figure.others)
        if (state.roundTripSeconds)
            details.push_back(
                {RecordsPresenter::tr("In another state (%1 ns)").arg(nanoseconds(*state.roundTripSeconds)),
                 QStringLiteral("%1 %2").arg(Format::number(state.medianSeconds / scaled.divisor), scaled.unit)});
}

void addTimes(std::vector<Detail>& details, const bench::CaseRecord& record) {
    if (!record.stepSeconds) return;
    const auto& step = *record.stepSeconds;
    const auto scaled = Format::secondsUnit(step.median);
    const auto time = [&](double seconds) {
        return QStringLiteral("%1 %2").arg(Format::number(seconds / scaled.divisor), scaled.unit);
    };
    details.push_back({RecordsPresenter::tr("Median step"), time(step.median)});
    if (step.ci95Low && step.ci95High) {
        details.push_back(
            {RecordsPresenter::tr("95 % interval"),
             QStringLiteral("%1 %2").arg(Format::range(*step.ci95Low / scaled.divisor, *step.ci95High / scaled.divisor),
                                         scaled.unit)});
    }
    if (record.figure) addFigure(details, record, scaled);
    details.push_back({RecordsPresenter::tr("Samples"), Format::integer(step.n)});
    details.push_back({RecordsPresenter::tr("Fastest"), time(step.min)});
    if (step.mad) details.push_back({RecordsPresenter::tr("Median deviation"), time(*step.mad)});
    if (step.p90) details.push_back({RecordsPresenter::tr("90 % below"), time(*step.p90)});
    if (record.stopReason)
        details.push_back({RecordsPresenter::tr("Stopped because"), StatusText::name(*record.stopReason)});
    if (record.compileSeconds)
        details.push_back({RecordsPresenter::tr("Compile time"), Format::seconds(*record.compileSeconds)});
    if (record.warmUp.steps > 0) {
        details.push_back({RecordsPresenter::tr("Warm-up"),
                           RecordsPresenter::tr("%n step(s), %1", nullptr, static_cast<int>(record.warmUp.steps))
                               .arg(Format::seconds(record.warmUp.seconds))});
    }
}

void addWork(std::vector<Detail>& details, const bench::CaseRecord& record) {
    if (record.flopsPerStep) {
        const auto scaled = Format::flopRateUnit(*record.flopsPerStep);
        auto unit = scaled.unit;
        unit.chop(2);  // a count, not a rate
        details.push_back({RecordsPresenter::tr("Work per step"),
                           QStringLiteral("%1 %2").arg(Format::number(*record.flopsPerStep / scaled.divisor), unit)});
    }
    if (const auto flops = bench::medianFlops(record)) {
        const auto scaled = Format::flopRateUnit(*flops);
        auto text = QStringLiteral("%1 %2").arg(Format::number(*flops / scaled.divisor), scaled.unit);
        details.push_back({RecordsPresenter::tr("Achieved"), text});
        if (const auto share = bench::peakFraction(record)) {
            const auto label = share->kind == bench::PeakKind::Bandwidth ? RecordsPresenter::tr("Of peak bandwidth")
                                                                         : RecordsPresenter::tr("Of peak");
            auto words = Format::percent(share->fraction);
            if (share->fraction > 1) words += QLatin1Char('\n') + peakText(record, share);
            details.push_back({label, words});
        } else if (bench::peakWasDisturbed(record)) {
            details.push_back(
                {RecordsPresenter::tr("Of peak"), Format::unknown() + QLatin1Char('\n') + peakText(record, share)});
        }
    }
    if (record.energyJoulesPerStep) {
        details.push_back({RecordsPresenter::tr("Energy per step"),
                           QStringLiteral("%1 J").arg(Format::number(*record.energyJoulesPerStep))});
    }
}

void addLanguage(std::vector<Detail>& details, const bench::CaseRecord& record) {
    if (!record.language) return;
    const auto& use = *record.language;
    details.push_back({RecordsPresenter::tr("Weights"),
                       QStringLiteral("%1, %2").arg(plain(use.weights), Format::bytes(use.weightBytes))});
    details.push_back({RecordsPresenter::tr("Key-value cache"), Format::bytes(use.cacheBytes)});
    if (record.utilization && record.utilization->achievedBytes)
        details.push_back({RecordsPresenter::tr("Memory read"),
                           QStringLiteral("%1 GB/s").arg(Format::number(*record.utilization->achievedBytes * 1e-9))});
    if (const auto joules = bench::joulesPerToken(record))
        details.push_back(
            {RecordsPresenter::tr("Energy per token"), QStringLiteral("%1 J").arg(Format::number(*joules))});
    const auto times = bench::tokenTimes(use);
    if (times.firstSeconds)
        details.push_back({RecordsPresenter::tr("Time to the first token"), Format::seconds(*times.firstSeconds)});
    if (times.p50Seconds && times.p90Seconds && times.p99Seconds)
        details.push_back({RecordsPresenter::tr("Between tokens (median, 90 %, 99 %)"),
                           QStringLiteral("%1, %2, %3")
                               .arg(Format::seconds(*times.p50Seconds), Format::seconds(*times.p90Seconds),
                                    Format::seconds(*times.p99Seconds))});
    if (times.growth)
        details.push_back({RecordsPresenter::tr("Last quarter of the tokens over the first"),
                           QStringLiteral("%1 ×").arg(Format::number(*times.growth))});
}

void addPrecisionCost(std::vector<Detail>& details, const bench::CaseRecord& record) {
    if (!record.precisionCost) return;
    const auto& cost = *record.precisionCost;
    details.push_back({RecordsPresenter::tr("Outputs differ from fp32 by"),
                       RecordsPresenter::tr("%1 (relative RMS; samples: %2)")
                           .arg(Format::percent(cost.relativeRms), Format::integer(cost.samples))});
    if (cost.topClassAgreement)
        details.push_back({RecordsPresenter::tr("Same top class as fp32"), Format::percent(*cost.topClassAgreement)});
}

void addMemory(std::vector<Detail>& details, const bench::CaseRecord& record) {
    const auto& memory = record.memory;
    const std::pair<QString, const std::optional<std::int64_t>&> figures[] = {
        {RecordsPresenter::tr("Memory planned"), memory.plannedBytes},
        {RecordsPresenter::tr("Memory, engine peak"), memory.enginePeakBytes},
        {RecordsPresenter::tr("Memory, process peak"), memory.processPeakBytes},
        {RecordsPresenter::tr("Memory, device peak"), memory.devicePeakBytes},
    };
    for (const auto& [label, bytes] : figures) {
        if (bytes) details.push_back({label, Format::bytes(*bytes)});
    }
}

void addVerification(std::vector<Detail>& details, const bench::CaseRecord& record) {
    const auto& check = record.verification;
    auto text = StatusText::name(check.state);
    if (!check.reason.empty()) text += QStringLiteral(": ") + MessageText::text(check.reason);
    details.push_back({RecordsPresenter::tr("Correctness"), text});
    if (check.maxRelativeError && check.tolerance) {
        details.push_back(
            {RecordsPresenter::tr("Largest error"), RecordsPresenter::tr("%1 (allowed %2)")
                                                        .arg(QLocale().toString(*check.maxRelativeError, 'e', 1),
                                                             QLocale().toString(*check.tolerance, 'g', 2))});
    }
    if (check.lossFirst && check.lossLast) {
        details.push_back(
            {RecordsPresenter::tr("Loss, first and last"),
             QStringLiteral("%1 → %2").arg(Format::number(*check.lossFirst), Format::number(*check.lossLast))});
    }
}

}  // namespace

std::vector<Detail> RecordsPresenter::details(const bench::CaseRecord& record) {
    std::vector<Detail> details;
    auto status = StatusText::name(record.status);
    if (!record.reason.empty()) status += QStringLiteral(": ") + MessageText::text(record.reason);
    details.push_back({tr("Status"), status});
    const auto advice = StatusText::advice(record.status);
    if (!advice.isEmpty()) details.push_back({tr("Suggested action"), advice});
    if (const auto remark = DisturbancePresenter::remark(record); !remark.isEmpty())
        details.push_back({tr("Caution"), remark});
    details.push_back({tr("Device"), plain(record.deviceName.empty() ? record.spec.device : record.deviceName)});
    if (record.throughput) details.push_back({tr("Throughput"), headline(record)});
    addTimes(details, record);
    addWork(details, record);
    addLanguage(details, record);
    addPrecisionCost(details, record);
    addMemory(details, record);
    addVerification(details, record);
    for (const auto& warning : record.warnings) details.push_back({tr("Warning"), MessageText::text(warning)});
    for (const auto& [name, value] : record.conditions) details.push_back({MessageText::condition(name), plain(value)});
    return details;
}

}  // namespace steelyard::ui

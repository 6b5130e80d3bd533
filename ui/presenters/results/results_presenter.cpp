// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/results_presenter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/peak_fraction.h"
#include "engine/hardware/profile/profile_json.h"
#include "ui/charts/ticks.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/result_series.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {
namespace {

// Divides every value of the chart.
void rescale(ChartSpec& spec, double divisor) {
    for (auto& series : spec.series) {
        for (auto& point : series.points) {
            if (point.y) *point.y /= divisor;
            if (point.interval)
                point.interval = ChartInterval{point.interval->low / divisor, point.interval->high / divisor};
        }
    }
}

bool isOk(const bench::CaseRecord& record) {
    return record.status == bench::Status::Ok && record.stepSeconds.has_value();
}

// Whether all results do.
bool countsTokens(const bench::RunRecord& run) {
    bool found = false;
    for (const auto& record : run.records) {
        if (!isOk(record) || !countsSamples(record)) continue;
        if (!record.throughput || record.throughput->unit != "tokens/s" || !bench::medianRate(record)) return false;
        found = true;
    }
    return found;
}

}  // namespace

ResultsPresenter::ResultsPresenter(const bench::RunRecord& run, const WorkloadCatalogue& catalogue)
    : m_run(run), m_catalogue(catalogue), m_countsTokens(countsTokens(run)) {}

QString ResultsPresenter::unitName(SpeedUnit unit) {
    switch (unit) {
        case SpeedUnit::SecondsPerStep:
            return tr("Time per step");
        case SpeedUnit::SamplesPerSecond:
            return tr("Throughput");
        case SpeedUnit::FlopRate:
            return tr("FLOP/s");
    }
    return {};
}

QString ResultsPresenter::subtitle() const {
    std::set<std::string> devices;
    for (const auto& record : m_run.records) {
        if (!record.deviceName.empty()) devices.insert(record.deviceName);
    }
    QStringList parts;
    if (!m_run.computer.empty() && devices.count(m_run.computer) == 0) parts << plain(m_run.computer);
    for (const auto& device : devices) parts << plain(device);
    parts << Format::dateTime(m_run.startedUnixMs);
    if (m_run.origin == "imported") parts << tr("imported");
    return parts.join(QStringLiteral(" · "));
}

ChartPoint ResultsPresenter::speedPoint(std::size_t position, SpeedUnit unit) const {
    const auto& record = m_run.records[position];
    ChartPoint point;
    point.key = RecordsPresenter::keyOf(position);
    point.basis = m_run.origin == "imported" ? Basis::Imported : Basis::Measured;
    if (bench::wasDisturbed(record)) point.role = PointRole::Doubtful;
    point.note = record.warnings.empty() ? QString() : MessageText::text(record.warnings.front());
    if (!isOk(record)) {
        point.reason = record.reason.empty() ? StatusText::name(record.status)
                                             : QStringLiteral("%1: %2").arg(StatusText::name(record.status),
                                                                            MessageText::text(record.reason));
        return point;
    }
    const auto& step = *record.stepSeconds;
    const auto setRate = [&](double rate) {
        point.y = rate;
        if (const auto interval = rateInterval(record, rate))
            point.interval = ChartInterval{interval->low, interval->high};
    };
    switch (unit) {
        case SpeedUnit::SecondsPerStep:
            point.y = step.median;
            if (step.ci95Low && step.ci95High) point.interval = ChartInterval{*step.ci95Low, *step.ci95High};
            break;
        case SpeedUnit::SamplesPerSecond:
            // Not record.throughput unless all count tokens: an axis has one unit.
            if (step.median > 0)
                setRate(m_countsTokens ? *bench::medianRate(record)
                                       : static_cast<double>(record.spec.batch) / step.median);
            break;
        case SpeedUnit::FlopRate:
            if (const auto flops = bench::medianFlops(record)) {
                setRate(*flops);
            } else {
                point.reason = tr("the work per step is unknown");
            }
            break;
    }
    return point;
}

bool ResultsPresenter::hasMode(plan::Mode mode) const {
    return std::any_of(m_run.records.begin(), m_run.records.end(),
                       [&](const auto& record) { return record.spec.mode == mode; });
}

QString ResultsPresenter::summary() const {
    std::map<bench::Status, int> counts;
    for (const auto& record : m_run.records) ++counts[record.status];
    QStringList parts;
    for (const auto& [status, count] : counts) {
        parts << QStringLiteral("%1 %2").arg(Format::integer(count), StatusText::name(status));
    }
    return tr("%n case(s): %1", nullptr, static_cast<int>(m_run.records.size())).arg(parts.join(QStringLiteral(", ")));
}

namespace {

bool hasResult(const bench::RunRecord& run) {
    return std::any_of(run.records.begin(), run.records.end(),
                       [](const auto& record) { return record.status == bench::Status::Ok; });
}

}  // namespace

Tone ResultsPresenter::verificationTone() const {
    bool all = hasResult(m_run);
    for (const auto& record : m_run.records) {
        if (record.verification.state == bench::VerificationState::Fail) return Tone::Bad;
        if (record.status == bench::Status::Ok && record.verification.state != bench::VerificationState::Pass)
            all = false;
    }
    return DisturbancePresenter::moderated(all ? Tone::Good : Tone::Neutral, bench::disturbedCount(m_run) > 0);
}

QString ResultsPresenter::verificationText() const {
    int pass = 0;
    int fail = 0;
    int unchecked = 0;
    for (const auto& record : m_run.records) {
        switch (record.verification.state) {
            case bench::VerificationState::Pass:
                ++pass;
                break;
            case bench::VerificationState::Fail:
                ++fail;
                break;
            case bench::VerificationState::NotChecked:
                unchecked += record.status == bench::Status::Ok ? 1 : 0;
                break;
        }
    }
    QStringList parts{tr("%n case(s) verified", nullptr, pass)};
    if (fail > 0) parts << tr("%n wrong", nullptr, fail);
    if (unchecked > 0) parts << tr("%n not checked", nullptr, unchecked);
    return parts.join(QStringLiteral(", "));
}

// Speed: one row per workload, one series per device, precision and instruction set.
namespace {

enum class RowOrder { LargestFirst, SmallestFirst };

// By the largest value of the row, or the sum of a stack; rows without values last.
void sortRows(ChartSpec& spec, RowOrder order) {
    std::vector<std::pair<double, std::size_t>> rows;
    for (std::size_t row = 0; row < static_cast<std::size_t>(spec.categories.size()); ++row) {
        std::optional<double> value;
        for (const auto& series : spec.series) {
            const auto& y = series.points[row].y;
            if (!y || (spec.kind == ChartKind::StackedBars && series.asMark)) continue;
            value = spec.kind == ChartKind::StackedBars ? value.value_or(0) + *y : std::max(value.value_or(*y), *y);
        }
        const double sign = order == RowOrder::LargestFirst ? -1 : 1;
        rows.emplace_back(value ? sign * *value : std::numeric_limits<double>::infinity(), row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    QStringList categories;
    for (const auto& [value, row] : rows) categories << spec.categories[static_cast<qsizetype>(row)];
    spec.categories = std::move(categories);
    for (auto& series : spec.series) {
        std::vector<ChartPoint> points;
        for (const auto& [value, row] : rows) points.push_back(std::move(series.points[row]));
        series.points = std::move(points);
    }
}

struct SeriesKey {
    std::string device, precision, isa;
    friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

struct CategoryKey {
    std::string workload;
    std::int64_t batch = 0;
    int threads = 0;
    friend auto operator<=>(const CategoryKey&, const CategoryKey&) = default;
};

SeriesKey seriesOf(const bench::Case& spec) {
    return {spec.device, std::string(toString(spec.precision)), spec.isa.value_or("")};
}

CategoryKey categoryOf(const bench::Case& spec) {
    return {spec.workload, spec.batch, spec.threads.value_or(0)};
}

// Keeps the order of first appearance.
template <typename Key>
std::size_t positionIn(std::vector<Key>& list, const Key& key) {
    const auto found = std::find(list.begin(), list.end(), key);
    if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
    list.push_back(key);
    return list.size() - 1;
}

// A name with only the parts that distinguish the series of this chart.
QString seriesName(const SeriesKey& key, const std::vector<SeriesKey>& all) {
    const auto varies = [&](auto member) {
        return std::any_of(all.begin(), all.end(),
                           [&](const SeriesKey& other) { return other.*member != key.*member; });
    };
    QStringList parts{StatusText::device(key.device)};
    if (varies(&SeriesKey::precision) || all.size() == 1) parts << plain(key.precision);
    if (varies(&SeriesKey::isa) && !key.isa.empty()) parts << plain(key.isa);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

QString ResultsPresenter::withFailures(const QString& text, plan::Mode mode) const {
    constexpr int kShown = 3;
    QStringList lines{text};
    int failed = 0;
    for (const auto& record : m_run.records) {
        if (record.spec.mode != mode || record.status == bench::Status::Ok) continue;
        if (++failed <= kShown)
            lines << QStringLiteral("%1: %2").arg(plain(m_catalogue.titleOf(record.spec.workload)),
                                                  RecordsPresenter::headline(record));
    }
    if (failed > kShown) lines << tr("and %n more", nullptr, failed - kShown);
    return lines.join(QLatin1Char('\n'));
}

// Training and inference together, because their charts are shown one below the other.
ResultsPresenter::SpeedRange ResultsPresenter::speedRange(SpeedUnit unit) const {
    ChartSpec all;
    all.series.resize(2);  // medians, ends of intervals
    for (std::size_t position = 0; position < m_run.records.size(); ++position) {
        if (!countsSamples(m_run.records[position])) continue;
        const auto point = speedPoint(position, unit);
        all.series[0].points.push_back(point);
        if (!point.interval) continue;
        for (const double end : {point.interval->low, point.interval->high}) {
            all.series[1].points.emplace_back();
            all.series[1].points.back().y = end;
        }
    }
    const auto whole = extremesOf(all);
    all.series.pop_back();
    const auto medians = extremesOf(all);
    return {medians, whole};
}

ChartSpec ResultsPresenter::speed(plan::Mode mode, SpeedUnit unit) const {
    std::vector<CategoryKey> categories;
    std::vector<SeriesKey> series;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> positions;  // series, category -> record
    for (std::size_t position = 0; position < m_run.records.size(); ++position) {
        const auto& spec = m_run.records[position].spec;
        if (spec.mode != mode || !countsSamples(m_run.records[position])) continue;
        const auto column = positionIn(categories, categoryOf(spec));
        const auto row = positionIn(series, seriesOf(spec));
        positions[{row, column}] = position;  // of repeated cases, the later one
    }
    ChartSpec chart;
    chart.title = mode == plan::Mode::Train ? tr("Training speed") : tr("Inference speed");
    chart.subtitle = subtitle();
    chart.emptyText = withFailures(mode == plan::Mode::Train ? tr("No finished training case in this run.")
                                                             : tr("No finished inference case in this run."),
                                   mode);
    for (const auto& key : categories) {
        auto label = plain(m_catalogue.titleOf(key.workload));
        const auto varies = [&](auto member) {
            return std::any_of(categories.begin(), categories.end(), [&](const CategoryKey& other) {
                return other.workload == key.workload && other.*member != key.*member;
            });
        };
        if (varies(&CategoryKey::batch)) label += QLatin1Char(' ') + tr("b%1").arg(key.batch);
        if (varies(&CategoryKey::threads) && key.threads > 0) label += QLatin1Char(' ') + tr("t%1").arg(key.threads);
        chart.categories << label;
    }
    std::set<int> taken;
    for (std::size_t row = 0; row < series.size(); ++row) {
        ChartSeries one;
        one.name = seriesName(series[row], series);
        one.colour = freeColour(series[row].device, taken);
        for (std::size_t column = 0; column < categories.size(); ++column) {
            const auto found = positions.find({row, column});
            ChartPoint missing;
            missing.reason = tr("not part of this run");
            one.points.push_back(found == positions.end() ? missing : speedPoint(found->second, unit));
        }
        chart.series.push_back(std::move(one));
    }
    const auto [extremes, whole] = speedRange(unit);
    ScaledUnit scaled{1, rateUnit()};
    if (unit == SpeedUnit::SecondsPerStep) scaled = Format::secondsUnit(extremes.high);
    if (unit == SpeedUnit::FlopRate) scaled = Format::flopRateUnit(extremes.high);
    const bool wide = isWide(extremes);
    if (wide && unit == SpeedUnit::SecondsPerStep) scaled = {1e-3, QStringLiteral("ms")};
    rescale(chart, scaled.divisor);
    const bool time = unit == SpeedUnit::SecondsPerStep;
    chart.y = {time ? tr("Median time per step, less is better") : tr("Speed, more is better"),
               scaled.unit,
               wide ? ChartScale::Logarithmic : ChartScale::Linear,
               {},
               {},
               {}};
    const auto reach = reachOfIntervals({extremes.low, extremes.high}, chart.y.scale);
    if (extremes.high > 0)
        chart.y.span = ChartInterval{std::max(whole.low, reach.low) / scaled.divisor,
                                     std::min(whole.high, reach.high) / scaled.divisor};
    chart.rows = true;
    sortRows(chart, time ? RowOrder::SmallestFirst : RowOrder::LargestFirst);
    return chart;
}

// Memory: planned memory by kind, stacked, against the memory of the devices.
namespace {

// Memory of each device of the run: a line if it is close to the bars, otherwise text.
void addCapacities(ChartSpec& chart, const bench::RunRecord& run, double largest, double divisor) {
    constexpr double kInSight = 8;  // relative to the largest bar
    const auto profile = hardware::profileFromJson(run.profileJson);
    if (!profile) return;
    std::set<std::string> devices;
    for (const auto& record : run.records) devices.insert(record.spec.device);
    const auto add = [&](const std::string& device, std::optional<std::int64_t> bytes) {
        if (!bytes || devices.count(device) == 0) return;
        const auto label = ResultsPresenter::tr("%1 has %2").arg(StatusText::device(device), Format::bytes(*bytes));
        const auto capacity = static_cast<double>(*bytes);
        if (capacity < kInSight * largest) {
            chart.references.push_back({label, capacity / divisor});
        } else {
            chart.subtitle += QStringLiteral(" · ") + label;
        }
    };
    const auto& memory = profile->memory;
    add("cpu", memory.limitBytes.value ? memory.limitBytes.value : memory.totalBytes.value);
    for (const auto& gpu : profile->gpus) add(gpu.id, gpu.memoryBytes.value);
}

}  // namespace

namespace {

bool isEmptyPart(const ChartSeries& series) {
    return !series.asMark && std::all_of(series.points.begin(), series.points.end(),
                                         [](const ChartPoint& point) { return point.y == 0.0; });
}

// Text beside each stack.
void addTotals(ChartSpec& chart) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(chart.categories.size()); ++row) {
        double total = 0;
        ChartPoint* first = nullptr;
        for (auto& series : chart.series) {
            auto& point = series.points[row];
            if (series.asMark || !point.y) continue;
            total += *point.y;
            if (first == nullptr) first = &point;
        }
        if (first != nullptr) first->value = Format::bytes(std::llround(total));
    }
}

}  // namespace

ChartSpec ResultsPresenter::memory() const {
    ChartSpec chart;
    chart.kind = ChartKind::StackedBars;
    chart.title = tr("Memory");
    chart.subtitle = subtitle();
    chart.emptyText = tr("This run has no memory figures.");
    using Part = std::optional<std::int64_t> bench::MemoryUse::*;
    const std::pair<QString, Part> parts[] = {{tr("weights"), &bench::MemoryUse::weightBytes},
                                              {tr("gradients"), &bench::MemoryUse::gradientBytes},
                                              {tr("optimiser"), &bench::MemoryUse::optimizerBytes},
                                              {tr("activations"), &bench::MemoryUse::activationBytes},
                                              {tr("workspace"), &bench::MemoryUse::workspaceBytes}};
    std::set<std::string> devices;
    for (const auto& record : m_run.records) devices.insert(record.spec.device);
    std::set<std::string> seen;
    std::vector<std::size_t> positions;
    for (std::size_t position = 0; position < m_run.records.size(); ++position) {
        const auto& spec = m_run.records[position].spec;
        // Threads and instruction sets do not change the plan: one bar for all.
        const auto key = jobKey(spec) + '\n' + std::to_string(spec.batch);
        if (!seen.insert(key).second) continue;
        positions.push_back(position);
        auto label = QStringLiteral("%1 %2").arg(plain(m_catalogue.titleOf(m_run.records[position].spec.workload)),
                                                 StatusText::mode(spec.mode));
        if (devices.size() > 1) label += QLatin1Char(' ') + StatusText::device(spec.device);
        chart.categories << label;
    }
    int colour = 0;
    for (const auto& [name, part] : parts) {
        ChartSeries series{name, colour++, false, {}, false};
        for (const auto position : positions) {
            ChartPoint point;
            point.key = RecordsPresenter::keyOf(position);
            const auto& bytes = m_run.records[position].memory.*part;
            if (bytes) point.y = static_cast<double>(*bytes);
            if (!bytes) point.reason = tr("not planned: %1").arg(StatusText::name(m_run.records[position].status));
            series.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(series));
    }
    ChartSeries peak{tr("measured peak"), 6, true, {}, false};
    for (const auto position : positions) {
        const auto& memory = m_run.records[position].memory;
        const auto bytes = memory.devicePeakBytes ? memory.devicePeakBytes : memory.enginePeakBytes;
        ChartPoint point;
        point.key = RecordsPresenter::keyOf(position);
        if (bytes) point.y = static_cast<double>(*bytes);
        if (!bytes) point.reason = tr("not measured");
        peak.points.push_back(std::move(point));
    }
    chart.series.push_back(std::move(peak));
    // Kinds without any value would only lengthen the legend.
    chart.series.erase(std::remove_if(chart.series.begin(), chart.series.end(), isEmptyPart), chart.series.end());
    addTotals(chart);
    chart.rows = true;
    sortRows(chart, RowOrder::LargestFirst);
    const double largest = extremesOf(chart).high;
    const auto scaled = Format::bytesUnit(largest);
    rescale(chart, scaled.divisor);
    chart.y = {tr("Memory"), scaled.unit, ChartScale::Linear, {}};
    addCapacities(chart, m_run, largest, scaled.divisor);
    return chart;
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/sweep_presenter.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/bench/multi_device/scaling_tables.h"
#include "ui/presenters/results/result_series.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {
namespace {

constexpr double kLinearCounts = 16;  // ratio of the largest to the smallest number of threads or GPUs: above it a
                                      // logarithmic axis separates the small ones

}  // namespace

struct SweepPresenter::Line {
    std::string key;
    QString name;
    std::string device;
    std::map<std::int64_t, std::size_t> positions;  // batch or threads -> record
};

QString SweepPresenter::workloadTitle(const bench::CaseRecord& record) const {
    return plain(m_catalogue.titleOf(record.spec.workload));
}

std::vector<SweepPresenter::Line> SweepPresenter::sweepLines(Sweep sweep) const {
    std::vector<Line> lines;
    std::set<plan::Precision> precisions;
    for (const auto& record : m_run.records) precisions.insert(record.spec.precision);
    for (std::size_t position = 0; position < m_run.records.size(); ++position) {
        const auto& record = m_run.records[position];
        const auto& spec = record.spec;
        if (sweep == Sweep::Threads && !spec.threads) continue;
        const auto fixed =
            sweep == Sweep::Batch ? std::to_string(spec.threads.value_or(0)) : std::to_string(spec.batch);
        const auto key = jobKey(spec) + '\n' + spec.isa.value_or("") + '\n' + fixed;
        auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& one) { return one.key == key; });
        if (line == lines.end()) {
            QStringList parts{workloadTitle(record), StatusText::mode(spec.mode), StatusText::device(spec.device)};
            if (precisions.size() > 1) parts << plain(toString(spec.precision));
            if (spec.isa) parts << plain(*spec.isa);
            line = lines.insert(lines.end(), {key, parts.join(QStringLiteral(" · ")), spec.device, {}});
        }
        line->positions[sweep == Sweep::Batch ? spec.batch : *spec.threads] = position;
    }
    lines.erase(std::remove_if(lines.begin(), lines.end(), [](const Line& line) { return line.positions.size() < 2; }),
                lines.end());
    return lines;
}

std::vector<SweepPresenter::Line> SweepPresenter::gpuLines() const {
    const auto how = [](const bench::ScalingTable& table) {
        const auto batch = Format::integer(table.batch);
        if (table.kind == bench::ScalingKind::Strong) return tr("batch %1 divided among all").arg(batch);
        if (table.kind == bench::ScalingKind::Weak) return tr("batch %1 on each").arg(batch);
        return tr("an experiment of batch %1 on each").arg(batch);
    };
    std::vector<Line> lines;
    for (const auto& table : bench::scalingTables(m_run.records)) {
        const auto& first = m_run.records[table.lines.front().record];
        const QStringList parts{workloadTitle(first), StatusText::mode(table.mode), plain(toString(table.precision)),
                                how(table)};
        Line line{{}, parts.join(QStringLiteral(" · ")), first.spec.device, {}};
        for (const auto& one : table.lines) line.positions[one.devices] = one.record;
        lines.push_back(std::move(line));
    }
    return lines;
}

ChartSpec SweepPresenter::chartOf(const std::vector<Line>& lines) const {
    const ResultsPresenter results(m_run, m_catalogue);
    ChartSpec chart;
    chart.kind = ChartKind::Lines;
    chart.subtitle = results.subtitle();
    std::set<double> ticks;
    std::set<int> taken;
    for (const auto& line : lines) {
        ChartSeries series;
        series.name = line.name;
        series.colour = freeColour(line.device, taken);
        for (const auto& [x, position] : line.positions) {
            auto point = results.speedPoint(position, SpeedUnit::SamplesPerSecond);
            point.x = static_cast<double>(x);
            ticks.insert(static_cast<double>(x));
            series.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(series));
    }
    chart.x.scale = ChartScale::Logarithmic;
    chart.x.ticks.assign(ticks.begin(), ticks.end());
    chart.y = {
        tr("Speed"), results.rateUnit(), isWide(extremesOf(chart)) ? ChartScale::Logarithmic : ChartScale::Linear, {}};
    return chart;
}

// Linear scaling is a straight line, so both axes have the same kind: logarithmic if one has a large range. The ideal
// line from the first point is drawn for a single series; with several they would clutter the chart.
void SweepPresenter::judgeByProportion(ChartSpec& chart) {
    const auto& counts = chart.x.ticks;
    if (!counts.empty() && counts.back() / counts.front() > kLinearCounts) chart.y.scale = ChartScale::Logarithmic;
    chart.x.scale = chart.y.scale;
    if (chart.series.size() != 1) return;
    const auto& points = chart.series.front().points;
    const auto first =
        std::find_if(points.begin(), points.end(), [](const ChartPoint& point) { return point.y.has_value(); });
    if (first == points.end()) return;
    ChartSeries ideal{tr("proportional"), 6, false, {}, true};
    for (auto point = first; point != points.end(); ++point) {
        ChartPoint end;
        end.x = point->x;
        end.y = *first->y * *point->x / *first->x;
        ideal.points.push_back(std::move(end));
    }
    chart.series.push_back(std::move(ideal));
}

ChartSpec SweepPresenter::batchSweep() const {
    auto chart = chartOf(sweepLines(Sweep::Batch));
    chart.title = tr("Speed over batch size");
    chart.x.title = tr("Batch size");
    chart.emptyText = tr("Run a workload with several batch sizes to see a sweep here.");
    return chart;
}

ChartSpec SweepPresenter::threadScaling() const {
    auto chart = chartOf(sweepLines(Sweep::Threads));
    chart.title = tr("Speed over threads");
    chart.x.title = tr("Threads");
    chart.emptyText = tr("Run a workload with several thread counts to see how it scales.");
    judgeByProportion(chart);
    return chart;
}

ChartSpec SweepPresenter::gpuScaling() const {
    const auto lines = gpuLines();
    auto chart = chartOf(lines);
    const bool ofNodes = !lines.empty() && lines.front().device == "cpu";
    chart.title = ofNodes ? tr("Speed over nodes") : tr("Speed over GPUs");
    chart.x.title = ofNodes ? tr("Nodes") : tr("GPUs");
    chart.emptyText = tr("Run a workload on several GPUs to see what they gain.");
    judgeByProportion(chart);
    return chart;
}

bool SweepPresenter::hasBatchSweep() const {
    return !sweepLines(Sweep::Batch).empty();
}

bool SweepPresenter::hasThreadScaling() const {
    return !sweepLines(Sweep::Threads).empty();
}

bool SweepPresenter::hasGpuScaling() const {
    return !gpuLines().empty();
}

}  // namespace steelyard::ui

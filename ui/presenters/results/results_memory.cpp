// SPDX-License-Identifier: Apache-2.0
// Memory: what a plan consists of, stacked, against what the devices have.
#include <set>

#include "engine/hardware/profile/profile_json.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/results_detail.h"
#include "ui/text/format.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {

using namespace resultsdetail;

namespace {

// What each device of the run has: a line where it is in sight of the bars, else only in words.
void addCapacities(ChartSpec& chart, const bench::RunRecord& run, double largest, double divisor) {
    constexpr double kInSight = 8;  // times the largest part
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
        // Threads and instruction sets do not change the plan: one bar for all of them.
        const auto key = spec.workload + '\n' + spec.mode + '\n' + spec.device + '\n' + spec.precision + '\n' +
                         std::to_string(spec.batch);
        if (!seen.insert(key).second) continue;
        positions.push_back(position);
        auto label = QStringLiteral("%1 %2").arg(workloadTitle(m_run.records[position]), StatusText::mode(spec.mode));
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
    const double largest = extremesOf(chart).high;
    const auto scaled = Format::bytesUnit(largest);
    rescale(chart, scaled.divisor);
    chart.y = {tr("Memory"), scaled.unit, ChartScale::Linear, {}};
    addCapacities(chart, m_run, largest, scaled.divisor);
    return chart;
}

}  // namespace steelyard::ui

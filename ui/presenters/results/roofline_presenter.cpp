// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/roofline_presenter.h"

#include <algorithm>
#include <map>
#include <set>

#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/result_series.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {
namespace {

constexpr double kGiga = 1e9;

bool isOnRoofline(const bench::CaseRecord& record) {
    return record.status == bench::Status::Ok && record.utilization && record.utilization->achievedFlops > 0 &&
           record.flopsPerStep && record.bytesPerStep && *record.flopsPerStep > 0 && *record.bytesPerStep > 0;
}

double intensityOf(const bench::CaseRecord& record) {
    return *record.flopsPerStep / *record.bytesPerStep;
}

// Best measured rates of a device in a precision.
struct Roof {
    double flops = 0, bytes = 0;  // per second; 0: not measured
};

ChartPoint at(double intensity, double flops) {
    ChartPoint point;
    point.x = intensity;
    point.y = flops / kGiga;
    return point;
}

// From the left edge along the bandwidth to the ridge point, then level to the right edge.
ChartSeries roofLine(const QString& name, const Roof& roof, double low, double high) {
    ChartSeries line{name, 6, false, {}, true};
    if (roof.bytes > 0) {
        const double corner = roof.flops / roof.bytes;
        if (corner > low) line.points.push_back(at(low, low * roof.bytes));
        line.points.push_back(at(std::max(corner, low), roof.flops));
    } else {
        line.points.push_back(at(low, roof.flops));
    }
    line.points.push_back(at(std::max(high, *line.points.back().x * 2), roof.flops));
    line.points.back().label = name;  // all guides look alike
    return line;
}

}  // namespace

bool RooflinePresenter::hasRoofline(const bench::RunRecord& run) {
    return std::any_of(run.records.begin(), run.records.end(), isOnRoofline);
}

ChartSpec RooflinePresenter::chart(const bench::RunRecord& run, const WorkloadCatalogue& catalogue,
                                   const QString& subtitle) {
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Roofline");
    chart.subtitle = subtitle;
    chart.emptyText = tr("This run has no performance figures.");
    chart.x = {tr("Arithmetic intensity"), tr("FLOP/byte"), ChartScale::Logarithmic, {}};
    chart.y = {tr("Performance"), QStringLiteral("GFLOP/s"), ChartScale::Logarithmic, {}};
    std::map<std::pair<std::string, plan::Precision>, Roof> roofs;
    std::map<std::pair<std::string, plan::Mode>, ChartSeries> series;
    std::set<std::string> devices;
    for (const auto& record : run.records)
        if (isOnRoofline(record)) devices.insert(record.spec.device);
    std::set<std::string> labelled;
    double low = 0, high = 0;
    for (std::size_t position = 0; position < run.records.size(); ++position) {
        const auto& record = run.records[position];
        if (!isOnRoofline(record)) continue;
        const double intensity = intensityOf(record);
        low = low == 0 ? intensity : std::min(low, intensity);
        high = std::max(high, intensity);
        auto& roof = roofs[{record.spec.device, record.spec.precision}];
        roof.flops = std::max(roof.flops, record.utilization->peakFlops.value_or(0));
        roof.bytes = std::max(roof.bytes, record.utilization->peakBytes.value_or(0));
        // Training and inference are distinguished for a single device; otherwise the devices are.
        const auto mode = devices.size() == 1 ? record.spec.mode : plan::Mode::Train;
        auto& one = series[{record.spec.device, mode}];
        one.name = StatusText::device(record.spec.device);
        one.colour = deviceColour(record.spec.device);
        if (devices.size() == 1) one.name += QStringLiteral(" · ") + StatusText::mode(mode);
        if (mode == plan::Mode::Infer) ++one.colour;
        auto point = at(intensity, record.utilization->achievedFlops);
        point.key = RecordsPresenter::keyOf(position);
        point.note = RecordsPresenter::title(record, catalogue);
        if (labelled.insert(record.spec.workload + record.spec.device).second)
            point.label = plain(catalogue.titleOf(record.spec.workload));
        one.points.push_back(std::move(point));
    }
    for (const auto& [key, roof] : roofs) {
        if (roof.flops <= 0) continue;
        const auto name = tr("peak of %1, %2").arg(StatusText::device(key.first), plain(toString(key.second)));
        chart.series.push_back(roofLine(name, roof, low / 2, high * 2));
    }
    for (auto& [key, one] : series) chart.series.push_back(std::move(one));
    return chart;
}

}  // namespace steelyard::ui

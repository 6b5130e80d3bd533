// SPDX-License-Identifier: Apache-2.0
// Speed: workloads along x, a series per device, precision and instruction set.
#include <algorithm>
#include <map>
#include <set>

#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/results_detail.h"
#include "ui/text/format.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {

using namespace resultsdetail;

namespace {

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
    return {spec.device, spec.precision, spec.isa.value_or("")};
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

// A name with only those parts that tell the series of this chart apart.
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

ChartSpec ResultsPresenter::speed(const std::string& mode, SpeedUnit unit) const {
    std::vector<CategoryKey> categories;
    std::vector<SeriesKey> series;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> positions;  // series, category -> record
    for (std::size_t position = 0; position < m_run.records.size(); ++position) {
        const auto& spec = m_run.records[position].spec;
        if (spec.mode != mode || !countsSamples(m_run.records[position])) continue;
        const auto column = positionIn(categories, categoryOf(spec));
        const auto row = positionIn(series, seriesOf(spec));
        positions[{row, column}] = position;  // a case measured twice: the later one
    }
    ChartSpec chart;
    chart.title = mode == "train"   ? tr("Training speed")
                  : mode == "infer" ? tr("Inference speed")
                                    : StatusText::mode(mode);
    chart.subtitle = subtitle();
    chart.emptyText = tr("This run has no such cases.");
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
    const auto extremes = extremesOf(chart);
    ScaledUnit scaled{1, tr("samples/s")};
    if (unit == SpeedUnit::SecondsPerStep) scaled = Format::secondsUnit(extremes.high);
    if (unit == SpeedUnit::FlopRate) scaled = Format::flopRateUnit(extremes.high);
    const bool wide = extremes.low > 0 && extremes.high / extremes.low > kLinearSpan;
    if (wide && unit == SpeedUnit::SecondsPerStep) scaled = {1e-3, QStringLiteral("ms")};
    rescale(chart, scaled.divisor);
    chart.y = {unit == SpeedUnit::SecondsPerStep ? tr("Median time per step") : tr("Speed"),
               scaled.unit,
               wide ? ChartScale::Logarithmic : ChartScale::Linear,
               {}};
    return chart;
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/evidence/scaling_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "engine/bench/protocol/distributions.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json_writer.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/quantile.h"

namespace steelyard::advisor {
namespace {

constexpr std::int64_t kMostScalingBytes = std::int64_t{4} << 20;
constexpr double kBandShare = 0.9;
// Bytes of a message; small compared with all rows.
constexpr double kInsideLatency = 5e-6, kBetweenLatency = 20e-6;
constexpr std::array kExposures{0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0};
constexpr std::array kOverheads{0.0, 0.01, 0.02, 0.04, 0.06, 0.09};
constexpr std::array kPerDoublings{0.0, 0.005, 0.01, 0.02};

class ScalingColumns {
public:
    ScalingColumns(const CsvDocument& document, std::size_t row) : m_document(document), m_row(row) {}
    [[nodiscard]] std::string text(std::string_view name) const {
        const auto column = m_document.column(name);
        const auto fields = m_document.row(m_row);
        return column && *column < fields.size() ? std::string(fields[*column]) : std::string();
    }
    // Positive, else 0.
    [[nodiscard]] double number(std::string_view name) const {
        const auto value = numberFromText(text(name));
        return value && *value > 0 ? *value : 0;
    }

private:
    const CsvDocument& m_document;
    std::size_t m_row;
};

std::optional<PublishedScaling> scalingRow(const ScalingColumns& columns) {
    PublishedScaling row{
        columns.text("source"),      columns.text("stack"), columns.text("network"), columns.text("precision"), {},
        columns.number("efficiency")};
    const double rate = columns.number("base_samples_per_second");
    const auto whole = [&](const char* name) { return static_cast<int>(columns.number(name)); };
    row.job.base = {whole("base_nodes"), whole("base_devices")};
    row.job.wanted = {whole("nodes"), whole("devices")};
    const double bytes = row.precision.starts_with("amp") ? 2 : 4;
    row.job.gradientBytes = Bytes(static_cast<std::int64_t>(columns.number("parameters") * bytes));
    row.job.inside = {kInsideLatency, columns.number("inside_gb_s") * 1e9};
    const double between = columns.number("between_gbit_s") * 1e9 / 8;
    row.job.between = {kBetweenLatency, between};
    const bool known = !row.source.empty() && row.efficiency > 0 && rate > 0 && row.job.base.nodes > 0 &&
                       row.job.base.devices > 0 && row.job.wanted.nodes > 0 &&
                       row.job.wanted.devices > row.job.base.devices && row.job.gradientBytes.value() > 0 &&
                       row.job.inside.bytesPerSecond > 0 && (between > 0 || row.job.wanted.nodes == 1);
    if (!known) return std::nullopt;
    row.job.stepSeconds = columns.number("batch") * row.job.base.devices / rate;
    if (!(row.job.stepSeconds > 0)) return std::nullopt;
    return row;
}

double deviationOf(const PublishedScaling& row, const ScalingConstants& constants) {
    const double measured = std::max(0.0, 1 / row.efficiency - 1);
    return std::log((measured + kLossFloor) / (predictedLoss(row.job, constants) + kLossFloor));
}

// Mean of a function over the rows, with equal weight per source.
template <typename Function>
double meanOverSources(const std::vector<PublishedScaling>& rows, Function function) {
    std::map<std::string_view, std::pair<double, double>> sums;
    for (const auto& row : rows) {
        auto& [sum, count] = sums[row.source];
        sum += function(row);
        ++count;
    }
    double sum = 0;
    for (const auto& [source, one] : sums) sum += one.first / one.second;
    return sum / static_cast<double>(sums.size());
}

double errorOf(const PublishedScaling& row, const ScalingConstants& constants) {
    return std::abs(predictedEfficiency(row.job, constants).expected / row.efficiency - 1);
}

bool isInBand(const PublishedScaling& row, const ScalingConstants& constants) {
    return std::abs(deviationOf(row, constants) - constants.bias) <= constants.reach;
}

}  // namespace

Result<std::vector<PublishedScaling>> loadPublishedScaling(const std::filesystem::path& resources) {
    const auto file = resources / "backtest" / "scaling_rows.csv";
    ASSIGN(auto text, readFile(file, kMostScalingBytes));
    ASSIGN(const auto document, CsvDocument::parse(file.string(), std::move(text)));
    std::vector<PublishedScaling> rows;
    for (std::size_t i = 0; i < document.rowCount(); ++i) {
        auto row = scalingRow({document, i});
        if (!row) return fail(ErrorKind::CorruptData, file.string() + ":" + std::to_string(document.lineOf(i)));
        rows.push_back(std::move(*row));
    }
    return rows;
}

Result<ScalingConstants> fitScaling(const std::vector<PublishedScaling>& rows) {
    std::map<std::string_view, int> sources;
    for (const auto& row : rows) ++sources[row.source];
    if (sources.size() < 2) return fail(ErrorKind::InvalidArgument, "scaling_rows.csv");
    ScalingConstants best;
    double least = std::numeric_limits<double>::infinity();
    for (const double exposure : kExposures)
        for (const double overhead : kOverheads)
            for (const double perDoubling : kPerDoublings) {
                const ScalingConstants tried{exposure, overhead, perDoubling};
                const double error =
                    meanOverSources(rows, [&](const auto& row) { return std::pow(deviationOf(row, tried), 2); });
                if (error >= least) continue;
                least = error;
                best = tried;
            }
    best.bias = meanOverSources(rows, [&](const auto& row) { return deviationOf(row, best); });
    const double variance =
        meanOverSources(rows, [&](const auto& row) { return std::pow(deviationOf(row, best) - best.bias, 2); });
    // The deviation of a source and of the mean over few sources, by Student's t.
    const auto count = static_cast<double>(sources.size());
    best.reach = bench::studentQuantile(1 - kBandShare, count - 1) * std::sqrt(variance * (1 + 1 / count));
    return best;
}

Result<ScalingBacktest> scalingBacktest(const std::vector<PublishedScaling>& rows) {
    std::map<std::string, std::vector<PublishedScaling>> bySource;
    for (const auto& row : rows) bySource[row.source].push_back(row);
    ScalingBacktest report;
    std::vector<double> all;
    for (const auto& [source, ofSource] : bySource) {
        std::vector<PublishedScaling> others;
        for (const auto& row : rows)
            if (row.source != source) others.push_back(row);
        ScalingErrors errors{.source = source, .rows = ofSource.size()};
        ASSIGN(errors.constants, fitScaling(others));
        std::vector<double> own;
        for (const auto& row : ofSource) {
            own.push_back(errorOf(row, errors.constants));
            errors.inBand += isInBand(row, errors.constants) ? 1 : 0;
        }
        all.insert(all.end(), own.begin(), own.end());
        errors.medianError = quantile(own, 0.5);
        report.rows += errors.rows;
        report.inBand += errors.inBand;
        report.sources.push_back(std::move(errors));
    }
    report.medianError = quantile(all, 0.5);
    return report;
}

std::string scalingBacktestJson(const ScalingBacktest& report) {
    Json document{{"rows", report.rows}, {"in_band", report.inBand}, {"median_error", report.medianError}};
    document["sources"] = Json::array();
    for (const auto& errors : report.sources)
        document["sources"].push_back({{"source", errors.source},
                                       {"rows", errors.rows},
                                       {"in_band", errors.inBand},
                                       {"median_error", errors.medianError},
                                       {"exposure", errors.constants.exposure},
                                       {"overhead", errors.constants.overhead},
                                       {"per_doubling", errors.constants.perDoubling},
                                       {"reach", errors.constants.reach}});
    return dumpJson(document, 2);
}

}  // namespace steelyard::advisor

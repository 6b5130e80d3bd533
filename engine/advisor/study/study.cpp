// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/quantile.h"

namespace steelyard::advisor {
namespace {

constexpr double kSecondsPerHour = 3600;

Error damaged(const CsvDocument& document, std::size_t line, Message why) {
    return {ErrorKind::CorruptData,
            document.name(),
            line > 0 ? messages::onLine(line, std::move(why)) : std::move(why),
            {},
            {},
            {}};
}

void readRemarks(const CsvDocument& document, Study& study) {
    const std::pair<std::string_view, std::string*> fields[] = {{"title", &study.title},
                                                                {"source", &study.source},
                                                                {"link", &study.link},
                                                                {"date", &study.date},
                                                                {"notes", &study.notes}};
    for (const auto& remark : document.remarks())
        for (const auto& [key, target] : fields)
            if (remark.key == key) *target = remark.text;
}

// Whether the dominated one is slower or more expensive, and better in nothing.
bool dominates(const StudyCell& a, const StudyCell& b) {
    return a.epochSeconds <= b.epochSeconds && a.usdPerEpoch <= b.usdPerEpoch &&
           (a.epochSeconds < b.epochSeconds || a.usdPerEpoch < b.usdPerEpoch);
}

double score(double time, double cost, double weight) {
    return weight * std::log(time) + std::log(cost);
}

// Probability of a result at least this one-sided if both were equal: twice the smaller binomial tail.
double signTest(std::size_t faster, std::size_t slower) {
    const auto n = faster + slower;
    const auto few = std::min(faster, slower);
    double tail = 0, ways = 1;
    for (std::size_t k = 0; k <= few; ++k) {
        tail += ways;
        ways = ways * static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
    return std::min(1.0, 2 * tail / std::pow(2.0, static_cast<double>(n)));
}

class Weighing {
public:
    Weighing(const Study& study, const StudyOptions& options) : m_study(study), m_options(options) {}

    Result<StudyReport> run() {
        if (m_study.rows.empty()) return fail(ErrorKind::InvalidArgument, "study", messages::noRows());
        if (auto error = checkOptions()) return Failure(std::move(*error));
        for (const auto& row : m_study.rows) addRow(row);
        for (auto& workload : m_report.workloads) finish(workload);
        weighOverall();
        compareVariants();
        return std::move(m_report);
    }

private:
    static bool matches(const StudyRow& row, std::string_view name) {
        return row.platform == name || Configuration{row.platform, row.variant}.name() == name;
    }
    std::optional<Error> checkOptions() {
        if (!std::isfinite(m_options.timeWeight) || m_options.timeWeight < 0)
            return Error{ErrorKind::InvalidArgument, "time-weight", messages::negativeWeight(), {}, {}, {}};
        const auto known = [&](std::string_view name) {
            return std::ranges::any_of(m_study.rows, [&](const auto& row) { return matches(row, name); });
        };
        if (!m_options.baseline.empty() && !known(m_options.baseline))
            return Error{
                ErrorKind::InvalidArgument, "baseline", messages::noConfiguration(m_options.baseline), {}, {}, {}};
        for (const auto& [platform, factor] : m_options.priceMultipliers) {
            if (!known(platform))
                return Error{
                    ErrorKind::InvalidArgument, "price-multiplier", messages::noPlatform(platform), {}, {}, {}};
            if (!std::isfinite(factor) || factor <= 0)
                return Error{ErrorKind::InvalidArgument, "price-multiplier", messages::greaterThanZero(), {}, {}, {}};
        }
        m_baseline = m_options.baseline.empty()
                         ? Configuration{m_study.rows[0].platform, m_study.rows[0].variant}.name()
                         : m_options.baseline;
        return std::nullopt;
    }

    void addRow(const StudyRow& row) {
        auto found = std::ranges::find(m_report.workloads, row.workload, &WorkloadStudy::workload);
        if (found == m_report.workloads.end())
            found = m_report.workloads.insert(found, WorkloadStudy{.workload = row.workload});
        StudyCell cell;
        cell.configuration = {row.platform, row.variant};
        cell.epochSeconds = row.epochSeconds;
        cell.usdPerHour = row.usdPerHour;
        for (const auto& [platform, factor] : m_options.priceMultipliers)
            if (matches(row, platform)) cell.usdPerHour *= factor;
        cell.usdPerEpoch = cell.usdPerHour * cell.epochSeconds / kSecondsPerHour;
        if (!found->baseline && matches(row, m_baseline)) found->baseline = found->cells.size();
        found->cells.push_back(std::move(cell));
    }

    void finish(WorkloadStudy& study) const {
        auto& cells = study.cells;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            auto& cell = cells[i];
            if (study.baseline) {
                const auto& base = cells[*study.baseline];
                cell.relativeTime = cell.epochSeconds / base.epochSeconds;
                cell.relativeCost = cell.usdPerEpoch / base.usdPerEpoch;
                cell.breakEvenMultiplier = base.usdPerEpoch / cell.usdPerEpoch;
            }
            cell.onPareto = std::ranges::none_of(cells, [&](const StudyCell& other) { return dominates(other, cell); });
            if (cell.usdPerEpoch < cells[study.cheapest].usdPerEpoch) study.cheapest = i;
            if (cell.epochSeconds < cells[study.fastest].epochSeconds) study.fastest = i;
            if (value(cell) < value(cells[study.winner])) study.winner = i;
        }
    }
    [[nodiscard]] double value(const StudyCell& cell) const {
        return score(cell.epochSeconds, cell.usdPerEpoch, m_options.timeWeight);
    }

    // A configuration is a line over the weight: intercept mean log cost, slope mean log time. The lower envelope of
    // all lines gives the winner for each weight.
    struct Line {
        Configuration configuration;
        double cost = 0, time = 0;
        [[nodiscard]] double at(double weight) const { return cost + weight * time; }
    };

    void weighOverall() {
        std::map<Configuration, std::pair<Line, std::size_t>> sums;
        for (const auto& workload : m_report.workloads) {
            std::set<Configuration> counted;
            for (const auto& cell : workload.cells) {
                if (!counted.insert(cell.configuration).second) continue;
                auto& [line, count] = sums[cell.configuration];
                line.configuration = cell.configuration;
                line.cost += std::log(cell.usdPerEpoch);
                line.time += std::log(cell.epochSeconds);
                ++count;
            }
        }
        const double workloads = static_cast<double>(m_report.workloads.size());
        std::vector<Line> lines;
        for (auto& [configuration, sum] : sums)
            if (sum.second == m_report.workloads.size())
                lines.push_back({configuration, sum.first.cost / workloads, sum.first.time / workloads});
        if (lines.empty()) return;
        const auto better = [](double weight) {
            return [weight](const Line& a, const Line& b) {
                return std::pair(a.at(weight), a.time) < std::pair(b.at(weight), b.time);
            };
        };
        m_report.winner = std::ranges::min_element(lines, better(m_options.timeWeight))->configuration;
        double weight = 0;
        const Line* current = &*std::ranges::min_element(lines, better(0));
        m_report.overall.push_back({0, current->configuration});
        for (;;) {
            const Line* next = nullptr;
            double at = std::numeric_limits<double>::infinity();
            for (const auto& line : lines) {
                if (line.time >= current->time) continue;
                const double crossing = (line.cost - current->cost) / (current->time - line.time);
                if (crossing > weight && crossing < at) {
                    at = crossing;
                    next = &line;
                }
            }
            if (next == nullptr) return;
            current = next;
            weight = at;
            m_report.overall.push_back({at, current->configuration});
        }
    }

    // Each pair of variants of a platform; the one listed first in the table is the reference.
    void compareVariants() {
        std::vector<std::pair<std::string, std::vector<std::string>>> platforms;
        for (const auto& row : m_study.rows) {
            auto found = std::ranges::find(platforms, row.platform, [](const auto& p) { return p.first; });
            if (found == platforms.end()) found = platforms.insert(found, {row.platform, {}});
            if (std::ranges::find(found->second, row.variant) == found->second.end())
                found->second.push_back(row.variant);
        }
        for (const auto& [platform, variants] : platforms)
            for (std::size_t i = 1; i < variants.size(); ++i) compareVariant(platform, variants[i], variants[0]);
    }

    void compareVariant(const std::string& platform, const std::string& variant, const std::string& against) {
        std::vector<double> speedUps;
        VariantEffect effect{platform, variant, against};
        std::size_t slower = 0;
        for (const auto& workload : m_report.workloads) {
            const auto secondsOf = [&](const std::string& name) {
                const auto cell =
                    std::ranges::find(workload.cells, Configuration{platform, name}, &StudyCell::configuration);
                return cell == workload.cells.end() ? 0 : cell->epochSeconds;
            };
            const double with = secondsOf(variant), without = secondsOf(against);
            if (with == 0 || without == 0) continue;
            speedUps.push_back(without / with);
            effect.faster += without > with ? 1 : 0;
            slower += without < with ? 1 : 0;
        }
        if (speedUps.empty()) return;
        effect.workloads = speedUps.size();
        effect.medianSpeedUp = quantile(speedUps, 0.5);
        if (signTest(effect.faster, slower) <= 0.05)
            effect.verdict = effect.faster > slower ? VariantVerdict::Pays : VariantVerdict::Costs;
        m_report.variants.push_back(std::move(effect));
    }

    const Study& m_study;
    const StudyOptions& m_options;
    std::string m_baseline;
    StudyReport m_report;
};

}  // namespace

Result<Study> studyFromCsv(std::string name, std::string text) {
    const auto document =
        CsvDocument::parse(std::move(name), std::move(text), {.maxBytes = 16U << 20U, .maxRows = 100'000});
    if (!document) return Failure(document.error());
    constexpr std::array<std::string_view, 5> kColumns{"workload", "platform", "variant", "epoch_seconds",
                                                       "price_usd_per_hour"};
    std::array<std::size_t, kColumns.size()> columns{};
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        const auto column = document->column(kColumns[i]);
        if (!column) return Failure(damaged(*document, 0, messages::noColumn(kColumns[i])));
        columns[i] = *column;
    }
    Study study;
    readRemarks(*document, study);
    for (std::size_t i = 0; i < document->rowCount(); ++i) {
        const auto fields = document->row(i);
        const auto line = document->lineOf(i);
        if (fields.size() < document->header().size())
            return Failure(damaged(*document, line, messages::fewerFields()));
        const auto cell = [&](std::size_t column) { return std::string(trimmed(fields[columns[column]])); };
        const auto seconds = numberFromText(cell(3)), price = numberFromText(cell(4));
        if (cell(0).empty() || cell(1).empty())
            return Failure(damaged(*document, line, messages::workloadOrPlatform()));
        if (!seconds || *seconds <= 0) return Failure(damaged(*document, line, messages::notPositive("epoch_seconds")));
        if (!price || *price <= 0)
            return Failure(damaged(*document, line, messages::notPositive("price_usd_per_hour")));
        study.rows.push_back({cell(0), cell(1), cell(2), *seconds, *price});
    }
    if (study.rows.empty()) return Failure(damaged(*document, 0, messages::noRows()));
    return study;
}

Result<Study> loadStudy(const std::filesystem::path& file) {
    ASSIGN(auto text, readFile(file, 16 << 20));
    return studyFromCsv(file.string(), std::move(text));
}

std::vector<std::filesystem::path> studyFiles(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".csv") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

Result<StudyReport> weigh(const Study& study, const StudyOptions& options) {
    return Weighing(study, options).run();
}

}  // namespace steelyard::advisor

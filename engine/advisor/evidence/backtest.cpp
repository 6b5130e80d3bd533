// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/evidence/backtest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/advisor/predict/step_model.h"
#include "engine/advisor/predict/transfer.h"
#include "engine/advisor/statistics.h"
#include "engine/core/quantile.h"

namespace steelyard::advisor {
namespace {

constexpr double kRankedGap = 1.25;

// Collects measured / predicted of one class, by what was left out.
class Errors {
public:
    void add(double predicted, double measured, const std::string& leftOut) {
        m_errors.push_back(std::abs(relativeError(predicted, measured)));
        m_ratios[leftOut].push_back(measured / predicted);
    }

    [[nodiscard]] ErrorSummary summary(std::string name, const std::optional<Band>& shipped = {}) const {
        ErrorSummary result;
        result.name = std::move(name);
        result.rows = m_errors.size();
        if (m_errors.empty()) return result;
        result.median = quantile(m_errors, 0.5);
        result.p90 = quantile(m_errors, 0.9);
        for (double error : m_errors) result.mean += error / static_cast<double>(m_errors.size());
        if (!shipped) return result;
        result.coverage = coverage([&](const std::string&) { return *shipped; });
        result.band = bandWithout(nullptr);
        if (m_ratios.size() >= 2)
            result.coverageUnseen = coverage([&](const std::string& leftOut) { return bandWithout(&leftOut); });
        return result;
    }

private:
    [[nodiscard]] Band bandWithout(const std::string* leftOut) const {
        std::vector<double> all;
        for (const auto& [name, ratios] : m_ratios)
            if (leftOut == nullptr || name != *leftOut) all.insert(all.end(), ratios.begin(), ratios.end());
        return {quantile(all, 0.1), quantile(all, 0.5), quantile(all, 0.9)};
    }
    [[nodiscard]] double coverage(const auto& bandFor) const {
        std::ptrdiff_t inside = 0;
        for (const auto& [name, ratios] : m_ratios) {
            const Band band = bandFor(name);
            inside += std::ranges::count_if(ratios, [&](double r) { return r >= band.low && r <= band.high; });
        }
        return static_cast<double>(inside) / static_cast<double>(m_errors.size());
    }

    std::vector<double> m_errors;
    std::map<std::string, std::vector<double>> m_ratios;
};

struct RowTimes {
    double shipped = 0;  // by the fit on all rows
    double leftOut = 0;  // without the row's chip, and so without its stack's factor if no other chip has it
    bool launchBound = false;
};

class Backtest {
public:
    Backtest(const PublishedData& data, const PredictorParameters& parameters, const std::vector<Fold>& folds)
        : m_data(data), m_parameters(parameters), m_folds(folds) {}

    BacktestReport run() {
        m_report.date = m_parameters.date;
        predictAll();
        leaveOneChipOut();
        leaveOneFamilyOut();
        transfers();
        anchored();
        rank();
        return std::move(m_report);
    }

private:
    [[nodiscard]] const Fold* fold(FoldKind kind, std::string_view leftOut) const {
        const auto found =
            std::ranges::find_if(m_folds, [&](const Fold& f) { return f.kind == kind && f.leftOut == leftOut; });
        return found == m_folds.end() ? nullptr : &*found;
    }
    [[nodiscard]] SoftwareStack stackOf(const PublishedRow& row, const Fold& fold) const {
        auto stack = *m_parameters.findStack(row.stack);
        const auto factor = std::ranges::find(fold.factors, row.stack, &std::pair<std::string, double>::first);
        stack.factor = factor == fold.factors.end() ? 1 : factor->second;
        return stack;
    }
    [[nodiscard]] StepParts predict(const PublishedRow& row, const SoftwareStack& stack,
                                    const Constants& constants) const {
        return gpuStep(m_data.jobOf(row), m_data.devices[row.device], stack, constants);
    }
    void put(const Errors& errors, std::string name, std::optional<BandClass> band,
             std::optional<double> targetMedian = {}, std::optional<double> targetP90 = {}) {
        auto summary = errors.summary(std::move(name), band ? std::optional(m_parameters.band(*band)) : std::nullopt);
        summary.bandClass = band;
        summary.targetMedian = targetMedian;
        summary.targetP90 = targetP90;
        m_report.classes.push_back(std::move(summary));
    }
    void predictAll() {
        for (const auto& row : m_data.rows) {
            const auto shipped = predict(row, *m_parameters.findStack(row.stack), m_parameters.constants);
            m_report.predictedBelowBound += shipped.seconds < shipped.bound ? 1 : 0;
            m_report.measuredBelowBound += row.seconds < shipped.bound ? 1 : 0;
            RowTimes times{.shipped = shipped.seconds};
            if (const auto* without = fold(FoldKind::Chip, row.chip)) {
                const auto stack = stackOf(row, *without);
                const auto parts = predict(row, stack, without->constants);
                m_report.predictedBelowBound += parts.seconds < parts.bound ? 1 : 0;
                times.leftOut = parts.seconds;
                times.launchBound = isLaunchBound(parts, stack);
            }
            m_times.push_back(times);
        }
    }

    void leaveOneChipOut() {
        Errors all, launch, unknown, small;
        std::map<std::string, Errors> chips, families;
        for (std::size_t i = 0; i < m_times.size(); ++i) {
            const auto& row = m_data.rows[i];
            if (m_times[i].leftOut == 0) continue;
            if (!row.stackKnownElsewhere) unknown.add(m_times[i].leftOut, row.seconds, row.chip);
            if (!row.stackKnownElsewhere) continue;
            all.add(m_times[i].leftOut, row.seconds, row.chip);
            if (m_times[i].launchBound) launch.add(m_times[i].leftOut, row.seconds, row.chip);
            if (row.batch <= 8) small.add(m_times[i].leftOut, row.seconds, row.chip);
            chips[row.chip].add(m_times[i].leftOut, row.seconds, row.chip);
            families[std::string(toString(m_data.networks[row.network].job.family()))].add(m_times[i].leftOut,
                                                                                           row.seconds, row.chip);
        }
        put(all, "leave_one_chip_out", BandClass::KnownStack, 0.11, 0.32);
        const std::map<std::string, double> targets{
            {"transformer", 0.08}, {"convolutional", 0.12}, {"recurrent", 0.10}};
        for (const auto& [name, errors] : families)
            put(errors, name, {}, targets.contains(name) ? std::optional(targets.at(name)) : std::nullopt);
        put(launch, "launch_bound", BandClass::LaunchBound);
        put(small, "batch_up_to_8", {});
        put(unknown, "unknown_stack", BandClass::UnknownStack);
        for (const auto& [name, errors] : chips) m_report.chips.push_back(errors.summary(name));
    }

    void leaveOneFamilyOut() {
        Errors all;
        std::map<std::string, Errors> families;
        for (const auto& row : m_data.rows) {
            const auto& family = m_data.networks[row.network].family;
            const auto* without = fold(FoldKind::Family, family);
            if (without == nullptr) continue;
            const double seconds = predict(row, stackOf(row, *without), without->constants).seconds;
            all.add(seconds, row.seconds, family);
            families[family].add(seconds, row.seconds, family);
        }
        put(all, "leave_one_family_out", BandClass::KnownStack, 0.13, 0.33);
        for (const auto& [name, errors] : families) m_report.families.push_back(errors.summary(name));
    }

    struct Transfers {
        Errors same, median, other;
    };
    // The same job measured on A, transferred to B: with the shipped fit, and with one that has not seen B.
    void transfers() {
        const auto seen = carriedOver([](const PublishedRow&) { return static_cast<const Fold*>(nullptr); });
        put(seen.same, "transfer_same_generation", BandClass::SameGenerationTransfer, 0.07, 0.22);
        put(seen.median, "transfer_median", BandClass::MedianTransfer, 0.09, 0.25);
        put(seen.other, "transfer_other_generation", BandClass::OtherGenerationTransfer);
        const auto unseen = carriedOver([this](const PublishedRow& row) { return fold(FoldKind::Chip, row.chip); });
        m_report.unseenTransfers = {unseen.same.summary("transfer_same_generation"),
                                    unseen.median.summary("transfer_median"),
                                    unseen.other.summary("transfer_other_generation")};
    }

    // foldOf(target row): the fit to use, or nullptr for the shipped one.
    Transfers carriedOver(const auto& foldOf) const {
        std::map<std::tuple<std::size_t, plan::Mode, plan::Precision, bool, std::string>, std::vector<std::size_t>>
            jobs;
        for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
            const auto& row = m_data.rows[i];
            jobs[{row.network, row.mode, row.precision, row.mixedPrecision, row.stack}].push_back(i);
        }
        Transfers result;
        for (const auto& [key, rows] : jobs) {
            for (auto target : rows) {
                const auto& to = m_data.rows[target];
                const Fold* fold = foldOf(to);
                std::map<std::size_t, double> estimates;  // by device, from its row with the closest batch
                for (auto source : rows)
                    if (m_data.rows[source].chip != to.chip && isNearest(source, target, rows))
                        estimates[m_data.rows[source].device] = carried(source, target, fold);
                std::vector<double> all;
                for (const auto& [device, seconds] : estimates) {
                    const bool related = m_data.devices[device].generation == m_data.devices[to.device].generation;
                    (related ? result.same : result.other).add(seconds, to.seconds, to.chip);
                    all.push_back(seconds);
                }
                if (all.size() >= 2) result.median.add(quantile(all, 0.5), to.seconds, to.chip);
            }
        }
        return result;
    }

    // Close enough to transfer, and no row of its device is closer.
    [[nodiscard]] bool isNearest(std::size_t source, std::size_t target, const std::vector<std::size_t>& rows) const {
        const double own = distance(source, target);
        if (own > std::log(kTransferBatchRatio)) return false;
        return std::ranges::none_of(rows, [&](std::size_t rival) {
            return m_data.rows[rival].device == m_data.rows[source].device &&
                   (distance(rival, target) < own || (distance(rival, target) == own && rival < source));
        });
    }
    [[nodiscard]] double carried(std::size_t source, std::size_t target, const Fold* fold) const {
        const auto& from = m_data.rows[source];
        if (fold == nullptr) return transferred(from.seconds, m_times[source].shipped, m_times[target].shipped);
        const double there = predict(from, stackOf(from, *fold), fold->constants).seconds;
        return transferred(from.seconds, there, m_times[target].leftOut);
    }
    [[nodiscard]] double distance(std::size_t a, std::size_t b) const {
        return std::abs(
            std::log(static_cast<double>(m_data.rows[a].batch) / static_cast<double>(m_data.rows[b].batch)));
    }

    // Other networks were measured on the device with the same stack, mode and precision.
    void anchored() {
        std::map<std::tuple<std::size_t, std::string, plan::Mode, plan::Precision>, std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
            const auto& row = m_data.rows[i];
            if (m_times[i].leftOut > 0) groups[{row.device, row.stack, row.mode, row.precision}].push_back(i);
        }
        Errors errors;
        for (const auto& [key, rows] : groups) {
            for (auto target : rows) {
                std::vector<double> residuals;
                for (auto anchor : rows)
                    if (m_data.rows[anchor].network != m_data.rows[target].network)
                        residuals.push_back(std::log(m_data.rows[anchor].seconds / m_times[anchor].leftOut));
                if (residuals.size() < 2) continue;
                const double correction = shrunkMedian(residuals);
                errors.add(m_times[target].leftOut * std::exp(correction), m_data.rows[target].seconds,
                           m_data.rows[target].chip);
            }
        }
        put(errors, "anchored", BandClass::Anchored);
    }

    // For two devices with the same job: is the faster one predicted to be faster?
    void rank() {
        std::map<std::tuple<std::size_t, plan::Mode, plan::Precision, bool, std::string>, std::vector<std::size_t>>
            jobs;
        for (std::size_t i = 0; i < m_data.rows.size(); ++i) {
            const auto& row = m_data.rows[i];
            if (m_times[i].leftOut > 0 && row.stackKnownElsewhere)
                jobs[{row.network, row.mode, row.precision, row.mixedPrecision, row.stack}].push_back(i);
        }
        for (const auto& [key, rows] : jobs) {
            for (std::size_t a = 0; a < rows.size(); ++a) {
                for (std::size_t b = a + 1; b < rows.size(); ++b) {
                    const auto &first = m_data.rows[rows[a]], &second = m_data.rows[rows[b]];
                    if (first.device == second.device) continue;
                    const auto each = [](double seconds, const PublishedRow& row) {
                        return seconds / static_cast<double>(row.batch);
                    };
                    const double measured = each(first.seconds, first) / each(second.seconds, second);
                    if (measured < kRankedGap && measured > 1 / kRankedGap) continue;
                    const double predicted =
                        each(m_times[rows[a]].leftOut, first) / each(m_times[rows[b]].leftOut, second);
                    ++m_report.rankedPairs;
                    m_report.rankedRight += (measured > 1) == (predicted > 1) ? 1 : 0;
                }
            }
        }
    }

    const PublishedData& m_data;
    const PredictorParameters& m_parameters;
    const std::vector<Fold>& m_folds;
    std::vector<RowTimes> m_times;
    BacktestReport m_report;
};

}  // namespace

const ErrorSummary* BacktestReport::find(std::string_view name) const {
    const auto found = std::ranges::find(classes, name, &ErrorSummary::name);
    return found == classes.end() ? nullptr : &*found;
}

std::vector<std::pair<BandClass, Band>> bandsOf(const BacktestReport& report) {
    const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
    std::vector<std::pair<BandClass, Band>> bands;
    for (const auto& summary : report.classes) {
        if (!summary.bandClass || !summary.band) continue;
        const Band band{rounded(summary.band->low), rounded(summary.band->median), rounded(summary.band->high)};
        const auto known = std::ranges::find(bands, *summary.bandClass, &std::pair<BandClass, Band>::first);
        if (known == bands.end()) {
            bands.emplace_back(*summary.bandClass, band);
        } else {
            known->second.low = std::min(known->second.low, band.low);
            known->second.high = std::max(known->second.high, band.high);
        }
    }
    return bands;
}

BacktestReport backtest(const PublishedData& data, const PredictorParameters& parameters,
                        const std::vector<Fold>& folds) {
    return Backtest(data, parameters, folds).run();
}

}  // namespace steelyard::advisor

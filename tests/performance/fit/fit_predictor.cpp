// SPDX-License-Identifier: Apache-2.0
// Fits the predictor to resources/backtest and writes everything derived from the fit.
//   fit_predictor RESOURCES DATE
// Writes to RESOURCES: catalog/predictor_parameters.json (constants, factors, processor and bands; the rest is kept),
// backtest/folds.json (the same fit without each chip and without each family of networks), backtest/table.csv; prints
// the back-test. DATE, YYYY-MM-DD, is written into the files. Deterministic.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "engine/advisor/evidence/backtest.h"
#include "engine/core/file_io.h"
#include "tests/performance/fit/fitted_parameters.h"
#include "tests/performance/fit/predictor_fit.h"

namespace {

using namespace steelyard;
using namespace steelyard::advisor;

Fold foldOf(FoldKind kind, const std::string& leftOut, const PublishedData& data,
            const PredictorParameters& parameters) {
    const auto use = [&](const PublishedRow& row) {
        return kind == FoldKind::Nothing ||
               leftOut != (kind == FoldKind::Chip ? row.chip : data.networks[row.network].family);
    };
    const auto result = fit::fit(data, parameters, use);
    fmt::print("without {}: {} iterations, objective {:.6f}\n", leftOut.empty() ? "nothing" : leftOut,
               result.iterations, result.objective);
    std::fflush(stdout);
    return {kind, leftOut, result.constants, result.factors};
}

void printTable(const BacktestReport& report) {
    fmt::print("{:<28} {:>5} {:>7} {:>7} {:>7} {:>9} {:>9}\n", "class", "rows", "median", "mean", "p90", "coverage",
               "unseen");
    const auto share = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.1f}%", 100 * *value) : "-";
    };
    const auto print = [&](const ErrorSummary& s) {
        fmt::print("{:<28} {:>5} {:>7} {:>7} {:>7} {:>9} {:>9}\n", s.name, s.rows, share(s.median), share(s.mean),
                   share(s.p90), share(s.coverage), share(s.coverageUnseen));
    };
    for (const auto& summary : report.classes) print(summary);
    fmt::print("by a fit that has not seen the device they are carried over to:\n");
    for (const auto& summary : report.unseenTransfers) print(summary);
    for (const auto* list : {&report.chips, &report.families})
        for (const auto& summary : *list) print(summary);
    fmt::print("ranked right: {} of {}; predicted below the bound: {}; measured below it: {}\n", report.rankedRight,
               report.rankedPairs, report.predictedBelowBound, report.measuredBelowBound);
}

std::string tableOf(const BacktestReport& report, const std::string& date) {
    std::string text = fmt::format(
        "# title: Errors of the predictor on published speeds\n# source: fit_predictor\n# date: "
        "{}\n",
        date);
    text += "class,rows,median,mean,p90,coverage,coverage_unseen\n";
    const auto share = [](const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : ""; };
    for (const auto& s : report.classes)
        text += fmt::format("{},{},{:.4f},{:.4f},{:.4f},{},{}\n", s.name, s.rows, s.median, s.mean, s.p90,
                            share(s.coverage), share(s.coverageUnseen));
    return text;
}

void printMoves(const PredictorParameters& before, const PredictorParameters& after) {
    const auto print = [](std::string_view name, double was, double is) {
        if (was != is) fmt::print("{:<28} {:>11.5g}  was {:>11.5g}\n", name, is, was);
    };
    for (const auto& field : constantFields())
        print(field.name, before.constants.*field.member, after.constants.*field.member);
    for (const auto& field : processorFields())
        print(field.name, before.processor.*field.member, after.processor.*field.member);
    for (std::size_t i = 0; i < before.stacks.size(); ++i)
        print(before.stacks[i].name, before.stacks[i].factor, after.stacks[i].factor);
    for (const auto& [value, band] : after.bands)
        fmt::print("band {:<26} {:.3f} to {:.3f}\n", toString(value), band.low, band.high);
}

// The shipped fit: all rows, and the bands of its back-test.
PredictorParameters fitted(PredictorParameters parameters, const PublishedData& data, const std::vector<Fold>& folds,
                           std::size_t chips, const std::string& date) {
    const auto own = foldOf(FoldKind::Nothing, {}, data, parameters);
    const auto processors = fit::fitProcessors(data);
    fmt::print("processors: median error {:.1f} %, 90th percentile {:.1f} % on their own rows\n",
               100 * processors.medianError, 100 * processors.p90);
    parameters.source = fmt::format(
        "fitted to {} published speeds of {} GPU chips by fit_predictor; their sources are listed with the stacks",
        data.rows.size(), chips);
    parameters.date = date;
    parameters.constants = own.constants;
    parameters.processor = processors.constants;
    for (const auto& [name, factor] : own.factors)
        std::ranges::find(parameters.stacks, name, &SoftwareStack::name)->factor = factor;
    for (const auto& [value, band] : bandsOf(backtest(data, parameters, folds)))
        std::ranges::find(parameters.bands, value, &std::pair<BandClass, Band>::first)->second = band;
    return parameters;
}

Result<void> writeAll(const std::filesystem::path& resources, const PredictorParameters& parameters,
                      const std::vector<Fold>& folds, const BacktestReport& report) {
    const auto file = resources / "catalog/predictor_parameters.json";
    const auto before = readFile(file, 1 << 24);
    if (!before) return Failure(before.error());
    const auto text = fit::withFitted(*before, parameters);
    if (!text) return Failure(text.error());
    if (auto written = writeFileAtomically(file, *text); !written) return written;
    if (auto written = writeFileAtomically(resources / "backtest/folds.json", toJson(folds, parameters.date)); !written)
        return written;
    return writeFileAtomically(resources / "backtest/table.csv", tableOf(report, parameters.date));
}

int run(const std::filesystem::path& resources, const std::string& date) {
    const auto before = loadPredictorParameters(resources / "catalog/predictor_parameters.json");
    if (!before) return fmt::print(stderr, "{}\n", describe(before.error())), 2;
    const auto data = loadPublishedData(resources / "backtest", *before);
    if (!data) return fmt::print(stderr, "{}\n", describe(data.error())), 2;
    std::set<std::string> chips, families;
    for (const auto& row : data->rows) {
        chips.insert(row.chip);
        families.insert(data->networks[row.network].family);
    }
    std::vector<Fold> folds;
    for (const auto& chip : chips) folds.push_back(foldOf(FoldKind::Chip, chip, *data, *before));
    for (const auto& family : families) folds.push_back(foldOf(FoldKind::Family, family, *data, *before));
    const auto parameters = fitted(*before, *data, folds, chips.size(), date);
    printMoves(*before, parameters);
    const auto report = backtest(*data, parameters, folds);
    printTable(report);
    if (const auto written = writeAll(resources, parameters, folds, report); !written)
        return fmt::print(stderr, "{}\n", describe(written.error())), 2;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return fmt::print(stderr, "usage: fit_predictor RESOURCES DATE\n"), 2;
    return run(argv[1], argv[2]);
}

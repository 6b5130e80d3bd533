// SPDX-License-Identifier: Apache-2.0
// Fits the predictor anew from resources/backtest and writes what the back-test needs.
//   fit_predictor RESOURCES [DATE]    writes RESOURCES/backtest/folds.json: constants without each chip, without each
//   family
//                                     of networks, and with everything; prints the back-test's table and how far the
//                                     fit with everything is from the shipped constants; writes the table to
//                                     RESOURCES/backtest/table.csv
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "engine/advisor/backtest.h"
#include "engine/advisor/statistics.h"
#include "engine/advisor/step_model.h"
#include "engine/core/file_io.h"
#include "tests/performance/predictor_fit.h"

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
    fmt::print("{:<28} {:>5} {:>7} {:>7} {:>7} {:>9}\n", "class", "rows", "median", "mean", "p90", "coverage");
    const auto print = [](const ErrorSummary& s) {
        fmt::print("{:<28} {:>5} {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>9}\n", s.name, s.rows, 100 * s.median, 100 * s.mean,
                   100 * s.p90, s.coverage ? fmt::format("{:.1f}%", 100 * *s.coverage) : "-");
    };
    for (const auto* list : {&report.classes, &report.chips, &report.families})
        for (const auto& summary : *list) print(summary);
    fmt::print("ranked right: {} of {}; predicted below the bound: {}; measured below it: {}\n", report.rankedRight,
               report.rankedPairs, report.predictedBelowBound, report.measuredBelowBound);
}

std::string tableOf(const BacktestReport& report, const std::string& date) {
    std::string text = fmt::format(
        "# title: Errors of the predictor on published speeds it was not fitted to\n# source: fit_predictor\n# date: "
        "{}\n",
        date);
    text += "class,rows,median,mean,p90,coverage\n";
    for (const auto& s : report.classes)
        text += fmt::format("{},{},{:.4f},{:.4f},{:.4f},{}\n", s.name, s.rows, s.median, s.mean, s.p90,
                            s.coverage ? fmt::format("{:.4f}", *s.coverage) : "");
    return text;
}

void compareWithShipped(const Fold& own, const PublishedData& data, const PredictorParameters& parameters) {
    for (const auto& field : constantFields())
        fmt::print("{:<28} {:>11.5g}  shipped {:>11.5g}\n", field.name, own.constants.*field.member,
                   parameters.constants.*field.member);
    std::vector<double> differences;
    for (const auto& row : data.rows) {
        auto stack = *parameters.findStack(row.stack);
        const double shipped = gpuStep(data.jobOf(row), data.devices[row.device], stack, parameters.constants).seconds;
        for (const auto& [name, factor] : own.factors)
            if (name == row.stack) stack.factor = factor;
        differences.push_back(
            std::abs(gpuStep(data.jobOf(row), data.devices[row.device], stack, own.constants).seconds / shipped - 1));
    }
    fmt::print("predictions differ from the shipped fit's by {:.1f} % in the median, {:.1f} % at the 90th percentile\n",
               100 * quantile(differences, 0.5), 100 * quantile(differences, 0.9));
}

// As the member "processor" of predictor_parameters.json has it.
void printProcessors(const PublishedData& data) {
    const auto result = fit::fitProcessors(data);
    const auto& c = result.constants;
    fmt::print("processors: median error {:.1f} %, 90th percentile {:.1f} % on their own rows\n",
               100 * result.medianError, 100 * result.p90);
    for (const auto& [stack, factor] : result.factors) fmt::print("  {} {:.3f}\n", stack, factor);
    const std::pair<const char*, double> members[] = {{"conv", c.conv},
                                                      {"depthwise", c.depthwise},
                                                      {"matmul", c.matMul},
                                                      {"recurrent", c.recurrent},
                                                      {"bandwidth", c.bandwidth},
                                                      {"half_reduction", c.halfReduction},
                                                      {"operation_seconds", c.operationSeconds},
                                                      {"operation_seconds_per_thread", c.operationSecondsPerThread}};
    for (const auto& [name, value] : members) fmt::print("  \"{}\": {:.4g},\n", name, value);
}

int run(const std::filesystem::path& resources, const std::string& date) {
    const auto parameters = loadPredictorParameters(resources / "catalog/predictor_parameters.json");
    if (!parameters) return fmt::print(stderr, "{}\n", describe(parameters.error())), 2;
    const auto data = loadPublishedData(resources / "backtest", *parameters);
    if (!data) return fmt::print(stderr, "{}\n", describe(data.error())), 2;
    printProcessors(*data);
    std::set<std::string> chips, families;
    for (const auto& row : data->rows) {
        chips.insert(row.chip);
        families.insert(data->networks[row.network].family);
    }
    std::vector<Fold> folds{foldOf(FoldKind::Nothing, {}, *data, *parameters)};
    for (const auto& chip : chips) folds.push_back(foldOf(FoldKind::Chip, chip, *data, *parameters));
    for (const auto& family : families) folds.push_back(foldOf(FoldKind::Family, family, *data, *parameters));
    const auto written = writeFileAtomically(resources / "backtest/folds.json", toJson(folds, date));
    if (!written) return fmt::print(stderr, "{}\n", describe(written.error())), 2;
    compareWithShipped(folds.front(), *data, *parameters);
    const auto report = backtest(*data, *parameters, folds);
    printTable(report);
    const auto table = writeFileAtomically(resources / "backtest/table.csv", tableOf(report, date));
    if (!table) return fmt::print(stderr, "{}\n", describe(table.error())), 2;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return fmt::print(stderr, "usage: fit_predictor RESOURCES [DATE]\n"), 2;
    return run(argv[1], argc > 2 ? argv[2] : "");
}

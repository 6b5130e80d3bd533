// SPDX-License-Identifier: Apache-2.0
// Fits the constants of training speeds to resources/backtest/training_rows.csv.
//   fit_training RESOURCES DATE    writes RESOURCES/models/training_predictor.json; prints constants and errors
// DATE, YYYY-MM-DD, is written into the file. Deterministic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/file_io.h"
#include "engine/core/quantile.h"
#include "tests/performance/fit/training_fit.h"

namespace {

using namespace steelyard;

void printErrors(const char* name, const std::vector<double>& ratios) {
    std::vector<double> errors;
    for (const double ratio : ratios) errors.push_back(std::abs(1 / ratio - 1));
    fmt::print("{:<18} {:>4} rows  median error {:4.1f} %  p90 {:5.1f} %  measured / predicted P10 {:.2f} P90 {:.2f}\n",
               name, ratios.size(), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9), quantile(ratios, 0.1),
               quantile(ratios, 0.9));
}

int run(const std::filesystem::path& resources, const std::string& date) {
    const auto rows = advisor::loadTrainingRows(resources);
    if (!rows) return fmt::print(stderr, "{}\n", describe(rows.error())), 2;
    const auto ratios = fit::trainingRatios(*rows);
    const auto parameters = fit::shippedTraining(*rows, ratios, date);
    fmt::print("{}", toJson(parameters));
    printErrors("fitted", ratios.fitted);
    printErrors("device left out", ratios.deviceLeftOut);
    printErrors("stack left out", ratios.stackLeftOut);
    const auto file = resources / "models" / "training_predictor.json";
    if (const auto written = writeFileAtomically(file, toJson(parameters)); !written)
        return fmt::print(stderr, "{}\n", describe(written.error())), 2;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return fmt::print(stderr, "usage: fit_training RESOURCES DATE\n"), 2;
    return run(argv[1], argv[2]);
}

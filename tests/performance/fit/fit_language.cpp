// SPDX-License-Identifier: Apache-2.0
// Fits the constants of the decode and prefill speeds of language models to resources/backtest/language_rows.csv.
//   fit_language RESOURCES DATE    writes RESOURCES/models/language_predictor.json and the columns of predictions with
//                                  the device and the software left out in language_rows.csv; prints errors
// DATE, YYYY-MM-DD, is written into the file. Deterministic; takes minutes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/file_io.h"
#include "engine/core/quantile.h"
#include "tests/performance/fit/language_fit.h"

namespace {

using namespace steelyard;
using Rows = std::vector<advisor::LanguageRow>;

void printErrors(const char* name, const Rows& rows, const std::vector<double>& predicted,
                 const std::function<bool(std::size_t)>& choose) {
    for (const bool prefill : {false, true}) {
        std::vector<double> errors;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].prefill == prefill && choose(i))
                errors.push_back(std::abs(predicted[i] / rows[i].measured - 1));
        if (errors.empty()) continue;
        fmt::print("{:<7} {:<18} {:>4} rows  median error {:4.1f} %  p90 {:5.1f} %\n", prefill ? "prefill" : "decode",
                   name, errors.size(), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9));
    }
}

int run(const std::filesystem::path& resources, const std::string& date) {
    const auto refuse = [](const Error& error) { return fmt::print(stderr, "{}\n", describe(error)), 2; };
    const auto rows = advisor::loadLanguageRows(resources);
    if (!rows) return refuse(rows.error());
    const auto folds = fit::languageFolds(*rows);
    const auto parameters = fit::shippedLanguage(*rows, folds, date);
    const auto all = [](std::size_t) { return true; };
    printErrors("fitted", *rows, folds.fitted, all);
    printErrors("device left out", *rows, folds.deviceLeftOut,
                [&](std::size_t i) { return folds.stackSeenElsewhere[i]; });
    printErrors("software left out", *rows, folds.softwareLeftOut, all);
    double farthest = 0;
    for (std::size_t i = 0; i < rows->size(); ++i)
        farthest = std::max(farthest, std::abs(folds.fitted[i] / (*rows)[i].fitted - 1));
    fmt::print("farthest from the column fitted: {:.2f} %\n", 100 * farthest);

    const auto table = resources / "backtest" / "language_rows.csv";
    auto text = readFile(table, 1 << 24);
    if (!text) return refuse(text.error());
    const auto replaced = fit::withFolds(table.string(), std::move(*text), folds);
    if (!replaced) return refuse(replaced.error());
    if (const auto written = writeFileAtomically(table, *replaced); !written) return refuse(written.error());
    const auto written = writeFileAtomically(resources / "models" / "language_predictor.json", toJson(parameters));
    return written ? 0 : refuse(written.error());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return fmt::print(stderr, "usage: fit_language RESOURCES DATE\n"), 2;
    return run(argv[1], argv[2]);
}

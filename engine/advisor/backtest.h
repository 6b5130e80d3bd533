// SPDX-License-Identifier: Apache-2.0
// How wrong the predictor is, on published speeds it was not fitted to: each row is predicted with constants fitted
// without its chip, or without its family of networks (resources/backtest/folds.json, written by
// tests/performance/fit_predictor). Pure functions; the same table is shown by the command line, the window and the
// report.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/advisor/published_data.h"

namespace steelyard::advisor {

enum class FoldKind { Nothing, Chip, Family };
// Constants and factors of a fit that left something out.
struct Fold {
    FoldKind kind = FoldKind::Nothing;
    std::string leftOut;
    Constants constants;
    std::vector<std::pair<std::string, double>> factors;
};
[[nodiscard]] Result<std::vector<Fold>> loadFolds(const std::filesystem::path& file);
[[nodiscard]] std::string toJson(const std::vector<Fold>& folds, std::string_view date);

// Error is |predicted / measured - 1|.
struct ErrorSummary {
    std::string name;  // "leave_one_chip_out", "transfer_same_generation", ...
    std::size_t rows = 0;
    double median = 0, mean = 0, p90 = 0;
    std::optional<double> coverage;  // share of rows whose measured / predicted is in the class's 80 % band
    std::optional<BandClass> bandClass;
    std::optional<double> targetMedian, targetP90;

    friend bool operator==(const ErrorSummary&, const ErrorSummary&) = default;
};

struct BacktestReport {
    std::vector<ErrorSummary> classes;
    std::vector<ErrorSummary> chips;     // left out one after another
    std::vector<ErrorSummary> families;  // likewise
    std::size_t rankedPairs = 0;         // of devices whose measured speeds differ by more than a quarter
    std::size_t rankedRight = 0;
    std::size_t predictedBelowBound = 0;  // never
    std::size_t measuredBelowBound = 0;   // a bound that is none
    std::string date;                     // of the parameters

    [[nodiscard]] const ErrorSummary* find(std::string_view name) const;
};

[[nodiscard]] BacktestReport backtest(const PublishedData& data, const PredictorParameters& parameters,
                                      const std::vector<Fold>& folds);

}  // namespace steelyard::advisor

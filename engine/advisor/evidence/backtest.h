// SPDX-License-Identifier: Apache-2.0
// Prediction error on published speeds excluded from the fit: each row is predicted with constants fitted without its
// chip, or without its family of networks (resources/backtest/folds.json). The shipped fit (predictor_parameters.json)
// differs from these only in using all rows: tests/performance/fit/fit_predictor writes all of them, and the intervals.
// Pure functions; the command line, the window and the report show the same table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/advisor/evidence/published_data.h"

namespace steelyard::advisor {

enum class FoldKind { Nothing, Chip, Family };
// Constants and factors of one cross-validation fold.
struct Fold {
    FoldKind kind = FoldKind::Nothing;
    std::string leftOut;
    Constants constants;
    std::vector<std::pair<std::string, double>> factors;
};
[[nodiscard]] Result<std::vector<Fold>> loadFolds(const std::filesystem::path& file);
[[nodiscard]] std::string toJson(const std::vector<Fold>& folds, std::string_view date);

// Error is |relativeError|.
struct ErrorSummary {
    std::string name;  // "leave_one_chip_out", "transfer_same_generation", ...
    std::size_t rows = 0;
    double median = 0, mean = 0, p90 = 0;
    std::optional<double> coverage;  // fraction of rows whose measured / predicted lies in the class's 80 % interval
    std::optional<double> coverageUnseen;  // ... in an interval fitted without the row's chip (or family)
    std::optional<BandClass> bandClass;
    std::optional<Band> band;  // P10, median and P90 of measured / predicted over these rows
    std::optional<double> targetMedian, targetP90;

    friend bool operator==(const ErrorSummary&, const ErrorSummary&) = default;
};

struct BacktestReport {
    std::vector<ErrorSummary> classes;
    std::vector<ErrorSummary> chips;     // each left out in turn
    std::vector<ErrorSummary> families;  // likewise
    // Transfer classes take the model's ratio of two devices from the shipped fit, which has seen other rows of the
    // second device; these use a fit without it.
    std::vector<ErrorSummary> unseenTransfers;
    std::size_t rankedPairs = 0;  // device pairs whose measured speeds differ by more than 25 %
    std::size_t rankedRight = 0;
    std::size_t predictedBelowBound = 0;  // must be 0
    std::size_t measuredBelowBound = 0;   // the bound is violated
    std::string date;                     // of the parameters

    [[nodiscard]] const ErrorSummary* find(std::string_view name) const;
};

// The bands of the classes' rows, to three decimals; the widest where several classes share one. Bands that no
// published row supports are not included.
[[nodiscard]] std::vector<std::pair<BandClass, Band>> bandsOf(const BacktestReport& report);

[[nodiscard]] BacktestReport backtest(const PublishedData& data, const PredictorParameters& parameters,
                                      const std::vector<Fold>& folds);

}  // namespace steelyard::advisor

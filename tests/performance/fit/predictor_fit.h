// SPDX-License-Identifier: Apache-2.0
// Fits the constants of the step model and the factors of the software stacks to published rows. What is made small is
// what the back-test reports, advisor::relativeError. The parameters that ship and those that leave something out come
// from this one function. Used by fit_predictor and by the tests that repeat a part of its result. Deterministic;
// results have six digits, so that they are the same when read back; one thread a call.
#pragma once

#include <functional>

#include "engine/advisor/evidence/published_data.h"

namespace steelyard::fit {

struct FitOptions {
    int iterations = 25;
    double robustness = 0.2;   // residuals beyond this count by their size, not by its square
    double factorPrior = 0.2;  // weight of (log factor)^2: a stack with few rows stays near 1. About (spread of the
                               // residuals / spread of the factors)^2 x parameters / witnesses, a hundred pairs of chip
                               // and stack
    double constantPrior =
        0.3;  // weight of (log constant / start)^2: keeps what the rows do not tell near where it began
};

struct FitResult {
    advisor::Constants constants;
    std::vector<std::pair<std::string, double>> factors;  // of the stacks that have rows
    double objective = 0;
    int iterations = 0;
};

// The rows for which `use` holds. The start is round numbers, not what was fitted before.
[[nodiscard]] FitResult fit(const advisor::PublishedData& data, const advisor::PredictorParameters& parameters,
                            const std::function<bool(const advisor::PublishedRow&)>& use,
                            const FitOptions& options = {});

struct ProcessorFit {
    advisor::ProcessorConstants constants;
    std::vector<std::pair<std::string, double>> factors;  // of the stacks; the first one of the rows is 1
    double medianError = 0, p90 = 0;                      // on the same rows
};
[[nodiscard]] ProcessorFit fitProcessors(const advisor::PublishedData& data);

}  // namespace steelyard::fit

// SPDX-License-Identifier: Apache-2.0
// Fits the constants of the step model and the factors of the software stacks to published rows, minimising the error
// reported by the back-test, advisor::relativeError. The shipped parameters and the cross-validation folds use the same
// function. Used by fit_predictor and by the tests that reproduce part of its result. Deterministic; results have six
// digits, so that they are identical after reading; one thread per call.
#pragma once

#include <functional>

#include "engine/advisor/evidence/published_data.h"

namespace steelyard::fit {

struct FitOptions {
    int iterations = 25;
    double robustness = 0.2;     // residuals beyond this are weighted linearly instead of quadratically
    double factorPrior = 0.2;    // weight of (log factor)^2: a stack with few rows stays near 1. About (spread of the
                                 // residuals / spread of the factors)^2 x parameters / observations, a hundred pairs of
                                 // chip and stack
    double constantPrior = 0.3;  // weight of (log constant / start)^2: keeps constants without data close to the start
};

struct FitResult {
    advisor::Constants constants;
    std::vector<std::pair<std::string, double>> factors;  // of the stacks with rows
    double objective = 0;
    int iterations = 0;
};

// The rows for which `use` holds. Starts from round numbers, not from an earlier fit.
[[nodiscard]] FitResult fit(const advisor::PublishedData& data, const advisor::PredictorParameters& parameters,
                            const std::function<bool(const advisor::PublishedRow&)>& use,
                            const FitOptions& options = {});

struct ProcessorFit {
    advisor::ProcessorConstants constants;
    std::vector<std::pair<std::string, double>> factors;  // of the stacks; that of the first row's is 1
    double medianError = 0, p90 = 0;                      // on the same rows
};
[[nodiscard]] ProcessorFit fitProcessors(const advisor::PublishedData& data);

}  // namespace steelyard::fit

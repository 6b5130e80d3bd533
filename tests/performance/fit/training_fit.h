// SPDX-License-Identifier: Apache-2.0
// Fits the constants of training_speed.h to published rows: minimises the sum of robust squared logarithms of predicted
// over measured, from round start values, by coordinate search on the logarithms of the constants. Used by fit_training
// and by the test that reproduces it. Deterministic; results have six digits; one thread per call.
#pragma once

#include <functional>
#include <span>

#include "engine/advisor/language/training_speed.h"

namespace steelyard::fit {

// The rows for which `use` holds. Stacks without such a row are omitted. Without bands.
[[nodiscard]] advisor::TrainingParameters fitTraining(std::span<const advisor::TrainingRow> rows,
                                                      const std::function<bool(const advisor::TrainingRow&)>& use);

// Measured over predicted of every row: with the constants, with the row's device left out of the fit (absent if the
// row's stack has no other device), and with its stack left out.
struct TrainingRatios {
    std::vector<double> fitted, deviceLeftOut, stackLeftOut;
};
[[nodiscard]] TrainingRatios trainingRatios(std::span<const advisor::TrainingRow> rows);

// The shipped constants and bands.
[[nodiscard]] advisor::TrainingParameters shippedTraining(std::span<const advisor::TrainingRow> rows,
                                                          const TrainingRatios& ratios, const std::string& date);

}  // namespace steelyard::fit

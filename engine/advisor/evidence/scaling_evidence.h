// SPDX-License-Identifier: Apache-2.0
// Published throughputs of data-parallel training (resources/backtest/scaling_rows.csv), the fit of the model to them
// (predict/scaling_model.h), and how it predicts rows of a source that it was not fitted to. Sources count alike,
// however many rows they have. Pure functions, but for the reading.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/advisor/predict/scaling_model.h"
#include "engine/core/error.h"

namespace steelyard::advisor {

struct PublishedScaling {
    std::string source, stack, network, precision;
    ScalingJob job;         // gradients in float32, or in float16 where the precision is mixed
    double efficiency = 1;  // of job.wanted against job.base, each device having the same batch
};
// CorruptData names the line.
[[nodiscard]] Result<std::vector<PublishedScaling>> loadPublishedScaling(const std::filesystem::path& resources);

// The constants of least squares of ln((loss + kLossFloor) / ...) among those of a grid. Needs rows of two sources.
[[nodiscard]] Result<ScalingConstants> fitScaling(const std::vector<PublishedScaling>& rows);

struct ScalingErrors {
    std::string source;  // left out
    std::size_t rows = 0, inBand = 0;
    double medianError = 0;  // |predicted / measured - 1| of the efficiency
    ScalingConstants constants;
};
struct ScalingBacktest {
    std::vector<ScalingErrors> sources;  // in alphabetical order
    std::size_t rows = 0, inBand = 0;
    double medianError = 0;
};
[[nodiscard]] Result<ScalingBacktest> scalingBacktest(const std::vector<PublishedScaling>& rows);
[[nodiscard]] std::string scalingBacktestJson(const ScalingBacktest& report);

}  // namespace steelyard::advisor

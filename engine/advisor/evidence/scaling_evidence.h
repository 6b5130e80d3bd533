// SPDX-License-Identifier: Apache-2.0
// Published throughputs of data-parallel training (resources/backtest/scaling_rows.csv), the fit of the model to them
// (predict/scaling_model.h), and its error on rows of a source excluded from the fit. Each source has the same weight,
// regardless of its number of rows. Pure functions, except for reading the file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/advisor/predict/scaling_model.h"
#include "engine/core/error.h"

namespace steelyard::advisor {

struct PublishedScaling {
    std::string source, stack, network, precision;
    ScalingJob job;         // gradients in float32, or in float16 with mixed precision
    double efficiency = 1;  // of job.wanted relative to job.base, with the same batch per device
};
// CorruptData names the line.
[[nodiscard]] Result<std::vector<PublishedScaling>> loadPublishedScaling(const std::filesystem::path& resources);

// Grid search for the least squares of ln((loss + kLossFloor) / ...). Needs rows of two sources.
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

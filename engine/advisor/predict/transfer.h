// SPDX-License-Identifier: Apache-2.0
// Transfers a measurement from one device to another with the step model. Pure function.
#pragma once

#include <cmath>

namespace steelyard::advisor {

// The fraction of the model's error on device A that is expected on B as well: fitted on the published rows (the
// transfer classes of the back-test); 1 transfers all of A's error, 0 none.
inline constexpr double kTransferShare = 0.8;
// Batch sizes with a larger ratio count as different jobs.
inline constexpr double kTransferBatchRatio = 4;

[[nodiscard]] inline double transferred(double measuredOnA, double predictedOnA, double predictedOnB) {
    return predictedOnB * std::pow(measuredOnA / predictedOnA, kTransferShare);
}

}  // namespace steelyard::advisor

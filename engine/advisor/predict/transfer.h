// SPDX-License-Identifier: Apache-2.0
// A measurement on one device, carried to another by the step model. Pure function.
#pragma once

#include <cmath>

namespace steelyard::advisor {

// How much of what the model missed on device A it also misses on B: found on the published rows (the back-test's
// transfer classes), where 1 would carry A's own quirks over and 0 would learn nothing.
inline constexpr double kTransferShare = 0.8;
// Batches further apart than this are different jobs.
inline constexpr double kTransferBatchRatio = 4;

[[nodiscard]] inline double transferred(double measuredOnA, double predictedOnA, double predictedOnB) {
    return predictedOnB * std::pow(measuredOnA / predictedOnA, kTransferShare);
}

}  // namespace steelyard::advisor

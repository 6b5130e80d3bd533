// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/predict/scaling_model.h"

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {
namespace {

double lossAgainstOne(const ScalingJob& job, const DeviceGroupShape& shape, const ScalingConstants& constants) {
    if (shape.devices < 2) return 0;
    const double exchange = compute::hierarchicalSeconds(
        job.gradientBytes, shape.nodes, std::max(1, shape.devices / shape.nodes), job.inside, job.between);
    return constants.exposure * exchange / job.stepSeconds + constants.overhead +
           constants.perDoubling * std::log2(shape.devices);
}

}  // namespace

double predictedLoss(const ScalingJob& job, const ScalingConstants& constants) {
    const double wanted = 1 + lossAgainstOne(job, job.wanted, constants);
    return std::max(0.0, wanted / (1 + lossAgainstOne(job, job.base, constants)) - 1);
}

compute::EfficiencyForecast predictedEfficiency(const ScalingJob& job, const ScalingConstants& constants) {
    const double loss = predictedLoss(job, constants) + kLossFloor;
    const auto efficiency = [&](double deviation) {
        return 1 / (1 + std::max(0.0, loss * std::exp(constants.bias + deviation) - kLossFloor));
    };
    return {efficiency(constants.reach), efficiency(0), efficiency(-constants.reach)};
}

}  // namespace steelyard::advisor

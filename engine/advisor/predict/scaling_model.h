// SPDX-License-Identifier: Apache-2.0
// Efficiency of data-parallel training on several devices, for networks without a measurement: from link rates,
// gradient bytes and the step time of one device. The added time relative to the step is
//   exposure * exchange / step + overhead + perDoubling * log2(devices),
// where the exchange is a hierarchical all-reduce (hierarchicalSeconds). Line rates alone predict poorly, since the
// degree of overlap differs several-fold between software stacks; hence the wide band. A measured network (run --nodes)
// replaces the model. Pure functions.
#pragma once

#include "engine/compute/parallel/scaling.h"
#include "engine/core/units.h"

namespace steelyard::advisor {

struct DeviceGroupShape {
    int nodes = 1;
    int devices = 1;  // in total over all nodes
};

struct ScalingJob {
    double stepSeconds = 0;         // of one device with its local batch, without exchange; above 0
    Bytes gradientBytes;            // exchanged per device and step
    compute::Link inside;           // between devices of a node
    compute::Link between;          // between nodes, per node
    DeviceGroupShape base, wanted;  // efficiency of `wanted` relative to `base`
};

struct ScalingConstants {
    double exposure = 1, overhead = 0, perDoubling = 0;
    // Of ln((measured loss + kLossFloor) / (predicted loss + kLossFloor)) over the rows of the fit: the mean, and the
    // deviation of a source outside the fit (90 %).
    double bias = 0, reach = 0;
};
inline constexpr double kLossFloor = 0.02;  // run-to-run variation of measurements

// 1 / efficiency - 1, without the bias.
[[nodiscard]] double predictedLoss(const ScalingJob& job, const ScalingConstants& constants);
[[nodiscard]] compute::EfficiencyForecast predictedEfficiency(const ScalingJob& job, const ScalingConstants& constants);

}  // namespace steelyard::advisor

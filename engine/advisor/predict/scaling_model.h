// SPDX-License-Identifier: Apache-2.0
// How efficient data-parallel training is on more devices, before anybody has measured their network: from the rates of
// the links, the gradients' bytes and a device's own step time. What a step takes longer than alone, relative to it, is
//   exposure * exchange / step + overhead + perDoubling * log2(devices),
// where the exchange is an all-reduce by levels (hierarchicalSeconds). Line rates alone predict badly, since software
// stacks differ by several times in what they hide; hence the wide band. A measured network (run --nodes) replaces all
// of it. Pure functions.
#pragma once

#include "engine/compute/parallel/scaling.h"
#include "engine/core/units.h"

namespace steelyard::advisor {

struct DeviceGroupShape {
    int nodes = 1;
    int devices = 1;  // of all nodes together
};

struct ScalingJob {
    double stepSeconds = 0;         // of one device with its own batch, nothing exchanged; above 0
    Bytes gradientBytes;            // that each device exchanges in a step
    compute::Link inside;           // between the devices of a node
    compute::Link between;          // between nodes, of one node
    DeviceGroupShape base, wanted;  // efficiency is that of `wanted` against that of `base`
};

struct ScalingConstants {
    double exposure = 1, overhead = 0, perDoubling = 0;
    // Of ln((measured loss + kLossFloor) / (predicted loss + kLossFloor)) over the rows of a fit: the mean, and how far
    // a source that is not among them may be from it (90 %).
    double bias = 0, reach = 0;
};
inline constexpr double kLossFloor = 0.02;  // repeats of a measurement differ by as much

// 1 / efficiency - 1, without the bias.
[[nodiscard]] double predictedLoss(const ScalingJob& job, const ScalingConstants& constants);
[[nodiscard]] compute::EfficiencyForecast predictedEfficiency(const ScalingJob& job, const ScalingConstants& constants);

}  // namespace steelyard::advisor

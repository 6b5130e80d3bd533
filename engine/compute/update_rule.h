// SPDX-License-Identifier: Apache-2.0
// The update rules of engine/model/optimizer.h for one parameter, used by the reference backend and for comparing a
// backend's updates with its own gradients. No errors; the spans have equal lengths.
#pragma once

#include <cstdint>
#include <span>

#include "engine/model/optimizer.h"

namespace steelyard::compute {

struct ParameterUpdate {
    std::span<float> weight;
    std::span<const float> gradient;
    std::span<float> state1, state2;  // empty if the rule has none
};

// step counts from 0 (the formulas' t is step + 1); learningRate is after decay.
void applyUpdate(const model::Optimizer& optimizer, double learningRate, std::int64_t step,
                 const ParameterUpdate& update);

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// The update rules of engine/model/optimizer.h, spelled out once for one parameter: what the reference backend does,
// and what a comparison applies to a backend's own gradients. No errors; the spans have one length.
#pragma once

#include <cstdint>
#include <span>

#include "engine/model/optimizer.h"

namespace steelyard::compute {

struct ParameterUpdate {
    std::span<float> weight;
    std::span<const float> gradient;
    std::span<float> state1, state2;  // empty where the rule has none
};

// step is counted from 0 (the formulas' t is step + 1); learningRate is the step's own, after decay.
void applyUpdate(const model::Optimizer& optimizer, double learningRate, std::int64_t step,
                 const ParameterUpdate& update);

}  // namespace steelyard::compute

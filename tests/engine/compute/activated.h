// SPDX-License-Identifier: Apache-2.0
// Activations in double precision, for tests of results that kernels activate.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/model/layer.h"

namespace steelyard::compute {

inline double activated(const std::optional<model::ActivationKind>& kind, double x) {
    if (kind == model::ActivationKind::Relu) return std::max(x, 0.0);
    if (kind == model::ActivationKind::Relu6) return std::clamp(x, 0.0, 6.0);
    if (kind == model::ActivationKind::Sigmoid) return 1 / (1 + std::exp(-x));
    if (kind == model::ActivationKind::Swish) return x / (1 + std::exp(-x));
    return x;
}

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// Gate functions of feed-forward parts. Internal to kernels/language/.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/language/row_products.h"

namespace steelyard::compute::cuda::kernels {

STEELYARD_HD float gated(GateFunction function, float gate, float up) {
    switch (function) {
        case GateFunction::Silu:
            return gate / (1.0F + std::exp(-gate)) * up;
        case GateFunction::GeluTanh: {
            constexpr float kRoot = 0.7978845608028654F;  // sqrt(2 / pi)
            return 0.5F * gate * (1.0F + std::tanh(kRoot * (gate + 0.044715F * gate * gate * gate))) * up;
        }
        case GateFunction::ClampedSilu: {
            const float g = gate < 7.0F ? gate : 7.0F;
            const float high = up < 7.0F ? up : 7.0F, u = high > -7.0F ? high : -7.0F;
            return g / (1.0F + std::exp(-1.702F * g)) * (u + 1.0F);
        }
    }
    return 0;
}

}  // namespace steelyard::compute::cuda::kernels

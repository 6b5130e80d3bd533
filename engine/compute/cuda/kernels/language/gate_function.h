// SPDX-License-Identifier: Apache-2.0
// Gate functions of feed-forward parts. Internal to kernels/language/.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/language/row_products.h"
#include "engine/compute/cuda/kernels/pointwise/activation_math.h"

namespace steelyard::compute::cuda::kernels {

STEELYARD_HD float gated(GateFunction function, float gate, float up) {
    switch (function) {
        case GateFunction::Silu:
            return activated(Activation::Swish, gate) * up;
        case GateFunction::GeluTanh:
            return activated(Activation::GeluTanh, gate) * up;
        case GateFunction::ClampedSilu: {
            const float g = gate < 7.0F ? gate : 7.0F;
            const float high = up < 7.0F ? up : 7.0F, u = high > -7.0F ? high : -7.0F;
            return g * logistic(1.702F * g) * (u + 1.0F);
        }
    }
    return 0;
}

}  // namespace steelyard::compute::cuda::kernels

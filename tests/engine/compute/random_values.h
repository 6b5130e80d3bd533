// SPDX-License-Identifier: Apache-2.0
// Operands of products, the same for the same seed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/random.h"

namespace steelyard::compute {

// Multiples of 1/64 from -2 to below 2, which bfloat16 holds exactly.
inline std::vector<float> randomValues(std::int64_t count, std::uint32_t seed) {
    std::vector<float> values(static_cast<std::size_t>(count));
    const RandomStream random(seed, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] =
            static_cast<float>(static_cast<int>(random.bits(static_cast<std::uint32_t>(i)) % 256) - 128) / 64.0F;
    return values;
}

}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// A team for each row of a normalisation. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr std::int64_t kWarpFeatures = 1024;  // up to here a warp per row, above a block

template <typename Work>
Status rowTeams(Stream stream, std::int64_t rows, std::int64_t features, const Work& work) {
    return features <= kWarpFeatures ? teams<32>(stream, rows, work) : teams<256>(stream, rows, work);
}

}  // namespace steelyard::compute::cuda::kernels

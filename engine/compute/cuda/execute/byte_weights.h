// SPDX-License-Identifier: Apache-2.0
// Weights of an Int8 plan as the kernels of kernels/eight_bit read them, quantised on the host while the caller writes
// them. Internal to engine/compute/cuda.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace steelyard::compute::cuda {

// The caller's values are [units, channels, positions]: of a convolution, positions of the kernel; of a dense layer
// one.
struct ByteWeightForm {
    std::int64_t units = 0, channels = 0, positions = 1;
    std::int64_t storedChannels = 0;  // those behind `channels` are zero
    bool byPosition = false;          // [positions, units], of depthwise convolutions; otherwise rows of weightPitch()

    [[nodiscard]] std::int64_t bytes() const;
    friend bool operator==(const ByteWeightForm&, const ByteWeightForm&) = default;
};

// `declared`, levels: as for roundWeightRows(). steps: one per unit.
[[nodiscard]] std::vector<std::byte> toByteWeights(std::span<const float> values, const ByteWeightForm& form,
                                                   std::span<const float> declared, int levels, std::span<float> steps);

}  // namespace steelyard::compute::cuda

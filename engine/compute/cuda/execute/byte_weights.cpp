// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/byte_weights.h"

#include "engine/compute/cuda/kernels/eight_bit/eight_bit.h"
#include "engine/compute/eight_bit.h"

namespace steelyard::compute::cuda {

std::int64_t ByteWeightForm::bytes() const {
    return byPosition ? positions * units : units * kernels::weightPitch(positions * storedChannels);
}

std::vector<std::byte> toByteWeights(std::span<const float> values, const ByteWeightForm& form,
                                     std::span<const float> declared, int levels, std::span<float> steps) {
    std::vector<std::int8_t> rounded(values.size());
    roundWeightRows(values, declared, levels, rounded, steps);
    std::vector<std::byte> bytes(static_cast<std::size_t>(form.bytes()));
    const auto pitch = kernels::weightPitch(form.positions * form.storedChannels);
    std::size_t from = 0;
    for (std::int64_t u = 0; u < form.units; ++u)
        for (std::int64_t c = 0; c < form.channels; ++c)
            for (std::int64_t p = 0; p < form.positions; ++p) {
                const auto to = form.byPosition ? p * form.units + u : u * pitch + p * form.storedChannels + c;
                bytes[static_cast<std::size_t>(to)] = static_cast<std::byte>(rounded[from++]);
            }
    return bytes;
}

}  // namespace steelyard::compute::cuda

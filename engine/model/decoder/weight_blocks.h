// SPDX-License-Identifier: Apache-2.0
// The values of stored weights, exactly as the formats of GGUF define them (weight_format.h has their sizes), and the
// way back for drawn weights. A row of weights is a sequence of blocks; all numbers in a block are little-endian.
// Nothing here fails: callers ask hasBlocks() first, and pass whole blocks. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/core/half.h"
#include "engine/model/decoder/weight_format.h"

namespace steelyard::model {

// bfloat16 as its bits; towards 16 bits, the nearest value, ties to even.
[[nodiscard]] float fromBfloat16(std::uint16_t bits);
[[nodiscard]] std::uint16_t toBfloat16(float value);

// Formats that dequantise() reads: f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q4_k, q5_k, q6_k, iq4_nl, mxfp4.
[[nodiscard]] bool hasBlocks(TensorType type);
[[nodiscard]] std::string namesOfBlocks();

// Sub-block `index` (0 to 7, 32 weights each) of a q4_k or q5_k block: 6 bits each of the 12 bytes behind its two
// scales. A weight is d factor q - dmin minimum.
struct NestedScale {
    std::uint8_t factor = 0, minimum = 0;
};
[[nodiscard]] NestedScale nestedScale(const std::uint8_t* scales, int index);

// values.size() weights, a multiple of the format's block. `blocks` needs no alignment.
void dequantise(TensorType type, const std::byte* blocks, std::span<float> values);

// The nearest values a block can hold under a scale that its largest weight decides; no search for better scales. For
// drawn weights and tests: f32, f16, bf16, q8_0, q4_0, q4_k, q6_k.
[[nodiscard]] bool canQuantise(TensorType type);
void quantise(TensorType type, std::span<const float> values, std::byte* blocks);

}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
// Dequantisation of stored weights, exactly as the GGUF formats define it (sizes in weight_format.h), and quantisation
// for random weights. A row is a sequence of blocks; all numbers are little-endian. No errors: callers check
// hasBlocks() and pass whole blocks. Pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/core/half.h"
#include "engine/model/decoder/weight_format.h"

namespace steelyard::model {

// bfloat16 as bits; conversion to 16 bits rounds to nearest, ties to even.
[[nodiscard]] float fromBfloat16(std::uint16_t bits);
[[nodiscard]] std::uint16_t toBfloat16(float value);

// Formats supported by dequantise(): f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k,
// iq4_nl, iq4_xs, mxfp4.
[[nodiscard]] bool hasBlocks(TensorType type);
[[nodiscard]] std::string namesOfBlocks();

// Scale and minimum of sub-block `index` (0 to 7, 32 weights each) of a q4_k or q5_k block, 6 bits each in the 12 bytes
// after its two scales. A weight is d factor q - dmin minimum.
struct NestedScale {
    std::uint8_t factor = 0, minimum = 0;
};
[[nodiscard]] NestedScale nestedScale(const std::uint8_t* scales, int index);

// Scales of 16 weights each in a q2_k or q3_k block, and its levels: a weight is d factor q, less dmin minimum for
// q2_k. Factors and levels of q3_k are signed (-32 to 31, -4 to 3).
struct SixteenScales {
    std::array<int, 16> factors{}, minima{};
};
[[nodiscard]] SixteenScales scalesOfQ2K(const std::byte* block);
[[nodiscard]] SixteenScales scalesOfQ3K(const std::byte* block);
[[nodiscard]] int levelOfQ2K(const std::byte* block, std::int64_t index);
[[nodiscard]] int levelOfQ3K(const std::byte* block, std::int64_t index);
inline constexpr std::int64_t kScaleOfQ2K = 80, kMinimumScaleOfQ2K = 82, kScaleOfQ3K = 108;  // offsets of d and dmin

// Factor (-32 to 31) of sub-block `index` (0 to 7, 32 weights each) of an iq4_xs block. A weight is d factor level,
// with the levels of iq4_nl.
[[nodiscard]] int factorOfIq4Xs(const std::byte* block, int index);

// A q6_k or q3_k block as 256 levels (0 to 63) and factors of 16 weights each: a weight is d factor (level - 32), with
// the half d at `scale`.
struct SixBitLevels {
    const std::byte* scale = nullptr;
    std::array<std::int8_t, 16> factors{};
    std::array<std::uint8_t, 256> levels{};
};
[[nodiscard]] SixBitLevels sixBitLevels(TensorType type, const std::byte* block);

// 32 weights of any block format but those of 8 signed bits and q6_k, q3_k as bytes: a weight is scale q + minimum,
// with one scale and minimum for the first 16 and one for the last 16 (different ones in q2_k).
struct ByteLevels {
    std::array<float, 2> scales{}, minima{};
    std::array<std::uint8_t, 32> q{};
};
// `parts`: one for each 32 weights of the block.
void byteLevels(TensorType type, const std::byte* block, std::span<ByteLevels> parts);

// Reads values.size() weights, a multiple of the block size. `blocks` may be unaligned.
void dequantise(TensorType type, const std::byte* blocks, std::span<float> values);

// Quantises with the scale given by the largest weight, without a search for better scales. For random weights and
// tests: f32, f16, bf16, q8_0, q4_0, q4_k, q6_k.
[[nodiscard]] bool canQuantise(TensorType type);
void quantise(TensorType type, std::span<const float> values, std::byte* blocks);

}  // namespace steelyard::model

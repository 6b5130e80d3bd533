// SPDX-License-Identifier: Apache-2.0
// Stored weights of language models on a device. A GGUF block is split into parts that each lie in an array of their
// own, so that neighbouring threads read neighbouring bytes; values are preserved. Blocks have 32 weights here; blocks
// of 256 become eight with a common super-scale.
//
//   format   quants (per block)                      scales (per block)             super-scales (per 8 blocks)
//   Nibbles  16: weight j low, j + 16 high nibble    half s: s (q - 8)              -                    (q4_0)
//   Bytes    32 signed                               half s: s q                    -                    (q8_0)
//   Nested4  16, as Nibbles                          factor f, minimum m (bytes)    halves d, e          (q4_k)
//                                                    d f q - e m
//   Nested6  16, as Nibbles; high: 8, word h has     signed factors f of weights    half d               (q6_k, q3_k)
//            bits 2 i of weights 16 h + 4 i..        0 to 15 and 16 to 31: d f (q - 32)
//   Levels   32: q - 128                             floats s, m of weights 0 to 15, then of 16 to 31: s q + m
//                                                    -                                                   (others)
//   F32, F16, Bf16: rows of values, in `quants`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr std::int64_t kWeightBlock = 32;  // weights, and activations, per scale
inline constexpr std::int64_t kNestedBlocks = 8;  // blocks per super-scale
inline constexpr std::int64_t kPartAlignment = 256;

enum class WeightFormat : std::uint8_t { F32, F16, Bf16, Nibbles, Bytes, Nested4, Nested6, Levels };

[[nodiscard]] constexpr bool inBlocks(WeightFormat format) {
    return format >= WeightFormat::Nibbles;
}

// Bytes of a block in each part; `supers`: of kNestedBlocks blocks. 0 for formats of values.
struct PartBytes {
    std::int64_t quants = 0, high = 0, scales = 0, supers = 0;
};
[[nodiscard]] PartBytes partBytes(WeightFormat format);

// `count` matrices (experts) of `rows` rows of `columns` weights. Rows of block formats have whole blocks. `data` is
// device memory of bytes() bytes, aligned to kPartAlignment, or null; not owned.
struct StoredWeights {
    WeightFormat format = WeightFormat::F32;
    std::int64_t rows = 0, columns = 0, count = 0;  // count 0: absent
    std::byte* data = nullptr;

    [[nodiscard]] explicit operator bool() const { return count > 0; }
    [[nodiscard]] std::int64_t blocks() const { return count * rows * (columns / kWeightBlock); }
    // Offsets of the parts after the quants, and the total size.
    [[nodiscard]] std::int64_t highOffset() const;
    [[nodiscard]] std::int64_t scalesOffset() const;
    [[nodiscard]] std::int64_t supersOffset() const;
    [[nodiscard]] std::int64_t bytes() const;
};

[[nodiscard]] WeightFormat formatFor(model::TensorType type);
// Sizes of a matrix of a file, without data. `matrix` may be absent.
[[nodiscard]] StoredWeights storedAs(const model::StoredMatrix& matrix);

// Weights of matrix `which` as dense values; `to`: [rows, columns].
[[nodiscard]] Status dequantise(Stream stream, const StoredWeights& weights, std::int64_t which, ElementType type,
                                void* to);

// y[t] = scale x row tokens[t]; y: Float32 [count, columns]. Token numbers must be within the rows.
[[nodiscard]] Status embedTokens(Stream stream, const StoredWeights& weights, const std::int32_t* tokens,
                                 std::int64_t count, float scale, float* y);

}  // namespace steelyard::compute::cuda::kernels

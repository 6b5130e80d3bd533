// SPDX-License-Identifier: Apache-2.0
// Storage formats of language-model weights, independent of the compute precision. A tensor has one type; a scheme is a
// rule that gives each tensor its type (`q4_k_m`). Block sizes and types of GGUF: ggml-common.h and
// gguf-py/gguf/constants.py of llama.cpp. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace steelyard::model {

enum class TensorType {
    F32,
    F16,
    Bf16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
    Iq4Nl,
    Iq4Xs,
    Mxfp4,
    Nf4,         // bitsandbytes: 64 weights per fp32 scale
    Nf4Double,   // its scales quantised to 8 bits, 256 of them per fp32 scale
    Int4Groups,  // AWQ, GPTQ: 128 weights per fp16 scale and 4-bit zero point
    Mlx4,        // MLX: 64 weights per fp16 scale and bias
    Int8,
    Fp8,
};

struct TensorFormat {
    TensorType type;
    std::string_view name;      // "q4_k"
    std::int64_t blockWeights;  // weights per block
    std::int64_t blockBytes;
    std::int64_t ggufType;  // GGUF type number; -1: not in GGUF
};
[[nodiscard]] const TensorFormat& formatOf(TensorType type);
[[nodiscard]] std::optional<TensorType> tensorTypeFromGguf(std::uint64_t number);

// Bytes of `rows` rows of `rowLength` weights. In GGUF formats each row starts a block.
[[nodiscard]] double tensorBytes(TensorType type, double rows, std::int64_t rowLength);

// Selects the predictor's dequantisation constants (engine/advisor/language).
enum class WeightCost { Bits16, Bits8, Bits4Simple, Bits4Nested };

// A rule that gives each tensor of a model its type.
struct WeightScheme {
    std::string_view name;   // "q4_k_m", as --weights takes it
    std::string_view title;  // "Q4_K_M", as files and published tables write it
    TensorType base;
    WeightCost cost;
    bool gguf;  // llama.cpp's rules; otherwise embedding and head keep 16 bits (MLX: the base type)
};
[[nodiscard]] std::span<const WeightScheme> weightSchemes();
// By name, ignoring case; nullptr if unknown.
[[nodiscard]] const WeightScheme* findWeightScheme(std::string_view name);

}  // namespace steelyard::model

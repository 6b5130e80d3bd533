// SPDX-License-Identifier: Apache-2.0
// How the weights of a language model are stored, apart from the precision its activations are computed in. A tensor
// has one type; a file is a mixture: a rule says which type each tensor gets (`q4_k_m`). Block sizes and types of GGUF:
// ggml-common.h and gguf-py/gguf/constants.py of llama.cpp. Pure functions; any thread.
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
    Nf4,         // bitsandbytes: 64 weights share one fp32 scale
    Nf4Double,   // its scales quantised to 8 bits, 256 of them share one fp32
    Int4Groups,  // AWQ, GPTQ: 128 weights share an fp16 scale and a 4-bit zero point
    Mlx4,        // MLX: 64 weights share an fp16 scale and bias
    Int8,
    Fp8,
};

struct TensorFormat {
    TensorType type;
    std::string_view name;      // "q4_k"
    std::int64_t blockWeights;  // weights that share scales
    std::int64_t blockBytes;
    std::int64_t ggufType;  // as GGUF numbers it; -1: not in GGUF
};
[[nodiscard]] const TensorFormat& formatOf(TensorType type);
[[nodiscard]] std::optional<TensorType> tensorTypeFromGguf(std::uint64_t number);

// Bytes of `rows` rows of `rowLength` weights. Formats of GGUF begin a block with each row.
[[nodiscard]] double tensorBytes(TensorType type, double rows, std::int64_t rowLength);

// Which of the predictor's constants of de-quantisation apply (llm predictor, engine/advisor/language).
enum class WeightCost { Bits16, Bits8, Bits4Simple, Bits4Nested };

// A rule that gives each tensor of a model its type.
struct WeightScheme {
    std::string_view name;   // "q4_k_m", as --weights takes it
    std::string_view title;  // "Q4_K_M", as files and published tables write it
    TensorType base;
    WeightCost cost;
    bool gguf;  // by llama.cpp's rules; else the embedding and the head keep 16 bits (MLX: the base type)
};
[[nodiscard]] std::span<const WeightScheme> weightSchemes();
// By its name, ignoring case. nullptr: unknown.
[[nodiscard]] const WeightScheme* findWeightScheme(std::string_view name);

}  // namespace steelyard::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/weight_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace steelyard::model {
namespace {

// In the order of TensorType.
constexpr std::array kFormats{
    TensorFormat{TensorType::F32, "f32", 1, 4, 0},
    TensorFormat{TensorType::F16, "f16", 1, 2, 1},
    TensorFormat{TensorType::Bf16, "bf16", 1, 2, 30},
    TensorFormat{TensorType::Q8_0, "q8_0", 32, 34, 8},
    TensorFormat{TensorType::Q4_0, "q4_0", 32, 18, 2},
    TensorFormat{TensorType::Q4_1, "q4_1", 32, 20, 3},
    TensorFormat{TensorType::Q5_0, "q5_0", 32, 22, 6},
    TensorFormat{TensorType::Q5_1, "q5_1", 32, 24, 7},
    TensorFormat{TensorType::Q2K, "q2_k", 256, 84, 10},
    TensorFormat{TensorType::Q3K, "q3_k", 256, 110, 11},
    TensorFormat{TensorType::Q4K, "q4_k", 256, 144, 12},
    TensorFormat{TensorType::Q5K, "q5_k", 256, 176, 13},
    TensorFormat{TensorType::Q6K, "q6_k", 256, 210, 14},
    TensorFormat{TensorType::Iq4Nl, "iq4_nl", 32, 18, 20},
    TensorFormat{TensorType::Iq4Xs, "iq4_xs", 256, 136, 23},
    TensorFormat{TensorType::Mxfp4, "mxfp4", 32, 17, 39},
    TensorFormat{TensorType::Nf4, "nf4", 64, 36, -1},
    TensorFormat{TensorType::Nf4Double, "nf4_double", 16384, 8452, -1},
    TensorFormat{TensorType::Int4Groups, "int4_groups", 256, 133, -1},
    TensorFormat{TensorType::Mlx4, "mlx4", 64, 36, -1},
    TensorFormat{TensorType::Int8, "int8", 1, 1, -1},
    TensorFormat{TensorType::Fp8, "fp8", 1, 1, -1},
};

constexpr std::array kSchemes{
    WeightScheme{"f32", "F32", TensorType::F32, WeightCost::Bits16, true},
    WeightScheme{"bf16", "BF16", TensorType::Bf16, WeightCost::Bits16, true},
    WeightScheme{"f16", "F16", TensorType::F16, WeightCost::Bits16, true},
    WeightScheme{"q8_0", "Q8_0", TensorType::Q8_0, WeightCost::Bits8, true},
    WeightScheme{"q6_k", "Q6_K", TensorType::Q6K, WeightCost::Bits4Nested, true},
    WeightScheme{"q5_k_m", "Q5_K_M", TensorType::Q5K, WeightCost::Bits4Nested, true},
    WeightScheme{"q5_k_s", "Q5_K_S", TensorType::Q5K, WeightCost::Bits4Nested, true},
    WeightScheme{"q5_1", "Q5_1", TensorType::Q5_1, WeightCost::Bits4Simple, true},
    WeightScheme{"q5_0", "Q5_0", TensorType::Q5_0, WeightCost::Bits4Simple, true},
    WeightScheme{"q4_k_m", "Q4_K_M", TensorType::Q4K, WeightCost::Bits4Nested, true},
    WeightScheme{"q4_k_s", "Q4_K_S", TensorType::Q4K, WeightCost::Bits4Nested, true},
    WeightScheme{"q4_1", "Q4_1", TensorType::Q4_1, WeightCost::Bits4Simple, true},
    WeightScheme{"q4_0", "Q4_0", TensorType::Q4_0, WeightCost::Bits4Simple, true},
    WeightScheme{"iq4_nl", "IQ4_NL", TensorType::Iq4Nl, WeightCost::Bits4Simple, true},
    WeightScheme{"mxfp4", "MXFP4", TensorType::Mxfp4, WeightCost::Bits4Simple, true},
    WeightScheme{"nf4", "NF4", TensorType::Nf4, WeightCost::Bits4Nested, false},
    WeightScheme{"nf4_double", "NF4-DQ", TensorType::Nf4Double, WeightCost::Bits4Nested, false},
    WeightScheme{"awq4", "AWQ4", TensorType::Int4Groups, WeightCost::Bits4Nested, false},
    WeightScheme{"gptq4", "GPTQ4", TensorType::Int4Groups, WeightCost::Bits4Nested, false},
    WeightScheme{"mlx4", "4-bit", TensorType::Mlx4, WeightCost::Bits4Simple, false},
    WeightScheme{"int8", "INT8", TensorType::Int8, WeightCost::Bits8, false},
    WeightScheme{"fp8", "FP8", TensorType::Fp8, WeightCost::Bits8, false},
};

}  // namespace

const TensorFormat& formatOf(TensorType type) {
    return kFormats[static_cast<std::size_t>(type)];
}

std::optional<TensorType> tensorTypeFromGguf(std::uint64_t number) {
    for (const auto& format : kFormats)
        if (format.ggufType >= 0 && static_cast<std::uint64_t>(format.ggufType) == number) return format.type;
    return std::nullopt;
}

double tensorBytes(TensorType type, double rows, std::int64_t rowLength) {
    const auto& format = formatOf(type);
    const auto block = static_cast<double>(format.blockWeights);
    const auto bytes = static_cast<double>(format.blockBytes);
    const auto length = static_cast<double>(rowLength);
    if (format.ggufType >= 0) return rows * std::ceil(length / block) * bytes;
    return std::ceil(rows * length / block) * bytes;
}

std::span<const WeightScheme> weightSchemes() {
    return kSchemes;
}

const WeightScheme* findWeightScheme(std::string_view name) {
    const auto same = [&](std::string_view other) {
        return std::ranges::equal(name, other, [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        });
    };
    for (const auto& scheme : kSchemes)
        if (same(scheme.name)) return &scheme;
    return nullptr;
}

}  // namespace steelyard::model

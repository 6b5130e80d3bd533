// SPDX-License-Identifier: Apache-2.0
// Reading of stored weights (stored_weights.h) by blocks of 32. Internal to kernels/language/.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/language/stored_weights.h"

namespace steelyard::compute::cuda::kernels {

// Addresses of the parts.
struct WeightParts {
    const std::uint8_t* quants;
    const std::uint8_t* high;
    const std::uint8_t* scales;
    const std::uint8_t* supers;
};

inline WeightParts partsOf(const StoredWeights& w) {
    const auto* base = reinterpret_cast<const std::uint8_t*>(w.data);
    return {base, base + w.highOffset(), base + w.scalesOffset(), base + w.supersOffset()};
}

// A block ready for products with 8-bit activations: weight j is scale[j / 16] q_j + minimum[j / 16], with the signed
// bytes q_j, four to a word.
struct WeightBlock {
    std::uint32_t q[8];
    float scale[2];
    float minimum[2];
};

STEELYARD_HD void unpackNibbles(const std::uint8_t* from, std::uint32_t* q) {
    const auto words = load<4>(reinterpret_cast<const std::uint32_t*>(from));
    STEELYARD_UNROLL
    for (int i = 0; i < 4; ++i) {
        q[i] = words.at[i] & 0x0f0f0f0fU;
        q[4 + i] = (words.at[i] >> 4) & 0x0f0f0f0fU;
    }
}
STEELYARD_HD void unpackBytes(const std::uint8_t* from, std::uint32_t* q) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
    const auto low = load<4>(words), high = load<4>(words + 4);
    STEELYARD_UNROLL
    for (int i = 0; i < 4; ++i) {
        q[i] = low.at[i];
        q[4 + i] = high.at[i];
    }
}

// Scale and minimum of the first or last 16 weights of a block.
struct BlockScale {
    float scale, minimum;
};
template <WeightFormat F>
STEELYARD_HD BlockScale scaleOf(const WeightParts& parts, std::int64_t block, int half) {
    if constexpr (F == WeightFormat::Nibbles || F == WeightFormat::Bytes) {
        const float s = halfValue(reinterpret_cast<const std::uint16_t*>(parts.scales)[block]);
        return {s, F == WeightFormat::Nibbles ? -8.0F * s : 0.0F};
    } else if constexpr (F == WeightFormat::Nested4) {
        const auto pair = load<2>(parts.scales + block * 2);
        const auto supers = load<2>(reinterpret_cast<const std::uint16_t*>(parts.supers) + block / kNestedBlocks * 2);
        return {halfValue(supers.at[0]) * static_cast<float>(pair.at[0]),
                -halfValue(supers.at[1]) * static_cast<float>(pair.at[1])};
    } else if constexpr (F == WeightFormat::Nested6) {
        const float d = halfValue(reinterpret_cast<const std::uint16_t*>(parts.supers)[block / kNestedBlocks]);
        const float s = d * static_cast<float>(static_cast<std::int8_t>(parts.scales[block * 2 + half]));
        return {s, -32.0F * s};
    } else {
        const auto levels = load<2>(reinterpret_cast<const float*>(parts.scales) + block * 4 + half * 2);
        return {levels.at[0], levels.at[1] + 128.0F * levels.at[0]};
    }
}
template <WeightFormat F>
inline constexpr bool kInNibbles =
    F == WeightFormat::Nibbles || F == WeightFormat::Nested4 || F == WeightFormat::Nested6;
template <WeightFormat F>
inline constexpr bool kHasHalves = F == WeightFormat::Nested6 || F == WeightFormat::Levels;  // with scales of their own

template <WeightFormat F>
STEELYARD_HD WeightBlock readBlock(const WeightParts& parts, std::int64_t block) {
    WeightBlock result;
    if constexpr (kInNibbles<F>)
        unpackNibbles(parts.quants + block * 16, result.q);
    else
        unpackBytes(parts.quants + block * 32, result.q);
    if constexpr (F == WeightFormat::Nested6) {
        const auto high = load<2>(reinterpret_cast<const std::uint32_t*>(parts.high) + block * 2);
        STEELYARD_UNROLL
        for (int i = 0; i < 8; ++i) result.q[i] |= ((high.at[i / 4] >> (2 * (i % 4))) & 0x03030303U) << 4;
    }
    const auto first = scaleOf<F>(parts, block, 0), last = kHasHalves<F> ? scaleOf<F>(parts, block, 1) : first;
    result.scale[0] = first.scale;
    result.scale[1] = last.scale;
    result.minimum[0] = first.minimum;
    result.minimum[1] = last.minimum;
    return result;
}

// Weights 8 part to 8 part + 7 of a block, part 0 to 3.
inline constexpr int kEight = 8;
template <WeightFormat F>
STEELYARD_HD void readEight(const WeightParts& parts, std::int64_t block, int part, float* weights) {
    const int half = part / 2;
    std::uint32_t q[2];
    if constexpr (kInNibbles<F>) {
        const auto words = load<2>(reinterpret_cast<const std::uint32_t*>(parts.quants + block * 16) + part % 2 * 2);
        for (int i = 0; i < 2; ++i) q[i] = (words.at[i] >> (half * 4)) & 0x0f0f0f0fU;
    } else {
        const auto words = load<2>(reinterpret_cast<const std::uint32_t*>(parts.quants + block * 32) + part * 2);
        for (int i = 0; i < 2; ++i) q[i] = words.at[i];
    }
    if constexpr (F == WeightFormat::Nested6) {
        const std::uint32_t high = reinterpret_cast<const std::uint32_t*>(parts.high)[block * 2 + half];
        for (int i = 0; i < 2; ++i) q[i] |= ((high >> (2 * (part % 2 * 2 + i))) & 0x03030303U) << 4;
    }
    const auto [scale, minimum] = scaleOf<F>(parts, block, half);
    STEELYARD_UNROLL
    for (int j = 0; j < kEight; ++j)
        weights[j] =
            scale * static_cast<float>(static_cast<std::int8_t>((q[j / 4] >> (8 * (j % 4))) & 0xffU)) + minimum;
}

// Calls f with the format as a constant. For block formats.
template <WeightFormat F>
struct FormatConstant {
    static constexpr WeightFormat value = F;
};
template <typename F>
Status withBlocks(WeightFormat format, const F& f) {
    switch (format) {
        case WeightFormat::Nibbles:
            return f(FormatConstant<WeightFormat::Nibbles>{});
        case WeightFormat::Bytes:
            return f(FormatConstant<WeightFormat::Bytes>{});
        case WeightFormat::Nested4:
            return f(FormatConstant<WeightFormat::Nested4>{});
        case WeightFormat::Nested6:
            return f(FormatConstant<WeightFormat::Nested6>{});
        case WeightFormat::Levels:
            return f(FormatConstant<WeightFormat::Levels>{});
        default:
            return kInvalidValue;
    }
}
// For the others.
template <typename F>
Status withValues(WeightFormat format, const F& f) {
    switch (format) {
        case WeightFormat::F32:
            return f(float{});
        case WeightFormat::F16:
            return f(Half{});
        case WeightFormat::Bf16:
            return f(Bfloat16{});
        default:
            return kInvalidValue;
    }
}

}  // namespace steelyard::compute::cuda::kernels

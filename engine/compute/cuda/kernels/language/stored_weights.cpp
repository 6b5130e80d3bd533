// SPDX-License-Identifier: Apache-2.0
// Dequantisation of stored weights. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/language/stored_weights.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/language/weight_blocks.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kEights = static_cast<int>(kWeightBlock) / kEight;  // of a block

// An item is eight weights.
template <WeightFormat F, typename T>
struct DequantiseBlocks {
    WeightParts parts;
    std::int64_t first;  // block
    T* to;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        float weights[kEight];
        readEight<F>(parts, first + i / kEights, static_cast<int>(i % kEights), weights);
        constexpr int kN = kPack<T>;
        STEELYARD_UNROLL
        for (int j = 0; j < kEight; j += kN) {
            Pack<T, kN> out;
            STEELYARD_UNROLL
            for (int k = 0; k < kN; ++k) out.at[k] = fromFloat<T>(weights[j + k]);
            store<kN>(to + i * kEight + j, out);
        }
    }
};

template <typename From, typename T>
struct ConvertValues {
    const From* from;
    T* to;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const { to[i] = fromFloat<T>(toFloat(from[i])); }
};

template <WeightFormat F>
struct EmbedBlocks {
    WeightParts parts;
    const std::int32_t* tokens;
    std::int64_t eightsPerRow;
    float factor;
    float* y;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [token, part] = split(i, eightsPerRow);
        float weights[kEight];
        readEight<F>(parts, (tokens[token] * eightsPerRow + part) / kEights, static_cast<int>(part % kEights), weights);
        STEELYARD_UNROLL
        for (int j = 0; j < kEight; j += 4) {
            Pack<float, 4> out;
            STEELYARD_UNROLL
            for (int k = 0; k < 4; ++k) out.at[k] = factor * weights[j + k];
            store<4>(y + i * kEight + j, out);
        }
    }
};

template <typename T>
struct EmbedValues {
    const T* values;
    const std::int32_t* tokens;
    std::int64_t columns;
    float factor;
    float* y;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [token, column] = split(i, columns);
        y[i] = factor * toFloat(values[tokens[token] * columns + column]);
    }
};

}  // namespace

Status dequantise(Stream stream, const StoredWeights& weights, std::int64_t which, ElementType type, void* to) {
    if (which < 0 || which >= weights.count) return kInvalidValue;
    const auto elementsOfMatrix = weights.rows * weights.columns;
    return withType(type, [&]<typename T>(T) {
        if (!inBlocks(weights.format))
            return withValues(weights.format, [&]<typename From>(From) {
                const auto* from = reinterpret_cast<const From*>(weights.data) + which * elementsOfMatrix;
                return elements(stream, elementsOfMatrix, ConvertValues<From, T>{from, static_cast<T*>(to)});
            });
        return withBlocks(weights.format, [&](auto format) {
            const auto blocks = elementsOfMatrix / kWeightBlock;
            return elements(
                stream, blocks * kEights,
                DequantiseBlocks<decltype(format)::value, T>{partsOf(weights), which * blocks, static_cast<T*>(to)});
        });
    });
}

Status embedTokens(Stream stream, const StoredWeights& weights, const std::int32_t* tokens, std::int64_t count,
                   float scale, float* y) {
    if (!inBlocks(weights.format))
        return withValues(weights.format, [&]<typename T>(T) {
            return elements(
                stream, count * weights.columns,
                EmbedValues<T>{reinterpret_cast<const T*>(weights.data), tokens, weights.columns, scale, y});
        });
    return withBlocks(weights.format, [&](auto format) {
        const auto perRow = weights.columns / kEight;
        return elements(stream, count * perRow,
                        EmbedBlocks<decltype(format)::value>{partsOf(weights), tokens, perRow, scale, y});
    });
}

}  // namespace steelyard::compute::cuda::kernels

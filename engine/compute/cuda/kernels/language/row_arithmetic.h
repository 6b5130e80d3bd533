// SPDX-License-Identifier: Apache-2.0
// Arithmetic and operands of row products. Internal to kernels/language/.
#pragma once

#include <type_traits>

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/language/row_products.h"
#include "engine/compute/cuda/kernels/language/weight_blocks.h"

namespace steelyard::compute::cuda::kernels {

// a . b of four signed bytes each, plus c.
STEELYARD_HD int dotOfBytes(std::uint32_t a, std::uint32_t b, int c) {
#if defined(__CUDA_ARCH__)
    return __dp4a(static_cast<int>(a), static_cast<int>(b), c);
#else
    for (int i = 0; i < 32; i += 8)
        c += static_cast<int>(static_cast<std::int8_t>(a >> i & 0xffU)) *
             static_cast<int>(static_cast<std::int8_t>(b >> i & 0xffU));
    return c;
#endif
}

// A block of 32 activations in 8 bits.
struct ActivationBlock {
    Pack<std::uint32_t, 4> low, high;
    float step;
    float sums[2];
};
STEELYARD_HD ActivationBlock readActivations(const std::int8_t* low, const std::int8_t* high,
                                             const ActivationScale* scale) {
    const auto packed = load<2>(reinterpret_cast<const std::uint32_t*>(scale));
    return {load<4>(reinterpret_cast<const std::uint32_t*>(low)),
            load<4>(reinterpret_cast<const std::uint32_t*>(high)),
            std::bit_cast<float>(packed.at[0]),
            {static_cast<float>(static_cast<std::int16_t>(packed.at[1] & 0xffffU)),
             static_cast<float>(static_cast<std::int16_t>(packed.at[1] >> 16))}};
}

// Weights times activations of a block.
template <WeightFormat F>
STEELYARD_HD float dotOfBlock(const WeightBlock& w, const ActivationBlock& x) {
    constexpr bool kHasMinimum = F != WeightFormat::Bytes;
    int a = 0, b = 0;
    STEELYARD_UNROLL
    for (int i = 0; i < 4; ++i) {
        a = dotOfBytes(w.q[i], x.low.at[i], a);
        b = dotOfBytes(w.q[4 + i], x.high.at[i], b);
    }
    float sum;
    if constexpr (kHasHalves<F>) {
        sum = w.scale[0] * static_cast<float>(a) + w.scale[1] * static_cast<float>(b) + w.minimum[0] * x.sums[0] +
              w.minimum[1] * x.sums[1];
    } else {
        sum = w.scale[0] * static_cast<float>(a + b);
        if constexpr (kHasMinimum) sum += w.minimum[0] * (x.sums[0] + x.sums[1]);
    }
    return x.step * sum;
}

struct ProductPart {
    WeightParts parts;
    const float* bias;
    float* y;
    std::int64_t stride, rows;
};

inline ProductPart partFor(const RowProduct& product) {
    return {partsOf(product.weights), product.bias, product.y, product.stride, product.weights.rows};
}

// Products that one launch can compute.
inline bool isRowGroup(std::span<const RowProduct> products) {
    if (products.empty() || products.size() > kMostRowProducts) return false;
    const auto& first = products.front().weights;
    for (const auto& product : products)
        if (product.weights.format != first.format || product.weights.columns != first.columns) return false;
    return true;
}

// Calls f with the number of tokens rounded up to 1, 2, 4 or 8 as a constant.
template <typename F>
Status withTokens(int tokens, const F& f) {
    if (tokens < 1 || tokens > kMostFewTokens) return kInvalidValue;
    if (tokens == 1) return f(std::integral_constant<int, 1>{});
    if (tokens == 2) return f(std::integral_constant<int, 2>{});
    if (tokens <= 4) return f(std::integral_constant<int, 4>{});
    return f(std::integral_constant<int, 8>{});
}

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// Products of float rows with a panel of float weights. Bias and shortcut are what the sums start with, unless these
// are scaled.
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/window_tiles.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Whole: the columns are a multiple of the lanes. NaN passes the limits: maximum() and minimum() return their second
// operand then.
template <bool Whole, bool Adds, bool Scales>
struct Floats {
    static constexpr int kRows = kLanes == 16 ? 8 : 6, kVectors = 2;
    static constexpr std::int64_t kStride = kVectors * kLanes;
    using Sums = Vector;
    using Columns = Vector;

    const FloatWindowProduct& product;
    std::int64_t columns = product.columns, stride = product.targetStride;
    const float *factors = product.factors, *bias = product.bias;
    const float* shortcut = reinterpret_cast<const float*>(product.shortcut);
    float* y = reinterpret_cast<float*>(product.y);
    Vector low = broadcastFloat(product.low), high = broadcastFloat(product.high);

    static STEELYARD_INLINE Columns load(const std::uint32_t* words) {
        return loadFloats(reinterpret_cast<const float*>(words));
    }
    static STEELYARD_INLINE Columns broadcast(int word) { return broadcastFloat(__builtin_bit_cast(float, word)); }
    static STEELYARD_INLINE Sums dot(Sums sums, Columns row, Columns columns) {
        return multiplyAdd(row, columns, sums);
    }
    STEELYARD_INLINE Sums start(std::int64_t row, std::int64_t column) const {
        return Scales ? zeroFloats() : offset(row, column);
    }
    STEELYARD_INLINE void store(std::int64_t first, int row, std::int64_t column, Sums sums) const {
        if constexpr (Scales) sums = multiplyAdd(sums, read(factors, column), offset(first + row, column));
        const auto values = minimum(high, maximum(low, sums));
        auto* target = y + (first + row) * stride + column;
        if constexpr (Whole)
            storeFloats(target, values);
        else
            storeFloats(lanesBelow(columns - column), target, values);
    }

private:
    STEELYARD_INLINE Vector offset(std::int64_t row, std::int64_t column) const {
        Vector sums = zeroFloats();
        if (bias != nullptr) sums = read(bias, column);
        if constexpr (Adds) sums += read(shortcut + row * stride, column);
        return sums;
    }
    STEELYARD_INLINE Vector read(const float* row, std::int64_t column) const {
        return Whole ? loadFloats(row + column) : loadFloats(lanesBelow(columns - column), row + column);
    }
};

template <bool... Properties>
void multiplyAs(const FloatWindowProduct& p) {
    multiplyPanel(Floats<Properties...>{p}, sizeof(float), [&p](std::int64_t row, std::int64_t rows) {
        if (p.activate == nullptr) return;
        for (auto* y = reinterpret_cast<float*>(p.y) + row * p.targetStride; rows > 0; --rows, y += p.targetStride)
            p.activate(p.activation, y, p.columns);
    });
}

template <bool... Properties>
void choose(const FloatWindowProduct& p) {
    if constexpr (sizeof...(Properties) == 3)
        return multiplyAs<Properties...>(p);
    else {
        const bool properties[] = {p.columns % kLanes == 0, p.shortcut != nullptr, p.factors != nullptr};
        if (properties[sizeof...(Properties)]) return choose<Properties..., true>(p);
        choose<Properties..., false>(p);
    }
}

}  // namespace

void fillF32Windows(Kernels& table) {
    table.f32Gemm.windows = {choose<>, Floats<true, true, true>::kStride};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

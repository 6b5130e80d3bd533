// SPDX-License-Identifier: Apache-2.0
// Reading and writing rows in chunks of neighbours, one thread each. Internal to kernels/language/.
#pragma once

#include <type_traits>

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/language/decoder_rows.h"

namespace steelyard::compute::cuda::kernels {

// N neighbours of a row, processed by one thread: 32 where a row is quantised, a few for neighbouring threads to read
// neighbouring bytes otherwise.
template <int N>
struct Chunk {
    float at[N];
};
inline constexpr int kQuantisedChunk = static_cast<int>(kWeightBlock);
inline constexpr int kPlainChunk = 4;

// Chunk `chunk` of a row; zero behind its end. Rows of whole chunks are aligned to 16 bytes.
template <int N>
STEELYARD_HD Chunk<N> readChunk(const float* row, std::int64_t chunk, std::int64_t columns) {
    Chunk<N> values;
    if (columns % N == 0) {
        STEELYARD_UNROLL
        for (int j = 0; j < N; j += 4) {
            const auto four = load<4>(row + chunk * N + j);
            STEELYARD_UNROLL
            for (int k = 0; k < 4; ++k) values.at[j + k] = four.at[k];
        }
        return values;
    }
    STEELYARD_UNROLL
    for (int j = 0; j < N; ++j) {
        const std::int64_t i = chunk * N + j;
        values.at[j] = i < columns ? row[i] : 0.0F;
    }
    return values;
}

template <typename T, int N>
STEELYARD_HD void writeTyped(T* row, const Chunk<N>& values, std::int64_t chunk, std::int64_t columns) {
    if (columns % N == 0) {
        constexpr int kN = kPack<T> < N ? kPack<T> : N;
        STEELYARD_UNROLL
        for (int j = 0; j < N; j += kN) {
            Pack<T, kN> out;
            STEELYARD_UNROLL
            for (int k = 0; k < kN; ++k) out.at[k] = fromFloat<T>(values.at[j + k]);
            store<kN>(row + chunk * N + j, out);
        }
        return;
    }
    STEELYARD_UNROLL
    for (int j = 0; j < N; ++j)
        if (chunk * N + j < columns) row[chunk * N + j] = fromFloat<T>(values.at[j]);
}

// q = round(x / step) with step = largest magnitude / 127; to the 16 bytes at `low` and those at `high`.
STEELYARD_HD void writeQuantised(std::int8_t* low, std::int8_t* high, ActivationScale* scale,
                                 const Chunk<kQuantisedChunk>& values) {
    float largest = 0;
    STEELYARD_UNROLL
    for (int j = 0; j < kQuantisedChunk; ++j) {
        const float magnitude = std::fabs(values.at[j]);
        largest = magnitude > largest ? magnitude : largest;
    }
    const float step = largest / 127.0F, factor = step > 1e-30F ? 1.0F / step : 0.0F;
    int sums[2] = {0, 0};
    Pack<std::uint32_t, 4> words[2];
    STEELYARD_UNROLL
    for (int w = 0; w < kQuantisedChunk / 4; ++w) {
        std::uint32_t word = 0;
        STEELYARD_UNROLL
        for (int k = 0; k < 4; ++k) {
            const int level = static_cast<int>(std::rint(values.at[4 * w + k] * factor));
            sums[w / 4] += level;
            word |= (static_cast<std::uint32_t>(level) & 0xffU) << (8 * k);
        }
        words[w / 4].at[w % 4] = word;
    }
    *reinterpret_cast<Pack<std::uint32_t, 4>*>(low) = words[0];
    *reinterpret_cast<Pack<std::uint32_t, 4>*>(high) = words[1];
    *scale = {step, {static_cast<std::int16_t>(sums[0]), static_cast<std::int16_t>(sums[1])}};
}

template <int N>
STEELYARD_HD void writeChunk(const RowOutputs& to, const Chunk<N>& values, std::int64_t row, std::int64_t chunk,
                             std::int64_t columns) {
    if (to.values != nullptr) writeTyped(to.values + row * columns, values, chunk, columns);
    if (to.typed != nullptr) {
        if (to.type == ElementType::F16)
            writeTyped(static_cast<Half*>(to.typed) + row * columns, values, chunk, columns);
        else if (to.type == ElementType::Bf16)
            writeTyped(static_cast<Bfloat16*>(to.typed) + row * columns, values, chunk, columns);
        else
            writeTyped(static_cast<float*>(to.typed) + row * columns, values, chunk, columns);
    }
    if constexpr (N == kQuantisedChunk)
        if (to.q != nullptr)
            writeQuantised(to.q + row * columns + chunk * (N / 2), to.q + row * columns + columns / 2 + chunk * (N / 2),
                           to.scales + row * (columns / N) + chunk, values);
}

// Calls f with the size of the chunks that the outputs need.
template <typename F>
Status withChunk(const RowOutputs& to, const F& f) {
    if (to.q != nullptr) return f(std::integral_constant<int, kQuantisedChunk>{});
    return f(std::integral_constant<int, kPlainChunk>{});
}

}  // namespace steelyard::compute::cuda::kernels

// SPDX-License-Identifier: Apache-2.0
// On the compiler's vector types, of which each instruction set has its own maximum.
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kLeastBytes = 16;

// kBytes of elements of type T, and the larger ones of two such vectors: `best` unless the other is larger, hence also
// if either is NaN.
template <class T, int kBytes>
struct Elements {
    using Vector [[gnu::vector_size(kBytes)]] = T;
    Vector values;

    static STEELYARD_INLINE Elements at(const T* x) {
        Elements elements;
        __builtin_memcpy(&elements.values, x, kBytes);
        return elements;
    }
    STEELYARD_INLINE void raise(const Elements& other) {
#ifdef __AVX512F__
        // GCC would compare and blend.
        if constexpr (kBytes == 64 && sizeof(T) == sizeof(float)) {
            values = reinterpret_cast<Vector>(
                _mm512_max_ps(reinterpret_cast<__m512>(other.values), reinterpret_cast<__m512>(values)));
            return;
        }
#endif
        values = other.values > values ? other.values : values;
    }
    STEELYARD_INLINE void add(const Elements& other) {
        values += other.values;
    }
    STEELYARD_INLINE void divide(T divisor) {
        values /= divisor;
    }
    STEELYARD_INLINE void storeTo(T* y) const {
        __builtin_memcpy(y, &values, kBytes);
    }
    STEELYARD_INLINE void roundTo(T* y) const {
        storeTo(y);
    }
};

// Pairs of bfloat16, compared as floats.
template <int kBytes>
struct Elements<BFloat16, kBytes> {
    using Words [[gnu::vector_size(kBytes)]] = std::uint32_t;
    static constexpr std::uint32_t kUpper = 0xffff0000U;
    Elements<float, kBytes> lower, upper;

    static STEELYARD_INLINE Elements at(const BFloat16* x) {
        Words words;
        __builtin_memcpy(&words, x, kBytes);
        Elements elements;
        elements.lower.values = reinterpret_cast<decltype(elements.lower.values)>(words << 16);
        elements.upper.values = reinterpret_cast<decltype(elements.lower.values)>(words & kUpper);
        return elements;
    }
    STEELYARD_INLINE void raise(const Elements& other) {
        lower.raise(other.lower);
        upper.raise(other.upper);
    }
    STEELYARD_INLINE void add(const Elements& other) {
        lower.add(other.lower);
        upper.add(other.upper);
    }
    STEELYARD_INLINE void divide(float divisor) {
        lower.divide(divisor);
        upper.divide(divisor);
    }
    // As store() of vector_math.h.
    static STEELYARD_INLINE Words rounded(const Elements<float, kBytes>& floats) {
        Words bits;
        __builtin_memcpy(&bits, &floats.values, kBytes);
        const Words high = bits >> 16;
        const Words nearest = (bits + 0x7fffU + (high & 1U)) >> 16, quiet = high | 0x40U;
        return (bits & 0x7fffffffU) > 0x7f800000U ? quiet : nearest;
    }
    STEELYARD_INLINE void roundTo(BFloat16* y) const {
        const Words words = rounded(lower) | rounded(upper) << 16;
        __builtin_memcpy(static_cast<void*>(y), &words, kBytes);
    }
    STEELYARD_INLINE void storeTo(BFloat16* y) const {
        const Words words = reinterpret_cast<Words>(lower.values) >> 16 | reinterpret_cast<Words>(upper.values);
        __builtin_memcpy(static_cast<void*>(y), &words, kBytes);
    }
};

// The part of a window inside the image: `rows` rows of `columns` pixels.
template <class T>
struct Field {
    const T* first = nullptr;
    std::int64_t rows = 0, rowStride = 0, columns = 0, channels = 0;
    float divisor = 1;
};

struct Maximum {
    // kCount vectors of channels.
    template <class T, int kBytes, int kCount>
    static STEELYARD_INLINE void vectors(T* y, const Field<T>& field, std::int64_t channel) {
        constexpr std::int64_t kElements = kBytes / sizeof(T);
        Elements<T, kBytes> best[kCount];
        for (int i = 0; i < kCount; ++i) best[i] = Elements<T, kBytes>::at(field.first + channel + i * kElements);
        for (std::int64_t row = 0; row < field.rows; ++row) {
            const T* x = field.first + row * field.rowStride + channel;
            for (std::int64_t column = 0; column < field.columns; ++column, x += field.channels)
                for (int i = 0; i < kCount; ++i) best[i].raise(Elements<T, kBytes>::at(x + i * kElements));
        }
        for (int i = 0; i < kCount; ++i) best[i].storeTo(y + channel + i * kElements);
    }

    static STEELYARD_INLINE float comparable(BFloat16 value) { return load(value); }
    template <class T>
    static STEELYARD_INLINE T comparable(T value) {
        return value;
    }
    template <class T>
    static STEELYARD_INLINE void element(T* y, const Field<T>& field, std::int64_t c) {
        T best = field.first[c];
        for (std::int64_t row = 0; row < field.rows; ++row)
            for (std::int64_t column = 0; column < field.columns; ++column) {
                const T value = field.first[row * field.rowStride + column * field.channels + c];
                if (comparable(value) > comparable(best)) best = value;
            }
        y[c] = best;
    }
};

struct Average {
    template <class T, int kBytes, int kCount>
    static STEELYARD_INLINE void vectors(T* y, const Field<T>& field, std::int64_t channel) {
        constexpr std::int64_t kElements = kBytes / sizeof(T);
        Elements<T, kBytes> sums[kCount] = {};
        for (std::int64_t row = 0; row < field.rows; ++row) {
            const T* x = field.first + row * field.rowStride + channel;
            for (std::int64_t column = 0; column < field.columns; ++column, x += field.channels)
                for (int i = 0; i < kCount; ++i) sums[i].add(Elements<T, kBytes>::at(x + i * kElements));
        }
        for (int i = 0; i < kCount; ++i) {
            sums[i].divide(field.divisor);
            sums[i].roundTo(y + channel + i * kElements);
        }
    }

    template <class T>
    static STEELYARD_INLINE void element(T* y, const Field<T>& field, std::int64_t c) {
        float sum = 0;
        for (std::int64_t row = 0; row < field.rows; ++row)
            for (std::int64_t column = 0; column < field.columns; ++column)
                sum += load(field.first[row * field.rowStride + column * field.channels + c]);
        store(y[c], sum / field.divisor);
    }
};

// At least one vector of channels. The last one may overlap the one before.
template <class Pool, class T, int kBytes>
STEELYARD_INLINE void poolByVectors(T* y, const Field<T>& field) {
    constexpr std::int64_t kElements = kBytes / sizeof(T);
    std::int64_t c = 0;
    for (; c + 4 * kElements <= field.channels; c += 4 * kElements) Pool::template vectors<T, kBytes, 4>(y, field, c);
    for (; c + 2 * kElements <= field.channels; c += 2 * kElements) Pool::template vectors<T, kBytes, 2>(y, field, c);
    for (; c + kElements <= field.channels; c += kElements) Pool::template vectors<T, kBytes, 1>(y, field, c);
    if (c < field.channels) Pool::template vectors<T, kBytes, 1>(y, field, field.channels - kElements);
}

// By vectors of kBytes, or by narrower ones where there are too few channels.
template <class Pool, class T, int kBytes = kVectorBytes>
void poolRow(const PooledRow<T>& row) {
    constexpr auto kElements = static_cast<std::int64_t>(kBytes / sizeof(T));
    if constexpr (kBytes > kLeastBytes)
        if (row.channels < kElements) return poolRow<Pool, T, kBytes / 2>(row);
    for (std::int64_t p = 0; p < row.pixels; ++p) {
        const std::int64_t start = p * row.stride - row.left, end = start + row.kernel;
        const std::int64_t first = start < 0 ? 0 : start, last = end > row.width ? row.width : end;
        T* y = row.y + p * row.channels;
        if (row.rows <= 0 || first >= last) {
            for (std::int64_t c = 0; c < row.channels; ++c) y[c] = T{};
            continue;
        }
        const Field<T> field{row.x + first * row.channels,
                             row.rows,
                             row.width * row.channels,
                             last - first,
                             row.channels,
                             static_cast<float>(row.divisor > 0 ? row.divisor : row.rows * (last - first))};
        if (row.channels >= kElements)
            poolByVectors<Pool, T, kBytes>(y, field);
        else
            for (std::int64_t c = 0; c < row.channels; ++c) Pool::element(y, field, c);
    }
}

}  // namespace

void fillPooling(Kernels& table) {
    table.pooling.maximumF32 = poolRow<Maximum, float>;
    table.pooling.maximumBf16 = poolRow<Maximum, BFloat16>;
    table.pooling.maximumS8 = poolRow<Maximum, std::int8_t>;
    table.pooling.maximumU8 = poolRow<Maximum, std::uint8_t>;
    table.pooling.averageF32 = poolRow<Average, float>;
    table.pooling.averageBf16 = poolRow<Average, BFloat16>;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

// SPDX-License-Identifier: Apache-2.0
// Sixteen lanes of the instruction set that a source is compiled for: one vector of AVX-512, two of AVX2 or AVX-VNNI,
// an array elsewhere. Products and weighted sums of language models (language_products.cpp, language_values.cpp) are
// written once with them. Sums of bytes are exact integers, so the instruction sets only differ in the rounding of
// float sums.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/vector_math.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

STEELYARD_INLINE std::int32_t fourBytes(const std::int8_t* bytes) {
    std::int32_t word = 0;
    __builtin_memcpy(&word, bytes, 4);
    return word;
}

STEELYARD_INLINE std::uint16_t halfBits(const std::byte* p) {
    std::uint16_t bits = 0;
    __builtin_memcpy(&bits, p, 2);
    return bits;
}

// Groups: 64 bytes, [16 rows][4 columns]. dotWide() adds the products of each row's four bytes (0 to 255) and four
// signed ones to the row's lane; dotShifted() those of bytes q + 128, as sums of q + kShiftInDots. PairSums are sums of
// products of columns 4 k, 4 k + 1 and of 4 k + 2, 4 k + 3, in 16 bits each with plain AVX2: those of 32 columns of
// nibbles (0 to 15), or of 16 of six bits (0 to 63) from centred() on, which subtracts 32 from each weight.
#if defined(__AVX512VNNI__)

using Group = __m512i;
using Ints = __m512i;
using Floats = __m512;
constexpr int kSumsAtOnce = 8;  // independent sums, to hide the latency of additions
constexpr int kRowSums = 16;    // that leave registers for their operands

STEELYARD_INLINE Group loadGroup(const std::byte* p) {
    return _mm512_loadu_si512(p);
}
STEELYARD_INLINE void storeGroup(std::byte* p, Group v) {
    _mm512_storeu_si512(p, v);
}
STEELYARD_INLINE Group lowHalves(Group v) {
    return _mm512_and_si512(v, _mm512_set1_epi8(15));
}
STEELYARD_INLINE Group highHalves(Group v) {
    return _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(15));
}
STEELYARD_INLINE Group lowSixBits(Group v) {
    return _mm512_and_si512(v, _mm512_set1_epi8(63));
}
// Six bits from the upper two of three bytes, those of `a` the lowest.
STEELYARD_INLINE Group joinedUpperBits(Group a, Group b, Group c) {
    const auto upper = [](Group v) { return _mm512_and_si512(v, _mm512_set1_epi8(static_cast<char>(0xC0))); };
    return _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi16(upper(a), 6), _mm512_srli_epi16(upper(b), 4)),
                           _mm512_srli_epi16(upper(c), 2));
}
template <int field>
STEELYARD_INLINE Group bitPairs(Group v) {
    return _mm512_and_si512(_mm512_srli_epi16(v, 2 * field), _mm512_set1_epi8(3));
}
STEELYARD_INLINE Ints noInts() {
    return _mm512_setzero_si512();
}
STEELYARD_INLINE Ints dot(Ints sum, Group weights, const std::int8_t* x) {
    return _mm512_dpbusd_epi32(sum, weights, _mm512_set1_epi32(fourBytes(x)));
}
STEELYARD_INLINE Ints dotWide(Ints sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
constexpr float kShiftInDots = 128;
STEELYARD_INLINE Ints dotShifted(Ints sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
using PairSums = Ints;
STEELYARD_INLINE PairSums addPairs(PairSums sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
STEELYARD_INLINE Ints widened(PairSums sum) {
    return sum;
}
STEELYARD_INLINE PairSums centred(std::int32_t compensation) {
    return _mm512_madd_epi16(_mm512_set1_epi32(compensation), _mm512_set1_epi16(1));
}
STEELYARD_INLINE Floats toFloats(Ints v) {
    return _mm512_cvtepi32_ps(v);
}
STEELYARD_INLINE Floats splat(float v) {
    return _mm512_set1_ps(v);
}
STEELYARD_INLINE Floats halves(const std::byte* p) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
// Pairs of bfloat16, the first in the low half of a lane.
STEELYARD_INLINE Floats firstOfPairs(const std::byte* p) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(loadGroup(p), 16));
}
STEELYARD_INLINE Floats secondOfPairs(const std::byte* p) {
    return _mm512_castsi512_ps(_mm512_and_si512(loadGroup(p), _mm512_set1_epi32(static_cast<int>(0xFFFF0000U))));
}
STEELYARD_INLINE Floats floats(const std::byte* p) {
    return _mm512_loadu_ps(p);
}
STEELYARD_INLINE float half(const std::byte* p) {
    return _cvtsh_ss(halfBits(p));
}
STEELYARD_INLINE Floats bytes(const std::byte* p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
STEELYARD_INLINE Floats signedBytes(const std::byte* p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
STEELYARD_INLINE Floats times(Floats a, Floats b) {
    return _mm512_mul_ps(a, b);
}
STEELYARD_INLINE Floats plus(Floats a, Floats b) {
    return _mm512_add_ps(a, b);
}
STEELYARD_INLINE Floats timesPlus(Floats a, Floats b, Floats c) {  // a b + c
    return _mm512_fmadd_ps(a, b, c);
}
STEELYARD_INLINE Floats timesMinus(Floats a, Floats b, Floats c) {  // a b - c
    return _mm512_fmsub_ps(a, b, c);
}
STEELYARD_INLINE Floats minusTimes(Floats a, Floats b, Floats c) {  // c - a b
    return _mm512_fnmadd_ps(a, b, c);
}
STEELYARD_INLINE void put(float* target, Floats v) {
    _mm512_storeu_ps(target, v);
}
STEELYARD_INLINE float sumOf(Floats v) {
    return _mm512_reduce_add_ps(v);
}

#elif defined(__AVX2__)

struct Group {
    __m256i a, b;
};
using Ints = Group;
struct Floats {
    __m256 a, b;
};
constexpr int kSumsAtOnce = 4;
constexpr int kRowSums = 4;

STEELYARD_INLINE __m256i load256(const std::byte* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
STEELYARD_INLINE __m128i load128(const std::byte* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
STEELYARD_INLINE __m128i load64(const std::byte* p) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
}
STEELYARD_INLINE Group loadGroup(const std::byte* p) {
    return {load256(p), load256(p + 32)};
}
STEELYARD_INLINE void storeGroup(std::byte* p, Group v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v.a);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 32), v.b);
}
STEELYARD_INLINE Group lowHalves(Group v) {
    const auto mask = _mm256_set1_epi8(15);
    return {_mm256_and_si256(v.a, mask), _mm256_and_si256(v.b, mask)};
}
STEELYARD_INLINE Group highHalves(Group v) {
    return lowHalves({_mm256_srli_epi16(v.a, 4), _mm256_srli_epi16(v.b, 4)});
}
STEELYARD_INLINE Group lowSixBits(Group v) {
    const auto mask = _mm256_set1_epi8(63);
    return {_mm256_and_si256(v.a, mask), _mm256_and_si256(v.b, mask)};
}
STEELYARD_INLINE __m256i joinedUpperBits(__m256i a, __m256i b, __m256i c) {
    const auto upper = [](__m256i v) { return _mm256_and_si256(v, _mm256_set1_epi8(static_cast<char>(0xC0))); };
    return _mm256_or_si256(_mm256_or_si256(_mm256_srli_epi16(upper(a), 6), _mm256_srli_epi16(upper(b), 4)),
                           _mm256_srli_epi16(upper(c), 2));
}
STEELYARD_INLINE Group joinedUpperBits(Group a, Group b, Group c) {
    return {joinedUpperBits(a.a, b.a, c.a), joinedUpperBits(a.b, b.b, c.b)};
}
template <int field>
STEELYARD_INLINE Group bitPairs(Group v) {
    const auto mask = _mm256_set1_epi8(3);
    return {_mm256_and_si256(_mm256_srli_epi16(v.a, 2 * field), mask),
            _mm256_and_si256(_mm256_srli_epi16(v.b, 2 * field), mask)};
}
STEELYARD_INLINE Ints noInts() {
    return {_mm256_setzero_si256(), _mm256_setzero_si256()};
}
#if defined(__AVXVNNI__)
STEELYARD_INLINE Ints dot(Ints sum, Group weights, const std::int8_t* x) {
    const auto four = _mm256_set1_epi32(fourBytes(x));
    return {_mm256_dpbusd_avx_epi32(sum.a, weights.a, four), _mm256_dpbusd_avx_epi32(sum.b, weights.b, four)};
}
STEELYARD_INLINE Ints dotWide(Ints sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
constexpr float kShiftInDots = 128;
STEELYARD_INLINE Ints dotShifted(Ints sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
using PairSums = Ints;
STEELYARD_INLINE PairSums addPairs(PairSums sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
STEELYARD_INLINE Ints widened(PairSums sum) {
    return sum;
}
STEELYARD_INLINE PairSums centred(std::int32_t compensation) {
    const auto sum = _mm256_madd_epi16(_mm256_set1_epi32(compensation), _mm256_set1_epi16(1));
    return {sum, sum};
}
#else
// Two products of at most 63 x 127 fit in 16 bits.
STEELYARD_INLINE __m256i dotPairs(__m256i weights, __m256i x) {
    return _mm256_madd_epi16(_mm256_maddubs_epi16(weights, x), _mm256_set1_epi16(1));
}
STEELYARD_INLINE __m256i dotWide(__m256i sum, __m256i weights, __m256i x) {
    const auto mask = _mm256_set1_epi8(15);
    const auto low = _mm256_and_si256(weights, mask), high = _mm256_and_si256(_mm256_srli_epi16(weights, 4), mask);
    return _mm256_add_epi32(sum, _mm256_add_epi32(dotPairs(low, x), _mm256_slli_epi32(dotPairs(high, x), 4)));
}
STEELYARD_INLINE Ints dotWide(Ints sum, Group weights, const std::int8_t* x) {
    const auto four = _mm256_set1_epi32(fourBytes(x));
    return {dotWide(sum.a, weights.a, four), dotWide(sum.b, weights.b, four)};
}
// q = weights - 128: two products of |q| with x, negated where q is negative, fit in 16 bits, and need no nibbles.
constexpr float kShiftInDots = 0;
STEELYARD_INLINE __m256i dotShifted(__m256i sum, __m256i weights, __m256i x) {
    const auto q = _mm256_xor_si256(weights, _mm256_set1_epi8(static_cast<char>(0x80)));
    return _mm256_add_epi32(sum, dotPairs(_mm256_abs_epi8(q), _mm256_sign_epi8(x, q)));
}
STEELYARD_INLINE Ints dotShifted(Ints sum, Group weights, const std::int8_t* x) {
    const auto four = _mm256_set1_epi32(fourBytes(x));
    return {dotShifted(sum.a, weights.a, four), dotShifted(sum.b, weights.b, four)};
}
// 16 bits hold sixteen products of at most 15 x 127 or, once the sum is complete, eight of at most 32 x 127.
#define STEELYARD_PAIRS_IN_16_BITS
using PairSums = Ints;
STEELYARD_INLINE PairSums addPairs(PairSums sum, Group weights, const std::int8_t* x) {
    const auto four = _mm256_set1_epi32(fourBytes(x));
    sum.a = _mm256_add_epi16(sum.a, _mm256_maddubs_epi16(weights.a, four));
    sum.b = _mm256_add_epi16(sum.b, _mm256_maddubs_epi16(weights.b, four));
    asm("" : "+x"(sum.a), "+x"(sum.b));  // keeps the order of additions: other orders need more registers
    return sum;
}
STEELYARD_INLINE Ints widened(PairSums sum) {
    const auto one = _mm256_set1_epi16(1);
    return {_mm256_madd_epi16(sum.a, one), _mm256_madd_epi16(sum.b, one)};
}
STEELYARD_INLINE PairSums centred(std::int32_t compensation) {
    const auto pair = _mm256_set1_epi32(compensation);
    return {pair, pair};
}
// low + 16 high
STEELYARD_INLINE Ints plusHigh(Ints low, PairSums high) {
    const auto sixteen = _mm256_set1_epi16(16);
    return {_mm256_add_epi32(low.a, _mm256_madd_epi16(high.a, sixteen)),
            _mm256_add_epi32(low.b, _mm256_madd_epi16(high.b, sixteen))};
}
using Factors = Ints;  // pairs of a row's factor
// The bytes of rows first to first + 7, each twice, as the upper or lower byte of 16 bits whose other byte is zero.
STEELYARD_INLINE __m256i inPairs(__m256i bytes, int first, bool upper) {
    const auto row = [&](int r) { return upper ? (first + r) << 8 | 0x80 : 0x8000 | (first + r); };
    const auto pair = [&](int r) { return row(r) << 16 | row(r); };
    return _mm256_shuffle_epi8(
        bytes, _mm256_setr_epi32(pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)));
}
STEELYARD_INLINE __m256i twice(const std::byte* p) {
    return _mm256_broadcastsi128_si256(load128(p));
}
STEELYARD_INLINE Factors factors(const std::byte* p) {
    return {inPairs(twice(p), 0, false), inPairs(twice(p), 8, false)};
}
STEELYARD_INLINE Factors signedFactors(const std::byte* p) {
    return {_mm256_srai_epi16(inPairs(twice(p), 0, true), 8), _mm256_srai_epi16(inPairs(twice(p), 8, true), 8)};
}
#endif
STEELYARD_INLINE Floats toFloats(Ints v) {
    return {_mm256_cvtepi32_ps(v.a), _mm256_cvtepi32_ps(v.b)};
}
STEELYARD_INLINE Floats splat(float v) {
    return {_mm256_set1_ps(v), _mm256_set1_ps(v)};
}
STEELYARD_INLINE Floats halves(const std::byte* p) {
    return {_mm256_cvtph_ps(load128(p)), _mm256_cvtph_ps(load128(p + 16))};
}
STEELYARD_INLINE Floats firstOfPairs(const std::byte* p) {
    const auto pairs = loadGroup(p);
    return {_mm256_castsi256_ps(_mm256_slli_epi32(pairs.a, 16)), _mm256_castsi256_ps(_mm256_slli_epi32(pairs.b, 16))};
}
STEELYARD_INLINE Floats secondOfPairs(const std::byte* p) {
    const auto pairs = loadGroup(p);
    const auto mask = _mm256_set1_epi32(static_cast<int>(0xFFFF0000U));
    return {_mm256_castsi256_ps(_mm256_and_si256(pairs.a, mask)), _mm256_castsi256_ps(_mm256_and_si256(pairs.b, mask))};
}
STEELYARD_INLINE Floats floats(const std::byte* p) {
    const auto* values = reinterpret_cast<const float*>(p);
    return {_mm256_loadu_ps(values), _mm256_loadu_ps(values + 8)};
}
STEELYARD_INLINE float half(const std::byte* p) {
    return _cvtsh_ss(halfBits(p));
}
STEELYARD_INLINE Floats bytes(const std::byte* p) {
    return {_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load64(p))),
            _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load64(p + 8)))};
}
STEELYARD_INLINE Floats signedBytes(const std::byte* p) {
    return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load64(p))),
            _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load64(p + 8)))};
}
STEELYARD_INLINE Floats times(Floats x, Floats y) {
    return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)};
}
STEELYARD_INLINE Floats plus(Floats x, Floats y) {
    return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)};
}
STEELYARD_INLINE Floats timesPlus(Floats x, Floats y, Floats z) {
    return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
}
STEELYARD_INLINE Floats timesMinus(Floats x, Floats y, Floats z) {
    return {_mm256_fmsub_ps(x.a, y.a, z.a), _mm256_fmsub_ps(x.b, y.b, z.b)};
}
STEELYARD_INLINE Floats minusTimes(Floats x, Floats y, Floats z) {
    return {_mm256_fnmadd_ps(x.a, y.a, z.a), _mm256_fnmadd_ps(x.b, y.b, z.b)};
}
STEELYARD_INLINE void put(float* target, Floats v) {
    _mm256_storeu_ps(target, v.a);
    _mm256_storeu_ps(target + 8, v.b);
}
STEELYARD_INLINE float sumOf(Floats v) {
    const auto eight = _mm256_add_ps(v.a, v.b);
    const auto four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const auto two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

#else

struct Group {
    std::uint8_t v[64];
};
struct Ints {
    std::int32_t v[16];
};
struct Floats {
    float v[16];
};
constexpr int kSumsAtOnce = 1;
constexpr int kRowSums = 2;

template <class Result, class Function>
STEELYARD_INLINE Result each(int count, Function function) {
    Result result;
    for (int i = 0; i < count; ++i) result.v[i] = function(i);
    return result;
}
template <class Value>
STEELYARD_INLINE Value valueAt(const std::byte* p, int index) {
    Value value{};
    __builtin_memcpy(&value, p + index * static_cast<int>(sizeof(Value)), sizeof(Value));
    return value;
}
STEELYARD_INLINE float halfToFloat(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16, rest = bits & 0x7FFFU;
    // Scaling by 2^112 adjusts the exponent's bias and normalises subnormal halves.
    const float magnitude = asFloat(rest << 13) * 0x1p112F;
    return asFloat(asBits(rest >= 0x7C00U ? asFloat(rest << 13 | 0x7F800000U) : magnitude) | sign);
}
STEELYARD_INLINE Group loadGroup(const std::byte* p) {
    return each<Group>(64, [&](int i) { return static_cast<std::uint8_t>(p[i]); });
}
STEELYARD_INLINE void storeGroup(std::byte* p, Group v) {
    __builtin_memcpy(p, v.v, 64);
}
STEELYARD_INLINE Group lowHalves(Group v) {
    return each<Group>(64, [&](int i) { return static_cast<std::uint8_t>(v.v[i] & 15); });
}
STEELYARD_INLINE Group highHalves(Group v) {
    return each<Group>(64, [&](int i) { return static_cast<std::uint8_t>(v.v[i] >> 4); });
}
STEELYARD_INLINE Group lowSixBits(Group v) {
    return each<Group>(64, [&](int i) { return static_cast<std::uint8_t>(v.v[i] & 63); });
}
STEELYARD_INLINE Group joinedUpperBits(Group a, Group b, Group c) {
    return each<Group>(
        64, [&](int i) { return static_cast<std::uint8_t>(a.v[i] >> 6 | b.v[i] >> 6 << 2 | c.v[i] >> 6 << 4); });
}
template <int field>
STEELYARD_INLINE Group bitPairs(Group v) {
    return each<Group>(64, [&](int i) { return static_cast<std::uint8_t>(v.v[i] >> (2 * field) & 3); });
}
STEELYARD_INLINE Ints noInts() {
    return {};
}
STEELYARD_INLINE Ints dot(Ints sum, Group weights, const std::int8_t* x) {
    return each<Ints>(16, [&](int i) {
        std::int32_t value = sum.v[i];
        for (int j = 0; j < 4; ++j) value += weights.v[4 * i + j] * x[j];
        return value;
    });
}
STEELYARD_INLINE Ints dotWide(Ints sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
constexpr float kShiftInDots = 128;
STEELYARD_INLINE Ints dotShifted(Ints sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
using PairSums = Ints;
STEELYARD_INLINE PairSums addPairs(PairSums sum, Group weights, const std::int8_t* x) {
    return dot(sum, weights, x);
}
STEELYARD_INLINE Ints widened(PairSums sum) {
    return sum;
}
STEELYARD_INLINE PairSums centred(std::int32_t compensation) {
    std::int16_t pair[2];
    __builtin_memcpy(pair, &compensation, 4);
    return each<Ints>(16, [&](int) { return pair[0] + pair[1]; });
}
STEELYARD_INLINE Floats toFloats(Ints v) {
    return each<Floats>(16, [&](int i) { return static_cast<float>(v.v[i]); });
}
STEELYARD_INLINE Floats splat(float v) {
    return each<Floats>(16, [&](int) { return v; });
}
STEELYARD_INLINE Floats halves(const std::byte* p) {
    return each<Floats>(16, [&](int i) { return halfToFloat(valueAt<std::uint16_t>(p, i)); });
}
STEELYARD_INLINE Floats firstOfPairs(const std::byte* p) {
    return each<Floats>(16, [&](int i) { return asFloat(valueAt<std::uint32_t>(p, i) << 16); });
}
STEELYARD_INLINE Floats secondOfPairs(const std::byte* p) {
    return each<Floats>(16, [&](int i) { return asFloat(valueAt<std::uint32_t>(p, i) & 0xFFFF0000U); });
}
STEELYARD_INLINE Floats floats(const std::byte* p) {
    return each<Floats>(16, [&](int i) { return valueAt<float>(p, i); });
}
STEELYARD_INLINE float half(const std::byte* p) {
    return halfToFloat(halfBits(p));
}
STEELYARD_INLINE Floats bytes(const std::byte* p) {
    return each<Floats>(16, [&](int i) { return static_cast<float>(valueAt<std::uint8_t>(p, i)); });
}
STEELYARD_INLINE Floats signedBytes(const std::byte* p) {
    return each<Floats>(16, [&](int i) { return static_cast<float>(valueAt<std::int8_t>(p, i)); });
}
STEELYARD_INLINE Floats times(Floats x, Floats y) {
    return each<Floats>(16, [&](int i) { return x.v[i] * y.v[i]; });
}
STEELYARD_INLINE Floats plus(Floats x, Floats y) {
    return each<Floats>(16, [&](int i) { return x.v[i] + y.v[i]; });
}
STEELYARD_INLINE Floats timesPlus(Floats x, Floats y, Floats z) {
    return each<Floats>(16, [&](int i) { return x.v[i] * y.v[i] + z.v[i]; });
}
STEELYARD_INLINE Floats timesMinus(Floats x, Floats y, Floats z) {
    return each<Floats>(16, [&](int i) { return x.v[i] * y.v[i] - z.v[i]; });
}
STEELYARD_INLINE Floats minusTimes(Floats x, Floats y, Floats z) {
    return each<Floats>(16, [&](int i) { return z.v[i] - x.v[i] * y.v[i]; });
}
STEELYARD_INLINE void put(float* target, Floats v) {
    for (int i = 0; i < 16; ++i) target[i] = v.v[i];
}
STEELYARD_INLINE float sumOf(Floats v) {
    for (int width = 8; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) v.v[i] += v.v[i + width];
    return v.v[0];
}

#endif

// A byte for each factor and minimum of 256 columns: [part][16 rows].
struct Nested4Scales {
    alignas(64) std::byte factors[8 * 16], minima[8 * 16];

    STEELYARD_INLINE void unpack(const std::byte* p) {
        const auto a = loadGroup(p), b = loadGroup(p + kPanelGroup), c = loadGroup(p + 2 * kPanelGroup);
        storeGroup(factors, lowSixBits(a));
        storeGroup(factors + kPanelGroup, lowSixBits(b));
        storeGroup(minima, lowSixBits(c));
        storeGroup(minima + kPanelGroup, joinedUpperBits(a, b, c));
    }
};
struct Nested2Scales {
    alignas(64) std::byte factors[16 * 16], minima[16 * 16];

    STEELYARD_INLINE void unpack(const std::byte* p) {
        for (int byte = 0; byte < kNested2Scales; byte += kPanelGroup) {
            const auto both = loadGroup(p + byte);
            storeGroup(factors + byte, lowHalves(both));
            storeGroup(minima + byte, highHalves(both));
        }
    }
};

// Sums times the factors of the rows, and the sum of two such products.
#if defined(STEELYARD_PAIRS_IN_16_BITS)
STEELYARD_INLINE Floats scaled(PairSums sum, Factors factor) {
    return toFloats({_mm256_madd_epi16(sum.a, factor.a), _mm256_madd_epi16(sum.b, factor.b)});
}
STEELYARD_INLINE Floats scaled(PairSums sum, Factors factor, PairSums other, Factors otherFactor) {
    return toFloats({_mm256_add_epi32(_mm256_madd_epi16(sum.a, factor.a), _mm256_madd_epi16(other.a, otherFactor.a)),
                     _mm256_add_epi32(_mm256_madd_epi16(sum.b, factor.b), _mm256_madd_epi16(other.b, otherFactor.b))});
}
#else
using Factors = Floats;
STEELYARD_INLINE Factors factors(const std::byte* p) {
    return bytes(p);
}
STEELYARD_INLINE Factors signedFactors(const std::byte* p) {
    return signedBytes(p);
}
STEELYARD_INLINE Floats scaled(PairSums sum, Factors factor) {
    return times(toFloats(sum), factor);
}
STEELYARD_INLINE Floats scaled(PairSums sum, Factors factor, PairSums other, Factors otherFactor) {
    return timesPlus(toFloats(sum), factor, scaled(other, otherFactor));
}
#endif

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

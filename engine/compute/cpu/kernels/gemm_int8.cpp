// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit rows with a panel of 8-bit weights in vectors: dot products of quads of bytes (VNNI), or pairs of
// bytes added in 16 bits and pairs of those in 32.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/int8_results.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/window_tiles.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

#ifdef __AVX512F__

STEELYARD_INLINE Words loadWords(const void* words) {
    return _mm512_loadu_si512(words);
}
STEELYARD_INLINE Words loadWords(Lanes lanes, const std::int32_t* words) {
    return _mm512_maskz_loadu_epi32(lanes, words);
}
STEELYARD_INLINE void storeSums(std::int32_t* target, Words sums) {
    _mm512_store_si512(target, sums);
}
STEELYARD_INLINE Words broadcastWord(int word) {
    return _mm512_set1_epi32(word);
}
STEELYARD_INLINE Words plus128(Words bytes) {
    return _mm512_xor_si512(bytes, _mm512_set1_epi8(static_cast<char>(0x80)));
}
// Adds the products of four unsigned and four signed bytes. Without VNNI, two products of at most 255 x 63 fit in 16
// bits.
STEELYARD_INLINE Words dot(Words sums, Words bytes, Words weights) {
#ifdef __AVX512VNNI__
    return _mm512_dpbusd_epi32(sums, bytes, weights);
#else
    const auto pairs = _mm512_maddubs_epi16(bytes, weights);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
}

#else

STEELYARD_INLINE Words loadWords(const void* words) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(words));
}
STEELYARD_INLINE Words loadWords(Lanes lanes, const std::int32_t* words) {
    return _mm256_maskload_epi32(words, lanes);
}
STEELYARD_INLINE void storeSums(std::int32_t* target, Words sums) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(target), sums);
}
STEELYARD_INLINE Words broadcastWord(int word) {
    return _mm256_set1_epi32(word);
}
STEELYARD_INLINE Words plus128(Words bytes) {
    return _mm256_xor_si256(bytes, _mm256_set1_epi8(static_cast<char>(0x80)));
}
STEELYARD_INLINE Words dot(Words sums, Words bytes, Words weights) {
#ifdef __AVXVNNI__
    return _mm256_dpbusd_avx_epi32(sums, bytes, weights);
#else
    const auto pairs = _mm256_maddubs_epi16(bytes, weights);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}

#endif

// Signed rows are multiplied as unsigned ones, 128 more, which `start` of the product accounts for.
template <bool Signed>
struct Quads {
    static constexpr int kRows = kTileRows, kVectors = kTileVectors;
    static constexpr std::int64_t kStride = kPanelColumns;
    using Sums = Words;
    using Columns = Words;

    const Int8Product& product;
    RowSums* results = nullptr;

    static STEELYARD_INLINE Columns load(const std::uint32_t* words) { return loadWords(words); }
    static STEELYARD_INLINE Words broadcast(int quad) {
        const auto bytes = broadcastWord(quad);
        return Signed ? plus128(bytes) : bytes;
    }
    static STEELYARD_INLINE Sums dot(Sums sums, Words bytes, Columns weights) {
        return STEELYARD_INSTRUCTION_SET::dot(sums, bytes, weights);
    }
    STEELYARD_INLINE Sums start(std::int64_t /*row*/, std::int64_t column) const {
        if constexpr (Signed) return loadWords(lanesBelow(product.columns - column), product.start + column);
        return broadcastWord(0);
    }
    STEELYARD_INLINE void store(std::int64_t /*first*/, int row, std::int64_t column, Sums sums) const {
        storeSums(&results[row][column], sums);
    }
};

void multiply(const Int8Product& p) {
    alignas(64) TileSums<std::int32_t> sums;
    const auto finish = [&, chosen = finishOf(p)](std::int64_t row, std::int64_t rows) { chosen(p, sums, row, rows); };
    if (p.isSigned)
        multiplyPanel(Quads<true>{p, sums}, bytesOf(p.type), finish);
    else
        multiplyPanel(Quads<false>{p, sums}, bytesOf(p.type), finish);
}

}  // namespace

void fillInt8Gemm(Kernels& table) {
    table.eightBit.multiply = multiply;
    table.eightBit.needsStart = true;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

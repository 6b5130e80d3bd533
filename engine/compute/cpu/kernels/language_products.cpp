// SPDX-License-Identifier: Apache-2.0
// Products of weight panels (language_kernels.h) with the activations of some tokens, written once for the lanes of
// every instruction set.
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/language_inputs.h"
#include "engine/compute/cpu/kernels/language_lanes.h"
#include "engine/compute/cpu/kernels/language_prefetch.h"
#include "engine/compute/cpu/kernels/language_unpacked.h"
#if defined(__AVX2__) && !defined(__AVX512F__)
#include "engine/compute/cpu/kernels/gemm_microkernel.h"
#define STEELYARD_FLOAT_PRODUCTS
#endif

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Columns 0 to 15 of a block are in the low nibbles of four groups, 16 to 31 in the high ones.
template <Prefetch To, int Tokens>
STEELYARD_INLINE void addNibbles(PairSums (&sums)[Tokens], const std::byte* groups, const Inputs& in,
                                 std::int64_t block) {
    for (auto& value : sums) value = noInts();
    for (int k = 0; k < 4; ++k) {
        ahead<To>(groups + k * kPanelGroup);
        const auto both = loadGroup(groups + k * kPanelGroup);
        const auto low = lowHalves(both), high = highHalves(both);
        for (int t = 0; t < Tokens; ++t) {
            sums[t] = addPairs(sums[t], low, in.at(t, block) + 4 * k);
            sums[t] = addPairs(sums[t], high, in.at(t, block) + 16 + 4 * k);
        }
    }
}
template <Prefetch To, bool Shifted, int Tokens>
STEELYARD_INLINE void dotBytes(Ints (&dots)[Tokens], const std::byte* groups, const Inputs& in, std::int64_t block) {
    for (int k = 0; k < 8; ++k) {
        ahead<To>(groups + k * kPanelGroup);
        const auto weights = loadGroup(groups + k * kPanelGroup);
        for (int t = 0; t < Tokens; ++t) {
            const auto* x = in.at(t, block) + 4 * k;
            dots[t] = Shifted ? dotShifted(dots[t], weights, x) : dotWide(dots[t], weights, x);
        }
    }
}
template <int Tokens>
STEELYARD_INLINE void clear(Ints (&dots)[Tokens]) {
    for (auto& value : dots) value = noInts();
}

// Formats in blocks. A unit of a panel consists of kFront bytes and kParts parts of 32 columns, kPart bytes each.
// begin() reads the front, add() multiplies part `part`, which starts at block `b` of the activations, and end()
// completes the sums.
struct Nibbles {
    static constexpr int kParts = 1;
    static constexpr std::int64_t kFront = 0, kPart = kPanelHalves + 4 * kPanelGroup;
    template <Prefetch To, int Tokens>
    struct Unit {
        STEELYARD_INLINE void begin(const std::byte* /*p*/) {}
        STEELYARD_INLINE void add(const std::byte* p, const Inputs& in, std::int64_t b, int /*part*/,
                                  Floats (&total)[Tokens]) {
            PairSums sums[Tokens];
            ahead<To>(p);
            addNibbles<To>(sums, p + kPanelHalves, in, b);
            const auto scale = halves(p);
            for (int t = 0; t < Tokens; ++t)
                total[t] = timesPlus(
                    scale, timesMinus(toFloats(widened(sums[t])), splat(in.step(t, b)), splat(8 * in.sum(t, b))),
                    total[t]);
        }
        STEELYARD_INLINE void end(Floats (&/*total*/)[Tokens]) {}
    };
};
struct Bytes {
    static constexpr int kParts = 1;
    static constexpr std::int64_t kFront = 0, kPart = kPanelHalves + 8 * kPanelGroup;
    template <Prefetch To, int Tokens>
    struct Unit {
        STEELYARD_INLINE void begin(const std::byte* /*p*/) {}
        STEELYARD_INLINE void add(const std::byte* p, const Inputs& in, std::int64_t b, int /*part*/,
                                  Floats (&total)[Tokens]) {
            Ints dots[Tokens];
            clear(dots);
            ahead<To>(p);
            dotBytes<To, true>(dots, p + kPanelHalves, in, b);
            const auto scale = halves(p);
            for (int t = 0; t < Tokens; ++t)
                total[t] = timesPlus(
                    scale, timesMinus(toFloats(dots[t]), splat(in.step(t, b)), splat(kShiftInDots * in.sum(t, b))),
                    total[t]);
        }
        STEELYARD_INLINE void end(Floats (&/*total*/)[Tokens]) {}
    };
};
struct Offset8 {
    static constexpr int kParts = 1;
    static constexpr std::int64_t kFront = 0, kPart = 10 * kPanelGroup;
    template <Prefetch To, int Tokens>
    struct Unit {
        STEELYARD_INLINE void begin(const std::byte* /*p*/) {}
        STEELYARD_INLINE void add(const std::byte* p, const Inputs& in, std::int64_t b, int /*part*/,
                                  Floats (&total)[Tokens]) {
            Ints dots[Tokens];
            clear(dots);
            ahead<To>(p);
            ahead<To>(p + kPanelGroup);
            dotBytes<To, false>(dots, p + 2 * kPanelGroup, in, b);
            const auto scale = floats(p), minimum = floats(p + kPanelGroup);
            for (int t = 0; t < Tokens; ++t) {
                total[t] = timesPlus(scale, times(toFloats(dots[t]), splat(in.step(t, b))), total[t]);
                total[t] = timesPlus(minimum, splat(in.sum(t, b)), total[t]);
            }
        }
        STEELYARD_INLINE void end(Floats (&/*total*/)[Tokens]) {}
    };
};
struct Nested2 {
    static constexpr int kParts = 8;
    static constexpr std::int64_t kFront = 2 * kPanelHalves + kNested2Scales, kPart = 2 * kPanelGroup;
    template <Prefetch To, int Tokens>
    struct Unit {
        Floats d, least;
        Nested2Scales scales;

        STEELYARD_INLINE void begin(const std::byte* p) {
            for (std::int64_t byte = 0; byte < kFront; byte += kCacheLine) ahead<To>(p + byte);
            d = halves(p);
            least = halves(p + kPanelHalves);
            scales.unpack(p + 2 * kPanelHalves);
        }
        STEELYARD_INLINE void add(const std::byte* p, const Inputs& in, std::int64_t b, int part,
                                  Floats (&total)[Tokens]) {
            Ints first[Tokens], second[Tokens];
            half(p, in, b, 0, first);
            half(p + kPanelGroup, in, b, 16, second);
            const auto *factors = scales.factors + 32 * part, *minima = scales.minima + 32 * part;
            const auto factor = times(d, bytes(factors)), other = times(d, bytes(factors + 16));
            const auto minimum = times(least, bytes(minima)), otherMinimum = times(least, bytes(minima + 16));
            for (int t = 0; t < Tokens; ++t) {
                const auto step = splat(in.step(t, b));
                total[t] = timesPlus(factor, times(toFloats(first[t]), step), total[t]);
                total[t] = timesPlus(other, times(toFloats(second[t]), step), total[t]);
                total[t] = minusTimes(minimum, splat(in.halfSum(t, 2 * b)), total[t]);
                total[t] = minusTimes(otherMinimum, splat(in.halfSum(t, 2 * b + 1)), total[t]);
            }
        }
        STEELYARD_INLINE void end(Floats (&/*total*/)[Tokens]) {}

        // Sixteen columns.
        STEELYARD_INLINE static void half(const std::byte* group, const Inputs& in, std::int64_t block, int first,
                                          Ints (&dots)[Tokens]) {
            ahead<To>(group);
            const auto pairs = loadGroup(group);
            PairSums sums[Tokens];
            for (auto& value : sums) value = noInts();
            const Group parts[4] = {bitPairs<0>(pairs), bitPairs<1>(pairs), bitPairs<2>(pairs), bitPairs<3>(pairs)};
            for (int t = 0; t < Tokens; ++t) {
                for (int f = 0; f < 4; ++f) sums[t] = addPairs(sums[t], parts[f], in.at(t, block) + first + 4 * f);
                dots[t] = widened(sums[t]);
            }
        }
    };
};
struct Nested4 {
    static constexpr int kParts = 8;
    static constexpr std::int64_t kFront = 2 * kPanelHalves + kNested4Scales, kPart = 4 * kPanelGroup;
    template <Prefetch To, int Tokens>
    struct Unit {
        Floats d, least, weighted[Tokens], minima[Tokens];
        Nested4Scales scales;

        STEELYARD_INLINE void begin(const std::byte* p) {
            for (std::int64_t byte = 0; byte < kFront; byte += kCacheLine) ahead<To>(p + byte);
            d = halves(p);
            least = halves(p + kPanelHalves);
            scales.unpack(p + 2 * kPanelHalves);
            for (int t = 0; t < Tokens; ++t) weighted[t] = minima[t] = splat(0);
        }
        STEELYARD_INLINE void add(const std::byte* p, const Inputs& in, std::int64_t b, int part,
                                  Floats (&/*total*/)[Tokens]) {
            PairSums sums[Tokens];
            addNibbles<To>(sums, p, in, b);
            const auto factor = factors(scales.factors + 16 * part);
            const auto minimum = bytes(scales.minima + 16 * part);
            for (int t = 0; t < Tokens; ++t) {
                weighted[t] = timesPlus(scaled(sums[t], factor), splat(in.step(t, b)), weighted[t]);
                minima[t] = timesPlus(minimum, splat(in.sum(t, b)), minima[t]);
            }
        }
        STEELYARD_INLINE void end(Floats (&total)[Tokens]) {
            for (int t = 0; t < Tokens; ++t)
                total[t] = minusTimes(least, minima[t], timesPlus(d, weighted[t], total[t]));
        }
    };
};
struct Nested6 {
    static constexpr int kParts = 8;
    static constexpr std::int64_t kFront = kPanelHalves, kPart = 32 + 6 * kPanelGroup;
    template <Prefetch To, int Tokens>
    struct Unit {
        Floats d, weighted[Tokens];

        STEELYARD_INLINE void begin(const std::byte* p) {
            d = halves(p);
            for (auto& value : weighted) value = splat(0);
        }
        STEELYARD_INLINE void add(const std::byte* p, const Inputs& in, std::int64_t b, int /*part*/,
                                  Floats (&/*total*/)[Tokens]) {
            PairSums first[Tokens], second[Tokens];
            ahead<To>(p);
            addHalf(first, p + 32, in, 2 * b);
            addHalf(second, p + 32 + 3 * kPanelGroup, in, 2 * b + 1);
            const auto factor = signedFactors(p), other = signedFactors(p + 16);
            for (int t = 0; t < Tokens; ++t)
                weighted[t] = timesPlus(scaled(first[t], factor, second[t], other), splat(in.step(t, b)), weighted[t]);
        }
        STEELYARD_INLINE void end(Floats (&total)[Tokens]) {
            for (int t = 0; t < Tokens; ++t) total[t] = timesPlus(d, weighted[t], total[t]);
        }

        // Sixteen columns.
        STEELYARD_INLINE static void addHalf(PairSums (&sums)[Tokens], const std::byte* groups, const Inputs& in,
                                             std::int64_t half) {
            Group v[3];
            for (int k = 0; k < 3; ++k) {
                ahead<To>(groups + k * kPanelGroup);
                v[k] = loadGroup(groups + k * kPanelGroup);
            }
            const auto last = joinedUpperBits(v[0], v[1], v[2]);
            for (auto& group : v) group = lowSixBits(group);
            for (int t = 0; t < Tokens; ++t) {
                const auto* x = in.at(t, 0) + 16 * half;
                sums[t] = centred(in.compensation(t, half));
                for (int k = 0; k < 3; ++k) sums[t] = addPairs(sums[t], v[k], x + 4 * k);
                sums[t] = addPairs(sums[t], last, x + 12);
            }
        }
    };
};

// Panels of a format in blocks, `apart` bytes from one to the next, in turn. Each has its own instructions (unrolled):
// with one for all, reading is slower at some distances, probably since hardware prefetches by their address, too.
template <class Format, Prefetch To, int Tokens, int Panels>
STEELYARD_INLINE void runBlocks(const std::byte* p, std::int64_t apart, std::int64_t columns, const Inputs& in,
                                Floats (&total)[Panels][Tokens]) {
    for (std::int64_t b = 0; b < columns / 32; p += Format::kFront + Format::kParts * Format::kPart) {
        typename Format::template Unit<To, Tokens> units[Panels];
#pragma GCC unroll kStrides
        for (int i = 0; i < Panels; ++i) units[i].begin(p + i * apart);
        for (int part = 0; part < Format::kParts; ++part, ++b)
#pragma GCC unroll kStrides
            for (int i = 0; i < Panels; ++i) {
                units[i].add(p + i * apart + Format::kFront + part * Format::kPart, in, b, part, total[i]);
                // Loads the activations again: there are too few registers to keep them for all panels.
                if constexpr (Panels > 1) asm volatile("" : : : "memory");
            }
#pragma GCC unroll kStrides
        for (int i = 0; i < Panels; ++i) units[i].end(total[i]);
    }
}

// Sixteen values per column.
struct HalfColumn {
    static constexpr std::int64_t kBytes = 32;
    STEELYARD_INLINE static Floats load(const std::byte* p) { return halves(p); }
};
struct FloatColumn {
    static constexpr std::int64_t kBytes = 64;
    STEELYARD_INLINE static Floats load(const std::byte* p) { return floats(p); }
};

// A single chain of sums per token would be bound by the latency of additions.
template <class Column, Prefetch To, int Tokens>
STEELYARD_INLINE void runColumns(const WeightProduct& product, std::int64_t panel, const float* x,
                                 Floats (&total)[Tokens]) {
    constexpr int kChains = Tokens < kSumsAtOnce ? kSumsAtOnce / Tokens : 1;
    constexpr int kLineColumns = kCacheLine / Column::kBytes, kStep = kChains > kLineColumns ? kChains : kLineColumns;
    const auto* p = product.panels + panel * product.panelBytes;
    const auto* later = product.later(panel);
    Floats sums[kChains][Tokens];
    for (auto& chain : sums)
        for (auto& sum : chain) sum = splat(0);
    const auto add = [&](std::int64_t column, int chain) {
        const auto weights = Column::load(p + column * Column::kBytes);
        for (int t = 0; t < Tokens; ++t)
            sums[chain][t] = timesPlus(weights, splat(x[t * product.stride + column]), sums[chain][t]);
    };
    std::int64_t c = 0;
    for (; c + kStep <= product.columns; c += kStep) {
        for (std::int64_t byte = 0; byte < kStep * Column::kBytes; byte += kCacheLine)
            fetch<To>(later + c * Column::kBytes + byte);
        for (int i = 0; i < kStep; ++i) add(c + i, i % kChains);
    }
    for (; c < product.columns; ++c) add(c, 0);
    for (int chains = kChains / 2; chains > 0; chains /= 2)
        for (int i = 0; i < chains; ++i)
            for (int t = 0; t < Tokens; ++t) sums[i][t] = plus(sums[i][t], sums[i + chains][t]);
    for (int t = 0; t < Tokens; ++t) total[t] = sums[0][t];
}

// Two columns of bfloat16 at a time. Few sums have two chains each.
struct Bfloat16Pairs {
    template <Prefetch To, int Tokens, int Panels>
    STEELYARD_INLINE static void run(const WeightProduct& product, const std::byte* p, std::int64_t apart,
                                     const float* x, Floats (&total)[Panels][Tokens]) {
        constexpr bool kTwoChains = Tokens * Panels <= 2;
        const auto pairs = product.columns / 2;
        Floats other[Panels][Tokens];
        for (auto& panel : other)
            for (auto& value : panel) value = splat(0);
        for (std::int64_t j = 0; j < pairs; ++j, p += kPanelGroup)
#pragma GCC unroll kStrides
            for (int i = 0; i < Panels; ++i) {
                const auto* both = p + i * apart;
                ahead<To>(both);
                const auto first = firstOfPairs(both);
                for (int t = 0; t < Tokens; ++t)
                    total[i][t] = timesPlus(first, splat(x[t * product.stride + 2 * j]), total[i][t]);
                const auto second = secondOfPairs(both);
                for (int t = 0; t < Tokens; ++t) {
                    auto& sum = kTwoChains ? other[i][t] : total[i][t];
                    sum = timesPlus(second, splat(x[t * product.stride + 2 * j + 1]), sum);
                }
            }
        for (int i = 0; i < Panels; ++i)
            for (int t = 0; t < Tokens; ++t) {
                if (product.columns % 2 != 0)
                    total[i][t] =
                        timesPlus(firstOfPairs(p + i * apart), splat(x[t * product.stride + 2 * pairs]), total[i][t]);
                if constexpr (kTwoChains) total[i][t] = plus(total[i][t], other[i][t]);
            }
    }
};

template <class Format>
constexpr bool kIsColumn = requires {
    Format::kBytes;
};
template <class Format>
constexpr bool kIsPairs = false;
template <>
constexpr bool kIsPairs<Bfloat16Pairs> = true;

// Panels `panel`, `panel` + `apart` and so on.
template <class Format, Prefetch To, int Tokens, int Panels = 1>
STEELYARD_INLINE void tile(const WeightProduct& product, std::int64_t panel, std::int64_t token,
                           std::int64_t apart = 0) {
    Floats total[Panels][Tokens];
    for (auto& sums : total)
        for (auto& value : sums) value = splat(0);
    const auto* p = product.panels + panel * product.panelBytes;
    if constexpr (kIsColumn<Format>) {
        static_assert(Panels == 1);
        runColumns<Format, To>(product, panel, product.x + token * product.stride, total[0]);
    } else if constexpr (kIsPairs<Format>) {
        Format::template run<To>(product, p, apart * product.panelBytes, product.x + token * product.stride, total);
    } else {
        const Inputs in(product.rows, product.columns, token);
        runBlocks<Format, To>(p, apart * product.panelBytes, product.columns, in, total);
    }
    for (int i = 0; i < Panels; ++i)
        for (int t = 0; t < Tokens; ++t) {
            float* y = product.y + (token + t) * product.leading + (panel + i * apart) * kPanelRows;
            put(y,
                product.accumulates ? plus(total[i][t], floats(reinterpret_cast<const std::byte*>(y))) : total[i][t]);
        }
}

// `Tokens` of them, as long as there are as many.
template <class Format, int Tokens>
STEELYARD_INLINE void tiles(const WeightProduct& product, std::int64_t panel, std::int64_t& token) {
    for (; product.tokens - token >= Tokens; token += Tokens)
        withPrefetch(product.pattern, Tokens, token, product.tokens,
                     [&](auto prefetch) { tile<Format, prefetch.value, Tokens>(product, panel, token); });
}

// The panels of the steps of a product of one token that are in turn; each part has `each` of them.
struct Strides {
    std::int64_t each, begin, end;

    STEELYARD_INLINE explicit Strides(const WeightProduct& product)
        : each(product.count / kStrides),
          begin(product.firstStep),
          end(product.hasLastStep() ? each : product.lastStep) {}
    // What is left for the last step.
    [[nodiscard]] STEELYARD_INLINE std::int64_t firstLeft(const WeightProduct& product) const {
        return product.hasLastStep() ? kStrides * each : product.count;
    }
};

// A panel stays in the cache while all tokens are processed.
template <class Format>
void multiply(const WeightProduct& product) {
    auto panel = product.firstPanel(), end = product.endPanel();
    if constexpr (!kIsColumn<Format>)
        if (product.tokens == 1 && product.pattern == ReadPattern::MultiStrided) {
            const Strides strides(product);
            for (panel = strides.begin; panel < strides.end; ++panel)
                tile<Format, Prefetch::Stride, 1, kStrides>(product, panel, 0, strides.each);
            panel = strides.firstLeft(product);
            end = product.count;
        }
    for (; panel < end; ++panel) {
        std::int64_t token = 0;
        // Sums of pairs fit the sixteen registers of AVX2 for four tokens.
        if constexpr (!kIsPairs<Format>) tiles<Format, 8>(product, panel, token);
        tiles<Format, 4>(product, panel, token);
        tiles<Format, 2>(product, panel, token);
        tiles<Format, 1>(product, panel, token);
    }
}

#if defined(__AVX512BF16__)

// Activations are rounded to bfloat16, too, and columns are multiplied in pairs. Some panels and columns stay in the
// cache while the tokens are processed; their activations are rounded once for these panels.
constexpr std::int64_t kPairColumns = 512, kPairPanels = 24, kPairTokens = 8;
constexpr std::int64_t kFewColumns = 2048;  // of as many tokens as are processed together, in the first-level cache

// words[token * stride + column / 2]; zero beyond the last column.
void roundToPairs(std::uint32_t* words, std::int64_t stride, const WeightProduct& product, std::int64_t token,
                  std::int64_t tokens, std::int64_t column, std::int64_t columns) {
    for (std::int64_t t = 0; t < tokens; ++t) {
        const float* x = product.x + (token + t) * product.stride + column;
        auto* target = reinterpret_cast<std::uint16_t*>(words + t * stride);
        for (std::int64_t c = 0; c < columns; c += 16) {
            const auto left = columns - c;
            const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1U << left) - 1);
            const auto rounded = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, x + c));
            __builtin_memcpy(target + c, &rounded, 32);
        }
    }
}

// Rounded activations of some tokens and columns.
struct PairBlock {
    const std::uint32_t* words;
    std::int64_t stride, token, column, pairs;
};

// Several panels share the loads of the activations, and are enough chains of sums.
template <Prefetch To, int Panels, int Tokens>
STEELYARD_INLINE void multiplyPairs(const WeightProduct& product, const PairBlock& block, std::int64_t panel,
                                    std::int64_t apart = 1) {
    const std::byte* p[Panels];
    __m512 total[Panels][Tokens];
    float* y = product.y + block.token * product.leading + panel * kPanelRows;
    for (int q = 0; q < Panels; ++q) {
        p[q] = product.panels + (panel + q * apart) * product.panelBytes + block.column / 2 * kPanelGroup;
        for (int t = 0; t < Tokens; ++t)
            total[q][t] = block.column == 0 && !product.accumulates
                              ? _mm512_setzero_ps()
                              : _mm512_loadu_ps(y + t * product.leading + q * apart * kPanelRows);
    }
    for (std::int64_t j = 0; j < block.pairs; ++j) {
        __m512bh weights[Panels];
#pragma GCC unroll kStrides
        for (int q = 0; q < Panels; ++q) {
            ahead<To>(p[q] + j * kPanelGroup, kBytesAhead / Panels);
            weights[q] = reinterpret_cast<__m512bh>(loadGroup(p[q] + j * kPanelGroup));
        }
        for (int t = 0; t < Tokens; ++t) {
            const auto pair = _mm512_set1_epi32(static_cast<int>(block.words[t * block.stride + j]));
            for (int q = 0; q < Panels; ++q)
                total[q][t] = _mm512_dpbf16_ps(total[q][t], weights[q], reinterpret_cast<__m512bh>(pair));
        }
    }
    for (int q = 0; q < Panels; ++q)
        for (int t = 0; t < Tokens; ++t)
            _mm512_storeu_ps(y + t * product.leading + q * apart * kPanelRows, total[q][t]);
}

// 24 sums: 3 panels of 8 tokens, or 6 of 4.
template <Prefetch To, int Tokens, int Panels>
void multiplyPanels(const WeightProduct& product, const PairBlock& block, std::int64_t first, std::int64_t last) {
    for (; first + Panels <= last; first += Panels) multiplyPairs<To, Panels, Tokens>(product, block, first);
    for (; first < last; ++first) multiplyPairs<To, 1, Tokens>(product, block, first);
}

// One token. Panels are read in turn as long as each part has one, the following ones sequentially, with four chains of
// sums.
template <Prefetch To>
void multiplyToken(const WeightProduct& product, std::int64_t token) {
    constexpr std::int64_t kColumns = kPairTokens * kPairColumns;
    alignas(64) std::uint32_t words[kColumns / 2];
    for (std::int64_t column = 0; column < product.columns; column += kColumns) {
        const auto left = product.columns - column, columns = left < kColumns ? left : kColumns;
        roundToPairs(words, kColumns / 2, product, token, 1, column, columns);
        const auto pairs = (columns + 1) / 2;
        auto panel = product.firstPanel(), end = product.endPanel();
        if (product.pattern == ReadPattern::MultiStrided) {
            const Strides strides(product);
            for (panel = strides.begin; panel < strides.end; ++panel)
                multiplyPairs<Prefetch::Stride, kStrides, 1>(product, {words, kColumns / 2, token, column, pairs},
                                                             panel, strides.each);
            panel = strides.firstLeft(product);
            end = product.count;
        }
        for (; panel < end; ++panel) {
            float* y = product.y + token * product.leading + panel * kPanelRows;
            const auto* p = product.panels + panel * product.panelBytes + column / 2 * kPanelGroup;
            const bool adds = column > 0 || product.accumulates;
            __m512 total[4] = {adds ? _mm512_loadu_ps(y) : _mm512_setzero_ps(), _mm512_setzero_ps(),
                               _mm512_setzero_ps(), _mm512_setzero_ps()};
            const auto add = [&](__m512& sum, std::int64_t j) {
                ahead<To>(p + j * kPanelGroup);
                sum = _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(loadGroup(p + j * kPanelGroup)),
                                       reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(words[j]))));
            };
            std::int64_t j = 0;
            for (; j + 4 <= pairs; j += 4)
                for (int i = 0; i < 4; ++i) add(total[i], j + i);
            for (; j < pairs; ++j) add(total[0], j);
            _mm512_storeu_ps(y, plus(plus(total[0], total[1]), plus(total[2], total[3])));
        }
    }
}

template <Prefetch To>
void multiplyTokens(const WeightProduct& product, PairBlock block, std::int64_t tokens, std::int64_t first,
                    std::int64_t last) {
    const auto next = [&](std::int64_t count) {
        block.words += count * block.stride;
        block.token += count;
        tokens -= count;
    };
    for (; tokens >= 8; next(8)) multiplyPanels<To, 8, 3>(product, block, first, last);
    for (; tokens >= 4; next(4)) multiplyPanels<To, 4, 6>(product, block, first, last);
    for (; tokens >= 1; next(1)) multiplyPanels<To, 1, 6>(product, block, first, last);
}

template <Prefetch To>
void multiplyRounded(const WeightProduct& product) {
    const bool few = product.tokens <= kPairTokens;  // each panel is read once, as sequentially as possible
    const auto width = few ? kFewColumns : kPairColumns;
    const auto panels = few ? product.count : kPairPanels;
    alignas(64) std::uint32_t words[kPairTokens * kFewColumns / 2];
    for (std::int64_t first = 0; first < product.count; first += panels) {
        const auto last = first + panels < product.count ? first + panels : product.count;
        for (std::int64_t column = 0; column < product.columns; column += width) {
            const auto left = product.columns - column, columns = left < width ? left : width;
            for (std::int64_t token = 0; token < product.tokens; token += kPairTokens) {
                const auto rest = product.tokens - token, tokens = rest < kPairTokens ? rest : kPairTokens;
                roundToPairs(words, width / 2, product, token, tokens, column, columns);
                multiplyTokens<To>(product, {words, width / 2, token, column, (columns + 1) / 2}, tokens, first, last);
            }
        }
    }
}

#endif

#if defined(STEELYARD_FLOAT_PRODUCTS)

// A panel is converted to floats once for all tokens.
void multiplyConverted(const WeightProduct& product) {
    constexpr std::int64_t kConverted = 512;  // columns; they take half of the first-level cache
    alignas(64) float words[kConverted * kPanelRows];
    for (std::int64_t panel = 0; panel < product.count; ++panel)
        for (std::int64_t column = 0; column < product.columns; column += kConverted) {
            PanelProduct<float> tile;
            tile.m = product.tokens;
            tile.n = tile.leadingB = kPanelRows;
            tile.k = product.columns - column < kConverted ? product.columns - column : kConverted;
            const auto* p = product.panels + panel * product.panelBytes + column / 2 * kPanelGroup;
            for (std::int64_t k = 0; k < tile.k; k += 2, p += kPanelGroup) {
                put(words + k * kPanelRows, firstOfPairs(p));
                if (k + 1 < tile.k) put(words + (k + 1) * kPanelRows, secondOfPairs(p));
            }
            tile.a = product.x + column;
            tile.rowStride = product.stride;
            tile.b = words;
            tile.c = product.y + panel * kPanelRows;
            tile.leadingC = product.leading;
            tile.accumulate = column > 0 || product.accumulates;
            multiplyPanels<FloatWords>(tile);
        }
}

#endif

void multiplyBfloat16(const WeightProduct& product) {
#if defined(__AVX512BF16__)
    const bool sequential = product.pattern == ReadPattern::Sequential;
    if (product.tokens >= 4)
        return sequential ? multiplyRounded<Prefetch::FirstLevel>(product)
                          : multiplyRounded<Prefetch::SecondLevel>(product);
    for (std::int64_t token = 0; token < product.tokens; ++token)
        sequential ? multiplyToken<Prefetch::NonTemporal>(product, token)
                   : multiplyToken<Prefetch::SecondLevel>(product, token);
#elif defined(STEELYARD_FLOAT_PRODUCTS)
    constexpr std::int64_t kManyTokens = 12;
    if (product.tokens >= kManyTokens)
        multiplyConverted(product);
    else
        multiply<Bfloat16Pairs>(product);
#else
    multiply<Bfloat16Pairs>(product);
#endif
}

void weightProduct(const WeightProduct& product) {
#if defined(STEELYARD_UNPACKED_PRODUCTS)
    if (product.tokens >= kUnpackedTokens && multiplyUnpacked(product)) return;
#endif
    switch (product.format) {
        case PanelFormat::Nibbles:
            return multiply<Nibbles>(product);
        case PanelFormat::Bytes:
            return multiply<Bytes>(product);
        case PanelFormat::Nested2:
            return multiply<Nested2>(product);
        case PanelFormat::Nested4:
            return multiply<Nested4>(product);
        case PanelFormat::Nested6:
            return multiply<Nested6>(product);
        case PanelFormat::Offset8:
            return multiply<Offset8>(product);
        case PanelFormat::Half:
            return multiply<HalfColumn>(product);
        case PanelFormat::Bfloat16:
            return multiplyBfloat16(product);
        case PanelFormat::Float:
            return multiply<FloatColumn>(product);
    }
}

}  // namespace

void fillLanguageProducts(Kernels& table) {
    table.language.product = weightProduct;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET

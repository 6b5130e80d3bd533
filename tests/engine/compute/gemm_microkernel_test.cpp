// SPDX-License-Identifier: Apache-2.0
// Microkernels of the packed GEMM, in bfloat16 (vector and AMX tiles) and float, element by element. Sums of small
// multiples of 1/4096 are exact in float32. The operands are surrounded by NaNs, and the sums by a marker: nothing else
// may be read or written.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/core/random.h"

namespace steelyard::compute::cpu {
namespace {

constexpr float kMark = -123456;

struct Shape {
    std::int64_t m = 0, n = 0, k = 0;
};

// -2 to 2 in steps of 1/64, exact in bfloat16.
float valueAt(const RandomStream& random, std::int64_t index) {
    return static_cast<float>(static_cast<int>(random.bits(static_cast<std::uint32_t>(index)) % 257) - 128) / 64;
}

// The values of one word, starting at `index`; values from `end` on are zero.
std::uint32_t wordOf(const RandomStream& random, std::int64_t index, std::int64_t end, std::uint32_t /*type*/) {
    const auto bits = [&](std::int64_t at) {
        return at < end ? std::bit_cast<std::uint32_t>(valueAt(random, at)) >> 16 : 0U;
    };
    return bits(index) | bits(index + 1) << 16;
}
float wordOf(const RandomStream& random, std::int64_t index, std::int64_t /*end*/, float /*type*/) {
    return valueAt(random, index);
}

double dot(std::uint32_t a, std::uint32_t b) {
    const auto widened = [](std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits << 16)); };
    return widened(a & 0xffffU) * widened(b & 0xffffU) + widened(a >> 16) * widened(b >> 16);
}
double dot(float a, float b) {
    return static_cast<double>(a) * b;
}

template <class Word>
Word notANumber() {
    return std::bit_cast<Word>(0x7fc07fc0U);  // both of a pair
}

// One product with its operands; `spread`: A's words are rows apart, as in a transposed matrix.
template <class T>
class Case {
public:
    using Word = ProductWord<T>;
    static constexpr auto kElements = kElementsOfAWord<T>;

    Case(Shape shape, bool spread, bool accumulate) : m_shape(shape), m_accumulate(accumulate), m_spread(spread) {
        m_words = (shape.k + kElements - 1) / kElements;
        m_leadingA = spread ? shape.m + 3 : m_words + 5;
        m_leadingB = shape.n + 7;
        m_leadingC = shape.n + 2;
        m_a.assign(static_cast<std::size_t>(m_leadingA * ((spread ? m_words : shape.m) + 17)), notANumber<Word>());
        m_b.assign(static_cast<std::size_t>(m_leadingB * (m_words + 17)), notANumber<Word>());
        m_c.assign(static_cast<std::size_t>(m_leadingC * (shape.m + 17)), kMark);
        const RandomStream left(5, 1), right(5, 2);
        for (std::int64_t word = 0; word < m_words; ++word) {
            const auto of = [&](const RandomStream& random, std::int64_t line) {
                return wordOf(random, line * shape.k + word * kElements, (line + 1) * shape.k, Word{});
            };
            for (std::int64_t r = 0; r < shape.m; ++r) wordOfA(r, word) = of(left, r);
            for (std::int64_t c = 0; c < shape.n; ++c) wordOfB(word, c) = of(right, c);
        }
        for (std::int64_t r = 0; r < shape.m; ++r)
            for (std::int64_t c = 0; c < shape.n; ++c) sum(r, c) = accumulate ? 0.5F : kMark;
        m_product = {.m = shape.m,
                     .n = shape.n,
                     .k = shape.k,
                     .a = reinterpret_cast<const T*>(m_a.data()),
                     .rowStride = spread ? kElements : kElements * m_leadingA,
                     .wordStride = spread ? kElements * m_leadingA : kElements,
                     .b = m_b.data(),
                     .leadingB = m_leadingB,
                     .c = m_c.data(),
                     .leadingC = m_leadingC,
                     .accumulate = accumulate};
    }

    void expectProduct(void (*multiply)(const PanelProduct<T>&)) {
        multiply(m_product);
        const auto rows = static_cast<std::int64_t>(m_c.size()) / m_leadingC;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < m_leadingC; ++c)
                ASSERT_EQ(sum(r, c), r < m_shape.m && c < m_shape.n ? expected(r, c) : kMark) << r << ", " << c;
    }

private:
    Word& wordOfA(std::int64_t row, std::int64_t word) {
        return m_a[static_cast<std::size_t>(m_spread ? word * m_leadingA + row : row * m_leadingA + word)];
    }
    Word& wordOfB(std::int64_t word, std::int64_t column) {
        return m_b[static_cast<std::size_t>(word * m_leadingB + column)];
    }
    float& sum(std::int64_t row, std::int64_t column) {
        return m_c[static_cast<std::size_t>(row * m_leadingC + column)];
    }
    float expected(std::int64_t row, std::int64_t column) {
        double result = m_accumulate ? 0.5 : 0;
        for (std::int64_t word = 0; word < m_words; ++word) result += dot(wordOfA(row, word), wordOfB(word, column));
        return static_cast<float>(result);
    }

    Shape m_shape;
    bool m_accumulate = false, m_spread = false;
    std::int64_t m_words = 0, m_leadingA = 0, m_leadingB = 0, m_leadingC = 0;
    std::vector<Word> m_a, m_b;
    std::vector<float> m_c;
    PanelProduct<T> m_product;
};

template <class T>
void expectProducts(void (*multiply)(const PanelProduct<T>&)) {
    for (const auto& shape : {Shape{1, 1, 1}, Shape{6, 64, 32}, Shape{16, 16, 32}, Shape{17, 15, 33}, Shape{31, 40, 64},
                              Shape{32, 33, 30}, Shape{33, 70, 2}, Shape{1, 150, 35}, Shape{2, 110, 33},
                              Shape{48, 17, 257}, Shape{65, 64, 520}, Shape{7, 100, 601}})
        for (const bool spread : {false, true})
            for (const bool accumulate : {false, true}) {
                SCOPED_TRACE(testing::Message() << shape.m << "x" << shape.n << "x" << shape.k
                                                << (spread ? ", spread" : "") << (accumulate ? ", accumulates" : ""));
                Case<T>(shape, spread, accumulate).expectProduct(multiply);
                if (testing::Test::HasFatalFailure()) return;
            }
}

TEST(PanelProducts, OfFloatsAreExact) {
    if (kernels().f32Gemm.multiply == nullptr) GTEST_SKIP() << "needs AVX2";
    expectProducts(kernels().f32Gemm.multiply);
}

TEST(PanelProducts, OfVectorsOfBfloat16AreExact) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    Kernels vectors = kernels();
    fillKernels(CpuIsa::avx512_bf16, vectors);
    expectProducts(vectors.bf16Gemm.multiply);
}

TEST(PanelProducts, OfTilesAreExact) {
    if (!hasAmxTiles()) GTEST_SKIP() << "needs AMX";
    Kernels vectors = kernels();
    fillKernels(CpuIsa::avx512_bf16, vectors);
    if (kernels().bf16Gemm.multiply == vectors.bf16Gemm.multiply)
        GTEST_SKIP() << "needs AMX: the operating system refuses tiles";
    expectProducts(kernels().bf16Gemm.multiply);
}

// Any number of rows and columns, without writes beyond the last.
TEST(PanelProducts, TransposeFloats) {
    if (kernels().f32Gemm.transpose == nullptr) GTEST_SKIP() << "needs AVX2";
    for (const std::int64_t rows : {1, 16, 37})
        for (const std::int64_t columns : {1, 15, 16, 50}) {
            const auto leading = columns + 3;
            std::vector<float> x(static_cast<std::size_t>(rows * leading), NAN);
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < columns; ++c)
                    x[static_cast<std::size_t>(r * leading + c)] = static_cast<float>(100 * r + c);
            std::vector<float> words(static_cast<std::size_t>(rows * columns + 20), kMark);
            kernels().f32Gemm.transpose(words.data(), x.data(), rows, columns, leading);
            for (std::size_t i = 0; i < words.size(); ++i) {
                const auto r = static_cast<std::int64_t>(i) % rows, c = static_cast<std::int64_t>(i) / rows;
                ASSERT_EQ(words[i], c < columns ? static_cast<float>(100 * r + c) : kMark) << rows << "x" << columns;
            }
        }
}

// Each row starts at a value of its own, with remainders of rows and columns.
TEST(PanelProducts, OfFloatsStartAtAValuePerRow) {
    if (kernels().f32Gemm.multiply == nullptr) GTEST_SKIP() << "needs AVX2";
    const std::int64_t rows = 17, columns = 70, depth = 3;
    const std::vector<float> a(static_cast<std::size_t>(rows * depth), 0.5F),
        b(static_cast<std::size_t>(depth * columns), 2);
    std::vector<float> start, c(static_cast<std::size_t>(rows * columns), NAN);
    for (std::int64_t r = 0; r < rows; ++r) start.push_back(static_cast<float>(r) - 4);
    F32Gemm product;
    product.m = rows, product.n = product.leadingB = product.leadingC = columns, product.k = product.rowStride = depth;
    product.a = a.data(), product.b = b.data(), product.c = c.data();
    product.rowStart = start.data();
    kernels().f32Gemm.multiply(product);
    for (std::int64_t i = 0; i < rows * columns; ++i)
        ASSERT_EQ(c[static_cast<std::size_t>(i)], 3 + start[static_cast<std::size_t>(i / columns)]) << i;
}

// Every remainder of columns, contiguous or apart, into panels that are wider.
TEST(PanelProducts, CopyRowsIntoPanels) {
    if (kernels().f32Gemm.copyRows == nullptr) GTEST_SKIP() << "needs AVX2";
    constexpr std::int64_t kRows = 3;
    for (const std::int64_t step : {1, 3})
        for (const std::int64_t columns : {1, 15, 16, 33, 64, 70}) {
            const auto leading = (columns - 1) * step + 2, panel = columns + 5;
            std::vector<float> x(static_cast<std::size_t>(kRows * leading), NAN);
            for (std::int64_t r = 0; r < kRows; ++r)
                for (std::int64_t c = 0; c < columns; ++c)
                    x[static_cast<std::size_t>(r * leading + c * step)] = static_cast<float>(100 * r + c);
            std::vector<float> words(static_cast<std::size_t>(kRows * panel + 64), kMark);
            kernels().f32Gemm.copyRows(words.data(), panel, x.data(), leading, step, kRows, columns);
            for (std::size_t i = 0; i < words.size(); ++i) {
                const auto r = static_cast<std::int64_t>(i) / panel, c = static_cast<std::int64_t>(i) % panel;
                ASSERT_EQ(words[i], r < kRows && c < columns ? static_cast<float>(100 * r + c) : kMark)
                    << columns << " by " << step;
            }
        }
}

}  // namespace
}  // namespace steelyard::compute::cpu

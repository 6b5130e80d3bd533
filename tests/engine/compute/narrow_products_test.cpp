// SPDX-License-Identifier: Apache-2.0
// The kernels under the own products of bfloat16 matrices, vectors and AMX's tiles alike, element by element. Sums of
// small multiples of 1/4096 are exact in float32. Beside what belongs to the factors lie NaNs, and beside the sums a
// mark: nothing else may be used or written.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/core/random.h"

namespace steelyard::compute::cpu {
namespace {

constexpr float kMark = -123456;
constexpr std::uint16_t kNan = 0x7fc0;

struct Shape {
    std::int64_t m = 0, n = 0, k = 0;
};

float widened(std::uint32_t bits) {
    return std::bit_cast<float>(bits << 16);
}

// -2 to 2 in steps of 1/64.
std::uint16_t valueAt(const RandomStream& random, std::int64_t index) {
    const auto value = static_cast<float>(static_cast<int>(random.bits(static_cast<std::uint32_t>(index)) % 257) - 128);
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value / 64) >> 16);
}

// One product with its operands; `spread`: A's pairs lie rows apart, as those of a matrix that lies transposed.
class Case {
public:
    Case(Shape shape, bool spread, bool accumulate) : m_shape(shape), m_accumulate(accumulate) {
        const auto pairs = (shape.k + 1) / 2;
        m_leadingA = spread ? shape.m + 3 : pairs + 5;  // words
        m_leadingB = shape.n + 7;
        m_leadingC = shape.n + 2;
        const auto filled = kNan * 0x10001U;
        m_a.assign(static_cast<std::size_t>(m_leadingA * ((spread ? pairs : shape.m) + 17)), filled);
        m_b.assign(static_cast<std::size_t>(m_leadingB * (pairs + 17)), filled);
        m_c.assign(static_cast<std::size_t>(m_leadingC * (shape.m + 17)), kMark);
        const RandomStream left(5, 1), right(5, 2);
        const auto pairOf = [&](const RandomStream& random, std::int64_t line, std::int64_t pair) {
            const bool last = 2 * pair + 1 == shape.k;  // an odd k is filled up with a zero
            const std::uint32_t low = valueAt(random, line * shape.k + 2 * pair);
            return low | (last ? 0U : static_cast<std::uint32_t>(valueAt(random, line * shape.k + 2 * pair + 1)) << 16);
        };
        for (std::int64_t pair = 0; pair < pairs; ++pair) {
            for (std::int64_t r = 0; r < shape.m; ++r) wordOfA(spread, r, pair) = pairOf(left, r, pair);
            for (std::int64_t c = 0; c < shape.n; ++c)
                m_b[static_cast<std::size_t>(pair * m_leadingB + c)] = pairOf(right, c, pair);
        }
        for (std::int64_t r = 0; r < shape.m; ++r)
            for (std::int64_t c = 0; c < shape.n; ++c) sum(r, c) = accumulate ? 0.5F : kMark;
        m_product = {.m = shape.m,
                     .n = shape.n,
                     .k = shape.k,
                     .a = reinterpret_cast<const BFloat16*>(m_a.data()),
                     .rowStride = spread ? 2 : 2 * m_leadingA,
                     .wordStride = spread ? 2 * m_leadingA : 2,
                     .b = m_b.data(),
                     .leadingB = m_leadingB,
                     .c = m_c.data(),
                     .leadingC = m_leadingC,
                     .accumulate = accumulate};
        m_spread = spread;
    }

    void expectProduct(void (*multiply)(const NarrowProduct&)) {
        multiply(m_product);
        const auto rows = static_cast<std::int64_t>(m_c.size()) / m_leadingC;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < m_leadingC; ++c)
                ASSERT_EQ(sum(r, c), r < m_shape.m && c < m_shape.n ? expected(r, c) : kMark) << r << ", " << c;
    }

private:
    std::uint32_t& wordOfA(bool spread, std::int64_t row, std::int64_t pair) {
        return m_a[static_cast<std::size_t>(spread ? pair * m_leadingA + row : row * m_leadingA + pair)];
    }
    float& sum(std::int64_t row, std::int64_t column) {
        return m_c[static_cast<std::size_t>(row * m_leadingC + column)];
    }
    float expected(std::int64_t row, std::int64_t column) {
        double result = m_accumulate ? 0.5 : 0;
        for (std::int64_t pair = 0; pair < (m_shape.k + 1) / 2; ++pair) {
            const auto a = wordOfA(m_spread, row, pair), b = m_b[static_cast<std::size_t>(pair * m_leadingB + column)];
            result += static_cast<double>(widened(a & 0xffffU)) * widened(b & 0xffffU) +
                      static_cast<double>(widened(a >> 16)) * widened(b >> 16);
        }
        return static_cast<float>(result);
    }

    Shape m_shape;
    bool m_accumulate = false, m_spread = false;
    std::int64_t m_leadingA = 0, m_leadingB = 0, m_leadingC = 0;
    std::vector<std::uint32_t> m_a, m_b;
    std::vector<float> m_c;
    NarrowProduct m_product;
};

void expectProducts(void (*multiply)(const NarrowProduct&)) {
    for (const auto& shape :
         {Shape{1, 1, 1}, Shape{6, 64, 32}, Shape{16, 16, 32}, Shape{17, 15, 33}, Shape{31, 40, 64}, Shape{32, 33, 30},
          Shape{33, 70, 2}, Shape{48, 17, 257}, Shape{65, 64, 520}, Shape{7, 100, 601}})
        for (const bool spread : {false, true})
            for (const bool accumulate : {false, true}) {
                SCOPED_TRACE(testing::Message() << shape.m << "x" << shape.n << "x" << shape.k
                                                << (spread ? ", spread" : "") << (accumulate ? ", accumulates" : ""));
                Case(shape, spread, accumulate).expectProduct(multiply);
                if (testing::Test::HasFatalFailure()) return;
            }
}

TEST(NarrowProducts, OfVectorsAreExact) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "this processor does not multiply bfloat16";
    Kernels vectors = kernels();
    avx512_bf16::fillProducts(vectors);
    expectProducts(vectors.narrowProducts.multiply);
}

TEST(NarrowProducts, OfTilesAreExact) {
    Kernels tiles = kernels();
    if (!hasTiles() || !amx::fillTiles(tiles)) GTEST_SKIP() << "this processor has no AMX";
    EXPECT_EQ(tiles.narrowProducts.multiply, kernels().narrowProducts.multiply);
    expectProducts(tiles.narrowProducts.multiply);
}

}  // namespace
}  // namespace steelyard::compute::cpu

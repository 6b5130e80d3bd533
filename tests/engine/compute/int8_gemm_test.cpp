// SPDX-License-Identifier: Apache-2.0
// Native 8-bit products of every instruction set compared with sums of integers: every type of source, shortcut and
// result, remainders of rows, columns and words, windows with and without padding, several threads, extreme values.
#include "engine/compute/cpu/gemm/int8_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "engine/compute/cpu/onednn.h"
#include "engine/core/random.h"
#include "tests/engine/compute/image_windows.h"

namespace steelyard::compute::cpu {
namespace {

// An instruction set, and the maximum magnitude of weights for which its sums are exact.
struct Set {
    const char* name;
    CpuIsa isa;
    std::int8_t levels;
};
constexpr Set kSets[] = {{"AVX2", CpuIsa::avx2, 63},
                         {"AVX-VNNI", CpuIsa::avx2_vnni, 127},
                         {"AVX-512", CpuIsa::avx512, 63},
                         {"AVX-512 VNNI", CpuIsa::avx512_vnni, 127},
                         {"AMX", CpuIsa::amx, 127}};

std::string nameOf(const Set& set) {
    std::string name = set.name;
    std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
    return name;
}

// Kernels of a set that must run here; no products where the operating system refuses AMX's tiles.
EightBitKernels kernelsOf(CpuIsa isa) {
    const auto table = std::make_unique<Kernels>(kernels());
    table->eightBit.multiply = nullptr;
    fillKernels(isa, *table);
    return table->eightBit;
}

struct Case {
    const char* name;
    std::int64_t rows, features, units;
    StoredAs source, target;
    std::optional<StoredAs> shortcut;
    std::optional<ImageWindows> windows;
    std::optional<ActivationKind> activation;
};

Case convolution(const char* name, std::int64_t images, std::int64_t units, StoredAs source, const ImageWindows& w) {
    return {name,
            images * w.outHeight * w.outWidth,
            w.kernelHeight * w.kernelWidth * w.channels,
            units,
            source,
            StoredAs::Unsigned,
            {},
            w,
            {}};
}

Case activated(Case c) {
    c.activation = ActivationKind::Tanh;
    return c;
}

constexpr auto kFloat = StoredAs::Float, kSigned = StoredAs::Signed, kUnsigned = StoredAs::Unsigned;

std::vector<Case> cases() {
    auto outside = windowsOf(1, 1, 4, 1, 7, 0);  // in the padding alone
    outside.top = outside.left = 5;
    return {
        {"Rows", 100, 64, 64, kUnsigned, kUnsigned, {}, {}, {}},
        {"OneRowAndUnit", 1, 4, 1, kSigned, kFloat, {}, {}, {}},
        {"Remainders", 53, 36, 83, kSigned, kSigned, {}, {}, {}},
        {"ManyUnits", 7, 200, 1000, kUnsigned, kFloat, {}, {}, {}},
        {"AddsUnsigned", 65, 32, 96, kUnsigned, kUnsigned, kUnsigned, {}, {}},
        {"AddsSigned", 65, 32, 40, kSigned, kUnsigned, kSigned, {}, {}},
        {"AddsUnsignedToSigned", 14, 12, 16, kUnsigned, kSigned, kUnsigned, {}, {}},
        {"AddsFloat", 31, 20, 70, kSigned, kFloat, kFloat, {}, {}},
        {"Activation", 31, 20, 70, kUnsigned, kFloat, {}, {}, ActivationKind::Tanh},
        {"ActivationOfBytes", 150, 20, 83, kUnsigned, kSigned, {}, {}, ActivationKind::Tanh},
        {"ActivationOfAllRows", 64, 20, 70, kSigned, kUnsigned, {}, {}, ActivationKind::Tanh},
        {"OneMoreThanATile", 17, 68, 17, kSigned, kUnsigned, {}, {}, {}},
        {"ThreeTiles", 33, 92, 33, kUnsigned, kSigned, kSigned, {}, {}},
        {"OneMoreThanTwoBlocks", 65, 256, 49, kSigned, kFloat, {}, {}, {}},
        convolution("Window", 2, 24, kUnsigned, windowsOf(9, 9, 4, 3, 1, 0)),
        convolution("PaddedWindow", 3, 70, kSigned, windowsOf(9, 9, 4, 3, 1, 1)),
        convolution("StridedPaddedWindow", 2, 17, kUnsigned, windowsOf(13, 13, 8, 5, 2, 2)),
        convolution("StridedPixels", 2, 64, kSigned, windowsOf(8, 8, 12, 1, 2, 0)),
        convolution("StridedPixelsInPlace", 2, 64, kSigned, windowsOf(40, 40, 12, 1, 2, 0)),
        convolution("WindowInThePadding", 2, 8, kSigned, outside),
        convolution("LargeImage", 1, 130, kUnsigned, windowsOf(40, 40, 16, 3, 1, 1)),
        convolution("RemaindersOfLines", 2, 50, kSigned, windowsOf(11, 11, 28, 3, 1, 1)),
        convolution("DeepLines", 2, 64, kUnsigned, windowsOf(7, 7, 64, 3, 1, 1)),
        convolution("StridedLines", 1, 20, kSigned, windowsOf(39, 39, 20, 3, 2, 1)),
        activated(convolution("ActivationOfLines", 3, 70, kSigned, windowsOf(11, 11, 28, 3, 1, 1))),
        activated(convolution("ActivationOfLongLines", 1, 20, kUnsigned, windowsOf(5, 150, 4, 3, 1, 1))),
    };
}

std::vector<std::int8_t> randomBytes(std::int64_t count, std::uint64_t seed) {
    std::vector<float> values(static_cast<std::size_t>(count));
    fillNormal(values, RandomStream(seed, 1), 50);
    std::vector<std::int8_t> bytes;
    for (const float value : values) bytes.push_back(static_cast<std::int8_t>(std::clamp(value, -127.0F, 127.0F)));
    return bytes;
}

double stored(const std::byte* values, StoredAs type, std::int64_t at) {
    if (type == kFloat) return reinterpret_cast<const float*>(values)[at];
    const auto byte = std::to_integer<std::uint8_t>(values[at]);
    return type == kUnsigned ? byte : static_cast<std::int8_t>(byte);
}

// Weights in the dimensions [units, features].
dnnl::memory packedWeights(const Int8Gemm& gemm, std::vector<std::int8_t>& weights, const dnnl::engine& engine) {
    dnnl::stream stream(engine);
    dnnl::memory plain({Dims{gemm.units, gemm.features}, DataKind::s8, Tag::ab}, engine, weights.data());
    dnnl::memory packed(gemm.packedDesc(), engine);
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
    stream.wait();
    return packed;
}

// Element k of a row.
double sourceAt(const Case& c, const std::byte* x, std::int64_t row, std::int64_t k) {
    if (!c.windows) return stored(x, c.source, row * c.features + k);
    const auto at = elementOf(*c.windows, row, k);
    return at ? stored(x, c.source, *at) : 0;
}

class Int8GemmTest : public testing::TestWithParam<std::tuple<Set, Case>> {
protected:
    void SetUp() override {
        const auto& set = std::get<Set>(GetParam());
        if (!runsHere(set.isa)) GTEST_SKIP() << "needs " << set.name;
        m_products = kernelsOf(set.isa);
        if (m_products.multiply == nullptr) GTEST_SKIP() << "needs AMX: the operating system refuses tiles";
    }
    EightBitKernels m_products;
};

TEST_P(Int8GemmTest, EqualsSumsOfIntegers) {
    const auto& [set, c] = GetParam();
    const auto images = c.windows ? c.rows / (c.windows->outHeight * c.windows->outWidth) : 0;
    const auto x = randomBytes(
        c.windows ? images * c.windows->height * c.windows->width * c.windows->channels : c.rows * c.features, 1);
    auto weights = randomBytes(c.units * c.features, 2);
    for (auto& weight : weights) weight = std::clamp<std::int8_t>(weight, -set.levels, set.levels);
    std::vector<double> sums;
    for (std::int64_t r = 0; r < c.rows; ++r) {
        std::vector<double> row;
        for (std::int64_t k = 0; k < c.features; ++k)
            row.push_back(sourceAt(c, reinterpret_cast<const std::byte*>(x.data()), r, k));
        for (std::int64_t u = 0; u < c.units; ++u)
            sums.push_back(std::inner_product(row.begin(), row.end(), weights.begin() + u * c.features, 0.0));
    }
    for (const int threads : {1, 3}) {
        Int8Gemm gemm{c.rows, c.features, c.units, c.windows, threads, c.source, c.target, c.shortcut, 0.75F};
        gemm.activation = c.activation;
        if (c.activation && c.target != kFloat) gemm.resultFactor = 100;
        gemm.products = &m_products;
        ASSERT_TRUE(gemm.runsHere());
        const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
        const auto packed = packedWeights(gemm, weights, engine);
        std::vector<float> factors, offsets;
        for (std::int64_t u = 0; u < c.units; ++u) {
            factors.push_back(1e-3F * static_cast<float>(u % 7 + 1));
            offsets.push_back(static_cast<float>(u % 5) - 2);
        }
        std::vector<std::int32_t> start(static_cast<std::size_t>(c.units));
        gemm.sumUnits(packed.get_data_handle(), start.data());
        const auto elements = c.rows * c.units;
        constexpr std::size_t kBeyond = 64;
        constexpr std::byte kMark{0x5a};
        std::vector<std::byte> y(static_cast<std::size_t>(elements * bytesOf(c.target)) + kBeyond, kMark);
        const auto before = randomBytes(elements, 3);
        if (c.shortcut == kFloat)
            std::copy(before.begin(), before.end(), reinterpret_cast<float*>(y.data()));
        else
            std::memcpy(y.data(), before.data(), static_cast<std::size_t>(elements));
        const auto shortcut = y;
        std::vector<std::byte> scratch(static_cast<std::size_t>(gemm.scratchBytes()));
        gemm.run(x.data(), packed.get_data_handle(), factors.data(), offsets.data(), start.data(), y.data(),
                 scratch.data());
        for (auto i = y.size() - kBeyond; i < y.size(); ++i) ASSERT_EQ(y[i], kMark) << "written beyond the last row";
        for (std::int64_t at = 0; at < elements; ++at) {
            const auto u = static_cast<std::size_t>(at % c.units);
            auto expected =
                sums[static_cast<std::size_t>(at)] * static_cast<double>(factors[u]) + static_cast<double>(offsets[u]);
            if (c.shortcut) expected += 0.75 * stored(shortcut.data(), *c.shortcut, at);
            if (c.activation) expected = std::tanh(expected) * static_cast<double>(gemm.resultFactor);
            if (c.target == kUnsigned) expected = std::clamp(expected, 0.0, 255.0);
            if (c.target == kSigned) expected = std::clamp(expected, -127.0, 127.0);
            // A value next to a tie may round either way.
            const double tolerance = c.target == kFloat ? 1e-4 * (1 + std::abs(expected)) : 0.5001;
            ASSERT_NEAR(stored(y.data(), c.target, at), expected, tolerance)
                << at / c.units << ", " << u << ", " << threads;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Shapes, Int8GemmTest, testing::Combine(testing::ValuesIn(kSets), testing::ValuesIn(cases())),
                         [](const auto& one) {
                             return nameOf(std::get<Set>(one.param)) + std::get<Case>(one.param).name;
                         });

// Sums of the largest magnitudes: without saturation in 16 bits.
class Int8GemmExtremes : public testing::TestWithParam<Set> {};

TEST_P(Int8GemmExtremes, AreExact) {
    const auto& set = GetParam();
    if (!runsHere(set.isa)) GTEST_SKIP() << "needs " << set.name;
    const auto products = kernelsOf(set.isa);
    if (products.multiply == nullptr) GTEST_SKIP() << "needs AMX: the operating system refuses tiles";
    constexpr std::int64_t kRows = 2, kFeatures = 512, kUnits = 2;
    for (const auto source : {kUnsigned, kSigned}) {
        Int8Gemm gemm{kRows, kFeatures, kUnits, {}, 1, source, kFloat};
        gemm.products = &products;
        // Rows of the largest and, if signed, the smallest value; units of the largest and the smallest weight.
        const int largest = source == kSigned ? 127 : 255, other = source == kSigned ? -127 : 0;
        std::vector<std::uint8_t> x(kFeatures, static_cast<std::uint8_t>(largest));
        x.resize(kRows * kFeatures, static_cast<std::uint8_t>(other));
        std::vector<std::int8_t> weights(kFeatures, set.levels);
        weights.resize(kUnits * kFeatures, static_cast<std::int8_t>(-set.levels));
        const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
        const auto packed = packedWeights(gemm, weights, engine);
        std::vector<std::int32_t> start(kUnits);
        gemm.sumUnits(packed.get_data_handle(), start.data());
        const std::vector<float> factors{1, 1}, offsets{0, 0};
        std::vector<float> y(kRows * kUnits);
        gemm.run(x.data(), packed.get_data_handle(), factors.data(), offsets.data(), start.data(), y.data(), nullptr);
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t u = 0; u < kUnits; ++u)
                EXPECT_EQ(y[r * kUnits + u],
                          kFeatures * (r == 0 ? largest : other) * (u == 0 ? set.levels : -set.levels));
    }
}
INSTANTIATE_TEST_SUITE_P(InstructionSets, Int8GemmExtremes, testing::ValuesIn(kSets),
                         [](const auto& one) { return nameOf(one.param); });

TEST(Int8GemmLimits, AreThoseOfTheActivation) {
    Int8Gemm gemm{6, 4, 2, {}, 1, kUnsigned, kFloat};
    if (!gemm.runsHere()) GTEST_SKIP() << "needs AVX2";
    gemm.low = 0;
    gemm.high = 6;
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::memory weights(gemm.packedDesc(), engine);
    std::memset(weights.get_data_handle(), 1, weights.get_desc().get_size());
    const std::vector<std::uint8_t> x(24, 1);  // sums of 4
    const std::vector<float> factors{1, 1}, offsets{-5, 5};
    std::vector<float> y(12);
    gemm.run(x.data(), weights.get_data_handle(), factors.data(), offsets.data(), nullptr, y.data(), nullptr);
    for (std::size_t r = 0; r < 6; ++r) {
        EXPECT_EQ(y[2 * r], 0);
        EXPECT_EQ(y[2 * r + 1], 6);
    }
}

TEST(Int8GemmLimits, NeedWholeWords) {
    EXPECT_FALSE((Int8Gemm{6, 6, 2}.runsHere()));
    EXPECT_FALSE((Int8Gemm{1, 27, 2, windowsOf(3, 3, 3, 3, 1, 0)}.runsHere()));
}

}  // namespace
}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Winograd's algorithm in bfloat16 and float, compared with sums in double precision. In bfloat16, with small integers
// nothing is rounded before the end, so that results are exact; in float the error is limited to rounding. For random
// numbers the error is as documented in the header.
#include "engine/compute/cpu/winograd/winograd_convolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/threads.h"
#include "engine/core/random.h"

namespace steelyard::compute::cpu {
namespace {

struct ConvolutionShape {
    std::int64_t batch = 0, channels = 0, filters = 0, height = 0, width = 0;
    std::int64_t top = 1, left = 1, bottom = 1, right = 1;
    bool channelsLast = false;
    int threads = 1;
    DataKind kind = DataKind::bf16;
    bool halves = false;  // blocks of eight channels
};
ConvolutionShape ofFloats(ConvolutionShape shape) {
    shape.kind = DataKind::f32;
    return shape;
}
ConvolutionShape inHalves(ConvolutionShape shape) {
    shape = ofFloats(shape);
    shape.halves = true;
    return shape;
}
void PrintTo(const ConvolutionShape& s, std::ostream* out) {
    *out << s.batch << "x" << s.channels << "x" << s.height << "x" << s.width << " to " << s.filters << ", padded "
         << s.top << s.left << s.bottom << s.right
         << (s.channelsLast ? ", channels last"
             : s.halves     ? ", blocks of eight"
                            : "")
         << ", " << s.threads << (s.kind == DataKind::f32 ? " threads, floats" : " threads, bfloat16");
}

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// To nearest, ties to even; no NaN.
BFloat16 rounded(double value) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return {static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16)};
}
double inDouble(BFloat16 value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
double inDouble(float value) {
    return value;
}
void store(BFloat16& element, double value) {
    element = rounded(value);
}
void store(float& element, double value) {
    element = static_cast<float>(value);
}
template <class T>
T notANumber() {
    T element{};
    store(element, NAN);
    return element;
}
template <>
BFloat16 notANumber() {
    return {0x7fc0};
}

// Row-major [a, b, c, d] in double precision, with values exact in bfloat16.
struct Tensor {
    std::int64_t a = 0, b = 0, c = 0, d = 0;
    std::vector<double> values = std::vector<double>(at(a * b * c * d), 0.0);

    [[nodiscard]] std::size_t place(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) const {
        return at(((i * b + j) * c + k) * d + l);
    }
    double& operator()(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) {
        return values[place(i, j, k, l)];
    }
    double operator()(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) const {
        return values[place(i, j, k, l)];
    }
};

void fillWhole(Tensor& tensor, int most, int factor, std::uint32_t seed) {
    const RandomStream random(seed, 0);
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
        tensor.values[i] =
            factor *
            (static_cast<int>(random.bits(static_cast<std::uint32_t>(i)) % static_cast<unsigned>(2 * most + 1)) - most);
}

void fillNormal(Tensor& tensor, float deviation, std::uint32_t seed) {
    std::vector<float> values(tensor.values.size());
    steelyard::fillNormal(values, RandomStream(seed, 0), deviation);
    for (std::size_t i = 0; i < values.size(); ++i) tensor.values[i] = inDouble(rounded(values[i]));
}

std::int64_t placeInImage(const WinogradImage& image, std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x) {
    return n * image.sampleStride + c / 16 * image.groupStride + y * image.rowStride + x * image.columnStride +
           c % 16 / 8 * image.halfStride + c % 8;
}

template <class T>
std::vector<T> laidOut(const Tensor& tensor, const WinogradImage& image) {
    std::vector<T> data(tensor.values.size());
    for (std::int64_t n = 0; n < tensor.a; ++n)
        for (std::int64_t c = 0; c < tensor.b; ++c)
            for (std::int64_t y = 0; y < tensor.c; ++y)
                for (std::int64_t x = 0; x < tensor.d; ++x)
                    store(data[at(placeInImage(image, n, c, y, x))], tensor(n, c, y, x));
    return data;
}

template <class T>
Tensor readBack(const std::vector<T>& data, const WinogradImage& image) {
    Tensor tensor{image.batch, image.channels, image.height, image.width};
    for (std::int64_t n = 0; n < tensor.a; ++n)
        for (std::int64_t c = 0; c < tensor.b; ++c)
            for (std::int64_t y = 0; y < tensor.c; ++y)
                for (std::int64_t x = 0; x < tensor.d; ++x)
                    tensor(n, c, y, x) = inDouble(data[at(placeInImage(image, n, c, y, x))]);
    return tensor;
}

class WinogradConvolutionTest : public ::testing::TestWithParam<ConvolutionShape> {
protected:
    void SetUp() override {
        const auto& s = GetParam();
        const auto outHeight = s.height + s.top + s.bottom - 2, outWidth = s.width + s.left + s.right - 2;
        const auto image = [&](std::int64_t channels, std::int64_t height, std::int64_t width) {
            return winogradImage(channelDesc({s.batch, channels, height, width}, s.kind,
                                             s.channelsLast ? channels
                                             : s.halves     ? 8
                                                            : 16));
        };
        if (s.halves && !kernels().f32Winograd.splitsGroups)
            GTEST_SKIP() << "blocks of eight channels are for AVX2 alone; compute_cpu.products_by_avx2 tests them";
        const auto source = image(s.channels, s.height, s.width), target = image(s.filters, outHeight, outWidth);
        const bool runs =
            isF32() ? kernels().f32Winograd.sourcePoints != nullptr : kernels().bf16Winograd.sourcePoints != nullptr;
        if (!runs) GTEST_SKIP() << (isF32() ? "needs AVX2" : "needs AVX-512 BF16");
        ASSERT_TRUE(source && target);
        m_shape = {*source, *target, s.top, s.left, s.threads};
        m_x = {s.batch, s.channels, s.height, s.width};
        m_w = {s.filters, s.channels, 3, 3};
        m_y = {s.batch, s.filters, outHeight, outWidth};
    }

    // Calls back for each product summed by the convolution: positions in x, w and y.
    void forEachProduct(const std::function<void(std::size_t, std::size_t, std::size_t)>& function) const {
        for (std::int64_t n = 0; n < m_y.a; ++n)
            for (std::int64_t f = 0; f < m_y.b; ++f)
                for (std::int64_t y = 0; y < m_y.c; ++y)
                    for (std::int64_t x = 0; x < m_y.d; ++x)
                        for (std::int64_t c = 0; c < m_x.b; ++c)
                            for (std::int64_t tap = 0; tap < 9; ++tap) {
                                const auto row = y + tap / 3 - m_shape.top, column = x + tap % 3 - m_shape.left;
                                if (row < 0 || row >= m_x.c || column < 0 || column >= m_x.d) continue;
                                function(m_x.place(n, c, row, column), m_w.place(f, c, tap / 3, tap % 3),
                                         m_y.place(n, f, y, x));
                            }
    }

    std::byte* scratch(std::int64_t bytes) {
        constexpr std::size_t kLine = 64;
        m_memory.assign(at(bytes) + kLine, std::byte{0xff});  // not a number, wherever it is read before it is written
        const auto address = reinterpret_cast<std::uintptr_t>(m_memory.data());
        return m_memory.data() + (kLine - address % kLine) % kLine;
    }

    [[nodiscard]] static bool isF32() { return GetParam().kind == DataKind::f32; }

    template <class T>
    [[nodiscard]] std::vector<T> blockedWeights(bool rotated) const {
        constexpr auto kElements = kElementsOfAWord<T>;
        std::vector<T> blocks(m_w.values.size());
        for (std::int64_t o = 0; o < m_w.a; ++o)
            for (std::int64_t i = 0; i < m_w.b; ++i)
                for (std::int64_t tap = 0; tap < 9; ++tap) {
                    const auto block = (o / 16 * (m_w.b / 16) + i / 16) * 9 + tap;
                    const auto row = rotated ? o % 16 : i % 16, column = rotated ? i % 16 : o % 16;
                    const auto word = row / kElements * 16 + column;
                    store(blocks[at(block * 256 + word * kElements + row % kElements)], m_w(o, i, tap / 3, tap % 3));
                }
        return blocks;
    }

    // Accumulating into `before`, or overwriting a target that must not be read.
    Tensor run(const WinogradConvolution& winograd, const Tensor& from, const Tensor* before, const float* bias) {
        return isF32() ? runAs<float>(winograd, from, before, bias) : runAs<BFloat16>(winograd, from, before, bias);
    }

    template <class T>
    Tensor runAs(const WinogradConvolution& winograd, const Tensor& from, const Tensor* before, const float* bias) {
        const ThreadScope scope(m_shape.threads);
        const auto source = laidOut<T>(from, winograd.shape.source);
        const auto weights = blockedWeights<T>(winograd.rotated);
        const auto& image = winograd.shape.target;
        std::vector<T> target(at(image.batch * image.sampleStride), notANumber<T>());
        if (before != nullptr) target = laidOut<T>(*before, image);
        winograd.run(source.data(), weights.data(), bias, target.data(), scratch(winograd.scratchBytes()));
        return readBack(target, image);
    }

    static double largest(const Tensor& tensor) {
        double most = 0;
        for (const double value : tensor.values) most = std::max(most, std::abs(value));
        return most;
    }

    static void expectNear(const Tensor& got, const Tensor& exact) {
        const auto scale = largest(exact);
        for (std::size_t i = 0; i < exact.values.size(); ++i) {
            if (isF32()) {
                ASSERT_NEAR(got.values[i], exact.values[i], kFloatError * scale) << "element " << i;
            } else {
                ASSERT_EQ(got.values[i], inDouble(rounded(exact.values[i]))) << "element " << i;
            }
        }
    }

    template <class T>
    void runWeights(Tensor& gradient, std::vector<float>& bias) {
        const ThreadScope scope(m_shape.threads);
        const auto x = laidOut<T>(m_x, m_shape.source), dy = laidOut<T>(m_y, m_shape.target);
        const WinogradWeights winograd{m_shape};
        std::vector<float> blocks(gradient.values.size(), NAN);
        winograd.run(x.data(), dy.data(), blocks.data(), bias.data(), scratch(winograd.scratchBytes()));
        for (std::int64_t f = 0; f < m_w.a; ++f)
            for (std::int64_t c = 0; c < m_w.b; ++c)
                for (std::int64_t tap = 0; tap < 9; ++tap) {
                    const auto block = (f / 16 * (m_w.b / 16) + c / 16) * 9 + tap;
                    gradient(f, c, tap / 3, tap % 3) = blocks[at(block * 256 + c % 16 * 16 + f % 16)];
                }
    }

    static constexpr double kFloatError = 1e-5;  // of the largest value

    WinogradShape m_shape;
    Tensor m_x, m_w, m_y;

private:
    std::vector<std::byte> m_memory;
};

TEST_P(WinogradConvolutionTest, ConvolvesWholeNumbers) {
    fillWhole(m_x, 3, 1, 1);
    fillWhole(m_w, 2, 4, 2);
    std::vector<float> bias(at(m_y.b));
    for (std::size_t f = 0; f < bias.size(); ++f) bias[f] = static_cast<float>(f % 5) * 8;
    for (const bool relu : {false, true})
        for (const bool adds : {false, true}) {
            SCOPED_TRACE(testing::Message() << "relu " << relu << ", adds " << adds);
            Tensor before = m_y, exact = m_y;
            fillWhole(before, 3, 2, 3);
            forEachProduct(
                [&](std::size_t x, std::size_t w, std::size_t y) { exact.values[y] += m_x.values[x] * m_w.values[w]; });
            for (std::size_t i = 0; i < exact.values.size(); ++i) {
                const auto channel = static_cast<std::int64_t>(i) / (m_y.c * m_y.d) % m_y.b;
                auto& value = exact.values[i];
                value += (relu ? bias[at(channel)] : 0) + (adds ? before.values[i] : 0);
                if (relu && value < 0) value = 0;
            }
            const auto winograd = WinogradConvolution::forward(m_shape, adds, relu);
            expectNear(run(winograd, m_x, adds ? &before : nullptr, relu ? bias.data() : nullptr), exact);
        }
}

TEST_P(WinogradConvolutionTest, FindsTheGradientOfTheSource) {
    fillWhole(m_y, 3, 1, 1);
    fillWhole(m_w, 2, 4, 2);
    Tensor exact = m_x;
    forEachProduct(
        [&](std::size_t x, std::size_t w, std::size_t y) { exact.values[x] += m_y.values[y] * m_w.values[w]; });
    const auto winograd = WinogradConvolution::backwardData(m_shape);
    expectNear(run(winograd, m_y, nullptr, nullptr), exact);
}

TEST_P(WinogradConvolutionTest, FindsTheGradientsOfWeightsAndBias) {
    fillWhole(m_x, 3, 1, 1);
    fillWhole(m_y, 3, 1, 2);
    Tensor exact = m_w;
    forEachProduct(
        [&](std::size_t x, std::size_t w, std::size_t y) { exact.values[w] += m_x.values[x] * m_y.values[y]; });
    Tensor gradient = m_w;
    std::vector<float> bias(at(m_y.b), NAN);
    if (isF32()) {
        runWeights<float>(gradient, bias);
    } else {
        runWeights<BFloat16>(gradient, bias);
    }
    const auto error = isF32() ? kFloatError * largest(exact) : 0;
    for (std::size_t i = 0; i < exact.values.size(); ++i)
        ASSERT_NEAR(gradient.values[i], exact.values[i], error) << "element " << i;
    for (std::int64_t f = 0; f < m_w.a; ++f) {
        double sum = 0;
        for (std::int64_t n = 0; n < m_y.a; ++n)
            for (std::int64_t p = 0; p < m_y.c * m_y.d; ++p) sum += m_y(n, f, p / m_y.d, p % m_y.d);
        ASSERT_EQ(bias[at(f)], sum) << "filter " << f;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WinogradConvolutionTest,
                         ::testing::Values(ConvolutionShape{1, 16, 16, 4, 4}, ConvolutionShape{2, 16, 32, 5, 7},
                                           ConvolutionShape{3, 80, 48, 6, 3, 1, 1, 1, 1, true, 2},
                                           ConvolutionShape{2, 32, 144, 9, 4, 0, 2, 1, 0},
                                           ConvolutionShape{1, 64, 16, 3, 2, 0, 0, 1, 1},
                                           ConvolutionShape{5, 16, 80, 7, 7, 2, 2, 2, 2, false, 3},
                                           ConvolutionShape{1, 528, 16, 3, 3, 1, 0, 0, 1, true, 2},
                                           ConvolutionShape{2, 16, 16, 40, 31, 1, 1, 1, 1, false, 3},
                                           ConvolutionShape{9, 16, 16, 48, 48, 1, 1, 1, 1, false, 2},
                                           ConvolutionShape{1, 176, 144, 6, 5, 1, 1, 1, 1, false, 3},
                                           ConvolutionShape{2, 80, 208, 18, 17, 1, 1, 1, 1, true, 2}));

INSTANTIATE_TEST_SUITE_P(
    FloatShapes, WinogradConvolutionTest,
    ::testing::Values(
        ofFloats({1, 16, 16, 4, 4}), ofFloats({2, 16, 32, 5, 7}), ofFloats({3, 80, 48, 6, 3, 1, 1, 1, 1, true, 2}),
        ofFloats({2, 32, 144, 9, 4, 0, 2, 1, 0}), ofFloats({1, 64, 16, 3, 2, 0, 0, 1, 1}),
        ofFloats({5, 16, 80, 7, 7, 2, 2, 2, 2, false, 3}), ofFloats({1, 272, 16, 3, 3, 1, 0, 0, 1, true, 2}),
        ofFloats({1, 16, 272, 8, 5}), ofFloats({2, 16, 16, 40, 31, 1, 1, 1, 1, false, 3}),
        ofFloats({9, 16, 16, 48, 48, 1, 1, 1, 1, false, 2}), ofFloats({1, 176, 144, 6, 5, 1, 1, 1, 1, false, 3}),
        ofFloats({2, 80, 208, 26, 25, 1, 1, 1, 1, true, 2}), ofFloats({1, 288, 64, 6, 5, 1, 1, 1, 1, true, 5}),
        inHalves({2, 16, 32, 5, 7}), inHalves({5, 16, 80, 7, 7, 2, 2, 2, 2, false, 3}), inHalves({1, 16, 272, 8, 5})));

class WinogradErrorTest : public WinogradConvolutionTest {
protected:
    // Root mean square error, and that of rounding the exact result to bfloat16.
    std::pair<double, double> errors() {
        fillNormal(m_x, 1.0F, 1);
        fillNormal(m_w, 0.1F, 2);
        Tensor exact = m_y;
        forEachProduct(
            [&](std::size_t x, std::size_t w, std::size_t y) { exact.values[y] += m_x.values[x] * m_w.values[w]; });
        const auto got = run(WinogradConvolution::forward(m_shape, false, false), m_x, nullptr, nullptr);
        double error = 0, rounding = 0, square = 0;
        for (std::size_t i = 0; i < exact.values.size(); ++i) {
            error += std::pow(got.values[i] - exact.values[i], 2);
            rounding += std::pow(inDouble(rounded(exact.values[i])) - exact.values[i], 2);
            square += std::pow(exact.values[i], 2);
        }
        return {std::sqrt(error / square), std::sqrt(rounding / square)};
    }
};

TEST_P(WinogradErrorTest, IsAsTheHeaderSays) {
    const auto [error, rounding] = errors();
    RecordProperty("relative", std::to_string(error * 1e9) + "e-9");
    RecordProperty("times_the_rounding", std::to_string(error / rounding));
    if (isF32()) {
        EXPECT_GT(error, 1e-7);
        EXPECT_LT(error, 2e-6);
    } else {
        EXPECT_GT(error / rounding, 1.5);
        EXPECT_LT(error / rounding, 3.0);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WinogradErrorTest,
                         ::testing::Values(ConvolutionShape{1, 64, 64, 12, 12}, ConvolutionShape{1, 256, 32, 8, 8},
                                           ofFloats({1, 64, 64, 12, 12}), ofFloats({1, 256, 32, 8, 8})));

TEST(WinogradConvolution, IsNotForOtherTypesNorForOtherNumbersOfChannels) {
    EXPECT_FALSE(winogradImage(channelDesc({1, 16, 4, 4}, DataKind::f16, 16)));
    EXPECT_FALSE(winogradImage(channelDesc({1, 24, 4, 4}, DataKind::f32, 24)));
    EXPECT_FALSE(winogradImage(channelDesc({1, 24, 4, 4}, DataKind::bf16, 24)));
    EXPECT_FALSE(winogradImage(channelDesc({1, 32, 4, 4}, DataKind::bf16, 8)));
    EXPECT_FALSE(winogradImage(channelDesc({1, 32, 4, 4}, DataKind::bf16, 1)));
}

}  // namespace
}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// Convolutions in float and bfloat16 on native kernels of every instruction set compared with sums in double precision:
// padding, strides, narrow and wide images, remainders of channels and filters, several images and threads, shortcuts
// and activations; and in networks.
#include "engine/compute/cpu/gemm/window_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/threads.h"
#include "engine/model/graph.h"
#include "tests/engine/compute/activated.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/engine/compute/image_windows.h"
#include "tests/engine/compute/random_values.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cpu {
namespace {

struct WindowSet {
    const char* name;
    CpuIsa isa;
    DataKind kind = DataKind::bf16;
};
constexpr WindowSet kWindowSets[] = {{"AVX-512 BF16", CpuIsa::avx512_bf16},
                                     {"AMX", CpuIsa::amx},
                                     {"AVX2", CpuIsa::avx2, DataKind::f32},
                                     {"AVX-512", CpuIsa::avx512, DataKind::f32}};

void PrintTo(const WindowSet& set, std::ostream* out) {
    *out << set.name;
}

struct Case {
    std::string name;
    std::int64_t images = 1, units = 0;
    ImageWindows windows;
    bool biased = true, adds = false;
    std::optional<ActivationKind> activation{};
    bool scales = false;
};
void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

std::vector<Case> cases() {
    auto uneven = windowsOf(12, 9, 16, 3, 1, 1);  // 1x7, padded at the left and below only
    uneven.kernelHeight = 1;
    uneven.kernelWidth = 7;
    uneven.top = 0;
    uneven.left = 5;
    uneven.outHeight = 13;
    uneven.outWidth = 8;
    auto outside = windowsOf(1, 1, 4, 1, 7, 0);  // in the padding alone
    outside.top = outside.left = 5;
    return {
        {"Pixels", 2, 64, windowsOf(10, 10, 64, 1, 1, 0)},
        {"OnePixel", 1, 1, windowsOf(1, 1, 2, 1, 1, 0)},
        {"PixelsOfOddPairs", 1, 83, windowsOf(7, 9, 70, 1, 1, 0)},
        {"ManyPixels", 3, 130, windowsOf(20, 20, 34, 1, 1, 0), true, true, ActivationKind::Relu},
        {"StridedPixels", 2, 64, windowsOf(14, 14, 48, 1, 2, 0)},
        {"StridedPixelsInPlace", 2, 64, windowsOf(40, 40, 48, 1, 2, 0)},
        {"StridedPixelsOfManyImages", 9, 72, windowsOf(14, 14, 256, 1, 2, 0)},
        {"PaddedPixels", 2, 40, windowsOf(6, 6, 32, 1, 1, 1)},
        {"Window", 2, 24, windowsOf(9, 9, 4, 3, 1, 0)},
        {"PaddedWindow", 3, 70, windowsOf(9, 9, 8, 3, 1, 1), true, true},
        {"NarrowImages", 5, 96, windowsOf(7, 7, 64, 3, 1, 1), true, true, ActivationKind::Relu},
        {"ManyNarrowImages", 20, 200, windowsOf(7, 7, 256, 3, 1, 1), true, true, ActivationKind::Relu},
        {"WideImage", 1, 32, windowsOf(4, 131, 32, 3, 1, 1), true, false, ActivationKind::Relu6},
        {"LargeImage", 2, 130, windowsOf(40, 40, 16, 3, 1, 1)},
        {"StridedWindow", 2, 17, windowsOf(13, 13, 20, 5, 2, 2)},
        {"StridedLines", 1, 48, windowsOf(39, 39, 40, 3, 2, 1), false, false, ActivationKind::Swish},
        {"StridedEvenImages", 4, 64, windowsOf(14, 14, 80, 3, 2, 1), true, true, ActivationKind::Sigmoid},
        {"RemaindersOfLines", 2, 50, windowsOf(11, 11, 28, 3, 1, 1)},
        {"LargeKernel", 1, 16, windowsOf(23, 23, 4, 7, 2, 3)},
        {"UnevenKernel", 2, 48, uneven},
        {"WindowInThePadding", 2, 8, outside},
        {"ManyUnits", 1, 1000, windowsOf(3, 3, 512, 1, 1, 0), false},
        {"ScaledPixels", 2, 83, windowsOf(7, 7, 96, 1, 1, 0), true, true, ActivationKind::Relu, true},
        {"ScaledStridedPixels", 3, 128, windowsOf(14, 14, 64, 1, 2, 0), false, false, {}, true},
    };
}

void store(BFloat16& element, float value) {  // one that bfloat16 holds
    element.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}
void store(float& element, float value) {
    element = value;
}
double widened(BFloat16 value) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16));
}
double widened(float value) {
    return static_cast<double>(value);
}

// Weights [units, channels, kernelHeight, kernelWidth].
dnnl::memory packedWeights(const WindowGemm& gemm, std::vector<float>& weights, const dnnl::engine& engine) {
    const auto& w = gemm.windows;
    dnnl::stream stream(engine);
    dnnl::memory plain({Dims{gemm.units, w.channels, w.kernelHeight, w.kernelWidth}, DataKind::f32, Tag::abcd}, engine,
                       weights.data());
    dnnl::memory packed(gemm.packedDesc(), engine);
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
    stream.wait();
    return packed;
}

class WindowGemmTest : public testing::TestWithParam<std::tuple<WindowSet, Case>> {
protected:
    void SetUp() override {
        const auto& set = std::get<WindowSet>(GetParam());
        if (!runsHere(set.isa)) GTEST_SKIP() << "needs " << set.name;
        const auto table = std::make_unique<Kernels>(kernels());
        table->bf16Gemm.windows = table->f32Gemm.windows = {};
        fillKernels(set.isa, *table);
        m_products = set.kind == DataKind::f32 ? table->f32Gemm.windows : table->bf16Gemm.windows;
        if (std::get<Case>(GetParam()).scales && set.kind != DataKind::f32) GTEST_SKIP() << "scales only floats";
        if (m_products.multiply == nullptr) GTEST_SKIP() << "needs AMX: the operating system refuses tiles";
    }

    // With results of type T, which hold their values to within `rounding` of themselves.
    template <class T>
    void expectSums(double rounding) const;

    WindowKernels m_products;
};

template <class T>
void WindowGemmTest::expectSums(double rounding) const {
    const auto& c = std::get<Case>(GetParam());
    WindowGemm gemm{c.images * c.windows.rowsOfImage(), c.units, c.windows};
    gemm.windows.elementBytes = sizeof(T);
    gemm.adds = c.adds;
    gemm.scales = c.scales;
    gemm.activation = c.activation;
    gemm.products = m_products;
    ASSERT_TRUE(gemm.runsHere());
    const auto& w = gemm.windows;
    const auto values = randomValues(c.images * w.height * w.width * w.channels, 1);
    auto weights = randomValues(c.units * w.features(), 2);
    const auto bias = randomValues(c.units, 3), before = randomValues(gemm.rows * c.units, 4);
    const auto factors = randomValues(c.units, 5);
    std::vector<T> x(values.size());
    for (std::size_t i = 0; i < x.size(); ++i) store(x[i], values[i]);
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const auto packed = packedWeights(gemm, weights, engine);
    std::vector<double> expected, magnitudes;
    for (std::int64_t row = 0; row < gemm.rows; ++row) {
        std::vector<double> window;
        for (std::int64_t k = 0; k < w.features(); ++k) {
            const auto at = elementOf(w, row, k);
            window.push_back(at ? static_cast<double>(values[static_cast<std::size_t>(*at)]) : 0);
        }
        for (std::int64_t unit = 0; unit < c.units; ++unit) {
            double sum = c.biased ? static_cast<double>(bias[static_cast<std::size_t>(unit)]) : 0;
            if (c.adds) sum += static_cast<double>(before[static_cast<std::size_t>(row * c.units + unit)]);
            double magnitude = std::abs(sum);
            const auto taps = w.kernelHeight * w.kernelWidth;
            const double factor = c.scales ? static_cast<double>(factors[static_cast<std::size_t>(unit)]) : 1;
            for (std::int64_t k = 0; k < w.features(); ++k) {
                const auto at = (unit * w.channels + k % w.channels) * taps + k / w.channels;
                const double term = factor * window[static_cast<std::size_t>(k)] *
                                    static_cast<double>(weights[static_cast<std::size_t>(at)]);
                sum += term;
                magnitude += std::abs(term);
            }
            expected.push_back(activated(c.activation, sum));
            magnitudes.push_back(magnitude);
        }
    }
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        gemm.threads = threads;
        constexpr std::size_t kBeyond = 64;
        constexpr float kMark = -0x1p20F;
        std::vector<T> y(expected.size() + kBeyond);
        for (std::size_t i = 0; i < y.size(); ++i) store(y[i], c.adds && i < before.size() ? before[i] : kMark);
        std::vector<std::byte> scratch(static_cast<std::size_t>(gemm.scratchBytes()));
        gemm.run(x.data(), packed.get_data_handle(), factors.data(), c.biased ? bias.data() : nullptr, y.data(),
                 scratch.data());
        for (auto i = expected.size(); i < y.size(); ++i)
            ASSERT_EQ(widened(y[i]), kMark) << "written beyond the last row";
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_NEAR(widened(y[i]), expected[i], std::abs(expected[i]) * rounding + magnitudes[i] * 1e-6 + 1e-6)
                << i / static_cast<std::size_t>(c.units) << ", " << i % static_cast<std::size_t>(c.units);
    }
}
TEST_P(WindowGemmTest, EqualsSumsInDoublePrecision) {
    if (std::get<WindowSet>(GetParam()).kind == DataKind::f32)
        expectSums<float>(0);
    else
        expectSums<BFloat16>(0x1p-8);
}
INSTANTIATE_TEST_SUITE_P(Shapes, WindowGemmTest,
                         testing::Combine(testing::ValuesIn(kWindowSets), testing::ValuesIn(cases())),
                         [](const auto& one) {
                             std::string set = std::get<WindowSet>(one.param).name;
                             std::erase_if(set, [](char letter) { return letter == '-' || letter == ' '; });
                             return set + std::get<Case>(one.param).name;
                         });

TEST(WindowGemmLimits, NeedPairsOfChannels) {
    WindowGemm gemm{1, 8, windowsOf(3, 3, 3, 3, 1, 0)};
    gemm.products = kernels().bf16Gemm.windows;
    gemm.windows.elementBytes = sizeof(BFloat16);
    EXPECT_FALSE(gemm.runsHere());
    gemm.products = kernels().f32Gemm.windows;
    gemm.windows.elementBytes = sizeof(float);
    EXPECT_EQ(gemm.runsHere(), runsHere(CpuIsa::avx2));
}

// Residual blocks with and without stride and batch norm, and an activation that is not a limit.
model::Graph network() {
    model::GraphBuilder g("windows");
    const auto normalised = [&](model::NodeId x) { return g.add(model::BatchNorm{}, {x}); };
    const auto relu = [&](model::NodeId x) { return g.activation(x, model::ActivationKind::Relu); };
    const model::Padding2d around{1, 1, 1, 1};
    auto x = relu(g.conv(g.input({3, 20, 20}), {.filters = 32, .kernel = {3, 3}, .padding = around}));
    auto inner = relu(normalised(g.conv(x, {.filters = 24, .kernel = {1, 1}, .bias = false})));
    inner = relu(normalised(g.conv(inner, {.filters = 24, .kernel = {3, 3}, .padding = around, .bias = false})));
    inner = normalised(g.conv(inner, {.filters = 32, .kernel = {1, 1}, .bias = false}));
    x = relu(g.add(model::Add{}, {inner, x}));
    x = g.activation(g.conv(x, {.filters = 48, .kernel = {3, 3}, .stride = {2, 2}, .padding = around}),
                     model::ActivationKind::Swish);
    x = g.conv(x, {.filters = 96, .kernel = {1, 1}, .stride = {2, 2}, .bias = false});
    g.head(g.dense(g.add(model::GlobalAveragePool{}, {x}), 5));
    return std::move(g).build().value();
}

// Pixels of so many channels that float32 normalises after the sum, with and without shortcut and stride.
model::Graph longSums() {
    model::GraphBuilder g("long_sums");
    const auto normalised = [&](model::NodeId x) { return g.add(model::BatchNorm{}, {x}); };
    const auto relu = [&](model::NodeId x) { return g.activation(x, model::ActivationKind::Relu); };
    auto wide = relu(g.conv(g.input({3, 10, 10}), {.filters = 512, .kernel = {1, 1}}));
    auto x = relu(normalised(g.conv(wide, {.filters = 40, .kernel = {1, 1}, .bias = false})));
    const auto inner = normalised(g.conv(wide, {.filters = 40, .kernel = {1, 1}}));
    x = relu(g.add(model::Add{}, {inner, x}));
    wide = normalised(g.conv(wide, {.filters = 72, .kernel = {1, 1}, .stride = {2, 2}, .bias = false}));
    const auto pool = [&](model::NodeId of) { return g.add(model::GlobalAveragePool{}, {of}); };
    g.head(g.add(model::Add{}, {g.dense(pool(x), 5), g.dense(pool(wide), 5)}));
    return std::move(g).build().value();
}

// At least `fewest` convolutions have images whose layout windows can read.
void expectReference(const model::Graph& graph, std::int64_t batch, plan::Precision precision, double error,
                     int fewest) {
    SCOPED_TRACE(batch);
    int offered = 0;
    ChosenKernels backend([&](KernelChoices& choices) {
        for (auto& [key, choice] : choices) {
            if (key.find(" windows ") == std::string::npos) continue;
            choice.index = 1;
            ++offered;
        }
    });
    const auto plan = plan::lower(graph, {plan::Mode::Infer, batch, precision, {}}).value();
    const auto comparison = steelyard::test::compareWithReference(backend, plan, {.threads = 2});
    ASSERT_NE(comparison.largest(), nullptr);
    EXPECT_LT(comparison.largest()->relative, error);
    EXPECT_GE(offered, fewest);
    EXPECT_EQ(backend.tasks("native:window_gemm"), offered);
}

TEST(WindowsInNetworks, EqualTheReferenceInBfloat16) {
    if (kernels().bf16Gemm.windows.multiply == nullptr) GTEST_SKIP() << "needs AVX-512 BF16";
    // Without tiles the library keeps the first image in blocks.
    for (const std::int64_t batch : {1, 5})
        expectReference(network(), batch, plan::Precision::Bf16, 2e-2, hasAmxTiles() ? 4 : 3);
}

TEST(WindowsInNetworks, EqualTheReferenceInFloat) {
    if (!runsHere(CpuIsa::avx2)) GTEST_SKIP() << "needs AVX2";
    for (const std::int64_t batch : {1, 5}) {
        expectReference(network(), batch, plan::Precision::Fp32, 1e-4, 3);
        expectReference(longSums(), batch, plan::Precision::Fp32, 1e-4, 3);
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu

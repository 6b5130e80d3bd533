// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions on native kernels of every instruction set compared with sums in double precision: padding,
// strides, narrow images, kernels of any size, layouts of the images, threads and activations; and in a network.
#include "engine/compute/cpu/operations/convolution/depthwise_convolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "engine/compute/cpu/threads.h"
#include "engine/model/graph.h"
#include "tests/engine/compute/activated.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/engine/compute/image_windows.h"
#include "tests/engine/compute/random_values.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cpu {
namespace {

struct DepthwiseCase {
    std::string name;
    std::int64_t images = 1;
    ImageWindows windows;  // 32 channels
    bool biased = true, readsBlocks = true, writesBlocks = true;
    std::optional<ActivationKind> activation{};
};
void PrintTo(const DepthwiseCase& c, std::ostream* out) {
    *out << c.name;
}

constexpr std::int64_t kChannels = 32;

ImageWindows images(std::int64_t height, std::int64_t width, std::int64_t kernel, std::int64_t stride,
                    std::int64_t padding) {
    return windowsOf(height, width, kChannels, kernel, stride, padding);
}

std::vector<DepthwiseCase> depthwiseCases() {
    auto unevenPadding = images(9, 9, 3, 2, 0);  // below and at the right only
    unevenPadding.outHeight = unevenPadding.outWidth = 5;
    auto uneven = images(12, 9, 3, 1, 1);  // 1x7
    uneven.kernelHeight = 1;
    uneven.kernelWidth = 7;
    uneven.top = 0;
    uneven.left = 3;
    auto outside = images(1, 1, 1, 7, 0);  // in the padding alone
    outside.top = outside.left = 5;
    auto wideStride = images(12, 12, 3, 1, 1);
    wideStride.strideWidth = 3;
    wideStride.outWidth = 4;
    return {
        {"Same", 2, images(14, 14, 3, 1, 1), true, true, true, ActivationKind::Relu6},
        {"Narrow", 3, images(7, 7, 3, 1, 1)},
        {"ManyLines", 1, images(56, 31, 3, 1, 1), true, true, true, ActivationKind::Relu},
        {"Strided", 2, images(28, 28, 3, 2, 1)},
        {"StridedOddSide", 2, images(15, 15, 3, 2, 1), false},
        {"WithoutPadding", 1, images(10, 12, 3, 1, 0)},
        {"PaddedBelowOnly", 2, unevenPadding},
        {"PaddedTwice", 1, images(6, 6, 3, 1, 2)},
        {"TwoColumns", 1, images(2, 2, 3, 1, 1)},
        {"OneColumn", 1, images(5, 1, 3, 1, 1)},
        {"OnePixel", 2, images(1, 1, 3, 2, 1)},
        {"FiveByFive", 2, images(14, 14, 5, 1, 2), true, true, true, ActivationKind::Swish},
        {"FiveByFiveStrided", 2, images(14, 14, 5, 2, 2)},
        {"SevenBySevenNarrow", 1, images(3, 3, 7, 1, 3)},
        {"UnevenKernel", 1, uneven},
        {"UnevenStride", 1, wideStride},
        {"Outside", 2, outside},
        {"ChannelsLast", 2, images(14, 14, 3, 1, 1), true, false, false, ActivationKind::Relu},
        {"ChannelsLastStrided", 9, images(9, 9, 3, 2, 1), false, false, false},
        {"FromChannelsLast", 1, images(9, 9, 5, 1, 2), true, false, true, ActivationKind::Sigmoid},
        {"ToChannelsLast", 1, images(9, 9, 3, 1, 1), true, true, false},
    };
}

struct DepthwiseSet {
    const char* name;
    CpuIsa isa;
};
constexpr DepthwiseSet kSets[] = {{"AVX2", CpuIsa::avx2}, {"AVX512", CpuIsa::avx512}};
void PrintTo(const DepthwiseSet& set, std::ostream* out) {
    *out << set.name;
}

std::vector<float> inLayout(const std::vector<float>& values, const ChannelLayout& layout) {
    std::vector<float> stored(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        stored[static_cast<std::size_t>(storedAt(layout, static_cast<std::int64_t>(i)))] = values[i];
    return stored;
}

class DepthwiseTest : public testing::TestWithParam<std::tuple<DepthwiseSet, DepthwiseCase>> {};

TEST_P(DepthwiseTest, EqualsSumsInDoublePrecision) {
    const auto& [set, c] = GetParam();
    if (!runsHere(set.isa)) GTEST_SKIP() << "needs " << set.name;
    const auto table = std::make_unique<Kernels>(kernels());
    table->f32Depthwise = {};
    fillKernels(set.isa, *table);
    const auto& w = c.windows;
    const auto lanes = table->f32Depthwise.lanes;
    const auto layout = [&](std::int64_t pixels, bool inBlocks) {
        return inBlocks ? ChannelLayout{c.images, kChannels, pixels, lanes, kChannels / lanes}
                        : ChannelLayout{c.images, kChannels, pixels, kChannels, 1};
    };
    DepthwiseConvolution convolution{w, layout(w.height * w.width, c.readsBlocks),
                                     layout(w.rowsOfImage(), c.writesBlocks)};
    convolution.activation = c.activation;
    convolution.kernels = table->f32Depthwise;
    ASSERT_TRUE(convolution.runsHere());

    const auto values = randomValues(c.images * w.height * w.width * kChannels, 1);
    const auto taps = w.kernelHeight * w.kernelWidth;
    const auto weights = randomValues(kChannels * taps, 2), bias = randomValues(kChannels, 3);
    std::vector<float> packed;  // [channels / lanes, taps, lanes]
    for (std::int64_t i = 0; i < kChannels * taps; ++i) {
        const auto channel = i / (taps * lanes) * lanes + i % lanes, tap = i / lanes % taps;
        packed.push_back(weights[static_cast<std::size_t>(channel * taps + tap)]);
    }
    std::vector<double> expected;
    for (std::int64_t row = 0; row < c.images * w.rowsOfImage(); ++row)
        for (std::int64_t channel = 0; channel < kChannels; ++channel) {
            double sum = c.biased ? static_cast<double>(bias[static_cast<std::size_t>(channel)]) : 0;
            for (std::int64_t tap = 0; tap < taps; ++tap)
                if (const auto at = elementOf(w, row, tap * kChannels + channel))
                    sum += static_cast<double>(values[static_cast<std::size_t>(*at)]) *
                           static_cast<double>(weights[static_cast<std::size_t>(channel * taps + tap)]);
            expected.push_back(activated(c.activation, sum));
        }
    const auto x = inLayout(values, convolution.source);
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        convolution.threads = threads;
        constexpr std::size_t kBeyond = 64;
        constexpr float kMark = -0x1p20F;
        std::vector<float> y(expected.size() + kBeyond, kMark);
        convolution.run(x.data(), packed.data(), c.biased ? bias.data() : nullptr, y.data());
        for (auto i = expected.size(); i < y.size(); ++i) ASSERT_EQ(y[i], kMark) << "written beyond the last pixel";
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto at = storedAt(convolution.target, static_cast<std::int64_t>(i));
            ASSERT_NEAR(static_cast<double>(y[static_cast<std::size_t>(at)]), expected[i], 1e-4) << i;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Shapes, DepthwiseTest,
                         testing::Combine(testing::ValuesIn(kSets), testing::ValuesIn(depthwiseCases())),
                         [](const auto& one) {
                             return std::get<DepthwiseSet>(one.param).name + std::get<DepthwiseCase>(one.param).name;
                         });

TEST(DepthwiseLimits, NeedWholeVectorsAndKnownLayouts) {
    if (!runsHere(CpuIsa::avx2)) GTEST_SKIP() << "needs AVX2";
    const auto lanes = kernels().f32Depthwise.lanes;
    const auto runs = [&](std::int64_t channels, std::int64_t block, std::optional<ActivationKind> activation) {
        const ChannelLayout layout{1, channels, 9, block, channels / block};
        return DepthwiseConvolution{
            windowsOf(3, 3, channels, 3, 1, 1), layout, layout, 1, activation, kernels().f32Depthwise}
            .runsHere();
    };
    EXPECT_TRUE(runs(2 * lanes, lanes, ActivationKind::Swish));
    EXPECT_TRUE(runs(2 * lanes, 2 * lanes, ActivationKind::Relu6));
    EXPECT_FALSE(runs(2 * lanes, 2 * lanes, ActivationKind::Swish));  // the channels of a line are not together
    EXPECT_FALSE(runs(2 * lanes, 1, std::nullopt));
    EXPECT_FALSE(runs(lanes + 4, lanes + 4, std::nullopt));
}

TEST(DepthwiseInNetworks, EqualsTheReference) {
    if (!runsHere(CpuIsa::avx2)) GTEST_SKIP() << "needs AVX2";
    model::GraphBuilder g("depthwise");
    const auto normalised = [&](model::NodeId x) { return g.add(model::BatchNorm{}, {x}); };
    auto x = g.activation(g.conv(g.input({3, 20, 20}), {.filters = 32, .kernel = {3, 3}, .padding = {1, 1, 1, 1}}),
                          model::ActivationKind::Relu);
    for (const std::int64_t stride : {1, 2}) {
        x = g.conv(x, {.filters = 32,
                       .kernel = {3, 3},
                       .stride = {stride, stride},
                       .padding = {1, 1, 1, 1},
                       .groups = 32,
                       .bias = false});
        x = g.activation(normalised(x), model::ActivationKind::Relu6);
        x = normalised(g.conv(x, {.filters = 32, .kernel = {1, 1}, .bias = false}));
    }
    x = g.conv(x, {.filters = 32, .kernel = {5, 5}, .padding = {2, 2, 2, 2}, .groups = 32});
    g.head(g.dense(g.add(model::GlobalAveragePool{}, {x}), 5));
    const auto graph = std::move(g).build().value();
    for (const std::int64_t batch : {1, 5}) {
        SCOPED_TRACE(batch);
        int offered = 0;
        ChosenKernels backend([&](KernelChoices& choices) {
            for (auto& [key, choice] : choices) {
                if (key.find(" depthwise ") == std::string::npos) continue;
                choice.index = 1;
                ++offered;
            }
        });
        const auto plan = plan::lower(graph, {plan::Mode::Infer, batch, plan::Precision::Fp32, {}}).value();
        const auto comparison = steelyard::test::compareWithReference(backend, plan, {.threads = 2});
        ASSERT_NE(comparison.largest(), nullptr);
        EXPECT_LT(comparison.largest()->relative, 1e-4);
        EXPECT_EQ(offered, 3);
        EXPECT_EQ(backend.tasks("native:depthwise"), offered);
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu

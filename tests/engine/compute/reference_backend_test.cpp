// SPDX-License-Identifier: Apache-2.0
// The reference as a backend: refusals, reports, and the rounding of 16-bit types.
#include "engine/compute/reference/reference_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/reference/product.h"
#include "engine/compute/reference/rounding.h"
#include "engine/core/random.h"
#include "tests/engine/compute/tiny_network.h"

namespace steelyard::compute {
namespace {

using Values = std::vector<float>;

TinyNetwork textClassifier(const CompileOptions& compile = {}) {
    model::GraphBuilder g("text");
    const auto rows = g.add(model::Embedding{7, 2, false}, {g.ids(3, 7)}, "rows");
    g.head(g.add(model::Dense{4, true}, {g.flatten(rows)}, "dense"));
    return TinyNetwork(std::move(g), {plan::Mode::Train, 2, plan::Precision::Fp32, {}}, compile);
}

TEST(ReferenceBackend, RefusesClassesAndIdsOutOfRange) {
    auto network = textClassifier();
    auto& executable = network.executable();
    const auto labels = network.find("head.labels"), ids = network.find("input_1");
    const auto kindOf = [&](plan::TensorId id, const std::vector<std::int32_t>& values) {
        const auto result = executable.write(id, values);
        return result ? std::nullopt : std::optional(result.error().kind);
    };
    EXPECT_EQ(kindOf(labels, {0, 3}), std::nullopt);
    EXPECT_EQ(kindOf(labels, {0, 4}), ErrorKind::InvalidArgument);
    EXPECT_EQ(kindOf(labels, {-1, 0}), ErrorKind::InvalidArgument);
    EXPECT_EQ(kindOf(ids, {0, 1, 2, 3, 4, 6}), std::nullopt);
    EXPECT_EQ(kindOf(ids, {0, 1, 2, 3, 4, 7}), ErrorKind::InvalidArgument);
    EXPECT_EQ(integerLimit(network.plan(), ids), 7);
}

TEST(ReferenceBackend, RefusesWhatDoesNotFitTheTensor) {
    auto network = textClassifier();
    auto& executable = network.executable();
    const auto refuses = [](const Result<void>& result) {
        return !result && result.error().kind == ErrorKind::InvalidArgument;
    };
    Values eight(8, 0.0F);
    EXPECT_TRUE(refuses(executable.write(network.find("dense.bias"), eight)));
    EXPECT_TRUE(refuses(executable.write(network.find("input_1"), Values(6, 0.0F))));
    EXPECT_TRUE(refuses(executable.write(network.find("dense.bias"), std::vector<std::int32_t>(4, 0))));
    EXPECT_TRUE(refuses(executable.write(network.find("dense"), eight)));  // an activation
    EXPECT_TRUE(refuses(executable.write(-1, eight)));
    EXPECT_TRUE(refuses(executable.read(9999, eight)));
    EXPECT_TRUE(refuses(executable.read(network.find("dense.bias"), eight)));
    EXPECT_TRUE(executable.read(network.find("dense"), eight));
}

TEST(ReferenceBackend, SaysWhatMemoryItNeeds) {
    auto network = textClassifier();
    const auto memory = network.executable().memory();
    EXPECT_EQ(memory.weights, Bytes(4 * (14 + 28)));
    EXPECT_EQ(memory.gradients, Bytes(4 * (14 + 28)));
    EXPECT_EQ(memory.peak,
              memory.weights + memory.gradients + memory.optimizer + memory.activations + memory.workspace);

    const auto backend = makeReferenceBackend();
    const auto plan = std::make_shared<plan::Plan>(network.plan());
    const auto refused = backend->compile(plan, {.memoryLimit = memory.peak + Bytes(-1)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::OutOfMemory);
    EXPECT_EQ(refused.error().neededBytes, memory.peak.value());
    EXPECT_EQ(refused.error().availableBytes, memory.peak.value() - 1);
    EXPECT_TRUE(backend->compile(plan, {.memoryLimit = memory.peak}));
}

TEST(ReferenceBackend, TimesOperationsWhenAsked) {
    EXPECT_TRUE(textClassifier().executable().profile().empty());
    auto network = textClassifier({.profile = true});
    network.step();
    const auto times = network.executable().profile();
    ASSERT_EQ(times.size(), network.plan().operations.size());
    EXPECT_EQ(times[0].operation, 0);
    EXPECT_GE(times[0].seconds, 0);
}

// Many columns, split over threads; few columns, where rows are split; and one row, too little to split.
TEST(ReferenceBackend, ThreadsDoNotChangeAProduct) {
    constexpr std::int64_t kDepth = 2001;
    const RandomStream stream(4, 0);
    Values values(400 * kDepth);
    fillNormal(values, stream);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{67, 301}, {203, 36}, {90, 65}, {1, 5}}) {
        for (const bool transposed : {false, true}) {
            const float* const a = values.data();
            const float* const b = values.data() + 7;
            const std::int64_t aRow = transposed ? 1 : kDepth, aColumn = transposed ? rows : 1;
            const auto product = [&](int threads) {
                Values c(static_cast<std::size_t>(rows * columns), 1.0F);
                reference::addProduct({rows, columns, kDepth, a, aRow, aColumn, b, 1, kDepth, c.data(), columns},
                                      threads);
                return c;
            };
            const auto one = product(1);
            EXPECT_EQ(one, product(2));
            EXPECT_EQ(one, product(5));
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    double sum = 1;
                    for (std::int64_t k = 0; k < kDepth; ++k)
                        sum += static_cast<double>(a[i * aRow + k * aColumn]) * static_cast<double>(b[j * kDepth + k]);
                    ASSERT_FLOAT_EQ(one[static_cast<std::size_t>(i * columns + j)], static_cast<float>(sum))
                        << rows << " x " << columns << " at " << i << ", " << j;
                }
        }
    }
}

TEST(Rounding, ToTheNearestAndToEven) {
    using reference::roundedTo;
    using T = model::DataType;
    EXPECT_EQ(roundedTo(T::Float32, 1.0000001F), 1.0000001F);
    EXPECT_EQ(roundedTo(T::BFloat16, 1 + 0x1p-7F), 1 + 0x1p-7F);  // eight significant bits
    EXPECT_EQ(roundedTo(T::BFloat16, 1 + 0x1p-8F), 1.0F);         // halfway, to even
    EXPECT_EQ(roundedTo(T::BFloat16, 1 + 3 * 0x1p-8F), 1 + 0x1p-6F);
    EXPECT_EQ(roundedTo(T::BFloat16, -1 - 0x1p-8F - 0x1p-16F), -1 - 0x1p-7F);
    EXPECT_TRUE(std::isnan(roundedTo(T::BFloat16, std::nanf(""))));
    EXPECT_EQ(roundedTo(T::Float16, 1 + 0x1p-10F), 1 + 0x1p-10F);  // eleven
    EXPECT_EQ(roundedTo(T::Float16, 1 + 0x1p-11F), 1.0F);
    EXPECT_EQ(roundedTo(T::Float16, 2049.0F), 2048.0F);
    EXPECT_EQ(roundedTo(T::Float16, 65504.0F), 65504.0F);
    EXPECT_EQ(roundedTo(T::Float16, 65520.0F), HUGE_VALF);
    EXPECT_EQ(roundedTo(T::Float16, -1e-7F), -0x1p-23F);  // subnormal: steps of 2^-24
    EXPECT_EQ(roundedTo(T::Float16, 0x1p-26F), 0.0F);
    EXPECT_EQ(reference::roundedToBits(11, 1 + 0x1p-10F + 0x1p-12F), 1 + 0x1p-10F);
    EXPECT_EQ(reference::roundedToBits(24, 1 + 0x1p-23F), 1 + 0x1p-23F);
}

// Rounded up with a probability given by the distance to the upper neighbour, for either sign; exact values are kept.
TEST(Rounding, AtRandomKeepsTheMean) {
    constexpr std::uint32_t kDraws = 4096;
    const RandomStream stream(7, 0);
    const auto meanOf = [&](int bits, float value) {
        double sum = 0;
        for (std::uint32_t i = 0; i < kDraws; ++i)
            sum += static_cast<double>(reference::roundedToBits(bits, value, stream.bits(i)));
        return sum / kDraws;
    };
    for (const float value : {1 + 0x1p-9F, 1 + 0x1.8p-8F, -1 - 0x1p-9F}) {
        EXPECT_NEAR(meanOf(8, value), static_cast<double>(value), 4 * 0.5 * 0x1p-7 / 64) << value;  // 4 sigma
        for (const std::uint32_t random : {0U, ~0U}) {
            const float rounded = reference::roundedToBits(8, value, random);
            EXPECT_EQ(rounded, reference::roundedTo(model::DataType::BFloat16, rounded));
            EXPECT_EQ(std::abs(rounded), random == 0 ? 1.0F : 1 + 0x1p-7F);
        }
    }
    for (const float value : {1.0F, 1 + 0x1p-7F, -3.0F}) EXPECT_EQ(reference::roundedToBits(8, value, ~0U), value);
    EXPECT_EQ(reference::roundedToBits(24, 1 + 0x1p-23F, ~0U), 1 + 0x1p-23F);
    EXPECT_TRUE(std::isnan(reference::roundedToBits(8, std::nanf(""), ~0U)));
}

// Deterministic per seed, different between seeds; within one unit in the last place of each exact result.
TEST(Rounding, AtRandomIsDrawnByTheSeed) {
    constexpr std::int64_t kFeatures = 64;
    const auto outputOf = [&](const ReferenceOptions& options) {
        model::GraphBuilder g("rounded");
        g.head(g.add(model::Dense{kFeatures, false}, {g.input({kFeatures})}, "dense"));
        TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Bf16, {.learningRate = 0}}, {},
                            options);
        EXPECT_TRUE(writeInitialValues(network.executable(), 1));
        EXPECT_TRUE(writeSyntheticBatch(network.executable(), 1));
        network.step();
        return network.read("dense");
    };
    const auto nearest = outputOf({.emulatePrecision = true});
    const auto first = outputOf({.emulatePrecision = true, .roundingSeed = 1});
    EXPECT_EQ(first, outputOf({.emulatePrecision = true, .roundingSeed = 1}));
    EXPECT_NE(first, outputOf({.emulatePrecision = true, .roundingSeed = 2}));
    EXPECT_NE(first, nearest);
    for (std::size_t i = 0; i < nearest.size(); ++i) {
        EXPECT_NEAR(first[i], nearest[i], std::abs(nearest[i]) * 0x1p-7F);
        EXPECT_EQ(first[i], reference::roundedTo(model::DataType::BFloat16, first[i]));
    }
}

TEST(Rounding, KeepsTheOriginalWeights) {
    model::GraphBuilder g("rounded");
    g.head(g.add(model::Dense{2, false}, {g.input({1})}, "dense"));
    TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Bf16, {.learningRate = 0}}, {},
                        {.emulatePrecision = true});
    network.write("dense.weight", {1 + 0x1p-12F, 3});
    network.write("input_1", {1 + 0x1p-12F});
    network.step();
    EXPECT_THAT(network.read("input_1"), ::testing::ElementsAre(1));
    EXPECT_THAT(network.read("dense"), ::testing::ElementsAre(1, 3));
    EXPECT_THAT(network.read("dense.weight"), ::testing::ElementsAre(1 + 0x1p-12F, 3));
}

// Another summation order moves a value across a kink; rounding alone does not, or in one direction only.
Values bent(model::ActivationKind kind, const Values& x, bool emulate) {
    model::GraphBuilder g("bend");
    const auto y = g.add(model::Activation{kind}, {g.input({static_cast<std::int64_t>(x.size())})}, "bent");
    g.head(g.dense(y, 2));
    TinyNetwork network(std::move(g), {plan::Mode::Train, 1, plan::Precision::Fp32, {.learningRate = 0}}, {},
                        {.emulatePrecision = emulate});
    network.write("input_1", x);
    network.step();
    return network.read("bent");
}

TEST(Rounding, SwitchesWhatIsNextToTheUpperBendOnBothSides) {
    const Values x{5, 6 - 0x1p-15F, 6, 6 + 0x1p-15F, 6 + 0x1p-10F};
    const auto kind = model::ActivationKind::Relu6;
    EXPECT_THAT(bent(kind, x, false), ::testing::ElementsAre(5, 6 - 0x1p-15F, 6, 6, 6));
    EXPECT_THAT(bent(kind, x, true), ::testing::ElementsAre(5, 6, ::testing::Lt(6), ::testing::Lt(6), 6));
}

TEST(Rounding, SwitchesWhatIsNextToZero) {
    const Values x{1, -1, 0x1p-20F, -0x1p-20F, 0x1p-12F, -0x1p-12F};
    for (const auto kind : {model::ActivationKind::Relu, model::ActivationKind::Relu6}) {
        EXPECT_THAT(bent(kind, x, false), ::testing::ElementsAre(1, 0, 0x1p-20F, 0, 0x1p-12F, 0));
        EXPECT_THAT(bent(kind, x, true), ::testing::ElementsAre(1, 0, 0, ::testing::Gt(0), 0x1p-12F, 0));
    }
}

// After a normalisation that averages over the image every pixel of a sample has nearly the same gradient, and the bias
// before it has a gradient of zero. The error of Float32 sums there is relative to the size of the terms.
TEST(Rounding, LeavesWhatSumsOfANormalisationErrBy) {
    constexpr std::int64_t kBatch = 8, kPixels = 32 * 32, kChannels = 4;
    const auto biasGradient = [&](bool emulate) {
        model::GraphBuilder g("cancelling");
        const auto x = g.add(model::square(kChannels, 3, 1, 1), {g.input({3, 32, 32})}, "conv");
        const auto y = g.add(model::BatchNorm{}, {x}, "norm");
        g.head(g.dense(g.add(model::GlobalAveragePool{}, {y}), 2));
        TinyNetwork network(std::move(g), {plan::Mode::Train, kBatch, plan::Precision::Fp32, {.learningRate = 0}}, {},
                            {.emulatePrecision = emulate});
        EXPECT_TRUE(writeSyntheticBatch(network.executable(), 1));
        network.step();
        return std::tuple(network.read("conv.bias.gradient"), network.read("norm.gradient"),
                          network.read("conv.gradient"));
    };
    const auto [exact, arriving, leaving] = biasGradient(false);
    const auto [rounded, unused, alsoUnused] = biasGradient(true);
    for (std::size_t c = 0; c < static_cast<std::size_t>(kChannels); ++c) {
        // What the normalisation does not cancel shows its scale factor.
        double summed = 0, factor = 0;
        for (std::size_t i = 0; i < arriving.size(); ++i) {
            if (i / static_cast<std::size_t>(kPixels) % static_cast<std::size_t>(kChannels) != c) continue;
            summed += std::abs(static_cast<double>(arriving[i]));
            factor = std::max(factor, std::abs(static_cast<double>(leaving[i]) / static_cast<double>(arriving[i])));
        }
        EXPECT_LT(std::abs(exact[c]), 1e-7 * factor * summed);
        EXPECT_GT(std::abs(rounded[c]), 0.2 * 0x1p-20 * factor * summed);
        EXPECT_LT(std::abs(rounded[c]), 3 * 0x1p-20 * factor * summed);
    }
}

}  // namespace
}  // namespace steelyard::compute

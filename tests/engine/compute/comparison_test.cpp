// SPDX-License-Identifier: Apache-2.0
// Comparison of backends: equal results compare equal, and every kind of error is detected and named.
#include "engine/compute/backend_comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/reference/reference_backend.h"
#include "engine/core/random.h"
#include "tests/support/altered_backend.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

class ComparedLayers : public ::testing::TestWithParam<test::LayerCase> {};

TEST_P(ComparedLayers, TheReferenceEqualsItself) {
    const auto backend = makeReferenceBackend();
    const model::Optimizer adam{.kind = model::OptimizerKind::Adam};
    test::expectEqualsReference(*backend, GetParam(), {.optimizer = adam, .tolerance = 0});
}

INSTANTIATE_TEST_SUITE_P(Reference, ComparedLayers, ::testing::ValuesIn(test::layerCases()), test::nameOfParam);
INSTANTIATE_TEST_SUITE_P(Decoder, ComparedLayers, ::testing::ValuesIn(test::decoderLayerCases()), test::nameOfParam);

// conv (with a bias that the normalisation cancels) -> batch norm -> relu -> dense
plan::Plan plan(plan::Mode mode, model::OptimizerKind kind = model::OptimizerKind::Momentum,
                plan::Precision precision = plan::Precision::Fp32) {
    model::GraphBuilder g("compared");
    const auto x = g.add(model::square(4, 3, 1, 1), {g.input({2, 6, 6})}, "conv");
    const auto y = g.relu(g.add(model::BatchNorm{}, {x}, "norm"));
    g.head(g.add(model::Dense{3, true}, {g.flatten(y)}, "dense"));
    const model::Optimizer optimizer{.kind = kind, .learningRate = 1e-3};
    return plan::lower(std::move(g).build().value(), {mode, 4, precision, optimizer}).value();
}

Comparison altered(test::Alterations alterations, const plan::Plan& which) {
    return test::compareWithReference(*test::makeAlteredBackend(std::move(alterations)), which, {});
}

// Largest difference of one tensor of that kind.
double differenceOf(const Comparison& comparison, Quantity quantity, const std::string& tensor) {
    double largest = -1;
    for (const auto& difference : comparison.differences)
        if (difference.quantity == quantity && difference.tensor == tensor)
            largest = std::max(largest, difference.relative);
    return largest;
}

auto scaled(std::string name, float factor) {
    return [name = std::move(name), factor](const plan::Tensor& tensor, std::span<float> values) {
        if (tensor.name != name) return;
        for (auto& value : values) value *= factor;
    };
}

TEST(Comparison, FindsAWrongGradient) {
    const auto comparison =
        altered({.onRead = scaled("dense.weight.gradient", 1.01F)}, plan(plan::Mode::Train, model::OptimizerKind::Sgd));
    EXPECT_NEAR(differenceOf(comparison, Quantity::Gradient, "dense.weight.gradient"), 0.01, 1e-5);
    EXPECT_EQ(differenceOf(comparison, Quantity::Gradient, "conv.weight.gradient"), 0);
    // The step used the correct gradient, so the update differs by the injected error.
    EXPECT_NEAR(differenceOf(comparison, Quantity::Weight, "dense.weight"), 0.01, 1e-3);
    EXPECT_EQ(comparison.largest()->tensor.substr(0, 12), "dense.weight");
}

TEST(Comparison, TakesTheStepOfTheReferenceOnce) {
    for (const auto kind : {model::OptimizerKind::Momentum, model::OptimizerKind::Adam}) {
        const auto step = std::make_shared<const plan::Plan>(plan(plan::Mode::Train, kind, plan::Precision::Bf16));
        const CompileOptions options{.seed = 3, .keepGradients = true};
        const auto exact = makeReferenceBackend()->compile(step, options).value();
        const auto rounded =
            makeReferenceBackend({.emulatePrecision = true, .roundingSeed = 7})->compile(step, options).value();
        const auto first = compareExecutables(*rounded, *exact, {.seed = 3, .steps = 1}).value();
        const auto again =
            compareExecutables(*rounded, *exact, {.seed = 3, .steps = 1, .referenceLoss = first.referenceLoss}).value();
        EXPECT_GT(first.referenceLoss, 0);
        EXPECT_EQ(again.referenceLoss, first.referenceLoss);
        ASSERT_EQ(again.differences.size(), first.differences.size());
        for (std::size_t i = 0; i < first.differences.size(); ++i)
            EXPECT_EQ(again.differences[i].relative, first.differences[i].relative) << first.differences[i].tensor;
    }
}

TEST(Comparison, FindsAMissingOrBrokenGradient) {
    const auto zero = altered({.onRead = scaled("conv.weight.gradient", 0)}, plan(plan::Mode::Train));
    EXPECT_NEAR(differenceOf(zero, Quantity::Gradient, "conv.weight.gradient"), 1, 1e-12);
    const auto broken = altered({.onRead = scaled("conv.weight.gradient", NAN)}, plan(plan::Mode::Train));
    EXPECT_TRUE(std::isinf(differenceOf(broken, Quantity::Gradient, "conv.weight.gradient")));
    EXPECT_TRUE(std::isinf(broken.largestOf(Quantity::Gradient)));
}

TEST(Comparison, FindsAWrongUpdateAndState) {
    for (const auto kind : {model::OptimizerKind::Sgd, model::OptimizerKind::Adam}) {
        const auto unchanged = [](const plan::Tensor& tensor, std::span<float> values) {
            if (tensor.name != "dense.bias") return;
            for (auto& value : values) value += 1e-3F;
        };
        const auto weight = altered({.onRead = unchanged}, plan(plan::Mode::Train, kind));
        EXPECT_GT(differenceOf(weight, Quantity::Weight, "dense.bias"), 0.1);
        EXPECT_LT(differenceOf(weight, Quantity::Weight, "dense.weight"), 1e-5);
    }
    const auto state = altered({.onRead = scaled("conv.weight.state_1", 1.5F)}, plan(plan::Mode::Train));
    EXPECT_NEAR(differenceOf(state, Quantity::State, "conv.weight.state_1"), 0.5, 1e-6);
}

TEST(Comparison, FindsRunningStatisticsThatDiffer) {
    // The unbiased variance of 4 x 36 values instead of the biased one.
    const auto comparison = altered({.onRead = scaled("norm.running_variance", 144.0F / 143)}, plan(plan::Mode::Train));
    EXPECT_NEAR(differenceOf(comparison, Quantity::State, "norm.running_variance"), 1.0 / 143, 1e-5);
}

TEST(Comparison, FindsAWrongLossAndCallsNoLossUnusable) {
    const auto wrong =
        altered({.onLoss = [](auto loss, const auto&) { return std::optional(*loss * 1.1); }}, plan(plan::Mode::Train));
    EXPECT_NEAR(wrong.largestOf(Quantity::Loss), 0.1, 1e-9);
    for (const std::optional<double> none : {std::optional<double>(), std::optional(std::nan(""))}) {
        const auto missing = altered({.onLoss = [none](auto, const auto&) { return none; }}, plan(plan::Mode::Train));
        EXPECT_EQ(missing.unusable, "the loss is not a number");
    }
}

TEST(Comparison, FindsWrongOutputs) {
    const auto wrong = altered({.onRead = scaled("head.probabilities", 0.99F)}, plan(plan::Mode::Infer));
    EXPECT_NEAR(wrong.largestOf(Quantity::Output), 0.01, 1e-6);
    EXPECT_EQ(wrong.unusable, "");
    const auto zero = altered({.onRead = scaled("head.probabilities", 0)}, plan(plan::Mode::Infer));
    EXPECT_EQ(zero.unusable, "head.probabilities is all zero");
    const auto broken = altered({.onRead = scaled("head.probabilities", NAN)}, plan(plan::Mode::Infer));
    EXPECT_EQ(broken.unusable, "head.probabilities is not a number");
}

Result<void> hideGradients(const plan::Tensor& tensor) {
    if (tensor.role != plan::TensorRole::Gradient) return {};
    return fail(ErrorKind::Unsupported, tensor.name, Message("is fused with the update"));
}

TEST(Comparison, JudgesFusedGradientsByTheUpdate) {
    const auto which = plan(plan::Mode::Train, model::OptimizerKind::Sgd);
    const auto right = altered({.refuseRead = hideGradients}, which);
    EXPECT_EQ(right.fusedGradients, 2 * 6);
    EXPECT_EQ(right.largestOf(Quantity::Gradient), 0);
    const auto unchanged = [](const plan::Tensor& tensor, std::span<float> values) {
        if (tensor.name == "dense.weight") values[0] += 1e-3F;
    };
    const auto wrong = altered({.onRead = unchanged, .refuseRead = hideGradients}, which);
    EXPECT_GT(differenceOf(wrong, Quantity::Gradient, "dense.weight.gradient"), 0.01);
    EXPECT_EQ(differenceOf(wrong, Quantity::Gradient, "conv.weight.gradient"), 0);
    const auto state = altered({.onRead = scaled("conv.weight.state_1", 1.5F), .refuseRead = hideGradients},
                               plan(plan::Mode::Train, model::OptimizerKind::Momentum));
    EXPECT_GT(differenceOf(state, Quantity::Gradient, "conv.weight.gradient"), 0.4);
}

// The bias before a normalisation has a gradient of rounding errors only. Another backend's rounding errors differ
// completely, which is not an error.
TEST(Comparison, DoesNotMistakeRoundingForAGradient) {
    const auto noisy = [](const plan::Tensor& tensor, std::span<float> values) {
        if (tensor.name != "conv.bias.gradient") return;
        const RandomStream stream(1, 0);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 1e-7F * stream.normal(static_cast<std::uint32_t>(i));
    };
    const auto comparison = altered({.onRead = noisy}, plan(plan::Mode::Train, model::OptimizerKind::Sgd));
    const auto noise = differenceOf(comparison, Quantity::Gradient, "conv.bias.gradient");
    EXPECT_GT(noise, 0);
    EXPECT_LT(noise, 1e-4);
}

TEST(Comparison, PassesErrorsOn) {
    const auto reference = makeReferenceBackend();
    const auto which = std::make_shared<const plan::Plan>(plan(plan::Mode::Train));
    const auto errorOf = [&](test::Alterations alterations) {
        const auto backend = test::makeAlteredBackend(std::move(alterations));
        return compareBackends(*backend, *reference, which, {}, {}).error().detail.text;
    };
    const auto refuse = [] { return Result<void>(fail(ErrorKind::Internal, "device", Message("is gone"))); };
    EXPECT_EQ(errorOf({.refuseStep = refuse}), "is gone");
    EXPECT_EQ(errorOf({.refuseCompile = refuse}), "is gone");
    EXPECT_EQ(errorOf({.refuseRead = [&](const auto&) { return refuse(); }}), "is gone");
}

// Error of a precision in a small network. The gradients of a convolution before a normalisation are small differences
// of large terms, so they lose most.
TEST(Comparison, EmulatedPrecisionsDifferByTheirRounding) {
    const auto exact = makeReferenceBackend();
    const auto rounding = makeReferenceBackend({.emulatePrecision = true});
    const auto differences = [&](plan::Precision precision, plan::Mode mode) {
        const auto which = std::make_shared<const plan::Plan>(plan(mode, model::OptimizerKind::Momentum, precision));
        auto comparison = compareBackends(*rounding, *exact, which, {}, {}).value();
        EXPECT_EQ(comparison.unusable, "");
        return comparison;
    };
    const std::pair<plan::Precision, double> relativeStep[] = {{plan::Precision::Fp32, 0x1p-16},
                                                               {plan::Precision::Tf32, 0x1p-10},
                                                               {plan::Precision::Fp16, 0x1p-11},
                                                               {plan::Precision::Bf16, 0x1p-8}};
    for (const auto& [precision, step] : relativeStep) {
        const auto outputs = differences(precision, plan::Mode::Infer).largestOf(Quantity::Output);
        EXPECT_GT(outputs, 0.1 * step);
        EXPECT_LT(outputs, 4 * step);
        const auto training = differences(precision, plan::Mode::Train);
        EXPECT_LT(training.largestOf(Quantity::Loss), 16 * step);
        EXPECT_GT(training.largestOf(Quantity::Gradient), step);
        EXPECT_LT(training.largestOf(Quantity::Gradient), 200 * step);
        EXPECT_LT(training.largestOf(Quantity::Weight), 1e-5);  // the rule itself is exact
    }
}

}  // namespace
}  // namespace steelyard::compute

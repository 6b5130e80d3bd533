// SPDX-License-Identifier: Apache-2.0
// Verification: correct backends pass, wrong ones fail with a reason, and unsupported ones are not checked.
#include "engine/bench/measure/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/reference/reference_backend.h"
#include "engine/model/zoo/zoo.h"
#include "tests/support/altered_backend.h"

namespace steelyard::bench {
namespace {

using ::testing::HasSubstr;

Verification verifyMnist(test::Alterations alterations, plan::Mode mode = plan::Mode::Train,
                         const VerifyOptions& options = {}) {
    const auto* workload = model::findWorkload("mnist_mlp").value();
    const auto candidate = test::makeAlteredBackend(std::move(alterations));
    const auto reference = compute::makeReferenceBackend();
    return verify(*candidate, *reference, workload->build().value(),
                  {mode, 128, plan::Precision::Fp32, workload->optimizer}, options);
}

auto scaled(plan::TensorRole role, float factor) {
    return [role, factor](const plan::Tensor& tensor, std::span<float> values) {
        for (auto& value : values)
            if (tensor.role == role) value *= factor;
    };
}

TEST(Verification, PassesWhatEqualsTheReference) {
    for (const auto mode : {plan::Mode::Infer, plan::Mode::Train}) {
        const auto result = verifyMnist({}, mode);
        EXPECT_EQ(result.state, VerificationState::Pass) << result.reason;
        EXPECT_EQ(result.tolerance, 1e-4);
        EXPECT_LT(result.maxRelativeError.value(), 1e-5);
        EXPECT_EQ(result.lossFirst.has_value(), mode == plan::Mode::Train);
        if (mode == plan::Mode::Infer) continue;
        EXPECT_LT(*result.lossLast, *result.lossFirst);
        EXPECT_GT(*result.lossFirst, 0);
    }
}

TEST(Verification, FailsAWrongGradientAndNamesIt) {
    const auto result = verifyMnist({.onRead = scaled(plan::TensorRole::Gradient, 1.001F)});
    EXPECT_EQ(result.state, VerificationState::Fail);
    EXPECT_NEAR(result.maxRelativeError.value(), 1e-3, 1e-4);
    EXPECT_THAT(result.reason.text, HasSubstr("gradient of dense_"));
    EXPECT_EQ(result.tolerance, 1e-4);
    EXPECT_EQ(
        verifyMnist({.onRead = scaled(plan::TensorRole::Gradient, 1.001F)}, plan::Mode::Train, {.tolerance = 0.01})
            .state,
        VerificationState::Pass);
}

// In bf16 the gradient of this network's first layer exceeds the tolerance with any correct implementation.
TEST(Verification, AllowsWhatThePrecisionAloneCosts) {
    const auto* workload = model::findWorkload("mnist_cnn").value();
    const auto graph = workload->build().value();
    const auto reference = compute::makeReferenceBackend();
    const auto rounding = compute::makeReferenceBackend({.emulatePrecision = true});
    const plan::PlanOptions full{plan::Mode::Train, 4, plan::Precision::Bf16, workload->optimizer};
    const auto result = verify(*rounding, *reference, graph, full, {.lossSteps = 0});
    EXPECT_EQ(result.state, VerificationState::Pass) << result.reason;
    EXPECT_GT(result.maxRelativeError.value(), 2e-2);
    EXPECT_LE(*result.maxRelativeError, *result.tolerance);
    EXPECT_LE(*result.tolerance, 0.9);
    EXPECT_EQ(verify(*rounding, *reference, graph, full, {.tolerance = 2e-2, .lossSteps = 0}).state,
              VerificationState::Fail);
    // That does not excuse the last layer, where rounding has little effect.
    const auto scaledLast = [](const plan::Tensor& tensor, std::span<float> values) {
        for (auto& value : values)
            if (tensor.name == "dense_2.weight.gradient") value *= 1.1F;
    };
    const auto wrong = test::makeAlteredBackend({.onRead = scaledLast});
    const auto failed = verify(*wrong, *reference, graph, full, {.lossSteps = 0});
    EXPECT_EQ(failed.state, VerificationState::Fail);
    EXPECT_THAT(failed.reason.text, HasSubstr("dense_2.weight.gradient"));
    EXPECT_NEAR(failed.maxRelativeError.value(), 0.1, 0.02);
}

// The gradient of one sample's two logits is one number, and a chance rounding of it is not representative. Each
// candidate is correct: it rounds stored values according to its precision.
TEST(Verification, DoesNotTakeOneRoundingForAllThatAreRight) {
    model::GraphBuilder g("few");
    auto x = g.input({16});
    for (int layer = 0; layer < 24; ++layer)
        x = g.add(model::Activation{model::ActivationKind::Tanh}, {g.dense(x, 32)});
    g.head(g.dense(x, 2));
    const auto graph = std::move(g).build().value();
    const auto reference = compute::makeReferenceBackend();
    for (std::uint64_t rounding = 101; rounding <= 120; ++rounding) {
        const auto candidate = compute::makeReferenceBackend({.emulatePrecision = true, .roundingSeed = rounding});
        for (std::uint64_t values = 1; values <= 8; ++values) {
            const auto result = verify(*candidate, *reference, graph, {plan::Mode::Train, 1, plan::Precision::Bf16, {}},
                                       {.seed = values, .lossSteps = 0});
            EXPECT_EQ(result.state, VerificationState::Pass) << rounding << " " << values << " " << result.reason;
        }
    }
}

// The exact result overflows there, so an infinite one is not an error.
TEST(Verification, DoesNotCheckValuesBeyondHalfPrecision) {
    model::GraphBuilder g("large");
    auto x = g.input({4});
    for (int doubling = 0; doubling < 20; ++doubling) x = g.add(model::Add{}, {x, x});
    g.head(g.dense(x, 3));
    const auto graph = std::move(g).build().value();
    const auto candidate = compute::makeReferenceBackend({.emulatePrecision = true});
    const auto reference = compute::makeReferenceBackend();
    const auto result =
        verify(*candidate, *reference, graph, {plan::Mode::Infer, 2, plan::Precision::Fp16, {}}, {.lossSteps = 0});
    EXPECT_EQ(result.state, VerificationState::NotChecked);
    EXPECT_THAT(result.reason.text, HasSubstr("fp16 cannot represent"));
    EXPECT_EQ(verify(*candidate, *reference, graph, {plan::Mode::Infer, 2, plan::Precision::Bf16, {}}, {}).state,
              VerificationState::Pass);
}

TEST(Verification, DoesNotCheckWhatTheReferenceIsTooSlowFor) {
    model::GraphBuilder g("heavy");
    g.head(g.dense(g.dense(g.input({500'000}), 1'000'000), 2));
    const auto reference = compute::makeReferenceBackend();
    const auto result = verify(*reference, *reference, std::move(g).build().value(),
                               {plan::Mode::Infer, 1, plan::Precision::Fp32, {}}, {});
    EXPECT_EQ(result.state, VerificationState::NotChecked);
    EXPECT_THAT(result.reason.text, HasSubstr("too large for the reference check"));
}

TEST(Verification, FailsOutputsOfNothing) {
    const auto zero = verifyMnist({.onRead = scaled(plan::TensorRole::Probability, 0)}, plan::Mode::Infer);
    EXPECT_EQ(zero.state, VerificationState::Fail);
    EXPECT_THAT(zero.reason.text, HasSubstr("all zero"));
    const auto broken = verifyMnist({.onRead = scaled(plan::TensorRole::Probability, NAN)}, plan::Mode::Infer);
    EXPECT_EQ(broken.state, VerificationState::Fail);
    EXPECT_THAT(broken.reason.text, HasSubstr("not a number"));
    EXPECT_EQ(broken.maxRelativeError, std::nullopt);  // infinity is not reported
}

TEST(Verification, FailsALossThatDoesNotFall) {
    std::optional<double> first;
    const auto stuck = verifyMnist({.onLoss = [&](auto loss, const auto&) {
        if (!first) first = loss;
        return first;
    }});
    EXPECT_EQ(stuck.state, VerificationState::Fail);
    EXPECT_EQ(stuck.maxRelativeError, 0);
    EXPECT_THAT(stuck.reason.text, HasSubstr("does not decrease"));
    int steps = 0;
    const auto broken = verifyMnist(
        {.onLoss = [&](auto loss, const auto&) { return steps++ % 11 > 5 ? std::optional(std::nan("")) : loss; }});
    EXPECT_EQ(broken.state, VerificationState::Fail);
    EXPECT_THAT(broken.reason.text, HasSubstr("does not decrease"));
}

TEST(Verification, TriesASmallerStepWhereTheLearningRateIsTooLarge) {
    const auto* workload = model::findWorkload("mnist_mlp").value();
    const auto reference = compute::makeReferenceBackend();
    const auto stateAt = [&](double learningRate) {
        const model::Optimizer optimizer{.kind = model::OptimizerKind::Sgd, .learningRate = learningRate};
        return verify(*reference, *reference, workload->build().value(),
                      {plan::Mode::Train, 8, plan::Precision::Fp32, optimizer}, {})
            .state;
    };
    EXPECT_EQ(stateAt(3), VerificationState::Pass);
    EXPECT_EQ(stateAt(-0.01), VerificationState::Fail);  // uphill
}

TEST(Verification, DoesNotCheckWhatCannotRun) {
    for (const auto kind : {ErrorKind::Unsupported, ErrorKind::OutOfMemory}) {
        const auto refuse = [kind] { return Result<void>(fail(kind, "device", Message("no room"))); };
        const auto result = verifyMnist({.refuseCompile = refuse});
        EXPECT_EQ(result.state, VerificationState::NotChecked);
        EXPECT_THAT(result.reason.text, HasSubstr("no room"));
    }
    const auto crash = [] { return Result<void>(fail(ErrorKind::Internal, "device", Message("is gone"))); };
    EXPECT_EQ(verifyMnist({.refuseStep = crash}).state, VerificationState::Fail);
}

TEST(Verification, TakesAsManySamplesAsTheReferenceCanAfford) {
    const auto batchOf = [](std::int64_t units, const VerifyOptions& options) {
        model::GraphBuilder g("wide");
        g.head(g.dense(g.dense(g.input({units}), units), 2));
        std::int64_t batch = 0;
        const auto candidate = test::makeAlteredBackend({.onRead = [&](const plan::Tensor& tensor, auto) {
            if (tensor.role == plan::TensorRole::Probability) batch = tensor.dims[0];
        }});
        const auto reference = compute::makeReferenceBackend();
        const auto result = verify(*candidate, *reference, std::move(g).build().value(),
                                   {plan::Mode::Infer, 128, plan::Precision::Fp32, {}}, options);
        EXPECT_EQ(result.state, VerificationState::Pass);
        return batch;
    };
    EXPECT_EQ(batchOf(16, {}), 8);
    EXPECT_EQ(batchOf(16, {.reducedBatch = 3}), 3);
    EXPECT_EQ(batchOf(16, {.reducedBatch = 1000}), 128);
}

// This network averages over the image after its normalisation: for a single sample all earlier gradients are zero
// except for rounding, in any implementation.
TEST(Verification, TakesTwoSamplesOfWhatIsNormalised) {
    const auto batchOf = [](std::string_view id, plan::Mode mode, std::int64_t full) {
        return checkedBatch(model::findWorkload(id).value()->build().value(), {mode, full, plan::Precision::Fp32, {}},
                            2)
            .value();
    };
    EXPECT_EQ(batchOf("resnet101", plan::Mode::Train, 32), 2);
    EXPECT_EQ(batchOf("resnet101", plan::Mode::Train, 1), 1);
    EXPECT_EQ(batchOf("vgg19", plan::Mode::Train, 32), 1);

    model::GraphBuilder g("averaged");
    const auto image = g.conv(g.input({3, 8, 8}), {.filters = 4, .kernel = {3, 3}});
    g.head(g.dense(g.add(model::GlobalAveragePool{}, {g.add(model::BatchNorm{}, {image})}), 5));
    const auto graph = std::move(g).build().value();
    const auto reference = compute::makeReferenceBackend();
    const auto rounding = compute::makeReferenceBackend({.emulatePrecision = true});
    const auto errorOf = [&](std::int64_t batch) {
        return verify(*rounding, *reference, graph, {plan::Mode::Train, 32, plan::Precision::Fp32, {}},
                      {.reducedBatch = batch, .tolerance = 0.01, .lossSteps = 0})
            .maxRelativeError.value();
    };
    EXPECT_GT(errorOf(1), 0.5);
    EXPECT_LT(errorOf(2), 0.01);
}

}  // namespace
}  // namespace steelyard::bench

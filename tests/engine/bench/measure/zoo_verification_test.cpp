// SPDX-License-Identifier: Apache-2.0
// Verification of the whole zoo on the CPU backend, as before timing: every network, training and inference, in Float32
// and, if supported, bfloat16; inference also in int8.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/bench/measure/verification.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"
#include "tests/support/altered_backend.h"
#include "tests/support/zoo_cases.h"

namespace steelyard::bench {
namespace {

class ZooVerification : public ::testing::TestWithParam<test::ZooCase> {};

TEST_P(ZooVerification, AgreesWithTheReference) {
    const auto& [id, mode, precision] = GetParam();
    const auto* workload = model::findWorkload(id).value();
    const auto cpu = compute::makeCpuBackend();
    const auto reference = compute::makeReferenceBackend();
    VerifyOptions options;
    options.compile.threads = 2;
    const auto result = verify(*cpu, *reference, workload->build().value(),
                               {mode, workload->batch, precision, workload->optimizer}, options);
    RecordProperty("max_relative_error", fmt::format("{:.2g}", result.maxRelativeError.value_or(-1)));
    RecordProperty("tolerance", fmt::format("{:.2g}", result.tolerance.value_or(-1)));
    if (result.state == VerificationState::NotChecked) GTEST_SKIP() << result.reason;
    EXPECT_EQ(result.state, VerificationState::Pass) << result.reason;
}

std::vector<test::ZooCase> withEightBits() {
    auto cases = test::zooCases();
    for (const auto& workload : model::workloads())
        cases.push_back({workload.id, plan::Mode::Infer, plan::Precision::Int8});
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Zoo, ZooVerification, ::testing::ValuesIn(withEightBits()),
                         [](const auto& tested) { return tested.param.name(); });

// A network whose last bias has a gradient of rounding errors only: the allowance for it hides no error, neither in
// that bias nor in the weights of the layer.
class WrongGradients : public ::testing::Test {
protected:
    static Verification verifyResNet56(std::function<void(const plan::Tensor&, std::span<float>)> onRead) {
        const auto* workload = model::findWorkload("resnet56").value();
        const auto altered = test::makeAlteredBackend({.onRead = std::move(onRead)});
        const auto reference = compute::makeReferenceBackend();
        VerifyOptions options{.lossSteps = 0};
        options.compile.threads = 2;
        return verify(*altered, *reference, workload->build().value(),
                      {plan::Mode::Train, workload->batch, plan::Precision::Fp32, workload->optimizer}, options);
    }
    static double usual(std::span<const float> values) {
        double squares = 0;
        for (const auto value : values) squares += static_cast<double>(value) * static_cast<double>(value);
        return std::sqrt(squares / static_cast<double>(values.size()));
    }
};

constexpr std::string_view kLast = "conv2d_55";

TEST_F(WrongGradients, AreFoundInTheWeights) {
    const auto result = verifyResNet56([](const plan::Tensor& tensor, std::span<float> values) {
        if (tensor.name != fmt::format("{}.weight.gradient", kLast)) return;
        for (auto& value : values) value *= 1.01F;
    });
    EXPECT_EQ(result.state, VerificationState::Fail);
    EXPECT_THAT(result.reason.text, ::testing::HasSubstr(kLast));
    EXPECT_NEAR(result.maxRelativeError.value(), 0.01, 1e-3);
}

// A single filter's bias gradient, off by 1 % of a typical gradient of its layer: as if a pixel were missing.
TEST_F(WrongGradients, AreFoundInABiasWhoseGradientIsZero) {
    double beside = 0;
    const auto result = verifyResNet56([&](const plan::Tensor& tensor, std::span<float> values) {
        if (tensor.name == fmt::format("{}.weight.gradient", kLast)) beside = usual(values);
        if (tensor.name == fmt::format("{}.bias.gradient", kLast)) values[7] += static_cast<float>(0.01 * beside);
    });
    EXPECT_EQ(result.state, VerificationState::Fail);
    EXPECT_THAT(result.reason.text, ::testing::HasSubstr(fmt::format("{}.bias", kLast)));
}

}  // namespace
}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/step_profile.h"

#include <gtest/gtest.h>

#include "engine/compute/reference/reference_backend.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

std::shared_ptr<const plan::Plan> planOf(const char* workload, plan::Mode mode, std::int64_t batch) {
    const auto found = model::resolveWorkload(workload).value();
    return std::make_shared<const plan::Plan>(
        plan::lower(found.build().value(), {mode, batch, plan::Precision::Fp32, found.optimizer}).value());
}

TEST(StepProfile, EveryOperationOfTheStepIsTimed) {
    const auto backend = compute::makeReferenceBackend();
    const auto plan = planOf("alexnet_r", plan::Mode::Train, 1);
    compute::CompileOptions options;
    options.device = "reference";
    const auto profile = profileStep(*backend, plan, options, SystemClock(), [] { return false; },
                                     {.time = Seconds(0.01), .minimumSteps = 2});
    ASSERT_TRUE(profile) << describe(profile.error());
    EXPECT_GE(profile->steps, 2);
    EXPECT_EQ(profile->operations.size(), plan->operations.size());
    EXPECT_LE(profile->sumSeconds(), profile->stepSeconds * 1.0001) << "the clock is read outside of each operation";
    EXPECT_GT(profile->sumSeconds(), 0.5 * profile->stepSeconds);
    const auto shares = sharesByKind(*profile);
    double sum = 0;
    for (const auto& share : shares) sum += share.share;
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_EQ(shares.front().what, "convolution");
    EXPECT_EQ(shares.back().what, "between operations");
}

TEST(StepProfile, TheFirstStepDoesNotCount) {
    // A backend whose first step takes a second and the others a hundredth; its means include all steps.
    class SlowStart final : public compute::Executable {
    public:
        explicit SlowStart(std::shared_ptr<const plan::Plan> plan) : m_plan(std::move(plan)) {}
        const plan::Plan& plan() const override { return *m_plan; }
        Result<void> write(plan::TensorId, std::span<const float>) override { return {}; }
        Result<void> write(plan::TensorId, std::span<const std::int32_t>) override { return {}; }
        Result<void> read(plan::TensorId, std::span<float>) override { return {}; }
        Result<compute::StepOutcome> step(const compute::StepContext&) override {
            m_seconds += m_steps++ == 0 ? 1.0 : 0.01;
            return compute::StepOutcome{};
        }
        compute::MemoryFigures memory() const override { return {}; }
        std::vector<compute::OperationTime> profile() const override {
            return {{0, m_seconds / static_cast<double>(m_steps), "invented"}};
        }

    private:
        std::shared_ptr<const plan::Plan> m_plan;
        double m_seconds = 0;
        std::int64_t m_steps = 0;
    };
    class Backend final : public compute::Backend {
    public:
        bool timed = true;
        std::string_view name() const override { return "invented"; }
        std::vector<compute::Device> devices() const override { return {}; }
        std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
        Result<void> supports(const plan::Operation&, const plan::Plan&) const override { return {}; }
        Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                             const compute::CompileOptions& options) override {
            EXPECT_TRUE(options.profile);
            return std::make_unique<SlowStart>(std::move(plan));
        }
    };
    Backend backend;
    const ManualClock clock;
    const auto profile = profileStep(backend, planOf("mnist_mlp", plan::Mode::Infer, 1), {}, clock,
                                     [] { return false; }, {.time = Seconds(1), .maximumSteps = 7});
    ASSERT_TRUE(profile) << describe(profile.error());
    EXPECT_EQ(profile->steps, 7);
    ASSERT_EQ(profile->operations.size(), 1U);
    EXPECT_NEAR(profile->operations[0].seconds, 0.01, 1e-9);
    EXPECT_EQ(profile->operations[0].kernel, "invented");
    EXPECT_EQ(profile->operations[0].kind, "matmul");

    const auto cancelled =
        profileStep(backend, planOf("mnist_mlp", plan::Mode::Infer, 1), {}, clock, [] { return true; });
    EXPECT_EQ(cancelled.error().kind, ErrorKind::Cancelled);
}

}  // namespace
}  // namespace steelyard::bench

// SPDX-License-Identifier: Apache-2.0
// When one thread computes a step: only if it is tiny, by trial, once.
#include "engine/compute/cpu/step_threads.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/kernel_memory.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cpu {
namespace {

plan::Plan perceptron(std::int64_t width) {
    model::GraphBuilder g("perceptron");
    auto x = g.input({30});
    for (int layer = 0; layer < 3; ++layer) x = g.relu(g.dense(x, width));
    g.head(g.dense(x, 4));
    return plan::lower(std::move(g).build().value(), {plan::Mode::Infer, 2, plan::Precision::Fp32, {}}).value();
}

// Steps that take a given time.
class SleepingExecutable final : public Executable {
public:
    SleepingExecutable(const plan::Plan& plan, std::chrono::microseconds time) : m_plan(plan), m_time(time) {}
    [[nodiscard]] const plan::Plan& plan() const override { return m_plan; }
    [[nodiscard]] Result<void> write(plan::TensorId, std::span<const float>) override { return {}; }
    [[nodiscard]] Result<void> write(plan::TensorId, std::span<const std::int32_t>) override { return {}; }
    [[nodiscard]] Result<void> read(plan::TensorId, std::span<float>) override { return {}; }
    [[nodiscard]] Result<StepOutcome> step(const StepContext&) override {
        std::this_thread::sleep_for(m_time);
        return StepOutcome{};
    }
    [[nodiscard]] MemoryFigures memory() const override { return {}; }
    [[nodiscard]] std::vector<OperationTime> profile() const override { return {}; }

private:
    const plan::Plan& m_plan;
    std::chrono::microseconds m_time;
};

class StepThreads : public ::testing::Test {
protected:
    // A builder whose steps take these times, and which counts.
    StepBuilder builder(const plan::Plan& plan, int one, int all) {
        return [this, &plan, one, all](int threads) -> Result<std::unique_ptr<Executable>> {
            ++m_built;
            return std::make_unique<SleepingExecutable>(plan, std::chrono::microseconds(threads == 1 ? one : all));
        };
    }

    const plan::Plan m_tiny = perceptron(16), m_large = perceptron(2048);
    const CompileOptions m_options{.threads = 4};
    Tuner m_tuner;
    int m_built = 0;
};

TEST_F(StepThreads, AreTheFasterOfOneAndAllInATinyStep) {
    EXPECT_EQ(threadsOfStep(m_tuner, m_tiny, m_options, builder(m_tiny, 100, 2000)), 1);
    Tuner other;
    EXPECT_EQ(threadsOfStep(other, m_tiny, m_options, builder(m_tiny, 2000, 100)), 4);
    EXPECT_EQ(m_built, 4);
}

TEST_F(StepThreads, AreTriedOnce) {
    EXPECT_EQ(threadsOfStep(m_tuner, m_tiny, m_options, builder(m_tiny, 100, 2000)), 1);
    EXPECT_EQ(threadsOfStep(m_tuner, m_tiny, m_options, builder(m_tiny, 2000, 100)), 1);
    EXPECT_EQ(m_built, 2);
    // Also for what only computes sizes.
    auto sizes = m_tuner.withoutTrials();
    EXPECT_EQ(threadsOfStep(sizes, m_tiny, m_options, {}), 1);
    auto unknown = Tuner().withoutTrials();
    EXPECT_EQ(threadsOfStep(unknown, m_tiny, m_options, {}), 4);
}

TEST_F(StepThreads, AreAllInALargerStepAndAmongRanks) {
    EXPECT_EQ(threadsOfStep(m_tuner, m_large, m_options, builder(m_large, 1, 1)), 4);
    auto ranked = m_options;
    ranked.ranks = RankGroup{};
    EXPECT_EQ(threadsOfStep(m_tuner, m_tiny, ranked, builder(m_tiny, 1, 1)), 4);
    EXPECT_EQ(threadsOfStep(m_tuner, m_tiny, {.threads = 1}, builder(m_tiny, 1, 1)), 1);
    EXPECT_EQ(m_built, 0);
}

TEST_F(StepThreads, AreAllIfItCannotBeBuiltTwice) {
    const auto failing = [](int threads) -> Result<std::unique_ptr<Executable>> {
        return fail(ErrorKind::OutOfMemory, std::to_string(threads), Message("full"));
    };
    EXPECT_EQ(threadsOfStep(m_tuner, m_tiny, m_options, failing), 4);
    EXPECT_FALSE(m_tuner.known("threads " + stepName(m_tiny, 4, m_options.kernels)));
}

// The step says which it is, computes the same either way, and keeps its choice.
TEST_F(StepThreads, AreRemarkedOn) {
    const auto backend = makeCpuBackend();
    const auto plan = std::make_shared<const plan::Plan>(perceptron(16));
    const auto first = backend->compile(plan, m_options), second = backend->compile(plan, m_options);
    ASSERT_TRUE(first && second);
    EXPECT_EQ((*first)->remarks().size(), (*second)->remarks().size());
    for (const auto& remark : (*first)->remarks())
        EXPECT_EQ(remark.text, "one of 4 threads computes the step, which is faster than using all of them");
    const auto large = backend->compile(std::make_shared<const plan::Plan>(m_large), m_options);
    ASSERT_TRUE(large);
    EXPECT_TRUE((*large)->remarks().empty());
    const auto comparison = steelyard::test::compareWithReference(*backend, *plan, m_options);
    ASSERT_NE(comparison.largest(), nullptr);
    EXPECT_LT(comparison.largest()->relative, 1e-5);
}

}  // namespace
}  // namespace steelyard::compute::cpu

// SPDX-License-Identifier: Apache-2.0
// The memory planned by the CPU backend equals what it allocates: every network, training and inference, in Float32
// and, if supported, bfloat16. Batches are reduced to fit a small machine.
#include <gtest/gtest.h>

#include "engine/compute/cpu/cpu_backend.h"
#include "tests/support/zoo_cases.h"

namespace steelyard::compute {
namespace {

constexpr double kLargestBytes = 1.5e9;
constexpr double kPage = 2 << 20;  // memory is allocated in huge pages

Result<plan::Plan> planThatFits(const model::Workload& workload, const test::ZooCase& planned) {
    const auto graph = workload.build();
    if (!graph) return Failure(graph.error());
    for (auto batch = workload.batch;; batch /= 2) {
        auto plan = plan::lower(*graph, {planned.mode, batch, planned.precision, workload.optimizer});
        if (!plan || batch == 1 || static_cast<double>(plan->memory.total().value()) < kLargestBytes) return plan;
    }
}

class PlannedMemory : public ::testing::TestWithParam<test::ZooCase> {};

TEST_P(PlannedMemory, IsWhatTheStepAllocates) {
    const auto* workload = model::findWorkload(GetParam().workload).value();
    auto lowered = planThatFits(*workload, GetParam());
    ASSERT_TRUE(lowered) << describe(lowered.error());
    const auto plan = std::make_shared<const plan::Plan>(std::move(*lowered));
    const auto backend = makeCpuBackend();
    const CompileOptions options{.threads = 2};
    const auto planned = backend->plannedMemory(*plan, options);
    if (!planned && planned.error().kind == ErrorKind::Unsupported) GTEST_SKIP() << describe(planned.error());
    ASSERT_TRUE(planned) << describe(planned.error());
    const auto executable = backend->compile(plan, options);
    if (!executable && executable.error().kind == ErrorKind::OutOfMemory) GTEST_SKIP() << describe(executable.error());
    ASSERT_TRUE(executable) << describe(executable.error());
    const auto peak = static_cast<double>((*executable)->memory().peak.value());
    EXPECT_NEAR(static_cast<double>(planned->peak.value()), peak, 0.1 * peak + kPage);
    // With the kernels selected by then, exact to the page.
    const auto after = backend->plannedMemory(*plan, options);
    EXPECT_NEAR(static_cast<double>(after->peak.value()), peak, kPage);
}

INSTANTIATE_TEST_SUITE_P(Zoo, PlannedMemory, ::testing::ValuesIn(test::zooCases()),
                         [](const auto& tested) { return tested.param.name(); });

}  // namespace
}  // namespace steelyard::compute

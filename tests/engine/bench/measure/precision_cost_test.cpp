// SPDX-License-Identifier: Apache-2.0
// The loss of accuracy of int8 is measured against fp32, on the same seeded samples.
#include "engine/bench/measure/precision_cost.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {
namespace {

// levels: of the weights; fewer levels lose more.
PrecisionCost costOf(const char* name, std::int64_t batch, int levels) {
    const auto graph = model::findWorkload(name).value()->build().value();
    const auto cpu = compute::makeCpuBackend({});
    const auto reference = compute::makeReferenceBackend();
    plan::PlanOptions options{plan::Mode::Infer, batch, plan::Precision::Int8, {}};
    options.quantisation = compute::calibrate(*reference, *cpu, graph, options, {.seed = 1, .threads = 2}).value();
    options.quantisation.weightLevels = levels;
    const auto plan = std::make_shared<const plan::Plan>(plan::lower(graph, options).value());
    PrecisionCostOptions cost;
    cost.compile = {.device = "cpu", .threads = 1};
    const auto executable = cpu->compile(plan, cost.compile).value();
    EXPECT_TRUE(compute::writeSyntheticState(*executable, 1));
    const SystemClock clock;
    return precisionCost(*cpu, *executable, graph, cost, clock).value();
}

TEST(PrecisionCostTest, GrowsAsTheStepsDo) {
    const auto fine = costOf("mnist_mlp", 100, 63), coarse = costOf("mnist_mlp", 100, 3);
    EXPECT_EQ(fine.samples, 300);  // whole batches
    EXPECT_GT(fine.relativeRms, 1e-4);
    EXPECT_LT(fine.relativeRms, 0.1);
    EXPECT_GT(coarse.relativeRms, 2 * fine.relativeRms);
    EXPECT_GT(fine.topClassAgreement.value(), 0.9);
    EXPECT_LT(coarse.topClassAgreement.value(), fine.topClassAgreement.value());
}

TEST(PrecisionCostTest, LargeLogitsDoNotHideIt) {
    const auto cost = costOf("resnet56", 32, 63);  // a new one's outputs are ones and zeros
    EXPECT_GT(cost.relativeRms, 1e-4);
    EXPECT_LT(cost.relativeRms, 0.5);
}

}  // namespace
}  // namespace steelyard::bench

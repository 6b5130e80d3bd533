// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/memory_headroom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/model/graph.h"

namespace steelyard::compute::cpu {
namespace {

// Inference, calculated by hand: 16 x 32 x 32 floats are 64 KiB; pooled, a quarter.
TEST(Room, IsWhatTheWorstOperationNeedsMore) {
    model::GraphBuilder g("narrowing");
    const auto large = g.conv(g.input({1, 32, 32}), {.filters = 16, .kernel = {3, 3}, .padding = {1, 1, 1, 1}});
    const auto pooled = g.add(model::Pool2d{.kernel = {2, 2}, .stride = {2, 2}}, {large});
    g.head(g.dense(g.flatten(pooled), 4));
    const auto plan =
        plan::lower(std::move(g).build().value(), {plan::Mode::Infer, 1, plan::Precision::Fp32, {}}).value();
    const auto room = headroomBeside(plan);
    ASSERT_EQ(room.size(), plan.operations.size());
    const auto of = [&](plan::OperationKind kind) {
        const auto at = std::find_if(plan.operations.begin(), plan.operations.end(),
                                     [&](const auto& op) { return op.kind == kind; });
        return room[static_cast<std::size_t>(at - plan.operations.begin())];
    };
    EXPECT_EQ(of(plan::OperationKind::Convolution), 16 << 10);
    EXPECT_EQ(of(plan::OperationKind::Pool), 0);
    EXPECT_GT(of(plan::OperationKind::MatMul), 32 << 10);
}

// In training, values kept for the backward pass stay alive: the headroom is smallest in the middle.
TEST(Room, CountsWhatLivesUntilTheBackwardPass) {
    model::GraphBuilder g("chain");
    auto x = g.input({256});
    for (int i = 0; i < 4; ++i) x = g.relu(g.dense(x, 256));
    g.head(g.dense(x, 2));
    const auto plan =
        plan::lower(std::move(g).build().value(), {plan::Mode::Train, 8, plan::Precision::Fp32, {}}).value();
    const auto room = headroomBeside(plan);
    EXPECT_EQ(*std::min_element(room.begin(), room.end()), 0);
    EXPECT_GT(room.front(), 0);
    const auto forward = std::count_if(plan.operations.begin(), plan.operations.end(),
                                       [](const auto& op) { return op.pass == plan::Pass::Forward; });
    EXPECT_TRUE(std::is_sorted(room.begin(), room.begin() + forward - 2, std::greater<>()));
}

}  // namespace
}  // namespace steelyard::compute::cpu

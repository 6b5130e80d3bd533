// SPDX-License-Identifier: Apache-2.0
// Recurrent layers in bfloat16 by own products, whatever trials say of the speed.
#include <gtest/gtest.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

using model::RecurrentCell;

void walkAlways(cpu::KernelChoices& choices) {
    for (auto& [key, choice] : choices)
        if (key.starts_with("recurrent ")) choice.index = 0;
}

model::Graph network(const model::Recurrent& first, const model::Recurrent& second, std::int64_t features) {
    model::GraphBuilder g("walk");
    const auto x = g.add(first, {g.input({4, features})});
    g.head(g.dense(g.add(second, {x}), 3));
    return std::move(g).build().value();
}

class RecurrentWalk : public ::testing::Test {
protected:
    void SetUp() override {
        if (!cpu::hasBfloat16Products()) GTEST_SKIP() << "no bfloat16 here";
    }
    // A wider panel than one, columns that fill none, odd features.
    void expectSame(RecurrentCell cell, bool bidirectional, int threads) {
        test::ChosenKernels backend(walkAlways);
        const model::Recurrent first{cell, 38, bidirectional, true, 1.0, false};
        const model::Recurrent second{cell, 6, bidirectional, false, 1.0, !bidirectional};
        for (const std::int64_t batch : {16, 37})
            steelyard::test::expectEqualsReference(backend, network(first, second, 7),
                                                   {.precision = plan::Precision::Bf16,
                                                    .optimizer = {.kind = model::OptimizerKind::Momentum},
                                                    .batch = batch,
                                                    .tolerance = 2e-2,
                                                    .compile = {.threads = threads}});
        EXPECT_GT(backend.tasks("own:recurrent"), 0);
        EXPECT_GT(backend.tasks("own:recurrent_gradients"), 0);
    }
};

TEST_F(RecurrentWalk, OfAnLstmEqualsTheReference) {
    expectSame(RecurrentCell::Lstm, false, 1);
    expectSame(RecurrentCell::Lstm, false, 3);
}

TEST_F(RecurrentWalk, InBothDirectionsEqualsTheReference) {
    expectSame(RecurrentCell::Lstm, true, 2);
    expectSame(RecurrentCell::Rnn, true, 2);
}

TEST_F(RecurrentWalk, OfAPlainCellEqualsTheReference) {
    expectSame(RecurrentCell::Rnn, false, 2);
}

// Rows of A of an odd length have no zero behind them.
TEST_F(RecurrentWalk, IsNotTakenBackWhereGatesAreOdd) {
    test::ChosenKernels backend(walkAlways);
    const model::Recurrent layer{RecurrentCell::Rnn, 5, false, true, 1.0, false};
    steelyard::test::expectEqualsReference(backend, network(layer, layer, 3),
                                           {.precision = plan::Precision::Bf16, .batch = 17, .tolerance = 4e-2});
    EXPECT_GT(backend.tasks("own:recurrent"), 0);
    EXPECT_EQ(backend.tasks("own:recurrent_gradients"), 0);
}

}  // namespace
}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// Recurrent layers computed batch-parallel, regardless of trial timings.
#include <gtest/gtest.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

using model::RecurrentCell;

void alwaysBatchParallel(cpu::KernelChoices& choices) {
    for (auto& [key, choice] : choices)
        if (key.starts_with("recurrent ")) choice.index = 0;
}

model::Graph network(const model::Recurrent& first, const model::Recurrent& second, std::int64_t features) {
    model::GraphBuilder g("batch_parallel");
    const auto x = g.add(first, {g.input({4, features})});
    g.head(g.dense(g.add(second, {x}), 3));
    return std::move(g).build().value();
}

class RecurrentBatchParallel : public ::testing::TestWithParam<plan::Precision> {
protected:
    void SetUp() override {
        const auto& loops = cpu::kernels();
        const bool isF32 = GetParam() == plan::Precision::Fp32;
        if (isF32 ? loops.f32Gemm.multiply == nullptr : loops.bf16Gemm.multiply == nullptr)
            GTEST_SKIP() << (isF32 ? "needs AVX-512" : "needs AVX-512 BF16");
    }
    // More than one panel, partial columns, an odd number of features.
    void expectSame(RecurrentCell cell, bool bidirectional, int threads) {
        ChosenKernels backend(alwaysBatchParallel);
        const model::Recurrent first{cell, 38, bidirectional, true, 1.0, false};
        const model::Recurrent second{cell, 6, bidirectional, false, 1.0, !bidirectional};
        for (const std::int64_t batch : {16, 37})
            steelyard::test::expectEqualsReference(backend, network(first, second, 7),
                                                   {.precision = GetParam(),
                                                    .optimizer = {.kind = model::OptimizerKind::Momentum},
                                                    .batch = batch,
                                                    .tolerance = GetParam() == plan::Precision::Fp32 ? 1e-4 : 2e-2,
                                                    .compile = {.threads = threads}});
        EXPECT_GT(backend.tasks("native:recurrent"), 0);
        EXPECT_GT(backend.tasks("native:recurrent_gradients"), 0);
    }
};

TEST_P(RecurrentBatchParallel, OfAnLstmEqualsTheReference) {
    expectSame(RecurrentCell::Lstm, false, 1);
    expectSame(RecurrentCell::Lstm, false, 3);
}

TEST_P(RecurrentBatchParallel, InBothDirectionsEqualsTheReference) {
    expectSame(RecurrentCell::Lstm, true, 2);
    expectSame(RecurrentCell::Rnn, true, 2);
}

TEST_P(RecurrentBatchParallel, OfAPlainCellEqualsTheReference) {
    expectSame(RecurrentCell::Rnn, false, 2);
}

// Rows of A with odd length have no padding zero where words are pairs.
TEST_P(RecurrentBatchParallel, OfOddGatesIsNotTakenBackInPairs) {
    const bool pairs = GetParam() == plan::Precision::Bf16;
    ChosenKernels backend(alwaysBatchParallel);
    const model::Recurrent layer{RecurrentCell::Rnn, 5, false, true, 1.0, false};
    steelyard::test::expectEqualsReference(backend, network(layer, layer, 3),
                                           {.precision = GetParam(), .batch = 17, .tolerance = pairs ? 4e-2 : 1e-4});
    EXPECT_GT(backend.tasks("native:recurrent"), 0);
    EXPECT_EQ(backend.tasks("native:recurrent_gradients") == 0, pairs);
}

INSTANTIATE_TEST_SUITE_P(Precisions, RecurrentBatchParallel,
                         ::testing::Values(plan::Precision::Fp32, plan::Precision::Bf16),
                         [](const auto& tested) { return std::string(toString(tested.param)); });

}  // namespace
}  // namespace steelyard::compute

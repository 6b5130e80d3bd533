// SPDX-License-Identifier: Apache-2.0
// Recurrent layers of few samples, all steps in one task, regardless of trial timings.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "engine/compute/cpu/kernels/kernels.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

using model::RecurrentCell;

// Candidate `index` of the forward pass: 0 divides samples only, 1 also units. The backward pass is batch-parallel.
ChosenKernels::Choose fusedSteps(int index) {
    return [index](cpu::KernelChoices& choices) {
        for (auto& [key, choice] : choices) {
            if (key.starts_with("recurrent steps ")) choice.index = index;
            if (key.starts_with("recurrent backward ")) choice.index = 0;
        }
    };
}

struct FusedCase {
    RecurrentCell cell = RecurrentCell::Lstm;
    bool bidirectional = false;
    std::int64_t units = 0;
    int threads = 1;
};

model::Graph fusedNetwork(const FusedCase& c) {
    model::GraphBuilder g("fused_steps");
    const model::Recurrent first{c.cell, c.units, c.bidirectional, true, 1.0, false};
    const model::Recurrent second{c.cell, c.units + 2, c.bidirectional, false, 1.0, true};
    g.head(g.dense(g.add(second, {g.add(first, {g.input({4, 7})})}), 3));
    return std::move(g).build().value();
}

bool hasProducts(plan::Precision precision) {
    const auto& loops = cpu::kernels();
    return (precision == plan::Precision::Fp32 ? loops.f32Gemm.multiply != nullptr
                                               : loops.bf16Gemm.multiply != nullptr);
}

class RecurrentFusedSteps : public ::testing::TestWithParam<std::tuple<plan::Precision, RecurrentCell>> {
protected:
    void SetUp() override {
        if (!hasProducts(precision())) GTEST_SKIP() << "needs AVX2, in bf16 AVX-512 BF16";
    }
    static plan::Precision precision() { return std::get<0>(GetParam()); }
    static void expectSame(ChosenKernels& backend, const FusedCase& tested, std::int64_t batch) {
        SCOPED_TRACE("batch " + std::to_string(batch));
        steelyard::test::expectEqualsReference(backend, fusedNetwork(tested),
                                               {.precision = precision(),
                                                .optimizer = {.kind = model::OptimizerKind::Momentum},
                                                .batch = batch,
                                                .tolerance = precision() == plan::Precision::Fp32 ? 1e-4 : 2e-2,
                                                .compile = {.threads = tested.threads}});
    }
    // Two layers in inference and training, and the backward pass.
    static void expectSame(int index, const FusedCase& tested) {
        ChosenKernels backend(fusedSteps(index));
        for (const std::int64_t batch : {1, 2, 5}) expectSame(backend, tested, batch);
        const int layers = tested.bidirectional ? 4 : 2;
        EXPECT_EQ(backend.tasks("native:recurrent_steps"), 3 * 2 * layers);
        EXPECT_EQ(backend.tasks("native:recurrent_gradients"), 3 * layers);
        EXPECT_EQ(backend.tasks("native:gates"), 0);
        expectSame(backend, tested, 16);  // where some cells take input and state together
    }
};

// More than one panel, with a part of the columns.
TEST_P(RecurrentFusedSteps, EqualTheReference) {
    const auto cell = std::get<1>(GetParam());
    expectSame(0, {cell, false, 38, 1});
    expectSame(0, {cell, false, 38, 3});
    expectSame(0, {cell, true, 6, 2});
}

// Parts of units end inside a panel; the last part is smaller, and there may be none left for it.
TEST_P(RecurrentFusedSteps, WithDividedUnitsEqualTheReference) {
    const auto cell = std::get<1>(GetParam());
    expectSame(1, {cell, false, 38, 2});
    expectSame(1, {cell, true, 34, 4});
    expectSame(2, {cell, false, 66, 4});
}

// A row of an odd number of states has no zero after it, which pairs would need.
TEST_P(RecurrentFusedSteps, OfOddUnitsAreNotTakenInPairs) {
    ChosenKernels backend(fusedSteps(0));
    expectSame(backend, {std::get<1>(GetParam()), false, 5, 2}, 2);
    EXPECT_EQ(backend.tasks("native:recurrent_steps") == 0, precision() == plan::Precision::Bf16);
}

TEST_P(RecurrentFusedSteps, AreOnlyComputedIfNoLibraryIsAskedFor) {
    ChosenKernels backend(fusedSteps(0));
    steelyard::test::expectEqualsReference(
        backend, fusedNetwork({std::get<1>(GetParam()), false, 6, 2}),
        {.precision = precision(), .batch = 2, .tolerance = 2e-2, .compile = {.kernels = "onednn"}});
    EXPECT_EQ(backend.tasks("native:recurrent_steps"), 0);
    EXPECT_GT(backend.tasks("native:gates"), 0);
}

INSTANTIATE_TEST_SUITE_P(Cells, RecurrentFusedSteps,
                         ::testing::Combine(::testing::Values(plan::Precision::Fp32, plan::Precision::Bf16),
                                            ::testing::Values(RecurrentCell::Lstm, RecurrentCell::Gru,
                                                              RecurrentCell::Rnn)),
                         [](const auto& tested) {
                             const auto cell = std::get<1>(tested.param);
                             return std::string(toString(std::get<0>(tested.param))) +
                                    (cell == RecurrentCell::Lstm  ? "_lstm"
                                     : cell == RecurrentCell::Gru ? "_gru"
                                                                  : "_rnn");
                         });

}  // namespace
}  // namespace steelyard::compute

// SPDX-License-Identifier: Apache-2.0
// Recurrent layers in bfloat16 by own products, whatever trials say of the speed.
#include <gtest/gtest.h>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/executable.h"
#include "engine/compute/cpu/fusion.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/threads.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

using model::RecurrentCell;

// The CPU backend, but of each operation's candidates the first is taken, which for recurrent layers are own products.
class FirstCandidates final : public Backend {
public:
    [[nodiscard]] std::string_view name() const override { return "first candidates"; }
    [[nodiscard]] std::vector<Device> devices() const override { return m_cpu->devices(); }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    [[nodiscard]] Result<void> supports(const plan::Operation& operation, const plan::Plan& plan) const override {
        return m_cpu->supports(operation, plan);
    }
    [[nodiscard]] Result<MemoryFigures> plannedMemory(const plan::Plan& plan,
                                                      const CompileOptions& options) const override {
        return m_cpu->plannedMemory(plan, options);
    }
    [[nodiscard]] Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                              const CompileOptions& options) override {
        const cpu::ThreadScope threads(options.threads);
        const auto fused = cpu::fuse(*plan, {options.keepGradients});
        auto tuner = cpu::Tuner().untrying();
        auto step = cpu::Compiler(m_engine, tuner, fused, options).run();
        if (!step) return Failure(step.error());
        for (const auto& task : step->tasks) {
            m_walks += task.kernel == "own:recurrent" ? 1 : 0;
            m_walksBack += task.kernel == "own:recurrent_gradients" ? 1 : 0;
        }
        step->plan = std::move(plan);
        return cpu::CpuExecutable::make(m_engine, std::move(*step), options);
    }
    [[nodiscard]] int walks() const { return m_walks; }
    [[nodiscard]] int walksBack() const { return m_walksBack; }

private:
    std::unique_ptr<Backend> m_cpu = makeCpuBackend();
    dnnl::engine m_engine{dnnl::engine::kind::cpu, 0};
    int m_walks = 0, m_walksBack = 0;
};

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
        FirstCandidates backend;
        const model::Recurrent first{cell, 38, bidirectional, true, 1.0, false};
        const model::Recurrent second{cell, 6, bidirectional, false, 1.0, !bidirectional};
        for (const std::int64_t batch : {16, 37})
            test::expectEqualsReference(backend, network(first, second, 7),
                                        {.precision = plan::Precision::Bf16,
                                         .optimizer = {.kind = model::OptimizerKind::Momentum},
                                         .batch = batch,
                                         .tolerance = 2e-2,
                                         .compile = {.threads = threads}});
        EXPECT_GT(backend.walks(), 0);
        EXPECT_GT(backend.walksBack(), 0);
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
    FirstCandidates backend;
    const model::Recurrent layer{RecurrentCell::Rnn, 5, false, true, 1.0, false};
    test::expectEqualsReference(backend, network(layer, layer, 3),
                                {.precision = plan::Precision::Bf16, .batch = 17, .tolerance = 4e-2});
    EXPECT_GT(backend.walks(), 0);
    EXPECT_EQ(backend.walksBack(), 0);
}

}  // namespace
}  // namespace steelyard::compute

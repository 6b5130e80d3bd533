// SPDX-License-Identifier: Apache-2.0
// Recurrent layers in both implementations, the network library's and native kernels, on the simulated device: compared
// with the reference backend in every precision, and the choice between them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compute/backend_comparison.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "tests/engine/compute/cuda/simulated_device.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cuda {
namespace {

using model::RecurrentCell;
using test::Script;
using test::SimulatedProvider;
using ::testing::HasSubstr;

struct Layer {
    RecurrentCell cell = RecurrentCell::Lstm;
    bool bidirectional = false, sequence = true, carries = false;
};

// Placed after another layer, so that the gradient also leaves it, and before an activation that could run in place; a
// smooth one: at a ReLU a value close to zero may change sides.
model::Graph graphOf(const Layer& layer) {
    model::GraphBuilder g("recurrent");
    const auto below = g.add(model::Recurrent{RecurrentCell::Rnn, 3, false, true, 1.0, false}, {g.input({5, 2})});
    const auto x =
        g.add(model::Recurrent{layer.cell, 4, layer.bidirectional, layer.sequence, 1.0, layer.carries}, {below});
    const auto smooth = g.activation(x, model::ActivationKind::Sigmoid);
    g.head(g.dense(layer.sequence ? g.flatten(smooth) : smooth, 3));
    return std::move(g).build().value();
}

// One sequence read by two layers: the second accumulates into the gradient of the first.
model::Graph branchingGraph() {
    model::GraphBuilder g("branches");
    const auto below = g.add(model::Recurrent{RecurrentCell::Gru, 3, false, true, 1.0, false}, {g.input({4, 2})});
    const auto one = g.add(model::Recurrent{RecurrentCell::Lstm, 2, true, false, 1.0, false}, {below});
    const auto two = g.add(model::Recurrent{RecurrentCell::Rnn, 4, false, false, 1.0, false}, {below});
    g.head(g.dense(g.add(model::Add{}, {one, two}), 3));
    return std::move(g).build().value();
}

model::Graph singleGraph(std::int64_t steps) {
    model::GraphBuilder g("single");
    const auto x = g.add(model::Recurrent{RecurrentCell::Lstm, 3, false, false, 1.0, false}, {g.input({steps, 2})});
    g.head(g.dense(x, 3));
    return std::move(g).build().value();
}

std::shared_ptr<const plan::Plan> planOf(const model::Graph& graph, plan::Mode mode = plan::Mode::Train) {
    return std::make_shared<plan::Plan>(plan::lower(graph, {mode, 2, plan::Precision::Fp32, {}}).value());
}

struct PrecisionCase {
    plan::Precision precision;
    double tolerance;
};
constexpr PrecisionCase kPrecisions[] = {{plan::Precision::Fp32, 1e-4},
                                         {plan::Precision::Tf32, 5e-3},
                                         {plan::Precision::Bf16, 4e-2},
                                         {plan::Precision::Fp16, 4e-2}};

struct Recurrences : ::testing::Test {
    std::shared_ptr<SimulatedProvider> provider = std::make_shared<SimulatedProvider>();
    std::unique_ptr<Backend> backend = makeCudaBackend(provider);
    CompileOptions options{.device = "cuda:0", .keepGradients = true};

    int runsOf(const std::string& candidate) { return provider->record().candidates[candidate]; }
    void expectReference(const model::Graph& graph, const PrecisionCase& one) {
        steelyard::test::expectEqualsReference(*backend, graph,
                                               {.precision = one.precision,
                                                .optimizer = {.kind = model::OptimizerKind::Momentum},
                                                .batch = 8,  // rounding errors average out
                                                .tolerance = one.tolerance,
                                                .compile = options});
    }
    // Steps of the plan, and the kernels of the second; compilation and trials are not counted.
    std::string secondStep(const std::shared_ptr<const plan::Plan>& plan) {
        auto profiled = options;
        profiled.profile = true;
        auto executable = backend->compile(plan, profiled);
        EXPECT_TRUE(executable) << describe(executable.error());
        EXPECT_TRUE(writeInitialValues(**executable, 1));
        EXPECT_TRUE(writeSyntheticBatch(**executable, 1));
        provider->record().candidates.clear();
        for (int i = 0; i < 2; ++i) EXPECT_TRUE((*executable)->step({i, 1.0}));
        std::string names;
        for (const auto& time : (*executable)->profile()) names += time.kernel + " ";
        remarks = (*executable)->remarks();
        return names;
    }
    std::vector<Message> remarks;
};

class RecurrentImplementations : public Recurrences, public ::testing::WithParamInterface<Layer> {};

TEST_P(RecurrentImplementations, EqualTheReferenceInEveryPrecision) {
    struct Implementation {
        const char* kernels;
        bool persistent;
    };
    for (const auto& [kernels, persistent] :
         {Implementation{"cudnn", false}, Implementation{"cudnn", true}, Implementation{"own", false}})
        for (const auto& one : kPrecisions) {
            provider->script().persistentRecurrence = persistent;
            backend = makeCudaBackend(provider);
            options.kernels = kernels;
            expectReference(graphOf(GetParam()), one);
            const auto ran = secondStep(planOf(graphOf(GetParam())));
            EXPECT_EQ(ran.find("recurrence") != std::string::npos, options.kernels == "cudnn") << ran;
            EXPECT_EQ(ran.find("recurrence:persistent") != std::string::npos, persistent) << ran;
        }
}

std::vector<Layer> everyLayer() {
    std::vector<Layer> all;
    for (const auto cell : {RecurrentCell::Lstm, RecurrentCell::Gru, RecurrentCell::Rnn})
        for (const bool bidirectional : {false, true})
            for (const bool sequence : {false, true})
                for (const bool carries : {false, true}) all.push_back({cell, bidirectional, sequence, carries});
    return all;
}

std::string nameOf(const Layer& layer) {
    const char* cell = layer.cell == RecurrentCell::Lstm ? "Lstm" : layer.cell == RecurrentCell::Gru ? "Gru" : "Rnn";
    return fmt::format("{}{}{}{}", cell, layer.bidirectional ? "BothWays" : "",
                       layer.sequence ? "Sequence" : "LastStep", layer.carries ? "Carried" : "");
}

INSTANTIATE_TEST_SUITE_P(Cuda, RecurrentImplementations, ::testing::ValuesIn(everyLayer()),
                         [](const auto& one) { return nameOf(one.param); });

TEST_F(Recurrences, GradientsOfTwoReadersAreAddedUp) {
    for (const char* kernels : {"cudnn", "own"}) {
        options.kernels = kernels;
        expectReference(branchingGraph(), kPrecisions[0]);
    }
}

TEST_F(Recurrences, TheFasterImplementationIsKeptForBothPasses) {
    const auto plan = planOf(graphOf({}));
    EXPECT_THAT(secondStep(plan), HasSubstr("recurrence"));
    EXPECT_GT(runsOf("recurrence"), 0);
    EXPECT_TRUE(remarks.empty()) << remarks[0];
    provider->script().recurrenceSeconds = 1;
    backend = makeCudaBackend(provider);
    EXPECT_THAT(secondStep(plan), HasSubstr("native:recurrent"));
    EXPECT_EQ(runsOf("recurrence"), 0);
    provider->script().recurrenceSeconds = 1e-6;
    provider->script().persistentRecurrence = true;
    backend = makeCudaBackend(provider);
    EXPECT_THAT(secondStep(plan), HasSubstr("recurrence:persistent"));
    EXPECT_EQ(runsOf("recurrence"), 0);
}

// Forward, native kernels take 15 us for 5 steps and the library 4 us plus the time of its call; for both passes 35 us,
// and 10 us plus three calls. At 10 us per call the library is faster forward but slower overall.
TEST_F(Recurrences, TheChoiceCountsWhatTheBackwardPassWillTake) {
    provider->script().recurrenceSeconds = 10e-6;
    secondStep(planOf(singleGraph(5), plan::Mode::Infer));
    EXPECT_GT(runsOf("recurrence"), 0);
    secondStep(planOf(singleGraph(5)));
    EXPECT_EQ(runsOf("recurrence"), 0);
}

TEST_F(Recurrences, ANamedImplementationIsTaken) {
    const auto plan = planOf(graphOf({}));
    provider->script().recurrenceSeconds = 1;
    options.kernels = "cudnn";
    secondStep(plan);
    EXPECT_GT(runsOf("recurrence"), 0) << "slower, but asked for";
    provider->script().recurrenceSeconds = 0;
    for (const char* kernels : {"own", "cublas"}) {
        options.kernels = kernels;
        secondStep(plan);
        EXPECT_EQ(runsOf("recurrence"), 0) << kernels;
        EXPECT_TRUE(remarks.empty());
    }
}

TEST_F(Recurrences, OwnKernelsStandInAndItIsSaidWhy) {
    const auto plan = planOf(graphOf({RecurrentCell::Gru, true}));
    const auto expectReason = [&](const char* reason) {
        for (const char* kernels : {"auto", "cudnn"}) {
            options.kernels = kernels;
            EXPECT_THAT(secondStep(plan), HasSubstr("native:recurrent"));
            ASSERT_EQ(remarks.size(), 1U) << "two layers, one reason";
            EXPECT_EQ(remarks[0], std::string("recurrent layers use built-in kernels instead of cuDNN: ") + reason);
        }
    };
    provider->script().whyNoRecurrence = "no such cell";
    expectReason("no such cell");
    provider->script().whyNoRecurrence.clear();
    options.workspaceLimit = Bytes(100);
    expectReason("needs 512 B of workspace; 100 B is allowed");
    options.workspaceLimit.reset();
    provider->script().whyNoNetworks = Message("libcudnn.so.9: cannot open shared object file");
    expectReason("libcudnn.so.9: cannot open shared object file");
}

TEST_F(Recurrences, AGraphOfStepsRepeatsThem) {
    const auto plan = planOf(graphOf({RecurrentCell::Lstm, true, true, true}));
    options.kernels = "cudnn";
    const auto reference = makeReferenceBackend();
    const auto compared = compareBackends(*backend, *reference, plan, options, {.seed = 3, .steps = 6});
    ASSERT_TRUE(compared) << describe(compared.error());
    ASSERT_NE(compared->largest(), nullptr);
    EXPECT_LT(compared->largest()->relative, 1e-4) << compared->largest()->tensor;
    EXPECT_EQ(provider->record().captures, 1);
}

// Fails each of the calls of a run in turn: an error message, or another algorithm; never a leak.
TEST_F(Recurrences, AFailingCallIsAnErrorWithWords) {
    const auto plan = planOf(singleGraph(2));
    const auto attempt = [&](const char* kernels) -> Result<void> {
        backend = makeCudaBackend(provider);
        options.kernels = kernels;
        auto executable = backend->compile(plan, options);
        if (!executable) return Failure(executable.error());
        if (auto ok = writeInitialValues(**executable, 1); !ok) return ok;
        for (int i = 0; i < 3; ++i)
            if (const auto outcome = (*executable)->step({i, 1.0}); !outcome) return Failure(outcome.error());
        return {};
    };
    const auto expectWords = [&](const char* kernels, int stride) {
        provider->script().failingCall = -1;
        provider->record().calls = 0;
        ASSERT_TRUE(attempt(kernels));
        const int calls = provider->record().calls;
        int failures = 0;
        for (int n = 0; n < calls; n += stride) {
            provider->record().calls = 0;
            provider->script().failingCall = n;
            const auto result = attempt(kernels);
            if (!result) {
                ++failures;
                EXPECT_THAT(describe(result.error()), HasSubstr("made to fail")) << "call " << n;
            }
            EXPECT_EQ(provider->record().liveAllocations, 0) << "call " << n;
            EXPECT_EQ(provider->record().liveEvents, 0) << "call " << n;
        }
        EXPECT_GT(failures, 0) << kernels;
    };
    expectWords("cudnn", 1);
    expectWords("auto", 13);
}

}  // namespace
}  // namespace steelyard::compute::cuda

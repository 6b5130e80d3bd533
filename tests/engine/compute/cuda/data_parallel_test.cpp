// SPDX-License-Identifier: Apache-2.0
// Several simulated devices, one thread each, share the work of a step: together they match one device with the whole
// batch, in any order of their streams, and if one fails the others end with an error message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/compute/cuda/execute/executable.h"
#include "engine/compute/step_values.h"
#include "tests/engine/compute/cuda/simulated_ranks.h"
#include "tests/engine/compute/parallel/fake_nccl.h"

namespace steelyard::compute::cuda {
namespace {

using compute::testing::fakeNccl;
using test::Late;
using test::Script;
using test::SimulatedProvider;
using ::testing::HasSubstr;

constexpr std::int64_t kBatch = 8;

// Each sample's contribution is independent of the others: no batch normalisation, no dropout.
model::Graph network() {
    model::GraphBuilder g("network");
    auto x = g.activation(g.conv(g.input({2, 6, 6}), model::square(8, 3, 1, 1)), model::ActivationKind::Tanh);
    x = g.activation(g.dense(g.flatten(x), 24), model::ActivationKind::Tanh);
    g.head(g.dense(x, 5));
    return std::move(g).build().value();
}

std::shared_ptr<const plan::Plan> planOf(std::int64_t batch, plan::Precision precision,
                                         std::optional<double> clip = std::nullopt) {
    model::Optimizer momentum{.kind = model::OptimizerKind::Momentum, .learningRate = 0.1};
    momentum.clipNorm = clip;
    return std::make_shared<plan::Plan>(
        plan::lower(network(), {plan::Mode::Train, batch, precision, momentum}).value());
}

struct Folder {
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "ranks-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
};

using Values = std::map<std::string, std::vector<float>>;  // by tensor name

Values parametersOf(Executable& executable) {
    Values values;
    for (const auto& tensor : executable.plan().tensors) {
        if (tensor.role != plan::TensorRole::Weight && tensor.role != plan::TensorRole::OptimizerState) continue;
        auto& all = values[tensor.name];
        all.resize(static_cast<std::size_t>(tensor.elements()));
        if (!executable.read(tensor.id, all)) all.clear();
    }
    return values;
}

// The samples of one rank within the whole batch.
void writeShard(Executable& executable, const plan::Plan& whole, int rank) {
    for (const auto& tensor : executable.plan().tensors) {
        const auto count = static_cast<std::size_t>(tensor.elements());
        const auto first = count * static_cast<std::size_t>(rank);
        if (tensor.role == plan::TensorRole::Input) {
            std::vector<float> values(count);
            for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(0.37F * static_cast<float>(first + i));
            ASSERT_TRUE(executable.write(tensor.id, values));
        } else if (tensor.role == plan::TensorRole::Label) {
            const auto classes = integerLimit(whole, tensor.id);
            std::vector<std::int32_t> labels(count);
            for (std::size_t i = 0; i < count; ++i)
                labels[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(first + i) * 7 % classes);
            ASSERT_TRUE(executable.write(tensor.id, labels));
        }
    }
}

struct Outcome {
    Values parameters;
    std::vector<double> losses;
    std::string error;
    bool graph = false;
};

struct Wish {
    plan::Precision precision = plan::Precision::Fp32;
    int steps = 4;
    std::optional<double> clip;
    std::optional<Bytes> bucketBytes{Bytes(256)};
};

Outcome runSteps(Backend& backend, int rank, int size, const std::string& folder, const Wish& wish) {
    Outcome outcome;
    const auto whole = planOf(kBatch, wish.precision, wish.clip);
    CompileOptions options{.device = "cuda:0", .keepGradients = true};
    if (size > 1) options.ranks = RankGroup{rank, size, folder, wish.bucketBytes};
    auto executable = backend.compile(planOf(kBatch / size, wish.precision, wish.clip), options);
    if (!executable) return {.parameters = {}, .losses = {}, .error = describe(executable.error())};
    // Only the first one starts with the reference parameters.
    EXPECT_TRUE(writeInitialValues(**executable, rank == 0 ? 1 : 100));
    writeShard(**executable, *whole, rank);
    for (int i = 0; i < wish.steps; ++i) {
        const auto step = (*executable)->step({i, 1.0});
        if (!step) {
            outcome.error = describe(step.error());
            return outcome;
        }
        outcome.losses.push_back(step->loss.value_or(-1));
    }
    outcome.parameters = parametersOf(**executable);
    outcome.graph = dynamic_cast<CudaExecutable&>(**executable).usesGraph();
    return outcome;
}

// Each rank has a separate device and backend, like a process.
std::vector<Outcome> runRanks(int size, const Wish& wish, const std::function<Script(int)>& scriptOf,
                              const NcclTable& table = fakeNccl()) {
    const Folder folder;
    std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            auto script = scriptOf(rank);
            script.connect = test::meetBy(table);
            const auto provider = std::make_shared<SimulatedProvider>(script);
            {
                const auto backend = makeCudaBackend(provider);
                outcomes[static_cast<std::size_t>(rank)] = runSteps(*backend, rank, size, folder.path, wish);
            }
            const auto& r = provider->record();
            EXPECT_EQ(r.liveAllocations + r.livePinned + r.liveEvents + r.liveGraphs + r.liveStreams, 0) << rank;
        });
    threads.clear();
    return outcomes;
}

Outcome runAlone(const Wish& wish) {
    const auto backend = makeCudaBackend(std::make_shared<SimulatedProvider>());
    return runSteps(*backend, 0, 1, {}, wish);
}

double distance(const Values& a, const Values& b) {
    double norm = 0, off = 0;
    for (const auto& [name, values] : a) {
        const auto& others = b.at(name);
        EXPECT_EQ(values.size(), others.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            norm += std::pow(static_cast<double>(values[i]), 2);
            off += std::pow(static_cast<double>(values[i]) - static_cast<double>(others[i]), 2);
        }
    }
    return std::sqrt(off / norm);
}

TEST(DataParallelStep, RanksLearnWhatOneDeviceLearnsFromTheWholeBatch) {
    struct One {
        Wish wish;
        double tolerance;
    };
    const One all[] = {{{.precision = plan::Precision::Fp32}, 1e-5},
                       {{.precision = plan::Precision::Fp32, .clip = 0.05}, 1e-5},
                       {{.precision = plan::Precision::Bf16}, 2e-3},
                       {{.precision = plan::Precision::Fp16}, 5e-4}};
    for (const auto& [wish, tolerance] : all) {
        const auto expected = runAlone(wish);
        ASSERT_EQ(expected.error, "");
        for (const int size : {2, 4})
            for (const auto late : {Late::Nothing, Late::Compute, Late::Others}) {
                const auto ranks = runRanks(size, wish, [&](int) { return Script{.late = late}; });
                for (const auto& rank : ranks) {
                    ASSERT_EQ(rank.error, "");
                    EXPECT_TRUE(rank.graph) << "the exchange is part of the graph";
                    EXPECT_LT(distance(expected.parameters, rank.parameters), tolerance);
                    EXPECT_EQ(rank.parameters, ranks[0].parameters) << "all ranks have the same bits";
                    for (std::size_t i = 0; i < expected.losses.size(); ++i)
                        EXPECT_NEAR(rank.losses[i], expected.losses[i], 10 * tolerance) << "step " << i;
                }
            }
    }
}

TEST(DataParallelStep, WithoutTheExchangeTheRanksWouldDiffer) {
    const auto expected = runAlone({});
    const auto backend = makeCudaBackend(std::make_shared<SimulatedProvider>());
    auto half = backend->compile(planOf(kBatch / 2, plan::Precision::Fp32), {.device = "cuda:0"});
    ASSERT_TRUE(half);
    ASSERT_TRUE(writeInitialValues(**half, 1));
    writeShard(**half, *planOf(kBatch, plan::Precision::Fp32), 1);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE((*half)->step({i, 1.0}));
    EXPECT_GT(distance(expected.parameters, parametersOf(**half)), 1e-3);
}

TEST(DataParallelStep, RunsWithoutAGraphWhereThereIsNone) {
    const auto expected = runAlone({});
    for (const auto& rank : runRanks(2, {}, [](int) { return Script{.graphsFail = true, .late = Late::Others}; })) {
        ASSERT_EQ(rank.error, "");
        EXPECT_FALSE(rank.graph);
        EXPECT_LT(distance(expected.parameters, rank.parameters), 1e-5);
    }
}

TEST(DataParallelStep, TheFirstRanksLayoutIsEverybodys) {
    const auto expected = runAlone({});
    for (const bool firstWantsLast : {false, true}) {
        const auto ranks = runRanks(
            2, {}, [&](int rank) { return Script{.channelsLastFactor = (rank == 0) == firstWantsLast ? 0.1 : 10}; });
        for (const auto& rank : ranks) {
            ASSERT_EQ(rank.error, "");
            EXPECT_LT(distance(expected.parameters, rank.parameters), 1e-5);
        }
    }
}

// If any call of one rank fails, it reports the error, and the others do not wait for ever.
TEST(DataParallelStep, AFailingRankEndsAllOfThem) {
    auto counting = std::make_shared<SimulatedProvider>(Script{.connect = test::meetBy(fakeNccl())});
    {
        const Folder folder;
        auto alone = makeCudaBackend(counting);
        CompileOptions options{.device = "cuda:0", .ranks = RankGroup{0, 1, folder.path, Bytes(256)}};
        auto executable = alone->compile(planOf(kBatch / 2, plan::Precision::Fp32), options);
        ASSERT_TRUE(executable) << describe(executable.error());
        ASSERT_TRUE((*executable)->step({}));
    }
    // From the middle of the first step on: before, ranks wait only in the rendezvous.
    const int calls = counting->record().calls;
    for (const int back : {2, 5, 9}) {
        const auto ranks =
            runRanks(2, {.steps = 3}, [&](int rank) { return Script{.failingCall = rank == 1 ? calls - back : -1}; });
        EXPECT_THAT(ranks[1].error, HasSubstr("made to fail")) << back;
        EXPECT_THAT(ranks[0].error, HasSubstr("another rank has given up")) << back;
    }
}

TEST(DataParallelStep, AFailingExchangeIsASentence) {
    // The first one to fail aborts; the other may detect that before its own exchange fails.
    constexpr const char* kOwn = "ncclAllReduce returned 3: internal error of the fake";
    const auto ranks = runRanks(
        2, {}, [](int) { return Script{}; }, fakeNccl(true));
    int own = 0;
    for (const auto& rank : ranks) {
        own += rank.error.find(kOwn) != std::string::npos ? 1 : 0;
        EXPECT_THAT(rank.error, ::testing::AnyOf(HasSubstr(kOwn), HasSubstr("another rank has given up")));
    }
    EXPECT_GT(own, 0);
}

TEST(DataParallelStep, TellsWhatTheExchangeTakesAndWhatRankNoughtSays) {
    const Folder folder;
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < 2; ++rank)
        threads.emplace_back([&, rank] {
            const auto provider = std::make_shared<SimulatedProvider>(Script{.connect = test::meetBy(fakeNccl())});
            const auto backend = makeCudaBackend(provider);
            const CompileOptions options{.device = "cuda:0", .ranks = RankGroup{rank, 2, folder.path, Bytes(1024)}};
            auto executable = backend->compile(planOf(4, plan::Precision::Fp32), options);
            ASSERT_TRUE(executable) << describe(executable.error());
            auto* ranked = dynamic_cast<RankedExecutable*>(executable->get());
            ASSERT_NE(ranked, nullptr);
            EXPECT_EQ(ranked->valueOfRankZero(40 + rank).value_or(-1), 40);
            for (int i = 0; i < 3; ++i) ASSERT_TRUE((*executable)->step({i, 1.0}));
            provider->record().candidates.clear();
            const auto times = ranked->exchangeTimes();
            ASSERT_TRUE(times) << describe(times.error());
            EXPECT_GE(times->exchanges, 3);
            EXPECT_GE(times->bytes, 4 * 24 * 8 * 36);
            EXPECT_GT(times->exchangeSeconds, 20e-6 * times->exchanges) << "each takes 20 us on the simulated device";
            EXPECT_GT(times->computeSeconds, 0);
            EXPECT_EQ(provider->record().candidates["average"], 5 * (times->exchanges + 1)) << "none within the steps";
            ASSERT_TRUE((*executable)->step({3, 1.0}));
            EXPECT_GT(provider->record().candidates["broadcast"], 0) << "the ranks are brought together again";
        });
}

TEST(DataParallelStep, WhatCannotBeSharedIsRefused) {
    model::GraphBuilder g("sparse");
    g.head(g.dense(g.flatten(g.add(model::Embedding{30, 8, true}, {g.ids(6, 30)})), 4));
    const auto graph = std::move(g).build().value();
    const auto sparse =
        std::make_shared<plan::Plan>(plan::lower(graph, {plan::Mode::Train, 4, plan::Precision::Fp32, {}}).value());
    const auto backend = makeCudaBackend(std::make_shared<SimulatedProvider>());
    const auto refused = backend->compile(sparse, {.device = "cuda:0", .ranks = RankGroup{0, 2, "/nowhere", {}}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
    const auto lonely = backend->compile(planOf(4, plan::Precision::Fp32),
                                         {.device = "cuda:0", .ranks = RankGroup{0, 2, "/nowhere", {}}});
    ASSERT_FALSE(lonely);
    EXPECT_THAT(describe(lonely.error()), HasSubstr("NCCL is missing"));
}

}  // namespace
}  // namespace steelyard::compute::cuda

// SPDX-License-Identifier: Apache-2.0
// Buckets, their exchange between simulated ranks, and that ranks with parts of a batch train like one with the whole
// batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "engine/compute/parallel/gradient_exchange.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/zoo/zoo.h"
#include "tests/engine/compute/gradient_check.h"
#include "tests/engine/compute/parallel/fake_nccl.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute {
namespace {

using ::testing::ElementsAre;
using testing::fakeNccl;
using testing::fakeNcclCounts;

plan::Plan planOf(const model::Graph& graph, std::int64_t batch) {
    return plan::lower(graph, {plan::Mode::Train, batch, plan::Precision::Fp32, {}}).value();
}

model::Graph layerGraph(const std::string& name) {
    for (const auto& layer : test::layerCases())
        if (layer.name == name) return layer.graph(1);
    throw std::runtime_error("no layer case " + name);
}

// No dropout and no batch normalisation: each sample's contribution is independent of the others.
model::Graph network() {
    model::GraphBuilder g("network");
    auto x = g.conv(g.input({2, 6, 6}), model::square(4, 3, 1, 1));
    x = g.activation(x, model::ActivationKind::Tanh);
    x = g.activation(g.dense(g.flatten(x), 16), model::ActivationKind::Tanh);
    g.head(g.dense(x, 5));
    return std::move(g).build().value();
}

TEST(Buckets, HoldEveryGradientOnceWithoutOverlap) {
    for (const auto& layer : test::layerCases()) {
        const auto plan = planOf(layer.graph(2), 3);
        std::map<plan::TensorId, int> seen;
        for (const auto& bucket : planBuckets(plan, {Bytes(4096), Bytes(512), 16})) {
            std::int64_t end = 0;
            for (const auto& [gradient, offset] : bucket.gradients) {
                ++seen[gradient];
                EXPECT_EQ(offset % 16, 0);
                EXPECT_GE(offset, end);
                end = offset + plan.tensor(gradient).elements();
            }
            EXPECT_LE(end, bucket.elements);
        }
        for (auto gradient : plan.gradientTensors) {
            if (gradient != plan::kNoTensor) {
                EXPECT_EQ(seen[gradient], 1) << layer.name;
            }
        }
    }
}

TEST(Buckets, FollowTheBackwardPassAndAreCompleteOnceLargeEnough) {
    const auto plan = planOf(network(), 4);
    const auto buckets = planBuckets(plan, {Bytes(1024), Bytes(256), 1});
    ASSERT_GE(buckets.size(), 3);
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        if (b > 0) {
            EXPECT_GE(buckets[b].readyAfter, buckets[b - 1].readyAfter);
        }
        const std::int64_t enough = b == 0 ? 256 : 1024;
        EXPECT_LT(buckets[b].gradients.back().offset * 4, enough) << "it was complete before";
        if (b + 1 < buckets.size()) {
            EXPECT_GE(buckets[b].bytes().value(), enough);
        }
        for (const auto& [gradient, offset] : buckets[b].gradients)
            for (std::size_t i = static_cast<std::size_t>(buckets[b].readyAfter) + 1; i < plan.operations.size(); ++i)
                if (plan.operations[i].pass != plan::Pass::Update) {
                    EXPECT_THAT(plan.operations[i].parameterGradients, ::testing::Not(::testing::Contains(gradient)));
                }
    }
    // The last layer's gradients come first.
    EXPECT_EQ(plan.tensor(buckets[0].gradients[0].gradient).name.substr(0, 7), "dense_2");
    EXPECT_EQ(planBuckets(plan).size(), 1) << "all of it is less than a bucket";
}

// Most parameters are those of the first dense layer: the exchange of its gradient begins before the backward pass of
// the convolutions.
TEST(Buckets, ALargeGradientDoesNotWaitForSmallOnes) {
    const auto buckets = planBuckets(planOf(model::findWorkload("mnist_cnn").value()->build().value(), 4));
    ASSERT_EQ(buckets.size(), 2);
    EXPECT_GT(buckets[0].bytes().value(), 4'700'000);
    EXPECT_LT(buckets[1].bytes().value(), 100'000);
    EXPECT_GT(buckets[1].readyAfter, buckets[0].readyAfter);
}

TEST(Buckets, OfTiedWeightsWaitForTheLastWriter) {
    const auto plan = planOf(layerGraph("tied_embedding"), 2);
    const auto buckets = planBuckets(plan, {Bytes(4), Bytes(4), 1});
    int lastWriter = -1;
    for (std::size_t i = 0; i < plan.operations.size(); ++i)
        if (plan.operations[i].accumulateParameters) lastWriter = static_cast<int>(i);
    ASSERT_GE(lastWriter, 0);
    const auto tied = plan.operations[static_cast<std::size_t>(lastWriter)].parameterGradients[0];
    const auto owner =
        std::find_if(buckets.begin(), buckets.end(), [&](const Bucket& b) { return b.gradients[0].gradient == tied; });
    ASSERT_NE(owner, buckets.end());
    EXPECT_EQ(owner->readyAfter, lastWriter);
}

TEST(Buckets, AreNoneWhenInferring) {
    EXPECT_TRUE(planBuckets(plan::lower(network(), {plan::Mode::Infer, 1, plan::Precision::Fp32, {}}).value()).empty());
}

// Records events in order.
struct Trace final : Communicator, StreamOrder {
    std::vector<std::string> lines;
    int rank() const override { return 0; }
    int size() const override { return 2; }
    void abort() override {}
    Result<void> average(float* /*values*/, std::int64_t count, void* stream) override {
        lines.push_back("average " + std::to_string(count) + name(stream));
        return {};
    }
    Result<void> broadcast(void* /*bytes*/, std::int64_t count, int root, void* stream) override {
        lines.push_back("broadcast " + std::to_string(count) + " of " + std::to_string(root) + name(stream));
        return {};
    }
    Result<void> follow(void* earlier, void* later) override {
        lines.push_back("follow" + name(earlier) + name(later));
        return {};
    }
    std::string name(void* stream) const { return stream == &compute ? " compute" : " exchange"; }
    int compute = 0, exchange = 0;
};

TEST(GradientExchange, SendsABucketAsSoonAsItIsReadyAndJoinsBeforeTheUpdate) {
    Trace trace;
    std::vector<Bucket> buckets(2);
    buckets[0].elements = 10, buckets[0].readyAfter = 3;
    buckets[1].elements = 20, buckets[1].readyAfter = 5;
    float values[30];
    GradientExchange exchange(trace, trace, buckets, {values, values + 10}, {&trace.compute, &trace.exchange});
    for (int step = 0; step < 2; ++step) {
        trace.lines.clear();
        for (int op = 0; op < 6; ++op) {
            ASSERT_TRUE(exchange.afterOperation(op));
            trace.lines.push_back("operation " + std::to_string(op));
        }
        ASSERT_TRUE(exchange.join());
        EXPECT_THAT(trace.lines,
                    ElementsAre("operation 0", "operation 1", "operation 2", "follow compute exchange",
                                "average 10 exchange", "operation 3", "operation 4", "follow compute exchange",
                                "average 20 exchange", "operation 5", "follow exchange compute"));
    }
    ASSERT_TRUE(exchange.afterOperation(4));
    const auto missing = exchange.join();
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().detail.text, "1 of 2 gradient buckets were never ready");
    trace.lines.clear();
    ASSERT_TRUE(exchange.spread(values, 30));
    EXPECT_THAT(trace.lines, ElementsAre("broadcast 120 of 0 compute"));
}

struct NoOrder final : StreamOrder {
    Result<void> follow(void*, void*) override { return {}; }
};

// The gradients of a rank for its samples [first, first + count) of `whole`'s batch, exchanged with the others.
std::map<plan::TensorId, std::vector<float>> gradientsOfRank(Executable& whole, Communicator& communicator) {
    const auto& wholePlan = whole.plan();
    const auto count = wholePlan.options.batch / communicator.size();
    auto plan = std::make_shared<plan::Plan>(planOf(network(), count));
    const auto backend = makeReferenceBackend();
    const auto executable = backend->compile(plan, {}).value();
    for (const auto& tensor : plan->tensors) {
        using R = plan::TensorRole;
        if (tensor.role != R::Weight && tensor.role != R::Input && tensor.role != R::Label) continue;
        const auto all = readTensor(whole, tensor.id);
        const bool shared = tensor.role == R::Weight;
        const auto elements = static_cast<std::size_t>(tensor.elements());
        const auto first = shared ? 0 : elements * static_cast<std::size_t>(communicator.rank());
        const std::vector<float> part(all.begin() + static_cast<std::ptrdiff_t>(first),
                                      all.begin() + static_cast<std::ptrdiff_t>(first + elements));
        if (tensor.role == R::Label)
            require(executable->write(tensor.id, std::vector<std::int32_t>(part.begin(), part.end())));
        else
            require(executable->write(tensor.id, part));
    }
    (void)executable->step({.index = 0, .learningRateScale = 0}).value();

    auto buckets = planBuckets(*plan, {Bytes(2048), Bytes(512), 16});
    std::vector<std::vector<float>> memory;
    std::vector<float*> pointers;
    for (const auto& bucket : buckets) {
        auto& values = memory.emplace_back(static_cast<std::size_t>(bucket.elements));
        for (const auto& [gradient, offset] : bucket.gradients) {
            const auto own = readTensor(*executable, gradient);
            std::copy(own.begin(), own.end(), values.begin() + static_cast<std::ptrdiff_t>(offset));
        }
    }
    for (auto& values : memory) pointers.push_back(values.data());
    NoOrder order;
    GradientExchange exchange(communicator, order, buckets, pointers, {});
    for (std::size_t op = 0; op < plan->operations.size(); ++op) require(exchange.afterOperation(static_cast<int>(op)));
    require(exchange.join());
    std::map<plan::TensorId, std::vector<float>> found;
    for (std::size_t b = 0; b < buckets.size(); ++b)
        for (const auto& [gradient, offset] : buckets[b].gradients) {
            const auto from = memory[b].begin() + static_cast<std::ptrdiff_t>(offset);
            found[gradient] = {from, from + static_cast<std::ptrdiff_t>(plan->tensor(gradient).elements())};
        }
    return found;
}

TEST(DataParallel, RanksLearnTogetherWhatOneLearnsFromTheWholeBatch) {
    const auto plan = std::make_shared<plan::Plan>(planOf(network(), 8));
    const auto backend = makeReferenceBackend();
    const auto whole = backend->compile(plan, {}).value();
    writeRandomStep(*whole, 5, 0.4);
    (void)whole->step({.index = 0, .learningRateScale = 0}).value();
    for (const int ranks : {1, 2, 4}) {
        const auto id = makeNcclId(fakeNccl()).value();
        std::vector<std::map<plan::TensorId, std::vector<float>>> found(static_cast<std::size_t>(ranks));
        {
            std::vector<std::jthread> threads;
            for (int rank = 0; rank < ranks; ++rank)
                threads.emplace_back([&, rank] {
                    const auto communicator = joinNccl(fakeNccl(), id, rank, ranks).value();
                    found[static_cast<std::size_t>(rank)] = gradientsOfRank(*whole, *communicator);
                });
        }
        for (auto gradient : plan->gradientTensors) {
            const auto expected = readTensor(*whole, gradient);
            double norm = 0, off = 0;
            const auto& first = found[0].at(gradient);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                norm += std::pow(static_cast<double>(expected[i]), 2);
                off += std::pow(static_cast<double>(expected[i]) - static_cast<double>(first[i]), 2);
            }
            EXPECT_GT(norm, 0);
            EXPECT_LT(std::sqrt(off / norm), 1e-5) << ranks << " ranks";
            for (const auto& other : found) EXPECT_EQ(other.at(gradient), first) << "all ranks have the same bits";
        }
    }
}

TEST(Nccl, BroadcastsAndEndsInOrder) {
    const auto before = fakeNcclCounts();
    const auto id = makeNcclId(fakeNccl()).value();
    std::vector<float> values[2] = {{1, 2, 3}, {0, 0, 0}};
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < 2; ++rank)
            threads.emplace_back([&, rank] {
                const auto communicator = joinNccl(fakeNccl(), id, rank, 2).value();
                require(communicator->broadcast(values[rank].data(), 12, 0, nullptr));
            });
    }
    EXPECT_EQ(values[1], values[0]);
    EXPECT_EQ(fakeNcclCounts().destroyed - before.destroyed, 2);
    EXPECT_EQ(ncclVersion(fakeNccl()).value(), "2.28.3");
}

TEST(Nccl, AFailureHasTheLibrarysWordsAndAborts) {
    const auto before = fakeNcclCounts();
    {
        const auto table = fakeNccl(true);
        const auto communicator = joinNccl(table, makeNcclId(table).value(), 0, 1).value();
        float value = 1;
        const auto failed = communicator->average(&value, 1, nullptr);
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().detail.text, "ncclAllReduce returned 3: internal error of the fake");
    }
    EXPECT_EQ(fakeNcclCounts().aborted - before.aborted, 1);
    EXPECT_FALSE(joinNccl(fakeNccl(), {}, 2, 2));
}

TEST(Nccl, MissingLibraryIsAReason) {
    const auto missing = openNccl("libnccl-of-nobody.so.2");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::BackendUnavailable);
    const auto other = openNccl("libm.so.6");
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().detail.text, "the entry point ncclGetVersion is missing");
}

}  // namespace
}  // namespace steelyard::compute

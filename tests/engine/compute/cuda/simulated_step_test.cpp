// SPDX-License-Identifier: Apache-2.0
// Behaviour of a compiled step on a device: graphs, choices by timing, exhausted memory, failing calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/backend_comparison.h"
#include "engine/compute/cuda/availability.h"
#include "engine/compute/cuda/execute/executable.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/zoo/zoo.h"
#include "tests/engine/compute/cuda/simulated_device.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute::cuda {
namespace {

using test::Script;
using test::SimulatedProvider;
using ::testing::HasSubstr;

const CompileOptions kOptions{.device = "cuda:0", .keepGradients = true};

// Dropout and a decaying learning rate: a step depends on its number.
std::shared_ptr<const plan::Plan> densePlan(plan::Mode mode = plan::Mode::Train) {
    model::GraphBuilder g("dense");
    const auto x = g.dropout(g.relu(g.dense(g.input({16}), 24)), 0.4);
    g.head(g.dense(x, 5));
    const model::Optimizer momentum{.kind = model::OptimizerKind::Momentum, .learningRate = 0.1, .decay = 0.3};
    const auto graph = std::move(g).build();
    return std::make_shared<plan::Plan>(plan::lower(*graph, {mode, 8, plan::Precision::Fp32, momentum}).value());
}

std::shared_ptr<const plan::Plan> imagePlan(plan::Precision precision = plan::Precision::Fp32,
                                            plan::Mode mode = plan::Mode::Train) {
    model::GraphBuilder g("images");
    const auto x = g.relu(g.conv(g.input({3, 10, 10}), model::square(8, 3, 1, 1)));
    g.head(g.dense(g.flatten(g.maxPool(x, 2, 2)), 5));
    const auto graph = std::move(g).build();
    return std::make_shared<plan::Plan>(plan::lower(*graph, {mode, 4, precision, {}}).value());
}

struct SimulatedStep : ::testing::Test {
    std::shared_ptr<SimulatedProvider> provider = std::make_shared<SimulatedProvider>();
    std::unique_ptr<Backend> backend = makeCudaBackend(provider);

    std::unique_ptr<Executable> compiled(const std::shared_ptr<const plan::Plan>& plan) {
        auto executable = backend->compile(plan, kOptions);
        EXPECT_TRUE(executable) << describe(executable.error());
        EXPECT_TRUE(writeInitialValues(**executable, 1));
        EXPECT_TRUE(writeSyntheticBatch(**executable, 1));
        return std::move(*executable);
    }
    void expectNothingLeft() {
        const auto& r = provider->record();
        EXPECT_EQ(r.liveAllocations, 0);
        EXPECT_EQ(r.livePinned, 0);
        EXPECT_EQ(r.liveEvents, 0);
        EXPECT_EQ(r.liveGraphs, 0);
        EXPECT_EQ(r.liveBytes, 0);
    }
};

std::vector<double> losses(Executable& executable, int steps) {
    std::vector<double> all;
    for (int i = 0; i < steps; ++i) {
        const auto outcome = executable.step({i, 1.0});
        EXPECT_TRUE(outcome) << describe(outcome.error());
        all.push_back(outcome ? outcome->loss.value_or(-1) : -1);
    }
    return all;
}

TEST_F(SimulatedStep, AGraphRepeatsWhatStepsDoAndNotWhatOneStepDid) {
    const auto plan = densePlan();
    const auto reference = makeReferenceBackend();
    const auto compared = compareBackends(*backend, *reference, plan, kOptions, {.seed = 3, .steps = 6});
    ASSERT_TRUE(compared) << describe(compared.error());
    ASSERT_NE(compared->largest(), nullptr);
    EXPECT_LT(compared->largest()->relative, 1e-4)
        << compared->largest()->tensor << " in step " << compared->largest()->step;
    EXPECT_EQ(provider->record().captures, 1);
    EXPECT_EQ(provider->record().graphLaunches, 5) << "the first step runs eagerly";
    expectNothingLeft();
}

TEST_F(SimulatedStep, WithoutGraphsTheSameStepsRunAndItIsSaid) {
    const auto with = compiled(densePlan());
    const auto expected = losses(*with, 5);
    EXPECT_TRUE(with->remarks().empty());
    provider->script().graphsFail = true;
    const auto without = compiled(densePlan());
    EXPECT_EQ(losses(*without, 5), expected);
    ASSERT_EQ(without->remarks().size(), 1U);
    EXPECT_THAT(without->remarks()[0].text, HasSubstr("the capture was invalidated"));
}

TEST_F(SimulatedStep, AProfileNamesEveryOperationAndRunsEagerly) {
    auto options = kOptions;
    options.profile = true;
    auto executable = backend->compile(imagePlan(), options);
    ASSERT_TRUE(executable);
    ASSERT_EQ(losses(**executable, 3).size(), 3U);
    const auto times = (*executable)->profile();
    ASSERT_FALSE(times.empty());
    std::string kernels;
    for (const auto& time : times) {
        EXPECT_GT(time.seconds, 0);
        kernels += time.kernel + " ";
    }
    EXPECT_THAT(kernels, HasSubstr("convolution:fast native:pool"));  // bias and ReLU in the call
    EXPECT_THAT(kernels, HasSubstr("native:update"));
    provider->script().plainConvolutions = true;
    const auto another = makeCudaBackend(provider);
    executable = another->compile(imagePlan(), options);
    ASSERT_TRUE(executable);
    ASSERT_EQ(losses(**executable, 3).size(), 3U);
    EXPECT_THAT((*executable)->profile(), ::testing::Contains(::testing::Field(
                                              &OperationTime::kernel, HasSubstr("convolution:fast + native:bias"))));
}

// The folded weights of a convolution and its normalisation are recomputed if either is written.
TEST_F(SimulatedStep, FoldsWhatIsWrittenBetweenSteps) {
    model::GraphBuilder g("folded");
    const auto x = g.relu(g.add(model::BatchNorm{}, {g.conv(g.input({3, 5, 5}), model::square(4, 3, 1, 1))}));
    g.head(g.dense(g.add(model::GlobalAveragePool{}, {x}), 3));
    const auto plan = std::make_shared<const plan::Plan>(
        plan::lower(std::move(g).build().value(), {plan::Mode::Infer, 2, plan::Precision::Fp32, {}}).value());
    const auto probabilities = [&](Executable& executable) {
        EXPECT_TRUE(executable.step({}));
        std::vector<float> values(6);
        EXPECT_TRUE(executable.read(plan->heads[0].probabilities, values));
        return values;
    };
    std::vector<std::vector<float>> expected;
    const auto rewritten = compiled(plan);
    for (const std::uint64_t seed : {1, 2}) {
        const auto fresh = compiled(plan);
        for (auto* executable : {fresh.get(), rewritten.get()}) {
            ASSERT_TRUE(writeSyntheticState(*executable, 1));
            ASSERT_TRUE(writeInitialValues(*executable, seed));
        }
        expected.push_back(probabilities(*fresh));
        EXPECT_EQ(probabilities(*rewritten), expected.back());
    }
    EXPECT_NE(expected[0], expected[1]);
    EXPECT_GT(provider->record().candidates["convolution:fast"], 0);
    // Nothing is recomputed for another batch.
    std::vector<int> launches;
    for (int i = 0; i < 4; ++i) {
        if (i == 3) {
            ASSERT_TRUE(writeSyntheticBatch(*rewritten, 7));
        }
        const int before = provider->record().launches;
        ASSERT_TRUE(rewritten->step({}));
        launches.push_back(provider->record().launches - before);
    }
    EXPECT_EQ(launches[3], launches[2]);
}

// One launch is faster than six with two products between them; and the libraries are used if requested.
TEST_F(SimulatedStep, AttentionTakesTheFasterImplementation) {
    model::GraphBuilder g("attention");
    const auto x = g.add(model::Embedding{30, 24, false}, {g.ids(6, 30)});
    g.head(g.dense(g.add(model::Attention{2, true, 0}, {x}), 4));
    const auto graph = std::move(g).build();
    const auto plan =
        std::make_shared<plan::Plan>(plan::lower(*graph, {plan::Mode::Train, 2, plan::Precision::Fp32, {}}).value());
    for (const std::string kernels : {"auto", "cublas"}) {
        auto options = kOptions;
        options.profile = true;
        options.kernels = kernels;
        auto executable = backend->compile(plan, options);
        ASSERT_TRUE(executable) << describe(executable.error());
        ASSERT_EQ(losses(**executable, 2).size(), 2U);
        std::string names;
        for (const auto& time : (*executable)->profile()) names += time.kernel + " ";
        const bool fused = kernels == "auto";
        EXPECT_EQ(names.find("native:attention ") != std::string::npos, fused) << names;
        EXPECT_EQ(names.find("native:attention_softmax") != std::string::npos, !fused) << names;
    }
    expectNothingLeft();
}

TEST_F(SimulatedStep, DeviceTimeIsByTheDevicesEvents) {
    const auto executable = compiled(densePlan());
    const auto outcome = executable->step({});
    ASSERT_TRUE(outcome && outcome->deviceSeconds);
    EXPECT_GT(*outcome->deviceSeconds, 0);
}

TEST_F(SimulatedStep, TheFasterLayoutIsKept) {
    for (const bool last : {false, true}) {
        provider->script().channelsLastFactor = last ? 0.5 : 2;
        const auto backendOfIts = makeCudaBackend(provider);
        const auto executable = backendOfIts->compile(imagePlan(), kOptions);
        ASSERT_TRUE(executable);
        EXPECT_EQ(dynamic_cast<CudaExecutable&>(**executable).channelsLast(), last);
    }
    const auto narrow = backend->compile(imagePlan(plan::Precision::Bf16), kOptions);
    ASSERT_TRUE(narrow);
    EXPECT_TRUE(dynamic_cast<CudaExecutable&>(**narrow).channelsLast()) << "whatever was timed";
}

TEST_F(SimulatedStep, AlgorithmsAreTimedWithinTheWorkspaceLimit) {
    ASSERT_TRUE(backend->compile(imagePlan(), kOptions));
    auto executable = compiled(imagePlan());
    provider->record().candidates.clear();
    static_cast<void>(losses(*executable, 1));
    EXPECT_GT(provider->record().candidates["convolution:fast"], 0);
    EXPECT_EQ(provider->record().candidates["convolution:plain"], 0);

    auto limited = kOptions;
    limited.workspaceLimit = Bytes(0);
    auto plain = backend->compile(imagePlan(), limited);
    ASSERT_TRUE(plain) << describe(plain.error());
    provider->record().candidates.clear();
    static_cast<void>(losses(**plain, 1));
    EXPECT_EQ(provider->record().candidates["convolution:fast"], 0);
    EXPECT_GT(provider->record().candidates["convolution:plain"], 0);
}

TEST_F(SimulatedStep, MemoryIsSharedByWhatDoesNotLiveTogether) {
    const auto plan = imagePlan();
    const auto executable = compiled(plan);
    const auto memory = executable->memory();
    std::int64_t all = 0;
    for (const auto& tensor : plan->tensors) all += tensor.bytes();
    EXPECT_LT(memory.activations.value() + memory.gradients.value() + memory.weights.value(), all);
    EXPECT_GT(memory.weights.value(), 0);
    EXPECT_GT(memory.gradients.value(), 0);
    EXPECT_GE(memory.peak.value(), memory.weights.value() + memory.gradients.value() + memory.activations.value());
    EXPECT_GE(provider->record().liveBytes, memory.peak.value());
}

// What the adapters' layers change has a master copy, the base of a language model has none.
TEST_F(SimulatedStep, FrozenMatricesAreKeptInSixteenBitsOnly) {
    for (const auto& graph : steelyard::test::smallDecoders()) {
        const auto plan = std::make_shared<const plan::Plan>(
            plan::lower(graph, {plan::Mode::Train, 2, plan::Precision::Bf16, {}}).value());
        const bool tied = graph.name.starts_with("small_gemma2");
        std::int64_t expected = 0, frozen = 0;
        for (const auto& parameter : plan->parameters) {
            const auto elements = model::elementCount(parameter.spec.shape);
            const bool matrix = parameter.spec.shape.size() > 1, table = parameter.name == "embedding.table";
            if (parameter.spec.frozen && matrix) frozen += elements;
            expected += elements * (!matrix ? 4 : parameter.spec.frozen ? 2 : table && !tied ? 4 : 6);
        }
        const auto executable = compiled(plan);
        EXPECT_EQ(frozen > 0, graph.name.ends_with("_adapted")) << graph.name;
        const auto weights = executable->memory().weights.value();
        EXPECT_GE(weights, expected) << graph.name;
        EXPECT_LT(weights, expected + 256 * static_cast<std::int64_t>(2 * plan->parameters.size())) << graph.name;
        EXPECT_GT(losses(*executable, 2)[1], 0);
    }
}

TEST_F(SimulatedStep, ThePeakOfTheDeviceCountsWhatLibrariesTake) {
    constexpr std::int64_t kLibraries = 12345678;
    provider->script().libraryBytes = kLibraries;
    const auto executable = compiled(imagePlan());
    EXPECT_FALSE(devicePeakBytes(*executable)) << "no step has run";
    static_cast<void>(losses(*executable, 3));
    const auto peak = devicePeakBytes(*executable);
    ASSERT_TRUE(peak);
    EXPECT_EQ(*peak, executable->memory().peak.value() + kLibraries);
}

TEST_F(SimulatedStep, TooLittleMemoryIsAnErrorWithFiguresAndTheDeviceGoesOn) {
    provider->script().freeBytes = 4096;
    const auto refused = backend->compile(densePlan(), kOptions);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::OutOfMemory);
    EXPECT_EQ(refused.error().availableBytes, 4096);
    EXPECT_GT(refused.error().neededBytes.value_or(0), 4096);
    expectNothingLeft();
    provider->script().freeBytes = std::int64_t{1} << 30;
    auto executable = compiled(densePlan());
    EXPECT_GT(losses(*executable, 2)[1], 0);

    auto options = kOptions;
    options.memoryLimit = Bytes(1000);
    const auto limited = backend->compile(densePlan(), options);
    ASSERT_FALSE(limited);
    EXPECT_EQ(limited.error().kind, ErrorKind::OutOfMemory);
    EXPECT_EQ(limited.error().availableBytes, 1000);
}

// Every call fails once in turn: an error or, with an alternative in the backend, a result; never a leak.
TEST_F(SimulatedStep, WhicheverCallFailsNothingIsLeftBehind) {
    const auto attempt = [&]() -> Result<void> {
        auto executable = backend->compile(densePlan(), kOptions);
        if (!executable) return Failure(executable.error());
        if (auto ok = writeInitialValues(**executable, 1); !ok) return ok;
        for (int i = 0; i < 3; ++i)
            if (const auto outcome = (*executable)->step({i, 1.0}); !outcome) return Failure(outcome.error());
        return {};
    };
    ASSERT_TRUE(attempt());
    provider->record().calls = 0;
    ASSERT_TRUE(attempt());
    const int calls = provider->record().calls;
    ASSERT_GT(calls, 50);
    int failures = 0;
    for (int n = 0; n < calls; ++n) {
        provider->record().calls = 0;
        provider->script().failingCall = n;
        const auto result = attempt();
        if (!result) {
            ++failures;
            EXPECT_THAT(describe(result.error()), HasSubstr("made to fail")) << "call " << n;
        }
        expectNothingLeft();
    }
    EXPECT_GT(failures, calls / 2);
    provider->script().failingCall = -1;
    EXPECT_TRUE(attempt());
}

TEST_F(SimulatedStep, AMissingLibraryTakesOnlyItsOwnOperations) {
    provider->script().whyNoNetworks = Message("libcudnn.so.9: cannot open shared object file");
    EXPECT_TRUE(backend->compile(densePlan(), kOptions));
    const auto refused = backend->compile(imagePlan(), kOptions);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
    EXPECT_THAT(describe(refused.error()), HasSubstr("cuDNN is missing: libcudnn.so.9"));
    EXPECT_THAT(describe(refused.error()), HasSubstr("conv2d_1"));
    provider->script().whyNoMatrices = Message("libcublasLt.so.13: cannot open shared object file");
    const auto dense = backend->compile(densePlan(), kOptions);
    ASSERT_FALSE(dense);
    EXPECT_THAT(describe(dense.error()), HasSubstr("cuBLAS is missing: libcublasLt.so.13"));
}

TEST_F(SimulatedStep, OldDevicesAreToldApart) {
    const auto turing =
        std::make_shared<SimulatedProvider>(Script{.devices = {{"Simulated T4", std::int64_t{1} << 30, 7, 5, 40},
                                                               {"Simulated GPU", std::int64_t{1} << 30, 9, 0, 132}}});
    const auto both = makeCudaBackend(turing);
    ASSERT_EQ(both->devices().size(), 2U);
    EXPECT_EQ(both->devices()[1].id, "cuda:1");
    auto options = kOptions;
    const auto refused = both->compile(imagePlan(plan::Precision::Bf16), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
    EXPECT_THAT(describe(refused.error()), HasSubstr("7.5"));
    EXPECT_TRUE(both->compile(imagePlan(plan::Precision::Fp16), options));
    EXPECT_TRUE(both->compile(imagePlan(plan::Precision::Int8, plan::Mode::Infer), options));
    options.device = "cuda:1";
    EXPECT_TRUE(both->compile(imagePlan(plan::Precision::Bf16), options));
    for (const char* name : {"cuda:2", "cuda:", "cuda:0x", "cpu"}) {
        options.device = name;
        const auto unknown = both->compile(imagePlan(), options);
        ASSERT_FALSE(unknown) << name;
        EXPECT_EQ(unknown.error().kind, ErrorKind::NotFound) << name;
    }
}

// A batch whose gradients overflow in half precision is skipped, the scale is halved, and training continues.
TEST_F(SimulatedStep, AnOverflowInHalfPrecisionSkipsTheStep) {
    model::GraphBuilder g("overflow");
    g.head(g.dense(g.input({4}), 3), model::LossKind::SoftmaxCrossEntropy, 1000);
    const model::Optimizer sgd{.kind = model::OptimizerKind::Sgd, .learningRate = 1e-4};
    const auto graph = std::move(g).build();
    const auto plan =
        std::make_shared<plan::Plan>(plan::lower(*graph, {plan::Mode::Train, 1, plan::Precision::Fp16, sgd}).value());
    const auto executable = compiled(plan);
    const auto weight = plan->parameterTensors[0];
    std::vector<float> before(12), after(12);
    ASSERT_TRUE(executable->read(weight, before));
    ASSERT_TRUE(executable->step({0, 1.0}));
    ASSERT_TRUE(executable->read(weight, after));
    EXPECT_EQ(before, after) << "a loss of weight 1000 times the first scale is beyond 65504";
    for (int i = 1; i < 8; ++i) ASSERT_TRUE(executable->step({i, 1.0}));
    ASSERT_TRUE(executable->read(weight, after));
    EXPECT_NE(before, after) << "the scale was halved until it fitted";
    for (auto value : after) EXPECT_TRUE(std::isfinite(value));
}

TEST(CudaAvailability, EveryRefusalHasItsSentence) {
    EXPECT_EQ(whyNoDevice({0, "insufficient driver", 0}), "no NVIDIA driver is installed");
    EXPECT_EQ(whyNoDevice({12040, "", 1}), "the NVIDIA driver supports CUDA 12.4; 13.0 is required");
    EXPECT_EQ(whyNoDevice({13000, "no CUDA-capable device is detected", 0}),
              "the NVIDIA driver failed: no CUDA-capable device is detected");
    EXPECT_EQ(whyNoDevice({13000, "", 0}), "the NVIDIA driver reports no device");
    EXPECT_EQ(whyNoDevice({13010, "", 2}), "");
}

}  // namespace
}  // namespace steelyard::compute::cuda

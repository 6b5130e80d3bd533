// SPDX-License-Identifier: Apache-2.0
// The plugin on the GPUs of this machine: every layer and many networks compared with the reference backend, in every
// precision. Skipped, with the plugin's reason, without a GPU.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>

#include "engine/compute/plugin_loader.h"
#include "engine/compute/step_values.h"
#include "engine/model/zoo/zoo.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute {
namespace {

// Opened once: a device's context costs about a second.
const Result<std::unique_ptr<Backend>>& plugin() {
    static const auto backend = loadBackendPlugin("steelyard_cuda", {STEELYARD_PLUGIN_FOLDER});
    return backend;
}

struct Precision {
    plan::Precision precision;
    double layerTolerance, networkTolerance;
};
// Relative to the norm. For layers in 16 bits: rounding errors of few values do not average out. For networks: a value
// close to zero may change sides at a ReLU.
constexpr Precision kPrecisions[] = {{plan::Precision::Fp32, 1e-4, 1e-2},
                                     {plan::Precision::Tf32, 5e-3, 2e-2},
                                     {plan::Precision::Bf16, 4e-2, 4e-2},
                                     {plan::Precision::Fp16, 4e-2, 4e-2}};

class CudaDevice : public ::testing::Test {
protected:
    void SetUp() override {
        if (!plugin()) GTEST_SKIP() << describe(plugin().error());
    }
    // A device of compute capability 7.5 supports neither bf16 nor tf32, which must be reported.
    static bool computes(plan::Precision precision) {
        const auto graph = (*model::findWorkload("mnist_mlp"))->build();
        const auto plan = plan::lower(*graph, {plan::Mode::Infer, 1, precision, {}});
        const auto supported = supportsPlan(**plugin(), *plan);
        if (supported) return true;
        EXPECT_EQ(supported.error().kind, ErrorKind::Unsupported);
        return false;
    }
    static test::BackendCheck check(const Precision& p, double tolerance, const model::Optimizer& optimizer) {
        return {.precision = p.precision,
                .optimizer = optimizer,
                .tolerance = tolerance,
                .manyRoundings = true,
                .compile = {.device = "cuda:0", .keepGradients = needsGradients(optimizer)}};
    }
};

class CudaDeviceLayers : public CudaDevice, public ::testing::WithParamInterface<test::LayerCase> {};

TEST_P(CudaDeviceLayers, EqualTheReference) {
    for (const auto& p : kPrecisions) {
        if (!computes(p.precision)) continue;
        for (const auto kind : {model::OptimizerKind::Momentum, model::OptimizerKind::Adam})
            test::expectEqualsReference(**plugin(), GetParam(), check(p, p.layerTolerance, {.kind = kind}));
    }
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaDeviceLayers, ::testing::ValuesIn(test::layerCases()), test::nameOfParam);
INSTANTIATE_TEST_SUITE_P(Decoder, CudaDeviceLayers, ::testing::ValuesIn(test::decoderLayerCases()), test::nameOfParam);

// Language models, with and without adapters beside frozen weights; attention by products and, where they can, by the
// fused kernels.
TEST_F(CudaDevice, TrainsDecodersAsTheReference) {
    for (const auto& p : kPrecisions) {
        if (!computes(p.precision)) continue;
        for (const auto& graph : test::smallDecoders())
            for (const char* kernels : {"own", "cublas"}) {
                auto wanted = check(p, p.networkTolerance, {.kind = model::OptimizerKind::Adam});
                wanted.compile.kernels = kernels;
                test::expectEqualsReference(**plugin(), graph, wanted);
            }
    }
}

class CudaDeviceNetworks : public CudaDevice, public ::testing::WithParamInterface<const char*> {};

TEST_P(CudaDeviceNetworks, EqualTheReference) {
    const auto workload = model::findWorkload(GetParam());
    ASSERT_TRUE(workload.has_value());
    for (const auto& p : kPrecisions) {
        if (!computes(p.precision)) continue;
        // At its default learning rate mnist_mlp is almost certain of its three samples after one step: in 16 bits
        // nothing of the gradient is left.
        auto optimizer = (*workload)->optimizer;
        const bool narrow = plan::activationType(p.precision) != model::DataType::Float32;
        if (GetParam() == std::string_view("mnist_mlp") && narrow) optimizer.learningRate *= 0.01;
        auto wanted = check(p, p.networkTolerance, optimizer);
        // With three samples the few values that rounding moves across a ReLU are a tenth of a gradient.
        if (p.precision != plan::Precision::Fp32) wanted.batch = 8;
        test::expectEqualsReference(**plugin(), (*workload)->build().value(), wanted);
    }
}

// Larger ones are verified by tests/performance/machine/gpu_checks.sh: the reference takes minutes for them.
INSTANTIATE_TEST_SUITE_P(Cuda, CudaDeviceNetworks,
                         ::testing::Values("mnist_mlp", "mnist_cnn", "fcn_r", "alexnet_r", "cifar10_cnn", "resnet56",
                                           "text_lstm", "text_generator", "imdb_bilstm", "lstm_ptb"),
                         [](const auto& one) { return std::string(one.param); });

TEST_F(CudaDevice, GoesOnAfterItsMemoryRanOut) {
    const auto workload = *model::findWorkload("mnist_mlp");
    const auto graph = workload->build();
    const auto planOf = [&](std::int64_t batch) {
        return std::make_shared<plan::Plan>(
            plan::lower(*graph, {plan::Mode::Infer, batch, plan::Precision::Fp32, {}}).value());
    };
    const auto device = (*plugin())->devices().at(0);
    ASSERT_TRUE(device.memory.has_value());
    // Inputs alone: 3,136 bytes per sample.
    const auto batch = std::min<std::int64_t>(device.memory->value() / 3136 + 1, 2'700'000);
    const auto refused = (*plugin())->compile(planOf(batch), {.device = "cuda:0", .memoryLimit = Bytes(1 << 20)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::OutOfMemory);
    EXPECT_GT(refused.error().neededBytes.value_or(0), 1 << 20);
    const auto executable = (*plugin())->compile(planOf(4), {.device = "cuda:0"});
    ASSERT_TRUE(executable) << describe(executable.error());
    ASSERT_TRUE(writeInitialValues(**executable, 1));
    ASSERT_TRUE(writeSyntheticBatch(**executable, 1));
    for (int i = 0; i < 4; ++i) {
        const auto outcome = (*executable)->step({i, 1.0});
        ASSERT_TRUE(outcome) << describe(outcome.error());
        EXPECT_GT(outcome->deviceSeconds.value_or(0), 0);
    }
    EXPECT_TRUE((*executable)->remarks().empty()) << (*executable)->remarks()[0];
}

// A group of one: NCCL, the second stream and the capture of both work as in a larger group, and training must match
// that without it. A network with smooth activations whose kernels sum in a fixed order: two runs of alexnet_r, without
// any exchange, have bias gradients that differ by 1 % after four steps. Two GPUs are compared by
// tests/performance/machine/gpu_checks.sh.
TEST_F(CudaDevice, ExchangesGradientsWithItself) {
    const auto workload = *model::findWorkload("text_lstm");
    const model::Optimizer optimizer{.kind = model::OptimizerKind::Momentum};
    const auto plan = std::make_shared<plan::Plan>(
        plan::lower(*workload->build(), {plan::Mode::Train, 8, plan::Precision::Fp32, optimizer}).value());
    std::string folder = (std::filesystem::temp_directory_path() / "steelyard-ranks-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    std::vector<std::vector<float>> weights[2];
    for (const bool ranked : {false, true}) {
        CompileOptions options{.device = "cuda:0"};
        if (ranked) options.ranks = RankGroup{0, 1, folder, Bytes(1 << 16)};
        const auto executable = (*plugin())->compile(plan, options);
        if (!executable && executable.error().kind == ErrorKind::Unsupported)
            GTEST_SKIP() << describe(executable.error());
        ASSERT_TRUE(executable) << describe(executable.error());
        ASSERT_TRUE(writeSyntheticState(**executable, 1));
        for (int i = 0; i < 4; ++i) {
            const auto outcome = (*executable)->step({i, 1.0});
            ASSERT_TRUE(outcome) << describe(outcome.error());
        }
        EXPECT_TRUE((*executable)->remarks().empty()) << (*executable)->remarks().front();
        for (const auto id : plan->parameterTensors) {
            auto& values = weights[ranked ? 1 : 0].emplace_back(static_cast<std::size_t>(plan->tensor(id).elements()));
            ASSERT_TRUE((*executable)->read(id, values));
        }
        if (!ranked) continue;
        auto* rank = dynamic_cast<RankedExecutable*>(executable->get());
        ASSERT_NE(rank, nullptr);
        EXPECT_EQ(rank->valueOfRankZero(42).value_or(-1), 42);
        const auto times = rank->exchangeTimes();
        ASSERT_TRUE(times) << describe(times.error());
        EXPECT_GT(times->computeSeconds, 0);
        EXPECT_GT(times->exchanges, 1);
    }
    std::filesystem::remove_all(folder);
    for (std::size_t t = 0; t < weights[0].size(); ++t) {
        double norm = 0, off = 0;
        for (std::size_t i = 0; i < weights[0][t].size(); ++i) {
            norm += std::pow(static_cast<double>(weights[0][t][i]), 2);
            off += std::pow(static_cast<double>(weights[0][t][i]) - static_cast<double>(weights[1][t][i]), 2);
        }
        EXPECT_LE(std::sqrt(off), 1e-5 * std::sqrt(norm) + 1e-12) << plan->tensor(plan->parameterTensors[t]).name;
    }
}

// Each implementation of layers that have several: attention by the native kernel and by library products, recurrent
// layers by native kernels and by cuDNN.
class CudaDeviceWays : public CudaDevice {
protected:
    static void compare(const char* names, const char* kernels) {
        for (const auto& layer : test::layerCases())
            for (const auto& p : kPrecisions) {
                if (std::string_view(names).find(layer.name) == std::string_view::npos || !computes(p.precision))
                    continue;
                auto wanted = check(p, p.layerTolerance, {.kind = model::OptimizerKind::Momentum});
                wanted.compile.kernels = kernels;
                test::expectEqualsReference(**plugin(), layer, wanted);
            }
    }
};

TEST_F(CudaDeviceWays, AttentionIsTheReferencesWithAndWithoutItsOwnKernel) {
    for (const char* kernels : {"own", "cublas"}) compare("attention", kernels);
}

TEST_F(CudaDeviceWays, RecurrentLayersAreTheReferencesByOwnKernelsAndByCudnn) {
    for (const char* kernels : {"own", "cudnn"}) compare("lstm gru rnn", kernels);
}

// The first check on a GPU for cuDNN's recurrent layers: whether they are used, in every precision.
TEST_F(CudaDeviceWays, CudnnTakesRecurrentLayers) {
    const auto workload = *model::findWorkload("text_lstm");
    for (const auto& p : kPrecisions) {
        if (!computes(p.precision)) continue;
        const auto plan = std::make_shared<plan::Plan>(
            plan::lower(*workload->build(), {plan::Mode::Train, 8, p.precision, workload->optimizer}).value());
        const auto executable = (*plugin())->compile(plan, {.device = "cuda:0", .kernels = "cudnn"});
        ASSERT_TRUE(executable) << describe(executable.error());
        ASSERT_TRUE(writeSyntheticState(**executable, 1));
        for (int i = 0; i < 4; ++i) {
            const auto outcome = (*executable)->step({i, 1.0});
            ASSERT_TRUE(outcome) << describe(outcome.error());
        }
        EXPECT_TRUE((*executable)->remarks().empty())
            << toString(p.precision) << ": " << (*executable)->remarks().front();
    }
}

}  // namespace
}  // namespace steelyard::compute

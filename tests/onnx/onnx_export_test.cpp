// SPDX-License-Identifier: Apache-2.0
// Bundled networks as ONNX files: imported again they are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/evaluation.h"
#include "engine/compute/step_values.h"
#include "engine/core/random.h"
#include "engine/model/onnx/exporter.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/resolve.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::model::onnx {
namespace {

constexpr std::uint64_t kSeed = 1;

plan::Plan inferencePlan(const model::Graph& graph, std::int64_t batch) {
    auto lowered = plan::lower(graph, {plan::Mode::Infer, batch, plan::Precision::Fp32, {}});
    EXPECT_TRUE(lowered) << describe(lowered.error());
    return std::move(*lowered);
}

struct DrawnInput {
    std::vector<float> numbers;
    std::vector<std::int32_t> integers;
};
std::vector<DrawnInput> drawnInputs(const plan::Plan& plan) {
    std::vector<DrawnInput> all;
    for (const auto id : plan.inputs) {
        const auto& tensor = plan.tensor(id);
        const RandomStream stream(kSeed, all.size());
        const auto count = static_cast<std::size_t>(tensor.elements());
        auto& input = all.emplace_back();
        if (tensor.type == DataType::Int32) {
            input.integers.resize(count);
            fillBelow(input.integers, stream, static_cast<std::uint32_t>(compute::integerLimit(plan, id)));
        } else {
            input.numbers.resize(count);
            fillNormal(input.numbers, stream);
        }
    }
    return all;
}

// The answers of one step.
std::vector<std::vector<float>> answers(const plan::Plan& plan, const std::vector<DrawnInput>& inputs) {
    const auto shared = std::make_shared<const plan::Plan>(plan);
    const auto backend = compute::makeCpuBackend();
    compute::CompileOptions options;
    options.device = "cpu";
    options.threads = 2;
    options.seed = kSeed;
    auto executable = backend->compile(shared, options);
    EXPECT_TRUE(executable) << describe(executable.error());
    EXPECT_TRUE(compute::writeInitialValues(**executable, kSeed));
    EXPECT_EQ(plan.inputs.size(), inputs.size());
    for (std::size_t i = 0; i < std::min(inputs.size(), plan.inputs.size()); ++i) {
        const auto id = plan.inputs[i];
        const auto written = inputs[i].integers.empty() ? (*executable)->write(id, inputs[i].numbers)
                                                        : (*executable)->write(id, inputs[i].integers);
        EXPECT_TRUE(written) << describe(written.error());
    }
    EXPECT_TRUE((*executable)->step({}));
    std::vector<std::vector<float>> all;
    for (const auto& head : plan.heads) {
        if (head.head.trainingOnly) continue;
        auto& values = all.emplace_back(static_cast<std::size_t>(plan.tensor(head.probabilities).elements()));
        EXPECT_TRUE((*executable)->read(head.probabilities, values));
    }
    return all;
}

// The network that was written there.
void expectEqualWhenImported(const model::Graph& network, const std::string& path, bool computes) {
    ImportOptions options;
    options.fileWeights = true;
    options.batch = 2;
    const auto imported = import(readFile(path).value(), options);
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_TRUE(imported->batchIsOpen);
    const auto before = inferencePlan(network, 2), after = inferencePlan(imported->graph, 2);
    EXPECT_DOUBLE_EQ(after.forwardMacsPerSample(), before.forwardMacsPerSample());
    EXPECT_NEAR(after.stepFlops() / before.stepFlops(), 1, 0.01);
    const auto of = [](const model::Graph& graph, auto layer) {
        return std::count_if(graph.nodes.begin(), graph.nodes.end(),
                             [](const auto& node) { return std::holds_alternative<decltype(layer)>(node.layer); });
    };
    EXPECT_EQ(of(imported->graph, Attention{}), of(network, Attention{}));
    EXPECT_EQ(of(imported->graph, Recurrent{}), of(network, Recurrent{}));
    EXPECT_EQ(of(imported->graph, ToTokens{}), of(network, ToTokens{}));
    // exporter.h says what a file has more or less of.
    bool differs = false;
    for (const auto& node : network.nodes)
        differs = differs || std::holds_alternative<PositionEmbedding>(node.layer) ||
                  std::holds_alternative<TokenTypeEmbedding>(node.layer);
    const bool unread = std::any_of(network.heads.begin(), network.heads.end(), [](auto& h) { return h.trainingOnly; });
    if (!differs && !unread) {
        EXPECT_EQ(imported->graph.trainableParameters(), network.trainableParameters());
    }
    if (!computes) return;
    const auto inputs = drawnInputs(before);
    const auto expected = answers(before, inputs), got = answers(after, inputs);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t h = 0; h < got.size(); ++h) {
        ASSERT_EQ(got[h].size(), expected[h].size());
        for (std::size_t i = 0; i < got[h].size(); ++i)
            ASSERT_NEAR(got[h][i], expected[h][i], 1e-5 + 1e-3 * std::abs(expected[h][i])) << "element " << i;
    }
}

// All weights are written, so that large networks are in a program of their own with the label slow.
constexpr std::int64_t kMostParameters = 30'000'000;

// Networks of at most that many parameters, or the others: the names of those that cannot be written.
std::set<std::string> expectZooEqualsItself(bool large) {
    std::set<std::string> refused;
    int equal = 0;
    for (const auto& workload : workloads()) {
        SCOPED_TRACE(workload.id);
        const auto graph = workload.build();
        EXPECT_TRUE(graph) << describe(graph.error());
        if (!graph || (graph->trainableParameters() > kMostParameters) != large) continue;
        const test::TemporaryFolder folder;
        const auto path = (folder.path() / "net.onnx").string();
        const auto written = exportNetwork(*graph, path, kSeed);
        if (written) {
            expectEqualWhenImported(*graph, path, false);
            ++equal;
        } else {
            EXPECT_EQ(written.error().kind, ErrorKind::Unsupported) << describe(written.error());
            refused.insert(workload.id);
        }
    }
    EXPECT_GE(equal, 10);
    return refused;
}

#if !defined(STEELYARD_LARGE_NETWORKS)

class Exported : public ::testing::TestWithParam<std::string> {};

TEST_P(Exported, EqualsItselfWhenImported) {
    const auto workload = resolveWorkload(GetParam());
    ASSERT_TRUE(workload) << describe(workload.error());
    const auto graph = workload->build();
    ASSERT_TRUE(graph) << describe(graph.error());
    const test::TemporaryFolder folder;
    const auto path = (folder.path() / "net.onnx").string();
    const auto written = exportNetwork(*graph, path, kSeed);
    ASSERT_TRUE(written) << describe(written.error());
    expectEqualWhenImported(*graph, path, true);
}

INSTANTIATE_TEST_SUITE_P(Onnx, Exported,
                         ::testing::Values("mnist_mlp", "mnist_cnn", "cifar10_cnn", "alexnet_r", "imdb_fasttext",
                                           "text_generator", "text_lstm", "paradnn_rnn(cell=gru)", "imdb_bilstm"),
                         [](const auto& one) {
                             std::string name;
                             for (const char c : one.param)
                                 name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                             return name;
                         });

TEST(OnnxExport, SaysWhatCannotBeWritten) {
    const test::TemporaryFolder folder;
    model::Graph imported;
    imported.name = "net";
    imported.wholeShapes = true;
    const auto refused = exportNetwork(imported, (folder.path() / "a.onnx").string(), kSeed);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
    const auto nowhere =
        exportNetwork(*resolveWorkload("mnist_mlp")->build(), (folder.path() / "none" / "a.onnx").string(), kSeed);
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().kind, ErrorKind::IoFailed);
}

TEST(OnnxExportOfTheZoo, EverySmallNetworkEqualsItself) {
    EXPECT_EQ(expectZooEqualsItself(false), std::set<std::string>{"lstm_ptb"});  // its state is carried on
}

#else

TEST(OnnxExportOfTheZoo, EveryLargeNetworkEqualsItself) {
    EXPECT_EQ(expectZooEqualsItself(true), std::set<std::string>{"gpt2_small_decode"});  // its cache is carried on
}

#endif

}  // namespace
}  // namespace steelyard::model::onnx

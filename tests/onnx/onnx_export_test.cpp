// SPDX-License-Identifier: Apache-2.0
// Bundled networks as ONNX files: imported again they are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/evaluation.h"
#include "engine/compute/step_values.h"
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

// The answers of one step on a synthetic batch.
std::vector<std::vector<float>> answers(const plan::Plan& plan) {
    const auto shared = std::make_shared<const plan::Plan>(plan);
    const auto backend = compute::makeCpuBackend();
    compute::CompileOptions options;
    options.device = "cpu";
    options.threads = 2;
    options.seed = kSeed;
    auto executable = backend->compile(shared, options);
    EXPECT_TRUE(executable) << describe(executable.error());
    EXPECT_TRUE(compute::writeSyntheticState(**executable, kSeed));
    EXPECT_TRUE((*executable)->step({}));
    std::vector<std::vector<float>> all;
    for (const auto& head : plan.heads) {
        if (head.head.trainingOnly) continue;
        auto& values = all.emplace_back(static_cast<std::size_t>(plan.tensor(head.probabilities).elements()));
        EXPECT_TRUE((*executable)->read(head.probabilities, values));
    }
    return all;
}

void expectEqualsItself(const std::string& name, bool computes) {
    const auto workload = resolveWorkload(name);
    ASSERT_TRUE(workload) << describe(workload.error());
    const auto graph = workload->build();
    ASSERT_TRUE(graph) << describe(graph.error());
    const test::TemporaryFolder folder;
    const auto path = (folder.path() / "net.onnx").string();
    const auto written = exportNetwork(*graph, path, kSeed);
    ASSERT_TRUE(written) << describe(written.error());
    ImportOptions options;
    options.fileWeights = true;
    options.batch = 2;
    const auto imported = import(readFile(path).value(), options);
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_TRUE(imported->batchIsOpen);
    const auto before = inferencePlan(*graph, 2), after = inferencePlan(imported->graph, 2);
    EXPECT_DOUBLE_EQ(after.forwardMacsPerSample(), before.forwardMacsPerSample());
    EXPECT_NEAR(after.stepFlops() / before.stepFlops(), 1, 0.01);
    // exporter.h says what a file has more or less of.
    bool differs = false;
    for (const auto& node : graph->nodes)
        differs = differs || std::holds_alternative<Recurrent>(node.layer) ||
                  std::holds_alternative<PositionEmbedding>(node.layer) ||
                  std::holds_alternative<TokenTypeEmbedding>(node.layer);
    const bool unread = std::any_of(graph->heads.begin(), graph->heads.end(), [](auto& h) { return h.trainingOnly; });
    if (!differs && !unread) {
        EXPECT_EQ(imported->graph.trainableParameters(), graph->trainableParameters());
    }
    if (!computes) return;
    const auto expected = answers(before), got = answers(after);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t h = 0; h < got.size(); ++h) {
        ASSERT_EQ(got[h].size(), expected[h].size());
        for (std::size_t i = 0; i < got[h].size(); ++i)
            ASSERT_NEAR(got[h][i], expected[h][i], 1e-5 + 1e-3 * std::abs(expected[h][i])) << "element " << i;
    }
}

#if !defined(STEELYARD_WHOLE_ZOO)

class Exported : public ::testing::TestWithParam<std::string> {};

TEST_P(Exported, EqualsItselfWhenImported) {
    expectEqualsItself(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(Onnx, Exported,
                         ::testing::Values("mnist_mlp", "mnist_cnn", "cifar10_cnn", "alexnet_r", "imdb_fasttext",
                                           "text_lstm", "paradnn_rnn(cell=gru)"),
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

#else

// By their structure alone; in a program of its own with the label slow, because all weights are written.
TEST(OnnxExportOfTheZoo, EveryNetworkEqualsItself) {
    for (const auto& workload : workloads()) {
        const auto graph = workload.build();
        ASSERT_TRUE(graph);
        const test::TemporaryFolder folder;
        const auto written = exportNetwork(*graph, (folder.path() / "net.onnx").string(), kSeed);
        if (!written) {
            EXPECT_EQ(written.error().kind, ErrorKind::Unsupported) << workload.id;
            std::cout << workload.id << ": " << describe(written.error()) << "\n";
            continue;
        }
        SCOPED_TRACE(workload.id);
        expectEqualsItself(workload.id, false);
    }
}

#endif

}  // namespace
}  // namespace steelyard::model::onnx

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/resolve.h"
#include "tests/onnx/onnx_case.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::model::onnx {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kData = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx";

std::string refused(const std::string& name, const ImportOptions& options = {}) {
    const auto file = readFile(kData + "/refused/" + name + ".onnx");
    if (!file) return describe(file.error());
    const auto network = import(*file, options);
    return network ? "" : describe(network.error());
}

Imported imported(const std::string& name, const ImportOptions& options = {}) {
    auto network = import(readFile(kData + "/" + name + "/model.onnx").value(), options);
    EXPECT_TRUE(network) << describe(network.error());
    return std::move(network).value();
}

std::string content(const std::string& name) {
    std::ifstream stream(kData + "/" + name + "/model.onnx", std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class Models : public ::testing::TestWithParam<std::string> {};

TEST_P(Models, ComputeWhatIsExpected) {
    const auto backend = compute::makeReferenceBackend();
    const auto errors = test::runOnnxCase(*backend, kData + "/" + GetParam(), {});
    ASSERT_TRUE(errors) << describe(errors.error());
    EXPECT_FALSE(errors->empty());
    for (const auto& error : *errors)
        EXPECT_TRUE(error.within) << error.name << ": " << error.absolute << ", relative " << error.relative;
}

INSTANTIATE_TEST_SUITE_P(Onnx, Models,
                         ::testing::Values("mlp", "external", "shapes", "windows", "tokens", "toy_espcn", "toy_tcn1d",
                                           "toy_transformer_encoder"),
                         [](const auto& one) { return one.param; });

TEST(OnnxComparison, SeesADifference) {
    const compute::NamedArray expected{"y", {3}, {1, -2, 0}};
    auto computed = expected;
    EXPECT_TRUE(compareOutput(computed, expected, {}).within);
    computed.values[1] += 0.01;
    EXPECT_FALSE(compareOutput(computed, expected, {}).within);
    computed.values[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(compareOutput(computed, expected, {}).within);
}

TEST(OnnxImport, UsesTheLayersThatBackendsKnow) {
    const auto network = imported("mlp");
    int dense = 0;
    for (const auto& node : network.graph.nodes) dense += std::holds_alternative<Dense>(node.layer) ? 1 : 0;
    EXPECT_EQ(dense, 2);
    EXPECT_EQ(network.graph.trainableParameters(), 6 * 8 + 8 + 4 * 8 + 4);
}

TEST(OnnxImport, FoldsTheArithmeticOfShapes) {
    for (const auto& node : imported("shapes").graph.nodes)
        EXPECT_TRUE(node.type == DataType::Float32 || std::holds_alternative<ArrayLayer>(node.layer));
    EXPECT_EQ(imported("shapes").outputs[0].shape, (Shape{1, 3}));
}

TEST(OnnxImport, TakesTheBatchThatIsAskedFor) {
    const auto graph = imported("mlp").graph;
    const auto plan = plan::lower(graph, {plan::Mode::Infer, 7, plan::Precision::Fp32, {}});
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->tensor(plan->inputs[0]).dims, (Shape{7, 6}));
    EXPECT_DOUBLE_EQ(plan->forwardMacsPerSample(), 6 * 8 + 8 * 4);
    // Not where the file says otherwise.
    const auto fixed = plan::lower(imported("windows").graph, {plan::Mode::Infer, 3, plan::Precision::Fp32, {}});
    ASSERT_FALSE(fixed);
    EXPECT_THAT(fixed.error().detail.text, HasSubstr("dynamic_axes"));
    EXPECT_FALSE(plan::lower(graph, {plan::Mode::Train, 7, plan::Precision::Fp32, {}}));
}

TEST(OnnxImport, DrawsWeightsUnlessTheFilesAreWanted) {
    const auto first = [](const ImportOptions& options) {
        const auto network = imported("mlp", options);
        std::vector<float> values;
        EXPECT_TRUE(initialValues(network.graph.parameters.at(0), 1, values));
        return values;
    };
    ImportOptions wanted;
    wanted.fileWeights = true;
    EXPECT_EQ(first({}).size(), 48U);
    EXPECT_NE(first({}), first(wanted));
    EXPECT_EQ(first(wanted), first(wanted));
}

TEST(OnnxImport, StopsAtTheOutputsThatAreAskedFor) {
    ImportOptions options;
    options.outputs = {"h"};
    EXPECT_EQ(refused("operator", options), "");
    options.outputs = {"nothing"};
    EXPECT_THAT(refused("operator", options), HasSubstr("there is no value \"nothing\""));
}

TEST(OnnxImport, NamesWhatItRefuses) {
    EXPECT_THAT(refused("operator"),
                AllOf(HasSubstr("NonMaxSuppression"), HasSubstr("/head/nms"), HasSubstr("--outputs h")));
    EXPECT_THAT(refused("domain"), HasSubstr("FusedMatMul of com.microsoft"));
    EXPECT_THAT(refused("cycle"), HasSubstr("\"b\" is read before it is computed"));
    EXPECT_THAT(refused("twice"), HasSubstr("\"y\" is defined twice"));
    EXPECT_THAT(refused("open"), HasSubstr("(height) is dynamic; set it with --shape x=1x3x?x8"));
    EXPECT_THAT(refused("old"), HasSubstr("opset 6"));
    ImportOptions shaped;
    shaped.shapes["x"] = {2, 3, 5, 8};
    EXPECT_EQ(refused("open", shaped), "");
    shaped.shapes["x"] = {2, 4, 5, 8};
    EXPECT_THAT(refused("open", shaped), HasSubstr("dimension 2 is 3 in the file, not 4"));
    shaped.shapes = {{"z", {1}}};
    EXPECT_THAT(refused("open", shaped), HasSubstr("there is no input \"z\""));
}

TEST(OnnxImport, ReadsNoDataOutsideTheFolder) {
    ImportOptions options;
    options.fileWeights = true;
    const auto network = import(readFile(kData + "/refused/outside.onnx").value(), options);
    ASSERT_TRUE(network) << describe(network.error());
    std::vector<float> values;
    const auto read = initialValues(network->graph.parameters.at(0), 1, values);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().detail.text, HasSubstr("model's folder"));
}

TEST(OnnxFile, SaysWhereItIsDamaged) {
    const auto whole = content("mlp");
    EXPECT_TRUE(readBytes(whole, "net.onnx"));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto file = readBytes(std::string_view(whole).substr(0, length), "net.onnx");
        if (file) continue;  // cut between two fields: what is left may be a file
        EXPECT_EQ(file.error().kind, ErrorKind::CorruptData);
        EXPECT_TRUE(file.error().offset && *file.error().offset <= static_cast<std::int64_t>(length));
    }
    EXPECT_FALSE(readBytes("", "net.onnx"));
    EXPECT_EQ(readFile("/nonexistent/net.onnx").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(readFile("/tmp").error().kind, ErrorKind::InvalidArgument);
}

TEST(OnnxFile, BoundsSubgraphs) {
    // GraphProto in an attribute of a node of a GraphProto, 100 deep, built from the inside.
    const auto field = [](int number, const std::string& bytes) {
        std::string result(1, static_cast<char>(number << 3 | 2));
        for (auto size = bytes.size();; size >>= 7) {
            result += static_cast<char>(size < 128 ? size : (size & 127U) | 128U);
            if (size < 128) break;
        }
        return result + bytes;
    };
    std::string graph;
    for (int i = 0; i < 100; ++i) graph = field(1, field(5, field(6, graph)));
    const auto file = readBytes(field(7, graph), "deep.onnx");
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().detail.text, HasSubstr("nested"));
}

TEST(OnnxWorkload, IsNamedByPathOptionsAndStructure) {
    const auto path = kData + "/mlp/model.onnx";
    const auto plain = resolveWorkload(path);
    ASSERT_TRUE(plain) << describe(plain.error());
    EXPECT_TRUE(plain->inferenceOnly);
    EXPECT_EQ(resolveWorkload(plain->id)->id, plain->id);
    const auto several = resolveWorkload(path + "(batch=4,weights=file)");
    ASSERT_TRUE(several) << describe(several.error());
    EXPECT_THAT(several->id, HasSubstr("(batch=4,weights=file)#"));
    EXPECT_EQ(several->batch, 4);
    EXPECT_EQ(resolveWorkload(several->id)->id, several->id);
    EXPECT_FALSE(resolveWorkload(path + "#00000000"));
    EXPECT_FALSE(resolveWorkload(path + "(size=3)"));
    EXPECT_FALSE(resolveWorkload(path + "(batch=0)"));
    // The same structure elsewhere is the same network; other weights do not matter.
    EXPECT_EQ(structureHash(imported("mlp").graph), structureHash(imported("external").graph));
    EXPECT_NE(structureHash(imported("mlp").graph), structureHash(imported("shapes").graph));
}

TEST(OnnxWorkload, RunsOnDrawnValues) {
    for (const auto* name : {"mlp", "shapes", "tokens"}) {
        const auto network = imported(
            name, std::string(name) == "tokens" ? ImportOptions{{}, {}, {{"mode", {1}}}, {}, false} : ImportOptions{});
        auto lowered = plan::lower(network.graph, {plan::Mode::Infer, network.batch, plan::Precision::Fp32, {}});
        ASSERT_TRUE(lowered);
        const auto plan = std::make_shared<const plan::Plan>(*std::move(lowered));
        const auto executable = compute::makeReferenceBackend()->compile(plan, {}).value();
        ASSERT_TRUE(compute::writeSyntheticState(*executable, 1));
        ASSERT_TRUE(executable->step({}));
        const auto answer = plan->heads[0].probabilities;
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(answer).elements()));
        ASSERT_TRUE(executable->read(answer, values));
        for (const float v : values) EXPECT_TRUE(std::isfinite(v)) << name;
    }
}

}  // namespace
}  // namespace steelyard::model::onnx

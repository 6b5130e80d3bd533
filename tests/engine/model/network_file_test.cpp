// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/network_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/core/random.h"
#include "engine/model/resolve.h"
#include "engine/plan/plan.h"
#include "tests/support/json_schema.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::model {
namespace {

const std::string kFolder = std::string(STEELYARD_TEST_DATA) + "/networks/";
const std::filesystem::path kSchemas = std::string(STEELYARD_SOURCE_DIR) + "/resources/schemas";

std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// A document with these layers, one per line from line 2 on, the last one being the output.
std::string document(const std::vector<std::string>& layers, const std::string& output = "answer") {
    std::string text = "{\"name\": \"own\", \"layers\": [\n";
    for (std::size_t i = 0; i < layers.size(); ++i) text += layers[i] + (i + 1 < layers.size() ? ",\n" : "\n");
    return text + "], \"outputs\": [{\"layer\": \"" + output + "\"}]}";
}

std::string errorOf(const std::string& text) {
    const auto read = readNetwork(text, "own.json");
    if (read) return "read";
    EXPECT_EQ(read.error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(read.error().subject, "own.json");
    EXPECT_TRUE(read.error().offset);
    return read.error().detail.text;
}

constexpr const char* kImage = R"({"kind": "input", "shape": [1, 8, 8]})";
constexpr const char* kAnswer = R"({"kind": "dense", "name": "answer", "units": 2})";

TEST(NetworkFile, AConvolutionalNetwork) {
    const auto workload = resolveWorkload(kFolder + "small_cnn.json").value();
    EXPECT_TRUE(workload.id.starts_with(kFolder + "small_cnn.json#")) << workload.id;
    EXPECT_EQ(resolveWorkload(workload.id).value().id, workload.id);
    EXPECT_EQ(workload.title, "A small convolutional network with a residual connection");
    EXPECT_EQ(workload.family, "own");
    EXPECT_EQ(workload.batch, 64);
    EXPECT_EQ(workload.dataKind, DataKind::Images);
    EXPECT_EQ(workload.optimizer.kind, OptimizerKind::Momentum);
    EXPECT_EQ(workload.optimizer.weightDecay, 1e-4);
    // 3 x 16 x 9; batch norm 32; depthwise 16 x 3 + 16; 16 x 16 x 3 + 16; 16 x 16 x 16 x 10 + 10.
    EXPECT_EQ(workload.parameters, 432 + 32 + 64 + 784 + 40'970);
    const auto graph = workload.build().value();
    EXPECT_EQ(graph.name, "small_cnn");
    EXPECT_EQ(std::get<Conv2d>(graph.nodes[1].layer).padding, (Padding2d{1, 1, 1, 1}));
    EXPECT_EQ(std::get<Conv2d>(graph.nodes[4].layer).padding, (Padding2d{1, 0, 1, 0}));
    EXPECT_EQ(std::get<Pool2d>(graph.nodes[7].layer).stride, (Size2d{2, 2}));
    EXPECT_EQ(graph.parameters[0].spec.init.kind, InitKind::HeNormal);
}

TEST(NetworkFile, ALanguageModelWithTiedWeightsAndAnAuxiliaryOutput) {
    const auto workload = readNetworkFile(kFolder + "small_language_model.json").value();
    EXPECT_EQ(workload.dataKind, DataKind::TokenIds);
    EXPECT_EQ(workload.optimizer.clipNorm, 1.0);
    EXPECT_EQ(workload.optimizer.beta2, 0.98);
    const auto graph = workload.build().value();
    ASSERT_EQ(graph.heads.size(), 2U);
    EXPECT_FALSE(graph.heads[0].trainingOnly);
    EXPECT_TRUE(graph.heads[1].trainingOnly);
    EXPECT_EQ(graph.heads[1].weight, 0.1);
    EXPECT_EQ(graph.nodes[static_cast<std::size_t>(graph.heads[0].logits)].name, "next_word");
    EXPECT_EQ(graph.nodes[static_cast<std::size_t>(graph.heads[0].logits)].output, (Shape{16, 100}));
}

TEST(NetworkFile, TheExamplesFollowTheSchema) {
    for (const char* name : {"small_cnn.json", "small_language_model.json"})
        EXPECT_EQ(test::schemaProblems(kSchemas, "network.schema.json", contents(kFolder + name)),
                  std::vector<std::string>{})
            << name;
}

TEST(NetworkFile, ErrorsNameLineAndColumn) {
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "conv2d", "filter": 3, "kernel": 3})", kAnswer})),
              "line 3, column 20: unknown member \"filter\"; did you mean \"filters\"?");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "conv2d", "filters": 3})"})),
              "line 3, column 1: \"kernel\" is missing");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "conf2d"})"})),
              "line 3, column 10: unknown kind of layer \"conf2d\"; did you mean \"conv2d\"?");
    EXPECT_EQ(errorOf(document({kImage, R"({"units": 3})"})), "line 3, column 1: \"kind\" is missing");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "dropout", "rate": "half"})"})),
              "line 3, column 29: \"rate\" must be a number, not \"half\"");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "dropout", "rate": 1})"})),
              "line 3, column 29: \"rate\" must be between 0 and 0.999");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "flatten", "inputs": ["imag"]})"})),
              "line 3, column 32: no earlier layer is named \"imag\"");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "activation", "function": "rely"})"})),
              "line 3, column 36: \"function\" must be one of relu, relu6, sigmoid, tanh, gelu, gelu_tanh, swish, not "
              "\"rely\"");
    EXPECT_EQ(errorOf(document({R"({"kind": "flatten"})"})), "line 2, column 1: the first layer must be an input");
    EXPECT_EQ(errorOf(document({kImage, kAnswer})),
              "line 3, column 1: layer \"answer\" of own: expects [F] or [T, F]; flatten 1 x 8 x 8 first");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "flatten"})", kAnswer}, "anser")),
              "line 5, column 26: no earlier layer is named \"anser\"");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "flatten", "name": "answer"})", kAnswer})),
              "line 4, column 27: \"answer\" is the name of another layer");
    EXPECT_EQ(errorOf(document({kImage, R"({"kind": "flatten", "name": "a b"})"})).substr(0, 44),
              "line 3, column 29: \"a b\" is not a valid name");
}

TEST(NetworkFile, ErrorsOfTheTextItself) {
    EXPECT_EQ(errorOf("").substr(0, 17), "line 1, column 1:");
    EXPECT_EQ(errorOf("{\n  \"name\": \"x\"\n  \"layers\"").substr(0, 7), "line 3,");
    EXPECT_EQ(errorOf("[]"), "line 1, column 1: must be an object, not an array");
    EXPECT_EQ(errorOf("{\"name\": \"x\", \"name\": \"y\"}"), "line 1, column 15: \"name\" is given twice");
    EXPECT_EQ(errorOf("{\"name\": \"x\", \"batch\": 1.5}"),
              "line 1, column 24: \"batch\" must be a whole number, not a number");
    EXPECT_EQ(errorOf("{\"name\": \"x\", \"batch\": 99999999999999999999}"),
              "line 1, column 24: \"batch\" must be a whole number, not a number");
    EXPECT_EQ(errorOf("{\"name\": \"x\", \"batch\":0 }"), "line 1, column 23: \"batch\" must be between 1 and 1000000");
    EXPECT_EQ(errorOf("{\"name\": \"\\\"a b\", \"layers\": [{}], \"outputs\": [{}]}"),
              "line 1, column 10: \"name\" takes up to 64 letters, digits and _ - .");
    EXPECT_EQ(errorOf(std::string(100, '[')), "line 1, column 17: nested more than 16 levels deep");
    EXPECT_EQ(errorOf("{\"name\": \"x\", \"optimizer\": {\"kind\": \"sgd\", \"beta1\": 0.9}, \"layers\": [{}], "
                      "\"outputs\": [{}]}"),
              "line 1, column 44: the optimizer sgd has no \"beta1\"");
    const auto large = readNetwork(std::string((std::size_t{1} << 20) + 1, ' '), "own.json");
    EXPECT_EQ(large.error().detail.text, "larger than 1048576 bytes");
}

TEST(NetworkFile, RefusesWhatDoesNotFitTogether) {
    const std::string ids = R"({"kind": "input", "name": "ids", "type": "int32", "shape": [4], "vocabulary": 50})";
    EXPECT_EQ(errorOf(document({ids, kAnswer})), "line 3, column 1: layer \"answer\" of own: does not take token ids");
    EXPECT_EQ(errorOf(document({ids, R"({"kind": "embedding", "vocabulary": 49, "units": 8})"})),
              "line 3, column 1: layer \"embedding_1\" of own: has 49 rows for a vocabulary of 50");
    EXPECT_EQ(errorOf(document(
                  {R"({"kind": "input", "shape": [7]})", R"({"kind": "embedding", "vocabulary": 9, "units": 8})"})),
              "line 3, column 1: layer \"embedding_1\" of own: its input must be token ids");
    EXPECT_EQ(errorOf(document(
                  {R"({"kind": "input", "shape": [7]})", R"({"kind": "dense", "units": 2, "tied_to": "input_1"})"})),
              "line 3, column 1: a dense layer takes either \"units\" or \"tied_to\"");
    EXPECT_EQ(errorOf(document({R"({"kind": "input", "shape": [7]})", R"({"kind": "dense", "tied_to": "input_1"})"})),
              "line 3, column 1: a tied dense layer requires an embedding of the same width with dense updates");
    EXPECT_EQ(
        errorOf(document({R"({"kind": "input", "name": "answer", "shape": [3, 8, 8]})"})),
        "line 3, column 15: an output must be [V] or [T, V] with softmax, or [1] with sigmoid; answer is 3 x 8 x 8");
    EXPECT_EQ(
        errorOf(document({R"({"kind": "input", "shape": [10000000]})", R"({"kind": "dense", "units": 10000000})"})),
        "line 3, column 1: layer \"dense_1\" of own: the weights are too large");
    EXPECT_EQ(errorOf(document({R"({"kind": "input", "shape": [10000000, 10000000]})"})),
              "line 2, column 1: layer \"input_1\" of own: the result is too large");
}

TEST(NetworkFile, AnEditedFileIsAnotherWorkload) {
    const test::TemporaryFolder folder;
    const auto file = (folder / "net.json").string();
    const auto write = [&](int units) {
        test::TemporaryFolder::spill(
            file,
            R"({"name": "net", "layers": [{"kind": "input", "shape": [4]}, {"kind": "dense", "name": "y", "units": )" +
                std::to_string(units) + R"(}], "outputs": [{"layer": "y"}]})");
    };
    write(3);
    const auto before = resolveWorkload(file).value();
    EXPECT_EQ(resolveWorkload(before.id).value().parameters, before.parameters);
    write(5);
    const auto after = resolveWorkload(file).value();
    EXPECT_NE(after.id, before.id);
    EXPECT_EQ(after.id.substr(0, file.size() + 1), before.id.substr(0, file.size() + 1));
    const auto stale = resolveWorkload(before.id);
    ASSERT_FALSE(stale);
    EXPECT_EQ(stale.error().kind, ErrorKind::InvalidArgument);
    EXPECT_NE(stale.error().detail.text.find("the file has changed"), std::string::npos);
    // A file with a name like this is not a name with a hash.
    test::TemporaryFolder::spill(file + "#00000000", test::TemporaryFolder::slurp(file));
    EXPECT_TRUE(resolveWorkload(file + "#00000000"));
}

TEST(NetworkFile, FilesThatAreNone) {
    EXPECT_EQ(readNetworkFile(kFolder + "none.json").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(readNetworkFile(kFolder).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(readNetworkFile("/dev/zero").error().kind, ErrorKind::InvalidArgument);
}

// Random damage to valid files: the result is a network that can be built, or an error.
TEST(NetworkFile, SurvivesRandomDamage) {
    const std::vector<std::string> originals{contents(kFolder + "small_cnn.json"),
                                             contents(kFolder + "small_language_model.json")};
    const std::vector<std::string> pieces{"0",     "-1",       "9223372036854775807",
                                          "1e308", "10000000", "\"same\"",
                                          "null",  "[]",       "{}",
                                          "[[[[",  "\"",       "\\",
                                          ",",     "true",     ":",
                                          "\xff",  "4096",     "1",
                                          "\"x\"", "[3,3]",    "\n"};
    int accepted = 0;
    for (std::uint32_t round = 0; round < 6'000; ++round) {
        const RandomStream random(round, 0);
        auto text = originals[round % originals.size()];
        const auto changes = 1 + random.below(0, 3);
        for (std::uint32_t c = 0; c < changes && !text.empty(); ++c) {
            const auto at = random.below(4 * c + 1, static_cast<std::uint32_t>(text.size()));
            const auto length = random.below(4 * c + 2, 12);
            const auto& piece = pieces[random.below(4 * c + 3, static_cast<std::uint32_t>(pieces.size()))];
            switch (random.below(4 * c + 4, 4)) {
                case 0:
                    text.erase(at, length);
                    break;
                case 1:
                    text.replace(at, length, piece);
                    break;
                case 2:
                    text[at] = static_cast<char>(random.bits(4 * c + 5));
                    break;
                default: {  // replaces a number
                    const auto digit = text.find_first_of("0123456789", at);
                    if (digit != std::string::npos)
                        text.replace(digit, text.find_first_not_of("0123456789", digit) - digit, piece);
                }
            }
        }
        const auto read = readNetwork(text, "damaged");
        if (!read) {
            EXPECT_FALSE(read.error().detail.text.empty());
            continue;
        }
        ++accepted;
        const auto graph = read->build();
        ASSERT_TRUE(graph);
        EXPECT_GE(graph->trainableParameters(), 0);
        for (const auto mode : {plan::Mode::Train, plan::Mode::Infer}) {
            const auto plan = plan::lower(*graph, {mode, read->batch, plan::Precision::Fp32, read->optimizer});
            EXPECT_TRUE(!plan || plan->memory.total() >= Bytes(0));
        }
    }
    EXPECT_GT(accepted, 100);
    EXPECT_LT(accepted, 5'000);
}

}  // namespace
}  // namespace steelyard::model

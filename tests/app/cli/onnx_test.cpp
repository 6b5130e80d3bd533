// SPDX-License-Identifier: Apache-2.0
// The command line with ONNX files.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/compute/evaluation.h"
#include "engine/core/file_io.h"
#include "engine/core/npy.h"
#include "engine/model/onnx/onnx_file.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::cli {
namespace {

using OnnxTest = CliTest;

const std::string kNetwork = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/mlp/model.onnx";
const std::string kInputs = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/mlp";

TEST_F(OnnxTest, EvaluatesAndComparesWithWhatIsExpected) {
    const test::TemporaryFolder folder;
    const auto outcome =
        call({"evaluate", kNetwork, "--inputs", kInputs, "--outputs", folder.path().string(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["outputs"][0]["state"], "pass");
    EXPECT_TRUE(std::filesystem::exists(folder / "output_0.pb"));
    // Random weights give different results, outside any tolerance.
    const auto drawn = call({"evaluate", kNetwork, "--inputs", kInputs, "--weights", "drawn"});
    EXPECT_EQ(drawn.code, 1) << drawn.out;
    EXPECT_NE(drawn.out.find("fail"), std::string::npos);
    EXPECT_EQ(call({"evaluate", "resnet50", "--inputs", kInputs}).code, 2);
}

TEST_F(OnnxTest, AcceptsInSixteenBitsWhatRoundingAloneChanges) {
    const auto folder = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/logarithm";
    const auto file = folder + "/model.onnx";
    const auto exact = call({"evaluate", file, "--inputs", folder, "--json"});
    ASSERT_EQ(exact.code, 0) << exact.out << exact.err;
    EXPECT_FALSE(exact.json()["outputs"][0].contains("rounding_error"));
    const auto rounded = call({"evaluate", file, "--inputs", folder, "--precision", "bf16", "--json"});
    ASSERT_EQ(rounded.code, 0) << rounded.out << rounded.err;
    const auto output = rounded.json()["outputs"][0];
    EXPECT_GT(output["max_absolute_error"], 0.05);
    EXPECT_LE(output["max_absolute_error"], 2 * output["rounding_error"].get<double>());
    const auto table = call({"evaluate", file, "--inputs", folder, "--precision", "bf16"});
    EXPECT_NE(table.out.find("(rounding to bf16 alone: "), std::string::npos) << table.out;
    // A given tolerance is kept, and wrong values fail.
    EXPECT_EQ(call({"evaluate", file, "--inputs", folder, "--precision", "bf16", "--absolute", "0.05"}).code, 1);
    EXPECT_EQ(call({"evaluate", file, "--inputs", folder, "--precision", "bf16", "--weights", "drawn"}).code, 1);
}

TEST_F(OnnxTest, EvaluatesNumpyArrays) {
    const auto original = call({"evaluate", kNetwork, "--inputs", kInputs, "--json"});
    ASSERT_EQ(original.code, 0) << original.err;
    const auto file = model::onnx::readFile(kNetwork).value();
    const auto data = compute::readEvaluationCase(*file, kInputs + "/test_data_set_0", {}, {}).value();
    ASSERT_EQ(data.inputs.size(), 1U);
    const auto& input = data.inputs.front();
    const auto& expected = *data.expected.front();
    for (const bool byName : {false, true}) {
        const test::TemporaryFolder folder;
        const auto place = [&](const char* what, const std::string& name) {
            return folder / (byName ? name + ".npy" : std::string(what) + "_0.npy");
        };
        ASSERT_TRUE(writeFileAtomically(place("input", input.name), npyBytes("<f4", input.shape, input.values)));
        ASSERT_TRUE(writeFileAtomically(place("output", file->graph.outputs.front().name),
                                        npyBytes("<f8", expected.shape, expected.values)));
        const auto outcome = call({"evaluate", kNetwork, "--inputs", folder.path().string(), "--outputs",
                                   (folder / "computed").string(), "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json(), original.json());
        const auto written = readFile(folder / "computed" / "output_0.npy", 1 << 20);
        ASSERT_TRUE(written) << describe(written.error());
        const auto array = readNpy(*written, "output_0.npy");
        ASSERT_TRUE(array) << describe(array.error());
        EXPECT_EQ(array->type, "<f4");
        EXPECT_EQ(array->shape, expected.shape);
        EXPECT_NEAR(array->values.front(), expected.values.front(), 1e-4);
        // As requested; two files for one input are an error.
        ASSERT_EQ(call({"evaluate", kNetwork, "--inputs", folder.path().string(), "--outputs",
                        (folder / "computed").string(), "--format", "pb"})
                      .code,
                  0);
        EXPECT_TRUE(std::filesystem::exists(folder / "computed" / "output_0.pb"));
        std::filesystem::copy_file(kInputs + "/test_data_set_0/input_0.pb", folder / "input_0.pb");
        const auto twice = call({"evaluate", kNetwork, "--inputs", folder.path().string()});
        EXPECT_EQ(twice.code, 2);
        EXPECT_NE(twice.err.find("input_0.pb"), std::string::npos) << twice.err;
    }
    // A mismatched shape.
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / "input_0.npy", npyBytes("<f4", {1}, std::vector<double>{1})));
    EXPECT_EQ(call({"evaluate", kNetwork, "--inputs", folder.path().string()}).code, 2);
    ASSERT_TRUE(writeFileAtomically(folder / "input_0.npy", "no array"));
    const auto damaged = call({"evaluate", kNetwork, "--inputs", folder.path().string()});
    EXPECT_EQ(damaged.code, 2);
    EXPECT_NE(damaged.err.find("input_0.npy"), std::string::npos) << damaged.err;
}

TEST_F(OnnxTest, IsPredictedAndAdvisedOn) {
    const auto shown = call({"show", kNetwork, "--weights", "file", "--json"});
    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.json()["workload"].get<std::string>().find('/'), std::string::npos);
    EXPECT_EQ(call({"predict", "--workload", kNetwork, "--json"}).code, 0);
    EXPECT_EQ(call({"advise", "--workload", kNetwork, "--steps", "1000", "--json"}).code, 0);
    const auto wrong = call({"predict", "--workload", kNetwork, "--weights", "q4_k_m"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("weights"), std::string::npos) << wrong.err;
}

TEST_F(OnnxTest, ComputesQuantisedFiles) {
    const auto data = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/";
    for (const auto* name : {"qdq_channels", "qdq_signed", "integers"}) {
        const auto file = data + name + "/model.onnx";
        const auto outcome = call({"evaluate", file, "--inputs", data + name, "--json"});
        EXPECT_EQ(outcome.code, 0) << name << outcome.err << outcome.out;
        if (std::string(name) == "integers") continue;
        // Integers in the file are the network's weights; scales and zero points are none.
        const auto shown = call({"show", file, "--json"});
        ASSERT_EQ(shown.code, 0) << shown.err;
        EXPECT_EQ(shown.json()["parameters"], 8 * 27 + 8 + 8 * 72 + 8 + 80 + 50 + 5);
        const auto training = call({"show", file, "--mode", "train"});
        EXPECT_EQ(training.code, 2) << training.out;
        // Its rounding is part of the bytes then.
        const auto inBytes = call({"evaluate", file, "--inputs", data + name, "--precision", "int8", "--json"});
        EXPECT_EQ(inBytes.code, 0) << name << inBytes.err << inBytes.out;
        const auto flops = [&](const char* precision) {
            const auto plan = call({"show", file, "--precision", precision, "--json"});
            EXPECT_EQ(plan.code, 0) << plan.err;
            return plan.json()["step_flops"].get<double>();
        };
        EXPECT_LT(flops("int8"), flops("fp32"));
    }
}

TEST_F(OnnxTest, AsksEverywhereForOpenDimensions) {
    const auto open = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/refused/open.onnx";  // n x 3 x height x 8
    const std::vector<std::vector<std::string>> commands{{"show", open},
                                                         {"predict", "--workload", open},
                                                         {"advise", "--workload", open, "--steps", "10"},
                                                         {"run", "--workload", open},
                                                         {"verify", "--workload", open}};
    for (const auto& command : commands) {
        const auto outcome = call(command);
        EXPECT_EQ(outcome.code, 2) << command.front();
        EXPECT_NE(outcome.err.find("dimension 3 (height) is dynamic; set it with --shape x=1x3x?x8"), std::string::npos)
            << command.front() << ": " << outcome.err;
    }
    for (std::vector<std::string> command : {commands[0], commands[1]}) {
        command.insert(command.end(), {"--batch", "4", "--shape", "height=16", "--json"});
        const auto outcome = call(command);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json()["batch"], 4);
        command.back() = "--shape";
        command.emplace_back("x=2x3x16x8");
        const auto twice = call(command);
        EXPECT_EQ(twice.code, 2);
        EXPECT_NE(twice.err.find("first dimension is given as 2"), std::string::npos) << twice.err;
    }
    const auto typing = call({"show", open, "--shape", "hight=16"});
    EXPECT_EQ(typing.code, 2);
    EXPECT_NE(typing.err.find("x (n x 3 x height x 8)"), std::string::npos) << typing.err;
}

TEST_F(OnnxTest, ShowWritesABundledNetworkAsAFile) {
    const test::TemporaryFolder folder;
    const auto file = (folder / "net.onnx").string();
    const auto before = call({"show", "mnist_mlp", "--mode", "infer", "--batch", "1", "--onnx", file, "--json"});
    ASSERT_EQ(before.code, 0) << before.err;
    const auto after = call({"show", file, "--json"});
    ASSERT_EQ(after.code, 0) << after.err;
    for (const auto* key : {"parameters", "forward_macs_per_sample", "step_flops"})
        EXPECT_EQ(after.json()[key], before.json()[key]) << key;
}

}  // namespace
}  // namespace steelyard::cli

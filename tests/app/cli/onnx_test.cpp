// SPDX-License-Identifier: Apache-2.0
// What the command line does with ONNX files.
#include <gtest/gtest.h>

#include <fstream>

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
    // Drawn weights give something else, and no tolerance is enough for it.
    const auto drawn = call({"evaluate", kNetwork, "--inputs", kInputs, "--weights", "drawn"});
    EXPECT_EQ(drawn.code, 1) << drawn.out;
    EXPECT_NE(drawn.out.find("fail"), std::string::npos);
    EXPECT_EQ(call({"evaluate", "resnet50", "--inputs", kInputs}).code, 2);
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

// SPDX-License-Identifier: Apache-2.0
// predict and backtest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/bench/record/record_json.h"
#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PredictTest : public AdviceCliTest {
protected:
    nlohmann::json predicted(const std::vector<std::string>& arguments) {
        return document("predict", "prediction.schema.json", arguments);
    }
    static nlohmann::json target(const nlohmann::json& document, const std::string& id) {
        for (const auto& entry : document["targets"])
            if (entry["hardware"] == id) return entry;
        ADD_FAILURE() << "no target " << id;
        return {};
    }
};

TEST_F(PredictTest, CoversEveryGpuOfTheCatalogueAndSaysWhatDoesNotFit) {
    const auto document =
        predicted({"--workload", "resnet50", "--mode", "train", "--batch", "64", "--precision", "fp16"});
    const auto hardware = call({"list", "hardware", "--json"}).json()["hardware"];
    ASSERT_GT(hardware.size(), 90U);
    std::set<std::string> ids;
    for (const auto& entry : document["targets"]) ids.insert(entry["hardware"]);
    int gpus = 0, tooSmall = 0;
    for (const auto& device : hardware) {
        EXPECT_TRUE(ids.contains(device["id"])) << device["id"];
        const auto entry = target(document, device["id"]);
        if (device["class"].get<std::string>().find("gpu") == std::string::npos) continue;
        ++gpus;
        if (entry["step_seconds"].is_null()) {
            EXPECT_TRUE(entry["refused_because"].is_string()) << device["id"];
            continue;
        }
        EXPECT_GT(entry["needs_bytes"].get<double>(), 0);
        EXPECT_LE(entry["strict_bound_seconds"], entry["step_seconds"]["low"]);
        EXPECT_LE(entry["step_seconds"]["low"], entry["step_seconds"]["median"]);
        EXPECT_LE(entry["step_seconds"]["median"], entry["step_seconds"]["high"]);
        EXPECT_EQ(entry["basis"], "extrapolated");
        EXPECT_EQ(entry["software"], "steelyard");
        if (entry["fits"] == false) {
            ++tooSmall;
            EXPECT_GT(entry["needs_bytes"], entry["available_bytes"]);
        }
    }
    EXPECT_GT(gpus, 50);
    EXPECT_EQ(tooSmall, 0);
    const auto large = predicted(
        {"--workload", "resnet50", "--mode", "train", "--batch", "1024", "--precision", "fp16", "--on", "rtx3090"});
    EXPECT_EQ(large["targets"][0]["fits"], false);
    EXPECT_GT(large["targets"][0]["needs_bytes"], large["targets"][0]["available_bytes"]);
    EXPECT_LT(target(document, "h100_sxm")["step_seconds"]["median"], target(document, "t4")["step_seconds"]["median"]);
}

TEST_F(PredictTest, TakesTheDevicesAndTheSoftwareThatAreNamed) {
    const auto own = predicted({"--workload", "resnet50", "--precision", "fp16", "--on", "rtx3090,t4"});
    ASSERT_EQ(own["targets"].size(), 2U);
    EXPECT_EQ(own["batch"], 16);  // the paper's
    const auto published = predicted(
        {"--workload", "resnet50", "--batch", "256", "--precision", "fp16", "--on", "rtx3090", "--software", "ngc22"});
    EXPECT_EQ(published["targets"][0]["band"], "known_stack");
    EXPECT_EQ(published["targets"][0]["software"], "ngc22");
    const auto eight = predicted({"--workload", "resnet50", "--batch", "256", "--precision", "fp16", "--on", "rtx3090",
                                  "--software", "ngc22", "--devices", "8"});
    const double one = published["targets"][0]["step_seconds"]["median"];
    EXPECT_LT(eight["targets"][0]["step_seconds"]["median"], one);
    EXPECT_GT(eight["targets"][0]["step_seconds"]["median"], one / 8);
}

TEST_F(PredictTest, TheTableSaysThatItIsPredicted) {
    const auto outcome = call({"predict", "--workload", "mnist_cnn", "--on", "rtx3090,ryzen_7950x3d"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("predicted step time with 80 % interval"));
    EXPECT_THAT(outcome.out, HasSubstr("extrapolated"));
    EXPECT_THAT(outcome.out, HasSubstr("its memory bandwidth is not published"));
    EXPECT_TRUE(outcome.err.empty()) << outcome.err;
}

// A run on this computer is returned as its prediction, and corrects other processors.
TEST_F(PredictTest, OwnMeasurementsCalibrate) {
    const std::vector<std::string> job{"--workload", "mnist_mlp", "--mode", "infer",
                                       "--batch",    "16",        "--on",   "own/cpu,epyc_7763"};
    const auto before = predicted(job);
    EXPECT_EQ(target(before, "own/cpu")["basis"], "extrapolated");
    EXPECT_FALSE(std::filesystem::exists(m_folder / ".local")) << "a prediction stores nothing";
    const auto run = call({"run", "--workload", "mnist_mlp", "--batch", "16", "--mode", "infer", "--device", "cpu",
                           "--time-cap", "0.5", "--no-verify", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto after = predicted(job);
    const auto record = run.json()["records"][0];
    if (record["disturbed"].get<bool>()) {
        EXPECT_EQ(target(after, "own/cpu")["basis"], "extrapolated")
            << "what other programs disturbed counts for nothing";
        GTEST_SKIP() << "other programs use the CPU";
    }
    EXPECT_EQ(target(after, "own/cpu")["basis"], "measured");
    EXPECT_EQ(target(after, "own/cpu")["step_seconds"]["median"], record["step_seconds"]["median"]);
    EXPECT_EQ(target(after, "epyc_7763")["basis"], "anchored");
    EXPECT_EQ(target(after, "epyc_7763")["band"], "other_processor");
}

TEST_F(PredictTest, TakesFamiliesAndNetworkFiles) {
    const auto family = predicted({"--workload", "paradnn_fc(layers=8, nodes=512)", "--on", "t4"});
    EXPECT_EQ(family["workload"], "paradnn_fc(layers=8,nodes=512)");
    const auto file = (m_folder / "net.json").string();
    write("net.json", R"({"name": "tiny", "batch": 4, "layers": [{"kind": "input", "shape": [1, 28, 28]},
        {"kind": "flatten"}, {"kind": "dense", "name": "out", "units": 10}], "outputs": [{"layer": "out"}]})");
    EXPECT_EQ(predicted({"--workload", file, "--on", "t4"})["batch"], 4);
    EXPECT_EQ(call({"show", file, "--json"}).json()["parameters"], 7850);
    EXPECT_EQ(call({"show", "paradnn_fc(layers=8,nodes=512)", "--json"}).code, 0);
    const auto run = call({"run", "--workload", file + ",paradnn_fc(layers=4,nodes=32)", "--batch", "2", "--mode",
                           "infer", "--device", "cpu", "--time-cap", "0.2", "--no-save", "--json"});
    ASSERT_EQ(run.code, 0) << run.err << run.out;
    EXPECT_EQ(run.json()["records"].size(), 2U);
    const auto advice = call({"advise", "--workload", file, "--steps", "1000", "--own", "no", "--json"});
    ASSERT_EQ(advice.code, 0) << advice.err;
    EXPECT_TRUE(advice.json()["workload"].get<std::string>().starts_with(file + "#"))
        << "the file and the hash of its content";
}

TEST_F(PredictTest, WhatIsWrongInANetworkFileIsNamedWithItsPlace) {
    const auto file = (m_folder / "net.json").string();
    write("net.json",
          "{\"name\": \"tiny\",\n \"layers\": [\n  {\"kind\": \"input\", \"shape\": [4]},\n  {\"kind\": \"dens\"}],\n "
          "\"outputs\": [{\"layer\": \"x\"}]}");
    for (const char* command : {"show", "predict", "advise", "run"}) {
        std::vector<std::string> arguments{command};
        if (std::string(command) != "show") arguments.emplace_back("--workload");
        arguments.push_back(file);
        if (std::string(command) == "advise") arguments.insert(arguments.end(), {"--steps", "10"});
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_THAT(outcome.err, HasSubstr("line 4, column 12")) << command;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    }
}

TEST_F(PredictTest, BadInputIsOneSentenceThatNamesIt) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"predict"}, "--workload"},
        {{"predict", "--workload", "resnet5"}, "did you mean"},
        {{"predict", "--workload", "resnet50", "--on", "rtx3091"}, "rtx3090"},
        {{"predict", "--workload", "resnet50", "--software", "ngc21"}, "ngc2"},
        {{"predict", "--workload", "resnet50", "--batch", "0"}, "--batch"},
        {{"predict", "--workload", "resnet50", "--batch", "many"}, "--batch"},
        {{"predict", "--workload", "resnet50", "--precision", "fp8"}, "--precision"},
        {{"predict", "--workload", "resnet50", "--devices", "0"}, "--devices"},
        {{"predict", "--workload", "gpt2_small_decode", "--mode", "train"}, "infer"},
        {{"predict", "--workload", "paradnn_fc(layers=1)"}, "4 to 128"},
        {{"predict", "--workload", "paradnn_fc(layer=8)"}, "unknown option"},
        {{"predict", "--workload", "no/such/net.json"}, "net.json"},
        {{"predict", "--workload", "resnet50", "--db", "nowhere.sqlite"}, "nowhere.sqlite"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(mention));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    EXPECT_THAT(m_folder.contents(), IsEmpty());
}

TEST_F(PredictTest, ADamagedHistoryOrCatalogueIsNamed) {
    write(".local/share/steelyard/history.sqlite", std::string(5000, 'x'));
    const auto without = call({"predict", "--workload", "mnist_mlp", "--on", "t4", "--json"});
    EXPECT_EQ(without.code, 0);  // a prediction needs no history
    EXPECT_THAT(without.err, HasSubstr("history.sqlite"));
    write(".local/share/steelyard/catalog/user.json", "{]");
    const auto refused = call({"predict", "--workload", "mnist_mlp", "--on", "t4", "--json"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("user.json"));
}

TEST_F(PredictTest, TheBackTestIsADocumentAndATable) {
    const auto outcome = call({"backtest", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(schemaProblems("backtest.schema.json", outcome.out), IsEmpty());
    const auto document = outcome.json();
    std::set<std::string> classes;
    for (const auto& entry : document["classes"]) classes.insert(entry["class"]);
    for (const char* name : {"leave_one_chip_out", "leave_one_family_out", "transfer_same_generation"})
        EXPECT_TRUE(classes.contains(name)) << name;
    EXPECT_EQ(document["unseen_transfers"].size(), 3U);
    EXPECT_TRUE(document["classes"][0]["coverage_unseen"].is_number());
    EXPECT_GE(document["ranking"]["share"].get<double>(), 0.94);
    const auto table = call({"backtest"});
    EXPECT_EQ(table.code, 0);
    EXPECT_THAT(table.out, HasSubstr("leave_one_chip_out"));
    EXPECT_THAT(table.out, HasSubstr("Transferred, fit without the chip"));
    EXPECT_THAT(table.out, HasSubstr("Faster than the roofline bound: 0 predictions"));
}

}  // namespace
}  // namespace steelyard::cli

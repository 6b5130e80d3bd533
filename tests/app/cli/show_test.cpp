// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "tests/app/cli/cli_fixture.h"

namespace steelyard::cli {
namespace {

using ShowTest = CliTest;

TEST_F(ShowTest, ParameterCounts) {
    const std::vector<std::pair<std::string, std::int64_t>> expected{
        {"mnist_cnn", 1'199'882}, {"fcn_r", 14'205'962}, {"mnist_mlp", 669'706}, {"alexnet_r", 85'098}};
    for (const auto& [id, parameters] : expected) {
        const auto outcome = call({"show", id, "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json()["parameters"], parameters) << id;
        EXPECT_TRUE(outcome.err.empty());
    }
}

TEST_F(ShowTest, MemoryPlanAddsUp) {
    const auto memory = call({"show", "mnist_cnn", "--batch", "8", "--json"}).json()["memory"];
    std::int64_t sum = 0;
    for (const auto* part : {"weights", "gradients", "optimizer", "activations", "workspace"})
        sum += memory[part].get<std::int64_t>();
    EXPECT_EQ(memory["total"], sum);
    EXPECT_GT(sum, 0);
}

TEST_F(ShowTest, BadInputIsOneSentenceThatNamesIt) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"show", "mnist_cn"}, "did you mean mnist_cnn"},
        {{"show", "mnist_cnn", "--batch", "0"}, "--batch: '0' is not a whole number from 1 to 1000000000"},
        {{"show", "mnist_cnn", "--batch", "99999999999"}, "batch"},
        {{"show", "mnist_cnn", "--mode", "guess"}, "--mode"},
        {{"show"}, "workload"},
        {{"list", "everything"}, "what"},
        {{"frobnicate"}, "frobnicate"},
        {{}, "A subcommand is required"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_NE(outcome.err.find(mention), std::string::npos) << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
}

TEST_F(ShowTest, HelpAndVersionSucceed) {
    EXPECT_EQ(call({"--help"}).code, 0);
    EXPECT_EQ(call({"run", "--help"}).code, 0);
    EXPECT_NE(call({"--version"}).out.find("steelyard-cli"), std::string::npos);
}

TEST_F(ShowTest, ListsAreDocuments) {
    std::set<std::string> ids;
    const auto document = call({"list", "workloads", "--json"}).json();
    for (const auto& workload : document["workloads"]) ids.insert(workload["id"]);
    EXPECT_TRUE(ids.contains("mnist_cnn"));
    const auto devices = call({"list", "devices", "--json"}).json()["devices"];
    ASSERT_FALSE(devices.empty());
    EXPECT_EQ(devices[0]["id"], "cpu");
}

TEST_F(ShowTest, DetectDescribesThisComputer) {
    const auto profile = call({"detect", "--json"}).json();
    EXPECT_GE(profile["cpu"]["cores"].get<int>(), 1);
    EXPECT_GE(profile["cpu"]["allowed_cores"].get<int>(), 1);
    EXPECT_GT(profile["memory"]["total_bytes"].get<std::int64_t>(), 0);
    EXPECT_FALSE(profile["backends"].empty());
}

}  // namespace
}  // namespace steelyard::cli

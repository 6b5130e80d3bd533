// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class StudyCommandTest : public AdviceCliTest {
protected:
    nlohmann::json weighed(const std::vector<std::string>& arguments) {
        return document("study", "study.schema.json", arguments);
    }
};

TEST_F(StudyCommandTest, TheShippedStudiesAreListedAndCanBeNamed) {
    const auto studies = call({"list", "studies", "--json"}).json()["studies"];
    ASSERT_GE(studies.size(), 3U);
    for (const auto& study : studies) {
        EXPECT_FALSE(study["source"].get<std::string>().empty());
        EXPECT_FALSE(weighed({study["id"]})["workloads"].empty());
    }
    EXPECT_THAT(call({"list", "studies"}).out, HasSubstr("woolf_2017"));
}

// The answers of the 2017 study.
TEST_F(StudyCommandTest, AnswersTheStudyOf2017) {
    const auto study = weighed({"woolf_2017"});
    EXPECT_EQ(study["winner"], "8 vCPU compiled");
    const auto& ranges = study["winner_by_time_weight"];
    ASSERT_EQ(ranges.size(), 3U);
    EXPECT_EQ(ranges[1]["winner"], "16 vCPU compiled");
    EXPECT_NEAR(ranges[1]["from"].get<double>(), 1.819, 2e-3);
    EXPECT_EQ(ranges[2]["winner"], "K80 GPU");
    EXPECT_NEAR(ranges[2]["from"].get<double>(), 4.080, 2e-3);
    for (const auto& workload : study["workloads"]) {
        EXPECT_EQ(workload["cheapest"], "8 vCPU compiled") << workload["workload"];
        for (const auto& row : workload["rows"])
            if (row["platform"] == "64 vCPU") {
                EXPECT_FALSE(row["on_pareto"]);
            }
    }
    EXPECT_EQ(weighed({"woolf_2017", "--time-weight", "3"})["winner"], "16 vCPU compiled");
    EXPECT_EQ(weighed({"woolf_2017", "--time-weight", "5"})["winner"], "K80 GPU");
}

TEST_F(StudyCommandTest, OnDemandPricesOfProcessorsChangeTheCheapest) {
    const auto study = weighed(
        {"woolf_2017", "--price-multiplier", "8 vCPU=5,16 vCPU=5", "--price-multiplier", "32 vCPU=5,64 vCPU=5"});
    EXPECT_EQ(study["price_multipliers"].size(), 4U);
    for (const auto& workload : study["workloads"]) {
        const std::string name = workload["workload"];
        const bool gpu = name == "mnist_cnn" || name == "cifar10_cnn" || name == "imdb_fasttext";
        EXPECT_EQ(workload["cheapest"], gpu ? "K80 GPU" : "8 vCPU compiled") << name;
    }
}

TEST_F(StudyCommandTest, WeighsATableOfOnesOwn) {
    write("mine.csv",
          "workload,platform,variant,epoch_seconds,price_usd_per_hour\n"
          "net,slow,,100,0.1\nnet,fast,,10,2\n");
    const auto file = (m_folder / "mine.csv").string();
    const auto study = weighed({file, "--baseline", "slow"});
    EXPECT_EQ(study["workloads"][0]["cheapest"], "slow");
    EXPECT_EQ(study["workloads"][0]["fastest"], "fast");
    EXPECT_DOUBLE_EQ(study["workloads"][0]["rows"][1]["relative_time"].get<double>(), 0.1);
    EXPECT_DOUBLE_EQ(study["workloads"][0]["rows"][1]["relative_cost"].get<double>(), 2);
    EXPECT_EQ(weighed({file, "--price-multiplier", "fast=0.4"})["workloads"][0]["cheapest"], "fast");
    const auto text = call({"study", file});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, HasSubstr("Published measurements"));
    EXPECT_THAT(text.out, HasSubstr("cheapest slow, fastest fast"));
}

TEST_F(StudyCommandTest, BadInputIsOneSentenceThatNamesIt) {
    write("bad.csv", "workload,platform,variant,epoch_seconds,price_usd_per_hour\nnet,slow,,quick,0.1\n");
    write("binary.csv", std::string("\x7f"
                                    "ELF\0\0\0",
                                    7));
    const auto path = [&](const char* name) { return (m_folder / name).string(); };
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad{
        {{"study"}, "file"},
        {{"study", "nowhere.csv"}, "nowhere.csv"},
        {{"study", path("bad.csv")}, "line 2"},
        {{"study", path("binary.csv")}, "binary.csv"},
        {{"study", "woolf_2017", "--price-multiplier", "TPU=5"}, "TPU"},
        {{"study", "woolf_2017", "--price-multiplier", "8 vCPU"}, "--price-multiplier"},
        {{"study", "woolf_2017", "--price-multiplier", "8 vCPU=-1"}, "--price-multiplier"},
        {{"study", "woolf_2017", "--time-weight", "-1"}, "--time-weight"},
        {{"study", "woolf_2017", "--baseline", "TPU"}, "TPU"},
    };
    for (const auto& [arguments, mention] : bad) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << mention;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(mention));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
}

}  // namespace
}  // namespace steelyard::cli

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/app/cli/cli_fixture.h"
#include "tests/support/drawn_digits.h"

namespace steelyard::cli {
namespace {

class TrainTest : public CliTest {
protected:
    void draw(int train, int test, bool gzip) {
        const auto written =
            test::writeDrawnDigits(m_folder.path(), {.seed = 1, .train = train, .test = test, .gzip = gzip});
        ASSERT_TRUE(written) << describe(written.error());
    }
};

TEST_F(TrainTest, LearnsDrawnDigits) {
    draw(6000, 1000, true);
    const auto outcome = call(
        {"train", "mnist_cnn", "--data", m_folder.path().string(), "--epochs", "6", "--accuracy", "0.98", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = outcome.json();
    ASSERT_EQ(document["epochs"].size(), 6U);
    EXPECT_GT(document["epochs"].back()["validation_accuracy"].get<double>(), 0.98) << outcome.err;
    EXPECT_LT(document["epochs"].back()["train_loss"].get<double>(),
              document["epochs"].front()["train_loss"].get<double>());
    EXPECT_FALSE(document["seconds_to_accuracy"].is_null());
}

TEST_F(TrainTest, StopsAtTheAccuracyAndSaysWhyItIsNotThePublishedTraining) {
    draw(2000, 500, false);
    const auto outcome = call({"train", "mnist_mlp", "--data", m_folder.path().string(), "--threads", "1", "--epochs",
                               "12", "--until-accuracy", "0.6", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = outcome.json();
    const auto& epochs = document["epochs"];
    EXPECT_LT(epochs.size(), 12U) << outcome.err;
    EXPECT_GE(epochs.back()["validation_accuracy"].get<double>(), 0.6);
    double trained = 0;
    for (const auto& epoch : epochs) trained += epoch["train_seconds"].get<double>();
    EXPECT_NEAR(document["seconds_to_accuracy"].get<double>(), trained, 1e-9);
    EXPECT_EQ(document["gate"]["state"], "not judged");
    EXPECT_NE(document["gate"]["reason"].get<std::string>().find("2000 training samples"), std::string::npos);
    EXPECT_TRUE(document["generated"].is_null());
}

TEST_F(TrainTest, LearnsAnyTextAndContinuesIt) {
    std::ofstream file(m_folder / "rhyme.txt");
    for (int i = 0; i < 60; ++i)
        file << "the cat sat on the mat, the dog lay on the log; \xc3\xa9t\xc3\xa9 is summer. ";
    file.close();
    const std::vector<std::string> arguments{"train",     "text_lstm", "--data",     (m_folder / "rhyme.txt").string(),
                                             "--threads", "1",         "--epochs",   "3",
                                             "--batch",   "32",        "--generate", "60",
                                             "--seed",    "4",         "--json"};
    const auto outcome = call(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = outcome.json();
    EXPECT_TRUE(document["workload"].get<std::string>().starts_with("text_lstm(characters=")) << document["workload"];
    const auto& generated = document["generated"];
    EXPECT_EQ(generated["seconds_per_character"]["n"], 60);
    EXPECT_EQ(generated["temperature"], 0.5);
    EXPECT_GE(generated["text"].get<std::string>().size(), 60U);
    // Not compared with a second training: the fastest kernels are selected again, and their rounding affects the
    // letters.
    const auto refused =
        call({"train", "text_lstm", "--data", (m_folder / "rhyme.txt").string(), "--until-accuracy", "0.5"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("no validation set"), std::string::npos) << refused.err;
}

TEST_F(TrainTest, AMissingFileIsNamed) {
    const auto outcome = call({"train", "mnist_mlp", "--data", m_folder.path().string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("train-images"), std::string::npos) << outcome.err;
}

TEST_F(TrainTest, ATruncatedFileIsNamedWithItsOffset) {
    draw(300, 100, false);
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.path())) {
        if (entry.path().filename().string().starts_with("train-images"))
            std::filesystem::resize_file(entry.path(), 1000);
    }
    const auto outcome = call({"train", "mnist_mlp", "--data", m_folder.path().string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("train-images"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("byte 1000"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace steelyard::cli

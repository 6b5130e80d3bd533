// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/cli/cli_fixture.h"
#include "tests/support/drawn_digits.h"

namespace steelyard::cli {
namespace {

class TrainTest : public CliTest {
protected:
    void draw(int train, int test, bool gzip) {
        const auto written = test::writeDrawnDigits(m_folder.path(), {.seed = 1, .train = train, .test = test, .gzip = gzip});
        ASSERT_TRUE(written) << describe(written.error());
    }
};

TEST_F(TrainTest, LearnsDrawnDigits) {
    draw(6000, 1000, true);
    const auto outcome = call({"train", "mnist_cnn", "--data", m_folder.path().string(), "--epochs", "6", "--accuracy", "0.98", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = outcome.json();
    ASSERT_EQ(document["epochs"].size(), 6U);
    EXPECT_GT(document["epochs"].back()["validation_accuracy"].get<double>(), 0.98) << outcome.err;
    EXPECT_LT(document["epochs"].back()["train_loss"].get<double>(), document["epochs"].front()["train_loss"].get<double>());
    EXPECT_FALSE(document["seconds_to_accuracy"].is_null());
}

TEST_F(TrainTest, AMissingFileIsNamed) {
    const auto outcome = call({"train", "mnist_mlp", "--data", m_folder.path().string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("train-images"), std::string::npos) << outcome.err;
}

TEST_F(TrainTest, ATruncatedFileIsNamedWithItsOffset) {
    draw(300, 100, false);
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.path())) {
        if (entry.path().filename().string().starts_with("train-images")) std::filesystem::resize_file(entry.path(), 1000);
    }
    const auto outcome = call({"train", "mnist_mlp", "--data", m_folder.path().string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("train-images"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("byte 1000"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace steelyard::cli

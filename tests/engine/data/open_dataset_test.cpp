// SPDX-License-Identifier: Apache-2.0
#include "engine/data/open_dataset.h"

#include <gtest/gtest.h>

#include "engine/data/pipeline/pipeline.h"
#include "tests/support/data_files.h"
#include "tests/support/drawn_digits.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::data {
namespace {

using test::TemporaryFolder;

TEST(OpenDataset, ServesMnistToBothNetworks) {
    TemporaryFolder folder;
    ASSERT_TRUE(test::writeDrawnDigits(folder.path(), {.train = 40, .test = 10}));
    for (const auto& shape : {Shape{784}, Shape{1, 28, 28}}) {
        const auto pair = openDataset({.dataset = "mnist", .folder = folder.path(), .featureShape = shape});
        ASSERT_TRUE(pair) << describe(pair.error());
        EXPECT_EQ(pair->train->featureElements(), 784);
    }
    const auto wrong = openDataset({.dataset = "mnist", .folder = folder.path(), .featureShape = {3, 32, 32}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().detail.text, "an input of 3 x 32 x 32; expected 1 x 28 x 28");
}

TEST(OpenDataset, RefusesUnknownNamesAndPlaces) {
    EXPECT_EQ(openDataset({.dataset = "synthetic", .folder = "/", .featureShape = {1}}).error().kind,
              ErrorKind::InvalidArgument);
    EXPECT_EQ(openDataset({.dataset = "mnist", .folder = "/nowhere", .featureShape = {784}}).error().kind,
              ErrorKind::NotFound);
    for (const auto& name : datasetNames()) {
        TemporaryFolder empty;
        const auto shape = name == "imdb" || name == "ptb" ? Shape{40}
                           : name == "mnist"               ? Shape{784}
                           : name == "text"                ? Shape{40, 57}
                                                           : Shape{3, 32, 32};
        const auto opened = openDataset({.dataset = name, .folder = empty.path(), .featureShape = shape});
        ASSERT_FALSE(opened) << name;
        EXPECT_EQ(opened.error().kind, ErrorKind::NotFound) << describe(opened.error());
        EXPECT_FALSE(openDataset({.dataset = name, .folder = empty.path(), .featureShape = {}}));
    }
}

TEST(OpenDataset, SplitsFlowersAndKeepsPartsThatExist) {
    TemporaryFolder folder;
    for (int i = 0; i < 20; ++i) {
        for (const auto* name : {"rose", "tulip"}) {
            test::writeBytes(folder.path() / "flower_photos" / name / (std::to_string(i) + ".jpg"),
                             test::anyJpeg(8, 8));
        }
    }
    const DatasetRequest request{.dataset = "flowers", .folder = folder.path(), .featureShape = {3, 4, 4}};
    auto pair = openDataset(request);
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(pair->validation->size(), 7);  // 40 x 680 / 3670 = 7.4
    EXPECT_EQ(pair->train->size(), 33);
    for (const auto* part : {"train", "val"}) {
        test::writeBytes(folder.path() / "flower_photos" / part / "rose" / "1.jpg", test::anyJpeg(8, 8));
    }
    pair = openDataset(request);
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(pair->train->size(), 1);
    EXPECT_EQ(pair->validation->size(), 1);
    test::writeBytes(folder.path() / "flower_photos" / "val" / "tulip" / "1.jpg", test::anyJpeg(8, 8));
    EXPECT_EQ(openDataset(request).error().kind, ErrorKind::InvalidArgument);
}

TEST(OpenDataset, TextComesAsTheNetworkTakesIt) {
    TemporaryFolder folder;
    test::writeBytes(folder / "book.txt", test::bytesOf("All happy families are alike."));
    const auto ids = openDataset({.dataset = "text", .folder = folder.path(), .featureShape = {10}});
    const auto marks = openDataset({.dataset = "text", .folder = folder.path(), .featureShape = {10, 57}});
    ASSERT_TRUE(ids && marks);
    EXPECT_EQ(ids->train->featureKind(), FeatureKind::Tokens);
    EXPECT_EQ(marks->train->featureKind(), FeatureKind::Values);
    EXPECT_FALSE(ids->validation);
}

TEST(OpenDataset, CarriedBatchesGoThroughThePipelineInOrder) {
    TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 200; ++i) text += "w" + std::to_string(i % 7) + (i % 10 == 9 ? "\n" : " ");
    test::writeBytes(folder / "ptb.train.txt", test::bytesOf(text));
    test::writeBytes(folder / "ptb.valid.txt", test::bytesOf(text));
    const auto pair = openDataset({.dataset = "ptb", .folder = folder.path(), .featureShape = {5}, .batch = 4});
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(splitDataset(pair->train, 4, 1).error().kind, ErrorKind::InvalidArgument);
    const SystemClock clock;
    EXPECT_FALSE(BatchPipeline::create(pair->train, {.batch = 8}, clock));
    EXPECT_FALSE(BatchPipeline::create(pair->train, {.batch = 4, .shuffle = true}, clock));
    auto pipeline = BatchPipeline::create(pair->train, {.batch = 4, .threads = 2}, clock);
    ASSERT_TRUE(pipeline);
    std::vector<std::int32_t> lastLabels;
    for (std::int64_t i = 0; i < (*pipeline)->batchesPerEpoch(); ++i) {
        const auto batch = (*pipeline)->next({});
        ASSERT_TRUE(batch);
        ASSERT_EQ((*batch)->samples, 4);
        std::vector<std::int32_t> firstTokens;
        std::vector<std::int32_t> labels;
        for (std::size_t row = 0; row < 4; ++row) {
            firstTokens.push_back((*batch)->tokens[row * 5]);
            labels.push_back((*batch)->labels[row * 5 + 4]);
        }
        if (i > 0) {
            EXPECT_EQ(firstTokens, lastLabels);  // each row continues where it stopped
        }
        lastLabels = labels;
    }
}

TEST(OpenDataset, AugmentsOnlyWhatThePaperDid) {
    EXPECT_TRUE(usualAugmentation("cifar10").horizontalFlip);
    EXPECT_DOUBLE_EQ(usualAugmentation("cifar10").shiftFraction, 0.1);
    EXPECT_FALSE(usualAugmentation("mnist").any());
}

}  // namespace
}  // namespace steelyard::data

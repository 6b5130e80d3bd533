// SPDX-License-Identifier: Apache-2.0
// JPEG decoding, folders of photographs and record shards.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/data/formats/image_folder.h"
#include "engine/data/formats/jpeg_image.h"
#include "engine/data/formats/tfrecord.h"
#include "tests/support/data_files.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::data {
namespace {

using test::anyJpeg;
using test::bytesOf;
using test::FileBytes;
using test::TemporaryFolder;

FileBytes plainColour(int width, int height, std::initializer_list<std::uint8_t> colour) {
    FileBytes pixels;
    for (int i = 0; i < width * height; ++i) pixels.insert(pixels.end(), colour.begin(), colour.end());
    return pixels;
}

TEST(Jpeg, DecodesColourGreyProgressiveAndInks) {
    const auto expectColour = [](const FileBytes& bytes, std::initializer_list<int> colour) {
        const auto image = decodeJpeg(bytes, "file.jpg");
        ASSERT_TRUE(image) << describe(image.error());
        ASSERT_EQ(image->width, 20);
        ASSERT_EQ(image->height, 10);
        ASSERT_EQ(image->pixels.size(), 600U);
        for (std::size_t i = 0; i < 600; ++i) ASSERT_NEAR(image->pixels[i], colour.begin()[i % 3], 4) << i;
    };
    expectColour(test::jpegFile(20, 10, plainColour(20, 10, {200, 50, 100})), {200, 50, 100});
    expectColour(test::jpegFile(20, 10, plainColour(20, 10, {200, 50, 100}), {.progressive = true}), {200, 50, 100});
    expectColour(test::jpegFile(20, 10, plainColour(20, 10, {77}), {.grey = true}), {77, 77, 77});
    // Inverted inks: 255 is none, 128 of black halves all channels.
    expectColour(test::jpegFile(20, 10, plainColour(20, 10, {255, 100, 0, 128}), {.cmyk = true}), {128, 50, 0});
}

TEST(Jpeg, TruncationIsAnErrorAtTheEnd) {
    for (const bool progressive : {false, true}) {
        const auto good = anyJpeg(64, 48, {.progressive = progressive});
        for (std::size_t length = 0; length < good.size(); ++length) {
            const auto image = decodeJpeg(ByteView(good).first(length), "file.jpg");
            ASSERT_FALSE(image) << length;
            ASSERT_EQ(image.error().kind, ErrorKind::CorruptData);
            ASSERT_GE(*image.error().offset, 0);
            ASSERT_LE(*image.error().offset, static_cast<std::int64_t>(length));
        }
    }
}

TEST(Jpeg, RefusesOtherFormatsAndTooManyPixels) {
    EXPECT_EQ(decodeJpeg(bytesOf("\x89PNG\r\n"), "file.jpg").error().kind, ErrorKind::CorruptData);
    const auto good = anyJpeg(64, 48);
    EXPECT_TRUE(decodeJpeg(good, "file.jpg", {.pixels = 64 * 48}));
    EXPECT_FALSE(decodeJpeg(good, "file.jpg", {.pixels = 64 * 48 - 1}));
    EXPECT_FALSE(decodeJpeg(good, "file.jpg", {.side = 63}));
    EXPECT_FALSE(decodeJpeg(anyJpeg(64, 48, {.progressive = true}), "file.jpg", {.scans = 2}));

    // The size stated by the header, 65,280 x 65,280, is refused before anything is allocated for it.
    auto huge = good;
    std::size_t frame = 0;
    while (!(huge[frame] == 0xff && huge[frame + 1] == 0xc0)) ++frame;
    for (std::size_t i = 5; i < 9; ++i) huge[frame + i] = i % 2 == 1 ? 0xff : 0x00;
    EXPECT_NE(decodeJpeg(huge, "file.jpg", {.side = 100'000, .pixels = std::int64_t{1} << 40})
                  .error()
                  .detail.text.find("65280"),
              std::string::npos);
}

TEST(Resize, KeepsAPictureOfTheSameSize) {
    const RgbImage image{2, 2, {0, 10, 20, 51, 61, 71, 102, 112, 122, 153, 163, 173}};
    std::vector<float> planes(12);
    resizeBilinear(image, 2, 2, planes);
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(planes[c * 4 + i], image.pixels[3 * i + c] / 255.0F);
    }
}

TEST(Resize, InterpolatesBetweenPixelCentres) {
    // One row 0, 100 widened to 4: centres fall at -0.25, 0.25, 0.75, 1.25 of the source.
    const RgbImage image{2, 1, {0, 0, 0, 100, 100, 100}};
    std::vector<float> planes(12);
    resizeBilinear(image, 1, 4, planes);
    const std::vector<float> expected{0, 25, 75, 100};
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(planes[i] * 255, expected[i % 4], 1e-3);
    // Three rows reduced to one: the middle row.
    const RgbImage column{1, 3, {10, 10, 10, 20, 20, 20, 60, 60, 60}};
    std::vector<float> one(3);
    resizeBilinear(column, 1, 1, one);
    EXPECT_NEAR(one[0] * 255, 20, 1e-3);
}

class FlowerFolder : public ::testing::Test {
protected:
    void SetUp() override {
        write("tulips/b.jpg", test::jpegFile(30, 20, plainColour(30, 20, {255, 0, 0})));
        write("tulips/a.JPEG", test::jpegFile(10, 40, plainColour(10, 40, {0, 255, 0})));
        write("daisy/c.jpg", test::jpegFile(16, 16, plainColour(16, 16, {0, 0, 255})));
        write("daisy/notes.txt", bytesOf("not a picture"));
        write("empty/notes.txt", bytesOf("no class"));
        write("LICENSE.txt", bytesOf("free"));
    }
    void write(const std::string& name, const FileBytes& bytes) { test::writeBytes(folder.path() / name, bytes); }
    TemporaryFolder folder;
};

TEST_F(FlowerFolder, LabelsFollowTheSortedFolders) {
    const auto set = loadImageFolder(folder.path(), {.height = 8, .width = 12});
    ASSERT_TRUE(set) << describe(set.error());
    EXPECT_EQ((*set)->size(), 3);
    EXPECT_EQ((*set)->info().classNames, (std::vector<std::string>{"daisy", "tulips"}));
    EXPECT_EQ((*set)->featureShape(), (Shape{3, 8, 12}));
    std::vector<float> x(3 * 96);
    std::int32_t label = -1;
    const auto expectSample = [&](std::int64_t index, std::int32_t expectedLabel, std::size_t brightChannel) {
        ASSERT_TRUE((*set)->readSample(index, {x, {}, {&label, 1}}));
        EXPECT_EQ(label, expectedLabel);
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(x[c * 96 + 50], c == brightChannel ? 1 : 0, 0.02);
    };
    expectSample(0, 0, 2);
    expectSample(1, 1, 1);
    expectSample(2, 1, 0);
}

TEST_F(FlowerFolder, NamesADamagedPhotograph) {
    write("daisy/d.jpg", bytesOf("\xff\xd8 nothing"));
    const auto set = loadImageFolder(folder.path(), {.height = 4, .width = 4});
    ASSERT_TRUE(set);
    std::vector<float> x(48);
    std::int32_t label = -1;
    const auto read = (*set)->readSample(1, {x, {}, {&label, 1}});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(read.error().subject, (folder.path() / "daisy" / "d.jpg").string());
    TemporaryFolder empty;
    EXPECT_EQ(loadImageFolder(empty.path(), {}).error().kind, ErrorKind::NotFound);
    EXPECT_EQ(loadImageFolder(folder.path(), {.height = 0}).error().kind, ErrorKind::InvalidArgument);
}

TEST(Crc32c, GivesThePublishedValues) {
    // RFC 3720, B.4; and the standard check value of "123456789".
    EXPECT_EQ(crc32c(FileBytes(32, 0)), 0x8a9136aaU);
    EXPECT_EQ(crc32c(FileBytes(32, 0xff)), 0x62a8ab43U);
    FileBytes rising(32);
    for (std::size_t i = 0; i < 32; ++i) rising[i] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(crc32c(rising), 0x46dd794eU);
    EXPECT_EQ(crc32c(bytesOf("123456789")), 0xe3069283U);
    EXPECT_EQ(crc32c({}), 0U);
}

TEST(Records, ReadsWhatWasWritten) {
    const auto file = test::recordFile({bytesOf("one"), bytesOf(""), bytesOf("three")});
    const auto source = viewBytes("file", file);
    const auto places = indexRecords(*source);
    ASSERT_TRUE(places) << describe(places.error());
    ASSERT_EQ(places->size(), 3U);
    EXPECT_EQ(*readRecord(*source, places->at(0)), bytesOf("one"));
    EXPECT_EQ(*readRecord(*source, places->at(1)), bytesOf(""));
    EXPECT_EQ(*readRecord(*source, places->at(2)), bytesOf("three"));
    EXPECT_TRUE(indexRecords(*viewBytes("empty", {}))->empty());
}

TEST(Records, NamesThePlaceOfDamage) {
    const auto good = test::recordFile({bytesOf("one"), bytesOf("two")});
    const std::int64_t second = 12 + 3 + 4;
    auto bad = good;
    bad[static_cast<std::size_t>(second)] ^= 1;  // the length
    auto error = indexRecords(*viewBytes("file", bad)).error();
    EXPECT_EQ(error.offset, second);
    EXPECT_NE(error.detail.text.find("checksum"), std::string::npos);

    for (std::size_t length = 1; length < good.size(); ++length) {
        if (length == static_cast<std::size_t>(second)) continue;  // one whole record
        const auto cut = indexRecords(*viewBytes("file", ByteView(good).first(length)));
        ASSERT_FALSE(cut) << length;
        EXPECT_EQ(cut.error().kind, ErrorKind::CorruptData);
    }
    bad = good;
    bad[static_cast<std::size_t>(second) + 12] ^= 1;  // the data
    const auto source = viewBytes("file", bad);
    const auto places = indexRecords(*source);
    ASSERT_TRUE(places);
    EXPECT_TRUE(readRecord(*source, places->at(0)));
    EXPECT_EQ(readRecord(*source, places->at(1)).error().offset, second + 12);
}

TEST(Example, FindsImageAndLabelUnderTheirNames) {
    const auto image = bytesOf("the picture");
    for (const auto& [imageKey, labelKey] :
         {std::pair{"image/encoded", "image/class/label"}, std::pair{"image", "class"}, std::pair{"image", "label"}}) {
        const auto record = test::exampleRecord(imageKey, image, labelKey, 300);
        const auto example = parseImageExample(record, "file", 1000);
        ASSERT_TRUE(example) << describe(example.error());
        EXPECT_EQ(FileBytes(example->encoded.begin(), example->encoded.end()), image);
        EXPECT_EQ(example->label, 300);
    }
    EXPECT_FALSE(parseImageExample(test::exampleRecord("picture", image, "label", 1), "file", 0));
    EXPECT_FALSE(parseImageExample(test::exampleRecord("image", image, "kind", 1), "file", 0));
}

TEST(Example, TruncationIsAnError) {
    const auto record = test::exampleRecord("image", bytesOf("the picture"), "label", 7);
    for (std::size_t length = 0; length < record.size(); ++length) {
        const auto example = parseImageExample(ByteView(record).first(length), "file", 1000);
        ASSERT_FALSE(example) << length;
        ASSERT_GE(*example.error().offset, 1000);
    }
}

class ShardFolder : public ::testing::Test {
protected:
    static FileBytes shard(std::initializer_list<int> labels) {
        std::vector<FileBytes> records;
        for (const int label : labels) {
            records.push_back(test::exampleRecord("image/encoded", anyJpeg(20, 10), "image/class/label", label));
        }
        return test::recordFile(records);
    }
    void write(const std::string& name, const FileBytes& bytes) { test::writeBytes(folder.path() / name, bytes); }
    TemporaryFolder folder;
};

TEST_F(ShardFolder, TakesTheShardsInOrder) {
    write("train-00000-of-00002", shard({1, 2}));
    write("train-00001-of-00002", shard({3}));
    write("validation-00000-of-00001", shard({1}));
    write("README", bytesOf("not a shard"));
    const auto pair = loadTfRecords(folder.path(), {.size = {8, 8}, .classCount = 3, .firstLabel = 1});
    ASSERT_TRUE(pair) << describe(pair.error());
    ASSERT_EQ(pair->train->size(), 3);
    ASSERT_TRUE(pair->validation);
    EXPECT_EQ(pair->validation->size(), 1);
    std::vector<float> x(192);
    std::int32_t label = -1;
    for (std::int32_t i = 0; i < 3; ++i) {
        ASSERT_TRUE(pair->train->readSample(i, {x, {}, {&label, 1}}));
        EXPECT_EQ(label, i);
    }
}

TEST_F(ShardFolder, FindsPartsInFoldersAndWholesWithoutParts) {
    write("all.tfrecord", shard({0, 1}));
    auto pair = loadTfRecords(folder.path(), {.size = {8, 8}, .classCount = 2});
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(pair->train->size(), 2);
    EXPECT_FALSE(pair->validation);
    write("train/a.tfrec", shard({0}));
    write("val/a.tfrec", shard({0, 1, 1}));
    pair = loadTfRecords(folder.path(), {.size = {8, 8}, .classCount = 2});
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->train->size(), 1);
    EXPECT_EQ(pair->validation->size(), 3);
}

TEST_F(ShardFolder, NamesWhatIsWrong) {
    EXPECT_EQ(loadTfRecords(folder.path(), {}).error().kind, ErrorKind::NotFound);
    std::vector<float> x(192);
    std::int32_t label = -1;
    const auto errorOf = [&](const FileBytes& bytes) {
        write("all.tfrecord", bytes);
        const auto pair = loadTfRecords(folder.path(), {.size = {8, 8}, .classCount = 2});
        EXPECT_TRUE(pair);
        return pair->train->readSample(0, {x, {}, {&label, 1}}).error();
    };
    auto error = errorOf(shard({2}));
    EXPECT_EQ(error.detail.text, "label 2; expected 0 to 1");
    EXPECT_EQ(error.offset, 12);
    // A damaged image in an intact record: the offset is relative to the file.
    auto picture = anyJpeg(20, 10);
    picture.resize(picture.size() / 2);
    error = errorOf(test::recordFile({test::exampleRecord("image", picture, "label", 1)}));
    EXPECT_EQ(error.kind, ErrorKind::CorruptData);
    EXPECT_GT(*error.offset, static_cast<std::int64_t>(picture.size()));
    EXPECT_EQ(error.subject, (folder / "all.tfrecord").string());
}

}  // namespace
}  // namespace steelyard::data

// SPDX-License-Identifier: Apache-2.0
// IDX and CIFAR-10: intact files, and every kind of damage with the position that the error must report.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/data/formats/cifar10.h"
#include "engine/data/formats/idx.h"
#include "tests/support/data_files.h"
#include "tests/support/drawn_digits.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::data {
namespace {

using test::FileBytes;
using test::TemporaryFolder;

Result<IdxBytes> parse(const FileBytes& bytes, int dimensions = 3) {
    return readIdx(*streamOf(viewBytes("file", bytes)), dimensions);
}

Result<IdxBytes> parseGzip(const FileBytes& bytes, int dimensions = 3) {
    return readIdx(*gunzipStream(viewBytes("file.gz", bytes)), dimensions);
}

FileBytes ramp(int count) {
    FileBytes values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), std::uint8_t{0});
    return values;
}

void expectDamage(const Result<IdxBytes>& result, std::int64_t offset, const std::string& text) {
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(result.error().offset, offset) << describe(result.error());
    EXPECT_NE(result.error().detail.text.find(text), std::string::npos) << describe(result.error());
}

TEST(Idx, ReadsPlainAndCompressed) {
    const auto file = test::idxFile({2, 3, 4}, ramp(24));
    for (const auto& idx : {parse(file), parseGzip(test::gzipFile(file))}) {
        ASSERT_TRUE(idx) << describe(idx.error());
        EXPECT_EQ(idx->dimensions, (std::vector<std::int64_t>{2, 3, 4}));
        EXPECT_EQ(idx->bytes, ramp(24));
    }
}

TEST(Idx, ReadsSeveralGzipMembers) {
    const auto file = test::idxFile({2, 3, 4}, ramp(24));
    auto joined = test::gzipFile({file.begin(), file.begin() + 20});
    const auto rest = test::gzipFile({file.begin() + 20, file.end()});
    joined.insert(joined.end(), rest.begin(), rest.end());
    const auto idx = parseGzip(joined);
    ASSERT_TRUE(idx) << describe(idx.error());
    EXPECT_EQ(idx->bytes, ramp(24));
}

TEST(Idx, NamesThePlaceOfEveryDamage) {
    const auto good = test::idxFile({2, 3, 4}, ramp(24));
    const auto changed = [&](std::size_t at, std::uint8_t value) {
        auto bytes = good;
        bytes[at] = value;
        return bytes;
    };
    expectDamage(parse({}), 0, "ends early");
    expectDamage(parse({0, 0, 8}), 3, "ends early");
    expectDamage(parse(changed(0, 1)), 0, "wrong magic number 0x01000803");
    expectDamage(parse(changed(2, 0x0d)), 2, "value type 0x0d");
    expectDamage(parse(changed(3, 1)), 3, "1 dimensions; expected 3");
    expectDamage(parse(FileBytes(good.begin(), good.begin() + 10)), 10, "ends early");
    expectDamage(parse(FileBytes(good.begin(), good.end() - 1)), 39, "1 more bytes expected");
    auto longer = good;
    longer.push_back(0);
    expectDamage(parse(longer), 40, "longer than its header states");
    expectDamage(parse(changed(4, 0x7f)), 12, "exceed 8 GiB");
    // The header states 100 million bytes; only the 24 bytes in the file are allocated.
    expectDamage(parse(changed(5, 0x7f)), 40, "more bytes expected");
}

TEST(Idx, NamesThePlaceOfDamagedCompression) {
    const auto packed = test::gzipFile(test::idxFile({2, 30, 40}, ramp(251)));
    expectDamage(parseGzip(FileBytes(packed.begin(), packed.end() - 3)), static_cast<std::int64_t>(packed.size()) - 3,
                 "ends early");
    auto changed = packed;
    changed[packed.size() - 6] ^= 0xff;  // the checksum
    expectDamage(parseGzip(changed), static_cast<std::int64_t>(packed.size()) - 4, "incorrect data check");
    expectDamage(parseGzip({1, 2, 3, 4}), 2, "incorrect header check");
    auto longer = packed;
    longer.insert(longer.end(), {1, 2, 3});
    EXPECT_FALSE(parseGzip(longer));
}

class MnistFolder : public ::testing::Test {
protected:
    void write(const std::string& name, const FileBytes& bytes) { test::writeBytes(folder / name, bytes); }
    void writeAll(const std::string& joint = "-") {
        write("train-images" + joint + "idx3-ubyte", test::idxFile({5, 28, 28}, ramp(251)));
        write("train-labels" + joint + "idx1-ubyte", test::idxFile({5}, {3, 1, 4, 1, 9}));
        write("t10k-images" + joint + "idx3-ubyte", test::idxFile({2, 28, 28}, ramp(251)));
        write("t10k-labels" + joint + "idx1-ubyte", test::idxFile({2}, {0, 7}));
    }
    TemporaryFolder folder;
};

TEST_F(MnistFolder, LoadsBothParts) {
    writeAll();
    const auto pair = loadMnist(folder.path());
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(pair->train->size(), 5);
    EXPECT_EQ(pair->validation->size(), 2);
    EXPECT_EQ(pair->train->featureShape(), (Shape{1, 28, 28}));
    std::vector<float> x(784);
    std::int32_t label = -1;
    ASSERT_TRUE(pair->train->readSample(4, {x, {}, {&label, 1}}));
    EXPECT_EQ(label, 9);
    EXPECT_FLOAT_EQ(x[0], static_cast<float>(4 * 784 % 251) / 255.0F);
    EXPECT_FLOAT_EQ(x[783], static_cast<float>((4 * 784 + 783) % 251) / 255.0F);
}

TEST_F(MnistFolder, AcceptsTheNamesInTheWild) {
    writeAll(".");
    EXPECT_TRUE(loadMnist(folder.path()));
    TemporaryFolder other;
    for (const auto* name :
         {"train-images.idx3-ubyte", "train-labels.idx1-ubyte", "t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte"}) {
        const auto text = TemporaryFolder::slurp(folder / name);
        test::writeBytes(other.path() / "MNIST" / "raw" / (std::string(name) + ".gz"),
                         test::gzipFile(test::bytesOf(text)));
    }
    const auto pair = loadMnist(other.path());
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(pair->train->size(), 5);
}

TEST_F(MnistFolder, SaysWhichFileIsMissing) {
    writeAll();
    std::filesystem::remove(folder / "t10k-labels-idx1-ubyte");
    const auto pair = loadMnist(folder.path());
    ASSERT_FALSE(pair);
    EXPECT_EQ(pair.error().kind, ErrorKind::NotFound);
    EXPECT_NE(pair.error().subject.find("t10k-labels-idx1-ubyte"), std::string::npos);
}

TEST_F(MnistFolder, RefusesFilesThatDisagree) {
    const auto expect = [&](const std::string& file, std::int64_t offset) {
        const auto pair = loadMnist(folder.path());
        ASSERT_FALSE(pair);
        EXPECT_EQ(pair.error().kind, ErrorKind::CorruptData);
        EXPECT_EQ(pair.error().subject, (folder / file).string());
        EXPECT_EQ(pair.error().offset, offset);
    };
    writeAll();
    write("train-labels-idx1-ubyte", test::idxFile({4}, {0}));
    expect("train-labels-idx1-ubyte", 4);
    writeAll();
    write("train-labels-idx1-ubyte", test::idxFile({5}, {0, 1, 10, 3, 4}));
    expect("train-labels-idx1-ubyte", 10);
    writeAll();
    write("t10k-images-idx3-ubyte", test::idxFile({2, 28, 27}, {0}));
    expect("t10k-images-idx3-ubyte", 8);
    writeAll();
    write("train-images-idx3-ubyte", test::idxFile({0, 28, 28}, {0}));
    write("train-labels-idx1-ubyte", test::idxFile({0}, {0}));
    expect("train-images-idx3-ubyte", 4);
}

class CifarFolder : public ::testing::Test {
protected:
    void writeAll(const std::filesystem::path& below) {
        for (int i = 1; i <= 5; ++i) {
            test::writeBytes(folder.path() / below / ("data_batch_" + std::to_string(i) + ".bin"), test::cifarFile(12));
        }
        test::writeBytes(folder.path() / below / "test_batch.bin", test::cifarFile(3));
    }
    TemporaryFolder folder;
};

TEST_F(CifarFolder, LoadsAllBatches) {
    for (const auto* below : {"", "cifar-10-batches-bin"}) {
        writeAll(below);
        const auto pair = loadCifar10(folder.path());
        ASSERT_TRUE(pair) << describe(pair.error());
        EXPECT_EQ(pair->train->size(), 60);
        EXPECT_EQ(pair->validation->size(), 3);
        std::vector<float> x(3072);
        std::int32_t label = -1;
        ASSERT_TRUE(pair->train->readSample(25, {x, {}, {&label, 1}}));  // record 1 of the third file
        EXPECT_EQ(label, 1);
        EXPECT_FLOAT_EQ(x[0], 1.0F / 255.0F);
        EXPECT_FLOAT_EQ(x[3071], static_cast<float>((1 + 3071) % 256) / 255.0F);
        EXPECT_EQ(pair->train->info().classNames[1], "automobile");
    }
}

TEST_F(CifarFolder, NamesThePlaceOfDamage) {
    CifarRecords records;
    const auto damage = [&](const FileBytes& bytes) { return appendCifarRecords(*viewBytes("batch", bytes), records); };
    EXPECT_EQ(damage({}).error().offset, 0);
    auto bytes = test::cifarFile(3);
    bytes.pop_back();
    EXPECT_EQ(damage(bytes).error().offset, 2 * 3073);
    bytes = test::cifarFile(3);
    bytes[3073] = 10;
    EXPECT_EQ(damage(bytes).error().offset, 3073);
    EXPECT_EQ(damage(bytes).error().subject, "batch");

    writeAll("");
    std::filesystem::remove(folder / "data_batch_4.bin");
    const auto pair = loadCifar10(folder.path());
    ASSERT_FALSE(pair);
    EXPECT_EQ(pair.error().kind, ErrorKind::NotFound);
    EXPECT_EQ(pair.error().subject, (folder / "data_batch_4.bin").string());
}

TEST(ByteSource, RefusesWhatIsNoRegularFile) {
    EXPECT_EQ(openFile("/dev/null").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(openFile("/").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(openFile("/nowhere/at/all").error().kind, ErrorKind::NotFound);
    TemporaryFolder folder;
    test::writeBytes(folder / "large", FileBytes(100));
    EXPECT_EQ(readWholeFile(folder / "large", 99).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(readWholeFile(folder / "large", 100)->size(), 100U);
}

TEST(ByteSource, AShrunkenFileIsAnErrorWithItsPlace) {
    TemporaryFolder folder;
    test::writeBytes(folder / "file", FileBytes(1000));
    const auto source = openFile(folder / "file");
    ASSERT_TRUE(source);
    std::filesystem::resize_file(folder / "file", 600);
    FileBytes target(1000);
    const auto read = (*source)->read(0, target);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(read.error().offset, 600);
}

TEST(DrawnDigits, AreMnistFilesAndReproducible) {
    TemporaryFolder plain;
    TemporaryFolder packed;
    ASSERT_TRUE(test::writeDrawnDigits(plain.path(), {.seed = 5, .train = 60, .test = 20}));
    ASSERT_TRUE(test::writeDrawnDigits(packed.path(), {.seed = 5, .train = 60, .test = 20, .gzip = true}));
    const auto a = loadMnist(plain.path());
    const auto b = loadMnist(packed.path());
    ASSERT_TRUE(a) << describe(a.error());
    ASSERT_TRUE(b) << describe(b.error());
    std::vector<float> x(784);
    std::vector<float> y(784);
    std::int32_t label = 0;
    std::int32_t other = 0;
    std::vector<int> histogram(10);
    for (std::int64_t i = 0; i < 60; ++i) {
        ASSERT_TRUE(a->train->readSample(i, {x, {}, {&label, 1}}));
        ASSERT_TRUE(b->train->readSample(i, {y, {}, {&other, 1}}));
        ASSERT_EQ(x, y);
        ASSERT_EQ(label, other);
        ++histogram[static_cast<std::size_t>(label)];
    }
    EXPECT_EQ(histogram, std::vector<int>(10, 6));
    EXPECT_NE(test::drawDigit(3, 5, 1), test::drawDigit(3, 5, 2));
    EXPECT_NE(test::drawDigit(3, 5, 1), test::drawDigit(3, 6, 1));
}

}  // namespace
}  // namespace steelyard::data

// SPDX-License-Identifier: Apache-2.0
// The IMDb reviews: the encoding compared with examples, the folder tree, and imdb.npz as written by NumPy.
#include "engine/data/formats/imdb.h"

#include <gtest/gtest.h>

#include "engine/data/files/zip_archive.h"
#include "engine/data/formats/npy.h"
#include "engine/data/formats/pickled_lists.h"
#include "tests/support/data_files.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::data {
namespace {

using test::bytesOf;
using test::FileBytes;
using test::TemporaryFolder;
using Ids = std::vector<std::int32_t>;
using Lists = std::vector<std::vector<int>>;

const std::string kArrays = STEELYARD_TEST_DATA "/imdb/";
// What make_arrays.py draws.
const Lists kTrain{{65535, 65536, 255, 1, 1},
                   {300},
                   {65536, 3, 200, 255, 3, 200},
                   {88585, 3, 200, 300, 300, 65536, 2, 300, 1, 256, 65536},
                   {300, 256, 65536, 2, 1, 2, 65535, 65535, 14},
                   {65536, 65535, 300, 14, 256, 255, 2, 65536, 14, 200}};
const Lists kTest{{65535, 256, 3, 65535, 300, 3, 2, 255},
                  {200, 200, 255, 300, 14, 256, 200, 88585, 14, 300},
                  {88585, 2, 88585, 14, 255, 65535},
                  {256, 14, 65536, 3},
                  {}};

TokenLists listsOf(const Lists& lists) {
    TokenLists result;
    for (const auto& list : lists) {
        result.tokens.insert(result.tokens.end(), list.begin(), list.end());
        result.endList();
    }
    return result;
}

Lists plain(const TokenLists& lists) {
    Lists result;
    for (std::int64_t i = 0; i < lists.size(); ++i) result.emplace_back(lists[i].begin(), lists[i].end());
    return result;
}

Ids sample(const Dataset& set, std::int64_t index) {
    Ids ids(static_cast<std::size_t>(set.featureElements()));
    std::int32_t label = -1;
    const auto done = set.readSample(index, {{}, ids, {&label, 1}});
    EXPECT_TRUE(done) << describe(done.error());
    ids.push_back(label);
    return ids;
}

TEST(Imdb, EncodesAsKerasDoes) {
    // Ids: 1 starts, rank r is r + 3, from the cap 10 on it is 2; padded at the start, truncated at the start.
    const Reviews train{listsOf({{1, 2}, {6, 7, 1, 1, 1, 1}}), {0, 1}};
    const Reviews validation{listsOf({{kUnknownRank, 3}}), {1}};
    const auto pair = makeImdb(train, validation, {.words = 10, .length = 5}, "here");
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(sample(*pair->train, 0), (Ids{0, 0, 1, 4, 5, 0}));
    EXPECT_EQ(sample(*pair->train, 1), (Ids{2, 4, 4, 4, 4, 1}));
    EXPECT_EQ(sample(*pair->validation, 0), (Ids{0, 0, 1, 2, 6, 1}));
    EXPECT_EQ(pair->train->info().vocabulary, 10);
    EXPECT_EQ(pair->train->labelKind(), LabelKind::Binary);
}

TEST(Imdb, BigramsAreThoseOfTheTrainingPart) {
    const Reviews train{listsOf({{1, 2, 1, 2}, {2}}), {0, 1}};
    const Reviews validation{listsOf({{2, 1, 1}}), {1}};
    const auto pair = makeImdb(train, validation, {.words = 10, .length = 9, .bigrams = true}, "here");
    ASSERT_TRUE(pair);
    // Review 0: 1 4 5 4 5 -> (1 4) = 11, (4 5) = 12, (5 4) = 13, (4 5) = 12. Review 1: 1 5 -> (1 5) = 14.
    EXPECT_EQ(sample(*pair->train, 0), (Ids{1, 4, 5, 4, 5, 11, 12, 13, 12, 0}));
    EXPECT_EQ(sample(*pair->train, 1), (Ids{0, 0, 0, 0, 0, 0, 1, 5, 14, 1}));
    // 1 5 4 4: (1 5) = 14, (5 4) = 13, (4 4) is unknown.
    EXPECT_EQ(sample(*pair->validation, 0), (Ids{0, 0, 0, 1, 5, 4, 4, 14, 13, 1}));
    EXPECT_EQ(pair->train->info().vocabulary, 15);  // one more than the largest id
}

TEST(Imdb, RefusesOptionsWithoutSense) {
    const Reviews some{listsOf({{1}}), {0}};
    EXPECT_FALSE(makeImdb(some, some, {.words = 3}, "here"));
    EXPECT_FALSE(makeImdb(some, some, {.length = 0}, "here"));
    EXPECT_FALSE(makeImdb(some, {}, {}, "here"));
}

TEST(Imdb, TokenisesAsKerasDoes) {
    const auto words = tokeniseReview(bytesOf("It's GREAT,<br /><br />really!\tTen/10\r\n"), "file");
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, (std::vector<std::string>{"it's", "great", "br", "br", "really", "ten", "10"}));
    EXPECT_EQ(tokeniseReview(bytesOf("bad \xff"), "file").error().offset, 4);
}

class ImdbFolder : public ::testing::Test {
protected:
    void SetUp() override {
        write("train/neg/0_1.txt", "bad bad film");
        write("train/pos/1_9.txt", "good film");
        write("test/neg/0_2.txt", "Bad, unseen");
        write("test/pos/0_8.txt", "good good");
        write("train/unsup/0_0.txt", "ignored");
    }
    void write(const std::string& name, const std::string& text) {
        test::writeBytes(folder.path() / "aclImdb" / name, bytesOf(text));
    }
    TemporaryFolder folder;
};

TEST_F(ImdbFolder, RanksByFrequencyInTraining) {
    for (const auto& path : {folder.path(), folder.path() / "aclImdb"}) {
        const auto pair = loadImdb(path, {.words = 100, .length = 4});
        ASSERT_TRUE(pair) << describe(pair.error());
        // bad 2, film 2, good 1: ranks 1, 2, 3 in that order (equal counts in byte order).
        EXPECT_EQ(sample(*pair->train, 0), (Ids{1, 4, 4, 5, 0}));
        EXPECT_EQ(sample(*pair->train, 1), (Ids{0, 1, 6, 5, 1}));
        EXPECT_EQ(sample(*pair->validation, 0), (Ids{0, 1, 4, 2, 0}));
        EXPECT_EQ(sample(*pair->validation, 1), (Ids{0, 1, 6, 6, 1}));
    }
}

TEST_F(ImdbFolder, NamesWhatIsWrong) {
    write("test/pos/1_8.txt", "caf\xe9");
    const auto damaged = loadImdb(folder.path(), {});
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().offset, 3);
    EXPECT_NE(damaged.error().subject.find("test/pos/1_8.txt"), std::string::npos);
    std::filesystem::remove_all(folder.path() / "aclImdb" / "test" / "neg");
    EXPECT_EQ(loadImdb(folder.path(), {}).error().kind, ErrorKind::NotFound);
    TemporaryFolder empty;
    EXPECT_EQ(loadImdb(empty.path(), {}).error().kind, ErrorKind::NotFound);
}

TEST(Npz, ReadsWhatNumPyWrote) {
    const auto source = openFile(kArrays + "reviews.npz");
    ASSERT_TRUE(source) << describe(source.error());
    const auto pair = readImdbNpz(**source);
    ASSERT_TRUE(pair) << describe(pair.error());
    EXPECT_EQ(plain(pair->train.ranks), kTrain);
    EXPECT_EQ(plain(pair->validation.ranks), kTest);
    EXPECT_EQ(pair->train.labels, (Ids{0, 1, 1, 0, 1, 0}));
    EXPECT_EQ(pair->validation.labels, (Ids{1, 0, 0, 1, 1}));

    const auto sets = loadImdb(kArrays + "reviews.npz", {.words = 400, .length = 6});
    ASSERT_TRUE(sets) << describe(sets.error());
    EXPECT_EQ(sample(*sets->train, 0), (Ids{1, 2, 2, 258, 4, 4, 0}));
}

TEST(Npz, ReadsEveryPickleProtocol) {
    for (const auto* name : {"protocol2", "protocol3", "protocol4", "protocol5", "protocol4_numpy2"}) {
        const auto bytes = readWholeFile(kArrays + name + ".npy", 10'000);
        ASSERT_TRUE(bytes) << name;
        const auto lists = readNpyLists(*bytes, name);
        ASSERT_TRUE(lists) << describe(lists.error());
        EXPECT_EQ(plain(*lists), kTrain) << name;
    }
}

TEST(Npz, ReadsStoredAndDeflated) {
    for (const bool deflate : {false, true}) {
        const auto bytes = test::zipFile({{"x_train.npy", test::npyLists(kTrain)},
                                          {"y_train.npy", test::npyIntegers({0, 0, 0, 1, 1, 1})},
                                          {"x_test.npy", test::npyLists(kTest)},
                                          {"y_test.npy", test::npyIntegers({0, 0, 0, 1, 1})}},
                                         deflate);
        const auto pair = readImdbNpz(*viewBytes("imdb.npz", bytes));
        ASSERT_TRUE(pair) << describe(pair.error());
        EXPECT_EQ(plain(pair->train.ranks), kTrain);
        EXPECT_EQ(plain(pair->validation.ranks), kTest);
    }
}

TEST(Npz, RefusesLabelsThatDoNotFit) {
    const auto detail = [](const std::vector<std::int64_t>& labels) {
        const auto bytes = test::zipFile(
            {{"x_train.npy", test::npyLists({{1}, {2}})}, {"y_train.npy", test::npyIntegers(labels)}}, true);
        return readImdbNpz(*viewBytes("imdb.npz", bytes)).error();
    };
    EXPECT_EQ(detail({0}).detail.text, "1 labels for 2 reviews");
    EXPECT_EQ(detail({0, 2}).detail.text, "label 2; expected 0 to 1");
    EXPECT_EQ(detail({0, 2}).subject, "imdb.npz:y_train.npy");
    EXPECT_EQ(detail({0, 1}).detail.text, "x_test.npy: No such file");
}

TEST(Zip, ChecksTheChecksumAndTheBounds) {
    const auto good = test::zipFile({{"a", bytesOf("some content, some content")}, {"b", bytesOf("b")}}, true);
    const auto read = [](const FileBytes& bytes) -> Result<FileBytes> {
        const auto source = viewBytes("file.zip", bytes);
        ASSIGN(const auto archive, ZipArchive::open(*source, 1000));
        return archive.read("a", 26);
    };
    ASSERT_TRUE(read(good)) << describe(read(good).error());
    EXPECT_EQ(read(good)->size(), 26U);
    auto bad = good;
    bad[30 + 1 + 4] ^= 1;  // in the compressed content
    EXPECT_EQ(read(bad).error().kind, ErrorKind::CorruptData);
    const auto large = test::zipFile({{"a", bytesOf("some content, some more content")}}, true);
    EXPECT_NE(read(large).error().detail.text.find("more than 26 bytes"), std::string::npos);
    EXPECT_EQ(read(test::zipFile({{"c", bytesOf("c")}}, false)).error().kind, ErrorKind::CorruptData);
    EXPECT_FALSE(read(FileBytes(good.begin(), good.end() - 1)));
    EXPECT_FALSE(read({}));
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_FALSE(read(FileBytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)))) << length;
    }
}

Error pickleError(std::string_view program) {
    const auto lists = readPickledLists(bytesOf(program), "file", 100);
    EXPECT_FALSE(lists);
    return lists ? Error{} : lists.error();
}

TEST(PickledLists, NeverCallsAnything) {
    using namespace std::string_view_literals;
    const auto error = pickleError(
        "\x80\x02"
        "cos\nsystem\nX\x02\x00\x00\x00ls\x85R."sv);
    EXPECT_EQ(error.kind, ErrorKind::CorruptData);
    EXPECT_EQ(error.offset, 102);
    EXPECT_NE(error.detail.text.find("os system"), std::string::npos);
    EXPECT_NE(pickleError("\x8c\x02os\x8c\x06system\x93."sv).detail.text.find("os system"), std::string::npos);
}

TEST(PickledLists, RefusesWhatIsNoListOfNumbers) {
    using namespace std::string_view_literals;
    EXPECT_EQ(pickleError(""sv).detail.text, "ends early");
    EXPECT_EQ(pickleError("."sv).detail.text, "contains no array");
    EXPECT_EQ(pickleError("e"sv).detail.text, "a mark is missing");
    EXPECT_EQ(pickleError("(e"sv).detail.text, "appends to an object that is not a list");
    EXPECT_EQ(pickleError("a"sv).detail.text, "appends to an object that is not a list");
    EXPECT_EQ(pickleError("](e"sv.substr(0, 2)).detail.text, "ends early");
    EXPECT_EQ(pickleError("h\x01"sv).detail.text, "reads a value that was not stored");
    EXPECT_EQ(pickleError("q\x01"sv).detail.text, "stores a value from an empty stack");
    EXPECT_EQ(pickleError("\x86"sv).detail.text, "takes a value from an empty stack");
    EXPECT_EQ(pickleError("K\x01(\x86"sv).detail.text, "takes a value from an empty stack");
    EXPECT_EQ(pickleError("]Na."sv).detail.text, "a list contains values other than 32-bit integers");
    EXPECT_EQ(pickleError("]\x8a\x05\xff\xff\xff\xff\x7f"
                          "a."sv)
                  .detail.text,
              "a list contains values other than 32-bit integers");
    EXPECT_EQ(pickleError("\x80\x09"sv).detail.text, "pickle protocol 9");
    EXPECT_EQ(pickleError("X\xff\xff\xff\xffzz"sv).detail.text, "ends early");
    EXPECT_NE(pickleError("\xfe"sv).detail.text.find("0xfe"), std::string::npos);
    // The object None with a list as its state; then bytes after the end.
    EXPECT_EQ(pickleError("N](](K\x01"
                          "ee\x85"
                          "b.x"sv)
                  .detail.text,
              "data follows the end");
    EXPECT_TRUE(readPickledLists(bytesOf("N](](K\x01"
                                         "ee\x85"
                                         "b."sv),
                                 "file", 0));
}

TEST(PickledLists, ARepeatedListCannotFillTheMemory) {
    // One list of 100 numbers, memoised, and referenced 1000 times in 2000 bytes.
    std::string program = "N](](";
    for (int i = 0; i < 100; ++i) program += "K\x01";
    program += "eq";
    program.push_back('\0');
    for (int i = 0; i < 1000; ++i) {
        program += 'h';
        program.push_back('\0');
    }
    program +=
        "e\x85"
        "b.";
    EXPECT_EQ(pickleError(program).detail.text, "a list is repeated too often");
}

TEST(Npy, RefusesOtherArrays) {
    const auto error = [](const FileBytes& bytes) {
        const auto values = readNpyIntegers(bytes, "file");
        return values ? Error{} : values.error();
    };
    const auto good = test::npyIntegers({1, -2, 3});
    EXPECT_EQ(*readNpyIntegers(good, "file"), (std::vector<std::int64_t>{1, -2, 3}));
    EXPECT_EQ(error({}).detail.text, "not a NumPy array");
    auto bad = good;
    bad[6] = 9;
    EXPECT_EQ(error(bad).offset, 6);
    EXPECT_NE(error(FileBytes(good.begin(), good.end() - 1)).detail.text.find("cannot hold"), std::string::npos);
    EXPECT_NE(error(test::npyLists({{1}})).detail.text.find("type |O"), std::string::npos);
    EXPECT_FALSE(readNpyLists(good, "file"));
    bad = good;
    bad[10] = '[';
    EXPECT_EQ(error(bad).offset, 10);
}

}  // namespace
}  // namespace steelyard::data

// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text/text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/data_files.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::data {
namespace {

using test::bytesOf;
using test::TemporaryFolder;

TEST(Utf8, DecodesAndEncodes) {
    const std::string text = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n";
    const auto decoded = decodeUtf8(bytesOf(text), "file");
    ASSERT_TRUE(decoded) << describe(decoded.error());
    EXPECT_EQ(*decoded, U"a\u00e4\u20ac\U0001f600\n");
    EXPECT_EQ(encodeUtf8(*decoded), text);
    EXPECT_EQ(*decodeUtf8(bytesOf("\xef\xbb\xbfx\r\ny\rz\r\r\n"), "file"), U"x\ny\nz\n\n");
}

TEST(Utf8, NamesTheFirstBadByte) {
    const auto offset = [](std::string_view text) {
        const auto decoded = decodeUtf8(bytesOf(text), "file");
        return decoded ? std::int64_t{-1} : *decoded.error().offset;
    };
    using namespace std::string_view_literals;
    EXPECT_EQ(offset("ab\xff"), 2);
    EXPECT_EQ(offset("\x80"), 0);
    EXPECT_EQ(offset("a\xc0\x80"), 1);          // overlong
    EXPECT_EQ(offset("a\xe0\x80\xaf"), 1);      // overlong
    EXPECT_EQ(offset("a\xed\xa0\x80"), 1);      // surrogate
    EXPECT_EQ(offset("a\xf4\x90\x80\x80"), 1);  // above U+10FFFF
    EXPECT_EQ(offset("abc\xe2\x82"), 3);        // truncated
    EXPECT_EQ(offset("abc\xe2\x82z"), 3);       // continuation missing
    EXPECT_EQ(offset("ab\0c"sv), 2);
    EXPECT_EQ(offset("good"), -1);
}

TEST(Utf8, LowerCase) {
    const std::u32string upper = U"AZ\u00c4\u00d7\u0391\u0416\u0401\u5b57";
    std::u32string lower;
    for (const auto c : upper) lower.push_back(toLower(c));
    EXPECT_EQ(lower, U"az\u00e4\u00d7\u03b1\u0436\u0451\u5b57");
}

TEST(CharacterText, WindowsAreThoseOfTheKerasExample) {
    // range(0, 10 - 4, 3) = 0, 3: "abra" -> 'c', "acad" -> 'a'.
    const auto text = CharacterText::create(U"abracadabr", {.window = 4, .step = 3}, "text");
    ASSERT_TRUE(text) << describe(text.error());
    EXPECT_EQ((*text)->size(), 2);
    EXPECT_EQ((*text)->characters(), U"abcdr");
    std::vector<std::int32_t> ids(4);
    std::int32_t label = -1;
    ASSERT_TRUE((*text)->readSample(1, {{}, ids, {&label, 1}}));
    EXPECT_EQ(ids, (std::vector<std::int32_t>{0, 2, 0, 3}));
    EXPECT_EQ(label, 0);
}

TEST(CharacterText, CountsTheWindowsOfTheKnownText) {
    // 600,893 characters give 200,285 windows of 40 at step 3.
    const auto text = CharacterText::create(std::u32string(600'893, U'x'), {}, "text");
    ASSERT_TRUE(text);
    EXPECT_EQ((*text)->size(), 200'285);
    std::vector<std::int32_t> ids(40);
    std::int32_t label = -1;
    EXPECT_TRUE((*text)->readSample(200'284, {{}, ids, {&label, 1}}));
}

TEST(CharacterText, OneHotMarksTheIds) {
    const auto ids = CharacterText::create(U"Hello World", {.window = 5, .step = 1}, "text");
    const auto marks = CharacterText::create(U"Hello World", {.window = 5, .step = 1, .oneHot = true}, "text");
    ASSERT_TRUE(ids && marks);
    const auto vocabulary = (*ids)->classCount();
    EXPECT_EQ(vocabulary, 8);  // " dehlorw": the capitals are gone
    EXPECT_EQ((*marks)->featureShape(), (Shape{5, vocabulary}));
    std::vector<std::int32_t> tokens(5);
    std::vector<float> values(static_cast<std::size_t>(5 * vocabulary));
    std::int32_t label = 0;
    std::int32_t other = 0;
    for (std::int64_t i = 0; i < (*ids)->size(); ++i) {
        ASSERT_TRUE((*ids)->readSample(i, {{}, tokens, {&label, 1}}));
        ASSERT_TRUE((*marks)->readSample(i, {values, {}, {&other, 1}}));
        EXPECT_EQ(label, other);
        for (std::size_t t = 0; t < 5; ++t) {
            for (std::int32_t v = 0; v < vocabulary; ++v) {
                ASSERT_EQ(values[t * static_cast<std::size_t>(vocabulary) + static_cast<std::size_t>(v)],
                          tokens[t] == v ? 1.0F : 0.0F);
            }
        }
    }
}

TEST(CharacterText, RefusesTooShortText) {
    EXPECT_EQ(CharacterText::create(U"abcd", {.window = 4}, "text").error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(CharacterText::create(U"abcd", {.window = 0}, "text").error().kind, ErrorKind::InvalidArgument);
    TemporaryFolder folder;
    EXPECT_EQ(loadCharacterText(folder.path(), {}).error().kind, ErrorKind::NotFound);
    test::writeBytes(folder / "a.txt", bytesOf("0123456789"));
    EXPECT_TRUE(loadCharacterText(folder.path(), {.window = 4}));
    EXPECT_TRUE(loadCharacterText(folder / "a.txt", {.window = 4}));
    test::writeBytes(folder / "b.txt", bytesOf("0123456789"));
    EXPECT_EQ(loadCharacterText(folder.path(), {}).error().kind, ErrorKind::InvalidArgument);
}

TEST(Words, SplitAtWhiteSpaceAndMarkLineEnds) {
    const auto bytes = bytesOf(" the cat\n sat  down\n");
    const auto words = splitWords(bytes, "file");
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, (std::vector<std::string_view>{"the", "cat", "<eos>", "sat", "down", "<eos>"}));
    const auto ranks = rankWords({"b", "a", "c", "a", "c", "d"}, 3);
    EXPECT_EQ(ranks, (WordRanks{{"a", 0}, {"c", 1}, {"<unk>", 2}}));
    EXPECT_EQ(rankWords({"<unk>", "a", "<unk>"}, 10), (WordRanks{{"<unk>", 0}, {"a", 1}}));
}

class PtbFolder : public ::testing::Test {
protected:
    void SetUp() override {
        // Words 0 .. 40 in order; every word occurs once, so ranks follow byte order: zero-padded names preserve it.
        std::string train;
        for (int i = 0; i <= 40; ++i) train += (i < 10 ? "w0" : "w") + std::to_string(i) + " ";
        test::writeBytes(folder.path() / "data" / "ptb.train.txt", bytesOf(train));
        test::writeBytes(folder.path() / "data" / "ptb.valid.txt",
                         bytesOf("w01 w02 nobody w03 w04 w05 w06 w07 w08 w09"));
    }
    TemporaryFolder folder;
};

TEST_F(PtbFolder, BatchesContinueEachOther) {
    const auto pair = loadPtb(folder.path(), {.steps = 3, .batch = 2});
    ASSERT_TRUE(pair) << describe(pair.error());
    // 41 words in 2 rows of 20: (20 - 1) / 3 = 6 batches of 2 samples.
    const auto& set = *pair->train;
    EXPECT_EQ(set.size(), 12);
    EXPECT_EQ(set.info().carriedBatch, 2);
    EXPECT_EQ(set.classCount(), 42);  // and <unk>
    std::vector<std::int32_t> x(3);
    std::vector<std::int32_t> y(3);
    const auto expectSample = [&](std::int64_t index, std::int32_t first) {
        ASSERT_TRUE(set.readSample(index, {{}, x, y}));
        // <unk> sorts before the others only by count: it has the last rank.
        EXPECT_EQ(x, (std::vector<std::int32_t>{first, first + 1, first + 2}));
        EXPECT_EQ(y, (std::vector<std::int32_t>{first + 1, first + 2, first + 3}));
    };
    expectSample(0, 0);    // row 0, steps 0-2
    expectSample(1, 20);   // row 1
    expectSample(2, 3);    // row 0 goes on
    expectSample(11, 35);  // the last: row 1, steps 15-17
}

TEST_F(PtbFolder, UnknownWordsAreCounted) {
    const auto pair = loadPtb(folder.path(), {.steps = 2, .batch = 2});
    ASSERT_TRUE(pair);
    std::vector<std::int32_t> x(2);
    std::vector<std::int32_t> y(2);
    ASSERT_TRUE(pair->validation->readSample(0, {{}, x, y}));
    EXPECT_EQ(x, (std::vector<std::int32_t>{1, 2}));
    EXPECT_EQ(y, (std::vector<std::int32_t>{2, 41}));
    EXPECT_EQ(pair->validation->info().remark, "1 words outside the vocabulary became <unk>.");
}

TEST_F(PtbFolder, RefusesWhatDoesNotFit) {
    EXPECT_EQ(loadPtb(folder.path(), {.steps = 30, .batch = 2}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(loadPtb(folder.path(), {.steps = 3, .batch = 100}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(loadPtb(folder.path(), {.steps = 0}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(loadPtb(folder / "elsewhere", {}).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace steelyard::data

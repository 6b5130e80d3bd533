// SPDX-License-Identifier: Apache-2.0
#include "engine/core/text.h"

#include <gtest/gtest.h>

namespace steelyard {
namespace {

constexpr const char* kReplaced = "\xef\xbf\xbd";

TEST(Utf8, KnowsWhatIsWellFormed) {
    for (const char* text :
         {"", "plain", "\xc3\xa4", "\xe9\x95\xbf", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(isUtf8(text)) << text;
    for (const char* text : {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                             "\xf5\x80\x80\x80", "a\xe9\x95", "\xe9\x95z"})
        EXPECT_FALSE(isUtf8(text)) << visible(text);
}

TEST(Utf8, ReplacesEachMaximalPart) {
    EXPECT_EQ(toUtf8("a\xff"
                     "b"),
              std::string("a") + kReplaced + "b");
    EXPECT_EQ(toUtf8("\xe9\x95z"), std::string(kReplaced) + "z") << "a character cut short is one";
    EXPECT_EQ(toUtf8("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
    EXPECT_TRUE(isUtf8(toUtf8("\xed\xa0\x80\xc0\xaf\xf4\x90")));
}

TEST(Utf8, KnowsACharacterThatIsStillToCome) {
    EXPECT_EQ(incompleteTail("abc"), 0U);
    EXPECT_EQ(incompleteTail("a\xc3"), 1U);
    EXPECT_EQ(incompleteTail("a\xe9\x95"), 2U);
    EXPECT_EQ(incompleteTail("\xf0\x9f\x98"), 3U);
    EXPECT_EQ(incompleteTail("\xf0\x9f\x98\x80"), 0U);
    EXPECT_EQ(incompleteTail("\xff"), 0U) << "nothing makes it a character";
    EXPECT_EQ(incompleteTail("\x80\x80\x80\x80"), 0U);
}

TEST(Visible, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(visible("\x1b[2Jlab"), "\\x1b[2Jlab");
    EXPECT_EQ(visible("a\nb\r\t\x07"), "a\\x0ab\\x0d\\x09\\x07");
    EXPECT_EQ(visible("\x7f\xc2\x9b"), "\\u007f\\u009b");
    EXPECT_EQ(visible("\xe2\x80\xae"
                      "txt"),
              "\\u202etxt")
        << "right-to-left override";
    EXPECT_EQ(visible("\xff"), "\\xff");
    EXPECT_EQ(visible("\xe9\x95\xbf \xc3\xa4"), "\xe9\x95\xbf \xc3\xa4");
    EXPECT_EQ(visibleLines("a\tb\n\x1b"), "a\tb\n\\x1b");
}

TEST(CsvText, QuotesAndDisarmsFormulas) {
    EXPECT_EQ(csvText("plain"), "plain");
    EXPECT_EQ(csvText("a,b"), "\"a,b\"");
    EXPECT_EQ(csvText("a \"b\"\nc"), "\"a \"\"b\"\"\nc\"");
    EXPECT_EQ(csvText("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    EXPECT_EQ(csvText("@SUM(1,2)"), "\"'@SUM(1,2)\"");
    EXPECT_EQ(csvText("+1+cmd"), "'+1+cmd");
    EXPECT_EQ(csvText("-x"), "'-x");
    EXPECT_EQ(csvText("-1.5e-3"), "-1.5e-3") << "a number is no formula";
    EXPECT_EQ(csvText("\t=1"), "'\t=1");
    EXPECT_EQ(csvText("\x1b[2J"), std::string(kReplaced) + "[2J");
    EXPECT_EQ(csvText(""), "");
}

}  // namespace
}  // namespace steelyard

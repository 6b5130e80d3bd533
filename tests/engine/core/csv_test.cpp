// SPDX-License-Identifier: Apache-2.0
#include "engine/core/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace steelyard {
namespace {

using testing::ElementsAre;

CsvDocument parsed(std::string text) {
    auto document = CsvDocument::parse("test.csv", std::move(text));
    EXPECT_TRUE(document.has_value()) << describe(document.error());
    return std::move(document.value());
}

TEST(Csv, ReadsQuotesCommasAndLineBreaksInFields) {
    const auto document = parsed("a,b,c\r\n1,\"x, \"\"y\"\"\",3\r\n\"two\nlines\",,\"\"\n\nlast,row,\n");
    EXPECT_THAT(document.header(), ElementsAre("a", "b", "c"));
    ASSERT_EQ(document.rowCount(), 3U);
    EXPECT_THAT(document.row(0), ElementsAre("1", "x, \"y\"", "3"));
    EXPECT_THAT(document.row(1), ElementsAre("two\nlines", "", ""));
    EXPECT_THAT(document.row(2), ElementsAre("last", "row", ""));
    EXPECT_EQ(document.lineOf(0), 2U);
    EXPECT_EQ(document.lineOf(1), 3U);
    EXPECT_EQ(document.lineOf(2), 6U);
}

TEST(Csv, FindsColumnsByNameWhateverTheCase) {
    const auto document = parsed("\xEF\xBB\xBFPrice, SpotPrice \n1,2");
    EXPECT_EQ(document.column("price"), 0U);
    EXPECT_EQ(document.column("SPOTPRICE"), 1U);
    EXPECT_FALSE(document.column("Region"));
    EXPECT_THAT(document.row(0), ElementsAre("1", "2"));
}

TEST(Csv, ReplacesWhatIsNotUtf8) {
    const auto document = parsed("# computer: \xff\na,b\n\xc3,2\n");
    EXPECT_EQ(document.remarks()[0].text, "\xef\xbf\xbd");
    EXPECT_THAT(document.row(0), ElementsAre("\xef\xbf\xbd", "2"));
}

TEST(Csv, RefusesTwoColumnsOfOneName) {
    const auto document = CsvDocument::parse("t.csv", "price,b, Price\n1,2,3\n");
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().kind, ErrorKind::CorruptData);
    EXPECT_NE(document.error().detail.text.find("two columns"), std::string::npos);
    EXPECT_EQ(parsed("a,,\n1,2,3\n").rowCount(), 1U) << "columns without a name may be several";
}

TEST(Csv, KeepsRemarksBeforeTheHeader) {
    const auto document = parsed("# title: A study: one\n# no key\nx,y\n1,2\n");
    ASSERT_EQ(document.remarks().size(), 1U);
    EXPECT_EQ(document.remarks()[0].key, "title");
    EXPECT_EQ(document.remarks()[0].text, "A study: one");
    EXPECT_EQ(document.lineOf(0), 4U);
}

TEST(Csv, RowsMayBeRagged) {
    const auto document = parsed("a,b\n1\n1,2,3\n");
    EXPECT_EQ(document.row(0).size(), 1U);
    EXPECT_EQ(document.row(1).size(), 3U);
}

TEST(Csv, RefusesBinaryTruncatedAndEmptyInputWithTheOffset) {
    const auto binary = CsvDocument::parse("b.csv", std::string("a,b\n1,\0,2", 9));
    ASSERT_FALSE(binary);
    EXPECT_EQ(binary.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(binary.error().offset, 6);
    const auto cut = CsvDocument::parse("t.csv", "a,b\n1,\"half a fie");
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(cut.error().offset, 6);
    EXPECT_FALSE(CsvDocument::parse("e.csv", ""));
    EXPECT_FALSE(CsvDocument::parse("q.csv", "a,b\n\"x\"y,2\n"));
}

TEST(Csv, RefusesWhatPassesALimit) {
    const CsvLimits limits{.maxBytes = 100, .maxRows = 3, .maxColumns = 4, .maxFieldBytes = 10};
    EXPECT_TRUE(CsvDocument::parse("ok", "a,b\n1,2\n3,4\n", limits));
    EXPECT_FALSE(CsvDocument::parse("bytes", std::string(101, 'x'), limits));
    EXPECT_FALSE(CsvDocument::parse("rows", "a\n1\n2\n3\n4\n", limits));
    EXPECT_FALSE(CsvDocument::parse("columns", "a,b,c,d,e\n", limits));
    EXPECT_FALSE(CsvDocument::parse("field", "a\n12345678901\n", limits));
}

TEST(Csv, ReadsWholeNumbersOnly) {
    EXPECT_EQ(numberFromText(" 1.5e3 "), 1500.0);
    EXPECT_EQ(numberFromText("+2"), 2.0);
    for (const char* text : {"", " ", "1,5", "12 GB", "nan", "inf", "0x10", "-"})
        EXPECT_FALSE(numberFromText(text)) << text;
}

}  // namespace
}  // namespace steelyard

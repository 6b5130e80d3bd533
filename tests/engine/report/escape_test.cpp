// SPDX-License-Identifier: Apache-2.0
#include "engine/report/escape.h"

#include <gtest/gtest.h>

#include "engine/report/report_texts.h"

namespace steelyard::report {
namespace {

TEST(EscapeHtml, LeavesNoMarkup) {
    EXPECT_EQ(escapeHtml("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    EXPECT_EQ(escapeHtml("a \"b\" & c"), "a &quot;b&quot; &amp; c");
    EXPECT_EQ(escapeHtml("\x01 \x7f\n"), "\xef\xbf\xbd \xef\xbf\xbd\n");
    EXPECT_EQ(escapeHtml("\xe9\x95\xbf"), "\xe9\x95\xbf");
}

TEST(EscapeMarkdown, LeavesNoMarkupAndNoNewLine) {
    EXPECT_EQ(escapeMarkdown("a|b\nc"), "a\\|b c");
    EXPECT_EQ(escapeMarkdown("<img src=x>"), "&lt;img src=x&gt;");
    EXPECT_EQ(escapeMarkdown("![x](http://y)"), "\\!\\[x\\]\\(http://y\\)");
    EXPECT_EQ(escapeMarkdown("# `code` *bold*"), "\\# \\`code\\` \\*bold\\*");
    EXPECT_EQ(escapeMarkdown("mnist_cnn _emphasis_"), "mnist_cnn \\_emphasis\\_");
    EXPECT_EQ(escapeMarkdown("a\\b"), "a\\\\b");
}

TEST(FillIn, ReplacesPlacesOnce) {
    EXPECT_EQ(fillIn("%2 of %1", {"a", "b"}), "b of a");
    EXPECT_EQ(fillIn("%1", {"%2"}), "%2") << "a value is not a text with places";
    EXPECT_EQ(fillIn("100 % of %1, %9", {"x"}), "100 % of x, %9");
}

TEST(ReportTexts, NamesThatAreNotKnownAreShownAsTheyAre) {
    EXPECT_EQ(ReportTexts().nameOf("out_of_memory"), "out of memory");
    EXPECT_EQ(ReportTexts().nameOf("something"), "something");
}

}  // namespace
}  // namespace steelyard::report

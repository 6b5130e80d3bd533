// SPDX-License-Identifier: Apache-2.0
#include "ui/text/status_text.h"

#include <gtest/gtest.h>

#include <QFile>

#include "ui/text/error_text.h"
#include "ui/text/help_text.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {
namespace {

TEST(HelpText, TheTermsAndTheKeysFollowThePage) {
    const auto html = HelpText::page(QStringLiteral("a < b"), QStringLiteral("Ctrl+1"));
    EXPECT_TRUE(html.contains(QStringLiteral("a &lt; b")));
    for (const auto& [term, meaning] : HelpText::terms()) {
        EXPECT_TRUE(html.contains(term.toHtmlEscaped())) << term.toStdString();
        EXPECT_TRUE(html.contains(meaning.toHtmlEscaped())) << term.toStdString();
    }
    EXPECT_LT(html.indexOf(QStringLiteral("name=\"terms\"")), html.indexOf(QStringLiteral("name=\"keys\"")));
}

TEST(TableContent, IsWrittenAsMarkdown) {
    TableContent content;
    content.columns = {
        {QStringLiteral("Name"), false, {}}, {QStringLiteral("ms"), true, {}}, {QStringLiteral("?"), false, {}}};
    TableRow row;
    row.cells = {{QStringLiteral("a|b"), {}, {}, {}}, {QStringLiteral("1"), {}, {}, {}}, {}};
    content.rows = {row};
    EXPECT_EQ(markdownOf(content, 2), QStringLiteral("| Name | ms |\n| --- | ---: |\n| a\\|b | 1 |\n"));
}

TEST(StatusText, EveryValueHasItsWord) {
    for (const auto status :
         {bench::Status::Ok, bench::Status::OutOfMemory, bench::Status::Unsupported, bench::Status::TimedOut,
          bench::Status::Cancelled, bench::Status::Failed, bench::Status::Crashed}) {
        EXPECT_FALSE(StatusText::name(status).isEmpty());
        EXPECT_EQ(StatusText::advice(status).isEmpty(), status == bench::Status::Ok)
            << "what failed names the next step";
        EXPECT_TRUE(QFile::exists(QStringLiteral(":/steelyard/icons/%1.svg").arg(toneIcon(StatusText::tone(status)))));
    }
    for (const auto phase : {bench::Phase::Compile, bench::Phase::Verify, bench::Phase::WarmUp, bench::Phase::Sampling,
                             bench::Phase::CoolDown}) {
        EXPECT_FALSE(StatusText::name(phase).isEmpty());
    }
}

TEST(StatusText, WordsThatAreNotKnownAreShownAsTheyAre) {
    EXPECT_EQ(StatusText::mode(plan::Mode::Train), QStringLiteral("Training"));
    EXPECT_EQ(StatusText::mode(plan::Mode::Infer), QStringLiteral("Inference"));
    EXPECT_EQ(StatusText::device("cuda:0"), QStringLiteral("GPU"));
    EXPECT_EQ(StatusText::device("cuda:3"), QStringLiteral("GPU 3"));
    EXPECT_EQ(StatusText::device("cuda:0+cuda:1"), QStringLiteral("GPU 0 + GPU 1"));
    EXPECT_EQ(StatusText::device("cuda:0/cuda:1"), QStringLiteral("GPU 0, GPU 1, an experiment each"));
}

TEST(StatusText, ComparisonsSayWhatDiffers) {
    bench::Comparison comparison;
    comparison.reason = bench::Reason::DifferentThings;
    comparison.differences = {{bench::Difference::Precision, "fp32", "bf16"}, {bench::Difference::OtherNotOk, "", ""}};
    const auto text = StatusText::reason(comparison);
    EXPECT_TRUE(text.contains(QStringLiteral("precision: fp32, bf16"))) << text.toStdString();
}

TEST(ErrorText, EveryKindHasASentenceAndANextStep) {
    for (int kind = 0; kind <= static_cast<int>(ErrorKind::Internal); ++kind) {
        Error error{static_cast<ErrorKind>(kind), "results.json", {}, {}, {}, {}};
        EXPECT_TRUE(ErrorText::sentence(error).contains(QStringLiteral("results.json"))) << kind;
        EXPECT_FALSE(ErrorText::advice(error).isEmpty()) << kind;
    }
}

TEST(ErrorText, FiguresAndDetailAreNotLost) {
    Error error{ErrorKind::OutOfMemory, "resnet50",           Message("allocation failed"), {},
                std::int64_t{9} << 30,  std::int64_t{8} << 30};
    const auto text = ErrorText::full(error);
    EXPECT_TRUE(text.contains(QStringLiteral("9.00 GiB"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("8.00 GiB")));
    EXPECT_TRUE(text.contains(QStringLiteral("allocation failed")));
    EXPECT_FALSE(ErrorText::sentence({ErrorKind::Internal, {}, {}, {}, {}, {}}).isEmpty());
}

}  // namespace
}  // namespace steelyard::ui

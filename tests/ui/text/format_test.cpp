// SPDX-License-Identifier: Apache-2.0
#include "ui/text/format.h"

#include <gtest/gtest.h>

#include <QRegularExpression>

#include <limits>

namespace steelyard::ui {
namespace {

const QLocale kEnglish(QLocale::English, QLocale::UnitedStates);
const QLocale kGerman(QLocale::German, QLocale::Germany);

TEST(Format, ThreeSignificantDigitsWithoutExponent) {
    EXPECT_EQ(Format::number(0.0, kEnglish), QStringLiteral("0"));
    EXPECT_EQ(Format::number(1.234, kEnglish), QStringLiteral("1.23"));
    EXPECT_EQ(Format::number(9.996, kEnglish), QStringLiteral("10.0"));
    EXPECT_EQ(Format::number(12.345, kEnglish), QStringLiteral("12.3"));
    EXPECT_EQ(Format::number(123.45, kEnglish), QStringLiteral("123"));
    EXPECT_EQ(Format::number(12345.0, kEnglish), QStringLiteral("12,345"));
    EXPECT_EQ(Format::number(0.04567, kEnglish), QStringLiteral("0.0457"));
    EXPECT_EQ(Format::number(0.5, kEnglish), QStringLiteral("0.500"));
    EXPECT_EQ(Format::number(1.5e-7, kEnglish), QStringLiteral("0.000000150"));
}

TEST(Format, TheLocaleDecidesTheMarks) {
    EXPECT_EQ(Format::number(12.345, kGerman), QStringLiteral("12,3"));
    EXPECT_EQ(Format::integer(1234567, kGerman), QStringLiteral("1.234.567"));
}

TEST(Format, UnknownIsADash) {
    EXPECT_EQ(Format::number(std::optional<double>(), kEnglish), QStringLiteral("–"));
    EXPECT_EQ(Format::number(std::numeric_limits<double>::quiet_NaN(), kEnglish), QStringLiteral("–"));
    EXPECT_EQ(Format::bytes(std::optional<std::int64_t>(), kEnglish), QStringLiteral("–"));
}

TEST(Format, BytesAreBinary) {
    EXPECT_EQ(Format::bytes(512, kEnglish), QStringLiteral("512 B"));
    EXPECT_EQ(Format::bytes(std::int64_t{1536}, kEnglish), QStringLiteral("1.50 KiB"));
    EXPECT_EQ(Format::bytes(std::int64_t{1} << 40, kEnglish), QStringLiteral("1.00 TiB"));
    EXPECT_EQ(Format::bytes(std::int64_t{1023} << 20, kEnglish), QStringLiteral("0.999 GiB"));
}

TEST(Format, TimesMeasuredAndTimesWaited) {
    EXPECT_EQ(Format::seconds(0.0123, kEnglish), QStringLiteral("12.3 ms"));
    EXPECT_EQ(Format::seconds(1.5e-6, kEnglish), QStringLiteral("1.50 µs"));
    EXPECT_EQ(Format::seconds(2.5, kEnglish), QStringLiteral("2.50 s"));
    EXPECT_EQ(Format::duration(89.6, kEnglish), QStringLiteral("90 s"));
    EXPECT_EQ(Format::duration(125, kEnglish), QStringLiteral("2 min 05 s"));
    EXPECT_EQ(Format::duration(3780, kEnglish), QStringLiteral("1 h 03 min"));
    EXPECT_EQ(Format::duration(-1, kEnglish), QStringLiteral("–"));
}

TEST(Format, ABandHasOneUnitAndItIsThatOfItsMedian) {
    EXPECT_EQ(Format::wait(63 * 60, kEnglish), QStringLiteral("63 min"));
    EXPECT_EQ(Format::waitRangeBeside(63 * 60, 0.54 * 3600, 2 * 3600, kEnglish), QStringLiteral("32–120 min"));
    EXPECT_EQ(Format::waitRangeBeside(80, 40, 160, kEnglish), QStringLiteral("40–160 s"));
}

TEST(Format, NothingThatCostsIsShownAsNothing) {
    EXPECT_EQ(Format::money(0, kEnglish), QStringLiteral("$0"));
    EXPECT_EQ(Format::money(0.004, kEnglish), QStringLiteral("$0.0040"));
    EXPECT_EQ(Format::money(0.00042, kEnglish), QStringLiteral("$0.00042"));
    EXPECT_EQ(Format::money(0.00000042, kEnglish), QStringLiteral("<$0.0001"));
    EXPECT_EQ(Format::moneyRange(0.004, 0.02, kEnglish), QStringLiteral("$0.0040–0.0200"));
    EXPECT_EQ(Format::moneyRange(0.0953, 0.35, kEnglish), QStringLiteral("$0.10–0.35"));
    EXPECT_EQ(Format::moneyRange(0.0042, 0.35, kEnglish), QStringLiteral("$0.0042–0.35"));
    EXPECT_EQ(Format::moneyRange(120.4, 1200, kEnglish), QStringLiteral("$120–1,200"));
    for (double usd = 1e-9; usd < 10; usd *= 1.7) {
        const auto text = Format::money(usd, kEnglish);
        EXPECT_NE(text, QStringLiteral("$0.00")) << usd;
        EXPECT_TRUE(text.contains(QRegularExpression(QStringLiteral("[1-9]")))) << text.toStdString();
    }
}

TEST(Format, CountsAndShares) {
    EXPECT_EQ(Format::count(25557032, kEnglish), QStringLiteral("25.6 M"));
    EXPECT_EQ(Format::count(61706, kEnglish), QStringLiteral("61.7 k"));
    EXPECT_EQ(Format::count(950, kEnglish), QStringLiteral("950"));
    EXPECT_EQ(Format::percent(0.234, kEnglish), QStringLiteral("23 %"));
    EXPECT_EQ(Format::percent(0.0512, kEnglish), QStringLiteral("5.1 %"));
    EXPECT_EQ(Format::range(11.2, 11.6, kEnglish), QStringLiteral("11.2–11.6"));
}

TEST(Format, ADateIsWrittenInTheLanguage) {
    const QLocale chinese(QLocale::Chinese, QLocale::SimplifiedChineseScript, QLocale::China);
    EXPECT_EQ(Format::isoDate("2026-07-09", kEnglish), QStringLiteral("July 9, 2026"));
    EXPECT_EQ(Format::isoDate("2026-11", kEnglish), QStringLiteral("November 2026"));
    EXPECT_EQ(Format::isoDate("2026-11", chinese), QStringLiteral("2026年11月"));
    EXPECT_EQ(Format::isoDate("2026", chinese), QStringLiteral("2026年"));
    for (const auto* other : {"2026", "", "soon", "2026-13", "2026-02-30", "abcdefg"})
        EXPECT_EQ(Format::isoDate(other, kEnglish), QString::fromLatin1(other));
}

TEST(Format, LinesDoNotBreakInsideARate) {
    const auto held = [](const QString& text) { return Format::unbroken(text); };
    EXPECT_EQ(held(QStringLiteral("trains X at 17,970 samples/s (16–19).")),
              QStringLiteral("trains X at 17,970\u00a0samples\u2060/\u2060s (16–19)."));
    EXPECT_EQ(held(QStringLiteral("约 12 词元/秒。")), QStringLiteral("约 12\u00a0词元\u2060/\u2060秒。"));
    for (const auto* other : {"meta-llama/Llama-3.1-8B", "rent 8 cards/servers", "fp16 and/or bf16"})
        EXPECT_EQ(held(QString::fromLatin1(other)), QString::fromLatin1(other));
}

TEST(Format, UnitsFitTheLargestValue) {
    EXPECT_EQ(Format::secondsUnit(0.25).unit, QStringLiteral("ms"));
    EXPECT_EQ(Format::secondsUnit(3).unit, QStringLiteral("s"));
    EXPECT_EQ(Format::flopRateUnit(2.5e11).unit, QStringLiteral("GFLOP/s"));
    EXPECT_DOUBLE_EQ(Format::flopRateUnit(2.5e11).divisor, 1e9);
}

}  // namespace
}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Sentences, tables and charts for the advisor's answers, without a window and with fictitious figures.
#include "ui/presenters/advice/advice_presenter.h"

#include <gtest/gtest.h>

#include "ui/presenters/history/trend_presenter.h"
#include "ui/presenters/report_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

using advisor::Reason;
using advisor::ReasonKind;

advisor::Candidate candidate(const std::string& name, double hours, double usd) {
    advisor::Candidate c;
    c.id = name;
    c.title = name;
    c.hours = {hours * 0.8, hours, hours * 1.2};
    c.costUsd = {usd * 0.8, usd, usd * 1.2};
    c.usdPerHour = usd / hours;
    c.priceDate = "2026-08-03";
    c.priceSource = Message("a price list");
    c.priceAgeDays = 110;
    c.prediction.seconds = {0.8, 1, 1.2};
    c.prediction.bandClass = advisor::BandClass::KnownStack;
    return c;
}

AdviceAnswer answer() {
    AdviceAnswer result;
    result.question.workload = "resnet50";
    result.question.batch = 16;
    result.workloadTitle = "ResNet-50";
    result.collected = "2026-11-20";
    auto& advice = result.advice;
    advice.candidates = {candidate("cheap", 10, 1), candidate("quick", 1, 8), candidate("worse", 20, 9),
                         candidate("late", 90, 2)};
    advice.candidates[0].onPareto = advice.candidates[1].onPareto = true;
    advice.candidates[3].rejectedBecause = {{ReasonKind::OverDeadline, "", 90, 24}};
    advice.candidates[2].reasons = {{ReasonKind::Dominated, "cheap", 2, 0.11}};
    advice.choices = {0, 1, 0};
    advice.chosen = 0;
    advice.sensitivity.priceFactor = 1.18;
    advice.sensitivity.priceThen = "quick";
    return result;
}

TEST(AdvicePresenter, TheAnswerIsASentenceWithItsBand) {
    const auto a = answer();
    const AdvicePresenter presenter(a);
    EXPECT_EQ(
        presenter.verdict(),
        QStringLiteral("Rent cheap: training ResNet-50, batch 16, fp32 takes about 10 h (8.0–12 h) and costs $1.00 "
                       "($0.80–1.20)."));
    EXPECT_EQ(presenter.sensitivity(),
              QStringLiteral("It stays the best choice unless its price rises more than 18 % (then take quick)."));
}

TEST(AdvicePresenter, AnOldPriceIsACautionOnce) {
    auto a = answer();
    a.request.oldPriceDays = 90;
    const AdvicePresenter old(a);
    EXPECT_TRUE(old.priceCaution().contains(QStringLiteral("110 days ago"))) << old.priceCaution().toStdString();
    EXPECT_FALSE(old.footing().contains(QStringLiteral("Price from")));
    a.request.oldPriceDays = 120;
    const AdvicePresenter recent(a);
    EXPECT_TRUE(recent.priceCaution().isEmpty());
    EXPECT_TRUE(recent.footing().contains(QStringLiteral("Price from")));
}

TEST(AdvicePresenter, AnOwnComputerIsUsedAndTheFastestToRentIsTold) {
    auto a = answer();
    a.advice.candidates[0].own = true;
    a.advice.candidates[0].title = "this computer's processor";
    const AdvicePresenter presenter(a);
    EXPECT_EQ(presenter.verdict(),
              QStringLiteral(
                  "Use this computer's processor: training ResNet-50, batch 16, fp32 takes about 10 h (8.0–12 h) "
                  "and $1.00 ($0.80–1.20) of electricity. The fastest to rent, quick, would take 60 min for $8.00."));
}

TEST(AdvicePresenter, AnOwnDeviceThatIsLeftOutIsToldOfWithWhatItWouldTake) {
    auto a = answer();
    a.question.precision = plan::Precision::Fp16;
    a.question.software = "ngc22";
    auto& own = a.advice.candidates[3];
    own.own = true;
    own.title = "this computer's processor";
    own.prediction.refusal = advisor::Refusal::PrecisionUnsupported;
    own.rejectedBecause = {{ReasonKind::Refused, "precision_unsupported", 0, 0}};
    own.reasons = {{ReasonKind::InsteadInPrecisionThisProgram, "fp32", 240, 8}};
    advisor::Instead instead{std::string(advisor::kThisEngine), plan::Precision::Fp32, 8, {}, {200, 240, 280}};
    instead.prediction.basis = advisor::Basis::Measured;
    own.instead = instead;
    const AdvicePresenter presenter(a);
    EXPECT_TRUE(presenter.verdict().endsWith(QStringLiteral(
        "This computer's processor is left out (does not support this precision); with Steelyard itself, "
        "in fp32, batch 8, it would take 10 d (measured).")))
        << presenter.verdict().toStdString();
    const auto table = presenter.table(true);
    ASSERT_EQ(table.rows.size(), 4U) << "it is there even where only what is possible is shown";
    EXPECT_EQ(table.rows[0].key, QStringLiteral("late")) << "and above";
    EXPECT_TRUE(table.rows[0].cells[4].text.contains(QStringLiteral("in fp32, batch 8, it would take 10 d")))
        << table.rows[0].cells[4].text.toStdString();
}

TEST(AdvicePresenter, AnOwnDeviceThatIsEnoughComesFirst) {
    auto a = answer();
    a.question.precision = plan::Precision::Fp16;
    a.question.software = "ngc22";
    auto& own = a.advice.candidates[3];
    own.own = true;
    own.title = "this computer's processor";
    own.prediction.refusal = advisor::Refusal::PrecisionUnsupported;
    own.rejectedBecause = {{ReasonKind::Refused, "precision_unsupported", 0, 0}};
    own.instead = advisor::Instead{"ngc22", plan::Precision::Fp32, 8, {}, {8, 10, 12}};
    const auto verdict = AdvicePresenter(a).verdict();
    EXPECT_TRUE(verdict.startsWith(QStringLiteral(
        "No need to rent for training ResNet-50: this computer's processor takes about 10 h (8.0–12 h), in fp32, "
        "batch 8. The best to rent is")))
        << verdict.toStdString();
    EXPECT_FALSE(verdict.contains(QStringLiteral("left out"))) << verdict.toStdString();
    own.instead->software = advisor::kThisEngine;
    EXPECT_TRUE(AdvicePresenter(a).verdict().contains(QStringLiteral("batch 8, with Steelyard itself. The best")));
    own.instead->hours.median = 10.1;
    EXPECT_TRUE(AdvicePresenter(a).verdict().startsWith(QStringLiteral("Rent "))) << "renting is faster";
}

TEST(AdviceText, ARepositoryIsNamedShortlyAndLinked) {
    const auto source = QStringLiteral("github:owner/price-lists@a5be538 lists/v8/vms.csv (fetched today)");
    EXPECT_EQ(AdviceText::sourceName(source), QStringLiteral("price-lists"));
    EXPECT_EQ(AdviceText::sourceLink(source).toString(),
              QStringLiteral("https://github.com/owner/price-lists/blob/a5be538/lists/v8/vms.csv"));
    EXPECT_EQ(AdviceText::sourceName(QStringLiteral("my contract")), QStringLiteral("my contract"));
    EXPECT_TRUE(AdviceText::sourceLink(QStringLiteral("my contract")).isEmpty());
}

TEST(AdvicePresenter, WithoutAChoiceTheReasonsAreCounted) {
    auto a = answer();
    a.advice.choices = {};
    a.advice.chosen.reset();
    for (auto& c : a.advice.candidates) c.rejectedBecause = {{ReasonKind::OverBudget, "", 9, 1}};
    a.advice.candidates[0].rejectedBecause = {{ReasonKind::DoesNotFit, "", 2e10, 1e10}};
    const auto text = AdvicePresenter(a).verdict();
    EXPECT_TRUE(text.contains(QStringLiteral("memory"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("3"))) << text.toStdString();
    EXPECT_TRUE(AdvicePresenter(a).choices().empty());
}

TEST(AdvicePresenter, EveryCandidateIsInTheTableWithWhyItLost) {
    const auto a = answer();
    const AdvicePresenter presenter(a);
    const auto all = presenter.table(false);
    ASSERT_EQ(all.rows.size(), 4U);
    EXPECT_EQ(all.rows[2].cells[4].text, QStringLiteral("cheap is 2.00× as fast for 11 % of the cost"));
    EXPECT_TRUE(all.rows[3].muted);
    EXPECT_TRUE(all.rows[3].cells[4].text.contains(QStringLiteral("past the deadline")));
    EXPECT_EQ(presenter.table(true).rows.size(), 3U);
}

TEST(AdvicePresenter, PricesCarryDateSourceAndAnAgeBadge) {
    const auto a = answer();
    const auto prices = AdvicePresenter(a).prices();
    ASSERT_EQ(prices.rows.size(), 4U);
    EXPECT_EQ(prices.columns[1].title, QStringLiteral("$/h")) << "the price stands beside the machine";
    EXPECT_EQ(prices.rows[0].cells[3].tone, Tone::Caution) << "110 days are old";
    EXPECT_EQ(prices.rows[0].cells[4].text, QStringLiteral("2026-08-03"));
    EXPECT_EQ(prices.rows[0].cells[6].text, QStringLiteral("a price list"));
    EXPECT_EQ(AdvicePresenter(a).pricesInFront().rows.size(), 2U);
}

TEST(AdvicePresenter, TheScatterHasTheFrontAndHollowPoints) {
    const auto a = answer();
    const auto chart = AdvicePresenter(a).timeAgainstCost();
    EXPECT_EQ(chart.x.scale, ChartScale::Logarithmic);
    ASSERT_GE(chart.series.size(), 3U);
    EXPECT_TRUE(chart.series[0].guide);
    EXPECT_EQ(chart.series[0].points.size(), 2U);
    EXPECT_EQ(*chart.series[0].points[0].y, 8) << "by rising time";
    std::size_t points = 0;
    for (const auto& series : chart.series) {
        if (series.guide) continue;
        for (const auto& point : series.points) {
            EXPECT_EQ(point.basis, Basis::Predicted);
            ++points;
        }
    }
    EXPECT_EQ(points, 4U);
}

TEST(AdvicePresenter, EachPointOfTheScatterIsNamedOnceAndLimitsAreDrawn) {
    auto a = answer();
    const auto free = AdvicePresenter(a).timeAgainstCost();
    EXPECT_TRUE(free.references.empty());
    QStringList labels;
    for (const auto& series : free.series)
        for (const auto& point : series.points)
            if (!point.label.isEmpty()) labels << point.label;
    EXPECT_FALSE(labels.isEmpty());
    EXPECT_EQ(labels.removeDuplicates(), 0) << labels.join(QLatin1Char(' ')).toStdString();
    EXPECT_EQ(free.series.back().name, QStringLiteral("too slow")) << "what is left out says why";
    a.request.budgetUsd = 25;
    a.request.deadlineHours = 24;
    const auto limited = AdvicePresenter(a).timeAgainstCost();
    ASSERT_EQ(limited.references.size(), 2U);
    EXPECT_EQ(limited.references[0], (ReferenceLine{QStringLiteral("budget $25.00"), 25, false, true}));
    EXPECT_EQ(limited.references[1], (ReferenceLine{QStringLiteral("deadline 24 h"), 24, true, true}));
}

TEST(AdvicePresenter, RelativeFiguresAreOneAtTheCheapest) {
    const auto a = answer();
    const auto charts = AdvicePresenter(a).relative();
    ASSERT_EQ(charts.size(), 2U);
    for (const auto& chart : charts) {
        ASSERT_EQ(chart.series.size(), 1U);
        EXPECT_EQ(chart.categories, charts[0].categories) << "the rows are aligned";
        EXPECT_EQ(chart.y, charts[0].y) << "and the axes";
        ASSERT_EQ(chart.references.size(), 1U);
        EXPECT_EQ(chart.references[0].value, 1);
    }
    EXPECT_DOUBLE_EQ(*charts[0].series[0].points[0].y, 0.1) << "quick: a tenth of the time";
    EXPECT_DOUBLE_EQ(*charts[1].series[0].points[0].y, 8) << "for eight times the money";
    EXPECT_EQ(charts[1].series[0].points[0].value, QStringLiteral("8.00×"));
    EXPECT_DOUBLE_EQ(*charts[0].series[0].points[1].y, 1);
}

TEST(AdvicePresenter, BuyingTheDesktopOfTheGuidePaysAfterTenMonths) {
    auto a = answer();
    a.advice.candidates[0].usdPerHour = 2.14;
    advisor::CardToBuy card;
    card.hardware = card.name = "V100";
    card.priceUsd = 2200;
    card.prediction.seconds = {1, 1, 1};
    card.watts = 450;
    a.cards = {card};
    advisor::PurchaseRequest plan;
    plan.hostUsd = 0;
    plan.hostWatts = 0;
    const AdvicePresenter presenter(a);
    // $2200 / (0.15 x 24 h x $2.14 - 0.15 x 24 h x 0.45 kW x $0.12), in days.
    EXPECT_TRUE(presenter.buyOrRentSentence(plan).contains(QStringLiteral("after 10 month")))
        << presenter.buyOrRentSentence(plan).toStdString();
    const auto chart = presenter.buyOrRent(plan);
    ASSERT_EQ(chart.series.size(), 2U);
    ASSERT_EQ(chart.references.size(), 3U) << "and the best and the worst case";
    for (const auto& reference : chart.references) EXPECT_TRUE(reference.vertical);
    EXPECT_NEAR(chart.references[0].value, 10, 1) << "months";
    EXPECT_LT(chart.references[1].value, chart.references[0].value);
    EXPECT_GT(chart.references[2].value, chart.references[0].value);
    EXPECT_DOUBLE_EQ(*chart.series[0].points.front().y, 2200);
    // The alternative depends on two predictions, the card's price on none.
    EXPECT_FALSE(chart.series[0].points.back().interval);
    const auto& rent = chart.series[1].points.back();
    ASSERT_TRUE(rent.interval);
    EXPECT_NEAR(rent.interval->low, 0.8 * *rent.y, 1e-9 * *rent.y);
    EXPECT_NEAR(rent.interval->high, 1.2 * *rent.y, 1e-9 * *rent.y);
    // A card chosen for another job, which this one does not fit, is replaced by the best one.
    plan.card = "too-small";
    EXPECT_TRUE(presenter.buyOrRentSentence(plan).contains(QStringLiteral("V100")));
}

TEST(AdviceText, EveryReasonIsASentence) {
    for (int kind = 0; kind <= static_cast<int>(ReasonKind::InsteadInPrecisionThisProgram); ++kind) {
        const auto text = AdviceText::reason({static_cast<ReasonKind>(kind), "x", 3, 2});
        EXPECT_GT(text.size(), 5) << kind;
        EXPECT_FALSE(text.contains(QLatin1Char('%') + QString::number(1))) << text.toStdString();
    }
}

TEST(Format, WaitingIsToldNoFinerThanItIsKnown) {
    EXPECT_EQ(Format::wait(48 * 60 + 27), QStringLiteral("48 min"));
    EXPECT_EQ(Format::wait(4.8 * 86400), QStringLiteral("4.8 d"));
    EXPECT_EQ(Format::wait(12), QStringLiteral("12 s"));
    EXPECT_EQ(Format::wait(9000), QStringLiteral("2.5 h"));
    EXPECT_EQ(Format::waitRange(1514, 5400), QStringLiteral("25–90 min"));
    EXPECT_EQ(Format::money(0), QStringLiteral("$0"));
    EXPECT_EQ(Format::money(0.0123), QStringLiteral("$0.0123"));
    EXPECT_EQ(Format::money(38.1), QStringLiteral("$38.10"));
    EXPECT_EQ(Format::money(12345.6), QStringLiteral("$12,346"));
}

TEST(AdviceQuestion, SurvivesTheSettingsFileAndNonsenseInIt) {
    AdviceQuestion q;
    q.workload = "resnet50";
    q.budgetUsd = 12.5;
    q.providers = {"AWS", "GCP"};
    q.priority = advisor::Priority::Fastest;
    q.timeWeight = 2.5;
    q.bySteps = true;
    EXPECT_EQ(adviceQuestionFrom(toMap(q)), q);
    const auto mended = adviceQuestionFrom({{QStringLiteral("batch"), -5},
                                            {QStringLiteral("epochs"), QStringLiteral("x")},
                                            {QStringLiteral("time_weight"), 1e9},
                                            {QStringLiteral("priority"), QStringLiteral("?")}});
    EXPECT_EQ(mended.batch, 1);
    EXPECT_EQ(mended.epochs, AdviceQuestion().epochs);
    EXPECT_EQ(mended.timeWeight, 10);
    EXPECT_EQ(mended.priority, AdviceQuestion().priority);
}

TEST(TrendPresenter, TheAxisHasAUnitInWhichTheRunsAreApart) {
    const auto caption = [](std::int64_t spanMs) {
        std::vector<history::TrendPoint> points(5);
        for (auto& point : points) point.medianSeconds = 1;
        for (std::size_t i = 1; i < points.size(); ++i) points[i].startedUnixMs = spanMs;
        points[1].disturbed = true;
        const auto chart = TrendPresenter::chart(QStringLiteral("case"), points);
        EXPECT_EQ(chart.series[0].points[1].role, PointRole::Doubtful);
        return std::pair(chart.x.title.section(QLatin1Char(' '), 0, 0), *chart.series[0].points[1].x);
    };
    EXPECT_EQ(caption(7 * 60'000), std::pair(QStringLiteral("Minutes"), 7.0));
    EXPECT_EQ(caption(5 * 3'600'000), std::pair(QStringLiteral("Hours"), 5.0));
    EXPECT_EQ(caption(3 * 86'400'000), std::pair(QStringLiteral("Days"), 3.0));
}

TEST(TrendPresenter, AFewRunsStandOneAfterAnotherWithTheirDates) {
    std::vector<history::TrendPoint> points(3);
    const std::int64_t starts[] = {1'795'000'000'000, 1'795'000'420'000, 1'797'000'000'000};
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].medianSeconds = 1;
        points[i].startedUnixMs = starts[i];
    }
    const auto chart = TrendPresenter::chart(QStringLiteral("case"), points);
    EXPECT_EQ(chart.x.ticks, (std::vector<double>{1, 2, 3}));
    ASSERT_EQ(chart.x.tickTexts.size(), 3);
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(chart.series[0].points[i].x, static_cast<double>(i + 1));
        EXPECT_EQ(chart.x.tickTexts[static_cast<qsizetype>(i)], Format::dateTime(starts[i]));
    }
}

TEST(TrendPresenter, AChangeIsALineAndASentence) {
    std::vector<history::TrendPoint> points;
    for (int i = 0; i < 6; ++i) {
        const double median = i < 4 ? 0.1 : 0.08;
        points.push_back(
            {"run" + std::to_string(i), 1'795'000'000'000 + i * 86'400'000LL, median, median * 0.99, median * 1.01});
    }
    const auto chart = TrendPresenter::chart(QStringLiteral("case"), points);
    ASSERT_EQ(chart.references.size(), 1U);
    EXPECT_TRUE(chart.references[0].vertical);
    EXPECT_DOUBLE_EQ(chart.references[0].value, 4);
    EXPECT_EQ(chart.references[0].label, QStringLiteral("20 % less time"));
    EXPECT_DOUBLE_EQ(*chart.series[0].points[0].y, 100) << "milliseconds";
    EXPECT_TRUE(TrendPresenter::sentence(points).contains(QStringLiteral("faster by 20 %")));
    EXPECT_FALSE(TrendPresenter::chart(QStringLiteral("case"), {points[0]}).hasValues());
}

}  // namespace
}  // namespace steelyard::ui

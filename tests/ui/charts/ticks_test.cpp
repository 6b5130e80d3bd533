// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFontMetricsF>
#include <QGuiApplication>
#include <limits>

#include "ui/charts/label_wrap.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;
using testing::Pointwise;

TEST(Ticks, LinearAxisFromZeroEndsOnRoundNumbers) {
    const auto scale = axisScale({3.0, 87.0}, {ChartScale::Linear, true, 5, {}, 0});
    EXPECT_DOUBLE_EQ(scale.low, 0);
    EXPECT_DOUBLE_EQ(scale.high, 100);
    EXPECT_THAT(scale.ticks, ElementsAre(0, 25, 50, 75, 100));
}

TEST(Ticks, LogarithmicAxisInsideOneDecadeStillHasTicks) {
    const auto scale = axisScale({21.0, 34.0}, {ChartScale::Logarithmic, false, 5, {}, 0});
    EXPECT_GE(scale.ticks.size(), 2U);
    EXPECT_THAT(scale.ticks, Each(AllOf(Ge(scale.low * 0.999), Le(scale.high * 1.001))));
}

TEST(Ticks, LogarithmicAxisOfOneValueIsAroundIt) {
    const auto scale = axisScale({7.0}, {ChartScale::Logarithmic, false, 5, {}, 0.06});
    EXPECT_LT(scale.low, 7.0);
    EXPECT_GT(scale.high, 7.0);
    EXPECT_GE(scale.ticks.size(), 2U);
}

TEST(Ticks, LogarithmicAxisIgnoresWhatItCannotShow) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto scale = axisScale({0.0, -3.0, nan, 10.0, 1000.0}, {ChartScale::Logarithmic, false, 5, {}, 0});
    EXPECT_DOUBLE_EQ(scale.low, 10);
    EXPECT_DOUBLE_EQ(scale.high, 1000);
    EXPECT_DOUBLE_EQ(scale.toAxis(100), 2);
    EXPECT_DOUBLE_EQ(scale.toAxis(-5), 1) << "a value that cannot be shown sits at the low end";
}

TEST(Ticks, ManyDecadesShowDecadesOnly) {
    const auto scale = axisScale({1e-5, 1.0}, {ChartScale::Logarithmic, false, 5, {}, 0});
    EXPECT_THAT(scale.ticks, Pointwise(testing::DoubleEq(), std::vector<double>{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}));
}

TEST(Ticks, FixedTicksAreKept) {
    const auto scale = axisScale({1, 64}, {ChartScale::Logarithmic, false, 5, {1, 2, 4, 8, 16, 32, 64}, 0});
    EXPECT_THAT(scale.ticks, ElementsAre(1, 2, 4, 8, 16, 32, 64));
}

TEST(Ticks, NoValuesGiveAnAxisAllTheSame) {
    EXPECT_DOUBLE_EQ(axisScale({}, {ChartScale::Linear, true, 5, {}, 0}).high, 1);
    EXPECT_DOUBLE_EQ(axisScale({}, {ChartScale::Logarithmic, false, 5, {}, 0}).low, 1);
}

TEST(LabelWrap, BreaksAtSpacesAndHyphensAndKeepsEveryWord) {
    const QFontMetricsF metrics(fontOfSize(12));
    const auto label = wrapLabel(QStringLiteral("ResNet-50 training"), metrics,
                                 metrics.horizontalAdvance(QStringLiteral("training ")));
    EXPECT_EQ(label.lines, (QStringList{QStringLiteral("ResNet-"), QStringLiteral("50"), QStringLiteral("training")}));
    EXPECT_FALSE(label.elided);
}

TEST(LabelWrap, AWordTooWideIsBrokenAndTheRestElided) {
    const QFontMetricsF metrics(fontOfSize(12));
    const auto label = wrapLabel(QString(80, QLatin1Char('w')), metrics, 60, 3);
    EXPECT_EQ(label.lines.size(), 3);
    EXPECT_TRUE(label.elided);
    for (const auto& line : label.lines) EXPECT_LE(metrics.horizontalAdvance(line), 60.5) << line.toStdString();
}

TEST(LabelWrap, ChineseBreaksBetweenIdeographs) {
    const QFontMetricsF metrics(fontOfSize(12));
    const auto text = QStringLiteral("卷积神经网络");
    const auto label = wrapLabel(text, metrics, metrics.horizontalAdvance(text) * 0.55);
    EXPECT_EQ(label.lines.size(), 2);
    EXPECT_EQ(label.lines.join(QString()), text);
}

}  // namespace
}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/campaign_presenter.h"

#include <gtest/gtest.h>

#include "tests/ui/support/sample_campaign.h"

namespace steelyard::ui {
namespace {

class CampaignPresenterTest : public testing::Test {
protected:
    [[nodiscard]] CampaignPresenter presenterOf(const campaign::Campaign& campaign) const {
        return {campaign, m_catalogue, campaign.createdUnixMs + 3'600'000};
    }
    static QString textAt(const TableContent& table, std::size_t row, const char* column) {
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].title == QLatin1String(column)) return table.rows[row].cells[i].text;
        return QStringLiteral("no such column");
    }
    WorkloadCatalogue m_catalogue;
};

TEST_F(CampaignPresenterTest, SaysWhatAPlanTakesAndMayCost) {
    const auto campaign = sample::campaign();
    const auto plan = presenterOf(campaign).plan();
    ASSERT_EQ(plan.rows.size(), 3U);
    EXPECT_EQ(textAt(plan, 0, "Engine"), QStringLiteral("SkyPilot"));
    EXPECT_EQ(textAt(plan, 0, "Takes about"), QStringLiteral("5 min 00 s"));
    const auto worst = campaign::worstUsd(campaign, campaign.candidates[0]);
    ASSERT_TRUE(worst);
    EXPECT_GT(*worst, 3.06 / 2) << "half an hour at least";
    EXPECT_TRUE(textAt(plan, 0, "At most").startsWith(QLatin1Char('$')));
    EXPECT_EQ(textAt(plan, 2, "At most"), QStringLiteral("–")) << "this computer is not rented";
}

TEST_F(CampaignPresenterTest, PutsMeasurementsBesidePredictionsAndSaysWhatChanges) {
    const auto campaign = sample::measuredCampaign();
    const auto presenter = presenterOf(campaign);
    const auto table = presenter.table();
    EXPECT_EQ(textAt(table, 1, "Predicted step"), QStringLiteral("12.0 ms"));
    EXPECT_EQ(textAt(table, 1, "Measured step"), QStringLiteral("6.00 ms"));
    EXPECT_EQ(textAt(table, 1, "Ratio"), QStringLiteral("0.500"));
    EXPECT_EQ(textAt(table, 0, "State"), QStringLiteral("failed"));
    EXPECT_TRUE(textAt(table, 0, "Reason").contains(QStringLiteral("no capacity"), Qt::CaseInsensitive));
    EXPECT_EQ(textAt(table, 2, "Measured step"), QStringLiteral("–"));
    const auto changes = presenter.changes().join(QLatin1Char('\n'));
    EXPECT_TRUE(changes.contains(QStringLiteral("GCP g2-standard-8"))) << changes.toStdString();
    const auto chart = presenter.chart();
    ASSERT_EQ(chart.series.size(), 2U);
    EXPECT_EQ(chart.series[0].points[1].basis, Basis::Predicted);
    EXPECT_EQ(chart.series[1].points[1].basis, Basis::Measured);
    EXPECT_DOUBLE_EQ(*chart.series[1].points[1].y, 6.0);
    EXPECT_FALSE(chart.series[1].points[0].y);
    EXPECT_FALSE(chart.series[1].points[0].reason.isEmpty());
}

TEST_F(CampaignPresenterTest, SaysNothingAboutTheAdviceBeforeAnythingWasMeasured) {
    const auto campaign = sample::campaign();
    EXPECT_TRUE(presenterOf(campaign).changes().isEmpty());
    EXPECT_EQ(presenterOf(campaign).state(), QStringLiteral("Not started yet"));
}

}  // namespace
}  // namespace steelyard::ui

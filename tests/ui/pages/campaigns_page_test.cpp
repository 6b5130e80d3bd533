// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/campaigns/campaigns_page.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/support/sample_campaign.h"
#include "tests/ui/support/test_window.h"
#include "ui/dialogs/campaign_dialog.h"
#include "ui/pages/advice/advice_page.h"

namespace steelyard::ui {
namespace {

// Campaigns in memory: records the requests to the engines, and returns measurements with the second poll.
struct FakeEngines {
    std::vector<campaign::Campaign> campaigns;
    int launched = 0, asked = 0;
    bool isInstalled = true;

    CampaignServices services() {
        CampaignServices services;
        services.list = [this](const std::string&) -> Result<std::vector<campaign::Campaign>> { return campaigns; };
        services.create = [this](const std::string&, campaign::Campaign planned) -> Result<campaign::Campaign> {
            planned.id = "00000000000a";
            campaigns.insert(campaigns.begin(), planned);
            return planned;
        };
        services.launch = [this](const std::string&, const std::string&,
                                 const CampaignServices::Cancelled&) -> Result<CampaignStep> {
            ++launched;
            for (auto& candidate : campaigns.front().candidates) candidate.state = campaign::CandidateState::Running;
            return CampaignStep{campaigns.front(), {}};
        };
        services.refresh = [this](const std::string&, const std::string&,
                                  const CampaignServices::Cancelled&) -> Result<CampaignStep> {
            if (++asked > 1)
                for (auto& candidate : campaigns.front().candidates) {
                    const double step = candidate.forecast->stepSeconds.median / 2;
                    candidate.state = campaign::CandidateState::Collected;
                    candidate.measuredStepSeconds = campaign::Band{step, step, step};
                    candidate.runIds = {"bbbbbbbbbbbb"};
                }
            return CampaignStep{campaigns.front(), {}};
        };
        services.remove = [this](const std::string&, const std::string&) -> Result<void> {
            campaigns.clear();
            return {};
        };
        services.isInstalled = [this](campaign::Engine) { return isInstalled; };
        return services;
    }
};

class CampaignsPageTest : public testing::Test {
protected:
    void openAdvice() {
        m_test.waitUntilReady();
        m_test.window->showPage(QStringLiteral("advice"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }, 15000));
        // In a precision supported by this computer.
        AdviceQuestion job;
        job.workload = "mnist_cnn";
        job.batch = 128;
        job.epochs = 12;
        job.samples = 60'000;
        m_test.window->findChild<AdvicePage*>()->askAbout(job);
        QTest::qWait(400);
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }, 15000));
    }
    CampaignDialog* openDialog() {
        openAdvice();
        m_test.find<QPushButton>("measureCandidates")->click();
        EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("campaigns"));
        return m_test.find<CampaignDialog>("campaignDialog");
    }
    void waitForPlan() {
        auto* table = m_test.find<QTableView>("campaignPlan");
        ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() > 0; }, 15000));
    }
    // Leaves only this computer selected.
    void tickThisComputer() {
        auto* list = m_test.find<QListWidget>("campaignCandidates");
        for (int row = 0; row < list->count(); ++row) {
            auto* item = list->item(row);
            const bool isOwn = item->data(Qt::UserRole).toString().startsWith(QStringLiteral("own/"));
            item->setCheckState(isOwn ? Qt::Checked : Qt::Unchecked);
        }
    }
    // Rented machines need it.
    void giveArchive() {
        QFile file(m_archive.filePath(QStringLiteral("steelyard-cli.tar.gz")));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        m_test.find<QLineEdit>("campaignBundle")->setText(file.fileName());
    }
    [[nodiscard]] QString textOf(const char* label) const { return m_test.find<QLabel>(label)->text(); }

    QTemporaryDir m_archive;
    FakeEngines m_engines;
    TestWindow m_test{{.campaigns = m_engines.services()}};
};

TEST_F(CampaignsPageTest, TheEmptyPageLeadsToAPlan) {
    openAdvice();
    m_test.window->showPage(QStringLiteral("campaigns"));
    m_test.find<QPushButton>("campaignFromAdvice")->click();
    EXPECT_NE(m_test.find<CampaignDialog>("campaignDialog"), nullptr);
}

TEST_F(CampaignsPageTest, ThreeClicksLeadFromTheAdviceToMeasurements) {
    ASSERT_NE(openDialog(), nullptr);
    waitForPlan();
    auto* start = m_test.find<QPushButton>("campaignStart");
    EXPECT_FALSE(start->isEnabled());
    EXPECT_TRUE(textOf("campaignNotes").contains(QStringLiteral("archive"))) << textOf("campaignNotes").toStdString();
    giveArchive();
    EXPECT_FALSE(m_test.find<QLabel>("campaignNotes")->isVisible());
    ASSERT_TRUE(start->isEnabled());
    start->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_engines.launched == 1; }, 5000));
    EXPECT_TRUE(m_test.dialogs.preview.contains(QStringLiteral("cost at most")))
        << m_test.dialogs.preview.toStdString();
    EXPECT_EQ(m_engines.campaigns.front().candidates.size(), 3U);
    EXPECT_TRUE(m_test.preferences.programArchive().endsWith(QStringLiteral("steelyard-cli.tar.gz")))
        << "for next time";
    m_test.campaigns.refresh(QStringLiteral("00000000000a"));
    m_test.campaigns.refresh(QStringLiteral("00000000000a"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_engines.asked >= 2 && !m_test.campaigns.isBusy(); }, 5000));
    EXPECT_FALSE(textOf("campaignChanges").isEmpty());
    EXPECT_EQ(m_test.find<QTableView>("campaignTable")->model()->rowCount(), 3);
}

TEST_F(CampaignsPageTest, StartsNothingThatIsNotConfirmed) {
    ASSERT_NE(openDialog(), nullptr);
    waitForPlan();
    giveArchive();
    m_test.dialogs.answer = false;
    m_test.find<QPushButton>("campaignStart")->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_test.dialogs.preview.isEmpty(); }, 5000));
    EXPECT_EQ(m_engines.launched, 0);
    EXPECT_FALSE(m_engines.campaigns.empty()) << "its files are written, and it can be started later";
}

TEST_F(CampaignsPageTest, ThisComputerIsMeasuredWithoutAsking) {
    ASSERT_NE(openDialog(), nullptr);
    waitForPlan();
    tickThisComputer();
    auto* table = m_test.find<QTableView>("campaignPlan");
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == 1; }, 15000));
    m_test.find<QPushButton>("campaignStart")->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_engines.launched == 1; }, 5000));
    EXPECT_TRUE(m_test.dialogs.preview.isEmpty());
}

TEST_F(CampaignsPageTest, AHostThatIsWrittenWronglyIsNamed) {
    ASSERT_NE(openDialog(), nullptr);
    waitForPlan();
    auto* hosts = m_test.find<QLineEdit>("campaignHosts");
    QTest::keyClicks(hosts, QStringLiteral("=h100"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return m_test.find<QTableView>("campaignPlan")->model()->rowCount() == 0; }, 5000));
    EXPECT_FALSE(m_test.find<QPushButton>("campaignStart")->isEnabled());
}

TEST_F(CampaignsPageTest, WhatIsNotInstalledCannotBeStartedButWritten) {
    m_engines.isInstalled = false;
    ASSERT_NE(openDialog(), nullptr);
    waitForPlan();
    m_test.find<QListWidget>("campaignCandidates")->item(0)->setCheckState(Qt::Checked);
    auto* table = m_test.find<QTableView>("campaignPlan");
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == 2; }, 15000)) << "beside this computer";
    EXPECT_FALSE(m_test.find<QPushButton>("campaignStart")->isEnabled());
    EXPECT_TRUE(textOf("campaignNotes").contains(QStringLiteral("SkyPilot")));
    giveArchive();
    EXPECT_TRUE(m_test.find<QPushButton>("campaignWrite")->isEnabled());
}

TEST_F(CampaignsPageTest, KubernetesNeedsAnImage) {
    ASSERT_NE(openDialog(), nullptr);
    waitForPlan();
    tickThisComputer();
    auto* engine = m_test.find<QComboBox>("campaignEngine");
    engine->setCurrentIndex(engine->findData(static_cast<int>(campaign::Engine::Kubernetes)));
    QTest::keyClicks(m_test.find<QLineEdit>("campaignHosts"), QStringLiteral("node1"));
    auto* table = m_test.find<QTableView>("campaignPlan");
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == 2; }, 15000));
    EXPECT_FALSE(m_test.find<QPushButton>("campaignWrite")->isEnabled());
    EXPECT_TRUE(textOf("campaignNotes").contains(QStringLiteral("image"))) << textOf("campaignNotes").toStdString();
    m_test.find<QLineEdit>("campaignImage")->setText(QStringLiteral("registry/steelyard"));
    EXPECT_TRUE(m_test.find<QPushButton>("campaignWrite")->isEnabled());
}

TEST_F(CampaignsPageTest, ADeletedCampaignLeavesTheEmptyState) {
    m_engines.campaigns = {sample::measuredCampaign()};
    m_engines.campaigns.front().candidates[2].state = campaign::CandidateState::GivenUp;
    m_test.waitUntilReady();
    m_test.window->showPage(QStringLiteral("campaigns"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.campaigns.campaigns().size() == 1; }, 5000));
    m_test.find<QPushButton>("campaignDelete")->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.campaigns.campaigns().empty(); }, 5000));
    EXPECT_TRUE(m_test.find<QPushButton>("campaignFromAdvice")->isVisible());
}

}  // namespace
}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Campaigns: recommended candidates measured on their machines. The selected campaign at the top; then its progress,
// predicted and measured times, and changes in the recommendation. GUI thread; owned by the main window.
#pragma once

#include <QPointer>
#include <string>

#include "engine/campaign/campaign.h"
#include "engine/core/error.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace steelyard::ui {

class Badge;
class CampaignDialog;
class ChartView;
class RowsModel;

class CampaignsPage : public Page {
    Q_OBJECT

public:
    explicit CampaignsPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    bool exportContent() override;
    void entered() override;
    // Asks which candidates of the current recommendation to measure.
    void plan();

private:
    void makeActions();
    QWidget* makeEmpty();
    void makeCampaign();
    void showCampaigns();
    void showCampaign();
    void startCreated(const QString& id);
    void startShown();
    void removeShown();
    void openFolder();
    [[nodiscard]] const campaign::Campaign* shown() const;
    [[nodiscard]] bool isConfirmed(const campaign::Campaign& campaign);

    WindowContext& m_context;
    QPointer<CampaignDialog> m_dialog;
    bool m_startsCreated = false;
    std::string m_shownId;
    QComboBox* m_campaigns = nullptr;
    QPushButton* m_plan = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_refresh = nullptr;
    QPushButton* m_folder = nullptr;
    QPushButton* m_delete = nullptr;
    QStackedWidget* m_stack = nullptr;
    Badge* m_state = nullptr;
    QLabel* m_job = nullptr;
    QLabel* m_changes = nullptr;
    QLabel* m_cost = nullptr;
    ChartView* m_chart = nullptr;
    RowsModel* m_rows = nullptr;
    QTableView* m_table = nullptr;
};

}  // namespace steelyard::ui

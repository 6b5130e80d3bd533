// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/campaigns/campaigns_page.h"

#include <QComboBox>
#include <QDateTime>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/campaign/launch.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/campaign_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/dialogs/campaign_dialog.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/pages/report/export_flow.h"
#include "ui/presenters/campaign_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kChartHeight = 230;
constexpr int kTableHeight = 150;

bool canStart(const campaign::Campaign& campaign) {
    return std::ranges::any_of(campaign.candidates, campaign::canLaunch);
}

// Jobs on this computer are free; everything else needs confirmation, since clusters may charge too.
bool isFree(const campaign::Campaign& campaign) {
    return std::ranges::all_of(campaign.candidates, [](const auto& candidate) {
        return candidate.engine == campaign::Engine::Local || !campaign::canLaunch(candidate);
    });
}

}  // namespace

CampaignsPage::CampaignsPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Campaigns"), parent), m_context(context) {
    makeActions();
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(makeEmpty());
    addScrolled(m_stack);
    auto& campaigns = m_context.campaigns;
    connect(&campaigns, &CampaignController::changed, this, &CampaignsPage::showCampaigns);
    connect(&m_context.machine, &MachineController::catalogueReady, this, &CampaignsPage::showCampaigns);
    connect(&campaigns, &CampaignController::created, this, &CampaignsPage::startCreated);
    connect(&campaigns, &CampaignController::problemsFound, this, [this](const std::vector<Error>& problems) {
        emit noticePosted(Tone::Caution, ErrorText::sentence(problems.front()));
    });
    connect(&campaigns, &CampaignController::failed, this, [this](const Error& error) {
        m_context.dialogs.showError(this, tr("The campaign could not continue"), ErrorText::full(error));
    });
    showCampaigns();
}

void CampaignsPage::makeActions() {
    m_campaigns = new ElidedComboBox(this);
    m_campaigns->setObjectName(QStringLiteral("campaignBox"));
    m_campaigns->setAccessibleName(tr("Campaign"));
    m_campaigns->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_campaigns->setMinimumContentsLength(24);
    actions()->addWidget(m_campaigns);
    const auto add = [&](const QString& text, const char* icon, const char* name, const char* role) {
        auto* button = makeButton(text, QLatin1String(icon), role, this);
        button->setObjectName(QLatin1String(name));
        actions()->addWidget(button);
        return button;
    };
    m_delete = add(tr("Delete"), "delete", "campaignDelete", "");
    m_folder = add(tr("Open folder"), "folder", "campaignOpenFolder", "");
    m_refresh = add(tr("Check now"), "reset", "campaignRefresh", "");
    m_plan = add(tr("New from the advice…"), "advice", "campaignNew", "");
    m_start = add(tr("Start…"), "run", "campaignStartPlanned", role::kPrimary);
    connect(m_campaigns, &QComboBox::activated, this, [this] {
        m_shownId = m_campaigns->currentData().toString().toStdString();
        showCampaign();
    });
    connect(m_plan, &QPushButton::clicked, this, &CampaignsPage::plan);
    connect(m_start, &QPushButton::clicked, this, &CampaignsPage::startShown);
    connect(m_delete, &QPushButton::clicked, this, &CampaignsPage::removeShown);
    connect(m_folder, &QPushButton::clicked, this, &CampaignsPage::openFolder);
    connect(m_refresh, &QPushButton::clicked, this, [this] {
        if (const auto* campaign = shown()) m_context.campaigns.refresh(plain(campaign->id));
    });
}

QWidget* CampaignsPage::makeEmpty() {
    auto* empty = new EmptyState(QStringLiteral("campaigns"), tr("No campaign yet"),
                                 tr("The advice rests on predictions. A campaign measures its best candidates where "
                                    "they are, in a cloud or on machines of your own, and corrects the advice."),
                                 m_stack);
    auto* advice = empty->addButton(tr("Choose from the advice…"), QStringLiteral("advice"), role::kPrimary);
    advice->setObjectName(QStringLiteral("campaignFromAdvice"));
    connect(advice, &QPushButton::clicked, this, &CampaignsPage::plan);
    return empty;
}

// Created on demand: a language change rebuilds all pages and must be fast.
void CampaignsPage::makeCampaign() {
    if (m_chart != nullptr) return;
    auto* widget = new QWidget(m_stack);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    auto* hero = new Card({}, widget);
    m_state = new Badge(hero);
    m_state->setObjectName(QStringLiteral("campaignState"));
    m_job = makeLabel({}, role::kVerdict, hero);
    m_job->setObjectName(QStringLiteral("campaignJob"));
    m_changes = makeLabel({}, "", hero);
    m_changes->setObjectName(QStringLiteral("campaignChanges"));
    m_cost = makeLabel({}, role::kSmall, hero);
    m_cost->setObjectName(QStringLiteral("campaignCost"));
    for (QWidget* part : {static_cast<QWidget*>(m_state), static_cast<QWidget*>(m_job),
                          static_cast<QWidget*>(m_changes), static_cast<QWidget*>(m_cost)})
        hero->body()->addWidget(part);
    layout->addWidget(hero);
    auto* figures = new Card({}, widget);
    figures->body()->setContentsMargins(2, 2, 2, 2);
    m_chart = new ChartView(figures);
    m_chart->setObjectName(QStringLiteral("campaignChart"));
    m_chart->setMinimumHeight(scaled(kChartHeight));
    figures->body()->addWidget(m_chart, 1);
    layout->addWidget(figures, 1);
    m_rows = new RowsModel(this);
    m_table = makeTable(m_rows, tr("Machines of the campaign"), widget);
    m_table->setObjectName(QStringLiteral("campaignTable"));
    m_table->setMinimumHeight(scaled(kTableHeight));
    layout->addWidget(m_table, 1);
    connect(m_chart, &ChartView::exportRequested, this, [this](ExportFormat format) {
        exportChartAsking(this, m_context.dialogs, m_chart->spec(), format,
                          [this](const QString& file) { postExported(file); });
    });
    m_stack->addWidget(widget);
}

void CampaignsPage::entered() {
    m_context.campaigns.open(m_context.databaseFile());
}

const campaign::Campaign* CampaignsPage::shown() const {
    return m_context.campaigns.find(m_shownId);
}

void CampaignsPage::showCampaigns() {
    const auto& campaigns = m_context.campaigns.campaigns();
    if (shown() == nullptr) m_shownId = campaigns.empty() ? std::string() : campaigns.front().id;
    {
        const QSignalBlocker blocker(m_campaigns);
        m_campaigns->clear();
        const auto now = QDateTime::currentMSecsSinceEpoch();
        for (const auto& campaign : campaigns) {
            const CampaignPresenter presenter(campaign, m_context.machine.catalogue(), now);
            m_campaigns->addItem(presenter.title(), plain(campaign.id));
        }
        m_campaigns->setCurrentIndex(m_campaigns->findData(plain(m_shownId)));
    }
    showCampaign();
}

void CampaignsPage::showCampaign() {
    const auto* campaign = shown();
    if (campaign == nullptr) m_stack->setCurrentIndex(0);
    for (QWidget* part :
         {static_cast<QWidget*>(m_campaigns), static_cast<QWidget*>(m_plan), static_cast<QWidget*>(m_start),
          static_cast<QWidget*>(m_refresh), static_cast<QWidget*>(m_folder), static_cast<QWidget*>(m_delete)})
        part->setVisible(campaign != nullptr);
    if (campaign == nullptr) return;
    makeCampaign();
    m_stack->setCurrentIndex(1);
    const CampaignPresenter presenter(*campaign, m_context.machine.catalogue(), QDateTime::currentMSecsSinceEpoch());
    m_state->setState(presenter.tone(), presenter.state());
    m_job->setText(presenter.job());
    const auto changes = presenter.changes();
    m_changes->setText(changes.join(QLatin1Char('\n')));
    m_changes->setVisible(!changes.isEmpty());
    const auto cost = presenter.cost();
    m_cost->setText(cost);
    m_cost->setVisible(!cost.isEmpty());
    m_chart->setSpec(presenter.chart());
    m_rows->setContent(presenter.table());
    m_table->resizeColumnsToContents();
    const bool isUnderWay = stateOf(*campaign) == campaign::CampaignState::Running;
    m_start->setVisible(canStart(*campaign));
    m_start->setText(stateOf(*campaign) == campaign::CampaignState::Planned ? tr("Start…") : tr("Start again…"));
    m_refresh->setVisible(stateOf(*campaign) != campaign::CampaignState::Planned);
    m_delete->setEnabled(!isUnderWay);
    m_delete->setToolTip(isUnderWay ? tr("Its machines are measuring.") : QString());
}

void CampaignsPage::plan() {
    if (!m_context.advice.answer()) {
        emit noticePosted(Tone::Neutral, tr("Describe the job first; then choose which machines to measure."));
        emit pageRequested(QStringLiteral("advice"));
        return;
    }
    if (m_dialog) return;
    const auto preferences = m_context.preferences.load();
    const QFileInfo database(m_context.databaseFile());
    const auto folder =
        QStringLiteral("%1/campaigns/%2")
            .arg(database.absolutePath(), QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss")));
    m_dialog = new CampaignDialog({m_context.advice,
                                   m_context.campaigns,
                                   m_context.dialogs,
                                   {m_context.machine.profile(), m_context.databaseFile().toStdString(),
                                    preferences.usdPerKwh, preferences.oldPriceDays},
                                   m_context.machine.catalogue(),
                                   folder,
                                   m_context.preferences.programArchive()},
                                  this);
    connect(m_dialog, &CampaignDialog::planned, this, [this](const campaign::Campaign& campaign, bool start) {
        m_startsCreated = start;
        if (const auto& bundle = campaign.delivery.bundle; !bundle.empty())
            m_context.preferences.saveProgramArchive(QString::fromStdString(bundle));
        m_context.campaigns.create(campaign);
    });
    m_dialog->open();
}

void CampaignsPage::startCreated(const QString& id) {
    m_shownId = id.toStdString();
    showCampaigns();
    if (m_startsCreated) {
        startShown();
    } else if (const auto* campaign = shown()) {
        emit filePosted(tr("The files are in %1.").arg(plain(campaign->folder)), plain(campaign->folder));
    }
    m_startsCreated = false;
}

bool CampaignsPage::isConfirmed(const campaign::Campaign& campaign) {
    if (isFree(campaign)) return true;
    const CampaignPresenter presenter(campaign, m_context.machine.catalogue(), QDateTime::currentMSecsSinceEpoch());
    const bool anyRented =
        std::ranges::any_of(campaign.candidates, [](const auto& candidate) { return !candidate.placements.empty(); });
    const QStringList lines{anyRented ? presenter.cost() : tr("The measurements occupy the machines."), QString(),
                            tr("These commands run:"), CampaignPresenter::commands(campaign::launchCommands(campaign))};
    return m_context.dialogs.previewText(this, tr("Start the measurements?"), lines.join(QLatin1Char('\n')),
                                         tr("Start"));
}

void CampaignsPage::startShown() {
    const auto* campaign = shown();
    if (campaign == nullptr || !canStart(*campaign) || !isConfirmed(*campaign)) return;
    m_context.campaigns.launch(plain(m_shownId));
}

void CampaignsPage::removeShown() {
    const auto* campaign = shown();
    if (campaign == nullptr) return;
    const CampaignPresenter presenter(*campaign, m_context.machine.catalogue(), QDateTime::currentMSecsSinceEpoch());
    if (m_context.dialogs.confirm(
            this, {tr("Delete this campaign?"), presenter.title(),
                   tr("Its runs stay in the history, and its files in their folder."), tr("Delete"), tr("Keep"), true}))
        m_context.campaigns.remove(plain(m_shownId));
}

void CampaignsPage::openFolder() {
    if (const auto* campaign = shown()) m_context.dialogs.open(QUrl::fromLocalFile(plain(campaign->folder)));
}

bool CampaignsPage::exportContent() {
    if (shown() == nullptr) return false;
    exportChartAsking(this, m_context.dialogs, m_chart->spec(), ExportFormat::Png,
                      [this](const QString& file) { postExported(file); });
    return true;
}

QString CampaignsPage::helpText() const {
    return tr(
        "A campaign measures candidates of the advice where they are: rented machines by SkyPilot, a cluster by Slurm "
        "or Kubernetes, your own machines by ssh, and this computer. Each candidate keeps the prediction that was made "
        "when the campaign was planned; what is measured stands beside it, and the sentences above say what changes in "
        "the advice. Results go into the history and calibrate later predictions. The time limit holds for every "
        "machine, so the highest cost is known before anything starts.");
}

}  // namespace steelyard::ui

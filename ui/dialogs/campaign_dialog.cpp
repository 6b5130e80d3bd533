// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/campaign_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/dialogs/dialog_buttons.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/presenters/campaign_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/money_box.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

using campaign::Engine;

constexpr int kDelayMs = 250;  // debounces typing
constexpr int kOffered = 10, kTicked = 3;
constexpr int kUsualMinutes = 30, kMostMinutes = 24 * 60;
constexpr double kUsualBudget = 10, kMostBudget = 1e6;
constexpr double kSecondsOfMinute = 60;
// Installed cluster programs indicate access to a cluster.
constexpr std::array kHostEngines{Engine::Slurm, Engine::Kubernetes, Engine::Parallel, Engine::Mpirun};
constexpr auto kQuickSuite = "quick";

}  // namespace

CampaignDialog::CampaignDialog(Parts parts, QWidget* parent) : QDialog(parent), m_parts(std::move(parts)) {
    setObjectName(QStringLiteral("campaignDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Measure candidates"));
    resize(scaled(QSize(820, 780)));
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &CampaignDialog::ask);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::kCard, spacing::kCard, spacing::kCard, spacing::kCard);
    layout->setSpacing(spacing::kGap);
    layout->addWidget(makeLabel(tr("Each machine measures the job with this program, and the advice is corrected by "
                                   "what was measured. Nothing starts before you press Start."),
                                role::kMuted, this));
    addCandidates();
    auto* fields = new QWidget;
    m_form = new QFormLayout(fields);
    m_form->setContentsMargins(0, 0, spacing::kSmall, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    addHosts(m_form);
    addLimits(m_form);
    addDelivery(m_form);
    layout->addWidget(makeScrolled(fields, this), 1);
    addPreview();
    auto* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    m_write = buttons->addButton(tr("Write files only"), QDialogButtonBox::ActionRole);
    m_write->setObjectName(QStringLiteral("campaignWrite"));
    m_start = buttons->addButton(tr("Start…"), QDialogButtonBox::ActionRole);
    m_start->setObjectName(QStringLiteral("campaignStart"));
    setRole(m_start, role::kPrimary);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_write, &QPushButton::clicked, this, [this] { finish(false); });
    connect(m_start, &QPushButton::clicked, this, [this] { finish(true); });
    connect(&m_parts.advice, &AdviceController::shortlisted, this, &CampaignDialog::showPlan);
    connect(&m_parts.advice, &AdviceController::notShortlisted, this, &CampaignDialog::refuse);
    showState();
    ask();
}

// The top candidates and this computer. Those that can be started from here are checked: the first few, or this
// computer.
void CampaignDialog::addCandidates() {
    layout()->addWidget(makeLabel(tr("Machines of the advice"), role::kSmall, this));
    m_candidates = new QListWidget(this);
    m_candidates->setObjectName(QStringLiteral("campaignCandidates"));
    m_candidates->setAccessibleName(tr("Machines of the advice"));
    m_candidates->setMaximumHeight(scaled(106));
    m_candidates->setSpacing(2);
    layout()->addWidget(m_candidates);
    const bool canRent = m_parts.campaigns.isInstalled(Engine::SkyPilot);
    const auto add = [this](const QString& title, const QString& id, bool isTicked) {
        auto* item = new QListWidgetItem(title, m_candidates);
        item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked);
        item->setData(Qt::UserRole, id);
    };
    bool hasOwn = false;
    int offered = 0;
    for (const auto& candidate : m_parts.advice.answer()->advice.candidates) {
        if (!candidate.own && (!candidate.isViable() || offered >= kOffered)) continue;
        hasOwn |= candidate.own;
        add(AdviceText::machine(candidate.title), plain(candidate.id),
            candidate.own ? !canRent : canRent && offered < kTicked);
        if (!candidate.own) ++offered;
    }
    // Even if this computer is excluded from the recommendation, it can be measured.
    if (!hasOwn) add(tr("This computer"), QStringLiteral("own/cpu"), !canRent);
    connect(m_candidates, &QListWidget::itemChanged, this, &CampaignDialog::askSoon);
}

QLineEdit* CampaignDialog::addLine(QFormLayout* form, const QString& label, const char* name,
                                   const QString& placeholder) {
    auto* line = new QLineEdit;
    line->setObjectName(QLatin1String(name));
    line->setAccessibleName(label);
    line->setPlaceholderText(placeholder);
    form->addRow(label, line);
    return line;
}

QHBoxLayout* CampaignDialog::addPath(QFormLayout* form, const QString& label, QLineEdit* line, const char* button,
                                     const std::function<QString()>& choose) {
    line->setAccessibleName(label);
    auto* browse = makeButton(tr("Choose…"), QStringLiteral("folder"), "", nullptr);
    browse->setObjectName(QLatin1String(button));
    auto* row = new QHBoxLayout;
    row->addWidget(line, 1);
    row->addWidget(browse);
    form->addRow(label, row);
    connect(line, &QLineEdit::textChanged, this, &CampaignDialog::showState);
    connect(browse, &QPushButton::clicked, this, [line, choose] {
        if (const auto path = choose(); !path.isEmpty()) line->setText(path);
    });
    return row;
}

void CampaignDialog::addHosts(QFormLayout* form) {
    m_hosts = addLine(form, tr("Your own machines"), "campaignHosts", tr("nodeA, nodeB=a100_sxm_80:4"));
    m_hosts->setToolTip(
        tr("Names by which ssh or the cluster knows them; after = the device of the list of hardware, "
           "and how many of them. Without a device: a processor like this computer's."));
    m_engine = new QComboBox;
    m_engine->setObjectName(QStringLiteral("campaignEngine"));
    m_engine->setAccessibleName(tr("Connection"));
    for (const auto engine : kHostEngines) {
        const auto text = CampaignPresenter::name(engine);
        m_engine->addItem(m_parts.campaigns.isInstalled(engine) ? text : tr("%1 (not installed)").arg(text),
                          static_cast<int>(engine));
    }
    const auto here =
        std::ranges::find_if(kHostEngines, [this](auto engine) { return m_parts.campaigns.isInstalled(engine); });
    if (here != kHostEngines.end()) m_engine->setCurrentIndex(static_cast<int>(here - kHostEngines.begin()));
    form->addRow(tr("Connection"), m_engine);
    m_partition = addLine(form, tr("Partition"), "campaignPartition", tr("the cluster's default"));
    m_image = addLine(form, tr("Container image"), "campaignImage", tr("registry/steelyard:1.0"));
    m_image->setToolTip(tr("An image that contains steelyard-cli."));
    connect(m_hosts, &QLineEdit::textEdited, this, &CampaignDialog::askSoon);
    connect(m_image, &QLineEdit::textChanged, this, &CampaignDialog::showState);
    connect(m_engine, &QComboBox::activated, this, &CampaignDialog::askSoon);
}

void CampaignDialog::addLimits(QFormLayout* form) {
    m_minutes = new QSpinBox;
    m_minutes->setObjectName(QStringLiteral("campaignMinutes"));
    m_minutes->setAccessibleName(tr("Time limit per machine"));
    m_minutes->setRange(1, kMostMinutes);
    m_minutes->setValue(kUsualMinutes);
    m_minutes->setSuffix(tr(" min"));
    form->addRow(tr("Time limit per machine"), m_minutes);
    auto* row = new QHBoxLayout;
    m_limited = new QCheckBox(tr("at most"));
    m_limited->setObjectName(QStringLiteral("campaignLimited"));
    m_budget = new QDoubleSpinBox;
    m_budget->setObjectName(QStringLiteral("campaignBudget"));
    m_budget->setAccessibleName(tr("Budget for measuring"));
    makeMoneyBox(*m_budget, kMostBudget, 2);
    m_budget->setMinimum(0.01);
    setUsd(*m_budget, kUsualBudget);
    m_budget->setEnabled(false);
    row->addWidget(m_limited);
    row->addWidget(m_budget, 1);
    form->addRow(tr("Budget for measuring"), row);
    m_suite = new QCheckBox(tr("Run the quick suite, too, which calibrates predictions"));
    m_suite->setObjectName(QStringLiteral("campaignSuite"));
    m_suite->setChecked(true);
    form->addRow(QString(), m_suite);
    connect(m_minutes, &QSpinBox::valueChanged, this, &CampaignDialog::askSoon);
    connect(m_budget, &QDoubleSpinBox::valueChanged, this, &CampaignDialog::askSoon);
    connect(m_suite, &QCheckBox::toggled, this, &CampaignDialog::askSoon);
    connect(m_limited, &QCheckBox::toggled, this, [this](bool on) {
        m_budget->setEnabled(on);
        askSoon();
    });
}

void CampaignDialog::addDelivery(QFormLayout* form) {
    m_bundle = new QLineEdit(m_parts.bundle);
    m_bundle->setObjectName(QStringLiteral("campaignBundle"));
    m_bundle->setPlaceholderText(tr("steelyard-cli-….tar.gz"));
    m_bundle->setToolTip(tr("The command line as an archive that runs on any x86-64 Linux; ./dev package builds it."));
    m_bundleRow = addPath(form, tr("Archive for rented machines"), m_bundle, "campaignChooseBundle", [this] {
        return m_parts.dialogs.openFile(this, tr("Archive for rented machines"), tr("Archives (*.tar.gz)"));
    });
    m_folder = new QLineEdit(m_parts.folder);
    m_folder->setObjectName(QStringLiteral("campaignFolder"));
    addPath(form, tr("Output folder"), m_folder, "campaignChooseFolder",
            [this] { return m_parts.dialogs.chooseFolder(this, tr("Output folder")); });
}

void CampaignDialog::addPreview() {
    m_rows = new RowsModel(this);
    m_table = makeTable(m_rows, tr("What will be measured"), this);
    m_table->setObjectName(QStringLiteral("campaignPlan"));
    m_table->setFixedHeight(scaled(140));
    layout()->addWidget(m_table);
    m_state = new Badge(this);
    m_state->setObjectName(QStringLiteral("campaignPlanState"));
    m_state->setWrapping();
    layout()->addWidget(m_state);
    m_notes = makeLabel({}, role::kSmall, this);
    m_notes->setObjectName(QStringLiteral("campaignNotes"));
    m_notes->hide();
    layout()->addWidget(m_notes);
}

Engine CampaignDialog::hostEngine() const {
    return static_cast<Engine>(m_engine->currentData().toInt());
}

bool CampaignDialog::anyRented() const {
    return m_campaign && std::ranges::any_of(m_campaign->candidates,
                                             [](const auto& candidate) { return !candidate.placements.empty(); });
}

std::optional<shortlist::ShortlistRequest> CampaignDialog::request() {
    shortlist::ShortlistRequest request;
    request.top = 0;
    for (int row = 0; row < m_candidates->count(); ++row) {
        const auto* item = m_candidates->item(row);
        if (item->checkState() == Qt::Checked) request.ids.push_back(item->data(Qt::UserRole).toString().toStdString());
    }
    for (const auto& text : m_hosts->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        auto host = shortlist::hostFromText(text.trimmed().toStdString());
        if (!host) {
            refuse(host.error());
            return std::nullopt;
        }
        request.hosts.push_back(std::move(*host));
    }
    request.capSeconds = m_minutes->value() * kSecondsOfMinute;
    if (m_suite->isChecked()) request.suite = kQuickSuite;
    if (m_limited->isChecked()) request.budgetUsd = usdOf(*m_budget);
    return request;
}

void CampaignDialog::askSoon() {
    m_campaign.reset();
    showState();
    m_delay.start();
}

void CampaignDialog::ask() {
    m_campaign.reset();
    const auto wanted = request();
    if (!wanted) return;
    m_state->setState(Tone::Neutral, tr("Planning…"));
    m_parts.advice.askShortlist(m_parts.advice.answer()->question, m_parts.surroundings, *wanted);
}

void CampaignDialog::showPlan(const shortlist::Shortlist& shortlist) {
    m_campaign = shortlist.campaign;
    const auto isHost = [](const auto& candidate) { return !candidate.host.empty(); };
    for (auto& candidate : m_campaign->candidates)
        if (isHost(candidate)) candidate.engine = hostEngine();
    const CampaignPresenter presenter(*m_campaign, m_parts.catalogue, 0);
    m_rows->setContent(presenter.plan());
    m_table->resizeColumnsToContents();
    const auto cost = anyRented() ? presenter.cost() : tr("Nothing is rented for this.");
    m_state->setState(Tone::Neutral, cost);
    m_leftOut.clear();
    for (const auto& reason : shortlist.leftOut) m_leftOut << MessageText::sentence(reason);
    showState();
}

void CampaignDialog::refuse(const Error& error) {
    m_campaign.reset();
    m_rows->setContent({});
    m_state->setState(Tone::Caution,
                      error.subject.empty() ? MessageText::sentence(error.detail) : ErrorText::full(error));
    showState();
}

QStringList CampaignDialog::missingEngines() const {
    QStringList missing;
    for (const auto& candidate : m_campaign->candidates)
        if (!m_parts.campaigns.isInstalled(candidate.engine)) missing << CampaignPresenter::name(candidate.engine);
    missing.removeDuplicates();
    return missing;
}

QStringList CampaignDialog::missingFields() const {
    QStringList missing;
    if (anyRented() && !QFileInfo(m_bundle->text().trimmed()).isFile())
        missing << tr("Rented machines need this program as an archive: choose it above.");
    const auto isKubernetes = [](const auto& candidate) { return candidate.engine == Engine::Kubernetes; };
    if (std::ranges::any_of(m_campaign->candidates, isKubernetes) && m_image->text().trimmed().isEmpty())
        missing << tr("Kubernetes needs a container image that contains this program: enter its name above.");
    if (m_folder->text().trimmed().isEmpty()) missing << tr("Choose the output folder.");
    return missing;
}

void CampaignDialog::showState() {
    m_form->setRowVisible(m_bundleRow, anyRented());
    m_form->setRowVisible(m_partition, hostEngine() == Engine::Slurm);
    m_form->setRowVisible(m_image, hostEngine() == Engine::Kubernetes);
    QStringList notes, engines, fields;
    if (m_campaign) {
        notes = m_leftOut;
        engines = missingEngines();
        fields = missingFields();
    }
    if (!engines.isEmpty())
        notes << tr("Not installed here: %1. Write the files, and start them where it is.")
                     .arg(engines.join(QStringLiteral(", ")));
    notes << fields;
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    const bool isReady = m_campaign && fields.isEmpty();
    m_write->setEnabled(isReady);
    m_start->setEnabled(isReady && engines.isEmpty());
}

void CampaignDialog::finish(bool start) {
    auto campaign = *m_campaign;
    campaign.folder = m_folder->text().trimmed().toStdString();
    campaign.delivery.partition = m_partition->text().trimmed().toStdString();
    campaign.delivery.image = m_image->text().trimmed().toStdString();
    if (anyRented()) campaign.delivery.bundle = m_bundle->text().trimmed().toStdString();
    accept();
    emit planned(campaign, start);
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/hardware/hardware_page.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/hardware/profile/profile_facts.h"
#include "ui/controllers/machine_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/pages/hardware/check_card.h"
#include "ui/pages/hardware/topology_view.h"
#include "ui/presenters/hardware_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kDetected = 1;  // columns of the table of facts
constexpr int kSource = 4;
constexpr int kMostColumns = 3;  // of cards
constexpr int kCardWidth = 280;  // pixels at a text scale of 1

}  // namespace

HardwarePage::HardwarePage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Hardware"), parent), m_context(context) {
    build();
    showProfile();
    connect(&m_context.machine, &MachineController::profileReady, this, &HardwarePage::showProfile);
    connect(&m_context.machine, &MachineController::reportReady, this, &HardwarePage::previewReport);
}

void HardwarePage::build() {
    m_reportButton = makeButton(tr("Copy diagnostic report…"), QStringLiteral("copy"), "", this);
    m_reportButton->setObjectName(QStringLiteral("reportButton"));
    actions()->addWidget(m_reportButton);
    connect(m_reportButton, &QPushButton::clicked, this, &HardwarePage::exportContent);

    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    auto* topologyCard = new Card(tr("Processor"), body);
    m_topology = new TopologyView(topologyCard);
    topologyCard->body()->addWidget(m_topology);
    layout->addWidget(topologyCard);

    m_cards = new QGridLayout;
    m_cards->setSpacing(spacing::kGap);
    layout->addLayout(m_cards);

    auto* check = new CheckCard(m_context, body);
    connect(check, &CheckCard::noticePosted, this, &Page::noticePosted);
    layout->addWidget(check);

    m_facts = new RowsModel(this);
    m_table = makeTable(m_facts, tr("Facts about this computer"), body);
    m_table->setObjectName(QStringLiteral("factsTable"));
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->setMinimumSectionSize(scaled(30));
    layout->addWidget(m_table);
    layout->addStretch(1);
    addScrolled(body);
    content()->addWidget(makeCorrection(this));
}

// Below the scroll area, so that it is always visible: the selected fact and the user's value for it.
QWidget* HardwarePage::makeCorrection(QWidget* parent) {
    auto* card = new Card({}, parent);
    card->body()->setContentsMargins(spacing::kCard, spacing::kSmall, spacing::kCard, spacing::kSmall);
    auto* row = new QWidget(card);
    auto* fields = new FlowLayout(row, spacing::kSmall);
    m_factName = makeLabel(tr("Something wrong? Choose a row and correct it here; the advice will use your value."),
                           role::kMuted, row);
    m_factName->setObjectName(QStringLiteral("factName"));
    fields->addWidget(m_factName);
    m_factValue = new QLineEdit(row);
    m_factValue->setObjectName(QStringLiteral("factValue"));
    m_factValue->setAccessibleName(tr("Your value of the fact"));
    m_factValue->setMinimumWidth(scaled(200));
    m_useFact = makeButton(tr("Use this value"), {}, "", row);
    m_useFact->setObjectName(QStringLiteral("useFactButton"));
    m_undoFact = makeButton(tr("Use detected value"), QStringLiteral("undo"), role::kQuiet, row);
    m_undoFact->setObjectName(QStringLiteral("undoFactButton"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_factValue, m_useFact, m_undoFact}) {
        widget->setEnabled(false);
        fields->addWidget(widget);
    }
    card->body()->addWidget(row);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { editFact(current.data(RowsModel::KeyRole).toString()); });
    connect(m_factValue, &QLineEdit::returnPressed, this, &HardwarePage::useFact);
    connect(m_useFact, &QPushButton::clicked, this, &HardwarePage::useFact);
    connect(m_undoFact, &QPushButton::clicked, this, [this] {
        auto corrections = m_context.machine.corrections();
        corrections.erase(m_fact.toStdString());
        applyCorrections(corrections);
    });
    return card;
}

void HardwarePage::editFact(const QString& path) {
    const auto& profile = m_context.machine.profile();
    if (!profile) return;
    m_fact = path;
    const int row = path.isEmpty() ? -1 : m_facts->rowOf(path);
    const bool known = row >= 0;
    m_factName->setText(known ? tr("%1: your value").arg(m_facts->index(row, 0).data().toString())
                              : tr("This fact cannot be set: it follows from others, or is a list."));
    m_factValue->setText(known ? HardwarePresenter::editText(*profile, path) : QString());
    m_factValue->setEnabled(known);
    m_useFact->setEnabled(known);
    m_undoFact->setEnabled(known && m_context.machine.corrections().count(path.toStdString()) > 0);
}

void HardwarePage::useFact() {
    const auto& profile = m_context.machine.detected();
    if (!profile || m_fact.isEmpty()) return;
    const auto text = HardwarePresenter::parsed(m_fact, m_factValue->text());
    if (const auto changed = hardware::withOverride(*profile, m_fact.toStdString(), text); !changed) {
        m_context.dialogs.showError(this, tr("The value was not accepted"), ErrorText::full(changed.error()));
        return;
    }
    auto corrections = m_context.machine.corrections();
    corrections[m_fact.toStdString()] = text;
    applyCorrections(corrections);
}

void HardwarePage::applyCorrections(const std::map<std::string, std::string>& corrections) {
    const auto fact = m_fact;
    m_context.preferences.saveCorrections(corrections);
    m_context.machine.setCorrections(corrections);
    editFact(fact);
}

void HardwarePage::showProfile() {
    const auto& profile = m_context.machine.profile();
    m_reportButton->setEnabled(profile.has_value());
    if (!profile) {
        setSubtitle(tr("Detecting hardware…"));
        return;
    }
    setSubtitle(HardwarePresenter::computerLine(*profile));
    m_topology->setProfile(*profile);
    m_facts->setContent(HardwarePresenter::facts(*profile));
    fitTable();
    showCards();
}

void HardwarePage::fitTable() {
    auto* header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    for (int column = 0; column < m_facts->columnCount(); ++column) {
        header->setSectionResizeMode(column,
                                     column == kDetected ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
    const auto& rows = m_facts->content().rows;
    for (int row = 0; row < m_facts->rowCount(); ++row) {
        if (rows[static_cast<std::size_t>(row)].heading) m_table->setSpan(row, 0, 1, m_facts->columnCount());
    }
    header->setSectionResizeMode(kSource, QHeaderView::Interactive);
    header->resizeSection(kSource, scaled(220));
    // As tall as its rows: the page scrolls, not the table.
    m_table->resizeRowsToContents();
    int height = header->sizeHint().height() + 6;
    for (int row = 0; row < m_facts->rowCount(); ++row) height += m_table->rowHeight(row);
    m_table->setFixedHeight(height);
}

// Graphics cards and backends, three per row if they fit.
void HardwarePage::showCards() {
    clearLayout(m_cards);
    const auto& profile = *m_context.machine.profile();
    std::vector<Card*> cards;
    const auto none = HardwarePresenter::noGpuText(profile);
    if (!none.isEmpty()) {
        cards.push_back(new Card(tr("Graphics cards"), this));
        cards.back()->body()->addWidget(makeLabel(none, role::kMuted, cards.back()));
    }
    for (const auto& gpu : HardwarePresenter::gpus(profile)) cards.push_back(makeGpuCard(gpu));
    cards.push_back(makeBackendsCard());
    m_columns = columnsForWidth();
    int position = 0;
    for (auto* card : cards) {
        card->body()->addStretch(1);
        m_cards->addWidget(card, position / m_columns, position % m_columns);
        ++position;
    }
    for (int column = 0; column < kMostColumns; ++column)
        m_cards->setColumnStretch(column, column < std::min(position, m_columns) ? 1 : 0);
}

int HardwarePage::columnsForWidth() const {
    return std::clamp(width() / scaled(kCardWidth), 1, kMostColumns);
}

void HardwarePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    if (m_context.machine.profile() && columnsForWidth() != m_columns) showCards();
}

Card* HardwarePage::makeGpuCard(const GpuCard& gpu) {
    auto* card = new Card(gpu.title, this);
    auto* badge = new Badge(card);
    badge->setState(gpu.tone, gpu.status);
    card->body()->addWidget(badge);
    if (!gpu.reason.isEmpty()) card->body()->addWidget(makeLabel(gpu.reason, role::kMuted, card));
    auto* facts = new DetailList(card);
    facts->setDetails(gpu.facts);
    card->body()->addWidget(facts);
    return card;
}

Card* HardwarePage::makeBackendsCard() {
    auto* card = new Card(tr("Backends"), this);
    for (const auto& backend : HardwarePresenter::backends(*m_context.machine.profile())) {
        auto* badge = new Badge(card);
        badge->setState(backend.loaded ? Tone::Good : Tone::Neutral, backend.name);
        card->body()->addWidget(badge);
        card->body()->addWidget(makeLabel(backend.reason, role::kSmall, card));
    }
    return card;
}

bool HardwarePage::exportContent() {
    if (!m_context.machine.profile()) return false;
    m_reportAsked = true;
    m_context.machine.makeReport();
    return true;
}

void HardwarePage::previewReport(const QString& text) {
    if (!m_reportAsked) return;
    m_reportAsked = false;
    if (!m_context.dialogs.previewText(this, tr("Diagnostic report"), text, tr("Copy"))) return;
    QGuiApplication::clipboard()->setText(text);
    emit noticePosted(Tone::Good, tr("The report is in the clipboard. Nothing was sent anywhere."));
}

QString HardwarePage::helpText() const {
    return tr("Detected is what the machine has, allowed is what this process may use (affinity, control groups), used "
              "is what a benchmark takes unless told otherwise. A dash means unknown; its reason shows on hover. The "
              "diagnostic report contains no host name, user name or serial number.") +
           QLatin1Char(' ') +
           tr("Check this machine tests whether a machine or a used card is sound; it is no benchmark. The last result "
              "is kept beside the history and printed in reports. The same in a terminal: steelyard-cli check.");
}

}  // namespace steelyard::ui

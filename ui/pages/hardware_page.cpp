// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/hardware_page.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/controllers/machine_controller.h"
#include "ui/models/rows_model.h"
#include "ui/presenters/hardware_presenter.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/topology_view.h"

namespace steelyard::ui {
namespace {

constexpr int kDetected = 1;  // columns of the table of facts
constexpr int kSource = 4;

}  // namespace

HardwarePage::HardwarePage(WindowContext& context, QWidget* parent) : Page(tr("Hardware"), parent), m_context(context) {
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

    m_facts = new RowsModel(this);
    m_table = makeTable(m_facts, tr("Facts about this computer"), body);
    m_table->setObjectName(QStringLiteral("factsTable"));
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->setMinimumSectionSize(30);
    layout->addWidget(m_table);
    layout->addStretch(1);
    addScrolled(body);
}

void HardwarePage::showProfile() {
    const auto& profile = m_context.machine.profile();
    m_reportButton->setEnabled(profile.has_value());
    if (!profile) {
        setSubtitle(tr("Looking at the hardware…"));
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
    header->resizeSection(kSource, 220);
    // As tall as its rows: the page scrolls, not the table.
    m_table->resizeRowsToContents();
    int height = header->sizeHint().height() + 6;
    for (int row = 0; row < m_facts->rowCount(); ++row) height += m_table->rowHeight(row);
    m_table->setFixedHeight(height);
}

// Graphics cards and backends, three in a row.
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
    constexpr int kColumns = 3;
    int position = 0;
    for (auto* card : cards) {
        card->body()->addStretch(1);
        m_cards->addWidget(card, position / kColumns, position % kColumns);
        ++position;
    }
    for (int column = 0; column < kColumns; ++column) m_cards->setColumnStretch(column, column < position ? 1 : 0);
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
    return tr(
        "Detected is what the machine has, allowed is what this process may use (affinity, control groups), used is "
        "what a "
        "benchmark takes unless told otherwise. A dash means unknown; its reason shows on hover. The diagnostic report "
        "contains no host name, user name or serial number.");
}

}  // namespace steelyard::ui

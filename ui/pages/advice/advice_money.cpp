// SPDX-License-Identifier: Apache-2.0
// The views of AdvicePage about money: buying against renting, and the prices.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/catalog/offer_id.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/models/rows_model.h"
#include "ui/pages/advice/advice_page.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/format.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

QDoubleSpinBox* amountBox(QWidget* parent, const char* name, double most, int decimals) {
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, most);
    box->setDecimals(decimals);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
    box->setMinimumWidth(scaled(84));
    return box;
}

}  // namespace

QWidget* AdvicePage::makePurchase(QWidget* parent) {
    auto* card = new Card({}, parent);
    card->body()->setSpacing(spacing::kSmall);
    m_buySentence = makeLabel({}, role::kHeading, card);
    m_buySentence->setObjectName(QStringLiteral("buySentence"));
    card->body()->addWidget(m_buySentence);
    const advisor::PurchaseRequest standard;
    m_card = new ElidedComboBox(card);
    m_card->setObjectName(QStringLiteral("buyCard"));
    m_card->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_card->setMinimumContentsLength(8);
    m_card->setMinimumWidth(scaled(110));
    m_host = amountBox(card, "buyHost", 1e6, 0);
    m_host->setPrefix(QStringLiteral("$"));
    m_host->setValue(standard.hostUsd);
    m_hostWatts = amountBox(card, "buyHostWatts", 1e5, 0);
    m_hostWatts->setSuffix(QStringLiteral(" W"));
    m_hostWatts->setValue(standard.hostWatts);
    m_kwh = amountBox(card, "buyKwh", 10, 3);
    m_kwh->setPrefix(QStringLiteral("$"));
    m_kwh->setSingleStep(0.01);
    m_kwh->setValue(m_context.preferences.load().usdPerKwh);
    m_utilization = new QSlider(Qt::Horizontal, card);
    m_utilization->setObjectName(QStringLiteral("buyUtilization"));
    m_utilization->setRange(1, 100);
    m_utilization->setValue(static_cast<int>(standard.utilization * 100));
    auto* fields = new QWidget(card);
    auto* flow = new FlowLayout(fields, spacing::kGap);
    flow->setFilling(true);
    for (const auto& [text, field] : {std::pair<QString, QWidget*>{tr("Card to buy"), m_card},
                                      {tr("Rest of the desktop"), m_host},
                                      {tr("Its power"), m_hostWatts},
                                      {tr("Price of a kWh"), m_kwh}}) {
        field->setAccessibleName(text);
        auto* column = new QWidget(fields);
        auto* columnLayout = new QVBoxLayout(column);
        columnLayout->setContentsMargins(0, 0, 0, 0);
        columnLayout->setSpacing(spacing::kStep);
        columnLayout->addWidget(makeLabel(text, role::kSmall, column, false));
        columnLayout->addWidget(field);
        flow->addWidget(column);
    }
    card->body()->addWidget(fields);
    auto* row = new QHBoxLayout;
    m_utilizationText = makeLabel({}, role::kSmall, card, false);
    m_utilization->setAccessibleName(tr("Share of the time it computes"));
    row->addWidget(m_utilizationText);
    row->addWidget(m_utilization, 1);
    card->body()->addLayout(row);
    m_buyChart = makeChart(card, "buyChart");
    m_buyChart->setMinimumHeight(scaled(250));
    card->body()->addWidget(m_buyChart, 1);
    connect(m_card, &QComboBox::activated, this, &AdvicePage::showPurchase);
    for (auto* box : {m_host, m_hostWatts})
        connect(box, &QDoubleSpinBox::valueChanged, this, &AdvicePage::showPurchase);
    connect(m_kwh, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        auto preferences = m_context.preferences.load();
        preferences.usdPerKwh = value;
        m_context.preferences.save(preferences);
        askSoon();  // what this computer costs depends on it, too
    });
    connect(m_utilization, &QSlider::valueChanged, this, &AdvicePage::showPurchase);
    return card;
}

advisor::PurchaseRequest AdvicePage::purchase() const {
    advisor::PurchaseRequest plan;
    plan.card = m_card->currentData().toString().toStdString();
    plan.hostUsd = m_host->value();
    plan.hostWatts = m_hostWatts->value();
    plan.usdPerKwh = m_kwh->value();
    plan.utilization = m_utilization->value() / 100.0;
    return plan;
}

// The cards that the job fits, best for the money first; the one chosen stays.
void AdvicePage::fillCards() {
    const auto& answer = *m_context.advice.answer();
    const auto chosen = m_card->currentData().toString();
    const QSignalBlocker blocker(m_card);
    m_card->clear();
    for (const auto& card : answer.cards) {
        if (!advisor::canDoJob(card)) continue;
        m_card->addItem(tr("%1, %2").arg(QString::fromStdString(card.name), Format::money(card.priceUsd)),
                        QString::fromStdString(card.hardware));
        m_card->setItemData(m_card->count() - 1,
                            tr("Price of %1, source %2")
                                .arg(QString::fromStdString(card.priceDate), QString::fromStdString(card.priceSource)),
                            Qt::ToolTipRole);
    }
    m_card->setCurrentIndex(std::max(0, m_card->findData(chosen)));
}

void AdvicePage::showPurchase() {
    const auto plan = purchase();
    m_utilizationText->setText(tr("It computes %1 of the time").arg(Format::percent(plan.utilization)));
    if (!m_context.advice.answer()) return;
    const AdvicePresenter presenter(*m_context.advice.answer());
    m_buySentence->setText(presenter.buyOrRentSentence(plan));
    m_buyChart->setSpec(presenter.buyOrRent(plan));
}

QWidget* AdvicePage::makePrices(QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kSmall);
    m_priceRows = new RowsModel(this);
    m_pricesSorted = new RowsProxy(this);
    m_pricesSorted->setSourceModel(m_priceRows);
    m_priceTable = makeTable(m_pricesSorted, tr("All prices with date and source"), widget);
    m_priceTable->setObjectName(QStringLiteral("priceTable"));
    m_priceTable->setSortingEnabled(true);
    m_priceTable->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    layout->addWidget(m_priceTable, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kSmall);
    m_priceName = new ElidedLabel(tr("Choose a row to set its price"), widget);
    m_price = amountBox(widget, "priceEdit", 1e5, 4);
    m_price->setPrefix(QStringLiteral("$"));
    m_price->setAccessibleName(tr("Price per hour"));
    m_priceSource = new QLineEdit(widget);
    m_priceSource->setObjectName(QStringLiteral("priceSourceEdit"));
    m_priceSource->setPlaceholderText(tr("Where is it from?"));
    m_priceSource->setAccessibleName(tr("Source of the price"));
    m_savePrice = makeButton(tr("Use this price"), {}, "", widget);
    m_savePrice->setObjectName(QStringLiteral("savePriceButton"));
    auto* import = makeButton(tr("Import price list…"), QStringLiteral("import"), "", widget);
    import->setObjectName(QStringLiteral("importPricesButton"));
    import->setToolTip(tr("A vms.csv of the SkyPilot catalogue"));
    m_priceSource->setMinimumWidth(scaled(90));
    row->addWidget(m_priceName, 2);
    row->addWidget(m_price, 1);
    row->addWidget(m_priceSource, 2);
    layout->addLayout(row);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing::kSmall);
    buttons->addWidget(m_savePrice);
    buttons->addStretch(1);
    buttons->addWidget(import);
    layout->addLayout(buttons);
    for (QWidget* field : std::initializer_list<QWidget*>{m_price, m_priceSource, m_savePrice})
        field->setEnabled(false);
    connect(m_priceTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { editPrice(current.data(RowsModel::KeyRole).toString()); });
    connect(m_savePrice, &QPushButton::clicked, this, &AdvicePage::savePrice);
    connect(m_priceSource, &QLineEdit::returnPressed, this, &AdvicePage::savePrice);
    connect(import, &QPushButton::clicked, this, &AdvicePage::askImport);
    return widget;
}

void AdvicePage::editPrice(const QString& candidate) {
    const auto* found =
        m_context.advice.answer() ? m_context.advice.answer()->advice.find(candidate.toStdString()) : nullptr;
    for (QWidget* field : std::initializer_list<QWidget*>{m_price, m_priceSource, m_savePrice})
        field->setEnabled(found != nullptr);
    if (!found) return;
    m_pricedOffer = candidate;
    m_priceName->setFullText(QString::fromStdString(found->title));
    m_price->setValue(found->usdPerHour.value_or(0));
    m_priceSource->setText(QString::fromStdString(found->priceSource.text));
}

void AdvicePage::savePrice() {
    const auto* found =
        m_context.advice.answer() ? m_context.advice.answer()->advice.find(m_pricedOffer.toStdString()) : nullptr;
    if (!found) return;
    catalog::PriceOverride price;
    const auto id = catalog::OfferId::parse(found->id);
    price.spot = id.spot;
    price.offer = id.offer;
    price.price.usdPerHour = m_price->value();
    price.price.source = m_priceSource->text().trimmed().toStdString();
    m_context.advice.setPrice(price);
    emit noticePosted(Tone::Neutral, tr("Price of %1 set").arg(QString::fromStdString(found->title)));
}

void AdvicePage::askImport() {
    const auto file = m_context.dialogs.openFile(this, tr("Import a price list"), tr("SkyPilot catalogues (vms.csv)"));
    if (!file.isEmpty()) importPrices(file);
}

void AdvicePage::importPrices(const QString& file) {
    m_tabs->setCurrentIndex(Prices);
    m_context.advice.importPrices(QFileInfo(file).absolutePath());
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/price_view.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/catalog/offer_id.h"
#include "ui/controllers/advice_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/money_box.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kWidestPriceColumn = 220;

}  // namespace

PriceView::PriceView(WindowContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kSmall);
    m_rows = new RowsModel(this);
    m_sorted = new RowsProxy(this);
    m_sorted->setSourceModel(m_rows);
    m_table = makeTable(m_sorted, tr("All prices with date and source"), this);
    m_table->setObjectName(QStringLiteral("priceTable"));
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    freezeFirstColumn(m_table);
    m_search = searchField(tr("Search machines, regions and sources"), m_sorted, this);
    m_search->setObjectName(QStringLiteral("priceSearch"));
    layout->addWidget(m_search);
    layout->addWidget(m_table, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kSmall);
    m_name = new ElidedLabel(tr("Choose a row to set its price"), this);
    m_price = moneyBox(this, "priceEdit", 1e5, 4);
    m_price->setAccessibleName(tr("Price per hour"));
    m_source = new QLineEdit(this);
    m_source->setObjectName(QStringLiteral("priceSourceEdit"));
    m_source->setPlaceholderText(tr("Where does the price come from?"));
    m_source->setAccessibleName(tr("Source of the price"));
    m_save = makeButton(tr("Use this price"), {}, "", this);
    m_save->setObjectName(QStringLiteral("savePriceButton"));
    auto* import = makeButton(tr("Import price list…"), QStringLiteral("import"), "", this);
    import->setObjectName(QStringLiteral("importPricesButton"));
    import->setToolTip(tr("A vms.csv of the SkyPilot catalogue"));
    m_source->setMinimumWidth(scaled(90));
    row->addWidget(m_name, 2);
    row->addWidget(m_price, 1);
    row->addWidget(m_source, 2);
    layout->addLayout(row);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing::kSmall);
    buttons->addWidget(m_save);
    m_openSource = makeButton(tr("Open the source"), {}, role::kQuiet, this);
    m_openSource->setObjectName(QStringLiteral("openPriceSource"));
    buttons->addWidget(m_openSource);
    buttons->addStretch(1);
    buttons->addWidget(import);
    layout->addLayout(buttons);
    for (QWidget* field : std::initializer_list<QWidget*>{m_price, m_source, m_save, m_openSource})
        field->setEnabled(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { editPrice(current.data(RowsModel::KeyRole).toString()); });
    connect(m_openSource, &QPushButton::clicked, this, [this] { m_context.dialogs.open(m_sourceLink); });
    connect(m_save, &QPushButton::clicked, this, &PriceView::savePrice);
    connect(m_source, &QLineEdit::returnPressed, this, &PriceView::savePrice);
    connect(import, &QPushButton::clicked, this, &PriceView::askImport);
}

void PriceView::showAnswer() {
    if (!m_context.advice.answer()) return;
    m_rows->setContent(AdvicePresenter(*m_context.advice.answer()).prices());
    m_table->resizeColumnsToContents();
    for (int column = 0; column + 1 < m_rows->columnCount(); ++column)
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), scaled(kWidestPriceColumn)));
}

void PriceView::editPrice(const QString& candidate) {
    const auto* found =
        m_context.advice.answer() ? m_context.advice.answer()->advice.find(candidate.toStdString()) : nullptr;
    for (QWidget* field : std::initializer_list<QWidget*>{m_price, m_source, m_save})
        field->setEnabled(found != nullptr);
    if (!found) return;
    m_pricedOffer = candidate;
    m_name->setFullText(QString::fromStdString(found->title));
    setUsd(*m_price, found->usdPerHour.value_or(0));
    m_source->setText(QString::fromStdString(found->priceSource.text));
    m_sourceLink = AdviceText::sourceLink(m_source->text());
    m_openSource->setEnabled(!m_sourceLink.isEmpty());
    m_openSource->setToolTip(m_sourceLink.toString());
}

void PriceView::savePrice() {
    const auto* found =
        m_context.advice.answer() ? m_context.advice.answer()->advice.find(m_pricedOffer.toStdString()) : nullptr;
    if (!found) return;
    catalog::PriceOverride price;
    const auto id = catalog::OfferId::parse(found->id);
    price.spot = id.spot;
    price.offer = id.offer;
    price.price.usdPerHour = usdOf(*m_price);
    price.price.source = m_source->text().trimmed().toStdString();
    m_context.advice.setPrice(price);
    emit priceSet(QString::fromStdString(found->title));
}

void PriceView::askImport() {
    const auto file = m_context.dialogs.openFile(this, tr("Import a price list"), tr("SkyPilot catalogues (vms.csv)"));
    if (!file.isEmpty()) importPrices(file);
}

void PriceView::importPrices(const QString& file) {
    m_context.advice.importPrices(QFileInfo(file).absolutePath());
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/purchase_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/pages/advice/amount_box.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/format.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/money_box.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

PurchaseView::PurchaseView(WindowContext& context, QWidget* parent) : Card({}, parent), m_context(context) {
    body()->setSpacing(spacing::kSmall);
    m_sentence = makeLabel({}, role::kHeading, this);
    m_sentence->setObjectName(QStringLiteral("buySentence"));
    body()->addWidget(m_sentence);
    const auto& standard = m_context.advice.purchase();  // as saved, also in another language
    m_card = new ElidedComboBox(this);
    m_card->setObjectName(QStringLiteral("buyCard"));
    m_card->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_card->setMinimumContentsLength(8);
    m_card->setMinimumWidth(scaled(110));
    m_host = moneyBox(this, "buyHost", 1e6, 0);
    setUsd(*m_host, standard.hostUsd);
    m_hostWatts = amountBox(this, "buyHostWatts", 1e5, 0);
    m_hostWatts->setSuffix(QStringLiteral(" W"));
    m_hostWatts->setValue(standard.hostWatts);
    m_kwh = moneyBox(this, "buyKwh", 10, 3);
    m_kwh->setSingleStep(0.01);
    setUsd(*m_kwh, m_context.preferences.load().usdPerKwh);
    m_utilization = new QSlider(Qt::Horizontal, this);
    m_utilization->setObjectName(QStringLiteral("buyUtilization"));
    m_utilization->setRange(1, 100);
    m_utilization->setValue(static_cast<int>(std::lround(standard.utilization * 100)));
    auto* fields = new QWidget(this);
    auto* flow = new FlowLayout(fields, spacing::kGap);
    flow->setFilling(true);
    for (const auto& [text, field] : {std::pair<QString, QWidget*>{tr("Card to buy"), m_card},
                                      {tr("Rest of the PC"), m_host},
                                      {tr("PC power without GPU"), m_hostWatts},
                                      {tr("Electricity price per kWh"), m_kwh}}) {
        field->setAccessibleName(text);
        auto* column = new QWidget(fields);
        auto* columnLayout = new QVBoxLayout(column);
        columnLayout->setContentsMargins(0, 0, 0, 0);
        columnLayout->setSpacing(spacing::kStep);
        columnLayout->addWidget(makeLabel(text, role::kSmall, column, false));
        columnLayout->addWidget(field);
        flow->addWidget(column);
    }
    body()->addWidget(fields);
    auto* row = new QHBoxLayout;
    m_utilizationText = makeLabel({}, role::kSmall, this, false);
    m_utilization->setAccessibleName(tr("Utilisation"));
    row->addWidget(m_utilizationText);
    row->addWidget(m_utilization, 1);
    body()->addLayout(row);
    m_chart = new ChartView(this);
    m_chart->setObjectName(QStringLiteral("buyChart"));
    m_chart->setMinimumHeight(scaled(250));
    body()->addWidget(m_chart, 1);
    connect(m_card, &QComboBox::activated, this, [this] {
        auto plan = m_context.advice.purchase();
        plan.card = m_card->currentData().toString().toStdString();
        m_context.advice.setPurchase(plan);
        compare();
    });
    for (auto* box : {m_host, m_hostWatts}) connect(box, &QDoubleSpinBox::valueChanged, this, &PurchaseView::compare);
    connect(m_kwh, &QDoubleSpinBox::valueChanged, this, [this] {
        auto preferences = m_context.preferences.load();
        preferences.usdPerKwh = usdOf(*m_kwh);
        m_context.preferences.save(preferences);
        emit electricityPriceChanged();  // affects the cost of this computer
    });
    connect(m_utilization, &QSlider::valueChanged, this, &PurchaseView::compare);
}

// The cards that the job fits on, best value first; the user's selection is kept, otherwise the default card for the
// job is selected.
void PurchaseView::fillCards() {
    const auto& answer = *m_context.advice.answer();
    const auto* usual = advisor::usualCard(answer.cards, answer.advice);
    const QSignalBlocker blocker(m_card);
    m_card->clear();
    for (const auto& card : answer.cards) {
        if (!advisor::canDoJob(card)) continue;
        m_card->addItem(tr("%1, %2").arg(QString::fromStdString(card.name), Format::money(card.priceUsd)),
                        QString::fromStdString(card.hardware));
        m_card->setItemData(
            m_card->count() - 1,
            tr("Price of %1, source %2").arg(Format::isoDate(card.priceDate), QString::fromStdString(card.priceSource)),
            Qt::ToolTipRole);
    }
    int row = m_card->findData(QString::fromStdString(m_context.advice.purchase().card));
    if (row < 0 && usual) row = m_card->findData(QString::fromStdString(usual->hardware));
    m_card->setCurrentIndex(std::max(0, row));
}

void PurchaseView::showAnswer() {
    fillCards();
    compare();
}

void PurchaseView::setElectricityPrice(double usdPerKwh) {
    setUsd(*m_kwh, usdPerKwh);
}

void PurchaseView::compare() {
    advisor::PurchaseRequest plan;
    plan.card = m_context.advice.purchase().card;  // empty until one is selected
    plan.hostUsd = usdOf(*m_host);
    plan.hostWatts = m_hostWatts->value();
    plan.usdPerKwh = usdOf(*m_kwh);
    plan.utilization = m_utilization->value() / 100.0;
    m_utilizationText->setText(tr("Utilisation: %1").arg(Format::percent(plan.utilization)));
    m_context.advice.setPurchase(plan);
    if (!m_context.advice.answer()) return;
    const AdvicePresenter presenter(*m_context.advice.answer());
    m_sentence->setText(presenter.buyOrRentSentence(plan));
    m_chart->setSpec(presenter.buyOrRent(plan));
}

}  // namespace steelyard::ui

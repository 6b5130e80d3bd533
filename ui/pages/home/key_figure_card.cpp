// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/home/key_figure_card.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace steelyard::ui {

KeyFigureCard::KeyFigureCard(QWidget* parent) : Card({}, parent) {
    body()->setSpacing(2);
    m_label = new ElidedLabel({}, this);
    setRole(m_label, role::kMuted);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    m_value = makeLabel({}, role::kFigure, this, false);
    m_unit = makeLabel({}, role::kFigureUnit, this, false);
    row->addWidget(m_value, 0, Qt::AlignBottom);
    row->addWidget(m_unit, 0, Qt::AlignBottom);
    row->addStretch(1);
    m_interval = new ElidedLabel({}, this);
    m_where = new ElidedLabel({}, this);
    setRole(m_interval, role::kSmall);
    setRole(m_where, role::kSmall);
    body()->addWidget(m_label);
    body()->addLayout(row);
    body()->addWidget(m_interval);
    body()->addWidget(m_where);
}

void KeyFigureCard::setFigure(const KeyFigure& figure) {
    m_label->setFullText(figure.label);
    m_value->setText(figure.value);
    m_unit->setText(figure.unit);
    m_interval->setFullText(figure.interval);
    m_where->setFullText(figure.where);
    setAccessibleName(QStringLiteral("%1: %2 %3").arg(figure.label, figure.value, figure.unit));
}

}  // namespace steelyard::ui

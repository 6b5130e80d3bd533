// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/choice_view.h"

#include <QVBoxLayout>

#include "ui/text/format.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

ChoiceView::ChoiceView(QWidget* parent) : Card(QStringLiteral(" "), parent) {
    body()->setSpacing(2);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // three of equal width
    m_chosen = makeLabel(tr("Recommended"), role::kGood, this, false);
    m_machine = new ElidedLabel({}, this);
    m_device = new ElidedLabel({}, this);
    setRole(m_device, role::kSmall);
    m_time = makeLabel({}, role::kTitle, this, false);
    m_timeBand = new ElidedLabel({}, this);
    setRole(m_timeBand, role::kSmall);
    m_cost = makeLabel({}, role::kTitle, this, false);
    m_costBand = new ElidedLabel({}, this);
    setRole(m_costBand, role::kSmall);
    m_reasons = makeLabel({}, role::kSmall, this);
    body()->addWidget(m_chosen);
    body()->addWidget(m_machine);
    body()->addWidget(m_device);
    body()->addSpacing(spacing::kStep);
    auto* figures = new QVBoxLayout;  // stacked: a card may be narrow
    figures->setSpacing(spacing::kStep);
    for (const auto& [value, band] : {std::pair{m_cost, m_costBand}, std::pair{m_time, m_timeBand}}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(0);
        column->addWidget(value);
        column->addWidget(band);
        figures->addLayout(column, 1);
    }
    body()->addLayout(figures);
    body()->addSpacing(spacing::kStep);
    body()->addWidget(m_reasons);
    body()->addStretch(1);
}

void ChoiceView::setChoice(const ChoiceCard& choice) {
    setHeading(choice.heading);
    m_chosen->setVisible(choice.chosen);
    m_machine->setFullText(choice.machine);
    m_device->setFullText(choice.device.isEmpty() ? QStringLiteral(" ") : choice.device);
    m_time->setText(choice.time);
    m_timeBand->setFullText(choice.timeBand);
    m_cost->setText(choice.cost);
    m_costBand->setFullText(choice.costBand);
    auto lines = choice.reasons;
    lines.prepend(choice.label);
    m_reasons->setText(Format::unbroken(lines.join(QLatin1Char('\n'))));
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/navigation.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/basics.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

Navigation::Navigation(QWidget* parent) : QFrame(parent) {
    setRole(this, role::kNavigation);
    setAccessibleName(tr("Pages"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::kSmall, spacing::kCard, spacing::kSmall, spacing::kCard);
    layout->setSpacing(spacing::kStep);
    auto* brand = new QHBoxLayout;
    brand->setContentsMargins(spacing::kSmall, 0, 0, spacing::kCard);
    brand->setSpacing(10);
    // In a collapsed column of large text it must not become wider than the column.
    auto* mark = new IconLabel(QStringLiteral("steelyard"), IconColour::Text,
                               std::min(28, static_cast<int>(40 / textScale())), this);
    m_name = makeLabel(QStringLiteral("Steelyard"), role::kHeading, this, false);
    brand->addWidget(mark);
    brand->addWidget(m_name, 1);
    layout->addLayout(brand);
    m_pages = new QVBoxLayout;
    m_pages->setSpacing(2);
    layout->addLayout(m_pages);
    layout->addStretch(1);
    m_runButton = new QToolButton(this);
    m_runButton->setObjectName(QStringLiteral("navigationRun"));
    setRole(m_runButton, role::kNavigation);
    m_runButton->setIcon(icon(QStringLiteral("run"), IconColour::Accent));
    m_runBar = new QProgressBar(this);
    m_runBar->setTextVisible(false);
    layout->addWidget(m_runButton);
    layout->addWidget(m_runBar);
    m_group = new QButtonGroup(this);
    m_group->setExclusive(true);
    connect(m_runButton, &QToolButton::clicked, this, &Navigation::runClicked);
    hideRun();
    applyWidth();
}

void Navigation::addPage(const QString& id, const QString& iconName, const QString& title) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("navigation_%1").arg(id));
    setRole(button, role::kNavigation);
    button->setIcon(icon(iconName));
    button->setText(QString(title).replace(QLatin1Char('&'), QLatin1String("&&")));
    button->setAccessibleName(title);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_pages->addWidget(button);
    m_group->addButton(button);
    m_entries.push_back({id, title, button});
    const auto key = QKeySequence(QStringLiteral("Ctrl+%1").arg(m_entries.size() % 10));
    button->setToolTip(QStringLiteral("%1 (%2)").arg(title, key.toString(QKeySequence::NativeText)));
    connect(button, &QToolButton::clicked, this, [this, id] { emit pageChosen(id); });
    applyWidth();
}

void Navigation::setCurrent(const QString& id) {
    for (const auto& entry : m_entries) {
        if (entry.id == id) entry.button->setChecked(true);
    }
}

void Navigation::setCollapsed(bool collapsed) {
    if (m_collapsed == collapsed) return;
    m_collapsed = collapsed;
    applyWidth();
}

void Navigation::applyWidth() {
    // Icons alone need not grow as much as text.
    setFixedWidth(m_collapsed ? std::min(scaled(kNarrow), kNarrow * 4 / 3) : scaled(kWide));
    m_name->setVisible(!m_collapsed);
    const auto style = m_collapsed ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
    const auto place = [&](QToolButton* button) {
        button->setToolButtonStyle(style);
        button->setIconSize(m_collapsed ? scaled(QSize(22, 22)).boundedTo(QSize(34, 34))
                                        : scaled(QSize(30, 20)));  // with a gap before the word
        setRole(button, m_collapsed ? role::kNavigationIcon : role::kNavigation);
    };
    for (const auto& entry : m_entries) place(entry.button);
    place(m_runButton);
    m_runButton->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Navigation::showRun(const QString& text, double progress) {
    m_runText = text;
    m_runButton->setText(fontMetrics().elidedText(text, Qt::ElideRight, scaled(kWide - 72)));
    m_runButton->setToolTip(text);
    m_runButton->setAccessibleName(text);
    m_runBar->setAccessibleName(tr("Progress of the run"));
    m_runBar->setRange(0, progress < 0 ? 0 : 1000);
    m_runBar->setValue(static_cast<int>(progress * 1000));
    m_runButton->show();
    m_runBar->show();
}

void Navigation::hideRun() {
    m_runButton->hide();
    m_runBar->hide();
}

}  // namespace steelyard::ui

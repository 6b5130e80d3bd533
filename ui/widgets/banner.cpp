// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/banner.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

Banner::Banner(const QString& action, QWidget* parent, const QString& iconName) : QFrame(parent) {
    setRole(this, role::kWarning);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::kGap, 6, 6, 6);
    m_badge = new Badge(this);
    m_badge->setWrapping();
    layout->addWidget(m_badge, 1);
    if (!action.isEmpty()) {
        auto* button = makeButton(action, iconName, "", this);
        button->setObjectName(QStringLiteral("bannerAction"));
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, &Banner::actionTriggered);
    }
    hide();
}

void Banner::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    m_badge->setState(Tone::Caution, text);
    setVisible(!text.isEmpty());
}

}  // namespace steelyard::ui

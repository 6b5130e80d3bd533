// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/page.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/pages/window_context.h"
#include "ui/text/status_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

Page::Page(WindowContext& context, const QString& title, QWidget* parent) : QWidget(parent) {
    context.theme.addPart(this);
    setAccessibleName(title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::kPage, spacing::kCard + 2, spacing::kPage, spacing::kCard);
    layout->setSpacing(spacing::kGap);
    auto* head = new AdaptiveRow(this, spacing::kSmall);
    auto* wordsWidget = new QWidget(head);
    auto* words = new QVBoxLayout(wordsWidget);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(2);
    m_title = makeLabel(title, role::kTitle, this, false);
    m_subtitle = new ElidedLabel({}, this);
    setRole(m_subtitle, role::kMuted);
    m_subtitle->hide();
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    head->addWidget(wordsWidget, 1);
    auto* actions = new QWidget(head);
    m_actions = new FlowLayout(actions, spacing::kSmall);
    head->addWidget(actions);
    layout->addWidget(head);
    m_content = new QVBoxLayout;
    m_content->setSpacing(spacing::kGap);
    layout->addLayout(m_content, 1);
}

QString Page::title() const {
    return m_title->text();
}

void Page::setSubtitle(const QString& text) {
    m_subtitle->setFullText(text);
    m_subtitle->setVisible(!text.isEmpty());
}

void Page::postExported(const QString& file) {
    emit filePosted(tr("Exported to %1").arg(file), file);
}

QScrollArea* Page::addScrolled(QWidget* widget) {
    auto* area = makeScrolled(widget, this);
    m_content->addWidget(area, 1);
    return area;
}

}  // namespace steelyard::ui

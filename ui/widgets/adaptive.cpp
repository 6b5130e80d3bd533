// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/adaptive.h"

#include <QBoxLayout>
#include <QEvent>
#include <algorithm>

#include "ui/widgets/theme.h"

namespace steelyard::ui {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), m_gap(gap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    for (auto* item : m_items) delete item;
}

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.push_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    auto* item = itemAt(index);
    if (item) m_items.erase(m_items.begin() + index);
    return item;
}

QSize FlowLayout::sizeHint() const {
    QSize size;
    int shown = 0;
    for (const auto* item : m_items) {
        if (item->isEmpty()) continue;
        size.rwidth() += item->sizeHint().width() + (shown++ > 0 ? m_gap : 0);
        size.setHeight(std::max(size.height(), item->sizeHint().height()));
    }
    size.rwidth() += m_gap;  // sizes are rounded by the surrounding layouts
    return size;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto* item : m_items) {
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool apply) const {
    int y = rect.y();
    std::vector<QLayoutItem*> line;
    int used = 0;
    const auto endLine = [&] {
        int height = 0;
        for (const auto* item : line) height = std::max(height, item->sizeHint().height());
        const int count = static_cast<int>(line.size());
        int rest = m_filling ? rect.width() - used : 0;
        int x = rect.x();
        for (int index = 0; index < count; ++index) {
            auto* item = line[static_cast<std::size_t>(index)];
            const int extra = rest / (count - index);
            rest -= extra;
            const int width = std::min(item->sizeHint().width() + extra, rect.width());
            const int own = std::min(item->sizeHint().height(), height);
            if (apply) item->setGeometry(QRect(x, y + (height - own) / 2, width, own));
            x += width + m_gap;
        }
        y += height;
        line.clear();
        used = 0;
    };
    for (auto* item : m_items) {
        if (item->isEmpty()) continue;
        const int needed = item->sizeHint().width();
        if (!line.empty() && used + m_gap + needed > rect.width()) {
            endLine();
            y += m_gap;
        }
        used += needed + (line.empty() ? 0 : m_gap);
        line.push_back(item);
    }
    if (!line.empty()) endLine();
    return y - rect.y();
}

AdaptiveRow::AdaptiveRow(QWidget* parent, int gap) : QWidget(parent) {
    m_layout = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(gap);
}

void AdaptiveRow::addWidget(QWidget* widget, int stretch, int least) {
    m_layout->addWidget(widget, stretch);
    m_parts.push_back({widget, least, stretch == 0});
}

int AdaptiveRow::leastWidth(const Part& part) const {
    if (part.least > 0) return scaled(part.least);
    if (const auto* flow = dynamic_cast<const FlowLayout*>(part.widget->layout())) return flow->sizeHint().width();
    return std::max(part.widget->minimumSizeHint().width(), part.widget->minimumWidth());
}

void AdaptiveRow::decide() {
    int needed = -m_layout->spacing();
    for (const auto& part : m_parts) {
        if (!part.widget->isHidden()) needed += leastWidth(part) + m_layout->spacing();
    }
    const bool stacked = needed > width();
    if (stacked == m_stacked) return;
    m_stacked = stacked;
    const auto below = m_lastFirst ? QBoxLayout::BottomToTop : QBoxLayout::TopToBottom;
    m_layout->setDirection(stacked ? below : QBoxLayout::LeftToRight);
    for (const auto& part : m_parts) {
        const bool flows = dynamic_cast<const FlowLayout*>(part.widget->layout()) != nullptr;
        if (part.keepsWidth && part.least == 0 && !flows)
            m_layout->setAlignment(part.widget, stacked ? Qt::AlignLeft : Qt::Alignment());
    }
    updateGeometry();
    emit stackedChanged(stacked);
}

QSize AdaptiveRow::minimumSizeHint() const {
    int width = 0;
    for (const auto& part : m_parts) {
        if (!part.widget->isHidden())
            width = std::max({width, part.widget->minimumSizeHint().width(), part.widget->minimumWidth()});
    }
    return {width, m_layout->minimumSize().height()};
}

void AdaptiveRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    decide();
}

bool AdaptiveRow::event(QEvent* event) {
    const bool result = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) decide();
    return result;
}

}  // namespace steelyard::ui

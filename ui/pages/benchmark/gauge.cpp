// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/gauge.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/text/format.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

Gauge::Gauge(const QString& name, QWidget* parent) : QWidget(parent), m_name(name), m_now(Format::unknown()) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleRole(this, QAccessible::Indicator);
    setAccessibleName(name);
}

QSize Gauge::sizeHint() const {
    return scaled(QSize(116, 62));
}

QSize Gauge::minimumSizeHint() const {
    return scaled(QSize(104, 62));
}

void Gauge::setRange(double low, double high) {
    m_low = low;
    m_high = high;
}

void Gauge::setReadings(const std::deque<std::optional<double>>& readings, const QString& now) {
    m_readings = readings;
    m_now = now;
    setAccessibleValue(this, now);
    setToolTip(now == Format::unknown() ? tr("%1: not readable here").arg(m_name)
                                        : QStringLiteral("%1: %2").arg(m_name, now));
    update();
}

void Gauge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = Theme::of(palette());
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), spacing::kRadius, spacing::kRadius);

    const QRectF inner = QRectF(rect()).adjusted(10, 6, -10, -8);
    painter.setFont(fontOfSize(fontsize::kSmall));
    painter.setPen(theme.muted);
    const QFontMetricsF metrics(painter.font());
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(m_name, Qt::ElideRight, inner.width()));
    painter.setFont(fontOfSize(fontsize::kBase, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(inner.adjusted(0, metrics.height(), 0, 0), Qt::AlignLeft | Qt::AlignTop, m_now);

    double low = m_low.value_or(0);
    double high = m_high.value_or(0);
    for (const auto& reading : m_readings) {
        if (!reading || m_high) continue;
        high = std::max(high, *reading * 1.1);
    }
    if (high <= low) return;
    const QRectF plot(inner.left(), inner.bottom() - 12, inner.width(), 12);
    constexpr std::size_t kShown = 60;
    const std::size_t first = m_readings.size() > kShown ? m_readings.size() - kShown : 0;
    QPainterPath path;
    bool open = false;
    for (std::size_t index = first; index < m_readings.size(); ++index) {
        if (!m_readings[index]) {
            open = false;
            continue;
        }
        const double x = plot.left() + plot.width() * static_cast<double>(index - first) / (kShown - 1);
        const double share = std::clamp((*m_readings[index] - low) / (high - low), 0.0, 1.0);
        const QPointF point(x, plot.bottom() - share * plot.height());
        if (open) {
            path.lineTo(point);
        } else {
            path.moveTo(point);
        }
        open = true;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.6));
    painter.drawPath(path);
}

}  // namespace steelyard::ui

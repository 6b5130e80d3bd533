// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/live_samples_view.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <vector>

#include "ui/charts/ticks.h"
#include "ui/text/format.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr std::size_t kMostDots = 400;  // above this only every n-th sample is drawn

}  // namespace

LiveSamplesView::LiveSamplesView(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::Chart);
    setAccessibleName(tr("Samples of the running case"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LiveSamplesView::setSamples(const std::deque<LiveSample>& samples) {
    m_samples = samples;
    if (!samples.empty() && samples.back().median) {
        const auto& last = samples.back();
        auto text =
            tr("%n sample(s), median %1", nullptr, static_cast<int>(samples.size())).arg(Format::seconds(*last.median));
        if (last.ciLow && last.ciHigh) {
            text += tr(", 95 % interval %1 to %2").arg(Format::seconds(*last.ciLow), Format::seconds(*last.ciHigh));
        }
        setAccessibleValue(this, text);
    }
    update();
}

void LiveSamplesView::setWaitingText(const QString& text) {
    m_waiting = text;
    if (m_samples.empty()) setAccessibleValue(this, text);
    update();
}

void LiveSamplesView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = Theme::of(palette());
    painter.setFont(fontOfSize(fontsize::kSmall));
    const QFontMetricsF metrics(painter.font());
    if (m_samples.empty()) {
        painter.setPen(theme.muted);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_waiting);
        return;
    }
    // The axis covers the bulk of the samples: a single slow outlier must not flatten the rest.
    std::vector<double> values;
    for (const auto& sample : m_samples) values.push_back(sample.seconds);
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    std::vector<double> shown{at(0.02), at(0.95)};
    const auto& last = m_samples.back();
    if (last.ciLow && last.ciHigh) shown.insert(shown.end(), {*last.ciLow, *last.ciHigh});
    const double divisor = Format::secondsUnit(at(0.5)).divisor;
    for (auto& value : shown) value /= divisor;
    const auto scale = axisScale(shown, {ChartScale::Linear, false, 4, {}, 0.25});

    double tickWidth = 0;
    for (const double tick : scale.ticks)
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(Format::number(tick)));
    const QRectF plot = QRectF(rect()).adjusted(tickWidth + 10, metrics.height() + 6, -6, -8);
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, 0, width(), metrics.height()), Qt::AlignLeft,
                     tr("Time per step (%1)").arg(Format::secondsUnit(at(0.5)).unit));
    const auto y = [&](double value) {
        return plot.bottom() - (value - scale.low) / (scale.high - scale.low) * plot.height();
    };
    for (const double tick : scale.ticks) {
        painter.setPen(QPen(theme.line, 1));
        painter.drawLine(QPointF(plot.left(), y(tick)), QPointF(plot.right(), y(tick)));
        painter.setPen(theme.muted);
        painter.drawText(QRectF(0, y(tick) - metrics.height() / 2, plot.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, Format::number(tick));
    }
    painter.setClipRect(plot.adjusted(-2, -2, 4, 2));
    painter.translate(0, 0);
    const double perUnit = plot.height() / (scale.high - scale.low);
    painter.save();
    painter.translate(plot.left(), plot.bottom() + scale.low * perUnit);
    paintSamples(painter, QRectF(0, 0, plot.width(), perUnit), divisor);
    painter.restore();
}

// In coordinates with the first sample and zero seconds as origin; plot.height() is the pixels per unit.
void LiveSamplesView::paintSamples(QPainter& painter, const QRectF& plot, double divisor) {
    const auto& theme = Theme::of(palette());
    const auto count = m_samples.size();
    const std::size_t stride = std::max<std::size_t>(1, count / kMostDots);
    const auto x = [&](std::size_t index) {
        return plot.width() * static_cast<double>(index) / static_cast<double>(std::max<std::size_t>(count - 1, 9));
    };
    const auto y = [&](double seconds) { return -seconds / divisor * plot.height(); };
    QPolygonF upper;
    QPolygonF lower;
    QPolygonF median;
    for (std::size_t index = 0; index < count; index += stride) {
        const auto& sample = m_samples[index];
        if (sample.median) median << QPointF(x(index), y(*sample.median));
        if (!sample.ciLow || !sample.ciHigh) continue;
        upper << QPointF(x(index), y(*sample.ciHigh));
        lower.prepend(QPointF(x(index), y(*sample.ciLow)));
    }
    auto band = theme.accent;
    band.setAlpha(48);
    painter.setPen(Qt::NoPen);
    painter.setBrush(band);
    painter.drawPolygon(upper + lower);
    auto dot = theme.muted;
    dot.setAlpha(150);
    painter.setBrush(dot);
    for (std::size_t index = 0; index < count; index += stride) {
        painter.drawEllipse(QPointF(x(index), y(m_samples[index].seconds)), 2.2, 2.2);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2));
    painter.drawPolyline(median);
}

}  // namespace steelyard::ui

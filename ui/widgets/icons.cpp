// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

QColor colourOf(IconColour colour, const Theme& theme) {
    switch (colour) {
        case IconColour::Text:
            return theme.text;
        case IconColour::Muted:
            return theme.muted;
        case IconColour::Accent:
            return theme.accent;
        case IconColour::OnAccent:
            return theme.onAccent;
        case IconColour::Good:
            return theme.good;
        case IconColour::Caution:
            return theme.caution;
        case IconColour::Bad:
            return theme.bad;
    }
    return theme.text;
}

QByteArray svgOf(const QString& name) {
    QFile file(QStringLiteral(":/steelyard/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void paintSvg(QPainter* painter, const QString& name, const QColor& colour, const QRectF& rect) {
    auto svg = svgOf(name);
    if (svg.isEmpty()) return;
    svg.replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
    QSvgRenderer renderer(svg);
    painter->setRenderHint(QPainter::Antialiasing);
    // A square at the left: the additional width is the distance to the text.
    const double side = std::min(rect.width(), rect.height());
    renderer.render(painter, QRectF(rect.left(), rect.top() + (rect.height() - side) / 2, side, side));
}

class LineIconEngine final : public QIconEngine {
public:
    LineIconEngine(QString name, IconColour colour) : m_name(std::move(name)), m_colour(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        paintSvg(painter, m_name, effectiveColour(mode, state), rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        const auto colour = effectiveColour(mode, state);
        const auto key = QStringLiteral("steelyard-icon-%1-%2-%3x%4")
                             .arg(m_name, colour.name())
                             .arg(size.width())
                             .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap)) return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paintSvg(&painter, m_name, colour, QRectF(QPointF(), QSizeF(size)));
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIconEngine(*this); }
    QString key() const override { return QStringLiteral("steelyard"); }

private:
    QColor effectiveColour(QIcon::Mode mode, QIcon::State state) const {
        const auto palette = QGuiApplication::palette();
        const auto& theme = Theme::of(palette);
        if (mode == QIcon::Disabled) return theme.muted;
        if (state == QIcon::On && m_colour == IconColour::Text) return theme.accent;
        return colourOf(m_colour, theme);
    }

    QString m_name;
    IconColour m_colour;
};

}  // namespace

QIcon icon(const QString& name, IconColour colour) {
    if (svgOf(name).isEmpty()) return {};
    return QIcon(new LineIconEngine(name, colour));
}

QPixmap iconPixmap(const QString& name, IconColour colour, int size, qreal devicePixelRatio) {
    auto pixmap = icon(name, colour).pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

}  // namespace steelyard::ui

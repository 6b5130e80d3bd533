// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/label_wrap.h"

namespace steelyard::ui {
namespace {

QStringList pieces(const QString& text) {
    QStringList result;
    QString current;
    for (const QChar character : text) {
        const bool ideograph = character.script() == QChar::Script_Han;
        if (ideograph && !current.isEmpty()) {
            result << current;
            current.clear();
        }
        current += character;
        if (ideograph || character.isSpace() || QStringLiteral("-/_").contains(character)) {
            result << current;
            current.clear();
        }
    }
    if (!current.isEmpty()) result << current;
    return result;
}

}  // namespace

WrappedLabel wrapLabel(const QString& text, const QFontMetricsF& metrics, double width, int maxLines) {
    WrappedLabel result;
    QString line;
    const auto fits = [&](const QString& candidate) { return metrics.horizontalAdvance(candidate.trimmed()) <= width; };
    const auto flush = [&] {
        if (!line.trimmed().isEmpty()) result.lines << line.trimmed();
        line.clear();
    };
    for (const auto& piece : pieces(text)) {
        if (fits(line + piece)) {
            line += piece;
            continue;
        }
        flush();
        for (const QChar character : piece) {  // a single word wider than the slot is broken
            if (!line.isEmpty() && !fits(line + character)) {
                flush();
                result.broken = true;
            }
            line += character;
        }
    }
    flush();
    if (result.lines.size() > maxLines) {
        const auto rest = result.lines.mid(maxLines - 1).join(QLatin1Char(' '));
        result.lines = result.lines.mid(0, maxLines - 1);
        result.lines << metrics.elidedText(rest, Qt::ElideRight, width);
        result.elided = true;
        result.broken = true;
    }
    return result;
}

}  // namespace steelyard::ui

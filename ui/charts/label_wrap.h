// SPDX-License-Identifier: Apache-2.0
// Wraps a category label into a few lines, where Qt Charts would elide it. Pure function.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace steelyard::ui {

struct WrappedLabel {
    QStringList lines;
    bool elided = false;
    bool broken = false;  // a word was broken, or text was omitted
};

// Breaks after spaces, hyphens, slashes and underscores and between ideographs; words that are too wide are broken;
// text beyond maxLines is elided.
[[nodiscard]] WrappedLabel wrapLabel(const QString& text, const QFontMetricsF& metrics, double width, int maxLines = 4);

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Wraps the label of a category into a few lines: Qt Charts elides it instead. Pure function.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace steelyard::ui {

struct WrappedLabel {
    QStringList lines;
    bool elided = false;
    bool broken = false;  // a word was, or something was left out
};

// Breaks after spaces, hyphens, slashes and underscores and between ideographs; a word too wide is broken; what does
// not fit into maxLines ends with an ellipsis.
[[nodiscard]] WrappedLabel wrapLabel(const QString& text, const QFontMetricsF& metrics, double width, int maxLines = 4);

}  // namespace steelyard::ui

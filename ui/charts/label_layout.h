// SPDX-License-Identifier: Apache-2.0
// Places labels beside marks without overlap: each tries the positions around its mark in order and takes the first
// free one; a label without one is omitted (it is still shown on hover). Pure; pixels.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace steelyard::ui {

struct LabelWish {
    QPointF anchor;        // the mark's centre
    double clearance = 6;  // from the centre to the nearest edge of the label
    QSizeF size;
    bool onLine = false;  // a horizontal line passes through the anchor: the label goes above or below it
};

// In input order, which is the priority. Labels never cover obstacles or leave the bounds.
[[nodiscard]] std::vector<std::optional<QRectF>> layOutLabels(const std::vector<LabelWish>& wishes,
                                                              const std::vector<QRectF>& obstacles,
                                                              const QRectF& bounds);

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Where the words beside marks go so that they collide with nothing: each tries the places around its mark in turn and
// takes the first that is free; one that finds none is left out (hovering still tells it). Pure; pixels.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace steelyard::ui {

struct LabelWish {
    QPointF anchor;        // the mark's centre
    double clearance = 6;  // from the centre to the nearest edge of the words
    QSizeF size;
    bool onLine = false;  // a line runs level through the anchor: the words stand above or below it
};

// In the order of the wishes: who comes first chooses first. Nothing covers an obstacle or leaves the bounds.
[[nodiscard]] std::vector<std::optional<QRectF>> layOutLabels(const std::vector<LabelWish>& wishes,
                                                              const std::vector<QRectF>& obstacles,
                                                              const QRectF& bounds);

}  // namespace steelyard::ui

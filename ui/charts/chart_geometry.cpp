// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_geometry.h"

#include <QLineF>

namespace steelyard::ui {
namespace {

constexpr double kReach = 12;  // pixels around a mark that count as a hit

}  // namespace

std::optional<PointRef> ChartGeometry::pointAt(const QPointF& position) const {
    for (const auto& mark : marks) {
        if (mark.bar && mark.box.adjusted(-1, -4, 1, 4).contains(position)) return mark.ref;
    }
    std::optional<PointRef> nearest;
    double best = kReach;
    const auto consider = [&](const QPointF& centre, const PointRef& ref) {
        const double distance = QLineF(centre, position).length();
        if (distance < best) {
            best = distance;
            nearest = ref;
        }
    };
    for (const auto& mark : marks) consider(mark.centre, mark.ref);
    for (const auto& unknown : unknowns) consider(unknown.position, unknown.ref);
    return nearest;
}

QPointF ChartGeometry::anchorOf(const PointRef& ref) const {
    for (const auto& mark : marks) {
        if (mark.ref == ref) return mark.centre;
    }
    for (const auto& unknown : unknowns) {
        if (unknown.ref == ref) return unknown.position;
    }
    return plot.center();
}

}  // namespace steelyard::ui

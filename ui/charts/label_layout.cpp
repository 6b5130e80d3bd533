// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/label_layout.h"

#include <algorithm>
#include <array>

namespace steelyard::ui {
namespace {

constexpr std::size_t kLevel = 2;  // number of level positions, which come first

// Right, left, above, below, then the corners, then the same farther away.
std::vector<QRectF> placesOf(const LabelWish& wish) {
    std::vector<QRectF> places;
    const double w = wish.size.width();
    const double h = wish.size.height();
    for (const double reach : {wish.clearance, wish.clearance + h, wish.clearance + 2 * h}) {
        const std::array<QPointF, 8> corners{QPointF(reach, -h / 2),          QPointF(-reach - w, -h / 2),
                                             QPointF(-w / 2, -reach - h),     QPointF(-w / 2, reach),
                                             QPointF(reach, -reach - h),      QPointF(reach, reach),
                                             QPointF(-reach - w, -reach - h), QPointF(-reach - w, reach)};
        for (std::size_t i = wish.onLine ? kLevel : 0; i < corners.size(); ++i)
            places.emplace_back(wish.anchor + corners[i], wish.size);
    }
    return places;
}

}  // namespace

std::vector<std::optional<QRectF>> layOutLabels(const std::vector<LabelWish>& wishes,
                                                const std::vector<QRectF>& obstacles, const QRectF& bounds) {
    std::vector<std::optional<QRectF>> result;
    std::vector<QRectF> taken = obstacles;
    for (const auto& wish : wishes) {
        result.emplace_back();
        for (const auto& place : placesOf(wish)) {
            const bool free = bounds.contains(place) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& o) {
                                  return o.intersects(place);
                              });
            if (!free) continue;
            result.back() = place;
            taken.push_back(place);
            break;
        }
    }
    return result;
}

}  // namespace steelyard::ui

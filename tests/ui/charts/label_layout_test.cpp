// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/label_layout.h"

#include <gtest/gtest.h>

namespace steelyard::ui {
namespace {

const QRectF kBounds(0, 0, 300, 200);

TEST(LabelLayout, APlaceAtTheRightIsTakenFirst) {
    const auto places = layOutLabels({{QPointF(100, 100), 6, QSizeF(50, 14)}}, {}, kBounds);
    ASSERT_TRUE(places.front().has_value());
    EXPECT_EQ(*places.front(), QRectF(106, 93, 50, 14));
}

TEST(LabelLayout, AtTheEdgeItMovesToTheOtherSide) {
    const auto places = layOutLabels({{QPointF(290, 100), 6, QSizeF(50, 14)}}, {}, kBounds);
    ASSERT_TRUE(places.front().has_value());
    EXPECT_LT(places.front()->right(), 290);
}

TEST(LabelLayout, OnALineItStandsAboveOrBelow) {
    const auto inside = layOutLabels({{QPointF(100, 100), 2, QSizeF(50, 14), true}}, {}, kBounds);
    ASSERT_TRUE(inside.front().has_value());
    EXPECT_EQ(*inside.front(), QRectF(75, 84, 50, 14));
    const auto atTheCorner = layOutLabels({{QPointF(300, 3), 2, QSizeF(50, 14), true}}, {}, kBounds);
    ASSERT_TRUE(atTheCorner.front().has_value());
    EXPECT_GT(atTheCorner.front()->top(), 3);
}

TEST(LabelLayout, NothingCollidesInACrowd) {
    std::vector<LabelWish> wishes;
    std::vector<QRectF> marks;
    for (int i = 0; i < 40; ++i) {
        const QPointF anchor(20 + (i * 37) % 260, 10 + (i * 53) % 180);
        wishes.push_back({anchor, 8, QSizeF(60, 14)});
        marks.emplace_back(anchor - QPointF(4, 4), QSizeF(8, 8));
    }
    const auto places = layOutLabels(wishes, marks, kBounds);
    std::size_t placed = 0;
    for (std::size_t a = 0; a < places.size(); ++a) {
        if (!places[a]) continue;
        ++placed;
        EXPECT_TRUE(kBounds.contains(*places[a]));
        for (const auto& mark : marks) EXPECT_FALSE(places[a]->intersects(mark));
        for (std::size_t b = a + 1; b < places.size(); ++b)
            EXPECT_FALSE(places[b] && places[a]->intersects(*places[b])) << a << " and " << b;
    }
    EXPECT_GT(placed, 5U);
    EXPECT_LT(placed, wishes.size()) << "there is not room for all: some must be left out";
    EXPECT_TRUE(places.front().has_value()) << "who comes first chooses first";
}

}  // namespace
}  // namespace steelyard::ui

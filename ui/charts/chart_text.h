// SPDX-License-Identifier: Apache-2.0
// What a point of a chart says in words: on hover, to a screen reader, in the table. Pure functions.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/charts/chart_geometry.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

class ChartText {
    Q_DECLARE_TR_FUNCTIONS(ChartText)

public:
    // The point's place on the x axis: its category, or its number.
    static QString place(const ChartSpec& spec, const PointRef& ref);
    // The value with up to six digits and its unit; a dash when unknown.
    static QString exactValue(const ChartSpec& spec, const ChartPoint& point);
    static QString interval(const ChartPoint& point);
    static QString intervalName(const ChartSpec& spec);
    // "measured", "predicted", "imported", or why there is no value; then the point's note.
    static QString state(const ChartPoint& point);
    // Several lines for a tooltip.
    static QString hover(const ChartSpec& spec, const PointRef& ref);
    // The spec's own description, or one made of its titles and its lowest and highest value.
    static QString description(const ChartSpec& spec);
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// A point of a chart as text: for hovering, screen readers, the table. Pure functions.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/charts/chart_geometry.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

class ChartText {
    Q_DECLARE_TR_FUNCTIONS(ChartText)

public:
    // The point's position on the x axis: its category, or its number.
    static QString place(const ChartSpec& spec, const PointRef& ref);
    // The value with up to six digits and its unit; a dash if unknown.
    static QString exactValue(const ChartSpec& spec, const ChartPoint& point);
    static QString interval(const ChartPoint& point);
    static QString intervalName(const ChartSpec& spec);
    // "measured", "predicted", "imported", or why there is no value; then the point's note.
    static QString state(const ChartPoint& point);
    // Multi-line tooltip.
    static QString hover(const ChartSpec& spec, const PointRef& ref);
    // The spec's description, or one generated from its titles and extreme values.
    static QString description(const ChartSpec& spec);
};

}  // namespace steelyard::ui

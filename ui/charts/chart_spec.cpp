// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_spec.h"

#include <algorithm>

namespace steelyard::ui {

bool ChartSpec::hasValues() const {
    return std::any_of(series.begin(), series.end(), [](const ChartSeries& one) {
        return std::any_of(one.points.begin(), one.points.end(),
                           [](const ChartPoint& point) { return point.y.has_value(); });
    });
}

QString fileStem(const ChartSpec& spec) {
    QString stem;
    for (const QChar character : spec.title.toLower()) {
        if (character.isLetterOrNumber()) {
            stem += character;
        } else if (!stem.isEmpty() && !stem.endsWith(QLatin1Char('-'))) {
            stem += QLatin1Char('-');
        }
    }
    while (stem.endsWith(QLatin1Char('-'))) stem.chop(1);
    if (stem.isEmpty()) stem = QStringLiteral("chart");
    return spec.origin.isEmpty() ? stem : stem + QLatin1Char('-') + spec.origin;
}

}  // namespace steelyard::ui

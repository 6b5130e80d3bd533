// SPDX-License-Identifier: Apache-2.0
// A field for a number that may have decimals: "3" and "0.25", not "3.000", which many people read as three thousand.
// GUI thread.
#pragma once

#include <QDoubleSpinBox>

namespace steelyard::ui {

class NumberBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    [[nodiscard]] QString textFromValue(double value) const override {
        auto text = QDoubleSpinBox::textFromValue(value);
        const auto point = locale().decimalPoint();
        if (!text.contains(point)) return text;
        while (text.endsWith(locale().zeroDigit())) text.chop(locale().zeroDigit().size());
        if (text.endsWith(point)) text.chop(point.size());
        return text;
    }
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// A field for an amount of money, in the currency that was shown when it was made; read and set in US dollars. When the
// currency changes, the window rebuilds its pages, and the old fields are still read in theirs. GUI thread.
#pragma once

#include <QDoubleSpinBox>

#include "ui/text/format.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

inline constexpr const char* kPerUsd = "perUsd";  // property: the rate at which the field was made

inline void useCurrency(QDoubleSpinBox& box) {
    box.setPrefix(Format::currencySymbol());
    box.setProperty(kPerUsd, Format::currency().perUsd);
}

inline void makeMoneyBox(QDoubleSpinBox& box, double mostUsd, int decimals) {
    useCurrency(box);
    box.setDecimals(decimals);
    box.setRange(0, Format::inCurrency(mostUsd));
    box.setGroupSeparatorShown(true);
    box.setKeyboardTracking(false);
}

inline QDoubleSpinBox* moneyBox(QWidget* parent, const char* name, double mostUsd, int decimals) {
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(QLatin1String(name));
    makeMoneyBox(*box, mostUsd, decimals);
    box->setMinimumWidth(scaled(84));
    return box;
}

[[nodiscard]] inline double usdOf(const QDoubleSpinBox& box) {
    return box.value() / box.property(kPerUsd).toDouble();
}
inline void setUsd(QDoubleSpinBox& box, double usd) {
    box.setValue(usd * box.property(kPerUsd).toDouble());
}

}  // namespace steelyard::ui

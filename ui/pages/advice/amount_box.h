// SPDX-License-Identifier: Apache-2.0
// A field for an amount of money, power etc. in the views of Cost & advice. GUI thread.
#pragma once

#include <QDoubleSpinBox>

#include "ui/widgets/theme.h"

namespace steelyard::ui {

inline QDoubleSpinBox* amountBox(QWidget* parent, const char* name, double most, int decimals) {
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, most);
    box->setDecimals(decimals);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
    box->setMinimumWidth(scaled(84));
    return box;
}

}  // namespace steelyard::ui

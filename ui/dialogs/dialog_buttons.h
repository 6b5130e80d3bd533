// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialogButtonBox>
#include <QPushButton>

namespace steelyard::ui {

// A button box with one standard button, without the style's icon, which does not match the program's.
[[nodiscard]] inline QDialogButtonBox* makeDialogButtons(QDialogButtonBox::StandardButton button, QWidget* parent) {
    auto* buttons = new QDialogButtonBox(button, parent);
    buttons->button(button)->setIcon({});
    return buttons;
}

}  // namespace steelyard::ui

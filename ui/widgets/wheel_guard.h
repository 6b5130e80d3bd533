// SPDX-License-Identifier: Apache-2.0
// Keeps the mouse wheel from changing a value by accident: while a page is scrolled, a spin box, combo box or slider
// under the pointer ignores the wheel, so that the page behind it scrolls. A field that has the keyboard focus (by
// click or Tab; never by the wheel itself) still takes it. An event filter for the whole application: install one on
// the QApplication. GUI thread.
#pragma once

#include <QObject>

namespace steelyard::ui {

class WheelGuard : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace steelyard::ui

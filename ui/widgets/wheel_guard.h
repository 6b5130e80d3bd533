// SPDX-License-Identifier: Apache-2.0
// Prevents accidental changes by the mouse wheel: while a page is scrolled, a spin box, combo box or slider under the
// pointer ignores the wheel, so that the page scrolls. A field with keyboard focus (by click or Tab, never by the
// wheel) still accepts it. An event filter for the whole application: install one on the QApplication. GUI thread.
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

// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

namespace steelyard::ui {
namespace {

// A scroll bar is not a setting.
bool holdsValue(const QWidget* widget) {
    return qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget) ||
           qobject_cast<const QSlider*>(widget);
}

}  // namespace

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (type != QEvent::Wheel && type != QEvent::Polish) return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || !holdsValue(widget)) return false;
    if (type == QEvent::Polish) {
        // Qt focuses a widget with WheelFocus before any filter sees the event.
        if (widget->focusPolicy() == Qt::WheelFocus) widget->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (widget->hasFocus()) return false;
    event->ignore();  // passes it on to the parent
    return true;
}

}  // namespace steelyard::ui

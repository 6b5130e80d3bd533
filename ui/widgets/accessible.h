// SPDX-License-Identifier: Apache-2.0
// What assistive technology is told of a widget that paints itself. Qt only knows its name and description: to a screen
// reader it would be an empty box. GUI thread.
#pragma once

#include <QAccessible>
#include <QString>

class QWidget;

namespace steelyard::ui {

// Call first in the widget's constructor: a screen reader that listens asks for the role when the name is set.
void setAccessibleRole(QWidget* widget, QAccessible::Role role);
// For a picture that repeats the text beside it: it is left out.
void setDecorative(QWidget* widget);
// The value in words, for a widget with a role of its own; a change is announced.
void setAccessibleValue(QWidget* widget, const QString& value);

}  // namespace steelyard::ui

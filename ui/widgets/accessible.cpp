// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/accessible.h"

#include <QAccessibleWidget>
#include <QVariant>
#include <QWidget>

namespace steelyard::ui {
namespace {

constexpr auto kRole = "accessibleRole";
constexpr auto kValue = "accessibleValue";

class PaintedWidget final : public QAccessibleWidget {
public:
    PaintedWidget(QWidget* widget, QAccessible::Role role) : QAccessibleWidget(widget, role) {}

    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? widget()->property(kValue).toString() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override {
        auto state = QAccessibleWidget::state();
        if (role() == QAccessible::NoRole) state.invisible = true;
        return state;
    }
};

// Qt asks once for each class that the object inherits from, the most derived one first.
QAccessibleInterface* makePainted(const QString&, QObject* object) {
    const auto role = object->property(kRole);
    auto* widget = role.isValid() ? qobject_cast<QWidget*>(object) : nullptr;
    return widget ? new PaintedWidget(widget, static_cast<QAccessible::Role>(role.toInt())) : nullptr;
}

}  // namespace

void setAccessibleRole(QWidget* widget, QAccessible::Role role) {
    QAccessible::installFactory(makePainted);  // once, whoever comes first
    widget->setProperty(kRole, static_cast<int>(role));
}

void setDecorative(QWidget* widget) {
    setAccessibleRole(widget, QAccessible::NoRole);
}

void setAccessibleValue(QWidget* widget, const QString& value) {
    if (widget->property(kValue).toString() == value) return;
    widget->setProperty(kValue, value);
    QAccessibleValueChangeEvent event(widget, value);
    QAccessible::updateAccessibility(&event);
}

}  // namespace steelyard::ui

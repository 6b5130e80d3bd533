// SPDX-License-Identifier: Apache-2.0
// A persistent warning above a page's content with at most one button: "Measured while other programs used the CPU.
// [Run again]". Hidden while its text is empty. Owned by its parent; GUI thread.
#pragma once

#include <QFrame>

class QPushButton;

namespace steelyard::ui {

class Badge;

class Banner : public QFrame {
    Q_OBJECT

public:
    // Empty `action`: no button.
    explicit Banner(const QString& action, QWidget* parent = nullptr, const QString& iconName = QStringLiteral("run"));
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }

signals:
    void actionTriggered();

private:
    QString m_text;
    Badge* m_badge = nullptr;
};

}  // namespace steelyard::ui

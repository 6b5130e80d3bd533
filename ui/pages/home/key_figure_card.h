// SPDX-License-Identifier: Apache-2.0
// A key figure of the Home page: its name, the number with its unit, the interval below. Owned by its parent; GUI
// thread.
#pragma once

#include "ui/presenters/home_presenter.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {

class KeyFigureCard : public Card {
    Q_OBJECT

public:
    explicit KeyFigureCard(QWidget* parent = nullptr);
    void setFigure(const KeyFigure& figure);

private:
    ElidedLabel* m_label = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_unit = nullptr;
    ElidedLabel* m_interval = nullptr;
    ElidedLabel* m_where = nullptr;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// One of the three choices of Cost & advice as a card: machine, time, cost, reasons. Owned by its parent; GUI thread.
#pragma once

#include "ui/presenters/advice/advice_presenter.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {

class ChoiceView : public Card {
    Q_OBJECT

public:
    explicit ChoiceView(QWidget* parent = nullptr);
    void setChoice(const ChoiceCard& choice);

private:
    QLabel* m_chosen = nullptr;
    ElidedLabel* m_machine = nullptr;
    ElidedLabel* m_device = nullptr;
    QLabel* m_time = nullptr;
    ElidedLabel* m_timeBand = nullptr;
    QLabel* m_cost = nullptr;
    ElidedLabel* m_costBand = nullptr;
    QLabel* m_reasons = nullptr;
};

}  // namespace steelyard::ui

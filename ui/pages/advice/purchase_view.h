// SPDX-License-Identifier: Apache-2.0
// Buying a card compared with renting: the card, the cost of the rest of the PC and of electricity, the utilisation; a
// sentence and a chart. The values are stored in AdviceController::purchase(), also for the report. Owned by the page
// Cost & advice; GUI thread.
#pragma once

#include "ui/pages/window_context.h"
#include "ui/widgets/basics.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;

namespace steelyard::ui {

class ChartView;

class PurchaseView : public Card {
    Q_OBJECT

public:
    explicit PurchaseView(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] ChartView* chart() const { return m_chart; }
    // Shows the latest answer of the advisor.
    void showAnswer();
    // The values may have been changed on another page.
    void setElectricityPrice(double usdPerKwh);

signals:
    void electricityPriceChanged();

private:
    void fillCards();
    void compare();

    WindowContext& m_context;
    ChartView* m_chart = nullptr;
    QLabel* m_sentence = nullptr;
    QComboBox* m_card = nullptr;
    QDoubleSpinBox* m_host = nullptr;
    QDoubleSpinBox* m_hostWatts = nullptr;
    QDoubleSpinBox* m_kwh = nullptr;
    QSlider* m_utilization = nullptr;
    QLabel* m_utilizationText = nullptr;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// The trend of a selectable case of a run. Owned by its parent; GUI thread.
#pragma once

#include "engine/bench/record/record.h"
#include "ui/pages/window_context.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {

class ChartView;

class TrendCard : public Card {
    Q_OBJECT

public:
    explicit TrendCard(WindowContext& context, QWidget* parent = nullptr);
    // Shows the run's cases once they are loaded, the most expensive one first.
    void showRun(const QString& id);

signals:
    void runChosen(const QString& id);
    void exported(const QString& file);

private:
    void setRun(const bench::RunRecord& run);
    void loadTrend();

    WindowContext& m_context;
    QString m_wantedRun;
    std::string m_computer;
    ElidedComboBox* m_cases = nullptr;
    QLabel* m_sentence = nullptr;
    ChartView* m_chart = nullptr;
};

}  // namespace steelyard::ui

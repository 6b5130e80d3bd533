// SPDX-License-Identifier: Apache-2.0
// The chart of where this computer stands, for Home and Results. Asks the advisor when a run is shown; hidden while
// there is nothing to show. GUI thread.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"
#include "ui/pages/window_context.h"
#include "ui/presenters/results/ladder_presenter.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {

class ChartView;

class LadderView : public Card {
    Q_OBJECT

public:
    explicit LadderView(WindowContext& context, QWidget* parent = nullptr);
    void setRun(const std::optional<bench::RunRecord>& run);
    // Null before there was something to show.
    [[nodiscard]] ChartView* chart() { return m_chart; }

signals:
    // A case of the run was clicked.
    void pointActivated(const QString& key);
    void exported(const QString& file);
    // There is something to show now, or no longer.
    void availableChanged(bool available);

private:
    void makeChart();
    void showAnswer();

    WindowContext& m_context;
    std::optional<bench::RunRecord> m_run;
    std::vector<LadderQuestion> m_questions;
    ChartView* m_chart = nullptr;
};

}  // namespace steelyard::ui

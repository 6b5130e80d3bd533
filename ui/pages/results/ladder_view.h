// SPDX-License-Identifier: Apache-2.0
// The comparison chart with known devices, for Home and Results. Queries the advisor when a run is shown; hidden
// without content. GUI thread.
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
    // Null before the first content.
    [[nodiscard]] ChartView* chart() { return m_chart; }

signals:
    // A case of the run was clicked.
    void pointActivated(const QString& key);
    void exported(const QString& file);
    // Content became available or unavailable.
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

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/results/ladder_view.h"

#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/pages/report/export_flow.h"

namespace steelyard::ui {

LadderView::LadderView(WindowContext& context, QWidget* parent) : Card({}, parent), m_context(context) {
    body()->setContentsMargins(2, 2, 2, 2);
    hide();
    connect(&m_context.advice, &AdviceController::ladderAnswered, this, &LadderView::showAnswer);
}

// Created on demand: a language change rebuilds all pages and must be fast.
void LadderView::makeChart() {
    if (m_chart) return;
    m_chart = new ChartView(this);
    m_chart->setObjectName(QStringLiteral("chart_ladder"));
    body()->addWidget(m_chart, 1);
    connect(m_chart, &ChartView::pointActivated, this, &LadderView::pointActivated);
    connect(m_chart, &ChartView::exportRequested, this, [this](ExportFormat format) {
        exportChartAsking(this, m_context.dialogs, m_chart->spec(), format,
                          [this](const QString& file) { emit exported(file); });
    });
}

void LadderView::setRun(const std::optional<bench::RunRecord>& run) {
    m_run = run;
    m_questions = run ? LadderPresenter::questions(*run) : std::vector<LadderQuestion>();
    const auto& known = m_context.advice.ladder();
    if (!m_questions.empty() && (!known || known->asked != m_questions)) {
        hide();
        emit availableChanged(false);
        m_context.advice.askLadder(m_questions, {m_context.machine.profile(), m_context.databaseFile().toStdString()});
        return;
    }
    showAnswer();
}

void LadderView::showAnswer() {
    const auto& known = m_context.advice.ladder();
    const bool answered = m_run && !m_questions.empty() && known && known->asked == m_questions;
    const auto spec = answered ? LadderPresenter::chart(*m_run, *known, m_context.machine.catalogue()) : ChartSpec();
    // Needs at least one other device.
    const bool available = spec.categories.size() > 1;
    if (available) {
        makeChart();
        m_chart->setSpec(spec);
    }
    setVisible(available);
    emit availableChanged(available);
}

}  // namespace steelyard::ui

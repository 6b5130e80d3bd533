// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/history/trend_card.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/pages/report/export_flow.h"
#include "ui/presenters/history/trend_presenter.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

TrendCard::TrendCard(WindowContext& context, QWidget* parent) : Card({}, parent), m_context(context) {
    setObjectName(QStringLiteral("trendCard"));
    body()->setSpacing(spacing::kStep);
    auto* row = new QHBoxLayout;
    m_cases = new ElidedComboBox(this);
    m_cases->setObjectName(QStringLiteral("trendCase"));
    m_cases->setAccessibleName(tr("Case"));
    m_cases->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_cases->setMinimumContentsLength(24);
    m_sentence = makeLabel({}, role::kHeading, this);
    m_sentence->setObjectName(QStringLiteral("trendSentence"));
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close"), IconColour::Muted));
    close->setToolTip(tr("Close the trend"));
    close->setAccessibleName(close->toolTip());
    auto* words = new AdaptiveRow(this, spacing::kGap);
    words->addWidget(m_cases, 1, 240);
    words->addWidget(m_sentence, 1, 240);
    row->addWidget(words, 1);
    row->addWidget(close, 0, Qt::AlignTop);
    body()->addLayout(row);
    m_chart = new ChartView(this);
    m_chart->setObjectName(QStringLiteral("trendChart"));
    body()->addWidget(m_chart, 1);
    hide();
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_cases, &QComboBox::activated, this, &TrendCard::loadTrend);
    connect(m_chart, &ChartView::pointActivated, this, &TrendCard::runChosen);
    connect(m_chart, &ChartView::exportRequested, this, [this](ExportFormat format) {
        exportChartAsking(this, m_context.dialogs, m_chart->spec(), format,
                          [this](const QString& file) { emit exported(file); });
    });
    connect(&m_context.history, &HistoryController::runLoaded, this, &TrendCard::setRun);
    connect(&m_context.history, &HistoryController::trendLoaded, this,
            [this](const QString& hash, const std::vector<history::TrendPoint>& points) {
                if (hash != m_cases->currentData().toString()) return;  // another case was selected meanwhile
                m_sentence->setText(TrendPresenter::sentence(points));
                m_chart->setSpec(TrendPresenter::chart(m_cases->currentText(), points));
            });
}

void TrendCard::showRun(const QString& id) {
    m_wantedRun = id;
    m_context.history.loadRun(id);
}

void TrendCard::setRun(const bench::RunRecord& run) {
    if (QString::fromStdString(run.id) != m_wantedRun) return;
    m_wantedRun.clear();
    m_computer = run.computer;
    m_cases->clear();
    double most = -1;
    for (const auto& record : run.records) {
        if (record.status != bench::Status::Ok) continue;
        m_cases->addItem(RecordsPresenter::title(record, m_context.machine.catalogue()),
                         QString::fromStdString(bench::caseHash(record.spec)));
        if (record.flopsPerStep.value_or(0) <= most) continue;
        most = record.flopsPerStep.value_or(0);
        m_cases->setCurrentIndex(m_cases->count() - 1);
    }
    show();
    loadTrend();
}

void TrendCard::loadTrend() {
    if (m_cases->count() == 0) {
        m_sentence->setText(tr("This run has no result."));
        m_chart->setSpec({});
        return;
    }
    m_context.history.loadTrend(m_cases->currentData().toString(), QString::fromStdString(m_computer));
}

}  // namespace steelyard::ui

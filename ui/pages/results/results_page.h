// SPDX-License-Identifier: Apache-2.0
// Results: one stored run as charts (training and inference speed, memory, sweeps) and as a table, with details of the
// selected case. GUI thread; owned by the main window; the run is loaded by the history's worker.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_spec.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace steelyard::ui {

class Badge;
class Banner;
class Card;
class ChartView;
class DetailList;
class EmptyState;
class LadderView;
class RowsModel;
class RowsProxy;

class ResultsPage : public Page {
    Q_OBJECT

public:
    explicit ResultsPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    bool exportContent() override;
    // Loads and shows a run of the history; "latest" for the newest.
    void showRun(const QString& id);
    [[nodiscard]] const std::optional<bench::RunRecord>& run() const { return m_run; }

signals:
    void runRequested();

private:
    enum View { Speed, Memory, Batches, Threads, Gpus, Roofline, Ladder, Records };
    void build();
    void buildHeader();
    [[nodiscard]] QWidget* makeCharts();
    QWidget* makeTabs(QWidget* parent);
    void makeViews(QWidget* parent);
    [[nodiscard]] QWidget* makeDetails();
    ChartView* addChart(QWidget* parent, const QString& name);
    void fillExportMenu(QMenu* menu);
    [[nodiscard]] std::vector<ChartView*> shownCharts() const;
    void copyMarkdown();
    void copyPicture();
    void fillRunBox();
    void setRun(const bench::RunRecord& run);
    // The reason and the next step if cases remain to be measured.
    void showState();
    void resume();
    void showTabs();
    void showView();
    void showDetails(const QString& key);
    void measureAgain();
    void exportSpec(const ChartSpec& spec, ExportFormat format);
    [[nodiscard]] ChartView* frontChart() const;

    WindowContext& m_context;
    std::optional<bench::RunRecord> m_run;
    QString m_wantedRun;
    QStackedWidget* m_stack = nullptr;
    QComboBox* m_runBox = nullptr;
    QComboBox* m_unitBox = nullptr;
    QPushButton* m_exportButton = nullptr;
    QTabBar* m_tabs = nullptr;
    Badge* m_badge = nullptr;
    QLabel* m_summary = nullptr;
    Banner* m_banner = nullptr;
    Banner* m_unfinished = nullptr;
    EmptyState* m_noResult = nullptr;  // instead of the charts if no case finished
    QPushButton* m_resume = nullptr;   // in it
    QStackedWidget* m_views = nullptr;
    std::vector<std::pair<Card*, ChartView*>> m_speedCharts;  // training, inference
    ChartView* m_memoryChart = nullptr;
    ChartView* m_batchChart = nullptr;
    ChartView* m_threadChart = nullptr;
    ChartView* m_gpuChart = nullptr;
    ChartView* m_roofline = nullptr;
    LadderView* m_ladder = nullptr;
    RowsModel* m_records = nullptr;
    RowsProxy* m_proxy = nullptr;
    QTableView* m_table = nullptr;
    Card* m_detailCard = nullptr;
    DetailList* m_details = nullptr;
    QPushButton* m_measureAgain = nullptr;  // for a disturbed case
    QString m_detailKey;
};

}  // namespace steelyard::ui

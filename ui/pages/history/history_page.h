// SPDX-License-Identifier: Apache-2.0
// History & compare: the stored runs with notes, import, export, deletion with undo, and two runs compared case by case
// with the engine's verdicts. GUI thread; owned by the main window.
#pragma once

#include <QStringList>
#include <optional>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace steelyard::ui {

class Banner;
class Card;
class ChartView;
class RowsModel;
class RowsProxy;
class RunsModel;
class TrendCard;

class HistoryPage : public Page {
    Q_OBJECT

public:
    explicit HistoryPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    bool exportContent() override;
    void importFile(const QString& file);

signals:
    void runChosen(const QString& id);
    // HistoryController::restore restores the runs until the program ends.
    void runsRemoved(const QStringList& ids);

private:
    void build();
    void buildActions();
    [[nodiscard]] Card* makeComparison();
    void showRuns();
    void selectionChanged();
    void compareSelected();
    void makeComparisonChart();
    void showComparison();
    void removeSelected();
    void showMenu(const QPoint& place);
    void removeOld();
    void resumeSelected();
    void askImport();
    [[nodiscard]] QStringList selectedIds() const;

    WindowContext& m_context;
    RunsModel* m_runs = nullptr;
    QSortFilterProxyModel* m_sorted = nullptr;
    QTableView* m_table = nullptr;
    QStackedWidget* m_stack = nullptr;
    QSplitter* m_splitter = nullptr;
    QPushButton* m_compareButton = nullptr;
    QPushButton* m_deleteButton = nullptr;
    QPushButton* m_pruneButton = nullptr;
    QPushButton* m_exportButton = nullptr;
    QPushButton* m_openButton = nullptr;
    QPushButton* m_resumeButton = nullptr;
    QPushButton* m_trendButton = nullptr;
    TrendCard* m_trend = nullptr;
    Card* m_comparisonCard = nullptr;
    Banner* m_comparisonBanner = nullptr;
    QLabel* m_comparisonSummary = nullptr;
    QLabel* m_comparisonRuns = nullptr;
    QCheckBox* m_acrossBox = nullptr;
    RowsModel* m_comparison = nullptr;
    RowsProxy* m_comparisonSorted = nullptr;
    QTableView* m_comparisonTable = nullptr;
    QTabBar* m_comparisonTabs = nullptr;
    QStackedWidget* m_comparisonViews = nullptr;
    ChartView* m_comparisonChart = nullptr;
    std::optional<std::pair<bench::RunRecord, bench::RunRecord>> m_pair;
    bench::Variance m_betweenRuns;  // of the pair's computer
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/history/history_page.h"

#include <QAction>
#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/network_files.h"
#include "ui/controllers/run_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/models/runs_model.h"
#include "ui/pages/history/trend_card.h"
#include "ui/pages/report/export_flow.h"
#include "ui/presenters/history/compare_presenter.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/text/format.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

HistoryPage::HistoryPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("History & compare"), parent), m_context(context) {
    build();
    showRuns();
    auto& history = m_context.history;
    connect(&history, &HistoryController::runsChanged, this, &HistoryPage::showRuns);
    connect(&history, &HistoryController::pairLoaded, this,
            [this](const bench::RunRecord& base, const bench::RunRecord& other, const bench::Variance& betweenRuns) {
                m_pair = std::pair(base, other);
                m_betweenRuns = betweenRuns;
                const QSignalBlocker blocker(m_acrossBox);
                m_acrossBox->setChecked(base.computer != other.computer);
                showComparison();
            });
    connect(&history, &HistoryController::exported, this, [this](const QString& file, int count) {
        emit filePosted(tr("%n run(s) exported to %1", nullptr, count).arg(file), file);
    });
    connect(&history, &HistoryController::imported, this, [this](const QString& file, const QStringList& ids) {
        const auto name = QFileInfo(file).fileName();
        emit noticePosted(Tone::Good,
                          ids.isEmpty()
                              ? tr("All runs of %1 were there already.").arg(name)
                              : tr("%n run(s) imported from %1", nullptr, static_cast<int>(ids.size())).arg(name));
    });
    connect(&history, &HistoryController::removed, this, &HistoryPage::runsRemoved);
}

void HistoryPage::buildActions() {
    // File actions above, actions on the selected runs below: a narrow window has no room for all in one row.
    auto* row = new QWidget(this);
    auto* selected = new FlowLayout(row, spacing::kSmall);
    QLayout* place = actions();
    const auto add = [&](const QString& name, const QString& text, const QString& iconName, const char* role) {
        auto* button = makeButton(text, iconName, role, this);
        button->setObjectName(name);
        place->addWidget(button);
        return button;
    };
    auto* importButton = add(QStringLiteral("importButton"), tr("Import…"), QStringLiteral("import"), "");
    m_exportButton = add(QStringLiteral("exportRunsButton"), tr("Export…"), QStringLiteral("export"), "");
    m_deleteButton = add(QStringLiteral("deleteButton"), tr("Delete"), QStringLiteral("delete"), "");
    m_pruneButton = add(QStringLiteral("pruneRunsButton"), tr("Delete old runs…"), QStringLiteral("history"), "");
    place = selected;
    m_openButton = add(QStringLiteral("openButton"), tr("Show results"), QStringLiteral("results"), "");
    m_trendButton = add(QStringLiteral("trendButton"), tr("Trend"), QStringLiteral("chart"), "");
    m_compareButton = add(QStringLiteral("compareButton"), tr("Compare"), QStringLiteral("compare"), role::kPrimary);
    // Last, since it is only shown at times: the others keep their positions.
    m_resumeButton = add(QStringLiteral("resumeButton"), tr("Resume"), QStringLiteral("run"), "");
    m_resumeButton->setToolTip(tr("Measures the remaining cases of an interrupted run with its original settings."));
    content()->addWidget(row);
    connect(importButton, &QPushButton::clicked, this, &HistoryPage::askImport);
    connect(m_exportButton, &QPushButton::clicked, this, &HistoryPage::exportContent);
    connect(m_deleteButton, &QPushButton::clicked, this, &HistoryPage::removeSelected);
    connect(m_pruneButton, &QPushButton::clicked, this, &HistoryPage::removeOld);
    connect(m_resumeButton, &QPushButton::clicked, this, &HistoryPage::resumeSelected);
    connect(&m_context.run, &RunController::runningChanged, this, &HistoryPage::selectionChanged);
    connect(m_openButton, &QPushButton::clicked, this, [this] {
        const auto ids = selectedIds();
        if (!ids.isEmpty()) emit runChosen(ids.front());
    });
    connect(m_trendButton, &QPushButton::clicked, this, [this] {
        const auto ids = selectedIds();
        if (ids.size() != 1) return;
        m_comparisonCard->hide();
        m_trend->showRun(ids.front());
    });
    connect(m_compareButton, &QPushButton::clicked, this, &HistoryPage::compareSelected);
}

void HistoryPage::build() {
    buildActions();
    m_stack = new QStackedWidget(this);
    auto* empty = new EmptyState(
        QStringLiteral("history"), tr("No runs yet"),
        tr("Every run is kept here. Run a benchmark, import a result file, or drop one on this window."), m_stack);
    auto* start = empty->addButton(tr("Choose what to run"), QStringLiteral("benchmark"), role::kPrimary);
    connect(start, &QPushButton::clicked, this, [this] { emit pageRequested(QStringLiteral("benchmark")); });
    m_stack->addWidget(empty);
    m_runs = new RunsModel(this);
    m_sorted = new QSortFilterProxyModel(this);
    m_sorted->setSourceModel(m_runs);
    m_sorted->setSortRole(RunsModel::SortRole);
    m_splitter = new QSplitter(Qt::Vertical, m_stack);
    m_splitter->setChildrenCollapsible(false);
    m_table = makeTable(m_sorted, tr("Stored runs"), m_splitter);
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
    m_table->setMinimumHeight(scaled(120));
    auto* header = m_table->horizontalHeader();
    for (int column = 0; column < RunsModel::ColumnCount; ++column) {
        header->setSectionResizeMode(column,
                                     column == RunsModel::Note ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(makeComparison());
    m_trend = new TrendCard(m_context, m_splitter);
    m_trend->setMinimumHeight(scaled(250));
    m_splitter->addWidget(m_trend);
    connect(m_trend, &TrendCard::runChosen, this, &HistoryPage::runChosen);
    connect(m_trend, &TrendCard::exported, this, &HistoryPage::postExported);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setStretchFactor(2, 3);
    m_stack->addWidget(m_splitter);
    addScrolled(m_stack);

    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &HistoryPage::showMenu);
    auto* remove = new QAction(this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(remove);
    connect(remove, &QAction::triggered, this, &HistoryPage::removeSelected);
    // Not by the signal activated: on some desktops a single click sends it, too.
    auto* open = new QAction(this);
    open->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
    open->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(open);
    connect(open, &QAction::triggered, m_openButton, &QPushButton::click);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::selectionChanged);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != RunsModel::Note) emit runChosen(index.data(RunsModel::IdRole).toString());
    });
    connect(m_runs, &RunsModel::noteEdited, &m_context.history, &HistoryController::setNote);
}

Card* HistoryPage::makeComparison() {
    m_comparisonCard = new Card({}, m_splitter);
    m_comparisonCard->setObjectName(QStringLiteral("comparisonCard"));
    auto* row = new QHBoxLayout;
    auto* words = new AdaptiveRow(m_comparisonCard, spacing::kGap);
    m_comparisonSummary = makeLabel({}, role::kHeading, m_comparisonCard);
    m_comparisonSummary->setObjectName(QStringLiteral("comparisonSummary"));
    words->addWidget(m_comparisonSummary, 1, 260);
    row->addWidget(words, 1);
    m_acrossBox = new QCheckBox(tr("Allow different hardware"), m_comparisonCard);
    m_acrossBox->setToolTip(tr("Weighs two machines against each other; otherwise other hardware is not comparable."));
    words->addWidget(m_acrossBox);
    m_comparisonTabs = new QTabBar(m_comparisonCard);
    m_comparisonTabs->setObjectName(QStringLiteral("comparisonTabs"));
    m_comparisonTabs->setExpanding(false);
    m_comparisonTabs->setDrawBase(false);
    m_comparisonTabs->setAccessibleName(tr("Views of the comparison"));
    m_comparisonTabs->addTab(tr("Chart"));
    m_comparisonTabs->addTab(tr("Figures"));
    words->addWidget(m_comparisonTabs);
    auto* close = new QToolButton(m_comparisonCard);
    close->setObjectName(QStringLiteral("comparisonClose"));
    close->setIcon(icon(QStringLiteral("close"), IconColour::Muted));
    close->setToolTip(tr("Close the comparison"));
    close->setAccessibleName(close->toolTip());
    row->addWidget(close, 0, Qt::AlignTop);
    m_comparisonCard->body()->addLayout(row);
    m_comparisonBanner = new Banner(tr("Run again"), m_comparisonCard);
    m_comparisonBanner->setObjectName(QStringLiteral("comparisonBanner"));
    m_comparisonCard->body()->addWidget(m_comparisonBanner);
    connect(m_comparisonBanner, &Banner::actionTriggered, this, [this] {
        if (m_pair) emit runAgainRequested(m_pair->second);
    });
    m_comparison = new RowsModel(this);
    m_comparisonSorted = new RowsProxy(this);
    m_comparisonSorted->setSourceModel(m_comparison);
    m_comparisonTable = makeTable(m_comparisonSorted, tr("Comparison case by case"), m_comparisonCard);
    m_comparisonTable->setObjectName(QStringLiteral("comparisonTable"));
    m_comparisonTable->setSortingEnabled(true);
    m_comparisonTable->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    freezeFirstColumn(m_comparisonTable);
    m_comparisonViews = new QStackedWidget(m_comparisonCard);
    auto* figures = new QWidget(m_comparisonViews);
    auto* layout = new QVBoxLayout(figures);
    layout->setContentsMargins(0, 0, 0, 0);
    m_comparisonRuns = makeLabel({}, role::kSmall, figures);
    layout->addWidget(m_comparisonRuns);
    layout->addWidget(m_comparisonTable, 1);
    m_comparisonViews->addWidget(figures);
    m_comparisonCard->body()->addWidget(m_comparisonViews, 1);
    connect(m_comparisonTabs, &QTabBar::currentChanged, m_comparisonViews, &QStackedWidget::setCurrentIndex);
    m_comparisonCard->setMinimumHeight(scaled(270));
    m_comparisonCard->hide();
    connect(m_acrossBox, &QCheckBox::toggled, this, &HistoryPage::showComparison);
    connect(close, &QToolButton::clicked, m_comparisonCard, &QWidget::hide);
    return m_comparisonCard;
}

// Created on demand: a language change rebuilds all pages and must be fast.
void HistoryPage::makeComparisonChart() {
    if (m_comparisonChart) return;
    auto* drawing = new QWidget(m_comparisonViews);
    auto* layout = new QVBoxLayout(drawing);
    layout->setContentsMargins(0, 0, 0, 0);
    m_comparisonChart = new ChartView(drawing);
    m_comparisonChart->setObjectName(QStringLiteral("comparisonChart"));
    layout->addWidget(m_comparisonChart);
    m_comparisonViews->insertWidget(0, makeScrolled(drawing, m_comparisonViews));
    m_comparisonViews->setCurrentIndex(m_comparisonTabs->currentIndex());
    connect(m_comparisonChart, &ChartView::exportRequested, this, [this](ExportFormat format) {
        exportChartAsking(this, m_context.dialogs, m_comparisonChart->spec(), format,
                          [this](const QString& file) { postExported(file); });
    });
}

void HistoryPage::showRuns() {
    const auto& runs = m_context.history.runs();
    const auto kept = selectedIds();
    m_runs->setRuns(runs);
    m_stack->setCurrentIndex(runs.empty() ? 0 : 1);
    for (auto* button : {m_exportButton, m_deleteButton, m_pruneButton, m_openButton, m_trendButton, m_compareButton})
        button->setVisible(!runs.empty());
    for (const auto& id : kept) {
        const int row = m_runs->rowOf(id.toStdString());
        if (row < 0) continue;
        m_table->selectionModel()->select(m_sorted->mapFromSource(m_runs->index(row, 0)),
                                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    setSubtitle(runs.empty()
                    ? QString()
                    : tr("%n run(s) in %1", nullptr, static_cast<int>(runs.size())).arg(m_context.databaseFile()));
    selectionChanged();
}

QStringList HistoryPage::selectedIds() const {
    QStringList ids;
    for (const auto& index : m_table->selectionModel()->selectedRows()) ids << index.data(RunsModel::IdRole).toString();
    return ids;
}

void HistoryPage::selectionChanged() {
    const auto count = selectedIds().size();
    m_compareButton->setEnabled(count == 2);
    m_compareButton->setToolTip(
        count == 2 ? QString() : tr("Select two runs (Ctrl and click, or Shift and arrow keys) to compare them."));
    m_deleteButton->setEnabled(count > 0);
    const auto one = count == 1 ? QString() : tr("Select one run.");
    m_openButton->setToolTip(one);
    m_trendButton->setToolTip(one);
    m_exportButton->setEnabled(count > 0);
    m_openButton->setEnabled(count == 1);
    const int row = count == 1 ? m_runs->rowOf(selectedIds().front().toStdString()) : -1;
    m_resumeButton->setVisible(row >= 0 && m_runs->runs()[static_cast<std::size_t>(row)].resumable);
    m_resumeButton->setEnabled(!m_context.run.isRunning());
    m_trendButton->setEnabled(count == 1);
}

void HistoryPage::compareSelected() {
    const auto ids = selectedIds();
    if (ids.size() != 2) return;
    // The older run is the base, so that "faster" means an improvement.
    const auto startOf = [&](const QString& id) {
        const int row = m_runs->rowOf(id.toStdString());
        return row < 0 ? 0 : m_runs->runs()[static_cast<std::size_t>(row)].startedUnixMs;
    };
    const bool inOrder = startOf(ids[0]) <= startOf(ids[1]);
    m_context.history.loadPair(ids[inOrder ? 0 : 1], ids[inOrder ? 1 : 0]);
}

void HistoryPage::showComparison() {
    if (!m_pair) return;
    const auto scope = m_acrossBox->isChecked() ? bench::Scope::AcrossDevices : bench::Scope::SameDevice;
    const auto result =
        ComparePresenter::compare(m_pair->first, m_pair->second, scope, m_context.machine.catalogue(), m_betweenRuns);
    m_comparisonSummary->setText(result.summary);
    m_comparisonBanner->setText(DisturbancePresenter::banner(m_pair->first, m_pair->second));
    m_comparisonRuns->setText(result.chart.subtitle);
    m_comparison->setContent(result.table);
    makeComparisonChart();
    m_comparisonChart->setSpec(result.chart);
    m_comparisonTable->resizeColumnsToContents();
    m_trend->hide();
    m_comparisonCard->show();
}

void HistoryPage::removeSelected() {
    const auto ids = selectedIds();
    if (ids.isEmpty()) return;
    m_context.history.remove(ids);
    m_table->setFocus();  // not the button that moved to this one's position
}

void HistoryPage::showMenu(const QPoint& place) {
    if (!m_table->indexAt(place).isValid()) return;
    QMenu menu(this);
    for (auto* button :
         {m_openButton, m_trendButton, m_compareButton, m_resumeButton, m_exportButton, m_deleteButton}) {
        if (button->isHidden()) continue;
        auto* action = menu.addAction(button->text(), button, &QPushButton::click);
        action->setEnabled(button->isEnabled());
        action->setToolTip(button->toolTip());
    }
    menu.setToolTipsVisible(true);
    menu.exec(m_table->viewport()->mapToGlobal(place));
}

void HistoryPage::removeOld() {
    if (const auto rule = m_context.dialogs.choosePruning(this, m_context.history.runs()))
        m_context.history.prune(*rule);
}

void HistoryPage::resumeSelected() {
    const auto ids = selectedIds();
    if (ids.size() == 1) emit resumeRequested(ids.front());
}

void HistoryPage::askImport() {
    const auto file = m_context.dialogs.openFile(this, tr("Import results"), tr("Results (*.json);;All files (*)"));
    if (!file.isEmpty()) importFile(file);
}

void HistoryPage::importFile(const QString& file) {
    if (isNetworkFile(file)) {
        const Question question{tr("This file is a network"),
                                tr("%1 describes a network, not results.").arg(QFileInfo(file).fileName()),
                                tr("Add it to the networks that can be measured and asked about?"),
                                tr("Add the network"),
                                tr("Cancel"),
                                false};
        if (m_context.dialogs.confirm(this, question)) emit addNetworkRequested(file);
        return;
    }
    m_context.history.importRuns(file);
}

bool HistoryPage::exportContent() {
    const auto ids = selectedIds();
    if (ids.isEmpty()) return false;
    auto file = m_context.dialogs.saveFile(this, tr("Export results"), QStringLiteral("steelyard-results.json"),
                                           tr("Results (*.json)"));
    if (file.isEmpty()) return true;
    if (!file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) file += QStringLiteral(".json");
    m_context.history.exportRuns(ids, file);
    return true;
}

QString HistoryPage::helpText() const {
    return tr(
        "Select one run to show, export or delete it, two to compare them. Faster and slower need evidence: a t-test "
        "between visits in the same state of the machine, and medians at least 2 % apart. Everything else is no "
        "evidence; what cannot be compared says what differs. Double-click a note to write it. Delete old runs keeps "
        "the newest ones, or those since a day; it can be undone until the file is compacted in Settings.");
}

}  // namespace steelyard::ui

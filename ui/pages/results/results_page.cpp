// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/results/results_page.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/bench/record/disturbance.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/models/rows_model.h"
#include "ui/models/runs_model.h"
#include "ui/pages/report/export_flow.h"
#include "ui/pages/results/ladder_view.h"
#include "ui/presenters/history/compare_presenter.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/presenters/results/roofline_presenter.h"
#include "ui/presenters/results/sweep_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/format.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// A disturbed case of this computer that the form can repeat.
bool canMeasureAgain(const bench::RunRecord& run, const bench::CaseRecord& record) {
    const auto& spec = record.spec;
    return run.origin == "measured" && record.status == bench::Status::Ok && bench::wasDisturbed(record) &&
           spec.part == bench::Part::Step;
}

}  // namespace

ResultsPage::ResultsPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Results"), parent), m_context(context) {
    build();
    fillRunBox();
    connect(&m_context.history, &HistoryController::runsChanged, this, &ResultsPage::fillRunBox);
    connect(&m_context.history, &HistoryController::runLoaded, this, &ResultsPage::setRun);
    connect(&m_context.machine, &MachineController::catalogueReady, this, &ResultsPage::showView);
    connect(&m_context.run, &RunController::runningChanged, this, &ResultsPage::showState);
}

void ResultsPage::build() {
    buildHeader();
    m_stack = new QStackedWidget(this);
    auto* empty = new EmptyState(
        QStringLiteral("results"), tr("No results yet"),
        tr("Run a benchmark on this computer, or import a result file on the page History & compare."), m_stack);
    auto* start = empty->addButton(tr("Choose what to run"), QStringLiteral("benchmark"), role::kPrimary);
    connect(start, &QPushButton::clicked, this, [this] { emit pageRequested(QStringLiteral("benchmark")); });
    m_stack->addWidget(empty);
    auto* body = new QWidget(m_stack);
    auto* layout = new QHBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    layout->addWidget(makeCharts(), 1);
    layout->addWidget(makeDetails());
    m_stack->addWidget(body);
    m_noResult = new EmptyState(QStringLiteral("results"), tr("No case of this run has finished"), {}, m_stack);
    m_noResult->setObjectName(QStringLiteral("noResult"));
    m_resume = m_noResult->addButton(tr("Resume"), QStringLiteral("run"), role::kPrimary);
    m_resume->setObjectName(QStringLiteral("resultsResumeButton"));
    m_resume->setToolTip(tr("Measures the remaining cases of an interrupted run with its original settings."));
    auto* choose = m_noResult->addButton(tr("Choose what to run"), {}, "");
    connect(m_resume, &QPushButton::clicked, this, &ResultsPage::resume);
    connect(choose, &QPushButton::clicked, this, [this] { emit pageRequested(QStringLiteral("benchmark")); });
    m_stack->addWidget(m_noResult);
    content()->addWidget(m_stack, 1);
}

void ResultsPage::buildHeader() {
    m_runBox = new ElidedComboBox(this);
    m_runBox->setObjectName(QStringLiteral("runBox"));
    m_runBox->setAccessibleName(tr("Run"));
    m_runBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_runBox->setMinimumContentsLength(22);
    m_unitBox = new ElidedComboBox(this);
    m_unitBox->setObjectName(QStringLiteral("unitBox"));
    m_unitBox->setAccessibleName(tr("Unit"));
    for (const auto unit : {SpeedUnit::SecondsPerStep, SpeedUnit::SamplesPerSecond, SpeedUnit::FlopRate}) {
        m_unitBox->addItem(ResultsPresenter::unitName(unit));
    }
    m_unitBox->setCurrentIndex(m_context.preferences.load().speedUnit);
    m_exportButton = makeButton(tr("Export"), QStringLiteral("export"), role::kMenu, this);
    m_exportButton->setObjectName(QStringLiteral("exportButton"));
    auto* menu = new QMenu(m_exportButton);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillExportMenu(menu); });
    m_exportButton->setMenu(menu);
    actions()->addWidget(m_runBox);
    actions()->addWidget(m_unitBox);
    actions()->addWidget(m_exportButton);
    connect(m_runBox, &QComboBox::activated, this, [this] { showRun(m_runBox->currentData().toString()); });
    connect(m_unitBox, &QComboBox::activated, this, [this](int unit) {
        auto preferences = m_context.preferences.load();
        preferences.speedUnit = unit;
        m_context.preferences.save(preferences);
        showView();
    });
}

// With several charts, each has a submenu with its name.
void ResultsPage::fillExportMenu(QMenu* menu) {
    menu->clear();
    const auto charts = shownCharts();
    for (const auto* chart : charts) {
        auto* place = charts.size() == 1 ? menu : menu->addMenu(chart->spec().title);
        const std::pair<ExportFormat, QString> formats[] = {{ExportFormat::Png, tr("Chart as image (PNG)…")},
                                                            {ExportFormat::Svg, tr("Chart as drawing (SVG)…")},
                                                            {ExportFormat::Pdf, tr("Chart as page (PDF)…")},
                                                            {ExportFormat::Csv, tr("Data as table (CSV)…")}};
        for (const auto& [format, text] : formats)
            connect(place->addAction(text), &QAction::triggered, this,
                    [this, chart, chosen = format] { exportSpec(chart->spec(), chosen); });
    }
    if (!charts.empty()) menu->addSeparator();
    menu->addAction(tr("Copy as Markdown"), this, &ResultsPage::copyMarkdown);
    menu->addAction(tr("Copy as picture"), this, &ResultsPage::copyPicture);
}

std::vector<ChartView*> ResultsPage::shownCharts() const {
    std::vector<ChartView*> charts;
    if (m_tabs->currentIndex() == Speed) {
        for (const auto& [card, chart] : m_speedCharts)
            if (!card->isHidden()) charts.push_back(chart);
    } else if (auto* chart = frontChart()) {
        charts.push_back(chart);
    }
    return charts;
}

void ResultsPage::copyMarkdown() {
    if (!m_run) return;
    const auto& catalogue = m_context.machine.catalogue();
    QGuiApplication::clipboard()->setText(RecordsPresenter::markdown(*m_run, catalogue));
    emit noticePosted(Tone::Good, tr("Copied as Markdown."));
}

void ResultsPage::copyPicture() {
    QGuiApplication::clipboard()->setPixmap(m_stack->currentWidget()->grab());
    emit noticePosted(Tone::Good, tr("Copied as a picture."));
}

ChartView* ResultsPage::addChart(QWidget* parent, const QString& name) {
    auto* chart = new ChartView(parent);
    chart->setObjectName(name);
    chart->setMinimumHeight(scaled(270));
    connect(chart, &ChartView::pointActivated, this, &ResultsPage::showDetails);
    connect(chart, &ChartView::exportRequested, this,
            [this, chart](ExportFormat format) { exportSpec(chart->spec(), format); });
    return chart;
}

QWidget* ResultsPage::makeCharts() {
    auto* widget = new QWidget(this);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kSmall);
    layout->addWidget(makeTabs(widget));
    m_banner = new Banner(tr("Run again"), widget);
    m_banner->setObjectName(QStringLiteral("resultsBanner"));
    layout->addWidget(m_banner);
    connect(m_banner, &Banner::actionTriggered, this, [this] {
        if (m_run) emit runAgainRequested(*m_run);
    });
    m_unfinished = new Banner(tr("Resume"), widget);
    m_unfinished->setObjectName(QStringLiteral("unfinishedBanner"));
    layout->addWidget(m_unfinished);
    connect(m_unfinished, &Banner::actionTriggered, this, &ResultsPage::resume);
    m_summary = makeLabel({}, role::kSmall, widget);
    layout->addWidget(m_summary);

    makeViews(widget);
    m_records = new RowsModel(this);
    m_proxy = new RowsProxy(this);
    m_proxy->setSourceModel(m_records);
    m_table = makeTable(m_proxy, tr("All figures of the run"), m_views);
    m_table->setObjectName(QStringLiteral("recordsTable"));
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_views->addWidget(m_table);
    layout->addWidget(m_views, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &ResultsPage::showView);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { showDetails(current.data(RowsModel::KeyRole).toString()); });
    return widget;
}

QWidget* ResultsPage::makeTabs(QWidget* parent) {
    auto* row = new AdaptiveRow(parent, spacing::kGap);
    m_tabs = new QTabBar(row);
    m_tabs->setObjectName(QStringLiteral("resultTabs"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Views of the run"));
    m_tabs->addTab(tr("Speed"));
    m_tabs->addTab(tr("Memory"));
    m_tabs->addTab(tr("Batch sweep"));
    m_tabs->addTab(tr("Threads"));
    m_tabs->addTab(tr("GPUs"));
    m_tabs->addTab(tr("Roofline"));
    m_tabs->addTab(tr("Other devices"));
    m_tabs->addTab(tr("All figures"));
    row->addWidget(m_tabs, 1, 600);
    m_badge = new Badge(row);
    m_badge->setObjectName(QStringLiteral("verifiedBadge"));
    row->addWidget(m_badge);
    return row;
}

// One or several charts per tab.
void ResultsPage::makeViews(QWidget* parent) {
    m_views = new QStackedWidget(parent);
    const auto single = [&](const QString& name) {
        auto* card = new Card({}, m_views);
        card->body()->setContentsMargins(2, 2, 2, 2);
        auto* chart = addChart(card, name);
        card->body()->addWidget(chart, 1);
        return std::pair(card, chart);
    };
    auto* speed = new QWidget(m_views);
    auto* speedLayout = new QVBoxLayout(speed);
    speedLayout->setContentsMargins(0, 0, 0, 0);
    speedLayout->setSpacing(spacing::kGap);
    for (const auto mode : plan::kModes) {
        m_speedCharts.push_back(single(QStringLiteral("chart_%1").arg(QLatin1String(plan::toString(mode).data()))));
        speedLayout->addWidget(m_speedCharts.back().first, 1);
    }
    m_views->addWidget(makeScrolled(speed, m_views));
    for (auto [chart, name] : {std::pair(&m_memoryChart, "chart_memory"), std::pair(&m_batchChart, "chart_batch"),
                               std::pair(&m_threadChart, "chart_threads"), std::pair(&m_gpuChart, "chart_gpus"),
                               std::pair(&m_roofline, "chart_roofline")}) {
        const auto made = single(QString::fromLatin1(name));
        *chart = made.second;
        m_views->addWidget(makeScrolled(made.first, m_views));
    }
    m_ladder = new LadderView(m_context, m_views);
    connect(m_ladder, &LadderView::pointActivated, this, &ResultsPage::showDetails);
    connect(m_ladder, &LadderView::exported, this, &ResultsPage::postExported);
    connect(m_ladder, &LadderView::availableChanged, this, [this](bool available) {
        m_tabs->setTabVisible(Ladder, available);
        if (!m_tabs->isTabVisible(m_tabs->currentIndex())) m_tabs->setCurrentIndex(Speed);
    });
    m_views->addWidget(makeScrolled(m_ladder, m_views));
}

QWidget* ResultsPage::makeDetails() {
    m_detailCard = new Card(QStringLiteral(" "), this);
    m_detailCard->setObjectName(QStringLiteral("detailCard"));
    m_detailCard->setFixedWidth(std::min(scaled(312), 480));
    auto* close = new QToolButton(m_detailCard);
    close->setObjectName(QStringLiteral("detailClose"));
    close->setIcon(icon(QStringLiteral("close"), IconColour::Muted));
    close->setToolTip(tr("Close the details"));
    close->setAccessibleName(close->toolTip());
    m_detailCard->headingRow()->addWidget(close, 0, Qt::AlignTop);
    auto* holder = new QWidget(m_detailCard);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, spacing::kSmall, 0);
    m_details = new DetailList(holder);
    layout->addWidget(m_details);
    m_measureAgain = new QPushButton(tr("Measure again"), holder);
    m_measureAgain->setObjectName(QStringLiteral("measureAgainButton"));
    m_measureAgain->setToolTip(tr("Measures this case in a run of its own. Close other programs first."));
    layout->addWidget(m_measureAgain, 0, Qt::AlignLeft);
    connect(m_measureAgain, &QPushButton::clicked, this, &ResultsPage::measureAgain);
    layout->addStretch(1);
    auto* area = makeScrolled(holder, m_detailCard);
    area->setFocusPolicy(Qt::StrongFocus);  // scrollable by keyboard
    area->setAccessibleName(tr("Details of the case"));
    m_detailCard->body()->addWidget(area, 1);
    m_detailCard->hide();
    connect(close, &QToolButton::clicked, m_detailCard, &QWidget::hide);
    return m_detailCard;
}

void ResultsPage::fillRunBox() {
    const auto& runs = m_context.history.runs();
    const QSignalBlocker blocker(m_runBox);
    m_runBox->clear();
    for (const auto& run : runs) {
        QStringList parts{Format::dateTime(run.startedUnixMs), StatusText::suite(run.suite)};
        if (!run.computer.empty()) parts << QString::fromStdString(run.computer);
        // For several runs within a minute: suites have names, custom runs are distinguished by their size.
        if (run.suite == "custom") parts << tr("%n case(s)", nullptr, static_cast<int>(run.caseCount));
        if (!run.note.empty()) parts << QString::fromStdString(run.note);
        m_runBox->addItem(parts.join(QStringLiteral(" · ")), QString::fromStdString(run.id));
    }
    const bool any = !runs.empty();
    for (auto* widget : std::initializer_list<QWidget*>{m_runBox, m_unitBox, m_exportButton}) widget->setVisible(any);
    const bool shown = m_run && m_runBox->findData(QString::fromStdString(m_run->id)) >= 0;
    if (!any) {
        m_run.reset();
        m_stack->setCurrentIndex(0);
    } else if (!shown) {
        showRun(QString::fromStdString(runs.front().id));
    } else {
        m_runBox->setCurrentIndex(m_runBox->findData(QString::fromStdString(m_run->id)));
        showState();
    }
}

void ResultsPage::showRun(const QString& id) {
    m_wantedRun = id;
    m_context.history.loadRun(id);
}

void ResultsPage::setRun(const bench::RunRecord& run) {
    const auto id = QString::fromStdString(run.id);
    if (m_wantedRun != QLatin1String("latest") && m_wantedRun != id) return;  // superseded by another request
    m_run = run;
    m_detailCard->hide();
    m_runBox->setCurrentIndex(m_runBox->findData(id));
    showTabs();
    showView();
    showState();
}

void ResultsPage::showState() {
    if (!m_run) return;
    const auto& runs = m_context.history.runs();
    const auto found = std::ranges::find(runs, m_run->id, &history::RunOverview::id);
    const bool underWay = found != runs.end() && found->underWay;
    const auto text = found == runs.end() || m_context.run.isRunning() ? QString() : RunsModel::unfinished(*found);
    const bool none = std::ranges::all_of(m_run->records,
                                          [](const auto& record) { return record.status == bench::Status::Cancelled; });
    m_unfinished->setText(none ? QString() : text);
    m_noResult->setText(underWay         ? tr("The run is in progress. Its cases appear here when they are measured.")
                        : text.isEmpty() ? tr("It has no results that could be shown.")
                                         : text);
    m_resume->setVisible(!text.isEmpty());
    m_unitBox->setVisible(!none);
    m_exportButton->setVisible(!none);
    m_stack->setCurrentIndex(none ? 2 : 1);
}

void ResultsPage::resume() {
    if (m_run) emit resumeRequested(QString::fromStdString(m_run->id));
}

void ResultsPage::showTabs() {
    const ResultsPresenter presenter(*m_run, m_context.machine.catalogue());
    const SweepPresenter sweeps(*m_run, m_context.machine.catalogue());
    m_tabs->setTabVisible(Batches, sweeps.hasBatchSweep());
    m_tabs->setTabVisible(Threads, sweeps.hasThreadScaling());
    m_tabs->setTabVisible(Gpus, sweeps.hasGpuScaling());
    m_ladder->setRun(m_run);
    m_tabs->setTabVisible(Roofline, RooflinePresenter::hasRoofline(*m_run));
    if (!m_tabs->isTabVisible(m_tabs->currentIndex())) m_tabs->setCurrentIndex(Speed);
    m_badge->setState(presenter.verificationTone(), presenter.verificationText());
    m_summary->setText(presenter.summary());
    m_banner->setText(m_run->origin == "imported" ? QString() : DisturbancePresenter::banner(*m_run));
}

void ResultsPage::showView() {
    if (!m_run) return;
    const ResultsPresenter presenter(*m_run, m_context.machine.catalogue());
    const SweepPresenter sweeps(*m_run, m_context.machine.catalogue());
    const int view = m_tabs->currentIndex();
    m_views->setCurrentIndex(view);
    m_unitBox->setEnabled(view == Speed);
    switch (view) {
        case Speed: {
            const auto unit = static_cast<SpeedUnit>(m_unitBox->currentIndex());
            const bool both = presenter.hasMode(plan::Mode::Train) && presenter.hasMode(plan::Mode::Infer);
            std::size_t index = 0;
            for (const auto mode : plan::kModes) {
                auto& [card, chart] = m_speedCharts[index++];
                card->setVisible(both || presenter.hasMode(mode));
                chart->setSpec(presenter.speed(mode, unit));
            }
            break;
        }
        case Memory:
            m_memoryChart->setSpec(presenter.memory());
            break;
        case Batches:
            m_batchChart->setSpec(sweeps.batchSweep());
            break;
        case Threads:
            m_threadChart->setSpec(sweeps.threadScaling());
            break;
        case Gpus:
            m_gpuChart->setSpec(sweeps.gpuScaling());
            break;
        case Roofline:
            m_roofline->setSpec(RooflinePresenter::chart(*m_run, m_context.machine.catalogue(), presenter.subtitle()));
            break;
        case Ladder:
            break;
        default:
            m_records->setContent(RecordsPresenter::table(*m_run, m_context.machine.catalogue()));
            m_table->resizeColumnsToContents();
            break;
    }
}

void ResultsPage::showDetails(const QString& key) {
    const int position = m_run ? RecordsPresenter::positionOf(key, *m_run) : -1;
    if (position < 0) return;
    const auto& record = m_run->records[static_cast<std::size_t>(position)];
    m_detailCard->setHeading(QString::fromStdString(m_context.machine.catalogue().titleOf(record.spec.workload)));
    auto details = RecordsPresenter::details(record);
    details.insert(details.begin(), {tr("Case"), RecordsPresenter::title(record, m_context.machine.catalogue())});
    m_details->setDetails(details);
    m_detailKey = key;
    m_measureAgain->setVisible(canMeasureAgain(*m_run, record));
    m_detailCard->show();
}

void ResultsPage::measureAgain() {
    const int position = m_run ? RecordsPresenter::positionOf(m_detailKey, *m_run) : -1;
    if (position < 0) return;
    bench::RunRecord one;
    one.records = {m_run->records[static_cast<std::size_t>(position)]};
    emit runAgainRequested(one);
}

ChartView* ResultsPage::frontChart() const {
    switch (m_tabs->currentIndex()) {
        case Speed:
            return m_speedCharts[m_speedCharts[0].first->isVisible() ? 0 : 1].second;
        case Memory:
            return m_memoryChart;
        case Batches:
            return m_batchChart;
        case Threads:
            return m_threadChart;
        case Gpus:
            return m_gpuChart;
        case Roofline:
            return m_roofline;
        case Ladder:
            return m_ladder->chart();
        default:
            return nullptr;
    }
}

void ResultsPage::exportSpec(const ChartSpec& spec, ExportFormat format) {
    auto named = spec;
    if (m_run) named.origin = Format::fileStamp(m_run->startedUnixMs);
    exportChartAsking(this, m_context.dialogs, named, format, [this](const QString& file) { postExported(file); });
}

bool ResultsPage::exportContent() {
    if (!m_run || !frontChart()) return false;
    exportSpec(frontChart()->spec(), ExportFormat::Png);
    return true;
}

QString ResultsPage::helpText() const {
    return tr(
        "Each mark is the median of one case; the line through it is its 95 % interval. Cases without a result are "
        "dashes that "
        "tell why on hover. Click a mark for everything known about the case. Values far apart are drawn on a "
        "logarithmic "
        "axis. The table button above a chart shows the same data as rows.");
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/studies/studies_page.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>
#include <set>

#include "engine/core/messages/app.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/pages/report/export_flow.h"
#include "ui/presenters/study_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kWeightSteps = 20;  // slider steps up to 1
constexpr int kMostWeight = 6;
constexpr qint64 kLargestFile = 8 * 1024 * 1024;  // read in the GUI thread: a study is a few kilobytes
constexpr int kControlsWidth = 260;               // in pixels at a text scale of 1, as below
constexpr int kResultsWidth = 320;
constexpr int kResultsHeight = 680;  // above the controls if they do not fit side by side

}  // namespace

StudiesPage::StudiesPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Studies"), parent), m_context(context) {
    buildHeader();
    auto* row = new AdaptiveRow(this, spacing::kGap);
    row->setLastFirst();
    auto* controls = makeControls();
    auto* area = makeScrolled(controls, row);
    area->setFixedWidth(scaled(kControlsWidth));
    auto* results = makeResults();
    row->addWidget(area, 0, kControlsWidth);
    row->addWidget(results, 1, kResultsWidth);
    addScrolled(row);
    connect(row, &AdaptiveRow::stackedChanged, this, [area, controls, results](bool stacked) {
        area->setMinimumWidth(stacked ? 0 : scaled(kControlsWidth));
        area->setMaximumWidth(stacked ? QWIDGETSIZE_MAX : scaled(kControlsWidth));
        area->setMinimumHeight(stacked ? controls->sizeHint().height() : 0);
        results->setMinimumHeight(stacked ? scaled(kResultsHeight) : 0);
    });
}

void StudiesPage::buildHeader() {
    m_studies = new ElidedComboBox(this);
    m_studies->setObjectName(QStringLiteral("studyBox"));
    m_studies->setAccessibleName(tr("Study"));
    m_studies->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_studies->setMinimumContentsLength(26);
    for (const auto& file : m_context.advice.studies()) {
        const auto study = advisor::loadStudy(file);
        const auto title = study && !study->title.empty() ? study->title : file.stem().string();
        m_studies->addItem(AdviceText::studyTitle(title), QString::fromStdString(file.string()));
    }
    auto* open = makeButton(tr("Open table…"), QStringLiteral("import"), "", this);
    open->setObjectName(QStringLiteral("openStudyButton"));
    open->setToolTip(tr("A CSV file with the columns workload, platform, variant, epoch_seconds, price_usd_per_hour"));
    actions()->addWidget(m_studies);
    actions()->addWidget(open);
    connect(m_studies, &QComboBox::activated, this,
            [this] { showStudy(m_studies->currentData().toString().toStdString()); });
    connect(open, &QPushButton::clicked, this, [this] {
        const auto file = m_context.dialogs.openFile(this, tr("Open a study"), tr("Tables (*.csv)"));
        if (!file.isEmpty()) openFile(file);
    });
}

QWidget* StudiesPage::makeControls() {
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, spacing::kSmall, 0);
    layout->setSpacing(spacing::kGap);
    auto* weighing = new Card(tr("Priorities"), widget);
    auto* body = weighing->body();
    body->setSpacing(spacing::kStep);
    m_weightText = makeLabel(tr("Money matters ↔ time matters"), role::kSmall, weighing);
    m_weight = new QSlider(Qt::Horizontal, weighing);
    m_weight->setObjectName(QStringLiteral("studyWeight"));
    m_weight->setAccessibleName(tr("Money matters ↔ time matters"));
    m_weight->setRange(0, kMostWeight * kWeightSteps);
    m_weight->setPageStep(kWeightSteps / 2);
    m_weight->setValue(kWeightSteps);
    body->addWidget(m_weightText);
    body->addWidget(m_weight);
    auto* ends = new QHBoxLayout;
    ends->addWidget(makeLabel(tr("money first"), role::kSmall, weighing, false));
    ends->addStretch(1);
    ends->addWidget(makeLabel(tr("time first"), role::kSmall, weighing, false));
    body->addLayout(ends);
    const auto choice = [&](const QString& text, const char* name) {
        auto* box = new ElidedComboBox(weighing);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(text);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(10);
        auto* label = makeLabel(text, role::kSmall, weighing, false);
        body->addWidget(label);
        body->addWidget(box);
        return std::pair(box, label);
    };
    m_baseline = choice(tr("Compared with"), "studyBaseline").first;
    std::tie(m_workload, m_workloadText) = choice(tr("Workload of the chart"), "studyWorkload");
    layout->addWidget(weighing);
    auto* prices = new Card(tr("Price multipliers"), widget);
    prices->body()->addWidget(makeLabel(tr("What if a platform cost more, or less?"), role::kSmall, prices));
    m_prices = new QFormLayout;
    m_prices->setSpacing(spacing::kStep);
    m_prices->setRowWrapPolicy(QFormLayout::WrapLongRows);
    prices->body()->addLayout(m_prices);
    layout->addWidget(prices);
    layout->addStretch(1);
    connect(m_weight, &QSlider::valueChanged, this, &StudiesPage::weighAgain);
    connect(m_baseline, &QComboBox::activated, this, &StudiesPage::weighAgain);
    connect(m_workload, &QComboBox::activated, this, &StudiesPage::showView);
    return widget;
}

QTableView* StudiesPage::addTable(const char* name, const QString& accessibleName, int view) {
    Table table;
    table.rows = new RowsModel(this);
    table.sorted = new RowsProxy(this);
    table.sorted->setSourceModel(table.rows);
    table.view = makeTable(table.sorted, accessibleName, m_views);
    table.view->setObjectName(QLatin1String(name));
    table.view->setSortingEnabled(true);
    table.view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_tables[view] = table;
    return table.view;
}

QWidget* StudiesPage::makeResults() {
    auto* widget = new QWidget(this);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    auto* hero = new Card({}, widget);
    m_verdict = makeLabel({}, role::kVerdict, hero);
    m_verdict->setObjectName(QStringLiteral("studyVerdict"));
    m_source = makeLabel({}, role::kSmall, hero);
    m_source->setObjectName(QStringLiteral("studySource"));
    hero->body()->addWidget(m_verdict);
    hero->body()->addWidget(m_source);
    layout->addWidget(hero);
    m_tabs = new QTabBar(widget);
    m_tabs->setObjectName(QStringLiteral("studyTabs"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Views of the study"));
    for (const auto& name : {tr("Winners"), tr("Relative time"), tr("Relative cost"), tr("Time against cost"),
                             tr("Variants"), tr("All figures")})
        m_tabs->addTab(name);
    layout->addWidget(m_tabs);
    m_views = new QStackedWidget(widget);
    m_views->addWidget(addTable("studyWinners", tr("Winners per workload"), Winners));
    for (const auto& [view, name] : {std::pair(Time, "studyTimeChart"), std::pair(Cost, "studyCostChart"),
                                     std::pair(Scatter, "studyScatterChart")}) {
        auto* card = new Card({}, m_views);
        card->body()->setContentsMargins(2, 2, 2, 2);
        auto* chart = new ChartView(card);
        chart->setObjectName(QLatin1String(name));
        card->body()->addWidget(chart, 1);
        m_views->addWidget(card);
        m_charts[view] = chart;
        connect(chart, &ChartView::exportRequested, this,
                [this, chart](ExportFormat format) { exportSpec(chart->spec(), format); });
    }
    m_views->addWidget(addTable("studyVariants", tr("Effect of the variants"), Variants));
    m_views->addWidget(addTable("studyFigures", tr("All figures of the study"), Figures));
    layout->addWidget(m_views, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &StudiesPage::showView);
    return widget;
}

void StudiesPage::entered() {
    if (!m_study && m_studies->count() > 0) showStudy(m_studies->currentData().toString().toStdString());
}

void StudiesPage::openFile(const QString& file) {
    const QFileInfo info(file);
    auto study = info.size() > kLargestFile
                     ? Result<advisor::Study>(
                           fail(ErrorKind::InvalidArgument, file.toStdString(), app::messages::largerThan8MiB()))
                     : advisor::loadStudy(file.toStdString());
    if (!study) {
        m_context.dialogs.showError(this, tr("The table could not be opened"), ErrorText::full(study.error()));
        return;
    }
    int row = m_studies->findData(file);
    if (row < 0) {
        m_studies->addItem(study->title.empty() ? info.fileName() : AdviceText::studyTitle(study->title), file);
        row = m_studies->count() - 1;
    }
    m_studies->setCurrentIndex(row);
    showStudy(file.toStdString());
}

void StudiesPage::showStudy(const std::filesystem::path& file) {
    auto study = advisor::loadStudy(file);
    if (!study) {
        m_context.dialogs.showError(this, tr("The table could not be opened"), ErrorText::full(study.error()));
        return;
    }
    m_study = std::move(*study);
    m_options = {};
    setSubtitle(AdviceText::studyTitle(m_study->title));
    fillControls();
    weighAgain();
}

void StudiesPage::fillControls() {
    const QSignalBlocker blocker(m_baseline);
    m_baseline->clear();
    m_workload->clear();
    while (m_prices->rowCount() > 0) m_prices->removeRow(0);
    m_factors.clear();
    std::set<std::string> workloads;
    for (const auto& row : m_study->rows) {
        const auto name = QString::fromStdString(advisor::Configuration{row.platform, row.variant}.name());
        if (m_baseline->findText(name) < 0) m_baseline->addItem(name);
        if (workloads.insert(row.workload).second) m_workload->addItem(QString::fromStdString(row.workload));
        if (m_factors.contains(row.platform)) continue;
        auto* factor = new QDoubleSpinBox;
        factor->setRange(0.01, 1000);
        factor->setDecimals(2);
        factor->setSingleStep(0.25);
        factor->setPrefix(QStringLiteral("× "));
        factor->setValue(1);
        factor->setKeyboardTracking(false);
        const auto platform = QString::fromStdString(row.platform);
        factor->setObjectName(QStringLiteral("studyPrice_%1").arg(platform));
        factor->setAccessibleName(tr("Price of %1 times").arg(platform));
        auto* label = new ElidedLabel(platform);
        label->setMinimumHeight(factor->sizeHint().height());  // aligned with its field
        m_prices->addRow(label, factor);
        m_factors[row.platform] = factor;
        connect(factor, &QDoubleSpinBox::valueChanged, this, &StudiesPage::weighAgain);
    }
}

void StudiesPage::weighAgain() {
    if (!m_study) return;
    m_options.timeWeight = static_cast<double>(m_weight->value()) / kWeightSteps;
    m_options.baseline = m_baseline->currentText().toStdString();
    m_options.priceMultipliers.clear();
    for (const auto& [platform, factor] : m_factors) {
        if (factor->value() != 1) m_options.priceMultipliers[platform] = factor->value();
    }
    m_weightText->setText(tr("Money matters ↔ time matters (weight %1)").arg(Format::number(m_options.timeWeight)));
    auto report = advisor::weigh(*m_study, m_options);
    if (!report) {
        m_context.dialogs.showError(this, tr("The table cannot be evaluated"), ErrorText::full(report.error()));
        return;
    }
    m_report = std::move(*report);
    const StudyPresenter presenter(*m_study, *m_report, m_options);
    m_verdict->setText(presenter.verdict());
    m_source->setText(presenter.source());
    showView();
}

void StudiesPage::showView() {
    const int view = m_tabs->currentIndex();
    m_views->setCurrentIndex(view);
    m_workload->setVisible(view == Scatter);
    m_workloadText->setVisible(view == Scatter);
    if (!m_report) return;
    const StudyPresenter presenter(*m_study, *m_report, m_options);
    const auto fill = [&](TableContent content) {
        m_tables[view].rows->setContent(std::move(content));
        m_tables[view].view->resizeColumnsToContents();
    };
    switch (view) {
        case Winners:
            return fill(presenter.winners());
        case Time:
            return m_charts[view]->setSpec(presenter.relative(StudyPresenter::Measure::Time));
        case Cost:
            return m_charts[view]->setSpec(presenter.relative(StudyPresenter::Measure::Cost));
        case Scatter:
            return m_charts[view]->setSpec(
                presenter.timeAgainstCost(static_cast<std::size_t>(std::max(0, m_workload->currentIndex()))));
        case Variants:
            return fill(presenter.variants());
        default:
            return fill(presenter.figures());
    }
}

void StudiesPage::exportSpec(const ChartSpec& spec, ExportFormat format) {
    exportChartAsking(this, m_context.dialogs, spec, format, [this](const QString& file) { postExported(file); });
}

bool StudiesPage::exportContent() {
    const auto chart = m_charts.find(m_tabs->currentIndex());
    if (!m_report || chart == m_charts.end()) return false;
    exportSpec(chart->second->spec(), ExportFormat::Png);
    return true;
}

QString StudiesPage::helpText() const {
    return tr(
        "A study is a table of times and prices that somebody published. The slider says how much time counts against "
        "money: at 0 only money, at 1 both alike. The factors change the prices of a platform, to see when the answer "
        "changes. Relative figures are against the configuration chosen as baseline; the line at 1 is the baseline "
        "itself. Open a table of your own, or drop it on this window.");
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/home/home_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/pages/home/key_figure_card.h"
#include "ui/pages/report/export_flow.h"
#include "ui/pages/results/ladder_view.h"
#include "ui/presenters/hardware_presenter.h"
#include "ui/presenters/home_presenter.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/text/format.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// Training, if the run has any.
plan::Mode chartMode(const bench::RunRecord& run) {
    for (const auto& record : run.records) {
        if (record.spec.mode == plan::Mode::Train && record.status == bench::Status::Ok) return record.spec.mode;
    }
    return plan::Mode::Infer;
}

}  // namespace

HomePage::HomePage(WindowContext& context, QWidget* parent)
    : Page(context, tr("This computer"), parent), m_context(context) {
    build();
    showMachine();
    showRun({});
    showProgress();
    auto& run = m_context.run;
    connect(&m_context.machine, &MachineController::profileReady, this, &HomePage::showMachine);
    connect(&m_context.machine, &MachineController::catalogueReady, this, [this] { showRun(m_run); });
    connect(&m_context.machine, &MachineController::durationLearned, this, &HomePage::showProgress);
    connect(&run, &RunController::runningChanged, this, &HomePage::showProgress);
    connect(&run, &RunController::caseFinished, this, &HomePage::showProgress);
    connect(&m_context.history, &HistoryController::runsChanged, this, [this] {
        if (m_context.history.runs().empty()) showRun({});
    });
}

void HomePage::build() {
    m_copyButton = makeButton(tr("Copy"), QStringLiteral("copy"), role::kMenu, this);
    m_copyButton->setObjectName(QStringLiteral("homeCopyButton"));
    auto* copies = new QMenu(m_copyButton);
    copies->addAction(tr("Copy as Markdown"), this, &HomePage::copyMarkdown);
    copies->addAction(tr("Copy as picture"), this, &HomePage::copyPicture);
    m_copyButton->setMenu(copies);
    actions()->addWidget(m_copyButton);
    auto* body = m_body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    m_limits = makeLabel({}, role::kCaution, body);
    layout->addWidget(m_limits);

    layout->addWidget(makeHero(body));

    m_banner = new Banner(tr("Run again"), body);
    m_banner->setObjectName(QStringLiteral("homeBanner"));
    layout->addWidget(m_banner);
    connect(m_banner, &Banner::actionTriggered, this, [this] {
        if (m_run) emit runAgainRequested(*m_run);
    });
    auto* figures = new AdaptiveRow(body, spacing::kGap);
    for (int index = 0; index < 3; ++index) {
        m_figures.push_back(new KeyFigureCard(figures));
        figures->addWidget(m_figures.back(), 1, 180);
    }
    layout->addWidget(figures);
    m_ladder = new LadderView(m_context, body);
    layout->addWidget(m_ladder);
    m_chartCard = new Card({}, body);
    m_chartCard->body()->setContentsMargins(2, 2, 2, 2);
    m_chart = new ChartView(m_chartCard);
    m_chart->setMinimumHeight(scaled(250));
    m_chartCard->body()->addWidget(m_chart, 1);
    layout->addWidget(m_chartCard, 100);
    m_promises = makePromises(body);
    layout->addWidget(m_promises);
    layout->addStretch(1);
    addScrolled(body);

    connect(m_ladder, &LadderView::pointActivated, this, [this] { emit pageRequested(QStringLiteral("results")); });
    connect(m_ladder, &LadderView::exported, this, &HomePage::postExported);
    connect(m_chart, &ChartView::pointActivated, this, [this] { emit pageRequested(QStringLiteral("results")); });
    connect(m_chart, &ChartView::exportRequested, this, [this](ExportFormat format) {
        auto spec = m_chart->spec();
        if (m_run) spec.origin = Format::fileStamp(m_run->startedUnixMs);
        exportChartAsking(this, m_context.dialogs, spec, format, [this](const QString& file) { postExported(file); });
    });
}

// The result of the last run and the next action.
QWidget* HomePage::makeHero(QWidget* parent) {
    auto* hero = new Card({}, parent);
    hero->body()->setContentsMargins(spacing::kPage, spacing::kPage, spacing::kPage, spacing::kPage);
    hero->body()->setSpacing(spacing::kGap);
    m_verdict = makeLabel({}, role::kVerdict, hero);
    m_verdict->setObjectName(QStringLiteral("homeVerdict"));
    m_runLine = makeLabel({}, role::kMuted, hero);
    hero->body()->addWidget(m_verdict);
    hero->body()->addWidget(m_runLine);
    m_progress = new QProgressBar(hero);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the run"));
    hero->body()->addWidget(m_progress);
    auto* buttonRow = new QWidget(hero);
    auto* buttons = new FlowLayout(buttonRow, spacing::kSmall);
    m_runButton = makeButton({}, QStringLiteral("run"), role::kHero, hero);
    m_runButton->setObjectName(QStringLiteral("homeRunButton"));
    auto* choose = makeButton(tr("Choose what to run"), {}, role::kQuiet, hero);
    choose->setObjectName(QStringLiteral("homeChooseButton"));
    m_resultsButton = makeButton(tr("All results"), {}, role::kQuiet, hero);
    m_resultsButton->setObjectName(QStringLiteral("homeResultsButton"));
    auto* where = makeButton(tr("Find the best hardware for my job"), QStringLiteral("advice"), "", hero);
    where->setObjectName(QStringLiteral("homeAdviceButton"));
    buttons->addWidget(m_runButton);
    buttons->addWidget(where);
    buttons->addWidget(choose);
    buttons->addWidget(m_resultsButton);
    hero->body()->addSpacing(spacing::kStep);
    hero->body()->addWidget(buttonRow);
    connect(where, &QPushButton::clicked, this, &HomePage::adviceRequested);
    connect(choose, &QPushButton::clicked, this, [this] { emit pageRequested(QStringLiteral("benchmark")); });
    connect(m_resultsButton, &QPushButton::clicked, this, [this] { emit pageRequested(QStringLiteral("results")); });
    connect(m_runButton, &QPushButton::clicked, this, [this] {
        if (m_context.run.isRunning()) {
            emit pageRequested(QStringLiteral("benchmark"));
        } else {
            emit runRequested();
        }
    });
    return hero;
}

// Introduction, shown while there is no result.
QWidget* HomePage::makePromises(QWidget* parent) {
    auto* widget = new AdaptiveRow(parent, spacing::kGap);
    const std::tuple<const char*, QString, QString> promises[] = {
        {"verified", tr("Checked, then timed"),
         tr("Every network first proves that it computes correctly on this device.")},
        {"chart", tr("With an error bar"),
         tr("Every value is a median with its 95 % interval, and all samples are kept.")},
        {"lock", tr("Private"), tr("No account and no upload: you decide who sees your results.")}};
    for (const auto& [iconName, heading, text] : promises) {
        auto* card = new Card({}, widget);
        card->body()->addWidget(new IconLabel(QLatin1String(iconName), IconColour::Accent, 26, card));
        card->body()->addWidget(makeLabel(heading, role::kHeading, card));
        card->body()->addWidget(makeLabel(text, role::kMuted, card));
        card->body()->addStretch(1);
        widget->addWidget(card, 1, 200);
    }
    return widget;
}

void HomePage::showMachine() {
    const auto& profile = m_context.machine.profile();
    setSubtitle(profile ? HardwarePresenter::computerLine(*profile) : tr("Detecting hardware…"));
    const auto limits = profile ? HardwarePresenter::limits(*profile) : QString();
    m_limits->setText(limits);
    m_limits->setVisible(!limits.isEmpty());
}

void HomePage::showRun(const std::optional<bench::RunRecord>& run) {
    m_run = run;
    const auto& catalogue = m_context.machine.catalogue();
    m_verdict->setText(Format::unbroken(HomePresenter::verdict(m_run ? &*m_run : nullptr, catalogue)));
    m_runLine->setText(m_run ? HomePresenter::runLine(*m_run) : tr("Your results stay on this computer."));
    const auto figures = m_run ? HomePresenter::keyFigures(*m_run, catalogue) : std::vector<KeyFigure>();
    for (std::size_t index = 0; index < m_figures.size(); ++index) {
        m_figures[index]->setVisible(index < figures.size());
        if (index < figures.size()) m_figures[index]->setFigure(figures[index]);
    }
    m_banner->setText(m_run ? DisturbancePresenter::banner(*m_run) : QString());
    m_resultsButton->setVisible(m_run.has_value());
    const auto chart =
        m_run ? ResultsPresenter(*m_run, catalogue).speed(chartMode(*m_run), SpeedUnit::SamplesPerSecond) : ChartSpec();
    m_chartCard->setVisible(chart.hasValues());
    m_ladder->setRun(m_run);
    m_promises->setVisible(!m_run.has_value());
    m_copyButton->setVisible(m_run.has_value());
    if (chart.hasValues()) m_chart->setSpec(chart);
    showProgress();
}

void HomePage::copyMarkdown() {
    if (!m_run) return;
    const auto& profile = m_context.machine.profile();
    QGuiApplication::clipboard()->setText(HomePresenter::markdown(
        *m_run, m_context.machine.catalogue(), profile ? HardwarePresenter::computerLine(*profile) : QString()));
    emit noticePosted(Tone::Good, tr("Copied as Markdown."));
}

void HomePage::copyPicture() {
    QGuiApplication::clipboard()->setPixmap(m_body->grab());
    emit noticePosted(Tone::Good, tr("Copied as a picture."));
}

void HomePage::showProgress() {
    const auto& run = m_context.run;
    m_progress->setVisible(run.isRunning());
    if (run.isRunning()) {
        m_progress->setRange(0, run.progress().visitsInAll());
        m_progress->setValue(run.progress().visitsDone());
        m_runButton->setText(tr("Show the run"));
        m_runButton->setEnabled(true);
        return;
    }
    const auto& suites = m_context.machine.catalogue().suites;
    m_runButton->setText(HomePresenter::runButton(suites.empty() ? nullptr : &suites.front()));
    m_runButton->setEnabled(!suites.empty());
}

QString HomePage::helpText() const {
    return tr(
        "Home tells in one sentence what the last run found. The big button runs the first suite: every network is "
        "checked "
        "for correct results before it is timed, and every value comes with its 95 % interval. Stop at any time; "
        "finished "
        "cases are kept.");
}

}  // namespace steelyard::ui

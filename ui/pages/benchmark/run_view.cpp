// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/run_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "engine/bench/record/disturbance.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/models/rows_model.h"
#include "ui/pages/benchmark/gauge.h"
#include "ui/pages/benchmark/live_samples_view.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/status_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kRefreshMs = 100;
constexpr int kBarSteps = 1000;
constexpr double kMega = 1e6;

QString phaseLine(std::optional<bench::Phase> current, const Theme& theme) {
    QStringList parts;
    for (const auto phase : {bench::Phase::Compile, bench::Phase::Verify, bench::Phase::WarmUp, bench::Phase::Sampling,
                             bench::Phase::CoolDown}) {
        const auto name = StatusText::name(phase).toHtmlEscaped();
        parts << (current == phase
                      ? QStringLiteral("<b style=\"color:%1\">%2</b>").arg(theme.accent.name(), name)
                      : QStringLiteral("<span style=\"color:%1\">%2</span>").arg(theme.muted.name(), name));
    }
    return parts.join(QStringLiteral(" <span style=\"color:%1\">›</span> ").arg(theme.muted.name()));
}

// Message about a run that the history could not store.
QString keptText(const RunProgress& progress) {
    const auto why = ErrorText::full(*progress.storeError());
    if (progress.keptFile().empty()) return why;
    return RunView::tr(
               "All of this run is in %1. Import it on the page History & compare, or in the terminal: "
               "steelyard-cli history import %1")
               .arg(QString::fromStdString(progress.keptFile())) +
           QLatin1Char('\n') + why;
}

}  // namespace

RunView::RunView(WindowContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    layout->addWidget(makeHeadCard());
    m_liveCard = makeLiveCard();
    layout->addWidget(m_liveCard, 3);
    m_log = new RowsModel(this);
    m_log->setContent(RecordsPresenter::emptyLog());
    m_logTable = makeTable(m_log, tr("Cases: finished, running, queued"), this);
    m_logTable->setObjectName(QStringLiteral("logTable"));
    m_logTable->setMinimumHeight(scaled(110));
    auto* header = m_logTable->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(1, QHeaderView::Stretch);
    layout->addWidget(m_logTable, 2);

    m_timer.setInterval(kRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &RunView::refresh);
    auto& run = m_context.run;
    connect(&run, &RunController::started, this, &RunView::runStarted);
    connect(&run, &RunController::finished, this, &RunView::runEnded);
    connect(&run, &RunController::failed, this, &RunView::runFailed);
    connect(&run, &RunController::runningChanged, this, &RunView::showButtons);
    connect(&run, &RunController::suiteStarted, this, &RunView::fillLog);
    connect(&run, &RunController::caseStarted, this, &RunView::fillLog);
    connect(&run, &RunController::caseFinished, this, &RunView::fillLog);
    // A view created during a run (after a language change) starts from its current state.
    fillLog();
    if (run.isRunning()) m_timer.start();
    showButtons();
    refresh();
}

Card* RunView::makeHeadCard() {
    auto* card = new Card({}, this);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kGap);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    m_heading = makeLabel({}, role::kHeading, card, false);
    m_heading->setObjectName(QStringLiteral("runHeading"));
    m_heading->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);  // keeps the buttons at the right
    m_case = new ElidedLabel({}, card);
    m_case->setObjectName(QStringLiteral("runCase"));
    m_outcome = new Badge(card);
    m_outcome->setObjectName(QStringLiteral("runOutcome"));
    m_outcome->setWrapping();
    m_outcomeText = makeLabel({}, role::kMuted, card);
    m_outcomeText->setObjectName(QStringLiteral("runOutcomeText"));
    m_outcomeText->setTextInteractionFlags(Qt::TextSelectableByMouse);  // for paths and commands
    words->addWidget(m_heading);
    words->addWidget(m_case);
    words->addWidget(m_outcome);
    words->addWidget(m_outcomeText);
    row->addLayout(words, 1);
    m_stop = makeButton(tr("Stop"), QStringLiteral("stop"), role::kDanger, card);
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_stop->setToolTip(tr("Stop the run (Esc here, Ctrl+. on every page). Finished cases are kept."));
    m_results = makeButton(tr("See results"), QStringLiteral("results"), role::kPrimary, card);
    m_results->setObjectName(QStringLiteral("seeResultsButton"));
    m_resume = makeButton(tr("Resume"), QStringLiteral("run"), role::kPrimary, card);
    m_resume->setObjectName(QStringLiteral("resumeRunButton"));
    m_resume->setToolTip(tr("Measures the remaining cases of an interrupted run with its original settings."));
    m_again = makeButton(tr("New run"), {}, "", card);
    m_again->setObjectName(QStringLiteral("newRunButton"));
    for (auto* button : {m_again, m_results, m_resume, m_stop}) {
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        row->addWidget(button, 0, Qt::AlignTop);
    }
    card->body()->addLayout(row);
    m_bar = new QProgressBar(card);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the run"));
    card->body()->addWidget(m_bar);
    m_remaining = makeLabel({}, role::kSmall, card, false);
    card->body()->addWidget(m_remaining);
    connect(m_stop, &QPushButton::clicked, this, &RunView::stopRequested);
    connect(m_results, &QPushButton::clicked, this, &RunView::resultsRequested);
    connect(m_again, &QPushButton::clicked, this, &RunView::setupRequested);
    connect(m_resume, &QPushButton::clicked, this, &RunView::resumeRequested);
    return card;
}

Card* RunView::makeLiveCard() {
    auto* card = new Card({}, this);
    auto* row = new QWidget(card);
    auto* line = new FlowLayout(row, spacing::kGap);
    m_phases = new QLabel(row);
    m_phases->setTextFormat(Qt::RichText);
    m_phases->setObjectName(QStringLiteral("phaseLabel"));
    line->addWidget(m_phases);
    m_interval = makeLabel({}, role::kMuted, card, false);
    line->addWidget(m_interval);
    m_countersButton = makeButton({}, {}, role::kQuiet, card);
    m_countersButton->setObjectName(QStringLiteral("countersButton"));
    line->addWidget(m_countersButton);
    card->body()->addWidget(row);
    m_live = new LiveSamplesView(card);
    card->body()->addWidget(m_live, 1);
    makeGauges(card);
    connect(m_countersButton, &QPushButton::clicked, this, [this] {
        auto preferences = m_context.preferences.load();
        preferences.showCounters = !preferences.showCounters;
        m_context.preferences.save(preferences);
        showButtons();
    });
    return card;
}

void RunView::makeGauges(Card* card) {
    m_gaugeRow = new QWidget(card);
    auto* layout = new FlowLayout(m_gaugeRow, spacing::kSmall);
    layout->setFilling(true);
    m_load = new Gauge(tr("CPU load"), m_gaugeRow);
    m_load->setRange(0, 1);
    m_clock = new Gauge(tr("Clock"), m_gaugeRow);
    m_heat = new Gauge(tr("Temperature"), m_gaugeRow);
    m_memory = new Gauge(tr("Memory"), m_gaugeRow);
    m_gpu = new Gauge(tr("GPU load"), m_gaugeRow);
    m_gpu->setRange(0, 1);
    for (auto* gauge : {m_load, m_clock, m_heat, m_memory, m_gpu}) layout->addWidget(gauge);
    card->body()->addWidget(m_gaugeRow);
}

void RunView::runStarted() {
    m_error.reset();
    fillLog();
    showButtons();
    m_timer.start();
    refresh();
}

void RunView::runEnded(const QString&) {
    m_timer.stop();
    fillLog();
    showButtons();
    refresh();
}

void RunView::runFailed(const Error& error) {
    m_error = error;
    runEnded({});
}

// Finished cases; during a run followed by the remaining ones.
void RunView::fillLog() {
    const auto& run = m_context.run;
    const auto& progress = run.progress();
    const auto& catalogue = m_context.machine.catalogue();
    auto content = RecordsPresenter::emptyLog();
    for (std::size_t index = 0; index < progress.finished().size(); ++index)
        content.rows.push_back(
            RecordsPresenter::logRow(progress.finished()[index], catalogue, RecordsPresenter::keyOf(index)));
    if (run.isRunning()) {
        for (const auto& spec : progress.unfinished())
            content.rows.push_back(RecordsPresenter::queuedRow(spec, progress.current() == spec, catalogue));
    }
    m_log->setContent(std::move(content));
    // Keep the latest result and the following cases visible.
    const int latest = std::max(0, progress.finishedCount() - 1);
    m_logTable->scrollTo(m_log->index(latest, 0), QAbstractItemView::PositionAtTop);
    // After the rows have been laid out: column widths would otherwise be those of the old rows.
    QTimer::singleShot(0, m_logTable, [table = m_logTable] {
        auto* header = table->horizontalHeader();
        header->setSectionResizeMode(QHeaderView::ResizeToContents);
        header->setSectionResizeMode(1, QHeaderView::Stretch);
    });
}

void RunView::showButtons() {
    const auto& run = m_context.run;
    m_stop->setVisible(run.isRunning());
    m_stop->setEnabled(!run.isStopping());
    m_stop->setText(run.isStopping() ? tr("Stopping…") : tr("Stop"));
    const auto& progress = run.progress();
    const bool rest = !run.isRunning() && !progress.runId().empty() && progress.finalStatus() != "done" &&
                      progress.finishedCount() < progress.caseCount() && !progress.storeError();
    m_resume->setVisible(rest);
    setRole(m_results, rest ? "" : role::kPrimary);
    m_results->setIcon(icon(QStringLiteral("results"), rest ? IconColour::Text : IconColour::OnAccent));
    m_results->setVisible(!run.isRunning() && progress.okCount() > 0);
    m_again->setVisible(!run.isRunning());
    m_liveCard->setVisible(run.isRunning());
    const bool counters = m_context.preferences.load().showCounters;
    m_gaugeRow->setVisible(counters);
    m_countersButton->setText(counters ? tr("Hide counters") : tr("Show counters"));
}

void RunView::refresh() {
    const auto& run = m_context.run;
    const auto& progress = run.progress();
    const auto titleOf = [&](const bench::Case& spec) {
        return StatusText::caseLabel(spec,
                                     QString::fromStdString(m_context.machine.catalogue().titleOf(spec.workload)));
    };
    const double factor = m_context.machine.durationFactor();
    const auto fraction = run.fraction(factor);
    m_bar->setRange(0, fraction ? kBarSteps : 0);  // unknown progress: busy indicator
    m_bar->setValue(fraction ? static_cast<int>(*fraction * kBarSteps) : -1);
    m_bar->setVisible(run.isRunning());
    m_remaining->setVisible(run.isRunning());
    m_case->setVisible(run.isRunning());
    m_outcome->setVisible(!run.isRunning());
    m_outcomeText->setVisible(!run.isRunning() && (m_error || progress.storeError()));
    if (!run.isRunning()) {
        m_heading->setText(m_error ? tr("The run failed")
                                   : (progress.finalStatus() == "done" || progress.finalStatus() == "partial"
                                          ? tr("Benchmark finished")
                                          : tr("Run stopped")));
        if (m_error) {
            m_outcome->setState(Tone::Bad, ErrorText::sentence(*m_error));
            m_outcomeText->setText(ErrorText::full(*m_error));
        } else {
            const bool all = progress.okCount() == progress.caseCount() && progress.finalStatus() == "done" &&
                             std::none_of(progress.finished().begin(), progress.finished().end(), bench::wasDisturbed);
            const auto status = progress.finalStatus().empty() ? std::string("cancelled") : progress.finalStatus();
            const auto took = Format::duration(run.elapsedSeconds());
            const auto finished = Format::integer(progress.okCount());
            m_outcome->setState(all ? Tone::Good : Tone::Caution,
                                status != "cancelled"
                                    ? tr("Benchmark finished: %1 of %n case(s) in %2.", nullptr, progress.caseCount())
                                          .arg(finished, took)
                                : progress.okCount() == 0
                                    ? tr("Stopped after %1; no case finished.").arg(took)
                                    : tr("Stopped after %1; %2 of %n case(s) finished.", nullptr, progress.caseCount())
                                          .arg(took, finished));
            if (progress.storeError()) m_outcomeText->setText(keptText(progress));
        }
        return;
    }
    if (progress.caseCount() == 0) {
        m_heading->setText(tr("Starting…"));
    } else if (progress.visitCount() > 1) {
        m_heading->setText(tr("Case %1 of %2, visit %3 of %4")
                               .arg(Format::integer(progress.caseNumber()), Format::integer(progress.caseCount()),
                                    Format::integer(progress.currentVisit() + 1),
                                    Format::integer(progress.visitCount())));
    } else {
        m_heading->setText(
            tr("Case %1 of %2").arg(Format::integer(progress.caseNumber()), Format::integer(progress.caseCount())));
    }
    m_case->setFullText(progress.current() ? titleOf(*progress.current()) : tr("Preparing the next case"));
    const auto remaining = progress.remainingSeconds(run.elapsedSeconds(), factor);
    m_remaining->setText(
        remaining
            ? tr("%1 so far, about %2 to go").arg(Format::duration(run.elapsedSeconds()), Format::duration(*remaining))
            : tr("%1 so far").arg(Format::duration(run.elapsedSeconds())));
    m_phases->setText(phaseLine(progress.phase(), Theme::of(palette())));
    const auto width = progress.relativeHalfWidth();
    m_interval->setText(
        width ? tr("n = %1, median within ±%2")
                    .arg(Format::integer(static_cast<std::int64_t>(progress.samples().size())), Format::percent(*width))
              : QString());
    m_live->setWaitingText(progress.phase() ? tr("%1…").arg(StatusText::name(*progress.phase()))
                                            : tr("Waiting for the first sample…"));
    m_live->setSamples(progress.samples());
    if (m_gaugeRow->isVisible()) refreshGauges();
}

void RunView::refreshGauges() {
    const auto& sensors = m_context.run.progress().sensors();
    using Read = std::function<std::optional<double>(const bench::SensorReading&)>;
    const auto show = [&](Gauge* gauge, const Read& read, const std::function<QString(double)>& text) {
        std::deque<std::optional<double>> values;
        for (const auto& sensor : sensors) values.push_back(read(sensor));
        const auto now = values.empty() ? std::nullopt : values.back();
        gauge->setReadings(values, now ? text(*now) : Format::unknown());
        // Hide readings that this computer does not report.
        const bool known = std::any_of(values.begin(), values.end(), [](const auto& one) { return one.has_value(); });
        gauge->setVisible(known);
    };
    const auto share = [](double value) { return Format::percent(value); };
    show(
        m_load, [](const auto& s) { return s.cpuLoadFraction; }, share);
    show(
        m_clock, [](const auto& s) { return s.cpuMhz ? s.cpuMhz : s.gpuMhz; },
        [](double value) { return tr("%1 MHz").arg(Format::integer(std::llround(value))); });
    show(
        m_heat, [](const auto& s) { return s.cpuCelsius ? s.cpuCelsius : s.gpuCelsius; },
        [](double value) { return tr("%1 °C").arg(Format::integer(std::llround(value))); });
    show(
        m_memory,
        [](const auto& s) -> std::optional<double> {
            if (!s.memoryUsedBytes) return std::nullopt;
            return static_cast<double>(*s.memoryUsedBytes) / kMega;
        },
        [](double value) { return Format::bytes(static_cast<std::int64_t>(value * kMega)); });
    show(
        m_gpu, [](const auto& s) { return s.gpuLoadFraction; }, share);
}

}  // namespace steelyard::ui

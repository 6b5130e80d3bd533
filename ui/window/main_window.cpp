// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "engine/core/error.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/campaign_controller.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/network_controller.h"
#include "ui/controllers/network_files.h"
#include "ui/controllers/run_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/dialogs/network_dialog.h"
#include "ui/pages/advice/advice_page.h"
#include "ui/pages/benchmark/benchmark_page.h"
#include "ui/pages/benchmark/run_notices.h"
#include "ui/pages/campaigns/campaigns_page.h"
#include "ui/pages/hardware/hardware_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/home/home_page.h"
#include "ui/pages/report/report_page.h"
#include "ui/pages/results/results_page.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/pages/studies/studies_page.h"
#include "ui/presenters/campaign_presenter.h"
#include "ui/presenters/report_presenter.h"
#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/help_text.h"
#include "ui/text/message_text.h"
#include "ui/text/status_text.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/navigation.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/wheel_guard.h"

namespace steelyard::ui {
namespace {

template <class AnyPage>
Page* build(WindowContext& context, QWidget* parent) {
    return new AnyPage(context, parent);
}

struct PageKind {
    const char* id;  // also the name of its icon
    Page* (*build)(WindowContext&, QWidget*);
};
// In the order of the navigation.
constexpr std::array<PageKind, 10> kPageKinds{{{"home", build<HomePage>},
                                               {"hardware", build<HardwarePage>},
                                               {"benchmark", build<BenchmarkPage>},
                                               {"results", build<ResultsPage>},
                                               {"history", build<HistoryPage>},
                                               {"advice", build<AdvicePage>},
                                               {"campaigns", build<CampaignsPage>},
                                               {"studies", build<StudiesPage>},
                                               {"report", build<ReportPage>},
                                               {"settings", build<SettingsPage>}}};

// Results, networks, studies and price lists may be dropped on the window.
QString droppedFile(const QMimeData* data) {
    for (const auto& url : data->urls()) {
        const auto file = url.toLocalFile();
        for (const auto* ending : {".json", ".csv", ".onnx"})
            if (file.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) return file;
    }
    return {};
}

constexpr int kHistoryIntervalMs = 3000;

bool takesTab(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
           !widget->focusProxy();
}

bool isField(const QWidget* widget) {
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget);
}

}  // namespace

MainWindow::MainWindow(WindowContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Steelyard"));
    setMinimumSize(960, 600);
    setAcceptDrops(true);
    resize(1280, 820);
    qApp->installEventFilter(new WheelGuard(this));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    m_stack = new QStackedWidget(this);
    m_notice = new NoticeBar(this);
    m_notice->setObjectName(QStringLiteral("noticeBar"));
    m_context.theme.addPart(m_notice);
    right->addWidget(m_stack, 1);
    auto* noticeRow = new QHBoxLayout;
    noticeRow->setContentsMargins(spacing::kPage, 0, spacing::kPage, spacing::kGap);
    noticeRow->addWidget(m_notice);
    right->addLayout(noticeRow);
    layout->addLayout(right, 1);
    m_rebuilding = new QTimer(this);
    m_rebuilding->setInterval(5);  // milliseconds; the window processes events between two pages
    connect(m_rebuilding, &QTimer::timeout, this, &MainWindow::rebuildNext);
    while (m_coming.size() < kPageKinds.size()) buildNextPage();
    useComingPages();
    addShortcuts();
    connect(qApp, &QApplication::focusChanged, this, &MainWindow::keepFocus);
    watchRun();
    connect(&m_context.history, &HistoryController::failed, this,
            [this](const Error& error) { showError(tr("Stored runs"), error); });
    connect(&m_context.machine, &MachineController::failed, this,
            [this](const Error& error) { showError(tr("Hardware"), error); });
    connect(&m_context.advice, &AdviceController::failed, this,
            [this](const Error& error) { showError(tr("Advice"), error); });
    auto& networks = m_context.networks;
    connect(&networks, &NetworkController::listChanged, &m_context.machine, &MachineController::refreshCatalogue);
    connect(&networks, &NetworkController::listChanged, &m_context.advice, &AdviceController::load);
    connect(&networks, &NetworkController::added, this, [this] {
        m_notice->announce(
            {Tone::Good, tr("The network was added. It is on the pages Benchmark and Cost & advice."), {}, {}});
    });
    connect(&networks, &NetworkController::removed, this, &MainWindow::networkRemoved);
    connect(&networks, &NetworkController::failed, this,
            [this](const Error& error) { showError(tr("Your networks"), error); });
    connect(&m_context.history, &HistoryController::runLoaded, this, [this](const bench::RunRecord& run) {
        const auto* front = m_context.history.newestWithResult();
        if (front != nullptr && front->id == run.id) m_home->showRun(run);
    });
    m_context.machine.setDurationFactor(m_context.preferences.load().durationFactor);
    connect(&m_context.machine, &MachineController::durationLearned, this, [this](double factor) {
        auto preferences = m_context.preferences.load();
        preferences.durationFactor = factor;
        m_context.preferences.save(preferences);
    });
    connect(&m_context.campaigns, &CampaignController::collected, this, [this](const QString& id) {
        m_context.history.refresh();
        if (currentPage() != QLatin1String("campaigns")) tellCampaign(id);
    });
    watchHistory();
    restoreGeometry(m_context.preferences.windowGeometry());
    const auto last = m_context.preferences.lastPage();
    showPage(page(last) ? last : QStringLiteral("home"));
    m_context.machine.setCorrections(m_context.preferences.corrections());
    m_context.machine.detect();
    openDatabase();
}

MainWindow::~MainWindow() {
    disconnect(qApp, nullptr, this, nullptr);  // an open dialog is deleted after the stack, and gives the focus back
}

void MainWindow::buildNextPage() {
    const auto& kind = kPageKinds[m_coming.size()];
    m_coming.push_back({QString::fromLatin1(kind.id), kind.build(m_context, m_stack)});
}

void MainWindow::useComingPages() {
    m_pages = std::exchange(m_coming, {});
    m_navigation = new Navigation(this);
    m_context.theme.addPart(m_navigation);
    static_cast<QHBoxLayout*>(layout())->insertWidget(0, m_navigation);
    takePage(m_home);
    takePage(m_benchmark);
    takePage(m_results);
    takePage(m_history);
    takePage(m_advice);
    takePage(m_campaigns);
    takePage(m_studies);
    takePage(m_settings);
    for (const auto& entry : m_pages) {
        m_stack->addWidget(entry.page);
        const auto word = entry.page == m_home ? tr("Home") : entry.page->title();
        m_navigation->addPage(entry.id, entry.id, word);
    }
    m_navigation->setCollapsed(width() < scaled(kCollapseBelow));
    connectPages();
    showRunState();
}

template <class AnyPage>
void MainWindow::takePage(AnyPage*& member) {
    for (const auto& entry : m_pages) {
        if (auto* page = qobject_cast<AnyPage*>(entry.page)) member = page;
    }
}

void MainWindow::connectPages() {
    connect(m_settings, &SettingsPage::languageChosen, this, &MainWindow::useLanguage);
    connect(m_settings, &SettingsPage::textScaleChosen, this, &MainWindow::rebuild);
    connect(m_settings, &SettingsPage::currencyChosen, this, &MainWindow::rebuild);
    connect(m_settings, &SettingsPage::databaseChanged, this, &MainWindow::openDatabase);
    connect(m_navigation, &Navigation::pageChosen, this, &MainWindow::showPage);
    connect(m_navigation, &Navigation::runClicked, this, [this] { showPage(QStringLiteral("benchmark")); });
    for (const auto& entry : m_pages) {
        connect(entry.page, &Page::pageRequested, this, &MainWindow::showPage);
        connect(entry.page, &Page::addNetworkRequested, this, &MainWindow::addNetwork);
        connect(entry.page, &Page::networkRemovalRequested, &m_context.networks, &NetworkController::remove);
        connect(entry.page, &Page::runAgainRequested, this, [this](const bench::RunRecord& run) {
            showPage(QStringLiteral("benchmark"));
            m_benchmark->runAgain(run);
        });
        connect(entry.page, &Page::resumeRequested, this, [this](const QString& id) { m_runNotices->resume(id); });
        connect(entry.page, &Page::noticePosted, this, [this](Tone tone, const QString& text) {
            m_notice->announce({tone, text, {}, {}});
        });
        connect(entry.page, &Page::filePosted, this, &MainWindow::tellFile);
    }
    connect(m_home, &HomePage::runRequested, this, [this] {
        showPage(QStringLiteral("benchmark"));
        m_benchmark->startFirstSuite();
    });
    connect(m_home, &HomePage::adviceRequested, this, [this] {
        if (const auto& run = m_home->run()) {
            if (const auto question = ReportPresenter::questionAbout(*run, m_context.advice.options()))
                m_advice->askAbout(*question);
        }
        showPage(QStringLiteral("advice"));
    });
    connect(m_advice, &AdvicePage::measureRequested, this, [this] {
        showPage(QStringLiteral("campaigns"));
        m_campaigns->plan();
    });
    connect(m_history, &HistoryPage::runChosen, this, [this](const QString& id) {
        m_results->showRun(id);
        showPage(QStringLiteral("results"));
    });
    connect(m_history, &HistoryPage::runsRemoved, this, &MainWindow::removed);
}

void MainWindow::addNetwork(const QString& file) {
    const auto chosen = file.isEmpty() ? m_context.dialogs.openFile(this, tr("Add a network"),
                                                                    tr("Networks (*.onnx *.json);;All files (*)"))
                                       : file;
    if (chosen.isEmpty()) return;
    if (m_networkDialog) m_networkDialog->close();
    m_networkDialog = new NetworkDialog(m_context.networks, chosen, this);
    m_networkDialog->open();
}

void MainWindow::networkRemoved(const QString& id) {
    const auto title = QString::fromStdString(m_context.machine.catalogue().titleOf(id.toStdString()));
    m_notice->announce({Tone::Neutral, tr("%1 was removed from the list. Its file stays.").arg(title), tr("Undo"),
                        [this, id] { m_context.networks.restore(id); }, NoticeKind::Undo});
}

void MainWindow::rebuild() {
    for (const auto& entry : m_coming) entry.page->deleteLater();
    m_coming.clear();
    m_rebuilding->start();
}

void MainWindow::rebuildNext() {
    // An open dialog or menu returns to its page, which must still exist.
    if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) return;
    if (m_coming.size() < kPageKinds.size()) {
        buildNextPage();
        return;
    }
    m_rebuilding->stop();
    const auto current = currentPage();
    m_navigation->deleteLater();
    layout()->removeWidget(m_navigation);
    m_navigation->hide();
    const auto before = m_pages;
    const auto* focused = QApplication::focusWidget();
    const auto focusedName = focused && page(current)->isAncestorOf(focused) ? focused->objectName() : QString();
    m_notice->dismissAll(NoticeKind::Message);
    useComingPages();
    showPage(current);
    if (auto* again = focusedName.isEmpty() ? nullptr : page(current)->findChild<QWidget*>(focusedName))
        again->setFocus(Qt::OtherFocusReason);  // the drop-down of languages can be stepped through
    // Last: the stack would show the remaining pages one after the other.
    for (const auto& entry : before) {
        m_stack->removeWidget(entry.page);
        entry.page->hide();
        entry.page->deleteLater();
    }
    // Update the new pages.
    m_context.history.refresh();
    if (const auto* front = m_context.history.newestWithResult())
        m_context.history.loadRun(QString::fromStdString(front->id));
}

void MainWindow::useLanguage(const QString& code) {
    m_context.languages.use(code);
    rebuild();
}

void MainWindow::openDatabase() {
    m_context.history.open(m_context.databaseFile());
    m_context.campaigns.open(m_context.databaseFile());
}

void MainWindow::tellCampaign(const QString& id) {
    const auto* campaign = m_context.campaigns.find(id.toStdString());
    if (campaign == nullptr) return;
    const CampaignPresenter presenter(*campaign, m_context.machine.catalogue(), campaign->createdUnixMs);
    m_notice->announce({presenter.tone(), tr("Campaign %1: %2.").arg(presenter.title(), presenter.state()),
                        tr("See campaign"), [this] { showPage(QStringLiteral("campaigns")); }});
}

void MainWindow::addShortcuts() {
    for (int number = 1; number <= 10; ++number) {
        auto* shortcut = new QShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(number % 10)), this);
        connect(shortcut, &QShortcut::activated, this, [this, number] {
            if (number <= static_cast<int>(m_pages.size())) showPage(m_pages[static_cast<std::size_t>(number - 1)].id);
        });
    }
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_R), this), &QShortcut::activated, this, [this] {
        const bool home = currentPage() == QLatin1String("home");
        showPage(QStringLiteral("benchmark"));
        if (home) {
            m_benchmark->startFirstSuite();
        } else {
            m_benchmark->startChosen();
        }
    });
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Period), this), &QShortcut::activated, this,
            &MainWindow::stopByKey);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_E), this), &QShortcut::activated, this, [this] {
        if (auto* current = page(currentPage()); current && !current->exportContent()) {
            m_notice->announce({Tone::Neutral, tr("There is nothing to export on this page yet."), {}, {}});
        }
    });
    connect(new QShortcut(QKeySequence::Undo, this), &QShortcut::activated, this, [this] { m_notice->undo(); });
    connect(new QShortcut(QKeySequence(Qt::Key_F1), this), &QShortcut::activated, this, [this] {
        if (const auto* current = page(currentPage()))
            m_context.dialogs.showHelp(this, current->title(), HelpText::page(current->helpText(), shortcutsText()));
    });
}

QString MainWindow::shortcutsText() {
    return tr(
        "Ctrl+1 to Ctrl+9 and Ctrl+0 open the pages, Ctrl+R starts a run, Ctrl+. stops it (on the Benchmark page Esc "
        "does, "
        "too), "
        "Ctrl+E exports, Ctrl+Z brings deleted runs back, F1 shows this help. Tab moves to the next control. In a "
        "chart the arrow keys move from point "
        "to point and Enter shows the case.");
}

// Esc in a drop-down or field must not stop the run: these get the key first, and only unhandled keys of the Benchmark
// page arrive here.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && currentPage() == QLatin1String("benchmark") && m_context.run.isRunning() &&
        !isField(QApplication::focusWidget())) {
        stopByKey();
        return;
    }
    QWidget::keyPressEvent(event);
}

void MainWindow::stopByKey() {
    auto& run = m_context.run;
    if (!run.isRunning() || run.isStopping()) return;
    if (run.elapsedSeconds() > m_stopAsksAfterSeconds) {
        const Question question{tr("Stop the run?"),
                                tr("Stop the run after %1?").arg(Format::duration(run.elapsedSeconds())),
                                tr("Finished cases are kept; the running case is lost."),
                                tr("Stop the run"),
                                tr("Keep running"),
                                true};
        if (!m_context.dialogs.confirm(this, question)) return;
    }
    run.stop();
}

void MainWindow::watchRun() {
    auto& run = m_context.run;
    connect(&run, &RunController::runningChanged, this, &MainWindow::showRunState);
    connect(&run, &RunController::suiteStarted, this, &MainWindow::showRunState);
    connect(&run, &RunController::caseFinished, this, &MainWindow::showRunState);
    auto* clock = new QTimer(this);  // the bar also moves within a case
    clock->setInterval(1000);
    connect(clock, &QTimer::timeout, this, &MainWindow::showRunState);
    connect(&run, &RunController::runningChanged, clock, [clock](bool running) {
        if (running) {
            clock->start();
        } else {
            clock->stop();
        }
    });
    connect(&run, &RunController::finished, this, &MainWindow::runEnded);
    connect(&run, &RunController::failed, this, [this] { runEnded({}); });
    m_runNotices = new RunNotices(m_context, *m_notice, this);
    connect(m_runNotices, &RunNotices::runShown, this, [this] { showPage(QStringLiteral("benchmark")); });
    connect(m_runNotices, &RunNotices::resultsRequested, this, [this] { showPage(QStringLiteral("results")); });
}

void MainWindow::showRunState() {
    const auto& run = m_context.run;
    if (!run.isRunning()) {
        m_navigation->hideRun();
        setWindowTitle(QStringLiteral("Steelyard"));
        return;
    }
    const auto& progress = run.progress();
    const auto text =
        progress.caseCount() > 0
            ? tr("Running %1 of %2").arg(Format::integer(progress.caseNumber()), Format::integer(progress.caseCount()))
            : tr("Starting…");
    m_navigation->showRun(text, run.fraction(m_context.machine.durationFactor()).value_or(-1));
    setWindowTitle(QStringLiteral("%1 – Steelyard").arg(text));
}

void MainWindow::runEnded(const QString& status) {
    // The child has stored its cases: update the list and the pages that show the latest run.
    m_context.history.refresh();
    m_results->showRun(QStringLiteral("latest"));
    // Only a complete run shows how long such runs take.
    if (status == QLatin1String("done") && m_context.run.request().resume.empty())
        m_context.machine.learnDuration(m_context.run.request(), m_context.run.elapsedSeconds());
    const bool told = status.isEmpty() || m_context.run.progress().storeError();
    if (!told) m_runNotices->notifyFinished(status, currentPage() == QLatin1String("benchmark"));
}

// The command line may store runs in the same file. Checked while the window is visible, and not during a measurement.
void MainWindow::watchHistory() {
    auto* timer = new QTimer(this);
    timer->setInterval(kHistoryIntervalMs);
    connect(timer, &QTimer::timeout, this, [this] {
        if (isActiveWindow() && !m_context.run.isRunning()) m_context.history.refreshIfChanged();
    });
    timer->start();
    connect(&m_context.history, &HistoryController::runsChanged, this, [this] {
        const auto& runs = m_context.history.runs();
        const auto* front = m_context.history.newestWithResult();
        const auto& shown = m_home->run();
        // At the start, Results loads the newest run, which is usually the same.
        if (front != nullptr && (shown ? shown->id != front->id : front != &runs.front()))
            m_context.history.loadRun(QString::fromStdString(front->id));
    });
}

void MainWindow::removed(const QStringList& ids) {
    m_notice->announce({Tone::Neutral, tr("%n run(s) deleted", nullptr, static_cast<int>(ids.size())), tr("Undo"),
                        [this, ids] { m_context.history.restore(ids); }, NoticeKind::Undo});
}

void MainWindow::tellFile(const QString& text, const QString& file) {
    const QFileInfo info(file);
    const auto folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
    m_notice->announce(
        {Tone::Good, text, tr("Open folder"), [this, folder] { m_context.dialogs.open(QUrl::fromLocalFile(folder)); }});
}

void MainWindow::showError(const QString& title, const Error& error) {
    m_context.dialogs.showError(this, title, ErrorText::full(error));
}

void MainWindow::showPage(const QString& id) {
    auto* wanted = page(id);
    if (!wanted) return;
    m_stack->setCurrentWidget(wanted);
    m_navigation->setCurrent(id);
    wanted->entered();
    wanted->setFocus(Qt::OtherFocusReason);  // Tab goes to its first control
}

// A control that hides or disables itself, such as the close button of a card, gives the focus to the next one, which
// may be in the navigation. It shall stay in the page, and near.
void MainWindow::keepFocus(QWidget* old, QWidget* now) {
    auto* page = m_stack->currentWidget();
    if (!old || !now || !page || now->window() != this || now == page || page->isAncestorOf(now)) return;
    if (!page->isAncestorOf(old) || (old->isVisible() && old->isEnabled())) return;  // left by Tab or the mouse
    auto* near = old->previousInFocusChain();
    while (near != old && !(page->isAncestorOf(near) && takesTab(near))) near = near->previousInFocusChain();
    (near == old ? page : near)->setFocus(Qt::OtherFocusReason);
}

QString MainWindow::currentPage() const {
    for (const auto& entry : m_pages) {
        if (entry.page == m_stack->currentWidget()) return entry.id;
    }
    return {};
}

QStringList MainWindow::pageIds() const {
    QStringList ids;
    for (const auto& entry : m_pages) ids << entry.id;
    return ids;
}

Page* MainWindow::page(const QString& id) const {
    for (const auto& entry : m_pages) {
        if (entry.id == id) return entry.page;
    }
    return nullptr;
}

void MainWindow::bringToFront() {
    if (isMinimized()) showNormal();
    show();
    raise();
    activateWindow();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_navigation) m_navigation->setCollapsed(width() < scaled(kCollapseBelow));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_context.run.isRunning()) {
        const Question question{tr("A run is in progress"),
                                tr("Stop the run and close the window?"),
                                tr("Finished cases are kept; the running case is lost."),
                                tr("Stop and close"),
                                tr("Keep running"),
                                true};
        if (!m_context.dialogs.confirm(this, question)) {
            event->ignore();
            return;
        }
        m_context.run.stop();
    }
    m_context.preferences.saveWindowGeometry(saveGeometry());
    m_context.preferences.saveLastPage(currentPage());
    m_context.history.purgeDeleted();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFile(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const auto file = droppedFile(event->mimeData());
    if (file.isEmpty()) return;
    event->acceptProposedAction();
    if (QFileInfo(file).fileName() == QLatin1String("vms.csv")) {  // the file name of all SkyPilot price lists
        showPage(QStringLiteral("advice"));
        m_advice->importPrices(file);
        return;
    }
    if (isNetworkFile(file)) {
        if (currentPage() != QLatin1String("benchmark")) showPage(QStringLiteral("advice"));
        addNetwork(file);
        return;
    }
    if (file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        showPage(QStringLiteral("studies"));
        m_studies->openFile(file);
        return;
    }
    showPage(QStringLiteral("history"));
    m_history->importFile(file);
}

}  // namespace steelyard::ui

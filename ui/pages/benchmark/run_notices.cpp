// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/run_notices.h"

#include <QApplication>
#include <QSystemTrayIcon>
#include <QTimer>
#include <utility>

#include "ui/controllers/history_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/models/runs_model.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

// If another window is active: requests attention in the task bar, and shows a desktop notification if available.
void tellDesktop(QWidget* window, const QString& text) {
    QApplication::alert(window);
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages()) return;
    constexpr int kShownMs = 10'000;
    auto* tray = new QSystemTrayIcon(QApplication::windowIcon(), window);
    QObject::connect(tray, &QSystemTrayIcon::messageClicked, window, &QWidget::activateWindow);
    QTimer::singleShot(2 * kShownMs, tray, &QObject::deleteLater);
    tray->show();
    tray->showMessage(QApplication::applicationDisplayName(), text, QApplication::windowIcon(), kShownMs);
}

}  // namespace

RunNotices::RunNotices(WindowContext& context, NoticeBar& bar, QObject* parent)
    : QObject(parent), m_context(context), m_bar(bar) {
    auto& run = context.run;
    connect(&run, &RunController::notStored, this, &RunNotices::tellNotStored);
    connect(&run, &RunController::keptElsewhere, this, &RunNotices::tellKept);
    connect(&run, &RunController::failed, this, &RunNotices::tellFailed);
    connect(&run, &RunController::messageReceived, this, [this](const QString& message) {
        announce(Tone::Caution, MessageText::sentence(Message(message.toStdString())));
    });
    connect(&run, &RunController::started, this, [this] { m_bar.dismissAll(NoticeKind::Run); });
    connect(&context.history, &HistoryController::compacting, this, [this] { m_bar.dismissAll(NoticeKind::Undo); });
    connect(&context.history, &HistoryController::replaced, this, &RunNotices::tellReplaced);
    connect(&context.history, &HistoryController::runsChanged, this, &RunNotices::offerResume);
}

void RunNotices::announce(Tone tone, const QString& text, const QString& action, std::function<void()> then) {
    m_bar.announce({tone, text, action, std::move(then), NoticeKind::Run});
}

void RunNotices::notifyFinished(const QString& status, bool isSeen) {
    const auto& progress = m_context.run.progress();
    const bool cancelled = status == QLatin1String("cancelled");
    const auto text = (cancelled ? tr("Benchmark stopped: %1 of %n case(s).", nullptr, progress.caseCount())
                                 : tr("Benchmark finished: %1 of %n case(s).", nullptr, progress.caseCount()))
                          .arg(Format::integer(progress.okCount()));
    if (auto* window = m_bar.window(); !window->isActiveWindow()) tellDesktop(window, text);
    if (isSeen) return;
    const auto tone = progress.okCount() == progress.caseCount() ? Tone::Good : Tone::Caution;
    if (cancelled && !progress.runId().empty()) {
        announce(tone, text, tr("Resume"), [this, id = plain(progress.runId())] { resume(id); });
    } else if (progress.okCount() > 0) {
        announce(tone, text, tr("See results"), [this] { emit resultsRequested(); });
    } else {
        announce(tone, text);
    }
}

void RunNotices::tellNotStored(const Error& error) {
    announce(Tone::Bad, tr("%1 The run continues; when it ends, all of it is written to a separate file.")
                            .arg(ErrorText::sentence(error)));
}

void RunNotices::tellKept(const QString& file) {
    announce(Tone::Caution, tr("The run could not be stored. All of it is in %1.").arg(file), tr("Import it"),
             [this, file] { m_context.history.importRuns(file); });
}

void RunNotices::tellReplaced(const QString& file) {
    if (m_context.run.progress().storeError()) return;  // the notice about the run includes it
    announce(Tone::Caution, tr("The stored runs were moved or deleted: %1 is a new, empty file.").arg(file));
}

void RunNotices::tellFailed(const Error& error) {
    const auto& progress = m_context.run.progress();
    const auto id = plain(progress.runId());
    if (id.isEmpty() || progress.storeError()) {
        announce(Tone::Bad, ErrorText::sentence(error));
        return;
    }
    announce(Tone::Bad, tr("%1 Finished cases are kept.").arg(ErrorText::sentence(error)), tr("Resume"),
             [this, id] { resume(id); });
}

void RunNotices::offerResume() {
    if (m_looked) return;
    m_looked = true;
    const auto& runs = m_context.history.runs();
    if (runs.empty() || !runs.front().resumable || !RunsModel::wasInterrupted(runs.front())) return;
    const auto& last = runs.front();
    announce(Tone::Caution,
             tr("The last run was interrupted after %1 of %n case(s).", nullptr, static_cast<int>(*last.plannedCount))
                 .arg(Format::integer(last.doneCount())),
             tr("Resume"), [this, id = plain(last.id)] { resume(id); });
}

void RunNotices::resume(const QString& runId) {
    if (m_context.run.isRunning()) return;
    bench::RunRequest request;
    request.resume = runId.toStdString();
    request.database = m_context.databaseFile().toStdString();
    m_context.run.start(request);
    emit runShown();
}

}  // namespace steelyard::ui

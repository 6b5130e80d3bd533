// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/run_notices.h"

#include "ui/controllers/history_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/models/runs_model.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {

RunNotices::RunNotices(WindowContext& context, NoticeBar& bar, QObject* parent)
    : QObject(parent), m_context(context), m_bar(bar) {
    auto& run = context.run;
    connect(&run, &RunController::notStored, this, &RunNotices::tellNotStored);
    connect(&run, &RunController::keptElsewhere, this, &RunNotices::tellKept);
    connect(&run, &RunController::failed, this, &RunNotices::tellFailed);
    connect(&run, &RunController::messageReceived, this, [this](const QString& message) {
        announce(Tone::Caution, MessageText::sentence(Message(message.toStdString())));
    });
    connect(&bar, &NoticeBar::actionTriggered, this, [this] {
        if (const auto then = std::exchange(m_then, {})) then();
    });
    connect(&context.history, &HistoryController::replaced, this, &RunNotices::tellReplaced);
    connect(&context.history, &HistoryController::runsChanged, this, &RunNotices::offerResume);
}

void RunNotices::announce(Tone tone, const QString& text, const QString& action, std::function<void()> then) {
    m_then = std::move(then);
    m_bar.announce(tone, text, action);
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
    if (m_context.run.progress().storeError()) return;  // what is said of the run tells it, too
    announce(Tone::Caution, tr("The stored runs were moved or deleted: %1 is a new, empty file.").arg(file));
}

void RunNotices::tellFailed(const Error& error) {
    const auto& progress = m_context.run.progress();
    const auto id = progress.runId();
    if (id.empty() || progress.storeError()) {
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
             tr("Resume"), [this, id = last.id] { resume(id); });
}

void RunNotices::resume(const std::string& id) {
    if (m_context.run.isRunning()) return;
    bench::RunRequest request;
    request.resume = id;
    request.database = m_context.databaseFile().toStdString();
    m_context.run.start(request);
    emit runShown();
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Notices about runs with problems, with the action that helps: the measuring program crashed, the history cannot store
// the run, the last run was interrupted. Owned by the window, whose notice bar it borrows. GUI thread.
#pragma once

#include <QObject>
#include <functional>
#include <string>

#include "ui/pages/window_context.h"
#include "ui/text/table_content.h"

namespace steelyard {
struct Error;
}

namespace steelyard::ui {

class NoticeBar;

class RunNotices : public QObject {
    Q_OBJECT

public:
    RunNotices(WindowContext& context, NoticeBar& bar, QObject* parent);
    // Reports the end of the run on other pages. No-op if it failed or could not be stored, which was reported already.
    // `isSeen`: the run's page is in front.
    void notifyFinished(const QString& status, bool isSeen);
    // Starts the remaining cases of a stored run, unless a run is in progress.
    void resume(const QString& runId);

signals:
    // A run was resumed.
    void runShown();
    void resultsRequested();

private:
    void announce(Tone tone, const QString& text, const QString& action = {}, std::function<void()> then = {});
    void tellNotStored(const Error& error);
    void tellKept(const QString& file);
    void tellReplaced(const QString& file);
    void tellFailed(const Error& error);
    // Called once, when the stored runs are first read.
    void offerResume();

    WindowContext& m_context;
    NoticeBar& m_bar;
    bool m_looked = false;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// What the bar along the lower edge says about runs that did not go as they should, with the one step that helps: the
// measuring program was lost, the history cannot take the run, the last run was interrupted. Owned by the window, whose
// bar it borrows. GUI thread.
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
    // That the run ended, and the step to take, for those who look at another page. Nothing where it failed or could
    // not be stored: that is told already. `isSeen`: the page of the run is in front, which tells it.
    void tellEnd(const QString& status, bool isSeen);
signals:
    // A run was started from here.
    void runShown();
    void resultsRequested();

private:
    void announce(Tone tone, const QString& text, const QString& action = {}, std::function<void()> then = {});
    void tellNotStored(const Error& error);
    void tellKept(const QString& file);
    void tellReplaced(const QString& file);
    void tellFailed(const Error& error);
    // Once, when the stored runs are first read.
    void offerResume();
    void resume(const std::string& id);

    WindowContext& m_context;
    NoticeBar& m_bar;
    bool m_looked = false;
};

}  // namespace steelyard::ui

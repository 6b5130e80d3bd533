// SPDX-License-Identifier: Apache-2.0
// A QApplication that detects when the window would not respond: it measures the GUI thread's CPU time per event, from
// delivery to end, including slots. CPU time rather than wall time, so that a busy machine causes no false reports;
// waiting time is reported separately. Nested event loops (a modal dialog) do not count. Enabled in debug builds, in
// tests, and if STEELYARD_WATCHDOG is set.
#pragma once

#include <QApplication>
#include <QString>
#include <vector>

namespace steelyard::ui {

struct SlowEvent {
    QString receiver;  // "steelyard::ui::HistoryController history"
    QString event;     // "MetaCall"
    double computedMs = 0;
    double passedMs = 0;

    [[nodiscard]] QString text() const;
};

class WatchedApplication : public QApplication {
    Q_OBJECT

public:
    static constexpr double kLimitMs = 50;

    WatchedApplication(int& argc, char** argv);

    // Slow events are also logged.
    void watch(bool on, double limitMs = kLimitMs);
    // In order of completion; the oldest are kept if there are too many.
    [[nodiscard]] const std::vector<SlowEvent>& slowEvents() const { return m_slow; }
    void forget() { m_slow.clear(); }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    // An event that was the first at its nesting level of event loops.
    struct Frame {
        int loopLevel = 0;
        double computed = 0, passed = 0;            // at its start, seconds
        double innerComputed = 0, innerPassed = 0;  // in nested event loops
    };
    void judge(const Frame& frame, const QString& receiver, int type);

    bool m_on = false;
    double m_limitMs = kLimitMs;
    std::vector<Frame> m_frames;
    std::vector<SlowEvent> m_slow;
};

// Whether the build or the environment enables the watchdog.
[[nodiscard]] bool watchWanted();

}  // namespace steelyard::ui

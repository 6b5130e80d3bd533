// SPDX-License-Identifier: Apache-2.0
// A QApplication that notices when the window would not answer: it measures how long the GUI thread computes for one
// event, from its delivery to its end, with everything that slots do on the way. Computing is the processor time of the
// thread, so that a busy machine accuses nobody; what an event waits for is told beside it. Time in a loop of its own
// (a modal dialog) is not the event's. On in debug builds, in tests, and where STEELYARD_WATCHDOG is set.
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

    // Each slow event is also written to the log.
    void watch(bool on, double limitMs = kLimitMs);
    // In the order in which they ended; the oldest are kept when there are very many.
    [[nodiscard]] const std::vector<SlowEvent>& slowEvents() const { return m_slow; }
    void forget() { m_slow.clear(); }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    // An event whose delivery was the first at its level of loops.
    struct Frame {
        int loopLevel = 0;
        double computed = 0, passed = 0;            // at its start, seconds
        double innerComputed = 0, innerPassed = 0;  // in loops within it
    };
    void judge(const Frame& frame, const QString& receiver, int type);

    bool m_on = false;
    double m_limitMs = kLimitMs;
    std::vector<Frame> m_frames;
    std::vector<SlowEvent> m_slow;
};

// Whether this build, or who started it, wants the watch.
[[nodiscard]] bool watchWanted();

}  // namespace steelyard::ui

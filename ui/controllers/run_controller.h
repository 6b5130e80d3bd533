// SPDX-License-Identifier: Apache-2.0
// Runs the measuring program as a child process and turns its output lines into signals. The window never measures
// itself: a child can always be stopped, and its crash ends a case and not the window. One run at a time. GUI thread;
// owns the child, which the destructor stops. Lines that are no events are reported and skipped; lines longer than
// kLongestLine are dropped.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"
#include "ui/controllers/run_estimate.h"
#include "ui/controllers/run_progress.h"

namespace steelyard::ui {

// Splits incoming bytes into lines; a line beyond the limit is dropped and reported once.
class LineSplitter {
public:
    explicit LineSplitter(qsizetype longest) : m_longest(longest) {}
    struct Taken {
        QList<QByteArray> lines;
        int dropped = 0;
    };
    [[nodiscard]] Taken take(const QByteArray& bytes);
    // The last, unterminated line of the output.
    [[nodiscard]] QByteArray rest();

private:
    qsizetype m_longest;
    QByteArray m_buffer;
    bool m_dropping = false;
};

class RunController : public QObject {
    Q_OBJECT

public:
    static constexpr qsizetype kLongestLine = 16 * 1024 * 1024;  // same as the runner's limit
    static constexpr int kTerminateAfterMs = 700;
    // The child ends its case within half a second, then stores it; a busy computer takes longer, and a killed child
    // cannot record that the user stopped the run.
    static constexpr int kKillAfterMs = 10'000;
    static constexpr int kWaitOnExitMs = 3000;

    explicit RunController(QString executable, QObject* parent = nullptr);
    ~RunController() override;

    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    [[nodiscard]] bool isStopping() const { return m_stopping; }
    [[nodiscard]] const RunProgress& progress() const { return m_progress; }
    [[nodiscard]] double elapsedSeconds() const;
    // The request of the current or last run.
    [[nodiscard]] const bench::RunRequest& request() const { return m_request; }
    // 0..1, including the estimated progress of the current visit; unset before the suite has started.
    // `durationFactor`: applied to the run's estimate.
    [[nodiscard]] std::optional<double> fraction(double durationFactor) const;
    // Messages of this run: skipped lines and the child's standard error.
    [[nodiscard]] const QStringList& messages() const { return m_messages; }

public slots:
    void start(const steelyard::bench::RunRequest& request);
    // SIGINT; SIGTERM after 700 ms; SIGKILL after 10 s. The child stores finished cases.
    void stop();

signals:
    void started();
    void suiteStarted();
    void caseStarted(const steelyard::bench::Case& spec);
    void phaseChanged(steelyard::bench::Phase phase);
    void sampleTaken();  // see progress()
    void sensorRead(const steelyard::bench::SensorReading& reading);
    void caseFinished(const steelyard::bench::CaseRecord& record);
    void messageReceived(const QString& message);
    // The history cannot store this run; it continues.
    void notStored(const steelyard::Error& error);
    // The complete run was saved to this file, ready for import.
    void keptElsewhere(const QString& file);
    // The run ended or was stopped; finished cases are stored. Status: done, partial, cancelled.
    void finished(const QString& status);
    // The child could not be started, rejected its arguments, or crashed. Finished cases are stored.
    void failed(const steelyard::Error& error);
    void runningChanged(bool running);

private:
    void readOutput();
    void handleLine(const QByteArray& line);
    void handleIssue(const bench::RunIssue& issue);
    void announce(const bench::Event& event);
    void onFinished(int exitCode, QProcess::ExitStatus status);
    void onProcessError(QProcess::ProcessError error);
    void releaseProcess();
    void loseCase(const Error& error);
    void addMessage(const QString& message);
    [[nodiscard]] QString errorTail() const;

    QString m_executable;
    QProcess* m_process = nullptr;
    LineSplitter m_lines{kLongestLine};
    QByteArray m_errorOutput;  // the last 4 KiB
    RunProgress m_progress;
    bench::RunRequest m_request;
    double m_visitBegan = 0;  // seconds since the start
    QStringList m_messages;
    QElapsedTimer m_clock;
    double m_elapsedAtEnd = 0;
    QTimer m_terminateTimer;
    QTimer m_killTimer;
    bool m_stopping = false;
};

}  // namespace steelyard::ui

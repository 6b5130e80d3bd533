// SPDX-License-Identifier: Apache-2.0
// Runs the measuring program as a child and turns its lines into signals. Measuring never happens in the window: a
// child can always be stopped, and its crash ends a case and not the window. One run at a time. Lives in the GUI
// thread, owns the child; the destructor stops it. A line that is no event is reported and skipped; a line longer than
// kLongestLine is dropped up to its end.
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

// Cut into lines as the bytes come; a line that grows beyond the limit is dropped, and said so once.
class LineSplitter {
public:
    explicit LineSplitter(qsizetype longest) : m_longest(longest) {}
    struct Taken {
        QList<QByteArray> lines;
        int dropped = 0;
    };
    [[nodiscard]] Taken take(const QByteArray& bytes);
    // What is left without a newline at the end of the output.
    [[nodiscard]] QByteArray rest();

private:
    qsizetype m_longest;
    QByteArray m_buffer;
    bool m_dropping = false;
};

class RunController : public QObject {
    Q_OBJECT

public:
    static constexpr qsizetype kLongestLine = 16 * 1024 * 1024;  // as the runner's own limit
    static constexpr int kTerminateAfterMs = 700;
    // The child ends its case within half a second, then stores; a busy computer takes longer, and a killed child
    // cannot note that the user stopped it.
    static constexpr int kKillAfterMs = 10'000;
    static constexpr int kWaitOnExitMs = 3000;

    explicit RunController(QString executable, QObject* parent = nullptr);
    ~RunController() override;

    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    [[nodiscard]] bool isStopping() const { return m_stopping; }
    [[nodiscard]] const RunProgress& progress() const { return m_progress; }
    [[nodiscard]] double elapsedSeconds() const;
    // What the run that is under way, or was the last, was asked for.
    [[nodiscard]] const bench::RunRequest& request() const { return m_request; }
    // 0..1, with the part of the visit under way by the time that visits take; unset before the suite has started.
    // `durationFactor`: on the run's own estimate.
    [[nodiscard]] std::optional<double> fraction(double durationFactor) const;
    // Messages of this run: skipped lines and what the child wrote to its error channel.
    [[nodiscard]] const QStringList& messages() const { return m_messages; }

public slots:
    void start(const steelyard::bench::RunRequest& request);
    // Interrupt; terminate after 700 ms; kill after 10 s. Finished cases are kept by the child.
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
    // The history cannot take this run; it goes on.
    void notStored(const steelyard::Error& error);
    // All of such a run is in this file, ready to be imported.
    void keptElsewhere(const QString& file);
    // The run ended by itself or was stopped; its finished cases are stored. Status: done, partial, cancelled.
    void finished(const QString& status);
    // The child could not be started, refused its arguments, or was lost. Finished cases are stored.
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
    double m_visitBegan = 0;  // seconds after the start
    QStringList m_messages;
    QElapsedTimer m_clock;
    double m_elapsedAtEnd = 0;
    QTimer m_terminateTimer;
    QTimer m_killTimer;
    bool m_stopping = false;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Runs a benchmark (steelyard-cli run) as a child process and turns its events into signals; a crash ends a case. One
// run at a time. GUI thread; the destructor stops the child. Lines that are no events are reported and skipped.
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"
#include "ui/controllers/command_line_process.h"
#include "ui/controllers/run_estimate.h"
#include "ui/controllers/run_progress.h"

namespace steelyard::ui {

class RunController : public QObject {
    Q_OBJECT

public:
    explicit RunController(QString executable, QObject* parent = nullptr);

    [[nodiscard]] bool isRunning() const { return m_child.isRunning(); }
    [[nodiscard]] bool isStopping() const { return m_child.isStopping(); }
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
    // See CommandLineProcess::stop(). The child stores finished cases.
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
    void handleLine(const QByteArray& line);
    void handleIssue(const bench::RunIssue& issue);
    void announce(const bench::Event& event);
    void onEnded(const CommandLineProcess::End& end);
    void loseCase(const Error& error);
    void addMessage(const QString& message);

    CommandLineProcess m_child;
    RunProgress m_progress;
    bench::RunRequest m_request;
    double m_visitBegan = 0;  // seconds since the start
    QStringList m_messages;
    QElapsedTimer m_clock;
    double m_elapsedAtEnd = 0;
};

}  // namespace steelyard::ui

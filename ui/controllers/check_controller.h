// SPDX-License-Identifier: Apache-2.0
// Runs a machine check (steelyard-cli check) as a child process and turns its output lines into signals; keeps the last
// report. Pages may be rebuilt while it runs. One check at a time. GUI thread; the destructor stops the child.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "engine/bench/check/check_report.h"
#include "engine/core/error.h"
#include "ui/controllers/command_line_process.h"

namespace steelyard::ui {

class CheckController : public QObject {
    Q_OBJECT

public:
    explicit CheckController(QString executable, QObject* parent = nullptr);

    [[nodiscard]] bool isRunning() const { return m_child.isRunning(); }
    [[nodiscard]] bool isStopping() const { return m_child.isStopping(); }
    // The last event of the running check; its parts until now.
    [[nodiscard]] const std::optional<bench::CheckEvent>& current() const { return m_current; }
    [[nodiscard]] const std::vector<bench::CheckPart>& parts() const { return m_parts; }
    // 0..1 over all parts.
    [[nodiscard]] double fraction() const;
    // The last report kept beside this history file; read once.
    [[nodiscard]] const std::optional<bench::CheckReport>& lastReport(const QString& database);

public slots:
    // The report is kept beside the history file.
    void start(double loadSeconds, const QString& database);
    // See CommandLineProcess::stop().
    void stop();

signals:
    void runningChanged(bool running);
    void progressed();
    // With the report, which is also the last one.
    void finished();
    void failed(const steelyard::Error& error);

private:
    void handleLine(const QByteArray& line);
    void onEnded(const CommandLineProcess::End& end);

    CommandLineProcess m_child;
    std::optional<bench::CheckEvent> m_current;
    std::vector<bench::CheckPart> m_parts;
    std::optional<bench::CheckReport> m_report, m_arrived;
    QString m_database;  // that m_report was read for
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// One child process of the command line: its output line by line, how it is stopped, and how it ended. The window never
// measures itself: a child can always be stopped, and its crash does not end the window. One child at a time. GUI
// thread; the destructor stops the child. Lines longer than kLongestLine are dropped.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTimer>

#include "engine/core/error.h"

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

class CommandLineProcess : public QObject {
    Q_OBJECT

public:
    static constexpr qsizetype kLongestLine = 16 * 1024 * 1024;  // same as the runner's limit

    struct End {
        bool started = true;
        bool crashed = false;
        bool stopped = false;  // the user had asked for it
        int exitCode = 0;      // the signal, if it crashed
        Error error;           // what to tell if this end is a failure: the child's standard error, or the exit code
    };

    explicit CommandLineProcess(QString executable, QObject* parent = nullptr);
    ~CommandLineProcess() override;

    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    [[nodiscard]] bool isStopping() const { return m_stopping; }

    void start(const QStringList& arguments);
    // SIGINT; SIGTERM after 700 ms; SIGKILL of the process group after 10 s.
    void stop();

signals:
    // isRunning() is true, and nothing else was told yet.
    void starting();
    void lineRead(const QByteArray& line);
    void linesDropped(int count);
    // It could not be started or has ended, and all its lines were read; isRunning() is false.
    void ended(const steelyard::ui::CommandLineProcess::End& end);

private:
    void readOutput();
    void readErrorOutput();
    void onFinished(int exitCode, QProcess::ExitStatus status);
    void onProcessError(QProcess::ProcessError error);
    void release();
    void killGroup();

    QString m_executable;
    QProcess* m_process = nullptr;
    LineSplitter m_lines{kLongestLine};
    QByteArray m_errorOutput;  // the last 4 KiB
    QTimer m_terminateTimer;
    QTimer m_killTimer;
    bool m_stopping = false;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/command_line_process.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <QFileInfo>
#include <csignal>
#include <utility>

#include "engine/core/messages/app.h"

namespace steelyard::ui {
namespace {

constexpr qsizetype kErrorTail = 4096;
constexpr int kTerminateAfterMs = 700;
// The child ends its work within half a second, then stores it; a busy computer takes longer, and a killed child cannot
// record that the user stopped it.
constexpr int kKillAfterMs = 10'000;
constexpr int kWaitOnExitMs = 3000;
// The exit codes of the command line that say why it did nothing.
constexpr int kWrongUsageExit = 2;
constexpr int kNothingRunnableExit = 3;

ErrorKind kindOfExit(int exitCode, QProcess::ExitStatus status) {
    if (status == QProcess::CrashExit) return ErrorKind::ChildCrashed;
    if (exitCode == kWrongUsageExit) return ErrorKind::InvalidArgument;
    if (exitCode == kNothingRunnableExit) return ErrorKind::Unsupported;
    return ErrorKind::ChildCrashed;
}

}  // namespace

LineSplitter::Taken LineSplitter::take(const QByteArray& bytes) {
    Taken taken;
    qsizetype start = 0;
    while (start < bytes.size()) {
        const auto end = bytes.indexOf('\n', start);
        const auto length = (end < 0 ? bytes.size() : end) - start;
        if (!m_dropping) {
            if (m_buffer.size() + length > m_longest) {
                m_buffer.clear();
                m_dropping = true;
                ++taken.dropped;
            } else {
                m_buffer.append(bytes.constData() + start, length);
            }
        }
        if (end < 0) break;
        if (!m_dropping) taken.lines.append(m_buffer);
        m_buffer.clear();
        m_dropping = false;
        start = end + 1;
    }
    return taken;
}

QByteArray LineSplitter::rest() {
    m_dropping = false;
    return std::exchange(m_buffer, {});
}

CommandLineProcess::CommandLineProcess(QString executable, QObject* parent)
    : QObject(parent), m_executable(std::move(executable)) {
    m_terminateTimer.setSingleShot(true);
    m_killTimer.setSingleShot(true);
    connect(&m_terminateTimer, &QTimer::timeout, this, [this] {
        if (m_process) m_process->terminate();
    });
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (!m_process || m_process->processId() <= 0) return;
        killGroup();
        m_process->kill();
    });
}

CommandLineProcess::~CommandLineProcess() {
    if (!m_process) return;
    m_process->disconnect(this);
    if (!m_stopping && m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGTERM);
    if (!m_process->waitForFinished(kWaitOnExitMs) && m_process->processId() > 0) {
        killGroup();
        m_process->waitForFinished(kTerminateAfterMs);
    }
}

void CommandLineProcess::start(const QStringList& arguments) {
    if (m_process) return;
    m_errorOutput.clear();
    m_lines = LineSplitter(kLongestLine);
    m_stopping = false;
    m_process = new QProcess(this);
    m_process->setProgram(m_executable);
    m_process->setArguments(arguments);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setChildProcessModifier([] {
        ::setpgid(0, 0);                     // allows killing the child with its own children
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed window must not leave a child at work
    });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &CommandLineProcess::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &CommandLineProcess::readErrorOutput);
    connect(m_process, &QProcess::finished, this, &CommandLineProcess::onFinished);
    connect(m_process, &QProcess::errorOccurred, this, &CommandLineProcess::onProcessError);
    emit starting();
    m_process->start();
}

void CommandLineProcess::stop() {
    if (!m_process || m_stopping) return;
    m_stopping = true;
    if (m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
    m_terminateTimer.start(kTerminateAfterMs);
    m_killTimer.start(kKillAfterMs);
}

// The whole process group: the child may have a measuring process.
void CommandLineProcess::killGroup() {
    ::kill(-static_cast<pid_t>(m_process->processId()), SIGKILL);
}

void CommandLineProcess::readOutput() {
    const auto taken = m_lines.take(m_process->readAllStandardOutput());
    if (taken.dropped > 0) emit linesDropped(taken.dropped);
    for (const auto& line : taken.lines) emit lineRead(line);
}

void CommandLineProcess::readErrorOutput() {
    m_errorOutput = (m_errorOutput + m_process->readAllStandardError()).right(kErrorTail);
}

void CommandLineProcess::release() {
    m_terminateTimer.stop();
    m_killTimer.stop();
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    m_stopping = false;
}

void CommandLineProcess::onProcessError(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;  // other errors lead to onFinished()
    End end;
    end.started = false;
    end.stopped = m_stopping;
    end.error.kind = QFileInfo::exists(m_executable) ? ErrorKind::PermissionDenied : ErrorKind::NotFound;
    end.error.subject = m_executable.toStdString();
    end.error.detail = Message(m_process->errorString().toStdString());
    release();
    emit ended(end);
}

void CommandLineProcess::onFinished(int exitCode, QProcess::ExitStatus status) {
    readOutput();
    if (const auto last = m_lines.rest(); !last.isEmpty()) emit lineRead(last);
    readErrorOutput();
    End end;
    end.crashed = status == QProcess::CrashExit;
    end.stopped = m_stopping;
    end.exitCode = exitCode;
    end.error.kind = kindOfExit(exitCode, status);
    end.error.subject = QFileInfo(m_executable).fileName().toStdString();
    end.error.detail = Message(QString::fromUtf8(m_errorOutput).trimmed().toStdString());
    if (end.error.detail.empty())
        end.error.detail =
            end.crashed ? app::messages::endedBySignal(exitCode) : app::messages::endedWithCode(exitCode);
    release();
    emit ended(end);
}

}  // namespace steelyard::ui

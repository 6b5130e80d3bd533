// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/run_controller.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <QFileInfo>
#include <algorithm>
#include <csignal>

#include "engine/bench/record/record_json.h"
#include "engine/core/messages/app.h"

namespace steelyard::ui {
namespace {

constexpr qsizetype kErrorTail = 4096;
constexpr int kMostMessages = 200;
constexpr int kCancelledExit = 130;  // the command line's contract

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

RunController::RunController(QString executable, QObject* parent)
    : QObject(parent), m_executable(std::move(executable)) {
    m_terminateTimer.setSingleShot(true);
    m_killTimer.setSingleShot(true);
    connect(&m_terminateTimer, &QTimer::timeout, this, [this] {
        if (m_process) m_process->terminate();
    });
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (!m_process || m_process->processId() <= 0) return;
        // The whole process group: the child may have a measuring process.
        ::kill(-static_cast<pid_t>(m_process->processId()), SIGKILL);
        m_process->kill();
    });
}

RunController::~RunController() {
    if (!m_process) return;
    m_process->disconnect(this);
    if (!m_stopping && m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGTERM);
    if (!m_process->waitForFinished(kWaitOnExitMs) && m_process->processId() > 0) {
        ::kill(-static_cast<pid_t>(m_process->processId()), SIGKILL);
        m_process->waitForFinished(kTerminateAfterMs);
    }
}

double RunController::elapsedSeconds() const {
    return m_process && m_clock.isValid() ? static_cast<double>(m_clock.elapsed()) / 1000.0 : m_elapsedAtEnd;
}

std::optional<double> RunController::fraction(double durationFactor) const {
    constexpr double kAlmost = 0.95;  // maximum for a visit that takes longer than expected
    const auto done = m_progress.fraction();
    if (!done || !m_progress.current()) return done;
    const auto visit = m_progress.visitSeconds(m_visitBegan, durationFactor);
    if (!visit || *visit <= 0) return done;
    const double within = std::min(kAlmost, (elapsedSeconds() - m_visitBegan) / *visit);
    return std::min(1.0, *done + within / m_progress.visitsInAll());
}

void RunController::start(const bench::RunRequest& request) {
    if (m_process) return;
    m_progress = RunProgress();
    m_request = request;
    m_visitBegan = 0;
    m_messages.clear();
    m_errorOutput.clear();
    m_lines = LineSplitter(kLongestLine);
    m_stopping = false;
    m_process = new QProcess(this);
    m_process->setProgram(m_executable);
    QStringList arguments;
    for (const auto& argument : bench::argumentsOf(request)) arguments << QString::fromStdString(argument);
    m_process->setArguments(arguments << QStringLiteral("--events") << QStringLiteral("jsonl"));
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setChildProcessModifier([] {
        ::setpgid(0, 0);                     // allows killing the child with its own children
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed window must not leave a benchmark running
    });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &RunController::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this,
            [this] { m_errorOutput = (m_errorOutput + m_process->readAllStandardError()).right(kErrorTail); });
    connect(m_process, &QProcess::finished, this, &RunController::onFinished);
    connect(m_process, &QProcess::errorOccurred, this, &RunController::onProcessError);
    m_clock.start();
    emit runningChanged(true);
    emit started();
    m_process->start();
}

void RunController::stop() {
    if (!m_process || m_stopping) return;
    m_stopping = true;
    emit runningChanged(true);
    if (m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
    m_terminateTimer.start(kTerminateAfterMs);
    m_killTimer.start(kKillAfterMs);
}

void RunController::readOutput() {
    const auto taken = m_lines.take(m_process->readAllStandardOutput());
    if (taken.dropped > 0) addMessage(tr("Skipped a line longer than %1 MiB.").arg(kLongestLine / 1024 / 1024));
    for (const auto& line : taken.lines) handleLine(line);
}

void RunController::handleLine(const QByteArray& line) {
    if (line.trimmed().isEmpty()) return;
    const std::string_view text(line.constData(), static_cast<std::size_t>(line.size()));
    const auto event = bench::eventFromJson(text);
    if (!event) {
        if (const auto issue = bench::runIssueFromJson(text)) {
            handleIssue(*issue);
            return;
        }
        addMessage(tr("Skipped a line that is not an event: %1").arg(QString::fromUtf8(line.left(120))));
        return;
    }
    m_progress.apply(*event);
    announce(*event);
}

void RunController::handleIssue(const bench::RunIssue& issue) {
    m_progress.apply(issue);
    if (issue.kind == bench::RunIssue::Kind::Refused) return;  // failed() follows when the child has exited
    if (issue.file.empty()) {
        emit notStored(issue.error);
    } else {
        emit keptElsewhere(QString::fromStdString(issue.file));
    }
}

void RunController::announce(const bench::Event& event) {
    switch (event.kind) {
        case bench::EventKind::SuiteStarted:
            emit suiteStarted();
            break;
        case bench::EventKind::CaseStarted:
            m_visitBegan = elapsedSeconds();
            if (event.spec) emit caseStarted(*event.spec);
            break;
        case bench::EventKind::Phase:
            if (event.phase) emit phaseChanged(*event.phase);
            break;
        case bench::EventKind::Sample:
            emit sampleTaken();
            break;
        case bench::EventKind::Sensor:
            if (event.sensor) emit sensorRead(*event.sensor);
            break;
        case bench::EventKind::CaseFinished:
            if (event.record) emit caseFinished(*event.record);
            break;
        case bench::EventKind::SuiteFinished:
            break;  // finished() follows when the child has exited
    }
}

void RunController::addMessage(const QString& message) {
    if (m_messages.size() >= kMostMessages) return;
    m_messages << message;
    emit messageReceived(message);
}

QString RunController::errorTail() const {
    return QString::fromUtf8(m_errorOutput).trimmed();
}

void RunController::releaseProcess() {
    m_elapsedAtEnd = elapsedSeconds();
    m_terminateTimer.stop();
    m_killTimer.stop();
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    m_stopping = false;
}

void RunController::onProcessError(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;  // other errors lead to finished()
    Error failure;
    failure.kind = QFileInfo::exists(m_executable) ? ErrorKind::PermissionDenied : ErrorKind::NotFound;
    failure.subject = m_executable.toStdString();
    failure.detail = Message(m_process->errorString().toStdString());
    releaseProcess();
    emit runningChanged(false);
    emit failed(failure);
}

void RunController::onFinished(int exitCode, QProcess::ExitStatus status) {
    readOutput();
    handleLine(m_lines.rest());
    m_errorOutput = (m_errorOutput + m_process->readAllStandardError()).right(kErrorTail);
    const bool stopped = m_stopping;
    const auto detail = errorTail();
    releaseProcess();
    emit runningChanged(false);
    if (m_progress.refusal()) {
        emit failed(*m_progress.refusal());
        return;
    }
    if (m_progress.suiteFinished() && status == QProcess::NormalExit) {
        emit finished(QString::fromStdString(m_progress.finalStatus()));
        return;
    }
    if (stopped || exitCode == kCancelledExit) {
        emit finished(QStringLiteral("cancelled"));
        return;
    }
    Error error;
    error.subject = QFileInfo(m_executable).fileName().toStdString();
    error.detail = Message(detail.toStdString());
    if (status == QProcess::CrashExit) {
        error.kind = ErrorKind::ChildCrashed;
        if (error.detail.empty()) error.detail = app::messages::endedBySignal(exitCode);
    } else if (exitCode == 2) {
        error.kind = ErrorKind::InvalidArgument;
    } else if (exitCode == 3) {
        error.kind = ErrorKind::Unsupported;
    } else {
        error.kind = ErrorKind::ChildCrashed;
        if (error.detail.empty()) error.detail = app::messages::endedWithCode(exitCode);
    }
    loseCase(error);
    emit failed(error);
}

void RunController::loseCase(const Error& error) {
    if (const auto lost = m_progress.loseCurrent(error.detail)) emit caseFinished(*lost);
}

}  // namespace steelyard::ui

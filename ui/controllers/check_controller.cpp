// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/check_controller.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <QFileInfo>
#include <csignal>

#include "engine/bench/check/machine_check.h"
#include "engine/core/messages/app.h"

namespace steelyard::ui {
namespace {

constexpr qsizetype kCheckErrorTail = 4096;

}  // namespace

CheckController::CheckController(QString executable, QObject* parent)
    : QObject(parent), m_executable(std::move(executable)) {
    m_terminateTimer.setSingleShot(true);
    m_killTimer.setSingleShot(true);
    connect(&m_terminateTimer, &QTimer::timeout, this, [this] {
        if (m_process) m_process->terminate();
    });
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (!m_process || m_process->processId() <= 0) return;
        ::kill(-static_cast<pid_t>(m_process->processId()), SIGKILL);
        m_process->kill();
    });
}

CheckController::~CheckController() {
    if (!m_process) return;
    m_process->disconnect(this);
    if (m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGTERM);
    if (!m_process->waitForFinished(RunController::kWaitOnExitMs) && m_process->processId() > 0) {
        ::kill(-static_cast<pid_t>(m_process->processId()), SIGKILL);
        m_process->waitForFinished(RunController::kTerminateAfterMs);
    }
}

double CheckController::fraction() const {
    if (!m_current || m_current->partCount <= 0) return 0;
    const double within = m_current->part ? 1 : m_current->fraction;
    return (static_cast<double>(m_current->partIndex) + within) / static_cast<double>(m_current->partCount);
}

const std::optional<bench::CheckReport>& CheckController::lastReport(const QString& database) {
    if (database != m_database) {
        m_database = database;
        m_report.reset();
        const auto file = bench::checkFileBeside(std::filesystem::path(database.toStdString()));
        if (auto found = bench::loadCheckReport(file)) m_report = std::move(*found);
    }
    return m_report;
}

void CheckController::start(double loadSeconds, const QString& database) {
    if (m_process) return;
    m_current.reset();
    m_arrived.reset();
    m_parts.clear();
    m_errorOutput.clear();
    m_lines = LineSplitter(RunController::kLongestLine);
    m_stopping = false;
    m_database = database;
    m_process = new QProcess(this);
    m_process->setProgram(m_executable);
    m_process->setArguments({QStringLiteral("check"), QStringLiteral("--seconds"), QString::number(loadSeconds),
                             QStringLiteral("--events"), QStringLiteral("jsonl"), QStringLiteral("--db"), database});
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setChildProcessModifier([] {
        ::setpgid(0, 0);                     // allows killing the child with its own children
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed window must not leave a check running
    });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &CheckController::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this,
            [this] { m_errorOutput = (m_errorOutput + m_process->readAllStandardError()).right(kCheckErrorTail); });
    connect(m_process, &QProcess::finished, this, &CheckController::onFinished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // other errors lead to finished()
        Error failure;
        failure.kind = QFileInfo::exists(m_executable) ? ErrorKind::PermissionDenied : ErrorKind::NotFound;
        failure.subject = m_executable.toStdString();
        failure.detail = Message(m_process->errorString().toStdString());
        release();
        emit runningChanged(false);
        emit failed(failure);
    });
    emit runningChanged(true);
    m_process->start();
}

void CheckController::stop() {
    if (!m_process || m_stopping) return;
    m_stopping = true;
    emit runningChanged(true);
    if (m_process->processId() > 0) ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
    m_terminateTimer.start(RunController::kTerminateAfterMs);
    m_killTimer.start(RunController::kKillAfterMs);
}

void CheckController::readOutput() {
    for (const auto& line : m_lines.take(m_process->readAllStandardOutput()).lines) {
        auto event =
            bench::checkEventFromJson(std::string_view(line.constData(), static_cast<std::size_t>(line.size())));
        if (!event) continue;
        if (event->report) m_arrived = std::move(event->report);
        if (event->part) m_parts.push_back(*event->part);
        m_current = std::move(*event);
        emit progressed();
    }
}

void CheckController::onFinished(int exitCode, QProcess::ExitStatus status) {
    readOutput();
    m_errorOutput = (m_errorOutput + m_process->readAllStandardError()).right(kCheckErrorTail);
    release();
    if (m_arrived) m_report = std::exchange(m_arrived, {});
    emit runningChanged(false);
    if (status == QProcess::NormalExit && exitCode != 2 && m_report) {
        emit finished();
        return;
    }
    Error error;
    error.kind = status == QProcess::CrashExit ? ErrorKind::ChildCrashed : ErrorKind::InvalidArgument;
    error.subject = QFileInfo(m_executable).fileName().toStdString();
    error.detail = Message(QString::fromUtf8(m_errorOutput).trimmed().toStdString());
    if (error.detail.empty()) error.detail = app::messages::endedWithCode(exitCode);
    emit failed(error);
}

void CheckController::release() {
    m_terminateTimer.stop();
    m_killTimer.stop();
    m_process->disconnect(this);
    m_process->deleteLater();
    m_process = nullptr;
    m_stopping = false;
}

}  // namespace steelyard::ui

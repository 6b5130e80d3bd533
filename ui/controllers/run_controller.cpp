// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/run_controller.h"

#include <algorithm>

#include "engine/bench/record/record_json.h"

namespace steelyard::ui {
namespace {

constexpr int kMostMessages = 200;
constexpr int kCancelledExit = 130;  // the command line's contract

}  // namespace

RunController::RunController(QString executable, QObject* parent) : QObject(parent), m_child(std::move(executable)) {
    connect(&m_child, &CommandLineProcess::starting, this, [this] {
        emit runningChanged(true);
        emit started();
    });
    connect(&m_child, &CommandLineProcess::lineRead, this, &RunController::handleLine);
    connect(&m_child, &CommandLineProcess::linesDropped, this, [this] {
        addMessage(tr("Skipped a line longer than %1 MiB.").arg(CommandLineProcess::kLongestLine / 1024 / 1024));
    });
    connect(&m_child, &CommandLineProcess::ended, this, &RunController::onEnded);
}

double RunController::elapsedSeconds() const {
    return isRunning() && m_clock.isValid() ? static_cast<double>(m_clock.elapsed()) / 1000.0 : m_elapsedAtEnd;
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
    if (isRunning()) return;
    m_progress = RunProgress();
    m_request = request;
    m_visitBegan = 0;
    m_messages.clear();
    QStringList arguments;
    for (const auto& argument : bench::argumentsOf(request)) arguments << QString::fromStdString(argument);
    m_clock.start();
    m_child.start(arguments << QStringLiteral("--events") << QStringLiteral("jsonl"));
}

void RunController::stop() {
    if (!isRunning() || isStopping()) return;
    m_child.stop();
    emit runningChanged(true);
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

void RunController::onEnded(const CommandLineProcess::End& end) {
    m_elapsedAtEnd = static_cast<double>(m_clock.elapsed()) / 1000.0;
    emit runningChanged(false);
    if (!end.started) {
        emit failed(end.error);
    } else if (m_progress.refusal()) {
        emit failed(*m_progress.refusal());
    } else if (m_progress.suiteFinished() && !end.crashed) {
        emit finished(QString::fromStdString(m_progress.finalStatus()));
    } else if (end.stopped || end.exitCode == kCancelledExit) {
        emit finished(QStringLiteral("cancelled"));
    } else {
        loseCase(end.error);
        emit failed(end.error);
    }
}

void RunController::loseCase(const Error& error) {
    if (const auto lost = m_progress.loseCurrent(error.detail)) emit caseFinished(*lost);
}

}  // namespace steelyard::ui

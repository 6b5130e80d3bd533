// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/check_controller.h"

#include <filesystem>

#include "engine/bench/check/machine_check.h"

namespace steelyard::ui {

CheckController::CheckController(QString executable, QObject* parent)
    : QObject(parent), m_child(std::move(executable)) {
    connect(&m_child, &CommandLineProcess::starting, this, [this] { emit runningChanged(true); });
    connect(&m_child, &CommandLineProcess::lineRead, this, &CheckController::handleLine);
    connect(&m_child, &CommandLineProcess::ended, this, &CheckController::onEnded);
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
    if (isRunning()) return;
    m_current.reset();
    m_arrived.reset();
    m_parts.clear();
    m_database = database;
    m_child.start({QStringLiteral("check"), QStringLiteral("--seconds"), QString::number(loadSeconds),
                   QStringLiteral("--events"), QStringLiteral("jsonl"), QStringLiteral("--db"), database});
}

void CheckController::stop() {
    if (!isRunning() || isStopping()) return;
    m_child.stop();
    emit runningChanged(true);
}

void CheckController::handleLine(const QByteArray& line) {
    auto event = bench::checkEventFromJson(std::string_view(line.constData(), static_cast<std::size_t>(line.size())));
    if (!event) return;
    if (event->report) m_arrived = std::move(event->report);
    if (event->part) m_parts.push_back(*event->part);
    m_current = std::move(*event);
    emit progressed();
}

void CheckController::onEnded(const CommandLineProcess::End& end) {
    const bool reported = end.started && !end.crashed && m_arrived.has_value();
    if (m_arrived) m_report = std::exchange(m_arrived, {});
    emit runningChanged(false);
    if (reported) {
        emit finished();
    } else {
        emit failed(end.error);
    }
}

}  // namespace steelyard::ui

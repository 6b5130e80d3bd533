// SPDX-License-Identifier: Apache-2.0
#include "ui/export/report_writer.h"

#include <QDir>
#include <QTimer>

#include "ui/export/report_document.h"

namespace steelyard::ui {
namespace {

Failure cancelledError(const QString& target) {
    return fail(ErrorKind::Cancelled, target.toStdString());
}

}  // namespace

ReportWriter::ReportWriter(QObject* parent) : QObject(parent) {}

ReportWriter::~ReportWriter() {
    m_cancelled = true;
}

void ReportWriter::writeFile(const ReportContent& content, const QString& file) {
    begin(content, file, false);
}

void ReportWriter::writeFolder(const ReportContent& content, const QString& folder) {
    begin(content, folder, true);
}

void ReportWriter::cancel() {
    m_cancelled = true;
}

void ReportWriter::begin(ReportContent content, const QString& target, bool isFolder) {
    if (m_writing) return;
    m_writing = true;
    m_cancelled = false;
    m_target = target;
    m_isFolder = isFolder;
    m_content = std::make_shared<const ReportContent>(std::move(content));
    m_pictures = std::make_shared<std::vector<QPicture>>();
    m_charts = std::make_shared<std::vector<DrawnChart>>();
    m_steps.clear();
    if (isFolder || target.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        for (const auto& chart : m_content->charts)
            m_steps.push_back([this, &chart] { m_pictures->push_back(reportPicture(chart)); });
    }
    if (isFolder) {
        for (const auto& chart : m_content->charts)
            m_steps.push_back([this, &chart] { m_charts->push_back(drawChart(chart, paperOptions())); });
    }
    m_done = 0;
    m_all = static_cast<int>(m_steps.size()) + 1;
    emit progressed(0, m_all);
    QTimer::singleShot(0, this, &ReportWriter::next);
}

void ReportWriter::next() {
    if (m_cancelled) {
        end(cancelledError(m_target));
        return;
    }
    if (m_steps.empty()) {
        writeDocuments();
        return;
    }
    const auto step = std::move(m_steps.front());
    m_steps.pop_front();
    step();
    emit progressed(++m_done, m_all);
    QTimer::singleShot(0, this, &ReportWriter::next);
}

void ReportWriter::writeDocuments() {
    m_worker.run(
        this,
        [this, content = m_content, pictures = m_pictures, charts = m_charts, target = m_target,
         isFolder = m_isFolder] {
            const auto stopped = [this] { return m_cancelled.load(); };
            if (!isFolder) return writeReportFile(*content, *pictures, target, stopped);
            const auto drawn = writeCharts(*charts, QDir(target).filePath(QStringLiteral("charts")), stopped);
            return drawn ? writeReportDocuments(*content, *pictures, target, stopped) : drawn;
        },
        [this](const Result<void>& result) { end(result); });
}

void ReportWriter::end(const Result<void>& result) {
    m_writing = false;
    m_steps.clear();
    m_content.reset();
    m_pictures.reset();
    m_charts.reset();
    emit progressed(m_all, m_all);
    if (result) {
        emit written(m_target, m_isFolder);
    } else {
        emit failed(result.error());
    }
}

}  // namespace steelyard::ui

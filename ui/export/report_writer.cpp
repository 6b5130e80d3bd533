// SPDX-License-Identifier: Apache-2.0
#include "ui/export/report_writer.h"

#include <QDir>
#include <QTimer>

#include "ui/export/chart_export.h"
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
    if (m_thread) m_thread->wait();
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
    m_steps.clear();
    if (isFolder || target.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        for (const auto& chart : m_content->charts) {
            m_steps.push_back([this, &chart]() -> Result<void> {
                m_pictures->push_back(reportPicture(chart));
                return {};
            });
        }
    }
    if (isFolder) addChartFiles(QDir(target).filePath(QStringLiteral("charts")));
    m_done = 0;
    m_all = static_cast<int>(m_steps.size()) + 1;
    emit progressed(0, m_all);
    QTimer::singleShot(0, this, &ReportWriter::next);
}

void ReportWriter::addChartFiles(const QString& folder) {
    m_steps.push_back([folder]() -> Result<void> {
        if (QDir().mkpath(folder)) return {};
        return fail(ErrorKind::PermissionDenied, folder.toStdString(), "the folder cannot be made");
    });
    const auto names = chartFileNames(m_content->charts);
    for (std::size_t i = 0; i < m_content->charts.size(); ++i) {
        for (const auto format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf, ExportFormat::Csv}) {
            const auto file =
                QDir(folder).filePath(names[static_cast<qsizetype>(i)] + QLatin1Char('.') + suffixOf(format));
            m_steps.push_back([&chart = m_content->charts[i], file, format] {
                return exportChart(chart, file, format, paperOptions());
            });
        }
    }
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
    if (auto result = step(); !result) {
        end(result);
        return;
    }
    emit progressed(++m_done, m_all);
    QTimer::singleShot(0, this, &ReportWriter::next);
}

void ReportWriter::writeDocuments() {
    m_thread.reset(QThread::create([this, content = m_content, pictures = m_pictures] {
        const auto stopped = [this] { return m_cancelled.load(); };
        auto result = m_isFolder ? writeReportDocuments(*content, *pictures, m_target, stopped)
                                 : writeReportFile(*content, *pictures, m_target, stopped);
        QMetaObject::invokeMethod(
            this, [this, result = std::move(result)] { end(result); }, Qt::QueuedConnection);
    }));
    m_thread->setObjectName(QStringLiteral("report"));
    m_thread->start();
}

void ReportWriter::end(const Result<void>& result) {
    if (m_thread) m_thread->wait();
    m_thread.reset();
    m_writing = false;
    m_steps.clear();
    m_content.reset();
    m_pictures.reset();
    emit progressed(m_all, m_all);
    if (result) {
        emit written(m_target, m_isFolder);
    } else {
        emit failed(result.error());
    }
}

}  // namespace steelyard::ui

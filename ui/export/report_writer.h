// SPDX-License-Identifier: Apache-2.0
// Writes a report without blocking the window. Charts need the GUI thread: they are drawn one at a time, one per
// event-loop iteration; the document, its pages and all files are created in the writer's thread. A cancelled or failed
// report leaves no partial file. One at a time; GUI thread; the destructor cancels.
#pragma once

#include <QObject>
#include <QPicture>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "ui/charts/chart_export.h"
#include "ui/presenters/report_presenter.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

class ReportWriter : public QObject {
    Q_OBJECT

public:
    explicit ReportWriter(QObject* parent = nullptr);
    ~ReportWriter() override;

    [[nodiscard]] bool isWriting() const { return m_writing; }

public slots:
    // The suffix determines the format. Emits progressed(), then written() or failed(); no-op while it is writing.
    void writeFile(const steelyard::ui::ReportContent& content, const QString& file);
    void writeFolder(const steelyard::ui::ReportContent& content, const QString& folder);
    // Emits failed() with Cancelled, unless it was finished.
    void cancel();

signals:
    // Finished steps of `all`.
    void progressed(int done, int all);
    void written(const QString& target, bool isFolder);
    void failed(const steelyard::Error& error);

private:
    using Step = std::function<void()>;
    void begin(ReportContent content, const QString& target, bool isFolder);
    // The next step in the GUI thread; after the last one, the thread's work.
    void next();
    void writeDocuments();
    void end(const Result<void>& result);

    bool m_writing = false;
    std::atomic<bool> m_cancelled{false};
    std::shared_ptr<const ReportContent> m_content;
    std::shared_ptr<std::vector<QPicture>> m_pictures;  // embedded in the document
    std::shared_ptr<std::vector<DrawnChart>> m_charts;  // as separate files
    QString m_target;
    bool m_isFolder = false;
    std::deque<Step> m_steps;
    int m_done = 0, m_all = 0;
    SerialWorker m_worker;  // destroyed first: its work reads m_cancelled
};

}  // namespace steelyard::ui

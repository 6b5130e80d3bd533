// SPDX-License-Identifier: Apache-2.0
// Generates a report's content and its preview document without blocking the window. Charts need the GUI thread: they
// are drawn one at a time, one per event-loop iteration; the rest runs in the preview's thread. Only the latest request
// is completed. GUI thread; the destructor waits for the thread.
#pragma once

#include <QObject>
#include <QPicture>
#include <QTextDocument>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "ui/presenters/report_presenter.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

class ReportPreview : public QObject {
    Q_OBJECT

public:
    explicit ReportPreview(QObject* parent = nullptr);
    ~ReportPreview() override { ++m_latest; }  // queued work is skipped

    using Content = std::shared_ptr<const ReportContent>;

    // Emits made(), unless superseded by another make() or cancel(). `content` is called in the other thread, so it
    // must own what it needs.
    void make(std::function<ReportContent()> content);
    void cancel();
    [[nodiscard]] bool isMaking() const { return m_making; }
    // Of the last made(); nullptr while another one is in progress, and after cancel().
    [[nodiscard]] const Content& content() const { return m_content; }
    // The document of the last made(), once; in the GUI thread.
    [[nodiscard]] std::unique_ptr<QTextDocument> take() { return std::move(m_document); }

signals:
    void made();

private:
    using Pictures = std::shared_ptr<std::vector<QPicture>>;
    // Of job `number`; no-op if superseded.
    void draw(int number, const Content& content, const Pictures& pictures);
    void lay(int number, const Content& content, const Pictures& pictures);
    void end(int number, const Content& content, std::unique_ptr<QTextDocument> document);

    std::atomic<int> m_latest{0};
    bool m_making = false;
    Content m_content;
    std::unique_ptr<QTextDocument> m_document;
    SerialWorker m_worker;  // destroyed first: its work reads m_latest
};

}  // namespace steelyard::ui

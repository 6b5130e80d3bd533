// SPDX-License-Identifier: Apache-2.0
// Makes a report's content and the document of its preview without holding up the window. Charts need the GUI thread:
// they are drawn one at a time, a turn of the event loop each; all else is made in a thread of the preview's own. What
// is asked for last is made; what was under way is dropped. Lives in the GUI thread; the destructor waits for the
// thread.
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
    ~ReportPreview() override { ++m_latest; }  // what waits is skipped

    using Content = std::shared_ptr<const ReportContent>;

    // made() follows, unless there is another make() or a cancel() before. `content` is called in the other thread, so
    // it brings what it needs.
    void make(std::function<ReportContent()> content);
    void cancel();
    [[nodiscard]] bool isMaking() const { return m_making; }
    // Of the last made(); nullptr while another is made, and after a cancel().
    [[nodiscard]] const Content& content() const { return m_content; }
    // The document of the last made(), once; in the GUI thread.
    [[nodiscard]] std::unique_ptr<QTextDocument> take() { return std::move(m_document); }

signals:
    void made();

private:
    using Pictures = std::shared_ptr<std::vector<QPicture>>;
    // Of job `number`; nothing when a later one has come.
    void draw(int number, const Content& content, const Pictures& pictures);
    void lay(int number, const Content& content, const Pictures& pictures);
    void end(int number, const Content& content, std::unique_ptr<QTextDocument> document);

    std::atomic<int> m_latest{0};
    bool m_making = false;
    Content m_content;
    std::unique_ptr<QTextDocument> m_document;
    SerialWorker m_worker;  // ends first: its work reads m_latest
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Makes the document of a report's preview without holding up the window. Charts need the GUI thread: they are drawn
// one at a time, a turn of the event loop each; the document is made in a thread of the preview's own. What is asked
// for last is made; what was under way is dropped. Lives in the GUI thread; the destructor waits for the thread.
#pragma once

#include <QObject>
#include <QPicture>
#include <QTextDocument>
#include <QThread>
#include <functional>
#include <memory>
#include <vector>

#include "ui/presenters/report_presenter.h"

namespace steelyard::ui {

class ReportPreview : public QObject {
    Q_OBJECT

public:
    explicit ReportPreview(QObject* parent = nullptr);
    ~ReportPreview() override;

    // made() follows, unless there is another make() or a cancel() before. `content` is called in a turn of its own.
    void make(std::function<ReportContent()> content);
    void cancel();
    [[nodiscard]] bool isMaking() const { return m_making; }
    // The document of the last made(), once; in the GUI thread.
    [[nodiscard]] std::unique_ptr<QTextDocument> take() { return std::move(m_document); }

signals:
    void made();

private:
    using Content = std::shared_ptr<const ReportContent>;
    using Pictures = std::shared_ptr<std::vector<QPicture>>;
    // Of job `number`; nothing when a later one has come.
    void draw(int number, const Content& content, const Pictures& pictures);
    void lay(int number, const Content& content, const Pictures& pictures);
    void end(int number, std::unique_ptr<QTextDocument> document);

    QThread m_thread;
    QObject* m_worker = nullptr;  // lives in m_thread
    int m_latest = 0;
    bool m_making = false;
    std::unique_ptr<QTextDocument> m_document;
};

}  // namespace steelyard::ui

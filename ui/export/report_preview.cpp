// SPDX-License-Identifier: Apache-2.0
#include "ui/export/report_preview.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QTimer>

#include "ui/export/report_document.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// A document on its way from thread to thread; ends with the post that carries it where the preview has gone. Its
// layout's timers come along by a post of their own, and to end before that has arrived would lose them.
struct Handed {
    explicit Handed(std::unique_ptr<QTextDocument> made) : document(std::move(made)) {}
    Handed(const Handed&) = delete;
    Handed& operator=(const Handed&) = delete;
    ~Handed() {
        if (document) QCoreApplication::sendPostedEvents(document->documentLayout(), QEvent::MetaCall);
    }
    std::unique_ptr<QTextDocument> document;
};

}  // namespace

ReportPreview::ReportPreview(QObject* parent) : QObject(parent), m_worker(new QObject) {
    m_thread.setObjectName(QStringLiteral("preview"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

ReportPreview::~ReportPreview() {
    m_thread.quit();
    m_thread.wait();
}

void ReportPreview::make(std::function<ReportContent()> content) {
    const int number = ++m_latest;
    m_making = true;
    m_content.reset();
    // In the next turn: several wishes of one event are one.
    QTimer::singleShot(0, this, [this, number, content = std::move(content)] {
        if (number != m_latest) return;
        QMetaObject::invokeMethod(m_worker, [this, number, content] {
            if (number != m_latest) return;
            const auto made = std::make_shared<const ReportContent>(content());
            QMetaObject::invokeMethod(
                this, [this, number, made] { draw(number, made, std::make_shared<std::vector<QPicture>>()); });
        });
    });
}

void ReportPreview::cancel() {
    ++m_latest;
    m_making = false;
    m_content.reset();
}

void ReportPreview::draw(int number, const Content& content, const Pictures& pictures) {
    QTimer::singleShot(0, this, [this, number, content, pictures] {
        if (number != m_latest) return;
        if (pictures->size() == content->charts.size()) {
            lay(number, content, pictures);
            return;
        }
        pictures->push_back(reportPicture(content->charts[pictures->size()]));
        draw(number, content, pictures);
    });
}

void ReportPreview::lay(int number, const Content& content, const Pictures& pictures) {
    QMetaObject::invokeMethod(m_worker, [this, number, content, pictures, home = thread()] {
        if (number != m_latest) return;
        auto document = reportDocument(*content, *pictures);
        document->setDocumentMargin(spacing::kPage);
        document->moveToThread(home);
        const auto handed = std::make_shared<Handed>(std::move(document));  // shared, for what is posted is copied
        QMetaObject::invokeMethod(
            this, [this, number, content, handed] { end(number, content, std::move(handed->document)); });
    });
}

void ReportPreview::end(int number, const Content& content, std::unique_ptr<QTextDocument> document) {
    if (number != m_latest) return;
    m_content = content;
    m_document = std::move(document);
    m_making = false;
    emit made();
}

}  // namespace steelyard::ui

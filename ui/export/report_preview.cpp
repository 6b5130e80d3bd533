// SPDX-License-Identifier: Apache-2.0
#include "ui/export/report_preview.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QTimer>

#include "ui/export/report_document.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// A document passed between threads; deleted with the event that carries it if the preview is gone. Its layout's timers
// are moved by a separate event, which must arrive before it is deleted.
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

ReportPreview::ReportPreview(QObject* parent) : QObject(parent) {}

void ReportPreview::make(std::function<ReportContent()> content) {
    const int number = ++m_latest;
    m_making = true;
    m_content.reset();
    // In the next iteration: merges several requests of one event.
    QTimer::singleShot(0, this, [this, number, content = std::move(content)] {
        if (number != m_latest) return;
        m_worker.run(
            this,
            [this, number, content] {
                return number == m_latest ? std::make_shared<const ReportContent>(content()) : Content();
            },
            [this, number](const Content& made) {
                if (made) draw(number, made, std::make_shared<std::vector<QPicture>>());
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
    m_worker.run(
        this,
        [this, number, content, pictures, home = thread(), scale = textScale()]() -> std::shared_ptr<Handed> {
            if (number != m_latest) return {};
            auto document = reportDocument(*content, *pictures, scale);
            document->setDocumentMargin(spacing::kPage);
            document->moveToThread(home);
            return std::make_shared<Handed>(std::move(document));
        },
        [this, number, content](const std::shared_ptr<Handed>& handed) {
            if (handed) end(number, content, std::move(handed->document));
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

// SPDX-License-Identifier: Apache-2.0
// Report: the run and the recommendation as a document, with an exact preview, saved as PDF, HTML, Markdown, CSV, JSON
// or all of them. GUI thread; owned by the main window.
#pragma once

#include <QTextDocument>
#include <memory>
#include <optional>

#include "engine/bench/record/record.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"
#include "ui/presenters/report_presenter.h"

class QCheckBox;
class QComboBox;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTextBrowser;

namespace steelyard::ui {

class ReportPreview;
class ReportWriter;

class ReportPage : public Page {
    Q_OBJECT

public:
    explicit ReportPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    bool exportContent() override;
    void entered() override;

private:
    void build();
    void fillRunBox();
    void setRun(const bench::RunRecord& run);
    // Updates the document now if the page is in front, otherwise when it is entered.
    void showSoon();
    void showDocument();
    void showMade();
    void showButtons();
    [[nodiscard]] QWidget* makeProgress();
    void save(const QString& suffix);
    void saveFolder();
    // Now, or once the preview is up to date: what is saved is what was shown.
    void write(const QString& target, bool isFolder);
    void cancelWriting();
    // Captures the current state; callable in any thread.
    [[nodiscard]] std::function<ReportContent()> contentMaker() const;
    [[nodiscard]] bool isAboutLanguage() const;
    [[nodiscard]] bool hasContent() const;

    WindowContext& m_context;
    std::optional<bench::RunRecord> m_run;
    struct Target {
        QString path;
        bool isFolder = false;
    };
    QString m_wantedRun;
    std::optional<Target> m_wanted;  // to be written when the preview is complete
    bool m_stale = true;
    double m_shownUsdPerKwh = 0;
    QComboBox* m_runBox = nullptr;
    QCheckBox* m_withAdvice = nullptr;
    QCheckBox* m_withRaw = nullptr;
    QWidget* m_progressRow = nullptr;
    QProgressBar* m_progress = nullptr;
    ReportWriter* m_writer = nullptr;
    QPushButton* m_pdfButton = nullptr;
    QPushButton* m_otherButton = nullptr;
    QStackedWidget* m_stack = nullptr;
    QTextBrowser* m_preview = nullptr;
    ReportPreview* m_maker = nullptr;
    std::unique_ptr<QTextDocument> m_document;
};

}  // namespace steelyard::ui

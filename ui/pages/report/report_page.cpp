// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report/report_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/core/version.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/check_controller.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/export/report_document.h"
#include "ui/export/report_preview.h"
#include "ui/export/report_writer.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// Shows the page in its print width, centred.
class CentredPaper final : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

protected:
    void resizeEvent(QResizeEvent* event) override {
        constexpr int kFrame = 20;  // horizontal padding of the paper
        const int spare =
            (contentsRect().width() - lineWrapColumnOrWidth() - verticalScrollBar()->width() - kFrame) / 2;
        setViewportMargins(std::max(0, spare), 0, std::max(0, spare), 0);
        QTextBrowser::resizeEvent(event);
    }
};

}  // namespace

ReportPage::ReportPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Report"), parent), m_context(context) {
    build();
    fillRunBox();
    connect(&m_context.history, &HistoryController::runsChanged, this, &ReportPage::fillRunBox);
    connect(&m_context.history, &HistoryController::runLoaded, this, &ReportPage::setRun);
    connect(&m_context.advice, &AdviceController::answered, this, &ReportPage::showSoon);
    connect(&m_context.advice, &AdviceController::languageAnswered, this, &ReportPage::showSoon);
    connect(&m_context.advice, &AdviceController::purchaseChanged, this, &ReportPage::showSoon);
    connect(&m_context.advice, &AdviceController::backtestReady, this, &ReportPage::showSoon);
    connect(&m_context.machine, &MachineController::catalogueReady, this, &ReportPage::showSoon);
}

void ReportPage::build() {
    m_runBox = new ElidedComboBox(this);
    m_runBox->setObjectName(QStringLiteral("reportRunBox"));
    m_runBox->setAccessibleName(tr("Run"));
    m_runBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_runBox->setMinimumContentsLength(20);
    m_otherButton = makeButton(tr("Other formats"), QStringLiteral("export"), role::kMenu, this);
    m_otherButton->setObjectName(QStringLiteral("reportOtherButton"));
    auto* menu = new QMenu(m_otherButton);
    for (const auto& [suffix, text] :
         {std::pair{QStringLiteral("html"), tr("Web page (HTML)…")},
          std::pair{QStringLiteral("md"), tr("Text (Markdown)…")}, std::pair{QStringLiteral("csv"), tr("Table (CSV)…")},
          std::pair{QStringLiteral("json"), tr("Data (JSON)…")}}) {
        auto* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("report_") + suffix);
        connect(action, &QAction::triggered, this, [this, chosen = suffix] { save(chosen); });
    }
    auto* all = menu->addAction(tr("All, with the charts, as a folder…"));
    all->setObjectName(QStringLiteral("report_all"));
    connect(all, &QAction::triggered, this, &ReportPage::saveFolder);
    m_otherButton->setMenu(menu);
    m_pdfButton = makeButton(tr("Save as PDF…"), QStringLiteral("report"), role::kPrimary, this);
    m_pdfButton->setObjectName(QStringLiteral("reportPdfButton"));
    connect(m_pdfButton, &QPushButton::clicked, this, [this] { save(QStringLiteral("pdf")); });
    for (QWidget* widget : std::initializer_list<QWidget*>{m_runBox, m_otherButton, m_pdfButton})
        actions()->addWidget(widget);
    connect(m_runBox, &QComboBox::activated, this, [this] {
        m_wantedRun = m_runBox->currentData().toString();
        m_context.history.loadRun(m_wantedRun);
    });

    auto* partRow = new QWidget(this);
    auto* parts = new FlowLayout(partRow, spacing::kCard);
    m_withAdvice = new QCheckBox(tr("With the recommendation of Cost && advice"), this);
    m_withAdvice->setObjectName(QStringLiteral("reportWithAdvice"));
    m_withAdvice->setAccessibleName(tr("With the recommendation of Cost & advice"));
    m_withAdvice->setChecked(true);
    m_withRaw = new QCheckBox(tr("With all raw samples"), this);
    m_withRaw->setObjectName(QStringLiteral("reportWithRaw"));
    for (auto* box : {m_withAdvice, m_withRaw}) {
        parts->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ReportPage::showSoon);
    }
    content()->addWidget(partRow);
    content()->addWidget(makeProgress());
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(new EmptyState(QStringLiteral("report"), tr("Nothing to report yet"),
                                      tr("Run a benchmark, or ask for a recommendation on the page Cost & advice."),
                                      m_stack));
    m_preview = new CentredPaper(m_stack);
    m_preview->setObjectName(QStringLiteral("reportPreview"));
    m_preview->setAccessibleName(tr("Preview of the report"));
    m_preview->setOpenLinks(false);
    m_preview->setPlaceholderText(tr("Writing the report…"));  // until the first one is complete
    // Before setting a document, which each of these would lay out again.
    m_preview->setLineWrapMode(QTextEdit::FixedPixelWidth);
    m_preview->setLineWrapColumnOrWidth(static_cast<int>(kReportWidth) + 2 * spacing::kPage);
    setRole(m_preview, role::kPaper);
    m_stack->addWidget(m_preview);
    content()->addWidget(m_stack, 1);
    m_maker = new ReportPreview(this);
    connect(m_maker, &ReportPreview::made, this, &ReportPage::showMade);
}

void ReportPage::fillRunBox() {
    const auto& runs = m_context.history.runs();
    const QSignalBlocker blocker(m_runBox);
    m_runBox->clear();
    for (const auto& run : runs) {
        QStringList parts{Format::dateTime(run.startedUnixMs), StatusText::suite(run.suite)};
        if (!run.computer.empty()) parts << QString::fromStdString(run.computer);
        m_runBox->addItem(parts.join(QStringLiteral(" · ")), QString::fromStdString(run.id));
    }
    m_runBox->setVisible(!runs.empty());
    if (runs.empty()) {
        m_run.reset();
        showSoon();
        return;
    }
    const int row = m_runBox->findData(m_wantedRun);
    m_runBox->setCurrentIndex(std::max(0, row));
    const auto wanted = m_runBox->currentData().toString();
    if (m_run && m_run->id == wanted.toStdString()) return;
    m_wantedRun = wanted;
    m_context.history.loadRun(wanted);
}

void ReportPage::setRun(const bench::RunRecord& run) {
    if (QString::fromStdString(run.id) != m_wantedRun) return;  // superseded by another request
    m_run = run;
    showSoon();
}

void ReportPage::entered() {
    m_context.advice.requestBacktest();
    // It may have been changed on another page.
    if (m_stale || m_shownUsdPerKwh != m_context.preferences.load().usdPerKwh) showDocument();
}

void ReportPage::showSoon() {
    m_stale = true;
    if (isVisible()) showDocument();
}

// Whether the page Cost & advice shows an answer about a language model.
bool ReportPage::isAboutLanguage() const {
    const auto task = m_context.preferences.adviceTask();
    const auto isTask = [&](LanguageTask one) { return task == plain(toString(one)); };
    return m_context.advice.languageAnswer() && std::ranges::any_of(kLanguageTasks, isTask);
}

bool ReportPage::hasContent() const {
    const auto& advice = m_context.advice;
    return m_run || (m_withAdvice->isChecked() && (isAboutLanguage() || advice.answer()));
}

std::function<ReportContent()> ReportPage::contentMaker() const {
    struct Material {
        std::optional<bench::RunRecord> run;
        std::optional<AdviceAnswer> advice;
        std::optional<LanguageAnswer> language;
        std::optional<advisor::BacktestReport> backtest;
        std::optional<bench::CheckReport> check;
        WorkloadCatalogue catalogue;
        ReportSources sources;
        report::ReportStamp stamp;
    };
    auto material = std::make_shared<Material>();
    material->run = m_run;
    material->check = m_context.check.lastReport(m_context.databaseFile());
    if (m_withAdvice->isChecked()) {
        if (isAboutLanguage())
            material->language = m_context.advice.languageAnswer();
        else
            material->advice = m_context.advice.answer();
        material->backtest = m_context.advice.backtest();
    }
    material->catalogue = m_context.machine.catalogue();
    material->stamp = {std::string(programVersion()), QDateTime::currentMSecsSinceEpoch()};
    auto& sources = material->sources;
    sources.run = material->run ? &*material->run : nullptr;
    sources.advice = material->advice ? &*material->advice : nullptr;
    sources.language = material->language ? &*material->language : nullptr;
    sources.backtest = material->backtest ? &*material->backtest : nullptr;
    sources.check = material->check ? &*material->check : nullptr;
    sources.rawSamples = m_withRaw->isChecked();
    sources.purchase = m_context.advice.purchase();
    sources.purchase.usdPerKwh = m_context.preferences.load().usdPerKwh;
    return [material] { return ReportPresenter::content(material->sources, material->catalogue, material->stamp); };
}

void ReportPage::showDocument() {
    m_stale = false;
    const bool any = hasContent();
    m_stack->setCurrentIndex(any ? 1 : 0);
    showButtons();
    if (any) {
        m_shownUsdPerKwh = m_context.preferences.load().usdPerKwh;
        m_maker->make(contentMaker());
    } else {
        m_maker->cancel();
        if (m_wanted) cancelWriting();  // nothing left to report
    }
}

void ReportPage::showMade() {
    auto document = m_maker->take();
    m_preview->setLineWrapColumnOrWidth(static_cast<int>(kReportWidth * textScale()) + 2 * spacing::kPage);
    m_preview->setDocument(document.get());
    m_document = std::move(document);
    if (m_wanted && !m_stale) {
        const auto wanted = *std::exchange(m_wanted, {});
        write(wanted.path, wanted.isFolder);
    }
}

void ReportPage::write(const QString& target, bool isFolder) {
    if (m_stale) showDocument();
    if (const auto& content = m_maker->content()) {
        if (isFolder) {
            m_writer->writeFolder(*content, target);
        } else {
            m_writer->writeFile(*content, target);
        }
        return;
    }
    m_wanted = Target{target, isFolder};
    m_progress->setRange(0, 0);
    m_progressRow->show();
    showButtons();
}

void ReportPage::cancelWriting() {
    if (!m_wanted) {
        m_writer->cancel();
        return;
    }
    m_wanted.reset();
    m_progressRow->hide();
    showButtons();
    emit noticePosted(Tone::Neutral, tr("The report was not saved: it was cancelled."));
}

void ReportPage::save(const QString& suffix) {
    const auto day = m_run ? QDateTime::fromMSecsSinceEpoch(m_run->startedUnixMs).date() : QDate::currentDate();
    const auto name = QStringLiteral("steelyard-%1.%2").arg(day.toString(Qt::ISODate), suffix);
    auto file = m_context.dialogs.saveFile(this, tr("Save the report"), name,
                                           tr("Reports (*.%1)", "a file name pattern").arg(suffix));
    if (file.isEmpty()) return;
    if (!file.endsWith(QLatin1Char('.') + suffix, Qt::CaseInsensitive)) file += QLatin1Char('.') + suffix;
    write(file, false);
}

void ReportPage::saveFolder() {
    const auto folder = m_context.dialogs.saveFile(this, tr("Save the report with its charts in a folder"),
                                                   QStringLiteral("steelyard-report"), tr("Folders (*)"));
    if (folder.isEmpty()) return;
    write(folder, true);
}

QWidget* ReportPage::makeProgress() {
    m_progressRow = new QWidget(this);
    auto* row = new QHBoxLayout(m_progressRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing::kSmall);
    row->addWidget(makeLabel(tr("Writing the report…"), role::kMuted, m_progressRow, false));
    m_progress = new QProgressBar(m_progressRow);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of writing the report"));
    row->addWidget(m_progress, 1);
    auto* cancel = makeButton(tr("Cancel"), {}, "", m_progressRow);
    cancel->setObjectName(QStringLiteral("reportCancelButton"));
    row->addWidget(cancel);
    m_progressRow->hide();
    m_writer = new ReportWriter(this);
    connect(cancel, &QPushButton::clicked, this, &ReportPage::cancelWriting);
    connect(m_writer, &ReportWriter::progressed, this, [this](int done, int all) {
        m_progress->setRange(0, all);
        m_progress->setValue(done);
        m_progressRow->setVisible(m_writer->isWriting());
        showButtons();
    });
    connect(m_writer, &ReportWriter::written, this, [this](const QString& target, bool isFolder) {
        emit filePosted((isFolder ? tr("Saved in the folder %1") : tr("Saved as %1")).arg(target), target);
    });
    connect(m_writer, &ReportWriter::failed, this, [this](const Error& error) {
        if (error.kind == ErrorKind::Cancelled) {
            emit noticePosted(Tone::Neutral, tr("The report was not saved: it was cancelled."));
            return;
        }
        m_context.dialogs.showError(this, tr("The report could not be saved"), ErrorText::full(error));
    });
    return m_progressRow;
}

void ReportPage::showButtons() {
    const bool ready = hasContent() && !m_wanted && !m_writer->isWriting();
    m_pdfButton->setEnabled(ready);
    m_otherButton->setEnabled(ready);
}

bool ReportPage::exportContent() {
    if (!hasContent() || m_wanted || m_writer->isWriting()) return false;
    save(QStringLiteral("pdf"));
    return true;
}

QString ReportPage::helpText() const {
    return tr(
        "The report holds what was measured, what is recommended and why, the charts, how it was measured, and the "
        "prices with their dates. It is shown here as it will be printed, in the language of the window. The "
        "recommendation is the answer on the page Cost & advice as it stands there.");
}

}  // namespace steelyard::ui

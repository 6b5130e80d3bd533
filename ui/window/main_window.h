// SPDX-License-Identifier: Apache-2.0
// The window: navigation, pages, notice bar, shortcuts, closing, drag and drop. Rebuilds its pages when the language or
// text size changes, one page per event-loop iteration, so that the window stays responsive; state that must survive
// lives in the controllers. Borrows the context, whose owner must outlive it.
#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

#include "ui/pages/window_context.h"

class QStackedWidget;
class QTimer;

namespace steelyard {
struct Error;
}

namespace steelyard::ui {

class AdvicePage;
class BenchmarkPage;
class CampaignsPage;
class HistoryPage;
class HomePage;
class Navigation;
class NetworkDialog;
class NoticeBar;
class Page;
class ResultsPage;
class RunNotices;
class SettingsPage;
class StudiesPage;

class MainWindow : public QWidget {
    Q_OBJECT

public:
    static constexpr int kCollapseBelow = 1100;

    explicit MainWindow(WindowContext& context, QWidget* parent = nullptr);
    ~MainWindow() override;

    // "home", "hardware", "benchmark", "results", "history", "advice", "campaigns", "studies",
    // "report", "settings".
    void showPage(const QString& id);
    [[nodiscard]] QString currentPage() const;
    [[nodiscard]] QStringList pageIds() const;
    [[nodiscard]] Page* page(const QString& id) const;
    void bringToFront();
    // Stopping by keyboard asks for confirmation if the run has taken longer than this.
    void setStopAsksAfter(double seconds) { m_stopAsksAfterSeconds = seconds; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Entry {
        QString id;
        Page* page = nullptr;
    };
    void buildNextPage();
    void useComingPages();
    template <class AnyPage>
    void takePage(AnyPage*& member);
    void rebuild();
    void rebuildNext();
    void connectPages();
    void keepFocus(QWidget* old, QWidget* now);
    void addShortcuts();
    void stopByKey();
    void addNetwork(const QString& file);
    void networkRemoved(const QString& id);
    void tellCampaign(const QString& id);
    void watchRun();
    static QString shortcutsText();
    void showRunState();
    void runEnded(const QString& status);
    void useLanguage(const QString& code);
    void openDatabase();
    void showError(const QString& title, const Error& error);
    void removed(const QStringList& ids);
    void tellFile(const QString& text, const QString& file);
    void watchHistory();

    WindowContext& m_context;
    Navigation* m_navigation = nullptr;
    QStackedWidget* m_stack = nullptr;
    NoticeBar* m_notice = nullptr;
    RunNotices* m_runNotices = nullptr;
    QPointer<NetworkDialog> m_networkDialog;
    std::vector<Entry> m_pages;
    std::vector<Entry> m_coming;  // built so far, to replace m_pages when complete
    QTimer* m_rebuilding = nullptr;
    double m_stopAsksAfterSeconds = 30;
    HomePage* m_home = nullptr;
    BenchmarkPage* m_benchmark = nullptr;
    ResultsPage* m_results = nullptr;
    HistoryPage* m_history = nullptr;
    AdvicePage* m_advice = nullptr;
    CampaignsPage* m_campaigns = nullptr;
    StudiesPage* m_studies = nullptr;
    SettingsPage* m_settings = nullptr;
};

}  // namespace steelyard::ui

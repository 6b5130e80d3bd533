// SPDX-License-Identifier: Apache-2.0
// The part of Cost & advice for language models: chat, serving, fine-tuning, and memory fit. The form at the left, the
// answer at the right, updated on every change. GUI thread; owned by its page.
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "ui/pages/window_context.h"
#include "ui/presenters/advice/language_question.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace steelyard {
struct Error;
}

namespace steelyard::ui {

class ChartView;
class ChoiceView;
class LanguageForm;
class RowsModel;
class RowsProxy;
enum class ExportFormat;

class LanguageView : public QWidget {
    Q_OBJECT

public:
    explicit LanguageView(WindowContext& context, QWidget* parent = nullptr);
    void setTask(LanguageTask task);
    // Requests an answer unless the current one matches the form.
    void entered();
    bool exportContent();

signals:
    void exported(const QString& file);

private:
    enum View { Choices, Offers, Load, Devices, Models, Holders, Memory };
    QWidget* makeAnswer();
    ChartView* makeChart(QWidget* parent, const char* name);
    void askSoon();
    void ask();
    void showAnswer();
    void showRefusal(const Error& error);
    void showTabs();
    void showView();
    [[nodiscard]] View current() const;

    WindowContext& m_context;
    QTimer m_delay;
    bool m_loaded = false;
    LanguageForm* m_form = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_sensitivity = nullptr;
    QLabel* m_footing = nullptr;
    QLabel* m_refusal = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    std::vector<ChoiceView*> m_choices;
    ChartView* m_scatter = nullptr;
    ChartView* m_chart = nullptr;
    QWidget* m_tablePart = nullptr;
    std::vector<QScrollArea*> m_areas;  // of the form and the answer
    QLineEdit* m_search = nullptr;
    QCheckBox* m_onlyPossible = nullptr;
    RowsModel* m_rows = nullptr;
    RowsProxy* m_sorted = nullptr;
    QTableView* m_table = nullptr;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// Cost & advice: at the top the kind of job; the form at the left, the answer at the right: a sentence, the three
// choices, then ranking, charts and prices. Updated on every change; works without measurements. GUI thread; owned by
// the main window.
#pragma once

#include <QTimer>
#include <vector>

#include "ui/pages/page.h"
#include "ui/pages/window_context.h"
#include "ui/presenters/advice/advice_question.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace steelyard {
struct Error;
}

namespace steelyard::ui {

class AdviceForm;
class Card;
class ChartView;
class ChoiceView;
class DetailList;
class LanguageView;
class PriceView;
class PurchaseView;
class RowsModel;
class RowsProxy;
enum class ExportFormat;

class AdvicePage : public Page {
    Q_OBJECT

public:
    explicit AdvicePage(WindowContext& context, QWidget* parent = nullptr);
    ~AdvicePage() override;
    [[nodiscard]] QString helpText() const override;
    bool exportContent() override;
    void entered() override;
    // Shows the advice for a measured job.
    void askAbout(const AdviceQuestion& job);
    void importPrices(const QString& folder);

signals:
    // Emitted to measure candidates of the answer.
    void measureRequested();

private:
    enum View { Choices, Ranking, Relative, BuyOrRent, Prices };
    void makeTasks();
    void makeNetworks();
    void taskChosen();
    void showMode();
    QWidget* makeAnswer(QWidget* parent);
    QWidget* makeChoices(QWidget* parent);
    QWidget* makeRanking(QWidget* parent);
    void makePrices();
    ChartView* makeChart(QWidget* parent, const char* name);
    void connectChart(ChartView* chart);
    void connectController();
    void fillForm();
    void askSoon();
    void ask();
    void showAnswer();
    void showRefusal(const Error& error);
    void showView();
    void showDetails(const QString& candidate);
    void exportSpec(const ChartView* chart, ExportFormat format);
    [[nodiscard]] ChartView* frontChart() const;

    WindowContext& m_context;
    QTimer m_delay;
    bool m_loaded = false;
    QString m_addedNetwork;  // selected once it is among the options
    QTabBar* m_tasks = nullptr;
    QPushButton* m_measure = nullptr;
    QStackedWidget* m_parts = nullptr;   // for networks, for language models
    LanguageView* m_language = nullptr;  // created on first use
    AdviceForm* m_form = nullptr;
    QStackedWidget* m_answerStack = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_sensitivity = nullptr;
    QLabel* m_priceCaution = nullptr;
    QLabel* m_footing = nullptr;
    QLabel* m_refusal = nullptr;
    std::vector<ChoiceView*> m_choices;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    QCheckBox* m_onlyPossible = nullptr;
    RowsModel* m_rows = nullptr;
    RowsProxy* m_sorted = nullptr;
    QTableView* m_table = nullptr;
    ChartView* m_scatter = nullptr;
    std::vector<ChartView*> m_relative;  // time, cost
    PurchaseView* m_purchase = nullptr;
    PriceView* m_prices = nullptr;  // created when first shown
    Card* m_detailCard = nullptr;
    DetailList* m_details = nullptr;
};

}  // namespace steelyard::ui

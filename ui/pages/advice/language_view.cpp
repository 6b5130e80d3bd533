// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/language_view.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/core/error.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/pages/advice/choice_view.h"
#include "ui/pages/advice/language_form.h"
#include "ui/pages/report/export_flow.h"
#include "ui/presenters/advice/language_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kAskDelayMs = 120;  // debounce while a slider moves
constexpr int kLanguageFormWidth = 268, kLanguageAnswerWidth = 300,
              kLanguageAnswerHeight = 560;                // at a text scale of 1
constexpr int kWidestColumn = 260, kWidestReasons = 560;  // the tooltip has the whole text

}  // namespace

LanguageView::LanguageView(WindowContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kAskDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &LanguageView::ask);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_form = new LanguageForm;
    m_form->setObjectName(QStringLiteral("languageForm"));
    m_form->setQuestion(languageQuestionFrom(m_context.preferences.languageQuestion()));
    auto* parts = new AdaptiveRow(this, spacing::kGap);
    parts->setLastFirst();
    m_form->setMinimumWidth(1);
    auto* formArea = makeScrolled(m_form, parts);
    formArea->setFixedWidth(scaled(kLanguageFormWidth));
    auto* answer = makeAnswer();
    answer->setMinimumWidth(1);
    auto* answerArea = makeScrolled(answer, parts);
    parts->addWidget(formArea, 0, kLanguageFormWidth);
    parts->addWidget(answerArea, 1, kLanguageAnswerWidth);
    parts->setMinimumWidth(1);
    layout->addWidget(makeScrolled(parts, this));
    m_areas = {formArea, answerArea};
    connect(parts, &AdaptiveRow::stackedChanged, this, [this, formArea, answerArea](bool stacked) {
        formArea->setMinimumWidth(stacked ? 0 : scaled(kLanguageFormWidth));
        formArea->setMaximumWidth(stacked ? QWIDGETSIZE_MAX : scaled(kLanguageFormWidth));
        formArea->setMinimumHeight(stacked ? m_form->sizeHint().height() : 0);
        answerArea->setMinimumHeight(stacked ? scaled(kLanguageAnswerHeight) : 0);
    });
    connect(m_form, &LanguageForm::changed, this, &LanguageView::askSoon);
    connect(m_form, &LanguageForm::modelFileRequested, this, [this] {
        const auto file = m_context.dialogs.openFile(this, tr("Open a language model"),
                                                     tr("Language models (config.json *.gguf *.json);;All files (*)"));
        if (!file.isEmpty()) m_form->chooseFile(file);
    });
    auto& advice = m_context.advice;
    connect(&advice, &AdviceController::languageOptionsReady, this, [this] {
        m_loaded = true;
        m_form->setOptions(m_context.advice.languageOptions());
        if (isVisible()) ask();
    });
    connect(&advice, &AdviceController::languageAnswered, this, &LanguageView::showAnswer);
    connect(&advice, &AdviceController::languageRefused, this, &LanguageView::showRefusal);
    if (!advice.languageOptions().models.empty()) {
        m_loaded = true;
        m_form->setOptions(advice.languageOptions());
    }
}

QWidget* LanguageView::makeAnswer() {
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    auto* hero = new Card({}, body);
    m_verdict = makeLabel(tr("Loading devices and offers…"), role::kVerdict, hero);
    m_verdict->setObjectName(QStringLiteral("languageVerdict"));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sensitivity = makeLabel({}, {}, hero);
    m_sensitivity->setObjectName(QStringLiteral("languageSensitivity"));
    m_footing = makeLabel({}, role::kSmall, hero);
    m_footing->setObjectName(QStringLiteral("languageFooting"));
    m_refusal = makeLabel({}, role::kCaution, hero);
    m_refusal->setObjectName(QStringLiteral("languageRefusal"));
    m_refusal->hide();
    for (auto* label : {m_verdict, m_sensitivity, m_footing, m_refusal}) hero->body()->addWidget(label);
    layout->addWidget(hero);
    m_tabs = new QTabBar(body);
    m_tabs->setObjectName(QStringLiteral("languageTabs"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Result views"));
    showTabs();  // before layout: an empty bar has no height, and keeps none while hidden
    layout->addWidget(m_tabs);
    m_views = new QStackedWidget(body);
    m_views->setMinimumHeight(scaled(360));
    const auto chartCard = [this](ChartView*& chart, const char* name, QWidget* parent) {
        auto* card = new Card({}, parent);
        card->body()->setContentsMargins(2, 2, 2, 2);
        chart = makeChart(card, name);
        card->body()->addWidget(chart, 1);
        return card;
    };
    auto* choices = new QWidget(m_views);
    auto* column = new QVBoxLayout(choices);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kGap);
    auto* cards = new AdaptiveRow(choices, spacing::kGap);
    for (int index = 0; index < 3; ++index) {
        m_choices.push_back(new ChoiceView(cards));
        m_choices.back()->setObjectName(QStringLiteral("languageChoice%1").arg(index));
        m_choices.back()->hide();
        cards->addWidget(m_choices.back(), 1, 150);
    }
    column->addWidget(cards);
    column->addWidget(chartCard(m_scatter, "languageScatter", choices), 1);
    m_scatter->setMinimumHeight(scaled(330));
    m_views->addWidget(choices);
    m_tablePart = new QWidget(m_views);
    auto* tableLayout = new QVBoxLayout(m_tablePart);
    tableLayout->setContentsMargins(0, 0, 0, 0);
    tableLayout->setSpacing(spacing::kSmall);
    auto* row = new QHBoxLayout;
    m_search = new QLineEdit(m_tablePart);
    m_search->setObjectName(QStringLiteral("languageSearch"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_onlyPossible = new QCheckBox(tr("Hide offers outside my limits"), m_tablePart);
    m_onlyPossible->setObjectName(QStringLiteral("languageOnlyPossible"));
    m_onlyPossible->setChecked(true);
    row->addWidget(m_search, 1);
    row->addWidget(m_onlyPossible);
    tableLayout->addLayout(row);
    m_rows = new RowsModel(this);
    m_sorted = new RowsProxy(this);
    m_sorted->setSourceModel(m_rows);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table = makeTable(m_sorted, tr("Offers, devices or models"), m_tablePart);
    m_table->setObjectName(QStringLiteral("languageTable"));
    freezeFirstColumn(m_table);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    tableLayout->addWidget(m_table, 1);
    m_views->addWidget(m_tablePart);
    m_views->addWidget(chartCard(m_chart, "languageChart", m_views));
    layout->addWidget(m_views, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this] {
        m_search->clear();  // it was meant for the other rows
        showView();
    });
    connect(m_onlyPossible, &QCheckBox::toggled, this, &LanguageView::showView);
    connect(m_search, &QLineEdit::textChanged, m_sorted, &RowsProxy::setFilterFixedString);
    return body;
}

ChartView* LanguageView::makeChart(QWidget* parent, const char* name) {
    auto* chart = new ChartView(parent);
    chart->setObjectName(QLatin1String(name));
    connect(chart, &ChartView::exportRequested, this, [this, chart](ExportFormat format) {
        exportChartAsking(this, m_context.dialogs, chart->spec(), format,
                          [this](const QString& file) { emit exported(file); });
    });
    return chart;
}

void LanguageView::setTask(LanguageTask task) {
    m_form->setTask(task);
    for (auto* area : m_areas) area->verticalScrollBar()->setValue(0);  // the sentence on top answers the new question
    showTabs();
    ask();
}

void LanguageView::entered() {
    if (!m_loaded) {
        m_context.advice.loadLanguage();
        return;
    }
    ask();
}

void LanguageView::showTabs() {
    std::vector<std::pair<View, QString>> tabs;
    switch (m_form->question().task) {
        case LanguageTask::Chat:
        case LanguageTask::Serve:
            tabs = {{Choices, tr("Choices")},
                    {Offers, tr("All offers")},
                    {Load, tr("Cost by load")},
                    {Memory, tr("Memory")}};
            break;
        case LanguageTask::FineTune:
            tabs = {
                {Choices, tr("Choices")}, {Offers, tr("All offers")}, {Holders, tr("Devices")}, {Memory, tr("Memory")}};
            break;
        case LanguageTask::Fit:
            tabs = {
                {Devices, tr("Devices for this model")}, {Models, tr("Models on one device")}, {Memory, tr("Memory")}};
            break;
    }
    const QSignalBlocker blocker(m_tabs);
    while (m_tabs->count() > 0) m_tabs->removeTab(0);
    for (const auto& [view, words] : tabs) m_tabs->setTabData(m_tabs->addTab(words), static_cast<int>(view));
    m_tabs->setCurrentIndex(0);
}

LanguageView::View LanguageView::current() const {
    return static_cast<View>(m_tabs->tabData(m_tabs->currentIndex()).toInt());
}

void LanguageView::askSoon() {
    m_delay.start();
}

void LanguageView::ask() {
    if (!m_loaded) return;
    const auto question = m_form->question();
    m_context.preferences.saveLanguageQuestion(toMap(question));
    const auto preferences = m_context.preferences.load();
    m_context.advice.askLanguage(question, {m_context.machine.profile(), m_context.databaseFile().toStdString(),
                                            preferences.usdPerKwh, preferences.oldPriceDays});
}

// Instead of an answer, which would be that of an earlier question.
void LanguageView::showRefusal(const Error& error) {
    auto text = ErrorText::sentence(error);
    if (!error.detail.text.empty()) text += QLatin1Char('\n') + MessageText::sentence(error.detail);
    m_refusal->setText(text);
    m_refusal->show();
    for (auto* part : std::initializer_list<QWidget*>{m_verdict, m_sensitivity, m_footing, m_tabs, m_views})
        part->hide();
}

void LanguageView::showAnswer() {
    const auto& answer = m_context.advice.languageAnswer();
    if (!answer || answer->question.task != m_form->question().task) return;
    m_refusal->hide();
    for (auto* part : std::initializer_list<QWidget*>{m_verdict, m_footing, m_tabs, m_views}) part->show();
    const LanguagePresenter presenter(*answer);
    m_verdict->setText(Format::unbroken(presenter.verdict()));
    const auto sensitivity = presenter.sensitivity();
    m_sensitivity->setText(sensitivity);
    m_sensitivity->setVisible(!sensitivity.isEmpty());
    m_footing->setText(presenter.footing());
    showView();
}

void LanguageView::showView() {
    const auto& answered = m_context.advice.languageAnswer();
    if (!answered || answered->question.task != m_form->question().task) return;
    const LanguagePresenter presenter(*answered);
    const auto showTable = [&](TableContent content, bool hasPossible) {
        m_onlyPossible->setVisible(hasPossible);
        m_rows->setContent(std::move(content));
        m_table->resizeColumnsToContents();
        const int last = m_rows->columnCount() - 1;
        for (int column = 0; column <= last; ++column)
            m_table->setColumnWidth(
                column, std::min(m_table->columnWidth(column), scaled(column < last ? kWidestColumn : kWidestReasons)));
        m_views->setCurrentWidget(m_tablePart);
    };
    const auto showChart = [&](const ChartSpec& spec) {
        m_chart->setSpec(spec);
        m_views->setCurrentIndex(2);
    };
    switch (current()) {
        case Choices: {
            const auto cards = presenter.choices();
            for (std::size_t i = 0; i < m_choices.size(); ++i) {
                m_choices[i]->setVisible(i < cards.size());
                if (i < cards.size()) m_choices[i]->setChoice(cards[i]);
            }
            m_scatter->setSpec(presenter.speedAgainstCost());
            m_views->setCurrentIndex(0);
            break;
        }
        case Offers:
            showTable(presenter.offers(m_onlyPossible->isChecked()), true);
            break;
        case Load:
            showChart(presenter.costByLoad());
            break;
        case Devices:
            showTable(presenter.devices(), false);
            break;
        case Models:
            showTable(presenter.models(), false);
            break;
        case Holders:
            showTable(presenter.holders(), false);
            break;
        case Memory:
            showChart(presenter.memory());
            break;
    }
}

bool LanguageView::exportContent() {
    if (!m_context.advice.languageAnswer()) return false;
    const auto* chart = m_views->currentIndex() == 0 ? m_scatter : m_chart;
    if (m_views->currentWidget() == m_tablePart) return false;
    exportChartAsking(this, m_context.dialogs, chart->spec(), ExportFormat::Png,
                      [this](const QString& file) { emit exported(file); });
    return true;
}

}  // namespace steelyard::ui

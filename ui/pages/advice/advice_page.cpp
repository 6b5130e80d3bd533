// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/advice_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/core/error.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/network_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/models/rows_model.h"
#include "ui/pages/advice/advice_form.h"
#include "ui/pages/advice/choice_view.h"
#include "ui/pages/advice/language_view.h"
#include "ui/pages/advice/price_view.h"
#include "ui/pages/advice/purchase_view.h"
#include "ui/pages/report/export_flow.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_presenter.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kDelayMs = 120;    // debounce while a slider moves or a number is typed
constexpr int kFormWidth = 268;  // pixels at a text scale of 1
constexpr int kAnswerWidth = 300;
constexpr int kAnswerHeight = 560;  // with the form above, if both do not fit side by side

void setContent(QScrollArea* area, QWidget* widget) {
    widget->setMinimumWidth(1);  // no horizontal scrolling: uses the available width
    area->setWidget(widget);
}

// Names may be elided; the reasons beside them matter more.
void limitColumns(QTableView* table) {
    constexpr int kWidest[] = {200, 170, 200, 150, 420};
    for (int column = 0; column < 5; ++column)
        table->setColumnWidth(column, std::min(table->columnWidth(column), scaled(kWidest[column])));
}

}  // namespace

AdvicePage::AdvicePage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Cost & advice"), parent), m_context(context) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &AdvicePage::ask);
    m_measure = makeButton(tr("Measure candidates…"), QStringLiteral("campaigns"), "", this);
    m_measure->setObjectName(QStringLiteral("measureCandidates"));
    m_measure->setToolTip(tr("Measure the best machines where they are, and correct the advice"));
    m_measure->setEnabled(false);
    actions()->addWidget(m_measure);
    connect(m_measure, &QPushButton::clicked, this, &AdvicePage::measureRequested);
    makeTasks();
    m_parts = new QStackedWidget(this);
    makeNetworks();
    content()->addWidget(m_parts, 1);

    connect(m_form, &AdviceForm::changed, this, &AdvicePage::askSoon);
    connect(m_form, &AdviceForm::changed, this, &AdvicePage::showMode);
    connect(m_form, &AdviceForm::addNetworkRequested, this, [this] { emit addNetworkRequested({}); });
    connect(m_form, &AdviceForm::networkRemovalRequested, this, &Page::networkRemovalRequested);
    connectController();
}

AdvicePage::~AdvicePage() = default;

// The kind of job comes first: everything below depends on it.
void AdvicePage::makeTasks() {
    m_tasks = new QTabBar(this);
    m_tasks->setObjectName(QStringLiteral("adviceTask"));
    m_tasks->setExpanding(false);
    m_tasks->setDrawBase(false);
    m_tasks->setAccessibleName(tr("Kind of job"));
    m_tasks->setTabData(m_tasks->addTab(tr("Train a network")), plain(plan::toString(plan::Mode::Train)));
    m_tasks->setTabData(m_tasks->addTab(tr("Run a network")), plain(plan::toString(plan::Mode::Infer)));
    for (const auto task : kLanguageTasks)
        m_tasks->setTabData(m_tasks->addTab(LanguagePresenter::task(task)), plain(toString(task)));
    content()->addWidget(m_tasks);
    connect(m_tasks, &QTabBar::currentChanged, this, &AdvicePage::taskChosen);
}

void AdvicePage::taskChosen() {
    const auto chosen = m_tasks->tabData(m_tasks->currentIndex()).toString();
    m_context.preferences.saveAdviceTask(chosen);
    if (const auto mode = plan::modeFromString(chosen.toStdString())) {
        m_parts->setCurrentIndex(0);
        m_measure->show();
        m_form->setMode(*mode);
        return;
    }
    if (!m_language) {
        m_language = new LanguageView(m_context, m_parts);
        connect(m_language, &LanguageView::exported, this, &AdvicePage::postExported);
        m_parts->addWidget(m_language);
    }
    m_detailCard->hide();
    m_measure->hide();
    m_parts->setCurrentWidget(m_language);
    for (const auto task : kLanguageTasks)
        if (chosen == plain(toString(task))) m_language->setTask(task);
    m_language->entered();
}

// A network that supports inference only, or a measured job, may have changed it.
void AdvicePage::showMode() {
    const bool isNetwork = m_parts->currentIndex() == 0;
    if (isNetwork) m_tasks->setCurrentIndex(m_form->question().mode == plan::Mode::Infer ? 1 : 0);
}

// Each part is created with its final parent: reparenting applies the style sheet again.
void AdvicePage::makeNetworks() {
    auto* networks = new QWidget(m_parts);
    m_parts->addWidget(networks);
    auto* row = new QHBoxLayout(networks);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing::kGap);
    auto* area = makeScrollArea(networks);
    row->addWidget(area, 1);
    auto* parts = new AdaptiveRow(area->viewport(), spacing::kGap);
    parts->setLastFirst();
    auto* formArea = makeScrollArea(parts);
    m_form = new AdviceForm(formArea->viewport());
    setContent(formArea, m_form);
    formArea->setFixedWidth(scaled(kFormWidth));
    auto* answerArea = makeScrollArea(parts);
    setContent(answerArea, makeAnswer(answerArea->viewport()));
    parts->addWidget(formArea, 0, kFormWidth);
    parts->addWidget(answerArea, 1, kAnswerWidth);
    setContent(area, parts);
    connect(parts, &AdaptiveRow::stackedChanged, this, [this, formArea, answerArea](bool stacked) {
        formArea->setMinimumWidth(stacked ? 0 : scaled(kFormWidth));
        formArea->setMaximumWidth(stacked ? QWIDGETSIZE_MAX : scaled(kFormWidth));
        formArea->setMinimumHeight(stacked ? m_form->sizeHint().height() : 0);
        answerArea->setMinimumHeight(stacked ? scaled(kAnswerHeight) : 0);
    });

    m_detailCard = new Card(tr("The machine"), networks);
    m_detailCard->setObjectName(QStringLiteral("adviceDetailCard"));
    m_detailCard->setFixedWidth(std::min(scaled(300), 480));
    auto* close = new QToolButton(m_detailCard);
    close->setObjectName(QStringLiteral("adviceDetailClose"));
    close->setIcon(icon(QStringLiteral("close"), IconColour::Muted));
    close->setToolTip(tr("Close the details"));
    close->setAccessibleName(close->toolTip());
    m_detailCard->headingRow()->addWidget(close, 0, Qt::AlignTop);
    auto* detailArea = makeScrollArea(m_detailCard);
    m_details = new DetailList(detailArea->viewport());
    setContent(detailArea, m_details);
    m_detailCard->body()->addWidget(detailArea, 1);
    m_detailCard->hide();
    connect(close, &QToolButton::clicked, m_detailCard, &QWidget::hide);
    row->addWidget(m_detailCard);
}

void AdvicePage::connectController() {
    auto& advice = m_context.advice;
    connect(&m_context.networks, &NetworkController::added, this, [this](const QString& id) { m_addedNetwork = id; });
    connect(&advice, &AdviceController::optionsReady, this, [this] {
        fillForm();
        if (const auto added = std::exchange(m_addedNetwork, {}); !added.isEmpty()) {
            m_parts->setCurrentIndex(0);
            m_form->chooseWorkload(added.toStdString());
            showMode();
        }
        ask();
    });
    connect(&advice, &AdviceController::answered, this, &AdvicePage::showAnswer);
    connect(&advice, &AdviceController::refused, this, &AdvicePage::showRefusal);
    connect(&advice, &AdviceController::pricesChanged, this, &AdvicePage::ask);
    connect(&advice, &AdviceController::pricesImported, this, [this](const ImportedPrices& prices) {
        emit noticePosted(Tone::Good, tr("%n price(s) imported", nullptr, static_cast<int>(prices.offers)) +
                                          QLatin1Char(' ') +
                                          tr("(%n row(s) left out)", nullptr, static_cast<int>(prices.rejected)));
    });
    connect(&m_context.machine, &MachineController::profileReady, this, &AdvicePage::askSoon);
    connect(&m_context.history, &HistoryController::runsChanged, this, &AdvicePage::askSoon);
    if (advice.options().workloads.empty()) {
        advice.load();
    } else {
        fillForm();
        askSoon();
    }
}

// The first time as saved; later, after importing prices, the content is kept.
void AdvicePage::fillForm() {
    m_form->setOptions(m_context.advice.options());
    if (m_loaded) return;
    m_loaded = true;
    const auto question = adviceQuestionFrom(m_context.preferences.adviceQuestion());
    if (m_context.advice.options().find(question.workload)) m_form->setQuestion(question);
    showMode();
    const auto task = m_context.preferences.adviceTask();
    for (int tab = 0; tab < m_tasks->count(); ++tab)
        if (m_tasks->tabData(tab).toString() == task) m_tasks->setCurrentIndex(tab);
}

QWidget* AdvicePage::makeAnswer(QWidget* parent) {
    auto* body = new QWidget(parent);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    auto* hero = new Card({}, body);
    m_verdict = makeLabel(tr("Loading offers…"), role::kVerdict, hero);
    m_verdict->setObjectName(QStringLiteral("adviceVerdict"));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_priceCaution = makeLabel({}, role::kCaution, hero);
    m_priceCaution->setObjectName(QStringLiteral("advicePriceCaution"));
    m_sensitivity = makeLabel({}, {}, hero);
    m_sensitivity->setObjectName(QStringLiteral("adviceSensitivity"));
    m_footing = makeLabel({}, role::kSmall, hero);
    m_footing->setObjectName(QStringLiteral("adviceFooting"));
    m_refusal = makeLabel({}, role::kCaution, hero);
    m_refusal->setObjectName(QStringLiteral("adviceRefusal"));
    m_refusal->hide();
    for (auto* label : {m_verdict, m_priceCaution, m_sensitivity, m_footing, m_refusal}) hero->body()->addWidget(label);
    layout->addWidget(hero);
    m_tabs = new QTabBar(body);
    m_tabs->setObjectName(QStringLiteral("adviceTabs"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Result views"));
    for (const auto& name : {tr("Choices"), tr("Ranking"), tr("Relative"), tr("Buy or rent"), tr("Prices")})
        m_tabs->addTab(name);
    layout->addWidget(m_tabs);
    m_views = new QStackedWidget(body);
    m_views->setMinimumHeight(scaled(360));
    const auto chartCard = [this](ChartView*& chart, const char* name) {
        auto* card = new Card({}, m_views);
        card->body()->setContentsMargins(2, 2, 2, 2);
        chart = makeChart(card, name);
        card->body()->addWidget(chart, 1);
        return card;
    };
    auto* choices = new QWidget(m_views);
    auto* choicesLayout = new QVBoxLayout(choices);
    choicesLayout->setContentsMargins(0, 0, 0, 0);
    choicesLayout->setSpacing(spacing::kGap);
    choicesLayout->addWidget(makeChoices(choices));
    choicesLayout->addWidget(chartCard(m_scatter, "adviceScatter"), 1);
    m_scatter->setMinimumHeight(scaled(330));
    m_views->addWidget(choices);
    m_views->addWidget(makeRanking(m_views));
    auto* relative = new QWidget(m_views);
    auto* relativeLayout = new QVBoxLayout(relative);
    relativeLayout->setContentsMargins(0, 0, 0, 0);
    relativeLayout->setSpacing(spacing::kGap);
    for (const char* name : {"adviceRelativeTime", "adviceRelativeCost"})
        relativeLayout->addWidget(chartCard(m_relative.emplace_back(), name), 1);
    m_views->addWidget(relative);
    m_purchase = new PurchaseView(m_context, m_views);
    connectChart(m_purchase->chart());
    connect(m_purchase, &PurchaseView::electricityPriceChanged, this, &AdvicePage::askSoon);
    m_views->addWidget(m_purchase);
    layout->addWidget(m_views, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &AdvicePage::showView);
    return body;
}

QWidget* AdvicePage::makeChoices(QWidget* parent) {
    auto* widget = new AdaptiveRow(parent, spacing::kGap);
    for (int index = 0; index < 3; ++index) {
        m_choices.push_back(new ChoiceView(widget));
        m_choices.back()->setObjectName(QStringLiteral("adviceChoice%1").arg(index));
        m_choices.back()->hide();
        widget->addWidget(m_choices.back(), 1, 150);
    }
    return widget;
}

ChartView* AdvicePage::makeChart(QWidget* parent, const char* name) {
    auto* chart = new ChartView(parent);
    chart->setObjectName(QLatin1String(name));
    connectChart(chart);
    return chart;
}

void AdvicePage::connectChart(ChartView* chart) {
    connect(chart, &ChartView::pointActivated, this, &AdvicePage::showDetails);
    connect(chart, &ChartView::exportRequested, this,
            [this, chart](ExportFormat format) { exportSpec(chart, format); });
}

// When first shown: changing the language recreates the pages, which must be fast.
void AdvicePage::makePrices() {
    if (m_prices) return;
    m_prices = new PriceView(m_context, m_views);
    connect(m_prices, &PriceView::priceSet, this,
            [this](const QString& machine) { emit noticePosted(Tone::Neutral, tr("Price of %1 set").arg(machine)); });
    m_views->addWidget(m_prices);
}

void AdvicePage::importPrices(const QString& file) {
    m_parts->setCurrentIndex(0);
    showMode();
    makePrices();
    m_tabs->setCurrentIndex(Prices);
    m_prices->importPrices(file);
}

QWidget* AdvicePage::makeRanking(QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kSmall);
    m_onlyPossible = new QCheckBox(tr("Hide offers outside my limits"), widget);
    m_onlyPossible->setObjectName(QStringLiteral("adviceOnlyPossible"));
    m_onlyPossible->setChecked(true);
    m_rows = new RowsModel(this);
    m_sorted = new RowsProxy(this);
    m_sorted->setSourceModel(m_rows);
    m_table = makeTable(m_sorted, tr("All offers, best first"), widget);
    m_table->setObjectName(QStringLiteral("adviceTable"));
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    freezeFirstColumn(m_table);
    auto* narrowing = new QHBoxLayout;
    narrowing->setSpacing(spacing::kGap);
    auto* search = searchField(tr("Search machines, devices and reasons"), m_sorted, widget);
    search->setObjectName(QStringLiteral("adviceSearch"));
    narrowing->addWidget(search, 1);
    narrowing->addWidget(m_onlyPossible);
    layout->addLayout(narrowing);
    layout->addWidget(m_table, 1);
    connect(m_onlyPossible, &QCheckBox::toggled, this, &AdvicePage::showView);
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& index) { showDetails(index.data(RowsModel::KeyRole).toString()); });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { showDetails(index.data(RowsModel::KeyRole).toString()); });
    return widget;
}

void AdvicePage::askSoon() {
    m_delay.start();
}

void AdvicePage::ask() {
    if (!m_loaded) return;
    const auto question = m_form->question();
    m_context.preferences.saveAdviceQuestion(toMap(question));
    const auto preferences = m_context.preferences.load();
    m_context.advice.ask(question, {m_context.machine.profile(), m_context.databaseFile().toStdString(),
                                    preferences.usdPerKwh, preferences.oldPriceDays});
}

void AdvicePage::entered() {
    if (m_language && m_parts->currentWidget() == m_language) m_language->entered();
    m_purchase->setElectricityPrice(m_context.preferences.load().usdPerKwh);
    const auto& answer = m_context.advice.answer();
    const bool otherAge = answer && answer->request.oldPriceDays != m_context.preferences.load().oldPriceDays;
    if (m_loaded && (!answer || otherAge)) askSoon();
}

void AdvicePage::askAbout(const AdviceQuestion& job) {
    m_parts->setCurrentIndex(0);
    m_form->setJob(job);
    showMode();
}

void AdvicePage::showAnswer() {
    const auto& answer = *m_context.advice.answer();
    const AdvicePresenter presenter(answer);
    m_measure->setEnabled(true);
    m_refusal->hide();
    m_verdict->show();
    m_verdict->setText(presenter.verdict());
    m_priceCaution->setText(presenter.priceCaution());
    m_priceCaution->setToolTip(presenter.priceSource());
    m_priceCaution->setVisible(!m_priceCaution->text().isEmpty());
    m_sensitivity->setText(presenter.sensitivity());
    m_sensitivity->setToolTip(presenter.weights());
    m_sensitivity->setVisible(!m_sensitivity->text().isEmpty());
    m_footing->setText(presenter.footing());
    m_footing->setToolTip(presenter.priceSource());
    m_footing->show();
    const auto choices = presenter.choices();
    for (std::size_t index = 0; index < m_choices.size(); ++index) {
        m_choices[index]->setVisible(index < choices.size());
        if (index < choices.size()) m_choices[index]->setChoice(choices[index]);
    }
    m_purchase->showAnswer();
    showView();
}

void AdvicePage::showRefusal(const Error& error) {
    m_measure->setEnabled(false);
    m_refusal->setText(ErrorText::full(error));
    m_refusal->show();
    for (auto* label : {m_verdict, m_priceCaution, m_sensitivity, m_footing}) label->hide();
    for (auto* choice : m_choices) choice->hide();
}

void AdvicePage::showView() {
    const int view = m_tabs->currentIndex();
    if (view == Prices) makePrices();
    m_views->setCurrentIndex(view);
    if (!m_context.advice.answer()) return;
    const AdvicePresenter presenter(*m_context.advice.answer());
    switch (view) {
        case Ranking:
            m_rows->setContent(presenter.table(m_onlyPossible->isChecked()));
            m_table->resizeColumnsToContents();
            limitColumns(m_table);
            break;
        case Choices:
            m_scatter->setSpec(presenter.timeAgainstCost());
            break;
        case Relative: {
            const auto charts = presenter.relative();
            for (std::size_t i = 0; i < m_relative.size(); ++i) m_relative[i]->setSpec(charts[i]);
            break;
        }
        case BuyOrRent:
            break;  // shown with the answer
        default:
            m_prices->showAnswer();
            break;
    }
}

void AdvicePage::showDetails(const QString& candidate) {
    if (!m_context.advice.answer()) return;
    const auto details = AdvicePresenter(*m_context.advice.answer()).details(candidate.toStdString());
    if (details.empty()) return;
    m_details->setDetails(details);
    m_detailCard->show();
}

ChartView* AdvicePage::frontChart() const {
    switch (m_tabs->currentIndex()) {
        case Relative:
            return m_relative.front();
        case BuyOrRent:
            return m_purchase->chart();
        default:
            return m_scatter;
    }
}

void AdvicePage::exportSpec(const ChartView* chart, ExportFormat format) {
    exportChartAsking(this, m_context.dialogs, chart->spec(), format,
                      [this](const QString& file) { postExported(file); });
}

bool AdvicePage::exportContent() {
    if (m_parts->currentIndex() != 0) return m_language->exportContent();
    if (!m_context.advice.answer()) return false;
    if (m_tabs->currentIndex() == Ranking || m_tabs->currentIndex() == Prices)
        m_scatter->setSpec(AdvicePresenter(*m_context.advice.answer()).timeAgainstCost());
    exportSpec(frontChart(), ExportFormat::Png);
    return true;
}

QString AdvicePage::helpText() const {
    return tr(
        "Choose the kind of job above, then describe it, your priorities and your limits; the answer follows every "
        "change. "
        "Times are estimated from published measurements and, where there are any, from your own; the ranges hold in "
        "80 % "
        "of cases. Cost is price times billed time. No machine is left out: the ranking says why each one lost. A "
        "dashed "
        "line in the chart joins the best trade-offs, which no machine beats on both time and price. On the Prices "
        "page "
        "you can enter a price of your own or import a price list.");
}

}  // namespace steelyard::ui

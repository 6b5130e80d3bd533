// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "engine/core/version.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/presenters/history/history_presenter.h"
#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"
#include "ui/text/error_text.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/money_box.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

QFormLayout* addForm(Card* card) {
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(spacing::kPage);
    form->setVerticalSpacing(spacing::kSmall);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->setRowWrapPolicy(textScale() > 1.3 ? QFormLayout::WrapLongRows : QFormLayout::DontWrapRows);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    card->body()->addLayout(form);
    return form;
}

void addRow(QFormLayout* form, const QString& text, QWidget* field) {
    auto* label = makeLabel(text, role::kMuted, field->parentWidget(), false);
    label->setBuddy(field);
    label->setMinimumWidth(scaled(150));
    if (field->accessibleName().isEmpty()) field->setAccessibleName(text);
    form->addRow(label, field);
}

}  // namespace

SettingsPage::SettingsPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Settings"), parent), m_context(context) {
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    for (auto* card :
         {makeLookCard(), makeProtocolCard(), makeCostCard(), makeDataCard(), makePrivacyCard(), makeAboutCard()}) {
        layout->addWidget(card);
    }
    layout->addStretch(1);
    body->setMaximumWidth(scaled(760));  // of the whole body, so that its height is computed for this width
    addScrolled(body)->setAlignment(Qt::AlignHCenter);
    auto* reset = makeButton(tr("Reset to defaults"), QStringLiteral("reset"), "", this);
    reset->setObjectName(QStringLiteral("resetButton"));
    actions()->addWidget(reset);
    connect(reset, &QPushButton::clicked, this, &SettingsPage::resetAll);
    showPreferences(m_context.preferences.load());
}

template <typename Change>
void SettingsPage::change(Change apply) {
    auto preferences = m_context.preferences.load();
    apply(preferences);
    m_context.preferences.save(preferences);
}

Card* SettingsPage::makeLookCard() {
    auto* card = new Card(tr("Appearance"), this);
    auto* form = addForm(card);
    m_language = new ElidedComboBox(card);
    m_language->setObjectName(QStringLiteral("languageBox"));
    m_language->addItem(tr("System default"), QString());
    for (const auto& language : languages()) m_language->addItem(language.name, language.code);
    m_theme = new ElidedComboBox(card);
    m_theme->setObjectName(QStringLiteral("themeBox"));
    m_theme->addItem(tr("System default"), static_cast<int>(ThemeChoice::System));
    m_theme->addItem(tr("Light"), static_cast<int>(ThemeChoice::Light));
    m_theme->addItem(tr("Dark"), static_cast<int>(ThemeChoice::Dark));
    addRow(form, tr("Language"), m_language);
    addRow(form, tr("Theme"), m_theme);
    m_textSize = new ElidedComboBox(card);
    m_textSize->setObjectName(QStringLiteral("textSizeBox"));
    m_textSize->addItem(tr("System default"), 0);
    for (const int percent : {100, 125, 150, 175, 200}) m_textSize->addItem(Format::percent(percent / 100.0), percent);
    addRow(form, tr("Text size"), m_textSize);
    connect(m_textSize, &QComboBox::activated, this, [this] {
        const int percent = m_textSize->currentData().toInt();
        change([&](Preferences& preferences) { preferences.textPercent = percent; });
        m_context.theme.setTextScale(textScaleOf(m_context.preferences.load()));
        emit textScaleChosen();
    });
    connect(m_language, &QComboBox::activated, this, [this] {
        const auto code = m_language->currentData().toString();
        change([&](Preferences& preferences) { preferences.language = code; });
        emit languageChosen(code);
    });
    connect(m_theme, &QComboBox::activated, this, [this] {
        const auto theme = static_cast<ThemeChoice>(m_theme->currentData().toInt());
        change([&](Preferences& preferences) { preferences.theme = theme; });
        m_context.theme.apply(theme);
    });
    return card;
}

Card* SettingsPage::makeProtocolCard() {
    auto* card = new Card(tr("Measuring"), this);
    auto* form = addForm(card);
    m_precise = new QCheckBox(tr("Precision target: ±1 % (default ±2 %)"), card);
    m_precise->setObjectName(QStringLiteral("preciseBox"));
    m_timeCap = new QDoubleSpinBox(card);
    m_timeCap->setRange(0, 3600);
    m_timeCap->setDecimals(1);
    m_timeCap->setSuffix(tr(" s"));
    m_timeCap->setSpecialValueText(tr("default"));
    m_timeCap->setMinimumWidth(scaled(160));
    m_threadPolicy = new ElidedComboBox(card);
    m_threadPolicy->setObjectName(QStringLiteral("threadPolicyBox"));
    const QString policies[] = {tr("all usable cores"), tr("half of the usable cores"), tr("one")};
    for (int index = 0; index < 3; ++index) m_threadPolicy->addItem(policies[index], threadPolicies()[index]);
    m_threadPolicy->setToolTip(tr("Of a case on the CPU, where the Benchmark page names no number"));
    addRow(form, tr("Threads"), m_threadPolicy);
    connect(m_threadPolicy, &QComboBox::activated, this, [this] {
        change([&](Preferences& preferences) { preferences.threadPolicy = m_threadPolicy->currentData().toString(); });
    });
    addRow(form, tr("Precision"), m_precise);
    addRow(form, tr("Time cap for a case"), m_timeCap);
    connect(m_precise, &QCheckBox::toggled, this,
            [this](bool on) { change([&](Preferences& preferences) { preferences.precise = on; }); });
    connect(m_timeCap, &QDoubleSpinBox::valueChanged, this, [this](double seconds) {
        change([&](Preferences& preferences) { preferences.timeCapSeconds = seconds; });
    });
    return card;
}

Card* SettingsPage::makeCostCard() {
    auto* card = new Card(tr("Costs"), this);
    auto* form = addForm(card);
    addCurrency(card, form);
    m_usdPerKwh = new QDoubleSpinBox(card);
    m_usdPerKwh->setObjectName(QStringLiteral("usdPerKwhBox"));
    makeMoneyBox(*m_usdPerKwh, 10, 3);
    m_usdPerKwh->setSingleStep(0.01);
    m_usdPerKwh->setMinimumWidth(scaled(160));
    addRow(form, tr("Electricity price per kWh"), m_usdPerKwh);
    m_oldPriceDays = new QSpinBox(card);
    m_oldPriceDays->setObjectName(QStringLiteral("oldPriceBox"));
    m_oldPriceDays->setRange(1, 3650);
    m_oldPriceDays->setSuffix(tr(" days"));
    m_oldPriceDays->setMinimumWidth(scaled(160));
    addRow(form, tr("Mark prices older than"), m_oldPriceDays);
    connect(m_oldPriceDays, &QSpinBox::valueChanged, this,
            [this](int days) { change([&](Preferences& preferences) { preferences.oldPriceDays = days; }); });
    connect(m_usdPerKwh, &QDoubleSpinBox::valueChanged, this,
            [this] { change([&](Preferences& preferences) { preferences.usdPerKwh = usdOf(*m_usdPerKwh); }); });
    return card;
}

void SettingsPage::addCurrency(Card* card, QFormLayout* form) {
    m_currency = new ElidedComboBox(card);
    m_currency->setObjectName(QStringLiteral("currencyBox"));
    const std::pair<Currency, QString> names[] = {{Currency::UsDollar, tr("US dollar")},
                                                  {Currency::Euro, tr("Euro")},
                                                  {Currency::Yuan, tr("Chinese yuan")},
                                                  {Currency::TaiwanDollar, tr("New Taiwan dollar")},
                                                  {Currency::Pound, tr("Pound sterling")}};
    for (const auto& [currency, name] : names)
        m_currency->addItem(QStringLiteral("%1 (%2)").arg(name, plain(toString(currency))), plain(toString(currency)));
    addRow(form, tr("Currency"), m_currency);
    m_rate = new QDoubleSpinBox(card);
    m_rate->setObjectName(QStringLiteral("exchangeRateBox"));
    m_rate->setDecimals(4);
    m_rate->setRange(0, kLargestRate);
    m_rate->setKeyboardTracking(false);
    m_rate->setSpecialValueText(tr("enter a rate"));
    m_rate->setMinimumWidth(scaled(160));
    addRow(form, tr("1 US dollar ="), m_rate);
    m_rateSource = new QLineEdit(card);
    m_rateSource->setObjectName(QStringLiteral("exchangeRateSource"));
    m_rateSource->setPlaceholderText(tr("Where is it from?"));
    addRow(form, tr("Source of the rate"), m_rateSource);
    m_costForm = form;
    m_rateNote = makeLabel({}, role::kMuted, card);
    m_rateNote->setObjectName(QStringLiteral("exchangeRateNote"));
    card->body()->addWidget(m_rateNote);
    connect(m_currency, &QComboBox::activated, this, &SettingsPage::chooseCurrency);
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, &SettingsPage::enterRate);
    connect(m_rateSource, &QLineEdit::editingFinished, this, &SettingsPage::enterRate);
    if (auto settings = catalog::loadCurrencySettings(m_context.currencyFile))
        m_currencySettings = std::move(*settings);
    showCurrency();
}

void SettingsPage::showCurrency() {
    const QSignalBlocker rateBlocker(m_rate);
    const auto& settings = m_currencySettings;
    m_currency->setCurrentIndex(std::max(0, m_currency->findData(plain(toString(settings.shown)))));
    const bool converts = settings.shown != Currency::UsDollar;
    m_costForm->setRowVisible(m_rate, converts);
    m_costForm->setRowVisible(m_rateSource, converts);
    m_rateNote->setVisible(converts);
    if (!converts) return;
    const auto rate = settings.rateOf(settings.shown);
    m_rate->setSuffix(QStringLiteral(" %1").arg(plain(toString(settings.shown))));
    m_rate->setValue(rate ? rate->perUsd : 0);
    m_rateSource->setText(rate ? plain(rate->source) : QString());
    m_rateNote->setText(
        rate ? tr("Rate of %1. Prices are collected in US dollars and converted; this program does not go online, so "
                  "enter a current rate from time to time.")
                   .arg(Format::isoDate(rate->date))
             : tr("Enter an exchange rate: this program does not go online. Until then amounts are in US dollars."));
}

void SettingsPage::chooseCurrency() {
    const auto code = m_currency->currentData().toString().toStdString();
    m_currencySettings.shown = currencyFromString(code).value_or(Currency::UsDollar);
    showCurrency();
    saveCurrency();
}

void SettingsPage::enterRate() {
    const auto old = m_currencySettings.rateOf(m_currencySettings.shown);
    const auto source = m_rateSource->text().trimmed();
    ExchangeRate rate{m_currencySettings.shown, m_rate->value(),
                      QDate::currentDate().toString(Qt::ISODate).toStdString(),
                      source.isEmpty() ? tr("entered by you").toStdString() : source.toStdString()};
    if (old && old->perUsd == rate.perUsd && old->source == rate.source) return;
    if (!m_currencySettings.setRate(rate)) return;  // not entered yet
    showCurrency();
    saveCurrency();
}

void SettingsPage::saveCurrency() {
    const auto stored = catalog::saveCurrencySettings(m_currencySettings, m_context.currencyFile);
    if (!stored && !m_context.currencyFile.empty()) emit noticePosted(Tone::Bad, ErrorText::full(stored.error()));
    if (Format::currency() == m_currencySettings.shownRate()) return;
    Format::setCurrency(m_currencySettings.shownRate());
    emit currencyChosen();
}

Card* SettingsPage::makeDataCard() {
    auto* card = new Card(tr("Files"), this);
    addDataFolder(card);
    card->body()->addWidget(
        makeLabel(tr("All runs are kept in one file. Choose another file to keep runs separate or on a shared drive."),
                  role::kMuted, card));
    m_database = new ElidedLabel({}, card);
    m_database->setObjectName(QStringLiteral("databaseLabel"));
    card->body()->addWidget(m_database);
    m_extent = makeLabel({}, role::kMuted, card);
    m_extent->setObjectName(QStringLiteral("extentLabel"));
    card->body()->addWidget(m_extent);
    auto* row = new QWidget(card);
    auto* buttons = new FlowLayout(row, spacing::kSmall);
    auto* choose = makeButton(tr("Choose…"), QStringLiteral("folder"), "", card);
    choose->setObjectName(QStringLiteral("chooseDatabaseButton"));
    auto* standard = makeButton(tr("Use the default file"), {}, role::kQuiet, card);
    buttons->addWidget(choose);
    buttons->addWidget(standard);
    addCompact(card, buttons);
    card->body()->addWidget(row);
    connect(choose, &QPushButton::clicked, this, &SettingsPage::chooseDatabase);
    connect(standard, &QPushButton::clicked, this, [this] {
        change([](Preferences& preferences) { preferences.databaseFile.clear(); });
        showPreferences(m_context.preferences.load());
        emit databaseChanged();
    });
    return card;
}

void SettingsPage::addCompact(Card* card, QLayout* buttons) {
    m_compact = makeButton(tr("Compact file"), {}, role::kQuiet, card);
    m_compact->setObjectName(QStringLiteral("compactButton"));
    buttons->addWidget(m_compact);
    auto& history = m_context.history;
    connect(m_compact, &QPushButton::clicked, this, [this, &history] {
        m_compacting = true;
        showExtent();
        // Replaces the offer to restore deleted runs.
        emit noticePosted(Tone::Neutral, tr("Compacting…"));
        history.compact();
    });
    const auto end = [this](Tone tone, const QString& text) {
        if (!std::exchange(m_compacting, false)) return;
        showExtent();
        emit noticePosted(tone, text);
    };
    connect(&history, &HistoryController::compacted, this,
            [end](const history::Compaction& compaction) { end(Tone::Good, HistoryPresenter::compacted(compaction)); });
    connect(&history, &HistoryController::failed, this,
            [end] { end(Tone::Caution, tr("The file was not compacted.")); });
    connect(&history, &HistoryController::runsChanged, this, &SettingsPage::showExtent);
    connect(&m_context.run, &RunController::runningChanged, this, &SettingsPage::showExtent);
    showExtent();
}

void SettingsPage::showExtent() {
    const auto& history = m_context.history;
    const auto obstacle = HistoryPresenter::notCompactable(m_context.run.isRunning(), history.runs());
    m_extent->setVisible(history.isLoaded());
    const auto extent = HistoryPresenter::extent(history.runs().size(), history.bytes());
    m_extent->setText(obstacle.isEmpty() ? extent : QStringLiteral("%1 · %2").arg(extent, obstacle));
    m_compact->setEnabled(history.isLoaded() && obstacle.isEmpty() && !m_compacting);
    m_compact->setToolTip(
        obstacle.isEmpty() ? tr("Shrinks the file to its content; deleted runs can no longer be restored.") : obstacle);
}

void SettingsPage::entered() {
    m_context.history.refresh();  // another program may have written to the file
}

Card* SettingsPage::makePrivacyCard() {
    auto* card = new Card({}, this);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kGap);
    row->addWidget(new IconLabel(QStringLiteral("lock"), IconColour::Good, 22, card), 0, Qt::AlignTop);
    row->addWidget(makeLabel(tr("Your results stay on this computer. The program opens no network connection; you "
                                "decide who sees them."),
                             "", card),
                   1);
    card->body()->addLayout(row);
    return card;
}

Card* SettingsPage::makeAboutCard() {
    auto* card = new Card(tr("About"), this);
    const auto version = programVersion();
    const auto text = tr("Steelyard %1, Apache License 2.0")
                          .arg(QString::fromUtf8(version.data(), static_cast<qsizetype>(version.size()))) +
                      QLatin1Char('\n') +
                      tr("With Qt %1 (LGPL 3), oneDNN, OpenBLAS, hwloc and SQLite, each under its own licence.")
                          .arg(QLatin1String(qVersion()));
    auto* label = makeLabel(text, "", card);
    label->setObjectName(QStringLiteral("aboutLabel"));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    card->body()->addWidget(label);
    return card;
}

void SettingsPage::addDataFolder(Card* card) {
    card->body()->addWidget(
        makeLabel(tr("Data sets for runs with real data: a folder with the files of MNIST, CIFAR-10 and others."),
                  role::kMuted, card));
    m_dataFolder = new ElidedLabel({}, card);
    m_dataFolder->setObjectName(QStringLiteral("dataFolderLabel"));
    card->body()->addWidget(m_dataFolder);
    auto* row = new QWidget(card);
    auto* buttons = new FlowLayout(row, spacing::kSmall);
    auto* choose = makeButton(tr("Choose folder…"), QStringLiteral("folder"), "", row);
    choose->setObjectName(QStringLiteral("chooseDataButton"));
    auto* none = makeButton(tr("Use synthetic data"), {}, role::kQuiet, row);
    none->setObjectName(QStringLiteral("noDataButton"));
    buttons->addWidget(choose);
    buttons->addWidget(none);
    card->body()->addWidget(row);
    const auto set = [this](const QString& folder) {
        change([&](Preferences& preferences) { preferences.dataFolder = folder; });
        showPreferences(m_context.preferences.load());
    };
    connect(choose, &QPushButton::clicked, this, [this, set] {
        const auto folder = m_context.dialogs.chooseFolder(this, tr("Folder with the data sets"));
        if (!folder.isEmpty()) set(folder);
    });
    connect(none, &QPushButton::clicked, this, [set] { set({}); });
}

void SettingsPage::showPreferences(const Preferences& preferences) {
    const QSignalBlocker precise(m_precise);
    const QSignalBlocker cap(m_timeCap);
    const QSignalBlocker electricity(m_usdPerKwh);
    const QSignalBlocker age(m_oldPriceDays);
    setUsd(*m_usdPerKwh, preferences.usdPerKwh);
    m_oldPriceDays->setValue(preferences.oldPriceDays);
    m_threadPolicy->setCurrentIndex(std::max(0, m_threadPolicy->findData(preferences.threadPolicy)));
    m_dataFolder->setFullText(preferences.dataFolder.isEmpty() ? tr("none: synthetic data") : preferences.dataFolder);
    m_language->setCurrentIndex(std::max(0, m_language->findData(preferences.language)));
    m_theme->setCurrentIndex(std::max(0, m_theme->findData(static_cast<int>(preferences.theme))));
    m_textSize->setCurrentIndex(std::max(0, m_textSize->findData(preferences.textPercent)));
    m_precise->setChecked(preferences.precise);
    m_timeCap->setValue(preferences.timeCapSeconds);
    m_database->setFullText(m_context.databaseFile());
}

void SettingsPage::chooseDatabase() {
    const auto file = m_context.dialogs.chooseFile(this, tr("File for the results"), QStringLiteral("history.sqlite"),
                                                   tr("Databases (*.sqlite)"));
    if (file.isEmpty()) return;
    change([&](Preferences& preferences) { preferences.databaseFile = file; });
    showPreferences(m_context.preferences.load());
    emit databaseChanged();
}

void SettingsPage::resetAll() {
    const Question question{tr("Reset settings"),
                            tr("Set everything on this page back to its default?"),
                            tr("Stored runs are not touched."),
                            tr("Reset"),
                            tr("Keep"),
                            false};
    if (!m_context.dialogs.confirm(this, question)) return;
    const auto database = m_context.databaseFile();
    m_context.preferences.reset();
    const auto preferences = m_context.preferences.load();
    m_context.theme.setTextScale(textScaleOf(preferences));
    m_context.theme.apply(preferences.theme);
    m_currencySettings.shown = Currency::UsDollar;  // the rates stay
    saveCurrency();
    showCurrency();
    showPreferences(preferences);
    if (database != m_context.databaseFile()) emit databaseChanged();
    emit languageChosen(preferences.language);
}

QString SettingsPage::helpText() const {
    return tr("Every change takes effect at once and is remembered. The measuring options are those of the next run.");
}

}  // namespace steelyard::ui

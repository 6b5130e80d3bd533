// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

QFormLayout* addForm(Card* card) {
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(spacing::kPage);
    form->setVerticalSpacing(spacing::kSmall);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    card->body()->addLayout(form);
    return form;
}

void addRow(QFormLayout* form, const QString& text, QWidget* field) {
    auto* label = makeLabel(text, role::kMuted, field->parentWidget(), false);
    label->setBuddy(field);
    label->setMinimumWidth(150);
    if (field->accessibleName().isEmpty()) field->setAccessibleName(text);
    form->addRow(label, field);
}

}  // namespace

SettingsPage::SettingsPage(WindowContext& context, QWidget* parent) : Page(tr("Settings"), parent), m_context(context) {
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::kGap);
    for (auto* card : {makeLookCard(), makeProtocolCard(), makeCostCard(), makeDataCard(), makePrivacyCard()}) {
        card->setMaximumWidth(760);
        layout->addWidget(card);
    }
    layout->addStretch(1);
    addScrolled(body);
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
    auto* card = new Card(tr("Look"), this);
    auto* form = addForm(card);
    m_language = new QComboBox(card);
    m_language->setObjectName(QStringLiteral("languageBox"));
    m_language->addItem(tr("As the system"), QString());
    for (const auto& language : languages()) m_language->addItem(language.name, language.code);
    m_theme = new QComboBox(card);
    m_theme->setObjectName(QStringLiteral("themeBox"));
    m_theme->addItem(tr("As the system"), static_cast<int>(ThemeChoice::System));
    m_theme->addItem(tr("Light"), static_cast<int>(ThemeChoice::Light));
    m_theme->addItem(tr("Dark"), static_cast<int>(ThemeChoice::Dark));
    addRow(form, tr("Language"), m_language);
    addRow(form, tr("Theme"), m_theme);
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
    m_precise = new QCheckBox(tr("Sample until the 95 % interval is within 1 % instead of 2 %"), card);
    m_precise->setObjectName(QStringLiteral("preciseBox"));
    m_timeCap = new QDoubleSpinBox(card);
    m_timeCap->setRange(0, 3600);
    m_timeCap->setDecimals(1);
    m_timeCap->setSuffix(tr(" s"));
    m_timeCap->setSpecialValueText(tr("the suite's own"));
    m_timeCap->setMinimumWidth(160);
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
    m_usdPerKwh = new QDoubleSpinBox(card);
    m_usdPerKwh->setObjectName(QStringLiteral("usdPerKwhBox"));
    m_usdPerKwh->setRange(0, 10);
    m_usdPerKwh->setDecimals(3);
    m_usdPerKwh->setSingleStep(0.01);
    m_usdPerKwh->setPrefix(QStringLiteral("$"));
    m_usdPerKwh->setMinimumWidth(160);
    addRow(form, tr("Electricity, a kWh"), m_usdPerKwh);
    connect(m_usdPerKwh, &QDoubleSpinBox::valueChanged, this,
            [this](double usd) { change([&](Preferences& preferences) { preferences.usdPerKwh = usd; }); });
    return card;
}

Card* SettingsPage::makeDataCard() {
    auto* card = new Card(tr("Results"), this);
    card->body()->addWidget(
        makeLabel(tr("All runs are kept in one file. Choose another to keep runs apart, or to share a disk."),
                  role::kMuted, card));
    m_database = new ElidedLabel({}, card);
    m_database->setObjectName(QStringLiteral("databaseLabel"));
    card->body()->addWidget(m_database);
    auto* row = new QHBoxLayout;
    auto* choose = makeButton(tr("Choose…"), QStringLiteral("folder"), "", card);
    choose->setObjectName(QStringLiteral("chooseDatabaseButton"));
    auto* standard = makeButton(tr("Use the default file"), {}, role::kQuiet, card);
    row->addWidget(choose);
    row->addWidget(standard);
    row->addStretch(1);
    card->body()->addLayout(row);
    connect(choose, &QPushButton::clicked, this, &SettingsPage::chooseDatabase);
    connect(standard, &QPushButton::clicked, this, [this] {
        change([](Preferences& preferences) { preferences.databaseFile.clear(); });
        showPreferences(m_context.preferences.load());
        emit databaseChanged();
    });
    return card;
}

Card* SettingsPage::makePrivacyCard() {
    auto* card = new Card({}, this);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kGap);
    row->addWidget(new IconLabel(QStringLiteral("lock"), IconColour::Good, 22, card), 0, Qt::AlignTop);
    row->addWidget(
        makeLabel(
            tr("Nothing leaves this computer. The program opens no network connection; results are files of yours, and "
               "you decide whom to give them."),
            "", card),
        1);
    card->body()->addLayout(row);
    return card;
}

void SettingsPage::showPreferences(const Preferences& preferences) {
    const QSignalBlocker precise(m_precise);
    const QSignalBlocker cap(m_timeCap);
    const QSignalBlocker electricity(m_usdPerKwh);
    m_usdPerKwh->setValue(preferences.usdPerKwh);
    m_language->setCurrentIndex(std::max(0, m_language->findData(preferences.language)));
    m_theme->setCurrentIndex(std::max(0, m_theme->findData(static_cast<int>(preferences.theme))));
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
    m_context.theme.apply(preferences.theme);
    showPreferences(preferences);
    if (database != m_context.databaseFile()) emit databaseChanged();
    emit languageChosen(preferences.language);
}

QString SettingsPage::helpText() const {
    return tr("Every change takes effect at once and is remembered. The measuring options are those of the next run.");
}

}  // namespace steelyard::ui

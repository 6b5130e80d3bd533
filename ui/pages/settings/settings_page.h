// SPDX-License-Identifier: Apache-2.0
// Settings: language and theme (applied at once), protocol, location of the results, and privacy. GUI thread; owned by
// the main window. Changes are saved immediately.
#pragma once

#include "engine/catalog/currency_settings.h"
#include "ui/pages/page.h"
#include "ui/pages/window_context.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace steelyard::ui {

class Card;
class ElidedLabel;
struct Preferences;

class SettingsPage : public Page {
    Q_OBJECT

public:
    explicit SettingsPage(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QString helpText() const override;
    void entered() override;

signals:
    void languageChosen(const QString& code);
    void databaseChanged();
    // Sizes are set when widgets are created: the window rebuilds its pages.
    void textScaleChosen();
    // Format::currency() has changed: the window rebuilds its pages.
    void currencyChosen();

private:
    [[nodiscard]] Card* makeLookCard();
    [[nodiscard]] Card* makeProtocolCard();
    [[nodiscard]] Card* makeCostCard();
    [[nodiscard]] Card* makeDataCard();
    [[nodiscard]] Card* makePrivacyCard();
    [[nodiscard]] Card* makeAboutCard();
    void showPreferences(const Preferences& preferences);
    template <typename Change>
    void change(Change apply);
    void addDataFolder(Card* card);
    void addCompact(Card* card, QLayout* buttons);
    void showExtent();
    void addCurrency(Card* card, QFormLayout* form);
    void showCurrency();
    void chooseCurrency();
    void enterRate();
    void saveCurrency();
    void chooseDatabase();
    void resetAll();

    WindowContext& m_context;
    QComboBox* m_language = nullptr;
    QComboBox* m_theme = nullptr;
    QComboBox* m_textSize = nullptr;
    QCheckBox* m_precise = nullptr;
    QDoubleSpinBox* m_timeCap = nullptr;
    QDoubleSpinBox* m_usdPerKwh = nullptr;
    ElidedLabel* m_database = nullptr;
    QLabel* m_extent = nullptr;
    QPushButton* m_compact = nullptr;
    bool m_compacting = false;
    ElidedLabel* m_dataFolder = nullptr;
    QComboBox* m_threadPolicy = nullptr;
    QSpinBox* m_oldPriceDays = nullptr;
    QComboBox* m_currency = nullptr;
    QDoubleSpinBox* m_rate = nullptr;
    QFormLayout* m_costForm = nullptr;
    QLineEdit* m_rateSource = nullptr;
    QLabel* m_rateNote = nullptr;
    catalog::CurrencySettings m_currencySettings;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
// The languages of the window and switching at run time: the program's texts, Qt's, and the number and date formats.
// Owned by main(); GUI thread. After use() Qt sends LanguageChange to every widget.
#pragma once

#include <QLocale>
#include <QString>
#include <QTranslator>
#include <vector>

class QApplication;

namespace steelyard::ui {

struct Language {
    QString code;  // "zh_TW"
    QString name;  // in the language itself
};
[[nodiscard]] const std::vector<Language>& languages();

// The best supported language for the system's preferences: all variants of traditional Chinese (Hant, TW, HK, MO) are
// zh_TW, other Chinese ones zh_CN, everything else English.
[[nodiscard]] QString languageFor(const QStringList& wishes);

class LanguageController {
public:
    explicit LanguageController(QApplication& application);
    ~LanguageController();
    // A code of languages(), or empty for the system's. False if the translation is missing.
    bool use(const QString& code);
    [[nodiscard]] const QString& current() const { return m_current; }

private:
    QApplication& m_application;
    QTranslator m_own;
    QTranslator m_qt;
    QString m_current;
};

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/languages.h"

#include <QApplication>
#include <QLibraryInfo>

namespace steelyard::ui {
namespace {

QLocale localeOf(const QString& code) {
    // For English, keep the system's region, for its date format.
    if (code == QLatin1String("en")) {
        const auto system = QLocale::system();
        return system.language() == QLocale::English ? system : QLocale(QLocale::English, QLocale::UnitedStates);
    }
    return QLocale(code);
}

}  // namespace

const std::vector<Language>& languages() {
    static const std::vector<Language> list{{QStringLiteral("en"), QStringLiteral("English")},
                                            {QStringLiteral("zh_CN"), QStringLiteral("简体中文")},
                                            {QStringLiteral("zh_TW"), QStringLiteral("繁體中文")}};
    return list;
}

QString languageFor(const QStringList& wishes) {
    for (const auto& wish : wishes) {
        const auto parts = QString(wish).replace(QLatin1Char('_'), QLatin1Char('-')).split(QLatin1Char('-'));
        if (parts.front() == QLatin1String("en")) return QStringLiteral("en");
        if (parts.front() != QLatin1String("zh")) continue;
        for (const auto* traditional : {"Hant", "TW", "HK", "MO"}) {
            if (parts.contains(QLatin1String(traditional))) return QStringLiteral("zh_TW");
        }
        return QStringLiteral("zh_CN");
    }
    return QStringLiteral("en");
}

LanguageController::LanguageController(QApplication& application) : m_application(application) {}

LanguageController::~LanguageController() {
    m_application.removeTranslator(&m_own);
    m_application.removeTranslator(&m_qt);
}

bool LanguageController::use(const QString& code) {
    const auto wanted = code.isEmpty() ? languageFor(QLocale::system().uiLanguages()) : code;
    m_application.removeTranslator(&m_own);
    m_application.removeTranslator(&m_qt);
    m_current = wanted;
    QLocale::setDefault(localeOf(wanted));
    const bool loaded = m_own.load(QStringLiteral(":/i18n/steelyard_%1.qm").arg(wanted));
    if (m_qt.load(QStringLiteral("qtbase_%1").arg(wanted), QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        m_application.installTranslator(&m_qt);
    }
    if (loaded) m_application.installTranslator(&m_own);
    return loaded;
}

}  // namespace steelyard::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/preferences.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace steelyard::ui {
namespace {

const auto kLanguage = QStringLiteral("look/language");
const auto kTheme = QStringLiteral("look/theme");
const auto kTextPercent = QStringLiteral("look/textPercent");
const auto kPrecise = QStringLiteral("protocol/precise");
const auto kTimeCap = QStringLiteral("protocol/timeCapSeconds");
const auto kThreadPolicy = QStringLiteral("protocol/threadPolicy");
const auto kOldPriceDays = QStringLiteral("advice/oldPriceDays");
const auto kDataFolder = QStringLiteral("data/folder");
const auto kCorrections = QStringLiteral("hardware/corrections");
const auto kDatabase = QStringLiteral("data/database");
const auto kOnlyRunnable = QStringLiteral("benchmark/onlyRunnable");
const auto kShowCounters = QStringLiteral("benchmark/showCounters");
const auto kSuite = QStringLiteral("benchmark/suite");
const auto kWorkloads = QStringLiteral("benchmark/workloads");
const auto kModes = QStringLiteral("benchmark/modes");
const auto kGpus = QStringLiteral("benchmark/gpus");
const auto kScalings = QStringLiteral("benchmark/scalings");
const auto kSpeedUnit = QStringLiteral("results/speedUnit");
const auto kUsdPerKwh = QStringLiteral("advice/usdPerKwh");
const auto kDurationFactor = QStringLiteral("benchmark/durationFactor");
const auto kAdvice = QStringLiteral("advice/question");
const auto kLanguageModels = QStringLiteral("advice/languageModels");
const auto kAdviceTask = QStringLiteral("advice/task");
const auto kGeometry = QStringLiteral("window/geometry");
const auto kPage = QStringLiteral("window/page");
const auto kFolder = QStringLiteral("window/folder");
const auto kArchive = QStringLiteral("campaigns/archive");

QString themeName(ThemeChoice theme) {
    switch (theme) {
        case ThemeChoice::Light:
            return QStringLiteral("light");
        case ThemeChoice::Dark:
            return QStringLiteral("dark");
        case ThemeChoice::System:
            break;
    }
    return QStringLiteral("system");
}

ThemeChoice themeOf(const QString& name) {
    if (name == QLatin1String("light")) return ThemeChoice::Light;
    return name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

}  // namespace

QStringList threadPolicies() {
    return {QStringLiteral("all"), QStringLiteral("half"), QStringLiteral("one")};
}

int threadsOf(const Preferences& preferences, int cores) {
    if (preferences.threadPolicy == QLatin1String("one")) return 1;
    return preferences.threadPolicy == QLatin1String("half") ? std::max(1, cores / 2) : 0;
}

std::optional<double> textScaleOf(const Preferences& preferences) {
    return preferences.textPercent > 0 ? std::optional(preferences.textPercent / 100.0) : std::nullopt;
}

PreferencesStore::PreferencesStore(const QString& file)
    : m_settings(std::make_unique<QSettings>(file, QSettings::IniFormat)) {}

Preferences PreferencesStore::load() const {
    const Preferences defaults;
    Preferences result;
    const auto& s = *m_settings;
    result.language = s.value(kLanguage).toString();
    result.theme = themeOf(s.value(kTheme).toString());
    result.textPercent = s.value(kTextPercent, defaults.textPercent).toInt();
    if (result.textPercent != 0) result.textPercent = std::clamp(result.textPercent, 100, 250);
    result.precise = s.value(kPrecise, defaults.precise).toBool();
    // A file edited by hand must not make the program unusable: values are clamped.
    result.timeCapSeconds = std::clamp(s.value(kTimeCap, defaults.timeCapSeconds).toDouble(), 0.0, 3600.0);
    result.threadPolicy = s.value(kThreadPolicy, defaults.threadPolicy).toString();
    if (!threadPolicies().contains(result.threadPolicy)) result.threadPolicy = defaults.threadPolicy;
    result.oldPriceDays = std::clamp(s.value(kOldPriceDays, defaults.oldPriceDays).toInt(), 1, 3650);
    result.dataFolder = s.value(kDataFolder).toString();
    result.databaseFile = s.value(kDatabase).toString();
    result.onlyRunnable = s.value(kOnlyRunnable, defaults.onlyRunnable).toBool();
    result.showCounters = s.value(kShowCounters, defaults.showCounters).toBool();
    result.suite = s.value(kSuite).toString();
    result.workloads = s.value(kWorkloads).toStringList();
    result.modes = s.value(kModes, defaults.modes).toStringList();
    result.gpus = s.value(kGpus).toStringList();
    result.scalings = s.value(kScalings, defaults.scalings).toStringList();
    result.speedUnit = std::clamp(s.value(kSpeedUnit, defaults.speedUnit).toInt(), 0, 2);
    result.usdPerKwh = std::clamp(s.value(kUsdPerKwh, defaults.usdPerKwh).toDouble(), 0.0, 10.0);
    result.durationFactor = std::clamp(s.value(kDurationFactor, defaults.durationFactor).toDouble(), 0.25, 4.0);
    return result;
}

void PreferencesStore::save(const Preferences& preferences) {
    auto& s = *m_settings;
    s.setValue(kLanguage, preferences.language);
    s.setValue(kTheme, themeName(preferences.theme));
    s.setValue(kTextPercent, preferences.textPercent);
    s.setValue(kPrecise, preferences.precise);
    s.setValue(kTimeCap, preferences.timeCapSeconds);
    s.setValue(kThreadPolicy, preferences.threadPolicy);
    s.setValue(kOldPriceDays, preferences.oldPriceDays);
    s.setValue(kDataFolder, preferences.dataFolder);
    s.setValue(kDatabase, preferences.databaseFile);
    s.setValue(kOnlyRunnable, preferences.onlyRunnable);
    s.setValue(kShowCounters, preferences.showCounters);
    s.setValue(kSuite, preferences.suite);
    s.setValue(kWorkloads, preferences.workloads);
    s.setValue(kModes, preferences.modes);
    s.setValue(kGpus, preferences.gpus);
    s.setValue(kScalings, preferences.scalings);
    s.setValue(kSpeedUnit, preferences.speedUnit);
    s.setValue(kUsdPerKwh, preferences.usdPerKwh);
    s.setValue(kDurationFactor, preferences.durationFactor);
}

void PreferencesStore::reset() {
    save(Preferences());
}

QByteArray PreferencesStore::windowGeometry() const {
    return m_settings->value(kGeometry).toByteArray();
}
void PreferencesStore::saveWindowGeometry(const QByteArray& geometry) {
    m_settings->setValue(kGeometry, geometry);
}
QString PreferencesStore::lastFolder() const {
    return m_settings->value(kFolder).toString();
}
void PreferencesStore::saveLastFolder(const QString& folder) {
    m_settings->setValue(kFolder, folder);
}
QString PreferencesStore::programArchive() const {
    return m_settings->value(kArchive).toString();
}
void PreferencesStore::saveProgramArchive(const QString& file) {
    m_settings->setValue(kArchive, file);
}
QString PreferencesStore::lastPage() const {
    return m_settings->value(kPage).toString();
}
void PreferencesStore::saveLastPage(const QString& page) {
    m_settings->setValue(kPage, page);
}
std::map<std::string, std::string> PreferencesStore::corrections() const {
    std::map<std::string, std::string> result;
    const auto map = QJsonDocument::fromJson(m_settings->value(kCorrections).toString().toUtf8()).object();
    for (auto it = map.begin(); it != map.end(); ++it)
        result[it.key().toStdString()] = it.value().toString().toStdString();
    return result;
}
void PreferencesStore::saveCorrections(const std::map<std::string, std::string>& corrections) {
    QJsonObject map;
    for (const auto& [path, text] : corrections) map[QString::fromStdString(path)] = QString::fromStdString(text);
    m_settings->setValue(kCorrections, QString::fromUtf8(QJsonDocument(map).toJson(QJsonDocument::Compact)));
}
QVariantMap PreferencesStore::mapOf(const QString& key) const {
    const auto text = m_settings->value(key).toString();
    return QJsonDocument::fromJson(text.toUtf8()).object().toVariantMap();
}
void PreferencesStore::saveMap(const QString& key, const QVariantMap& map) {
    const auto text = QJsonDocument(QJsonObject::fromVariantMap(map)).toJson(QJsonDocument::Compact);
    m_settings->setValue(key, QString::fromUtf8(text));
}
QVariantMap PreferencesStore::adviceQuestion() const {
    return mapOf(kAdvice);
}
void PreferencesStore::saveAdviceQuestion(const QVariantMap& question) {
    saveMap(kAdvice, question);
}
QVariantMap PreferencesStore::languageQuestion() const {
    return mapOf(kLanguageModels);
}
void PreferencesStore::saveLanguageQuestion(const QVariantMap& question) {
    saveMap(kLanguageModels, question);
}
QString PreferencesStore::adviceTask() const {
    return m_settings->value(kAdviceTask).toString();
}
void PreferencesStore::saveAdviceTask(const QString& task) {
    m_settings->setValue(kAdviceTask, task);
}

}  // namespace steelyard::ui

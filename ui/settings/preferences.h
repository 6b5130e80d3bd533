// SPDX-License-Identifier: Apache-2.0
// The user's settings as one value and one table of keys, stored in an INI file (QSettings). The file is passed in, so
// that tests can use their own. GUI thread.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantMap>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/catalog/catalog.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

struct Preferences {
    QString language;  // "en", "zh_CN", "zh_TW"; empty: the system's
    ThemeChoice theme = ThemeChoice::System;
    int textPercent = 0;        // text size; 0: the system's
    bool precise = false;       // protocol: intervals within 1 % instead of 2 %
    double timeCapSeconds = 0;  // 0: the suite's
    // CPU threads per case if the form does not set them: "all" usable cores, "half" of them, "one".
    QString threadPolicy = QStringLiteral("all");
    int oldPriceDays = catalog::kOldPriceDays;  // prices older than this are marked
    QString dataFolder;                         // real data sets; empty: synthetic data
    QString databaseFile;                       // empty: the default file
    bool onlyRunnable = true;
    bool showCounters = true;
    QString suite;  // last selection on the Benchmark page; empty: custom selection
    QStringList workloads;
    QStringList modes{QStringLiteral("train"), QStringLiteral("infer")};
    QStringList gpus;  // how many are to share a case: "1", "2"
    QStringList scalings{QStringLiteral("strong"), QStringLiteral("weak"), QStringLiteral("experiments")};
    int speedUnit = 1;          // index into SpeedUnit
    double usdPerKwh = 0.12;    // of electricity
    double durationFactor = 1;  // actual over estimated duration of the last complete run

    friend bool operator==(const Preferences&, const Preferences&) = default;
};

// Values of threadPolicy, and the resulting thread count; 0: chosen by the program.
[[nodiscard]] QStringList threadPolicies();
[[nodiscard]] int threadsOf(const Preferences& preferences, int cores);
// The user's text size, for ThemeController; nullopt: the system's.
[[nodiscard]] std::optional<double> textScaleOf(const Preferences& preferences);

class PreferencesStore {
public:
    explicit PreferencesStore(const QString& file);
    [[nodiscard]] Preferences load() const;
    void save(const Preferences& preferences);
    // Restores the defaults, except for the window geometry.
    void reset();

    [[nodiscard]] QByteArray windowGeometry() const;
    void saveWindowGeometry(const QByteArray& geometry);
    // Of the last file that was opened, saved or exported.
    [[nodiscard]] QString lastFolder() const;
    void saveLastFolder(const QString& folder);
    // Of the command line, for rented machines of campaigns.
    [[nodiscard]] QString programArchive() const;
    void saveProgramArchive(const QString& file);
    [[nodiscard]] QString lastPage() const;
    void saveLastPage(const QString& page);
    // The user's corrections of hardware facts, by path (hardware::withOverride).
    [[nodiscard]] std::map<std::string, std::string> corrections() const;
    void saveCorrections(const std::map<std::string, std::string>& corrections);
    // The last state of the form on Cost & advice.
    [[nodiscard]] QVariantMap adviceQuestion() const;
    void saveAdviceQuestion(const QVariantMap& question);
    // Likewise for language models, and the selected kind of job: "train", "infer", "chat", ...
    [[nodiscard]] QVariantMap languageQuestion() const;
    void saveLanguageQuestion(const QVariantMap& question);
    [[nodiscard]] QString adviceTask() const;
    void saveAdviceTask(const QString& task);

private:
    [[nodiscard]] QVariantMap mapOf(const QString& key) const;
    void saveMap(const QString& key, const QVariantMap& map);

    std::unique_ptr<QSettings> m_settings;
};

}  // namespace steelyard::ui

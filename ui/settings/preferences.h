// SPDX-License-Identifier: Apache-2.0
// What the user decided, as one value and one table of keys, kept in an INI file (QSettings). The file is given, so
// that tests use their own. GUI thread.
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
    int textPercent = 0;        // size of texts; 0: the system's
    bool precise = false;       // protocol: intervals within 1 % instead of 2 %
    double timeCapSeconds = 0;  // 0: the suite's own
    // Threads of a case on the CPU where the form names none: "all" usable cores, "half" of them, "one".
    QString threadPolicy = QStringLiteral("all");
    int oldPriceDays = catalog::kOldPriceDays;  // prices older than this are marked
    QString dataFolder;                         // of real data sets; empty: invented data
    QString databaseFile;                       // empty: the default file
    bool onlyRunnable = true;
    bool showCounters = true;
    QString suite;  // last choice on the Benchmark page; empty: own selection
    QStringList workloads;
    QStringList modes{QStringLiteral("train"), QStringLiteral("infer")};
    QStringList gpus;  // how many are to share a case: "1", "2"
    QStringList scalings{QStringLiteral("strong"), QStringLiteral("weak"), QStringLiteral("experiments")};
    int speedUnit = 1;          // position in SpeedUnit
    double usdPerKwh = 0.12;    // of electricity
    double durationFactor = 1;  // of runs here over what is expected of them, from the last complete one

    friend bool operator==(const Preferences&, const Preferences&) = default;
};

// The values of threadPolicy, and what one means on a computer: 0: left to the program.
[[nodiscard]] QStringList threadPolicies();
[[nodiscard]] int threadsOf(const Preferences& preferences, int cores);
// The size of texts the user chose, for ThemeController; nullopt: the system's.
[[nodiscard]] std::optional<double> textScaleOf(const Preferences& preferences);

class PreferencesStore {
public:
    explicit PreferencesStore(const QString& file);
    [[nodiscard]] Preferences load() const;
    void save(const Preferences& preferences);
    // Back to the defaults; the window's place is kept.
    void reset();

    [[nodiscard]] QByteArray windowGeometry() const;
    void saveWindowGeometry(const QByteArray& geometry);
    [[nodiscard]] QString lastPage() const;
    void saveLastPage(const QString& page);
    // Facts of the hardware that the user has set, by their path (hardware::withOverride).
    [[nodiscard]] std::map<std::string, std::string> corrections() const;
    void saveCorrections(const std::map<std::string, std::string>& corrections);
    // The form of Cost & advice as it was left.
    [[nodiscard]] QVariantMap adviceQuestion() const;
    void saveAdviceQuestion(const QVariantMap& question);
    // The same about language models, and which kind of job was open: "train", "infer", "chat", ...
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

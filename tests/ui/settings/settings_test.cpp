// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"

namespace steelyard::ui {
namespace {

TEST(Preferences, SurviveARestart) {
    QTemporaryDir folder;
    const auto file = folder.filePath(QStringLiteral("settings.ini"));
    Preferences wanted;
    wanted.language = QStringLiteral("zh_TW");
    wanted.theme = ThemeChoice::Dark;
    wanted.precise = true;
    wanted.timeCapSeconds = 12.5;
    wanted.workloads = QStringList{QStringLiteral("a"), QStringLiteral("b")};
    wanted.gpus = QStringList{QStringLiteral("1"), QStringLiteral("4")};
    wanted.scalings = QStringList{QStringLiteral("weak")};
    wanted.speedUnit = 2;
    wanted.textPercent = 150;
    wanted.threadPolicy = QStringLiteral("half");
    wanted.oldPriceDays = 30;
    wanted.dataFolder = QStringLiteral("/data/sets");
    const std::map<std::string, std::string> corrections{{"gpus[0].memory_bytes", "123"},
                                                         {"cpu.name", "an \"odd\" one"}};
    PreferencesStore(file).save(wanted);
    PreferencesStore(file).saveCorrections(corrections);
    PreferencesStore store(file);
    EXPECT_EQ(store.load(), wanted);
    EXPECT_EQ(store.corrections(), corrections);
    store.saveWindowGeometry("somewhere");
    store.saveLastFolder(QStringLiteral("/exports"));
    EXPECT_EQ(PreferencesStore(file).lastFolder(), QStringLiteral("/exports"));
    store.reset();
    EXPECT_EQ(store.load(), Preferences());
    EXPECT_EQ(store.windowGeometry(), QByteArray("somewhere")) << "the window stays where it is";
}

TEST(Preferences, NonsenseInTheFileIsBroughtIntoRange) {
    QTemporaryDir folder;
    const auto name = folder.filePath(QStringLiteral("settings.ini"));
    QFile file(name);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(
        "[look]\ntheme=purple\n[protocol]\ntimeCapSeconds=-5\nthreadPolicy=most\n[advice]\noldPriceDays=-1\n[results]"
        "\nspeedUnit=99\n");
    file.close();
    const auto loaded = PreferencesStore(name).load();
    EXPECT_EQ(loaded.theme, ThemeChoice::System);
    EXPECT_EQ(loaded.timeCapSeconds, 0);
    EXPECT_EQ(loaded.speedUnit, 2);
    EXPECT_EQ(loaded.threadPolicy, QStringLiteral("all"));
    EXPECT_EQ(loaded.oldPriceDays, 1);
    EXPECT_TRUE(PreferencesStore(name).corrections().empty());
}

TEST(Preferences, TheThreadPolicyIsANumberOnThisComputer) {
    Preferences preferences;
    EXPECT_EQ(threadsOf(preferences, 12), 0) << "left to the program";
    preferences.threadPolicy = QStringLiteral("half");
    EXPECT_EQ(threadsOf(preferences, 12), 6);
    EXPECT_EQ(threadsOf(preferences, 1), 1);
    preferences.threadPolicy = QStringLiteral("one");
    EXPECT_EQ(threadsOf(preferences, 12), 1);
}

TEST(Languages, ChineseGoesToTheRightScript) {
    const auto language = [](const char* wish) { return languageFor({QString::fromLatin1(wish)}); };
    EXPECT_EQ(language("zh-Hant-HK"), QStringLiteral("zh_TW"));
    EXPECT_EQ(language("zh_HK"), QStringLiteral("zh_TW"));
    EXPECT_EQ(language("zh-Hans-CN"), QStringLiteral("zh_CN"));
    EXPECT_EQ(language("zh"), QStringLiteral("zh_CN"));
    EXPECT_EQ(language("de-DE"), QStringLiteral("en"));
    EXPECT_EQ(languageFor({QStringLiteral("fr"), QStringLiteral("zh-TW")}), QStringLiteral("zh_TW"));
    EXPECT_EQ(languageFor({}), QStringLiteral("en"));
}

}  // namespace
}  // namespace steelyard::ui

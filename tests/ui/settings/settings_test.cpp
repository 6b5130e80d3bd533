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
    wanted.speedUnit = 2;
    PreferencesStore(file).save(wanted);
    PreferencesStore store(file);
    EXPECT_EQ(store.load(), wanted);
    store.saveWindowGeometry("somewhere");
    store.reset();
    EXPECT_EQ(store.load(), Preferences());
    EXPECT_EQ(store.windowGeometry(), QByteArray("somewhere")) << "the window stays where it is";
}

TEST(Preferences, NonsenseInTheFileIsBroughtIntoRange) {
    QTemporaryDir folder;
    const auto name = folder.filePath(QStringLiteral("settings.ini"));
    QFile file(name);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[look]\ntheme=purple\n[protocol]\ntimeCapSeconds=-5\n[results]\nspeedUnit=99\n");
    file.close();
    const auto loaded = PreferencesStore(name).load();
    EXPECT_EQ(loaded.theme, ThemeChoice::System);
    EXPECT_EQ(loaded.timeCapSeconds, 0);
    EXPECT_EQ(loaded.speedUnit, 2);
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

// SPDX-License-Identifier: Apache-2.0
// Changes of language and theme while the window is open and in use.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDialog>
#include <QPointer>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/ui/support/window_fixture.h"
#include "ui/pages/page.h"

namespace steelyard::ui {
namespace {

class AppearanceTest : public WindowFixture {
protected:
    void chooseLanguage(const char* code) {
        auto* box =
            m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QStringLiteral("languageBox"));
        ASSERT_NE(box, nullptr);
        box->setCurrentIndex(box->findData(QString::fromLatin1(code)));
        emit box->activated(box->currentIndex());
    }
    QString settingsName() { return m_test.window->page(QStringLiteral("settings"))->accessibleName(); }
};

TEST_F(AppearanceTest, TheLanguageChangesAtOnceAndARunSurvivesIt) {
    bench::RunRequest request;
    request.suite = "obedient";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() == 1; }));
    click("navigation_settings");
    chooseLanguage("zh_CN");
    ASSERT_TRUE(eventually([&] { return settingsName() == QStringLiteral("设置"); }));
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("settings"));
    EXPECT_EQ(m_test.preferences.load().language, QStringLiteral("zh_CN"));
    EXPECT_TRUE(m_test.run.isRunning());
    m_test.window->showPage(QStringLiteral("benchmark"));
    EXPECT_TRUE(find<QPushButton>("stopButton")->isVisible());
    const auto& progress = m_test.run.progress();
    EXPECT_EQ(find<QTableView>("logTable")->model()->rowCount(),
              progress.finishedCount() + static_cast<int>(progress.unfinished().size()))
        << "what is queued is listed, too";
    EXPECT_EQ(find<QPushButton>("stopButton")->text(), QStringLiteral("停止"));
    click("stopButton");
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(AppearanceTest, TheLastOfTwoLanguagesChosenInARowIsTheWindows) {
    const auto pages = m_test.window->findChildren<Page*>().size();
    chooseLanguage("zh_CN");
    ASSERT_TRUE(eventually([&] { return m_test.window->findChildren<Page*>().size() > pages; })) << "pages are built";
    EXPECT_EQ(settingsName(), QStringLiteral("Settings")) << "the old ones stay until all are there";
    chooseLanguage("zh_TW");
    ASSERT_TRUE(eventually([&] { return settingsName() == QStringLiteral("設定"); }));
    EXPECT_TRUE(eventually([&] { return m_test.window->findChildren<Page*>().size() == pages; }))
        << "none is left over";
}

TEST_F(AppearanceTest, APageWaitsForItsDialogBeforeItIsReplaced) {
    click("navigation_settings");
    const QPointer<Page> settings = m_test.window->page(QStringLiteral("settings"));
    QDialog dialog(m_test.window.get());
    chooseLanguage("zh_CN");
    dialog.open();
    QTest::qWait(500);
    EXPECT_NE(settings, nullptr);
    EXPECT_EQ(settingsName(), QStringLiteral("Settings"));
    dialog.close();
    EXPECT_TRUE(eventually([&] { return settings.isNull() && settingsName() == QStringLiteral("设置"); }));
}

TEST_F(AppearanceTest, TheThemeChangesAtOnce) {
    click("navigation_settings");
    auto* theme = find<QComboBox>("themeBox");
    theme->setCurrentIndex(theme->findData(static_cast<int>(ThemeChoice::Dark)));
    emit theme->activated(theme->currentIndex());
    EXPECT_TRUE(Theme::of(m_test.window->palette()).dark);
    EXPECT_LT(
        m_test.window->grab().toImage().pixelColor(m_test.window->width() - 6, m_test.window->height() - 6).lightness(),
        60);
    click("resetButton");
    EXPECT_EQ(m_test.preferences.load().theme, ThemeChoice::System);
}

}  // namespace
}  // namespace steelyard::ui

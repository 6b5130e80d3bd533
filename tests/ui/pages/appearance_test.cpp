// SPDX-License-Identifier: Apache-2.0
// Changes of language and theme while the window is open and in use.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/pages/page.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

// Pixels with a background colour of this theme. The preview of the report, which is white in both, does not count.
int surfaceOf(const Theme& theme, QWidget& widget) {
    auto image = widget.grab().toImage();
    for (const auto* paper : widget.findChildren<QTextBrowser*>()) {
        if (!paper->isVisible()) continue;
        QPainter painter(&image);
        painter.fillRect(QRect(paper->mapTo(&widget, QPoint()), paper->size()), Qt::red);
    }
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto colour = image.pixelColor(x, y);
            if (colour == theme.window || colour == theme.surface) ++count;
        }
    }
    return count;
}

// How often Qt restyled each widget.
class StyleChanges : public QObject {
public:
    explicit StyleChanges(QWidget* root) {
        for (auto* widget : root->findChildren<QWidget*>()) widget->installEventFilter(this);
    }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::StyleChange) ++count;
        return false;
    }
};

class AppearanceTest : public WindowFixture {
protected:
    void chooseLanguage(const char* code) {
        auto* box =
            m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QStringLiteral("languageBox"));
        ASSERT_NE(box, nullptr);
        box->setCurrentIndex(box->findData(QString::fromLatin1(code)));
        emit box->activated(box->currentIndex());
    }
    void chooseTheme(ThemeChoice choice) {
        auto* box = m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QStringLiteral("themeBox"));
        ASSERT_NE(box, nullptr);
        box->setCurrentIndex(box->findData(static_cast<int>(choice)));
        emit box->activated(box->currentIndex());
    }
    void chooseTextSize(int percent) {
        auto* box =
            m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QStringLiteral("textSizeBox"));
        ASSERT_NE(box, nullptr);
        box->setCurrentIndex(box->findData(percent));
        const QPointer<QComboBox> old = box;
        emit box->activated(box->currentIndex());
        ASSERT_TRUE(eventually([&] { return old.isNull(); })) << "the pages are not replaced";
    }
    // The page is shown and has drawn its content.
    Page& show(const QString& id) {
        m_test.window->showPage(id);
        QTest::qWait(50);
        return *m_test.window->page(id);
    }
    void expectOnly(const Theme& theme, QWidget& widget, const std::string& what) {
        const auto& other = theme.dark ? Theme::light() : Theme::darkTheme();
        EXPECT_GT(surfaceOf(theme, widget), widget.width() * widget.height() / 8) << what;
        // The logo, and edges of letters, may have such a colour.
        EXPECT_LT(surfaceOf(other, widget), widget.width() * widget.height() / 200) << what;
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

TEST_F(AppearanceTest, EveryPageHasTheThemeWhenItIsShown) {
    for (const auto& id : m_test.window->pageIds()) show(id);
    for (const auto choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        show(QStringLiteral("settings"));
        chooseTheme(choice);
        const auto& theme = choice == ThemeChoice::Dark ? Theme::darkTheme() : Theme::light();
        for (const auto& id : m_test.window->pageIds()) {
            const auto& page = show(id);
            expectOnly(theme, *m_test.window, id.toStdString());
            for (auto* chart : page.findChildren<ChartView*>()) {
                if (chart->isVisible() && chart->canvas()->chart()) {
                    EXPECT_EQ(chart->canvas()->chart()->style().theme.dark, theme.dark) << id.toStdString();
                }
            }
            for (const auto* label : page.findChildren<QLabel*>()) {
                if (label->property("role").toByteArray() == role::kMuted) {
                    EXPECT_EQ(label->palette().color(QPalette::WindowText), theme.muted) << label->text().toStdString();
                }
            }
        }
    }
}

TEST_F(AppearanceTest, AChangeRestylesOnlyWhatIsVisible) {
    for (const auto& id : m_test.window->pageIds()) show(id);
    show(QStringLiteral("settings"));
    auto* settings = m_test.window->page(QStringLiteral("settings"));
    auto* advice = m_test.window->page(QStringLiteral("advice"));
    const StyleChanges visible(settings);
    const StyleChanges hidden(advice);
    chooseTheme(ThemeChoice::Dark);
    EXPECT_GT(visible.count, 0);
    QTest::qWait(50);
    EXPECT_EQ(hidden.count, 0);
    m_test.window->showPage(QStringLiteral("advice"));
    EXPECT_GT(hidden.count, 0);
    const int once = hidden.count;
    show(QStringLiteral("settings"));
    show(QStringLiteral("advice"));
    EXPECT_EQ(hidden.count, once) << "it has the theme already";
}

TEST_F(AppearanceTest, DialogsAndPopUpsHaveTheTheme) {
    show(QStringLiteral("settings"));
    QDialog dialog(m_test.window.get());
    auto* layout = new QVBoxLayout(&dialog);
    layout->addWidget(new Card(QStringLiteral("Card"), &dialog));
    layout->addWidget(new QPushButton(QStringLiteral("Button"), &dialog));
    dialog.resize(300, 200);
    dialog.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    expectOnly(Theme::light(), dialog, "a new dialog");
    chooseTheme(ThemeChoice::Dark);
    expectOnly(Theme::darkTheme(), dialog, "a dialog that was open");
    dialog.hide();
    chooseTheme(ThemeChoice::Light);
    dialog.show();
    expectOnly(Theme::light(), dialog, "a dialog that was hidden");
    chooseTheme(ThemeChoice::Dark);
    dialog.close();

    auto& results = show(QStringLiteral("results"));
    auto* box = results.findChild<QComboBox*>(QStringLiteral("runBox"));
    ASSERT_NE(box, nullptr);
    box->showPopup();
    expectOnly(Theme::darkTheme(), *box->view()->window(), "a drop-down");
    box->hidePopup();
    auto* exporting = results.findChild<QToolButton*>(QStringLiteral("chartExportButton"));
    ASSERT_NE(exporting, nullptr);
    exporting->menu()->popup(QPoint(100, 100));
    expectOnly(Theme::darkTheme(), *exporting->menu(), "a menu");
    exporting->menu()->close();

    QToolTip::showText(QPoint(200, 200), QStringLiteral("Faster than the run before"), box);
    const auto isTip = [](const QWidget* widget) { return widget->inherits("QTipLabel") && widget->isVisible(); };
    const auto windows = QApplication::topLevelWidgets();
    const auto tip = std::find_if(windows.begin(), windows.end(), isTip);
    ASSERT_NE(tip, windows.end());
    expectOnly(Theme::darkTheme(), **tip, "a tool tip");
    QToolTip::hideText();

    QComboBox searched(m_test.window->page(QStringLiteral("results")));
    searched.addItems({QStringLiteral("ResNet-50"), QStringLiteral("ResNet-101")});
    makeSearchable(&searched);
    searched.show();
    searched.completer()->setCompletionPrefix(QStringLiteral("ResNet"));
    searched.completer()->complete();
    auto* popup = searched.completer()->popup();
    ASSERT_TRUE(eventually([&] { return popup->isVisible(); }));
    EXPECT_EQ(popup->grab().toImage().pixelColor(popup->width() / 2, popup->height() - 4), Theme::darkTheme().surface);
    popup->hide();
}

TEST_F(AppearanceTest, WhatIsPrintedDoesNotTakeTheThemeOrTheTextSize) {
    const auto& spec = show(QStringLiteral("results")).findChild<ChartView*>(QStringLiteral("chart_train"))->spec();
    ASSERT_TRUE(spec.hasValues());
    const auto copy = spec;
    const auto before = chartImage(drawChart(copy, paperOptions()));
    show(QStringLiteral("settings"));
    chooseTheme(ThemeChoice::Dark);
    chooseTextSize(150);
    EXPECT_EQ(chartImage(drawChart(copy, paperOptions())), before);
    chooseTextSize(100);
}

TEST_F(AppearanceTest, TheReportIsWrittenAgainInTheNewLanguage) {
    const auto text = [&] {
        const auto* preview =
            m_test.window->page(QStringLiteral("report"))->findChild<QTextBrowser*>(QStringLiteral("reportPreview"));
        return preview->toPlainText();
    };
    show(QStringLiteral("report"));
    ASSERT_TRUE(eventually([&] { return text().contains(QStringLiteral("ResNet-50")); }))
        << text().left(300).toStdString();
    show(QStringLiteral("settings"));
    chooseLanguage("zh_CN");
    ASSERT_TRUE(eventually([&] { return settingsName() == QStringLiteral("设置"); }));
    show(QStringLiteral("report"));
    static const QRegularExpression chinese(QStringLiteral("[\\x{4e00}-\\x{9fff}]{4}"));
    EXPECT_TRUE(eventually([&] { return text().contains(chinese); })) << text().left(300).toStdString();
}

TEST_F(AppearanceTest, EveryPageHasTheTextSizeWhenItIsShown) {
    for (const auto& id : m_test.window->pageIds()) show(id);
    show(QStringLiteral("settings"));
    chooseTextSize(150);
    ASSERT_GE(scaled(fontsize::kTitle), 30);
    for (const auto& id : m_test.window->pageIds()) {
        const auto& page = show(id);
        for (const auto* label : page.findChildren<QLabel*>()) {
            if (label->isVisible() && label->property("role").toByteArray() == role::kTitle) {
                EXPECT_EQ(label->font().pixelSize(), scaled(fontsize::kTitle)) << id.toStdString();
            }
        }
        for (auto* chart : page.findChildren<ChartView*>()) {
            if (chart->isVisible() && chart->canvas()->chart()) {
                EXPECT_EQ(chart->canvas()->chart()->style().font.pixelSize(), scaled(fontsize::kBase))
                    << id.toStdString();
            }
        }
    }
    show(QStringLiteral("settings"));
    chooseTextSize(100);
    EXPECT_EQ(m_test.window->page(QStringLiteral("settings"))->font().pixelSize(), fontsize::kBase);
}

TEST_F(AppearanceTest, ThemeLanguageAndTextSizeCanChangeOneAfterTheOther) {
    show(QStringLiteral("settings"));
    chooseTheme(ThemeChoice::Dark);
    chooseLanguage("zh_CN");
    chooseTheme(ThemeChoice::Light);  // while the pages are built
    chooseTheme(ThemeChoice::Dark);
    ASSERT_TRUE(eventually([&] { return settingsName() == QStringLiteral("设置"); }));
    chooseTextSize(125);
    static const QRegularExpression chinese(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
    for (const auto& id : m_test.window->pageIds()) {
        EXPECT_TRUE(show(id).title().contains(chinese)) << id.toStdString();
        expectOnly(Theme::darkTheme(), *m_test.window, id.toStdString());
    }
    show(QStringLiteral("settings"));
    chooseTextSize(100);
}

}  // namespace
}  // namespace steelyard::ui

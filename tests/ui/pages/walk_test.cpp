// SPDX-License-Identifier: Apache-2.0
// Walks through every page in each language, palette, width and text size, and checks what is visible: no text is
// clipped or overlaps another, every focusable control has a name; also with text at 200 %. The screenshots are kept in
// the build folder (screenshots/).
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAccessible>
#include <QComboBox>
#include <QDir>
#include <QFontDatabase>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <functional>

#include "tests/ui/support/test_window.h"
#include "ui/charts/chart_view.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

// "StackedWidget/HomePage/verdict": identifies the widget.
QString pathOf(const QWidget* widget) {
    QStringList parts;
    for (const auto* one = widget; one && !one->isWindow(); one = one->parentWidget()) {
        parts.prepend(one->objectName().isEmpty() ? QString::fromLatin1(one->metaObject()->className())
                                                  : one->objectName());
    }
    return parts.join(QLatin1Char('/'));
}

QStringList clippedTexts(const QWidget& window) {
    QStringList clipped;
    for (const auto* label : window.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty() || qobject_cast<const ElidedLabel*>(label)) continue;
        const bool tooNarrow = !label->wordWrap() && label->sizeHint().width() > label->width();
        const bool tooLow = label->wordWrap() ? label->heightForWidth(label->width()) > label->height() + 1
                                              : label->sizeHint().height() > label->height() + 1;
        if (tooNarrow || tooLow) clipped << QStringLiteral("%1: \"%2\"").arg(pathOf(label), label->text());
    }
    for (const auto* button : window.findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->text().isEmpty()) continue;
        if (button->sizeHint().width() > button->width() + 1 || button->sizeHint().height() > button->height() + 1) {
            clipped << QStringLiteral("%1: \"%2\" needs %3, has %4")
                           .arg(pathOf(button), button->text())
                           .arg(button->sizeHint().width())
                           .arg(button->width());
        }
    }
    return clipped;
}

// A chart that is larger than its container loses its axis.
QStringList cutCharts(const QWidget& window) {
    QStringList cut;
    for (const auto* chart : window.findChildren<ChartView*>()) {
        if (chart->isVisible() && !chart->parentWidget()->rect().contains(chart->geometry())) cut << pathOf(chart);
    }
    return cut;
}

QStringList namelessControls(const QWidget& window) {
    QStringList nameless;
    for (auto* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy()) continue;
        // The text field in a spin box and the view in a combo box are announced with their owner.
        if (qobject_cast<QComboBox*>(widget->parentWidget()) ||
            widget->objectName() == QLatin1String("qt_spinbox_lineedit"))
            continue;
        const auto* node = QAccessible::queryAccessibleInterface(widget);
        if (node && node->text(QAccessible::Name).isEmpty()) nameless << pathOf(widget);
    }
    return nameless;
}

// The user's actions to reach a view, and the name of its screenshot.
struct Step {
    const char* name;
    std::function<void(TestWindow&)> act;
};

void showResultTab(TestWindow& test, const char* run, int tab) {
    test.window->showPage(QStringLiteral("results"));
    auto* box = test.find<QComboBox>("runBox");
    const int row = box->findData(QString::fromLatin1(run));
    box->setCurrentIndex(row);
    const QSignalSpy loaded(&test.history, &HistoryController::runLoaded);
    emit box->activated(row);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !loaded.isEmpty(); }, 15000));
    test.find<QTabBar>("resultTabs")->setCurrentIndex(tab);
}

std::vector<Step> steps() {
    const auto page = [](const char* id) {
        return [id](TestWindow& test) { test.window->showPage(QString::fromLatin1(id)); };
    };
    const auto tab = [](const char* bar, int index) {
        return [bar, index](TestWindow& test) { test.find<QTabBar>(bar)->setCurrentIndex(index); };
    };
    return {{"1-home", page("home")},
            {"2-hardware", page("hardware")},
            {"3-benchmark", page("benchmark")},
            {"4-results", page("results")},
            {"4-results-memory", [](TestWindow& test) { showResultTab(test, "bbbbbbbbbbbb", 1); }},
            {"4-results-batches", [](TestWindow& test) { showResultTab(test, "5eedc0ffee01", 2); }},
            {"4-results-threads", [](TestWindow& test) { showResultTab(test, "5eedc0ffee01", 3); }},
            {"4-results-gpus", [](TestWindow& test) { showResultTab(test, "51ca11906b05", 4); }},
            {"4-results-roofline", [](TestWindow& test) { showResultTab(test, "bbbbbbbbbbbb", 5); }},
            {"4-results-figures",
             [](TestWindow& test) {
                 showResultTab(test, "bbbbbbbbbbbb", 6);
                 test.find<QTableView>("recordsTable")->selectRow(2);
             }},
            {"5-history", page("history")},
            {"5-history-compare",
             [](TestWindow& test) {
                 auto* table = test.find<QTableView>("runsTable");
                 table->clearSelection();
                 for (const int row : {0, 1}) {
                     table->selectionModel()->select(table->model()->index(row, 0),
                                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
                 }
                 test.find<QPushButton>("compareButton")->click();
                 QTest::qWait(80);
             }},
            {"5-history-trend",
             [](TestWindow& test) {
                 auto* table = test.find<QTableView>("runsTable");
                 table->clearSelection();
                 table->selectRow(0);
                 test.find<QPushButton>("trendButton")->click();
                 QTest::qWait(120);
             }},
            {"6-advice",
             [](TestWindow& test) {
                 test.window->showPage(QStringLiteral("advice"));
                 EXPECT_TRUE(QTest::qWaitFor([&] { return test.advice.answer() && !test.advice.isBusy(); }, 15000));
             }},
            {"6-advice-ranking", tab("adviceTabs", 1)},
            {"6-advice-relative", tab("adviceTabs", 2)},
            {"6-advice-buy", tab("adviceTabs", 3)},
            {"6-advice-prices", tab("adviceTabs", 4)},
            {"6-campaigns", page("campaigns")},
            {"7-studies", page("studies")},
            {"7-studies-time", tab("studyTabs", 1)},
            {"7-studies-scatter", tab("studyTabs", 3)},
            {"7-studies-variants", tab("studyTabs", 4)},
            {"7-studies-figures", tab("studyTabs", 5)},
            {"8-report",
             [](TestWindow& test) {
                 test.window->showPage(QStringLiteral("report"));
                 EXPECT_TRUE(QTest::qWaitFor([&] { return test.advice.backtest().has_value(); }, 30000));
                 const auto* preview = test.find<QTextBrowser>("reportPreview");
                 EXPECT_TRUE(QTest::qWaitFor([&] { return !preview->document()->isEmpty(); }, 30000));
             }},
            {"9-settings", page("settings")},
            {"9-running",
             [](TestWindow& test) {
                 test.window->showPage(QStringLiteral("benchmark"));
                 bench::RunRequest request;
                 request.suite = "live";
                 test.run.start(request);
                 EXPECT_TRUE(QTest::qWaitFor([&] { return test.run.progress().samples().size() > 40; }, 15000));
                 QTest::qWait(150);
             }},
            {"9-stopped", [](TestWindow& test) {
                 test.run.stop();
                 EXPECT_TRUE(QTest::qWaitFor([&] { return !test.run.isRunning(); }, 15000));
                 QTest::qWait(150);
             }}};
}

constexpr int kTouching = 8;  // pixels: boxes are larger than their letters

// Widgets with text, which must not overlap.
QStringList overlappingTexts(const QWidget& window) {
    std::vector<std::pair<const QWidget*, QRect>> shown;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool field = widget->inherits("QComboBox") || widget->inherits("QAbstractSpinBox") ||
                           widget->inherits("QLineEdit") || widget->inherits("QTabBar");
        if (!field && !(label && !label->text().isEmpty()) && !(button && !button->text().isEmpty())) continue;
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
        shown.emplace_back(widget, widget->visibleRegion().boundingRect().translated(widget->mapTo(&window, QPoint())));
    }
    QStringList found;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto& [one, box] = shown[i];
            const auto& [other, otherBox] = shown[j];
            if (one->isAncestorOf(other) || other->isAncestorOf(one)) continue;
            const auto common = box.intersected(otherBox);
            if (common.width() > kTouching && common.height() > kTouching)
                found << QStringLiteral("%1 and %2").arg(pathOf(one), pathOf(other));
        }
    }
    return found;
}

// Language, palette, width, size of texts in percent.
class WalkTest : public testing::TestWithParam<std::tuple<const char*, ThemeChoice, int, int>> {
protected:
    void TearDown() override { ThemeController(*qApp).setTextScale(1.0); }
};

TEST_P(WalkTest, EveryViewIsReadable) {
    const auto [language, theme, width, percent] = GetParam();
    TestWindow test({.withRuns = true, .withGpus = width > 1000, .usableGpus = 4, .withScaling = true});
    ASSERT_TRUE(test.languages.use(QString::fromLatin1(language))) << "the texts of the language are missing";
    test.theme.setTextScale(percent / 100.0);
    test.theme.apply(theme);
    test.window = std::make_unique<MainWindow>(test.context);  // with this language and palette from the start
    test.window->resize(width, width < 1000 ? 600 : percent > 100 ? 800 : 840);
    test.window->show();
    test.waitUntilReady();
    const auto look =
        QStringLiteral("%1-%2-%3%4")
            .arg(QLatin1String(language), theme == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light"))
            .arg(width)
            .arg(percent == 100 ? QString() : QStringLiteral("-%1").arg(percent));
    const QDir folder(QStringLiteral(STEELYARD_SCREENSHOTS "/") + look);
    folder.mkpath(QStringLiteral("."));
    for (const auto& step : steps()) {
        step.act(test);
        QTest::qWait(40);
        // On a busy machine the layouts may not be complete after 40 ms; remaining problems are reported below.
        const auto settled = [&] {
            return cutCharts(*test.window).isEmpty() && clippedTexts(*test.window).isEmpty() &&
                   overlappingTexts(*test.window).isEmpty();
        };
        (void)QTest::qWaitFor(settled, 2000);
        EXPECT_TRUE(test.window->grab().save(folder.filePath(QLatin1String(step.name) + QStringLiteral(".png"))));
        const auto where = QStringLiteral("%1 %2").arg(QLatin1String(step.name), look).toStdString();
        EXPECT_EQ(cutCharts(*test.window).join(QLatin1Char('\n')).toStdString(), "") << where;
        EXPECT_EQ(clippedTexts(*test.window).join(QLatin1Char('\n')).toStdString(), "") << where;
        EXPECT_EQ(overlappingTexts(*test.window).join(QLatin1Char('\n')).toStdString(), "") << where;
        EXPECT_EQ(namelessControls(*test.window).join(QLatin1Char('\n')).toStdString(), "") << where;
    }
    EXPECT_TRUE(test.dialogs.errors.isEmpty()) << test.dialogs.errors.join(QLatin1Char('\n')).toStdString();
}

QString nameOf(const std::tuple<const char*, ThemeChoice, int, int>& look) {
    const auto [language, theme, width, percent] = look;
    return QStringLiteral("%1_%2_%3_%4")
        .arg(QLatin1String(language), theme == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light"))
        .arg(width)
        .arg(percent);
}

const auto kLanguages = testing::Values("en", "zh_CN", "zh_TW");
const auto kPalettes = testing::Values(ThemeChoice::Light, ThemeChoice::Dark);

INSTANTIATE_TEST_SUITE_P(Looks, WalkTest,
                         testing::Combine(kLanguages, kPalettes, testing::Values(960, 1280), testing::Values(100)),
                         [](const auto& one) { return nameOf(one.param).toStdString(); });
INSTANTIATE_TEST_SUITE_P(Enlarged, WalkTest,
                         testing::Combine(kLanguages, kPalettes, testing::Values(1280), testing::Values(200)),
                         [](const auto& one) { return nameOf(one.param).toStdString(); });

TEST(EmptyStates, EveryPageSaysWhatToDoBeforeAnythingWasMeasured) {
    TestWindow test({.withRuns = false, .withGpus = false});
    test.waitUntilReady();
    const QDir folder(QStringLiteral(STEELYARD_SCREENSHOTS "/empty"));
    folder.mkpath(QStringLiteral("."));
    for (const auto& id : test.window->pageIds()) {
        test.window->showPage(id);
        QTest::qWait(40);
        EXPECT_TRUE(test.window->grab().save(folder.filePath(id + QStringLiteral(".png"))));
        EXPECT_EQ(clippedTexts(*test.window).join(QLatin1Char('\n')).toStdString(), "") << id.toStdString();
    }
}

TEST(Fonts, ThereIsOneForChinese) {
    EXPECT_FALSE(QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
        << "without it every Chinese text is a row of empty boxes, and nothing else fails";
    EXPECT_FALSE(QFontDatabase::families(QFontDatabase::TraditionalChinese).isEmpty());
}

}  // namespace
}  // namespace steelyard::ui

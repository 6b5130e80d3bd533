// SPDX-License-Identifier: Apache-2.0
// The window with ten thousand stored cases: no event may compute for long (see ui/widgets/watched_application.h). CPU
// time of the GUI thread is measured, so a busy machine causes no failures; unoptimised builds and builds with
// sanitizers are several times slower and are not judged.
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <functional>

#include "tests/support/sanitized.h"
#include "tests/ui/support/test_window.h"
#include "ui/charts/chart_view.h"
#include "ui/models/runs_model.h"
#include "ui/pages/page.h"
#include "ui/text/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/watched_application.h"

namespace steelyard::ui {
namespace {

constexpr int kPatience = 60000;
constexpr int kRuns = 712;  // and the three of every test window: more than 10,000 cases

bool isJudged() {
#if STEELYARD_SANITIZED || !defined(__OPTIMIZE__)
    return false;
#else
    return true;
#endif
}

class SpeedTest : public testing::Test {
protected:
    void SetUp() override {
        if (!isJudged()) GTEST_SKIP() << "this build computes too slowly to be judged";
        m_test.waitUntilReady();
        ASSERT_GE(m_test.history.runs().size(), 715U);
        settle();
    }
    // Until the requested content is shown.
    static void settle() { QTest::qWait(300); }
    static WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }
    // Repeats the action: a page shown for the first time may lay out its text and load fonts.
    template <typename Deed>
    void expectFluid(const char* what, Deed deed, const std::function<void()>& before = {}) {
        const auto act = [&] {
            if (before) before();
            // As an event: what is called directly would not be measured.
            QMetaObject::invokeMethod(qApp, deed, Qt::QueuedConnection);
            settle();
        };
        act();
        application().forget();
        for (int repeat = 0; repeat < 3; ++repeat) act();
        // A single disturbed measurement is ignored.
        const auto& slow = application().slowEvents();
        EXPECT_LT(slow.size(), 3U) << what << ": "
                                   << (slow.empty() ? std::string() : slow.front().text().toStdString());
    }

    TestWindow m_test{{.manyRuns = kRuns}};
};

TEST_F(SpeedTest, EveryPageComesAtOnce) {
    for (const auto& id : m_test.window->pageIds()) {
        expectFluid(qPrintable(id), [&] {
            m_test.window->showPage(QStringLiteral("settings"));
            m_test.window->showPage(id);
        });
    }
}

TEST_F(SpeedTest, AnotherLanguageIsTaken) {
    int count = 0;
    QPointer<QComboBox> old;
    const auto replaced = [&] { EXPECT_TRUE(QTest::qWaitFor([&] { return old.isNull(); }, kPatience)); };
    expectFluid(
        "language",
        [&] {
            auto* box =
                m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QStringLiteral("languageBox"));
            box->setCurrentIndex(box->findData(++count % 2 == 1 ? QStringLiteral("zh_CN") : QStringLiteral("en")));
            old = box;
            emit box->activated(box->currentIndex());
        },
        replaced);
}

// Pages that were shown are styled, which makes a change expensive.
TEST_F(SpeedTest, AnotherThemeAndTextSizeAreTaken) {
    const auto ids = m_test.window->pageIds();
    const auto showAll = [&] {
        for (const auto& id : ids) {
            m_test.window->showPage(id);
            settle();
        }
        m_test.window->showPage(QStringLiteral("settings"));
        settle();
    };
    const auto boxOf = [&](const char* name) {
        return m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QLatin1String(name));
    };
    showAll();
    int count = 0;
    const auto chooseTheme = [&] {
        auto* box = boxOf("themeBox");
        box->setCurrentIndex(++count % 2 + 1);
        emit box->activated(box->currentIndex());
    };
    expectFluid("theme", chooseTheme);
    for (const auto& id : ids) {
        expectFluid(
            qPrintable(id + QStringLiteral(" in another theme")), [&] { m_test.window->showPage(id); },
            [&] {
                m_test.window->showPage(QStringLiteral("settings"));
                chooseTheme();
                settle();
            });
    }
    showAll();
    QPointer<QComboBox> old;
    const auto replaced = [&] { EXPECT_TRUE(QTest::qWaitFor([&] { return old.isNull(); }, kPatience)); };
    expectFluid(
        "text size",
        [&] {
            auto* box = boxOf("textSizeBox");
            box->setCurrentIndex(++count % 2 + 1);
            old = box;
            emit box->activated(box->currentIndex());
        },
        replaced);
    replaced();
    m_test.theme.setTextScale(1.0);
}

TEST_F(SpeedTest, EveryPageIsResized) {
    for (const auto& id : m_test.window->pageIds()) {
        m_test.window->showPage(id);
        settle();
        expectFluid(
            qPrintable(id), [&] { m_test.window->resize(1920, 1040); },
            [&] {
                m_test.window->resize(1280, 840);
                settle();
            });
    }
}

TEST_F(SpeedTest, TheViewsOfLanguageModelsComeAtOnce) {
    m_test.window->showPage(QStringLiteral("advice"));
    auto* tasks = m_test.find<QTabBar>("adviceTask");
    int views = 0;
    for (int task = 1; task < tasks->count(); ++task) {
        tasks->setCurrentIndex(task);
        QTest::qWait(3000);  // its answer
        // Made when the first task of a language model is chosen.
        const auto* page = m_test.window->page(QStringLiteral("advice"));
        auto* tabs = page->findChild<QTabBar*>(QStringLiteral("languageTabs"));
        if (tabs == nullptr || !tabs->isVisible()) continue;
        ++views;
        for (int tab = 0; tab < tabs->count(); ++tab) {
            if (!tabs->isTabVisible(tab)) continue;
            expectFluid(
                qPrintable(tasks->tabText(task) + QStringLiteral(", ") + tabs->tabText(tab)),
                [&] { tabs->setCurrentIndex(tab); },
                [&] {
                    for (int other = 0; other < tabs->count(); ++other)
                        if (other != tab && tabs->isTabVisible(other)) tabs->setCurrentIndex(other);
                });
        }
    }
    EXPECT_EQ(views, 4);
}

TEST_F(SpeedTest, AnotherCurrencyIsTaken) {
    m_test.window->showPage(QStringLiteral("settings"));
    const auto box = [&] {
        return m_test.window->page(QStringLiteral("settings"))->findChild<QComboBox*>(QStringLiteral("currencyBox"));
    };
    const auto choose = [&](const char* currency) {
        auto* found = box();
        found->setCurrentIndex(found->findData(QLatin1String(currency)));
        emit found->activated(found->currentIndex());
    };
    choose("EUR");
    m_test.find<QLineEdit>("exchangeRateSource")->setText(QStringLiteral("a bank"));
    QPointer<QComboBox> old = box();
    const auto replaced = [&] { EXPECT_TRUE(QTest::qWaitFor([&] { return old.isNull(); }, kPatience)); };
    m_test.find<QDoubleSpinBox>("exchangeRateBox")->setValue(0.86);
    int count = 0;
    expectFluid(
        "currency",
        [&] {
            old = box();
            choose(++count % 2 == 1 ? "USD" : "EUR");
        },
        replaced);
    replaced();
    Format::setCurrency({});
}

TEST_F(SpeedTest, TheListOfRunsIsReadAndSorted) {
    m_test.window->showPage(QStringLiteral("history"));
    auto* table = m_test.find<QTableView>("runsTable");
    expectFluid("reading", [&] { m_test.history.refresh(); });
    expectFluid("sorting", [&] {
        table->sortByColumn(RunsModel::State, Qt::AscendingOrder);
        table->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
    });
    expectFluid("selecting", [&] { table->selectAll(); });
}

TEST_F(SpeedTest, TheViewsOfAResultComeAtOnce) {
    m_test.window->showPage(QStringLiteral("results"));
    auto* tabs = m_test.find<QTabBar>("resultTabs");
    for (int tab = 0; tab < tabs->count(); ++tab) {
        if (!tabs->isTabVisible(tab)) continue;
        expectFluid(qPrintable(tabs->tabText(tab)), [&] {
            tabs->setCurrentIndex(tab == 0 ? 1 : 0);
            tabs->setCurrentIndex(tab);
        });
    }
}

TEST_F(SpeedTest, TheViewsOfAdviceAndStudiesComeAtOnce) {
    m_test.window->showPage(QStringLiteral("advice"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }, kPatience));
    for (const auto& [page, bar] : {std::pair("advice", "adviceTabs"), std::pair("studies", "studyTabs")}) {
        m_test.window->showPage(QLatin1String(page));
        auto* tabs = m_test.find<QTabBar>(bar);
        for (int tab = 0; tab < tabs->count(); ++tab)
            expectFluid(
                qPrintable(tabs->tabText(tab)), [&] { tabs->setCurrentIndex(tab); },
                [&] { tabs->setCurrentIndex(tab == 0 ? 1 : 0); });
    }
    m_test.window->showPage(QStringLiteral("advice"));
    auto* tasks = m_test.find<QTabBar>("adviceTask");
    for (int task = 0; task < tasks->count(); ++task)
        expectFluid(
            qPrintable(tasks->tabText(task)), [&] { tasks->setCurrentIndex(task); },
            [&] { tasks->setCurrentIndex(task == 0 ? 1 : 0); });
}

TEST_F(SpeedTest, RunsAreComparedAndFollowed) {
    m_test.window->showPage(QStringLiteral("history"));
    auto* table = m_test.find<QTableView>("runsTable");
    const auto select = [&](int rows) {
        table->clearSelection();
        for (int row = 0; row < rows; ++row)
            table->selectionModel()->select(table->model()->index(row, 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
    };
    expectFluid(
        "compare", [&] { m_test.find<QPushButton>("compareButton")->click(); }, [&] { select(2); });
    expectFluid(
        "trend", [&] { m_test.find<QPushButton>("trendButton")->click(); }, [&] { select(1); });
}

TEST_F(SpeedTest, ChartsAndReportsAreExportedWithoutAWait) {
    const auto notice = [&] { return m_test.find<NoticeBar>("noticeBar")->text(); };
    m_test.window->showPage(QStringLiteral("advice"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }, kPatience));
    m_test.window->showPage(QStringLiteral("results"));
    settle();
    auto* chart = m_test.find<ChartView>("chart_train");
    ASSERT_NE(chart, nullptr);
    expectFluid("copy a chart", [&] { chart->copy(); });
    for (const auto format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf, ExportFormat::Csv}) {
        m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("chart") + suffixOf(format));
        expectFluid(qPrintable(suffixOf(format)), [&] { emit chart->exportRequested(format); });
    }
    m_test.window->showPage(QStringLiteral("report"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_test.find<QPushButton>("reportPdfButton")->isEnabled(); }, kPatience));
    for (const auto* suffix : {"pdf", "html", "md", "csv", "json"}) {
        const auto name = QStringLiteral("report.") + QLatin1String(suffix);
        m_test.dialogs.fileToSave = m_test.folder.filePath(name);
        expectFluid(
            suffix,
            [&] {
                if (qstrcmp(suffix, "pdf") == 0) {
                    m_test.find<QPushButton>("reportPdfButton")->click();
                } else {
                    m_test.window->findChild<QAction*>(QStringLiteral("report_") + QLatin1String(suffix))->trigger();
                }
            },
            [&] {
                (void)QTest::qWaitFor([&] { return m_test.find<QPushButton>("reportPdfButton")->isEnabled(); },
                                      kPatience);
            });
        EXPECT_TRUE(QTest::qWaitFor([&] { return notice().contains(name); }, kPatience)) << notice().toStdString();
    }
}

TEST(ChartSpeed, TenThousandPointsAreHoveredFluidly) {
    if (!isJudged()) GTEST_SKIP() << "this build computes too slowly to be judged";
    ChartSpec spec;
    spec.kind = ChartKind::Lines;
    spec.title = QStringLiteral("many");
    ChartSeries series{QStringLiteral("one"), 0};
    for (int i = 0; i < 10'000; ++i) {
        ChartPoint point;
        point.x = i;
        point.y = 10 + 0.1 * ((i * 7919) % 101);
        point.interval = ChartInterval{*point.y - 0.3, *point.y + 0.3};
        series.points.push_back(point);
    }
    spec.series = {series};
    ChartView view;
    view.resize(1000, 500);
    view.show();
    view.setSpec(spec);
    QTest::qWait(100);
    auto& application = *static_cast<WatchedApplication*>(qApp);
    application.forget();
    for (int x = 100; x < 900; x += 10) {
        QTest::mouseMove(view.canvas(), QPoint(x, 250));
        QCoreApplication::processEvents();
    }
    EXPECT_LT(application.slowEvents().size(), 3U);
    application.forget();
    for (int width = 900; width < 1000; width += 20) {
        view.resize(width, 500);
        QCoreApplication::processEvents();
    }
    EXPECT_LT(application.slowEvents().size(), 3U)
        << (application.slowEvents().empty() ? "" : application.slowEvents().front().text().toStdString());
}

}  // namespace
}  // namespace steelyard::ui

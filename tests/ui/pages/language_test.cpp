// SPDX-License-Identifier: Apache-2.0
// A window in Chinese shows no English sentences: checks every text and tooltip of every page. Names of networks,
// devices, files and keys are not sentences: three lower-case words in a row count as one.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>

#include "engine/advisor/study/study.h"
#include "tests/ui/support/test_window.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/chart_view.h"

namespace steelyard::ui {
namespace {

// Text that is not translated: written by the user, or by the publisher of a price or a study.
QStringList quotesOf(const TestWindow& test) {
    QStringList quotes{QStringLiteral("before the new fan"), QStringLiteral("http://"), QStringLiteral("https://")};
    for (const auto& file : test.advice.studies()) {
        const auto study = advisor::loadStudy(file);
        if (!study) continue;
        for (const auto& quote : {study->title, study->source, study->notes}) quotes << QString::fromStdString(quote);
    }
    if (!test.advice.answer()) return quotes;
    for (const auto& candidate : test.advice.answer()->advice.candidates) {
        if (!candidate.own) quotes << QString::fromStdString(candidate.priceSource.text);
    }
    for (const auto& card : test.advice.answer()->cards) quotes << QString::fromStdString(card.priceSource);
    for (const auto& [id, name] : test.advice.languageOptions().devices) quotes << QString::fromStdString(name);
    if (const auto& answer = test.advice.languageAnswer())
        for (const auto& [id, name] : answer->deviceNames) quotes << QString::fromStdString(name);
    quotes.removeAll(QString());
    quotes.removeDuplicates();
    return quotes;
}

bool isQuoted(const QString& text, const QStringList& quotes) {
    return std::any_of(quotes.begin(), quotes.end(), [&](const QString& quote) { return text.contains(quote); });
}

void addModel(QStringList& texts, const QAbstractItemView& view) {
    const auto* model = view.model();
    if (!model) return;
    for (int column = 0; column < model->columnCount(); ++column) {
        texts << model->headerData(column, Qt::Horizontal).toString()
              << model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        for (int row = 0; row < std::min(model->rowCount(), 400); ++row) {
            const auto index = model->index(row, column);
            texts << index.data().toString() << index.data(Qt::ToolTipRole).toString();
            for (int child = 0; child < model->rowCount(index); ++child)
                texts << model->index(child, column, index).data().toString()
                      << model->index(child, column, index).data(Qt::ToolTipRole).toString();
        }
    }
}

QStringList textsOf(const QWidget& window) {
    QStringList texts;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        texts << widget->toolTip() << widget->accessibleName() << widget->accessibleDescription()
              << widget->property("accessibleValue").toString();
        if (const auto* label = qobject_cast<const QLabel*>(widget)) texts << label->text();
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) texts << button->text();
        if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) texts << edit->placeholderText();
        if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) addModel(texts, *view);
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
            for (int tab = 0; tab < tabs->count(); ++tab) texts << tabs->tabText(tab);
        }
        if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
            for (int row = 0; row < box->count(); ++row) texts << box->itemText(row);
        }
        if (const auto* chart = qobject_cast<const ChartView*>(widget)) {
            const auto& spec = chart->spec();
            texts << spec.title << spec.subtitle << spec.emptyText << spec.x.caption() << spec.y.caption();
            for (const auto& series : spec.series) {
                texts << series.name;
                for (const auto& point : series.points) texts << point.reason << point.note;
            }
            for (const auto& reference : spec.references) texts << reference.label;
        }
    }
    return texts;
}

TEST(Language, AChineseWindowShowsNoEnglishSentence) {
    static const QRegularExpression sentence(QStringLiteral("\\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\\b"));
    for (const auto* language : {"zh_CN", "zh_TW"}) {
        TestWindow test({.withRuns = true, .withGpus = language[4] == 'W'});
        ASSERT_TRUE(test.languages.use(QLatin1String(language)));
        test.window = std::make_unique<MainWindow>(test.context);
        test.window->resize(1280, 840);
        test.window->show();
        test.waitUntilReady();
        QSet<QString> english;
        for (const auto& id : test.window->pageIds()) {
            test.window->showPage(id);
            if (id == QLatin1String("advice")) {
                ASSERT_TRUE(QTest::qWaitFor([&] { return test.advice.answer() && !test.advice.isBusy(); }, 30000));
            }
            QTest::qWait(100);
            for (auto* tabs : test.window->findChildren<QTabBar*>()) {
                if (!tabs->isVisible()) continue;
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QTest::qWait(20);
                    for (const auto& text : textsOf(*test.window)) {
                        if (text.contains(sentence)) english << id + QStringLiteral(": ") + text;
                    }
                }
            }
            for (const auto& text : textsOf(*test.window)) {
                if (text.contains(sentence)) english << id + QStringLiteral(": ") + text;
            }
            QTest::keyClick(test.window.get(), Qt::Key_F1);
            EXPECT_FALSE(test.dialogs.help.contains(sentence)) << test.dialogs.help.toStdString();
        }
        const auto quotes = quotesOf(test);
        for (const auto& text : english) {
            if (!isQuoted(text, quotes)) ADD_FAILURE() << language << " " << text.toStdString();
        }
        test.languages.use(QStringLiteral("en"));
    }
}

}  // namespace
}  // namespace steelyard::ui

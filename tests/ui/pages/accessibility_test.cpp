// SPDX-License-Identifier: Apache-2.0
// What a screen reader is told: walks the accessible tree of every page, tab and dialog. Each control, chart and
// picture has a name and a role, and a value where it shows one.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <functional>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/dialogs/network_dialog.h"
#include "ui/dialogs/prune_dialog.h"
#include "ui/pages/advice/advice_page.h"

namespace steelyard::ui {
namespace {

using Node = QAccessibleInterface;

QString wordsOf(const Node& node) {
    const auto* object = node.object();
    return QStringLiteral("%1 %2 \"%3\"")
        .arg(object ? QLatin1String(object->metaObject()->className()) : QLatin1String("item"),
             object ? object->objectName() : QString(), node.text(QAccessible::Name));
}

// Roles of what can be operated.
bool isControl(QAccessible::Role role) {
    switch (role) {
        case QAccessible::Button:
        case QAccessible::ButtonMenu:
        case QAccessible::ButtonDropDown:
        case QAccessible::CheckBox:
        case QAccessible::RadioButton:
        case QAccessible::ComboBox:
        case QAccessible::EditableText:
        case QAccessible::SpinBox:
        case QAccessible::Slider:
        case QAccessible::Table:
        case QAccessible::Tree:
        case QAccessible::List:
        case QAccessible::PageTab:
        case QAccessible::PageTabList:
        case QAccessible::MenuItem:
            return true;
        default:
            return false;
    }
}

bool isPicture(QAccessible::Role role) {
    return role == QAccessible::Chart || role == QAccessible::Graphic || role == QAccessible::Indicator ||
           role == QAccessible::ProgressBar;
}

// Qt's own parts of a control, which is announced as a whole.
bool isInternal(const QObject* object) {
    const auto name = object ? object->objectName() : QString();
    return name == QLatin1String("qt_spinbox_lineedit") || name == QLatin1String("qt_scrollarea_vcontainer") ||
           name == QLatin1String("qt_scrollarea_hcontainer") || (object && object->inherits("QScrollBar"));
}

struct Findings {
    QStringList missing;
    std::map<QAccessible::Role, int> seen;
};

void checkValue(const Node& node, Findings& findings) {
    const auto value = node.text(QAccessible::Value);
    if (const auto* box = qobject_cast<const QComboBox*>(node.object())) {
        if (value != box->currentText()) findings.missing << wordsOf(node) + QStringLiteral(": value ") + value;
    } else if (const auto* edit = qobject_cast<const QLineEdit*>(node.object())) {
        if (value != edit->text()) findings.missing << wordsOf(node) + QStringLiteral(": value ") + value;
    } else if (node.role() == QAccessible::SpinBox || node.role() == QAccessible::Slider ||
               node.role() == QAccessible::ProgressBar) {
        auto* number = const_cast<Node&>(node).valueInterface();
        const auto* dates = qobject_cast<const QDateTimeEdit*>(node.object());  // a value in words only
        if (dates ? value != dates->text() : !number || !number->currentValue().isValid())
            findings.missing << wordsOf(node) + QStringLiteral(": no value");
    } else if (node.role() == QAccessible::CheckBox) {
        const auto* button = qobject_cast<const QAbstractButton*>(node.object());
        const auto state = node.state();
        if (button && (!state.checkable || bool(state.checked) != button->isChecked()))
            findings.missing << wordsOf(node) + QStringLiteral(": its state");
    } else if (node.role() == QAccessible::Chart) {
        if (node.text(QAccessible::Description).isEmpty() && value.isEmpty())
            findings.missing << wordsOf(node) + QStringLiteral(": neither description nor value");
    } else if (node.role() == QAccessible::Indicator) {
        if (value.isEmpty()) findings.missing << wordsOf(node) + QStringLiteral(": no value");
    }
}

void walk(Node* node, Findings& findings, bool inControl = false) {
    if (!node || !node->isValid() || node->state().invisible || isInternal(node->object())) return;
    const auto role = node->role();
    ++findings.seen[role];
    const bool named = !node->text(QAccessible::Name).isEmpty();
    const auto* widget = qobject_cast<const QWidget*>(node->object());
    if (!inControl && (isControl(role) || isPicture(role))) {
        if (!named) findings.missing << wordsOf(*node) + QStringLiteral(": no name");
        checkValue(*node, findings);
    }
    // Whatever takes the focus is more than a box.
    if (!inControl && widget && widget->focusPolicy() != Qt::NoFocus && !widget->focusProxy() &&
        (role == QAccessible::Client || role == QAccessible::NoRole || role == QAccessible::Border) &&
        !widget->inherits("QScrollArea"))
        findings.missing << wordsOf(*node) + QStringLiteral(": no role");
    if (role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List) {
        // The texts of its cells are those of the model.
        const auto* view = qobject_cast<const QAbstractItemView*>(node->object());
        auto* table = node->tableInterface();
        if (view && table && view->model() && view->model()->rowCount() > 0 && table->rowCount() == 0)
            findings.missing << wordsOf(*node) + QStringLiteral(": rows");
        for (int column = 0; table && view && column < std::min(table->columnCount(), 20); ++column) {
            auto* cell = table->cellAt(0, column);
            const auto text = view->model()->index(0, column, view->rootIndex()).data().toString();
            if (cell && cell->text(QAccessible::Name) != text && !view->isPersistentEditorOpen({}))
                findings.missing << QStringLiteral("%1: cell \"%2\" is read as \"%3\"")
                                        .arg(wordsOf(*node), text, cell->text(QAccessible::Name));
        }
        return;
    }
    const bool whole = role == QAccessible::ComboBox || role == QAccessible::SpinBox;
    for (int index = 0; index < node->childCount(); ++index) walk(node->child(index), findings, inControl || whole);
}

Findings findingsOf(QWidget* window) {
    // Without a screen reader, tables do not tell their nodes of changes: begin with new ones.
    for (auto* view : window->findChildren<QAbstractItemView*>()) {
        if (auto* node = QAccessible::queryAccessibleInterface(view))
            QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(node));
    }
    Findings findings;
    walk(QAccessible::queryAccessibleInterface(window), findings);
    return findings;
}

class AccessibilityTest : public WindowFixture {
protected:
    AccessibilityTest() : WindowFixture({.withRuns = true, .withGpus = true, .usableGpus = 4, .withScaling = true}) {}
    void SetUp() override {
        WindowFixture::SetUp();
        m_test.window->resize(1280, 840);
    }
    Findings look(const std::string& where, QWidget* window = nullptr) {
        QTest::qWait(60);
        Findings findings;
        // Content may still be on its way.
        (void)QTest::qWaitFor(
            [&] {
                findings = findingsOf(window ? window : m_test.window.get());
                return findings.missing.isEmpty();
            },
            3000);
        findings.missing.removeDuplicates();
        EXPECT_EQ(findings.missing.join(QLatin1Char('\n')).toStdString(), "") << where;
        return findings;
    }
    // Runs `open`, which returns when its modal dialog is closed, and looks at the dialog meanwhile.
    void lookAtModal(const std::string& where, const std::function<void()>& open) {
        bool looked = false;
        QTimer::singleShot(100, this->m_test.window.get(), [&] {
            auto* dialog = QApplication::activeModalWidget();
            ASSERT_NE(dialog, nullptr) << where;
            const auto findings = findingsOf(dialog);
            EXPECT_EQ(findings.missing.join(QLatin1Char('\n')).toStdString(), "") << where;
            EXPECT_GT(findings.seen.count(QAccessible::Button), 0U) << where;
            looked = true;
            dialog->close();
        });
        open();
        EXPECT_TRUE(looked) << where;
    }
};

TEST_F(AccessibilityTest, EveryControlAndChartOfEveryPageHasNameRoleAndValue) {
    std::map<QAccessible::Role, int> seen;
    for (const auto& id : m_test.window->pageIds()) {
        m_test.window->showPage(id);
        if (id == QLatin1String("advice") || id == QLatin1String("report")) {
            ASSERT_TRUE(eventually([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }));
        }
        for (const auto& [role, count] : look(id.toStdString()).seen) seen[role] += count;
        for (auto* tabs : m_test.window->findChildren<QTabBar*>()) {
            for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab) {
                if (!tabs->isTabVisible(tab) || !tabs->isTabEnabled(tab)) continue;
                tabs->setCurrentIndex(tab);
                const auto where = id + QLatin1Char(' ') + tabs->tabText(tab);
                for (const auto& [role, count] : look(where.toStdString()).seen) seen[role] += count;
            }
        }
    }
    // The walk itself must not be blind.
    for (const auto role : {QAccessible::Button, QAccessible::CheckBox, QAccessible::ComboBox, QAccessible::SpinBox,
                            QAccessible::EditableText, QAccessible::Table, QAccessible::Tree, QAccessible::PageTab,
                            QAccessible::Chart, QAccessible::Graphic, QAccessible::Slider, QAccessible::StaticText})
        EXPECT_GT(seen[role], 0) << static_cast<int>(role);
}

TEST_F(AccessibilityTest, ARunThatIsUnderWayIsTold) {
    m_test.window->showPage(QStringLiteral("benchmark"));
    bench::RunRequest request;
    request.suite = "live";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return m_test.run.progress().samples().size() > 40; }));
    QTest::qWait(150);
    auto findings = look("under way");
    EXPECT_GT(findings.seen[QAccessible::ProgressBar], 0);
    EXPECT_GT(findings.seen[QAccessible::Chart], 0) << "the samples";
    const int indicators = findings.seen[QAccessible::Indicator];
    click("countersButton");
    findings = look("counters shown or hidden");
    EXPECT_GT(indicators + findings.seen[QAccessible::Indicator], 0);
    m_test.run.stop();
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    look("stopped");
}

TEST_F(AccessibilityTest, AComparisonAndATrendAreTold) {
    m_test.window->showPage(QStringLiteral("history"));
    auto* table = find<QTableView>("runsTable");
    for (const int row : {0, 1}) {
        table->selectionModel()->select(table->model()->index(row, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    click("compareButton");
    ASSERT_TRUE(eventually([&] { return find<QWidget>("comparisonCard")->isVisible(); }));
    EXPECT_GT(look("comparison").seen[QAccessible::Chart], 0);
    find<QTabBar>("comparisonTabs")->setCurrentIndex(1);
    look("figures of the comparison");
    table->clearSelection();
    table->selectRow(0);
    click("trendButton");
    QTest::qWait(150);
    EXPECT_GT(look("trend").seen[QAccessible::Chart], 0);
}

TEST_F(AccessibilityTest, EveryDialogIsTold) {
    SystemDialogs dialogs(m_test.preferences);
    auto* window = m_test.window.get();
    lookAtModal("question", [&] {
        dialogs.confirm(window, {QStringLiteral("Title"), QStringLiteral("Text"), QStringLiteral("Detail"),
                                 QStringLiteral("Yes"), QStringLiteral("No"), true});
    });
    lookAtModal("error", [&] { dialogs.showError(window, QStringLiteral("Title"), QStringLiteral("Text")); });
    lookAtModal("help", [&] { dialogs.showHelp(window, QStringLiteral("Title"), QStringLiteral("Text")); });
    lookAtModal("preview", [&] {
        dialogs.previewText(window, QStringLiteral("Title"), QStringLiteral("Text"), QStringLiteral("Copy"));
    });
    lookAtModal("old runs", [&] { dialogs.choosePruning(window, m_test.history.runs()); });

    NetworkDialog network(m_test.networks, QStringLiteral(STEELYARD_SOURCE_DIR "/tests/data/onnx/shapes/model.onnx"),
                          window);
    network.setAttribute(Qt::WA_DeleteOnClose, false);
    network.open();
    QTest::qWait(300);
    look("network", &network);
    network.close();

    window->showPage(QStringLiteral("advice"));
    ASSERT_TRUE(eventually([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }));
    click("measureCandidates");
    ASSERT_TRUE(eventually([&] { return QApplication::activeModalWidget() != nullptr; }));
    auto* campaign = QApplication::activeModalWidget();
    look("campaign", campaign);
    campaign->close();
}

}  // namespace
}  // namespace steelyard::ui

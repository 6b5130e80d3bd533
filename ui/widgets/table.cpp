// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTreeView>
#include <algorithm>

#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kRowsLookedAt = 60;  // for the width of a column; looking at all of a long table takes too long

// The style sheet's padding is not wholly counted in a section's size: without this, right-aligned titles lose a few
// pixels.
class RoomyHeader final : public QHeaderView {
public:
    using QHeaderView::QHeaderView;

protected:
    QSize sectionSizeFromContents(int section) const override {
        return QHeaderView::sectionSizeFromContents(section) + QSize(12, 0);
    }
};

// The style sheet's padding of an item is drawn but only partly in its size, so columns that follow their content were
// too narrow for it.
class RoomyTable final : public QTableView {
public:
    using QTableView::QTableView;

protected:
    int sizeHintForColumn(int column) const override { return QTableView::sizeHintForColumn(column) + 16; }
};

// A row with a check box is taller than its text alone suggests, in every language's font.
class RoomyRows final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index).expandedTo(QSize(0, option.fontMetrics.height() + 10));
    }
};

void copySelection(const QAbstractItemView& view) {
    auto rows = view.selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QString text;
    for (const auto& row : rows) {
        QStringList fields;
        for (int column = 0; column < view.model()->columnCount(row.parent()); ++column) {
            fields << row.siblingAtColumn(column).data().toString();
        }
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void addCopyAction(QAbstractItemView* view) {
    auto* action = new QAction(view);
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(action);
    QObject::connect(action, &QAction::triggered, view, [view] { copySelection(*view); });
}

}  // namespace

QTableView* makeTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent) {
    auto* table = new RoomyTable(parent);
    auto* header = new RoomyHeader(Qt::Horizontal, table);
    header->setSectionsClickable(true);
    header->setResizeContentsPrecision(kRowsLookedAt);
    table->setHorizontalHeader(header);
    table->setModel(model);
    table->setAccessibleName(accessibleName);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setAlternatingRowColors(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);  // Tab leaves the table, the arrows move inside it
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(scaled(30));
    header->setHighlightSections(false);
    header->setStretchLastSection(true);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setMinimumSectionSize(scaled(48));
    addCopyAction(table);
    return table;
}

QTreeView* makeTree(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent) {
    auto* tree = new QTreeView(parent);
    tree->setItemDelegate(new RoomyRows(tree));
    tree->setHeader(new RoomyHeader(Qt::Horizontal, tree));
    tree->setModel(model);
    tree->setAccessibleName(accessibleName);
    tree->setSelectionBehavior(QAbstractItemView::SelectRows);
    tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree->setUniformRowHeights(true);
    tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->header()->setHighlightSections(false);
    addCopyAction(tree);
    return tree;
}

}  // namespace steelyard::ui

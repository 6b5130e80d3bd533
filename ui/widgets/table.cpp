// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTreeView>
#include <algorithm>

#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kRowsLookedAt = 60;  // for the width of a column; measuring all rows of a long table takes too long

// The style sheet's padding is not fully included in a section's size: without this, right-aligned titles lose a few
// pixels.
class RoomyHeader final : public QHeaderView {
public:
    using QHeaderView::QHeaderView;

protected:
    QSize sectionSizeFromContents(int section) const override {
        return QHeaderView::sectionSizeFromContents(section) + QSize(12, 0);
    }
};

// The style sheet's padding of an item is drawn but not fully included in its size, which makes columns too narrow.
class RoomyTable : public QTableView {
public:
    using QTableView::QTableView;

protected:
    int sizeHintForColumn(int column) const override { return QTableView::sizeHintForColumn(column) + 16; }
};

// A row with a check box is taller than its text.
class RoomyRows final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index).expandedTo(QSize(0, option.fontMetrics.height() + 10));
    }
};

// A second view of the same model and selection for the table's first column: only the table scrolls horizontally, and
// both scroll vertically together. The table keeps focus and keyboard input.
class FrozenColumn final : public RoomyTable {
public:
    explicit FrozenColumn(QTableView* table) : m_table(table) {
        setParent(table);
        auto* header = new RoomyHeader(Qt::Horizontal, this);
        setHorizontalHeader(header);
        setModel(table->model());
        setSelectionModel(table->selectionModel());
        setSelectionBehavior(table->selectionBehavior());
        setSelectionMode(table->selectionMode());
        setEditTriggers(QAbstractItemView::NoEditTriggers);
        setFocusPolicy(Qt::NoFocus);
        setFrameShape(QFrame::NoFrame);
        setShowGrid(false);
        setWordWrap(false);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
        verticalHeader()->hide();
        verticalHeader()->setDefaultSectionSize(table->verticalHeader()->defaultSectionSize());
        header->setHighlightSections(false);
        header->setStretchLastSection(false);
        header->setSectionsClickable(true);
        setSortingEnabled(false);
        setAccessibleName(table->accessibleName());
        auto* others = table->horizontalHeader();
        connect(others, &QHeaderView::sectionResized, this, [this](int section, int, int) {
            if (section == 0) place();
        });
        connect(header, &QHeaderView::sectionResized, this, [this](int section, int, int size) {
            if (section == 0 && m_table->columnWidth(0) != size) m_table->setColumnWidth(0, size);
        });
        connect(header, &QHeaderView::sectionClicked, this, [this](int section) {
            auto* first = m_table->horizontalHeader();
            if (!m_table->isSortingEnabled()) return;
            const bool again = first->sortIndicatorSection() == section;
            const bool up = first->sortIndicatorOrder() == Qt::AscendingOrder;
            m_table->sortByColumn(section, again && up ? Qt::DescendingOrder : Qt::AscendingOrder);
        });
        connect(table->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
        connect(verticalScrollBar(), &QScrollBar::valueChanged, table->verticalScrollBar(), &QScrollBar::setValue);
        connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::place);
        connect(table->model(), &QAbstractItemModel::modelReset, this, &FrozenColumn::place, Qt::QueuedConnection);
        connect(this, &QTableView::clicked, table, &QTableView::clicked);
        connect(this, &QTableView::doubleClicked, table, &QTableView::doubleClicked);
        table->installEventFilter(this);
        place();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == m_table && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) place();
        return RoomyTable::eventFilter(watched, event);
    }

private:
    // Only shown while the table is scrolled; otherwise the table itself is visible and clickable.
    void place() {
        const bool scrolled = m_table->horizontalScrollBar()->value() > 0;
        setVisible(scrolled);
        if (!scrolled) return;
        for (int column = 1; column < model()->columnCount(); ++column) setColumnHidden(column, true);
        const int width = m_table->columnWidth(0);
        setColumnWidth(0, width);
        horizontalHeader()->setFixedHeight(m_table->horizontalHeader()->height());
        const int frame = m_table->frameWidth();
        setGeometry(frame, frame, width, m_table->viewport()->height() + m_table->horizontalHeader()->height());
        verticalScrollBar()->setValue(m_table->verticalScrollBar()->value());
        raise();
    }

    QTableView* m_table;
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
    table->setTabKeyNavigation(false);  // Tab leaves the table, arrow keys move within it
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

void freezeFirstColumn(QTableView* table) {
    // Created on demand: a language change rebuilds all pages and must be fast.
    QObject::connect(
        table->horizontalScrollBar(), &QScrollBar::valueChanged, table, [table] { new FrozenColumn(table); },
        Qt::SingleShotConnection);
}

QLineEdit* searchField(const QString& placeholder, QSortFilterProxyModel* rows, QWidget* parent) {
    auto* field = new QLineEdit(parent);
    field->setPlaceholderText(placeholder);
    field->setAccessibleName(placeholder);
    field->setClearButtonEnabled(true);
    rows->setFilterKeyColumn(-1);
    rows->setFilterCaseSensitivity(Qt::CaseInsensitive);
    QObject::connect(field, &QLineEdit::textChanged, rows, &QSortFilterProxyModel::setFilterFixedString);
    return field;
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

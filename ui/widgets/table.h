// SPDX-License-Identifier: Apache-2.0
// Tables and trees with uniform look and behaviour. GUI thread; owned by the given parent.
#pragma once

#include <QString>

class QAbstractItemModel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;
class QTreeView;
class QWidget;

namespace steelyard::ui {

// Row selection, read-only, columns fit their content and the last one stretches. Ctrl+C copies the selected rows,
// tab-separated.
[[nodiscard]] QTableView* makeTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);
[[nodiscard]] QTreeView* makeTree(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);

// Keeps the first column visible while scrolling horizontally.
void freezeFirstColumn(QTableView* table);
// Filters `rows` by text in any column.
[[nodiscard]] QLineEdit* searchField(const QString& placeholder, QSortFilterProxyModel* rows, QWidget* parent);

}  // namespace steelyard::ui
